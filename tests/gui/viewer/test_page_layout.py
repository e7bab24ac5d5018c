from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRect, QSize

from desktop_qa.gui.viewer.page_layout import (
    GAP,
    MARGIN,
    MAX_FACTOR,
    MIN_FACTOR,
    PageArrangement,
    PageLayout,
    Zoom,
    ZoomMode,
    next_larger,
    next_smaller,
)

VIEWPORT = QSize(500, 400)
SIZES = ((300.0, 400.0), (600.0, 400.0), (300.0, 400.0))


def laid_out(mode: ZoomMode, factor: float = 1.0) -> PageLayout:
    return PageLayout(SIZES, VIEWPORT, PageArrangement(zoom=Zoom(mode, factor)), 1.0)


def test_fitted_pages_fill_the_width_whatever_their_own() -> None:
    layout = laid_out(ZoomMode.FIT_WIDTH)
    for page_index in range(3):
        assert layout.page_rect(page_index).left() == MARGIN
        assert layout.page_rect(page_index).width() == VIEWPORT.width() - 2 * MARGIN
    assert layout.width == VIEWPORT.width()


def test_whole_pages_fit_into_the_window() -> None:
    layout = laid_out(ZoomMode.FIT_PAGE)
    for page_index in range(3):
        rect = layout.page_rect(page_index)
        assert rect.height() <= VIEWPORT.height() - 2 * GAP
        assert rect.width() <= VIEWPORT.width() - 2 * MARGIN
    assert layout.page_rect(0).height() == VIEWPORT.height() - 2 * GAP


def test_a_factor_is_the_same_for_all_pages_and_may_be_wider_than_the_window() -> None:
    layout = laid_out(ZoomMode.FACTOR, 2.0)
    assert [layout.page_rect(index).width() for index in range(3)] == [600, 1200, 600]
    assert layout.width == 1200 + 2 * MARGIN
    assert layout.page_rect(0).center().x() == pytest.approx(layout.width / 2, abs=1)


def test_pages_follow_each_other_with_a_gap() -> None:
    layout = laid_out(ZoomMode.FACTOR)
    assert layout.page_rect(0).top() == GAP
    assert layout.page_rect(1).top() == GAP + 400 + GAP
    assert layout.height == 3 * (400 + GAP) + GAP
    assert list(layout.seen(QRect(0, 0, 500, 400))) == [0]
    assert list(layout.seen(QRect(0, 300, 500, 400))) == [0, 1]
    assert layout.page_under(QPointF(0, GAP + 400 + 2)) == 0
    assert layout.page_under(QPointF(0, GAP + 400 + GAP)) == 1
    assert layout.most_visible(300, 400) == 1
    assert layout.most_visible(100, 400) == 0


def test_a_point_is_found_again_at_another_size() -> None:
    small, large = laid_out(ZoomMode.FIT_PAGE), laid_out(ZoomMode.FACTOR, 3.0)
    anchor = small.anchor_at(QPointF(small.page_rect(1).center()))
    found = large.point_of(anchor)
    assert found.x() == pytest.approx(large.page_rect(1).center().x(), abs=5)
    assert found.y() == pytest.approx(large.page_rect(1).center().y(), abs=5)


def test_a_document_without_pages_has_no_height_to_scroll() -> None:
    layout = PageLayout((), VIEWPORT, PageArrangement(), 1.0)
    assert layout.n_pages == 0
    assert list(layout.seen(QRect(0, 0, 500, 400))) == []
    assert layout.height < VIEWPORT.height()


def test_a_tiny_window_does_not_make_pages_vanish() -> None:
    layout = PageLayout(SIZES, QSize(10, 10), PageArrangement(), 1.0)
    assert layout.factor(0) > 0
    assert layout.page_rect(0).width() >= 1


def test_zoom_steps_go_up_and_down_and_end() -> None:
    assert next_larger(0.61) == 0.67
    assert next_larger(1.0) == 1.1
    assert next_smaller(1.0) == 0.9
    assert next_smaller(1.005) == 0.9
    assert next_larger(MAX_FACTOR) == MAX_FACTOR
    assert next_smaller(MIN_FACTOR) == MIN_FACTOR
