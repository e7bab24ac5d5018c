from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QApplication

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.viewer.page_images import MAX_PAGE_PIXELS, TILE_SIZE
from desktop_qa.gui.viewer.page_layout import GAP, PageArrangement, Zoom, ZoomMode
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.widgets.theme import DARK, look
from tests.gui.pdf_files import (
    BLUE,
    anchor_under,
    pixels_of,
    show_pages,
    wheel,
    write_rectangle,
    write_slow_page,
)


def place(page_no: int, left: float, top: float, right: float, bottom: float) -> Provenance:
    return Provenance(page_no, BoundingBox(left, top, right, bottom))


# What is marked


@pytest.mark.parametrize("is_cropped", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_highlight_covers_exactly_the_cited_rectangle(
    qtbot, view, tmp_path, rotation, is_cropped
):
    path = tmp_path / "rectangle.pdf"
    cited = write_rectangle(path, rotation, is_cropped=is_cropped)
    view.resize(400, 500)
    show_pages(qtbot, view, path)
    drawn = pixels_of(view.viewport().grab().toImage(), QColor(*BLUE))
    view.set_highlights([Highlight(1, (cited,))])
    view.set_active(1)
    image = view.viewport().grab().toImage()
    tinted = image.pixelColor(drawn.center())
    assert tinted != QColor(*BLUE)
    covered = pixels_of(image, tinted)
    for side in ("left", "top", "right", "bottom"):
        assert abs(getattr(covered, side)() - getattr(drawn, side)()) <= 1, side


def test_black_print_stays_black_under_the_amber(ten_pages):
    def darkest() -> int:
        image = ten_pages.viewport().grab().toImage()
        rect = ten_pages.page_layout.to_canvas(0, BoundingBox(72, 85, 170, 105)).toRect()
        return min(
            image.pixelColor(x, y).lightness()
            for x in range(rect.left(), rect.right())
            for y in range(rect.top(), rect.bottom())
        )

    before = darkest()
    ten_pages.set_highlights([Highlight(1, (place(1, 70, 80, 180, 110),))])
    ten_pages.set_active(1)
    assert darkest() <= before


def test_the_active_citation_is_marked_more_strongly(ten_pages):
    ten_pages.set_highlights(
        [
            Highlight(1, (place(1, 50, 150, 100, 170),)),
            Highlight(2, (place(1, 200, 150, 250, 170),)),
        ]
    )
    ten_pages.set_active(2)
    image = ten_pages.viewport().grab().toImage()

    def blue_at(box: BoundingBox) -> int:
        center = ten_pages.page_layout.to_canvas(0, box).center().toPoint()
        return image.pixelColor(center).blue()

    first, second = (
        blue_at(BoundingBox(50, 150, 100, 170)),
        blue_at(BoundingBox(200, 150, 250, 170)),
    )
    assert 255 > first > second


def test_the_number_stands_left_of_the_page_at_the_height_of_the_rectangle(ten_pages):
    cited = place(1, 100, 200, 200, 214)
    ten_pages.set_highlights([Highlight(3, (cited,))])
    (badge,) = ten_pages.badges()
    rect = ten_pages.page_layout.to_canvas(0, cited.bbox)
    page = ten_pages.page_layout.page_rect(0)
    assert badge.marker == 3
    assert badge.rect.left() < page.left()
    assert badge.rect.left() >= 0
    assert badge.rect.center().y() == pytest.approx(rect.center().y(), abs=2)


def test_numbers_at_the_same_height_do_not_cover_each_other(ten_pages):
    ten_pages.set_highlights(
        [Highlight(marker, (place(1, 100, 200, 200, 214),)) for marker in (1, 2, 3)]
    )
    rects = [badge.rect for badge in ten_pages.badges()]
    assert len(rects) == 3
    assert not any(a.intersects(b) for a in rects for b in rects if a is not b)


def test_ticks_in_the_scroll_bar_show_where_the_evidence_is(ten_pages):
    ten_pages.set_highlights(
        [
            Highlight(1, (place(1, 50, 0, 100, 10),)),
            Highlight(2, (place(10, 50, 580, 100, 590), place(99, 0, 0, 1, 1))),
        ]
    )
    ten_pages.set_active(2)
    ticks = ten_pages._ticks.ticks
    assert [is_active for _, is_active in ticks] == [False, True]
    assert ticks[0][0] < 0.02
    assert ticks[1][0] > 0.97


def test_clicking_a_mark_tells_its_citation(qtbot, ten_pages):
    cited = place(1, 100, 200, 200, 214)
    ten_pages.set_highlights([Highlight(4, (cited,))])
    inside = ten_pages.page_layout.to_canvas(0, cited.bbox).center().toPoint()
    badge = ten_pages.badges()[0].rect.center().toPoint()
    for point in (inside, badge):
        with qtbot.waitSignal(ten_pages.highlight_clicked) as blocker:
            qtbot.mouseClick(ten_pages.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert blocker.args == [4]
    with qtbot.assertNotEmitted(ten_pages.highlight_clicked):
        qtbot.mouseClick(
            ten_pages.viewport(), Qt.MouseButton.LeftButton, pos=inside + QPoint(0, 80)
        )


# Where it is read


def test_cited_places_come_a_third_below_the_top(ten_pages):
    cited = place(5, 100, 300, 200, 314)
    ten_pages.go_to([cited])
    rect = ten_pages.page_layout.to_canvas(4, cited.bbox)
    top = rect.top() - ten_pages.verticalScrollBar().value()
    assert top == pytest.approx(ten_pages.viewport().height() / 3, rel=0.05)
    assert ten_pages.current_page == 5


def test_places_taller_than_the_window_begin_at_its_top(ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 3.0))
    cited = place(2, 300, 50, 400, 590)
    ten_pages.go_to([cited])
    seen = ten_pages.visible_canvas
    rect = ten_pages.page_layout.to_canvas(1, cited.bbox)
    assert 0 < rect.top() - seen.top() < 3 * GAP
    assert seen.left() <= rect.left()
    assert rect.right() <= seen.right()


def test_a_page_is_gone_to_by_number_and_wrong_numbers_end_at_the_ends(qtbot, ten_pages):
    with qtbot.waitSignal(ten_pages.current_page_changed) as blocker:
        ten_pages.go_to(6)
    assert blocker.args == [6]
    assert ten_pages.verticalScrollBar().value() == ten_pages.page_layout.page_rect(5).top() - GAP
    ten_pages.go_to(99)
    assert ten_pages.current_page == 10
    ten_pages.go_to(0)
    assert ten_pages.current_page == 1


def test_the_last_page_asked_for_is_current_though_it_cannot_reach_the_top(ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 0.25))
    ten_pages.go_to(9)
    assert ten_pages.current_page == 9
    ten_pages.go_to(10)
    assert ten_pages.current_page == 10


