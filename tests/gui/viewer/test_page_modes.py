"""Modes and rotations of the page view: what stands where, and how it is steered."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_qa.catalog import document_id_of
from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.viewer import pdf_view
from desktop_qa.gui.viewer.page_images import MAX_CACHE_BYTES, MAX_PAGE_PIXELS
from desktop_qa.gui.viewer.page_layout import (
    GAP,
    PageArrangement,
    PageLayout,
    PageMode,
    Zoom,
    ZoomMode,
    spreads,
)
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.gui.fake_service import make_library, make_status
from tests.gui.pdf_files import (
    A5,
    BLUE,
    anchor_under,
    pixels_of,
    show_document,
    show_pages,
    wheel,
    write_pages,
    write_rectangle,
)

MODES = tuple(PageMode)
ROTATIONS = (0, 90, 180, 270)
VIEWPORT = QSize(500, 400)


def drawn(qtbot: QtBot, view: PdfView) -> None:
    qtbot.waitUntil(lambda: view.is_drawn)


def shown_pages(view: PdfView) -> list[int]:
    return [index + 1 for index in view.page_layout.seen(view.visible_canvas)]


# The values


def test_pairs_begin_with_the_first_page_or_with_a_cover_alone():
    assert [list(s) for s in spreads(PageMode.PAIRS, 5)] == [[0, 1], [2, 3], [4]]
    assert [list(s) for s in spreads(PageMode.COVER_AND_PAIRS, 5)] == [[0], [1, 2], [3, 4]]
    assert [list(s) for s in spreads(PageMode.SINGLE, 2)] == [[0], [1]]
    assert spreads(PageMode.COVER_AND_PAIRS, 0) == []


@pytest.mark.parametrize("mode", MODES)
def test_an_arrangement_is_kept_as_a_line_of_text(mode):
    arrangement = PageArrangement(mode, Zoom(ZoomMode.FACTOR, 1.25), 270)
    assert PageArrangement.from_text(arrangement.to_text()) == arrangement


def test_four_turns_are_none():
    arrangement = PageArrangement()
    assert arrangement.turned(1).rotation == 90
    assert arrangement.turned(-1).rotation == 270
    assert arrangement.turned(4) == arrangement


# Where the pages stand


@pytest.mark.parametrize(("mode", "rotation"), tuple(itertools.product(MODES, ROTATIONS)))
def test_points_are_found_again_in_every_mode_and_rotation(mode, rotation):
    sizes = ((300.0, 400.0), (600.0, 400.0), (3.0, 14400.0), (300.0, 400.0))
    layout = PageLayout(sizes, VIEWPORT, PageArrangement(mode, Zoom(), rotation), 1.0)
    for page_index, (width, height) in enumerate(sizes):
        box = BoundingBox(width * 0.2, height * 0.1, width * 0.4, height * 0.3)
        rect = layout.to_canvas(page_index, box)
        assert QRect(layout.page_rect(page_index)).adjusted(-1, -1, 1, 1).contains(rect.toRect())
        back = layout.to_page(page_index, rect.center())
        middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        assert (back.x(), back.y()) == pytest.approx(middle, rel=1e-6)
        anchor = layout.anchor_at(rect.center())
        assert anchor.page_index == page_index
        assert (anchor.x, anchor.y) == pytest.approx((0.3, 0.2), abs=1e-6)


def test_a_pair_fills_the_width_and_the_cover_is_as_large_as_in_a_pair():
    arrangement = PageArrangement(PageMode.COVER_AND_PAIRS)
    layout = PageLayout((A5,) * 4, VIEWPORT, arrangement, 1.0)
    left, right = layout.page_rect(1), layout.page_rect(2)
    assert right.left() - left.left() - left.width() == GAP
    assert layout.page_rect(0).left() == right.left()
    assert layout.page_rect(0).size() == right.size()
    assert layout.page_rect(3).left() == left.left()
    assert layout.page_under(QPointF(right.center())) == 2
    assert layout.page_under(QPointF(left.center())) == 1


def test_a_page_of_200_inches_fits_and_one_of_3_points_is_seen():
    arrangement = PageArrangement(PageMode.SINGLE, Zoom(ZoomMode.FIT_PAGE))
    layout = PageLayout(((14400.0, 14400.0), (3.0, 3.0)), VIEWPORT, arrangement, 1.0)
    assert layout.page_rect(0).height() <= VIEWPORT.height()
    assert layout.page_rect(1).width() >= 3


def test_a_thousand_huge_pages_at_the_largest_size_stay_within_what_scroll_bars_count():
    zoom = Zoom(ZoomMode.FACTOR, 16.0)
    layout = PageLayout(((14400.0, 14400.0),) * 10_000, VIEWPORT, PageArrangement(zoom=zoom), 1.33)
    assert layout.height < 2**31


# What is shown


def test_single_pages_are_shown_alone(ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 0.3))
    assert len(shown_pages(ten_pages)) > 1
    ten_pages.go_to(4)
    ten_pages.set_mode(PageMode.SINGLE)
    assert shown_pages(ten_pages) == [4]
    ten_pages.go_to(9)
    assert shown_pages(ten_pages) == [9]


def test_pairs_are_shown_together_and_the_page_that_was_asked_for_is_current(ten_pages):
    ten_pages.set_mode(PageMode.PAIRS)
    ten_pages.set_zoom(Zoom(ZoomMode.FIT_PAGE))
    ten_pages.go_to(6)
    assert shown_pages(ten_pages) == [5, 6]
    assert ten_pages.current_page == 6
    ten_pages.set_mode(PageMode.COVER_AND_PAIRS)
    assert shown_pages(ten_pages) == [6, 7]
    ten_pages.go_to(1)
    assert shown_pages(ten_pages) == [1]


def test_the_mode_changes_and_the_page_that_is_read_stays(ten_pages):
    ten_pages.go_to(7)
    for mode in (*MODES, PageMode.CONTINUOUS):
        ten_pages.set_mode(mode)
        assert 7 in shown_pages(ten_pages)
        assert ten_pages.current_page == 7


def test_the_wheel_scrolls_to_the_edge_and_turns_the_page_there(ten_pages):
    ten_pages.set_mode(PageMode.SINGLE)
    bar = ten_pages.verticalScrollBar()
    room = ten_pages.page_layout.window_range(0)
    assert room.height() > ten_pages.viewport().height()
    seen = []
    for _ in range(30):
        wheel(ten_pages, -120)
        seen.append((ten_pages.current_page, bar.value()))
        if ten_pages.current_page == 2:
            break
    assert seen[-1][0] == 2
    assert seen[-2][1] == room.bottom() + 1 - ten_pages.viewport().height()
    assert bar.value() == ten_pages.page_layout.window_range(1).top()
    wheel(ten_pages, 120)
    assert ten_pages.current_page == 1
    assert bar.value() == room.bottom() + 1 - ten_pages.viewport().height()


def test_a_sweep_over_a_touchpad_turns_one_page(ten_pages, monkeypatch):
    # A busy machine may take longer over the sweep than the pause after which a new one begins.
    monkeypatch.setattr(pdf_view, "_TURN_PAUSE_MS", 600_000)
    ten_pages.set_mode(PageMode.SINGLE)
    ten_pages.set_zoom(Zoom(ZoomMode.FIT_PAGE))
    for _ in range(20):
        wheel(ten_pages, -30, pixels=-15, phase=Qt.ScrollPhase.ScrollUpdate)
    assert ten_pages.current_page == 2


def test_page_keys_turn_pages_at_their_edges(qtbot, ten_pages):
    ten_pages.set_mode(PageMode.PAIRS)
    ten_pages.set_zoom(Zoom(ZoomMode.FIT_PAGE))
    for key, page in (
        (Qt.Key.Key_PageDown, 3),
        (Qt.Key.Key_Down, 5),
        (Qt.Key.Key_Right, 7),
        (Qt.Key.Key_Space, 9),
        (Qt.Key.Key_PageDown, 9),
        (Qt.Key.Key_PageUp, 7),
        (Qt.Key.Key_Up, 5),
        (Qt.Key.Key_Left, 3),
        (Qt.Key.Key_End, 10),
        (Qt.Key.Key_Home, 1),
    ):
        qtbot.keyClick(ten_pages, key)
        assert ten_pages.current_page == page, key


def test_the_scroll_bar_dragged_anywhere_ends_on_a_whole_page(ten_pages):
    ten_pages.set_mode(PageMode.SINGLE)
    ten_pages.set_zoom(Zoom(ZoomMode.FIT_PAGE))
    bar = ten_pages.verticalScrollBar()
    bar.setValue(bar.maximum() // 2 + 37)
    assert len(shown_pages(ten_pages)) == 1
    room = ten_pages.page_layout.window_range(ten_pages.current_page - 1)
    assert bar.value() == room.top()


def test_a_cited_place_is_brought_into_view_where_pages_are_turned(ten_pages):
    ten_pages.set_mode(PageMode.COVER_AND_PAIRS)
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 2.0))
    place = Provenance(7, BoundingBox(300, 500, 400, 520))
    ten_pages.go_to([place])
    rect = ten_pages.page_layout.to_canvas(6, place.bbox)
    assert ten_pages.visible_canvas.contains(rect.toRect())
    assert ten_pages.current_page == 7


# The right ink


@pytest.mark.parametrize(
    ("turn", "rotation", "mode"),
    [
        *((0, rotation, PageMode.CONTINUOUS) for rotation in ROTATIONS),
        *((90, rotation, PageMode.SINGLE) for rotation in ROTATIONS),
        (180, 90, PageMode.PAIRS),
        (270, 270, PageMode.COVER_AND_PAIRS),
    ],
)
def test_a_place_lies_on_its_ink_whatever_way_page_and_view_are_turned(
    qtbot, view, tmp_path, turn, rotation, mode
):
    path = tmp_path / "rectangle.pdf"
    cited = write_rectangle(path, turn, is_cropped=True)
    show_pages(qtbot, view, path)
    view.arrange(PageArrangement(mode, Zoom(ZoomMode.FACTOR, 1.1), rotation))
    view.go_to([cited])
    drawn(qtbot, view)
    found = pixels_of(view.viewport().grab().toImage(), QColor(*BLUE))
    expected = view.page_layout.to_canvas(0, cited.bbox)
    expected.translate(-view.visible_canvas.topLeft().toPointF())
    ratio = view.devicePixelRatioF()
    ends = tuple(
        end / ratio for end in (found.left(), found.top(), found.right() + 1, found.bottom() + 1)
    )
    assert ends == pytest.approx(
        (expected.left(), expected.top(), expected.right(), expected.bottom()), abs=1.5
    )


def test_turning_the_view_keeps_the_cited_place_in_sight_and_draws_nothing_anew(qtbot, ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 0.9))
    cited = Provenance(5, BoundingBox(100, 300, 200, 314))
    ten_pages.set_highlights([Highlight(1, (cited,))])
    ten_pages.go_to([cited])
    drawn(qtbot, ten_pages)
    for turn in (1, 1, 1, 1, -1):
        ten_pages.rotate(turn)
        seen = ten_pages.visible_canvas
        assert seen.intersects(ten_pages.page_layout.to_canvas(4, cited.bbox).toRect())
        ratio = ten_pages.devicePixelRatioF()
        width = round(ten_pages.page_layout.upright_size(4).width() * ratio)
        image = ten_pages.images.cache.nearest(ten_pages.document.stamp, 4, width)
        assert image.width() == width


def test_another_document_is_upright_and_the_mode_stays(qtbot, ten_pages, tmp_path):
    ten_pages.set_mode(PageMode.SINGLE)
    ten_pages.rotate(1)
    looks: list[PageArrangement] = []
    ten_pages.arrangement_changed.connect(looks.append)
    show_pages(qtbot, ten_pages, write_pages(tmp_path / "other.pdf", [A5]))
    assert ten_pages.arrangement == PageArrangement(PageMode.SINGLE)
    assert set(looks) == {PageArrangement(PageMode.SINGLE)}


def test_a_document_is_opened_as_it_was_left(qtbot, ten_pages, tmp_path):
    ten_pages.arrange(PageArrangement(PageMode.PAIRS, Zoom(ZoomMode.FACTOR, 1.5), 90))
    ten_pages.go_to([Provenance(6, BoundingBox(100, 300, 200, 314))])
    # The horizontal bar comes in a later turn and takes some of the height.
    qtbot.waitUntil(lambda: ten_pages.viewport().height() < 600)
    left = (ten_pages.arrangement, ten_pages.place, ten_pages.visible_canvas)
    path = Path(str(ten_pages.document.stamp.path)) if ten_pages.document.stamp else tmp_path
    show_pages(qtbot, ten_pages, write_pages(tmp_path / "other.pdf", [A5]))
    with qtbot.waitSignal(ten_pages.document.opened):
        ten_pages.open(path, left[1], left[0])
    assert (ten_pages.arrangement, ten_pages.place) == left[:2]
    qtbot.waitUntil(lambda: ten_pages.visible_canvas == left[2])


# Fingers


def test_two_fingers_on_a_touchpad_zoom_about_the_pointer(ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 2.0))
    ten_pages.go_to(3)
    point = QPointF(160, 280)
    before = anchor_under(ten_pages, point)
    device = QPointingDevice.primaryPointingDevice()
    for kind, value in (
        (Qt.NativeGestureType.BeginNativeGesture, 0.0),
        (Qt.NativeGestureType.ZoomNativeGesture, 0.25),
        (Qt.NativeGestureType.ZoomNativeGesture, 0.2),
        (Qt.NativeGestureType.EndNativeGesture, 0.0),
    ):
        event = QNativeGestureEvent(kind, device, 2, point, point, QPointF(point), value, QPointF())
        QApplication.sendEvent(ten_pages.viewport(), event)
    assert ten_pages.factor == pytest.approx(2.0 * 1.25 * 1.2)
    assert anchor_under(ten_pages, point) == pytest.approx(before, abs=0.003)


def test_two_fingers_on_a_touch_screen_zoom_about_their_middle(ten_pages):
    from PySide6.QtTest import QTest

    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 1.0))
    ten_pages.go_to(2)
    device = QTest.createTouchDevice()
    viewport = ten_pages.viewport()
    first, second = QPoint(200, 250), QPoint(200, 350)
    touch = QTest.touchEvent(viewport, device)
    touch.press(0, first, viewport).press(1, second, viewport)
    touch.commit()
    for step in range(1, 11):
        touch.move(0, first - QPoint(0, 10 * step), viewport)
        touch.move(1, second + QPoint(0, 10 * step), viewport)
        touch.commit()
    touch.release(0, first - QPoint(0, 100), viewport)
    touch.release(1, second + QPoint(0, 100), viewport)
    touch.commit()
    assert ten_pages.factor > 1.5


# Trouble


def test_a_page_that_cannot_be_drawn_says_so_and_is_tried_again(qtbot, ten_pages):
    stamp = ten_pages.document.stamp
    width = ten_pages.page_layout.page_rect(0).width()
    ten_pages.images.cache.clear()
    keys = list(ten_pages.images._keys(ten_pages.sight, 0))
    ten_pages.document.image_rendered.emit(keys[0], QImage())
    (note,) = ten_pages._notes.values()
    button = note.button
    assert button.isVisible()
    assert "page 1" in button.accessibleName()
    assert ten_pages.images.has_failed(0)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    drawn(qtbot, ten_pages)
    assert not ten_pages._notes
    assert ten_pages.images.cache.nearest(stamp, 0, width) is not None


def test_what_comes_next_in_the_direction_of_reading_is_drawn_first(ten_pages):
    ten_pages.go_to(5)
    asked: list[list[int]] = []
    ten_pages.document.want = lambda keys: asked.append([k.page_index for k in keys])
    ten_pages.images.cache.clear()
    ten_pages.images.request(ten_pages.sight, 1)
    ten_pages.images.request(ten_pages.sight, -1)
    assert asked[0].index(5) < asked[0].index(3)
    assert asked[1].index(3) < asked[1].index(6) if 6 in asked[1] else 3 in asked[1]


@pytest.mark.parametrize("mode", [PageMode.CONTINUOUS, PageMode.PAIRS])
def test_pages_of_extreme_sizes_are_drawn_within_the_memory(qtbot, view, tmp_path, mode):
    sizes = [(14400.0, 14400.0), (3.0, 3.0), (3.0, 14400.0), A5]
    show_pages(qtbot, view, write_pages(tmp_path / "extreme.pdf", sizes))
    for factor in (16.0, 0.1):
        view.arrange(PageArrangement(mode, Zoom(ZoomMode.FACTOR, factor)))
        for page_no in range(1, 5):
            view.go_to(page_no)
            drawn(qtbot, view)
            images = view.images.cache._images.values()
            assert max(image.width() * image.height() for image in images) <= MAX_PAGE_PIXELS
            assert view.images.cache.n_bytes <= MAX_CACHE_BYTES


def test_labels_of_pages_are_shown_beside_their_numbers_and_accepted(
    open_window, qtbot, tmp_path, service
):
    # Nothing of it can be done without pages.
    for name in ("print", *open_window.pages.actions()):
        assert not open_window.action(name).isEnabled(), name

    # Labels of pages are shown beside their numbers and accepted.
    path = write_pages(tmp_path / "labelled.pdf", [A5] * 6, [(0, "", "r"), (3, "A-", "D")])
    panel = open_window.pdf_panel
    show_document(qtbot, panel, path)
    edit, toolbar = panel.toolbar.page, panel.toolbar
    assert (edit.text(), toolbar.page_label.text(), toolbar.page_count.text()) == (
        "1",
        "(i)",
        "/ 6",
    )
    for typed, page, label in (("III", 3, "(iii)"), ("a-2", 5, "(A-2)"), ("6", 6, "(A-3)")):
        edit.setFocus()
        edit.selectAll()
        qtbot.keyClicks(edit, typed)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        assert panel.view.current_page == page
        assert (edit.text(), toolbar.page_label.text()) == (str(page), label)
    show_document(qtbot, panel, write_pages(tmp_path / "plain.pdf", [A5] * 6))
    assert not toolbar.page_label.isVisible()

    # The number that the library found printed is shown beside the place.
    path = write_pages(tmp_path / "report.pdf", [A5] * 6)
    status = make_status(path.name, path=str(path), n_pages=6, page_starts=((3, "1"),))
    status = replace(status, document_id=document_id_of(path))
    service.open(open_window.session, make_library((status,)))
    show_document(qtbot, panel, path)
    panel.jump_to(5)
    qtbot.waitUntil(lambda: panel.toolbar.page_label.text() == "(3)")


def test_pages_are_turned_sized_and_arranged_by_key_toolbar_and_menu(qtbot, open_window, tmp_path):
    # Pages are turned and gone to by key.
    view = open_window.pdf_panel.view
    show_document(qtbot, open_window.pdf_panel, write_pages(tmp_path / "ten.pdf", [A5] * 10))
    assert not open_window.action("previous_page").isEnabled()
    alt, control = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
    for key, page in (
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_End, 10),
        (Qt.Key.Key_PageUp, 9),
        (Qt.Key.Key_Home, 1),
    ):
        qtbot.keyClick(view, key, alt)
        assert view.current_page == page
    qtbot.keyClick(view, Qt.Key.Key_G, control)
    assert open_window.pdf_panel.toolbar.page.selectedText() == "1"
    qtbot.keyClick(view, Qt.Key.Key_R, control)
    assert view.arrangement.rotation == 90
    qtbot.keyClick(view, Qt.Key.Key_R, control | alt)
    assert view.arrangement.rotation == 0

    # The size is stepped fitted and chosen in the toolbar.
    toolbar = open_window.pdf_panel.toolbar
    before = view.factor
    assert toolbar.fit_width.isChecked()
    toolbar.larger.click()
    assert view.factor > before
    assert not toolbar.fit_width.isChecked()
    toolbar.smaller.click()
    toolbar.fit_page.click()
    assert view.zoom.mode is ZoomMode.FIT_PAGE
    assert toolbar.fit_page.isChecked()
    for _ in range(2):  # once more leaves it on
        toolbar.fit_width.click()
        assert toolbar.fit_width.isChecked()
    assert view.factor == pytest.approx(before)
    assert toolbar.percent.text() == f"{before * 100:.0f} %"
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        qtbot.keyClick(toolbar.next, key, control)
        assert view.factor > before
        qtbot.keyClick(view, Qt.Key.Key_0, control)
        assert view.factor == pytest.approx(before)
    for is_shown in (True, False):
        qtbot.keyClick(view, Qt.Key.Key_F7)
        assert view.selector.is_caret_shown is is_shown

    # Modes and sizes are chosen and shown.
    open_window.action("fit_width").trigger()
    assert open_window.action("page_continuous").isChecked()
    for name, mode in (
        ("page_single", PageMode.SINGLE),
        ("page_pairs", PageMode.PAIRS),
        ("page_book", PageMode.COVER_AND_PAIRS),
    ):
        open_window.action(name).trigger()
        assert view.arrangement.mode is mode
        assert open_window.action(name).isChecked()
        assert not open_window.action("page_continuous").isChecked()
        view.set_mode(PageMode.CONTINUOUS)
        assert open_window.action("page_continuous").isChecked()
    texts = [a.text().replace("&", "") for a in toolbar.size_menu.actions()]
    assert {"Continuous", "Two Pages", "Rotate Right", "Fit Width", "100 %"} <= set(texts)
    assert open_window.action("fit_width").isChecked()
    open_window.action("actual_size").trigger()
    assert view.zoom == Zoom(ZoomMode.FACTOR, 1.0)
    assert open_window.action("actual_size").isChecked()
    open_window.action("actual_size").trigger()
    assert open_window.action("actual_size").isChecked()
    open_window.action("zoom_in").trigger()
    assert view.factor == pytest.approx(1.1)
    assert not open_window.action("actual_size").isChecked()
    open_window.action("zoom_out").trigger()
    open_window.action("fit_page").trigger()
    assert view.zoom.mode is ZoomMode.FIT_PAGE
    assert toolbar.fit_page.isChecked()