def test_a_place_on_a_page_that_is_not_there_moves_nothing(ten_pages):
    ten_pages.go_to(3)
    before = ten_pages.verticalScrollBar().value()
    ten_pages.go_to([place(44, 0, 0, 10, 10)])
    assert ten_pages.verticalScrollBar().value() == before


def test_a_jump_glides_and_arrives(qtbot, ten_pages):
    ten_pages.is_animated = True
    bar = ten_pages.verticalScrollBar()
    goal = ten_pages.page_layout.page_rect(7).top() - GAP
    ten_pages.go_to(8)
    assert bar.value() != goal
    assert ten_pages.current_page == 8
    qtbot.waitUntil(lambda: bar.value() == goal)
    assert ten_pages.current_page == 8


def test_a_resized_pane_keeps_the_place_being_read(ten_pages):
    cited = place(5, 100, 300, 200, 314)
    ten_pages.go_to([cited])
    start = ten_pages.verticalScrollBar().value()
    for width in (700, 333, 456, 611, 500):
        ten_pages.resize(width, 600)
        rect = ten_pages.page_layout.to_canvas(4, cited.bbox)
        top = rect.top() - ten_pages.verticalScrollBar().value()
        assert top == pytest.approx(ten_pages.viewport().height() / 3, rel=0.06)
    assert ten_pages.verticalScrollBar().value() == start


def test_the_top_of_a_page_stays_at_the_top_when_the_pane_is_resized(ten_pages):
    ten_pages.go_to(4)
    ten_pages.resize(700, 900)
    page = ten_pages.page_layout.page_rect(3)
    assert page.top() - ten_pages.verticalScrollBar().value() == pytest.approx(GAP, abs=1)


def test_keys_scroll_forward_and_back(qtbot, ten_pages):
    bar, keys = ten_pages.verticalScrollBar(), Qt.Key
    none, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    for key, page in (
        (keys.Key_PageDown, 2),
        (keys.Key_Space, 2),
        (keys.Key_Down, 1),
        (keys.Key_End, 10),
    ):
        qtbot.keyClick(ten_pages, keys.Key_Home)
        assert (bar.value(), ten_pages.current_page) == (0, 1)
        qtbot.keyClick(ten_pages, key)
        assert bar.value() > 0
        assert ten_pages.current_page == page
    for key, modifier in ((keys.Key_PageUp, none), (keys.Key_Space, shift), (keys.Key_Up, none)):
        before = bar.value()
        qtbot.keyClick(ten_pages, key, modifier)
        assert bar.value() < before


def test_home_and_end_go_to_the_ends_with_and_without_ctrl_and_can_be_come_back_from(
    qtbot, ten_pages
):
    bar = ten_pages.verticalScrollBar()
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
        with qtbot.waitSignal(ten_pages.jumping):
            qtbot.keyClick(ten_pages, Qt.Key.Key_End, modifier)
        assert bar.value() == bar.maximum()
        with qtbot.waitSignal(ten_pages.jumping):
            qtbot.keyClick(ten_pages, Qt.Key.Key_Home, modifier)
        assert bar.value() == 0
    with qtbot.assertNotEmitted(ten_pages.jumping):
        qtbot.keyClick(ten_pages, Qt.Key.Key_Home)


def test_where_whole_pages_fit_page_keys_go_from_page_to_page(qtbot, ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FIT_PAGE))
    shift = Qt.KeyboardModifier.ShiftModifier
    none = Qt.KeyboardModifier.NoModifier
    for key, modifier, page in (
        (Qt.Key.Key_PageDown, none, 2),
        (Qt.Key.Key_Space, none, 3),
        (Qt.Key.Key_PageDown, none, 4),
        (Qt.Key.Key_PageUp, none, 3),
        (Qt.Key.Key_Space, shift, 2),
    ):
        qtbot.keyClick(ten_pages, key, modifier)
        top = ten_pages.page_layout.page_rect(page - 1).top() - GAP
        assert ten_pages.verticalScrollBar().value() == top, key
        assert ten_pages.current_page == page
    # From the middle of a page its own top is the one before.
    qtbot.keyClick(ten_pages, Qt.Key.Key_Down)
    qtbot.keyClick(ten_pages, Qt.Key.Key_PageUp)
    top = ten_pages.page_layout.page_rect(1).top() - GAP
    assert ten_pages.verticalScrollBar().value() == top


def test_left_and_right_turn_pages_unless_there_is_something_to_scroll(qtbot, ten_pages):
    qtbot.keyClick(ten_pages, Qt.Key.Key_Right)
    assert ten_pages.current_page == 2
    qtbot.keyClick(ten_pages, Qt.Key.Key_Left)
    assert ten_pages.current_page == 1
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 3.0))
    before = ten_pages.horizontalScrollBar().value()
    qtbot.keyClick(ten_pages, Qt.Key.Key_Right)
    assert ten_pages.horizontalScrollBar().value() > before
    assert ten_pages.current_page == 1


# How large it is


def test_sizes_step_and_fit(qtbot, ten_pages):
    fitted = ten_pages.factor
    with qtbot.waitSignal(ten_pages.arrangement_changed):
        ten_pages.zoom_in()
    assert ten_pages.factor > fitted
    assert ten_pages.zoom.mode is ZoomMode.FACTOR
    ten_pages.zoom_out()
    ten_pages.zoom_out()
    assert ten_pages.factor < fitted
    ten_pages.set_zoom(Zoom())
    assert ten_pages.factor == pytest.approx(fitted)
    assert ten_pages.zoom.mode is ZoomMode.FIT_WIDTH


def test_ctrl_and_wheel_zoom_about_the_pointer(ten_pages):
    pointer, control = QPoint(150, 300), Qt.KeyboardModifier.ControlModifier
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 2.0))
    ten_pages.go_to(3)
    before = anchor_under(ten_pages, QPointF(pointer))
    wheel(ten_pages, 360, control, at=pointer)
    assert ten_pages.factor == pytest.approx(2.0 * 1.2**3)
    assert anchor_under(ten_pages, QPointF(pointer)) == pytest.approx(before, abs=0.002)
    wheel(ten_pages, -120, control, at=pointer)
    assert anchor_under(ten_pages, QPointF(pointer)) == pytest.approx(before, abs=0.002)


def test_the_wheel_alone_scrolls(ten_pages):
    factor = ten_pages.factor
    wheel(ten_pages, -120)
    assert ten_pages.verticalScrollBar().value() > 0
    assert ten_pages.factor == factor


def test_shift_and_wheel_go_across(ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 3.0))
    across, down = ten_pages.horizontalScrollBar(), ten_pages.verticalScrollBar()
    x, y = across.value(), down.value()
    wheel(ten_pages, -120, Qt.KeyboardModifier.ShiftModifier)
    assert across.value() > x
    assert down.value() == y
    wheel(ten_pages, 120, Qt.KeyboardModifier.ShiftModifier)
    assert across.value() == x


def test_the_middle_button_takes_hold_of_the_paper(qtbot, ten_pages):
    ten_pages.set_zoom(Zoom(ZoomMode.FACTOR, 3.0))
    ten_pages.go_to(4)
    across, down, room = (
        ten_pages.horizontalScrollBar(),
        ten_pages.verticalScrollBar(),
        ten_pages.viewport(),
    )
    x, y = across.value(), down.value()
    middle = Qt.MouseButton.MiddleButton
    qtbot.mousePress(room, middle, pos=QPoint(300, 300))
    assert room.cursor().shape() is Qt.CursorShape.ClosedHandCursor
    for point in (QPointF(280, 250), QPointF(270, 240)):
        kind, none = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
        move = QMouseEvent(kind, point, room.mapToGlobal(point), middle, middle, none)
        QApplication.sendEvent(room, move)
    assert (across.value(), down.value()) == (x + 30, y + 60)
    qtbot.mouseRelease(room, middle, pos=QPoint(270, 240))
    assert room.cursor().shape() is not Qt.CursorShape.ClosedHandCursor
    assert not ten_pages.selector.has_selection


# How it is drawn


def test_a_page_not_yet_drawn_shows_white_paper(qtbot, view, tmp_path):
    with qtbot.waitSignal(view.document.opened):
        view.open(write_slow_page(tmp_path / "slow.pdf"))
    image = view.viewport().grab().toImage()
    page = view.page_layout.page_rect(0)
    assert not view.is_drawn
    assert image.pixelColor(page.center()) == QColor(255, 255, 255)
    assert image.pixelColor(3, 3) == QColor(look.theme.canvas)


def test_the_old_image_stays_until_the_new_one_is_there(qtbot, view, tmp_path):
    path = tmp_path / "rectangle.pdf"
    cited = write_rectangle(path, 0, is_cropped=False)
    show_pages(qtbot, view, path)
    view.set_zoom(Zoom(ZoomMode.FACTOR, 1.1))
    assert not view.is_drawn
    center = view.page_layout.to_canvas(0, cited.bbox).center().toPoint()
    image = view.viewport().grab().toImage()
    assert image.pixelColor(center - view.visible_canvas.topLeft()) == QColor(*BLUE)
    qtbot.waitUntil(lambda: view.is_drawn)


@pytest.mark.parametrize("rotation", [0, 90])
def test_a_large_page_is_drawn_in_tiles_where_it_is_seen(qtbot, view, tmp_path, rotation):
    path = tmp_path / "rectangle.pdf"
    cited = write_rectangle(path, 0, is_cropped=True)
    show_pages(qtbot, view, path)
    view.arrange(PageArrangement(zoom=Zoom(ZoomMode.FACTOR, 8.0), rotation=rotation))
    # That corner of it which is at the top left in the window.
    box = cited.bbox
    corner = box.left, box.bottom if rotation else box.top
    view.go_to([place(1, corner[0] - 3, corner[1] - 3, corner[0] + 3, corner[1] + 3)])
    qtbot.waitUntil(lambda: view.is_drawn)
    sizes = [(image.width(), image.height()) for image in view.images.cache._images.values()]
    assert all(width * height <= MAX_PAGE_PIXELS for width, height in sizes)
    assert (TILE_SIZE, TILE_SIZE) in sizes
    drawn = pixels_of(view.viewport().grab().toImage(), QColor(*BLUE))
    expected = view.page_layout.to_canvas(0, box).topLeft() - view.visible_canvas.topLeft()
    ratio = view.devicePixelRatioF()
    ends = drawn.left() / ratio, drawn.top() / ratio
    assert ends == pytest.approx((expected.x(), expected.y()), abs=1)


def test_another_screen_has_the_pages_drawn_anew(qtbot, ten_pages, monkeypatch):
    monkeypatch.setattr(ten_pages, "devicePixelRatioF", lambda: 2.0)
    QApplication.sendEvent(ten_pages, QEvent(QEvent.Type.DevicePixelRatioChange))
    qtbot.waitUntil(lambda: ten_pages.is_drawn)
    widths = {image.width() for image in ten_pages.images.cache._images.values()}
    assert ten_pages.page_layout.page_rect(0).width() * 2 in widths


def test_a_view_without_a_document_paints_its_canvas(view, monkeypatch):
    monkeypatch.setattr(look, "theme", DARK)
    assert view.viewport().grab().toImage().pixelColor(50, 50) == QColor(DARK.canvas)


def test_a_view_closed_while_a_page_is_drawn_ends_quietly(qtbot, tmp_path):
    view = PdfView()
    view.show()
    with qtbot.waitSignal(view.document.opened):
        view.open(write_slow_page(tmp_path / "slow.pdf"))
    qtbot.waitUntil(lambda: view.document.is_drawing)
    with qtbot.waitSignal(view.destroyed):
        view.deleteLater()
