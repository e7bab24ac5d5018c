"""Text on the pages by real clicks and keys; the texts come from the files themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.errors import DesktopQaError, LibraryError, UnreadableDocumentError
from desktop_qa.core.page_text import TextQuery
from desktop_qa.gui.viewer import pdf_selection
from desktop_qa.gui.viewer.page_text_cache import PageTexts
from desktop_qa.gui.viewer.page_text_selection import caret_box
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.gui.patient_bot import on_screen
from tests.gui.text_requests import TextRequester
from tests.helpers.pdf import finished
from tests.helpers.text_pages import (
    LEFT,
    RIGHT,
    write_columns,
    write_linked,
    write_scan,
    write_turned,
)

_LEFT_BUTTON = Qt.MouseButton.LeftButton
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def requests() -> TextRequester:
    return TextRequester()


@pytest.fixture
def view(qtbot, requests) -> PdfView:
    view = on_screen(qtbot, PdfView(), 700, 700)
    view.is_animated = False
    view.texts.request = requests
    return view


def show(qtbot: QtBot, view: PdfView, path: Path) -> PdfView:
    with qtbot.waitSignal(view.document.opened):
        view.open(path)
    qtbot.waitUntil(lambda: view.texts.get(0) is not None)
    return view


@pytest.fixture
def columns(qtbot, view, tmp_path) -> PdfView:
    return show(qtbot, view, write_columns(tmp_path / "columns.pdf"))


def point_of(view: PdfView, words: str, *, after: bool = False) -> QPoint:
    """Return the point of the viewport just inside the start, or the end, of words."""
    page = view.texts.get(0)
    start = page.text.index(words)
    at = start + len(words) - 1 if after else start
    first, last = caret_box(page, at), caret_box(page, at + 1)
    share = 0.8 if after else 0.2
    x = (1 - share) * (first.left + first.right) / 2 + share * (last.left + last.right) / 2
    y = (1 - share) * (first.top + first.bottom) / 2 + share * (last.top + last.bottom) / 2
    point = view.page_layout.to_canvas(0, BoundingBox(x, y, x, y)).topLeft()
    return (point - QPointF(view.visible_canvas.topLeft())).toPoint()


def drag(qtbot: QtBot, view: PdfView, start: QPoint, end: QPoint, **options: object) -> None:
    port, modifier = view.viewport(), options.get("modifier", Qt.KeyboardModifier.NoModifier)
    qtbot.mousePress(port, _LEFT_BUTTON, modifier, pos=start)
    qtbot.mouseMove(port, (start + end) / 2)
    qtbot.mouseMove(port, end)
    qtbot.mouseRelease(port, _LEFT_BUTTON, modifier, pos=end)


def colours_of(image: QImage) -> Sequence[int]:
    """Return the colour of each pixel at once: asked for one by one they take seconds."""
    image.convertTo(QImage.Format.Format_RGB32)
    assert image.bytesPerLine() == 4 * image.width()
    return memoryview(image.constBits()).cast("I").tolist()


# By mouse


def test_a_drag_selects_and_ctrl_c_copies(qtbot, columns):
    start, end = point_of(columns, "holds"), point_of(columns, "its last", after=True)
    drag(qtbot, columns, start, end)
    assert columns.selector.text == "holds its last"
    qtbot.keyClick(columns, Qt.Key.Key_C, _CONTROL)
    assert QGuiApplication.clipboard().text() == "holds its last"
    qtbot.mouseClick(columns.viewport(), _LEFT_BUTTON, pos=QPoint(200, 600))
    assert columns.selector.text == ""


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_selection_covers_the_words_on_the_screen(qtbot, view, tmp_path, rotation):
    show(qtbot, view, write_turned(tmp_path / "turned.pdf", rotation))
    qtbot.waitUntil(lambda: view.is_drawn)
    before = view.viewport().grab().toImage()
    end = point_of(view, "words", after=True)
    drag(qtbot, view, point_of(view, "words"), end)
    assert view.selector.text == "words"
    after = view.viewport().grab().toImage()
    colours = list(zip(colours_of(before), colours_of(after), strict=True))
    dark = {colour for colour, _ in set(colours) if QColor(colour).lightness() < 90}
    is_covered = [old != new for old, new in colours if old in dark]
    share = sum(is_covered) / len(is_covered)
    # "words" is a little less than half of "Turned words".
    assert 0.3 < share < 0.6


def click(view: PdfView, at: QPoint, milliseconds: int, *, is_double: bool = False) -> None:
    """Press and release as the mouse does it: Qt calls each second press a double click."""
    port, position = view.viewport(), QPointF(at)
    pressed = QEvent.Type.MouseButtonDblClick if is_double else QEvent.Type.MouseButtonPress
    for kind, buttons in (
        (pressed, _LEFT_BUTTON),
        (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton),
    ):
        none = Qt.KeyboardModifier.NoModifier
        screen = port.mapToGlobal(position)
        event = QMouseEvent(kind, position, screen, _LEFT_BUTTON, buttons, none)
        event.setTimestamp(milliseconds)
        QApplication.sendEvent(port, event)


def test_clicks_take_words_lines_and_paragraphs(columns):
    at = point_of(columns, "reference") + QPoint(6, 0)
    click(columns, at, 1_000)
    assert columns.selector.text == ""
    click(columns, at, 1_100, is_double=True)
    assert columns.selector.text == "reference"
    click(columns, at, 1_200)
    assert columns.selector.text == RIGHT[0]
    click(columns, at, 1_300, is_double=True)
    assert columns.selector.text == " ".join(RIGHT)
    click(columns, at, 9_000)
    assert columns.selector.text == ""


def test_shift_and_click_extend(qtbot, columns):
    port = columns.viewport()
    qtbot.mouseClick(port, _LEFT_BUTTON, pos=point_of(columns, "The converter"))
    qtbot.mouseClick(port, _LEFT_BUTTON, _SHIFT, pos=point_of(columns, "until", after=True))
    assert columns.selector.text == LEFT[0]


def test_alt_and_drag_select_a_rectangle(qtbot, columns):
    start = point_of(columns, "reference input") - QPoint(2, 6)
    end = point_of(columns, "microamperes", after=True) + QPoint(2, 6)
    drag(qtbot, columns, start, end, modifier=Qt.KeyboardModifier.AltModifier)
    lines = columns.selector.text.split("\n")
    assert len(lines) == 3
    assert lines[0].startswith("reference")


def test_a_drag_beyond_the_edge_scrolls_on(qtbot, columns):
    columns.resize(700, 260)
    port, bar = columns.viewport(), columns.verticalScrollBar()
    qtbot.mousePress(port, _LEFT_BUTTON, pos=point_of(columns, "A title"))
    beyond = QPoint(300, port.height() + 60)
    qtbot.mouseMove(port, QPoint(300, 200))
    qtbot.mouseMove(port, beyond)
    qtbot.waitUntil(lambda: "The second page." in columns.selector.text)
    qtbot.mouseRelease(port, _LEFT_BUTTON, pos=beyond)
    height = bar.value()
    qtbot.wait(100)
    assert bar.value() == height


def test_a_press_before_the_text_is_there_counts_when_it_comes(qtbot, view, requests, tmp_path):
    requests.is_held = True
    with qtbot.waitSignal(view.document.opened):
        view.open(write_columns(tmp_path / "columns.pdf"))
    rect = view.page_layout.to_canvas(0, BoundingBox(56, 120, 290, 192))
    drag(qtbot, view, rect.topLeft().toPoint(), rect.bottomRight().toPoint())
    assert view.selector.text == ""
    requests.release()
    assert view.selector.text.startswith("The converter holds")
    assert len([method for method, _ in requests.asked if method == "page_text"]) == 1


# By key


def test_the_caret_selects_by_keys_alone(qtbot, columns):
    with qtbot.waitSignal(columns.caret_toggled) as toggled:
        columns.toggle_caret()
    assert toggled.args == [True]
    before = columns.verticalScrollBar().value()
    qtbot.keyClick(columns, Qt.Key.Key_Down)
    assert columns.verticalScrollBar().value() == before
    qtbot.keyClick(columns, Qt.Key.Key_End, _SHIFT)
    assert columns.selector.text == LEFT[0]
    qtbot.keyClick(columns, Qt.Key.Key_Right, _CONTROL | _SHIFT)
    qtbot.keyClick(columns, Qt.Key.Key_Down)
    assert columns.selector.text == ""
    qtbot.keyClick(columns, Qt.Key.Key_End, _CONTROL)
    qtbot.waitUntil(lambda: columns.selector.model.caret.page_index == 1)
    qtbot.keyClick(columns, Qt.Key.Key_Home, _SHIFT)
    assert columns.selector.text == "The second page."
    qtbot.keyClick(columns, Qt.Key.Key_Escape)
    assert columns.selector.text == ""
    qtbot.keyClick(columns, Qt.Key.Key_Escape)
    assert not columns.selector.is_caret_shown
    qtbot.keyClick(columns, Qt.Key.Key_Home)
    assert columns.verticalScrollBar().value() == 0


def test_shift_and_arrows_extend_without_a_caret_and_arrows_scroll(qtbot, columns):
    qtbot.mouseDClick(columns.viewport(), _LEFT_BUTTON, pos=point_of(columns, "converter"))
    qtbot.mouseRelease(columns.viewport(), _LEFT_BUTTON, pos=point_of(columns, "converter"))
    qtbot.keyClick(columns, Qt.Key.Key_Right, _CONTROL | _SHIFT)
    qtbot.keyClick(columns, Qt.Key.Key_Right, _CONTROL | _SHIFT)
    assert columns.selector.text == "converter holds "
    before = columns.verticalScrollBar().value()
    qtbot.keyClick(columns, Qt.Key.Key_Down)
    assert columns.verticalScrollBar().value() > before
    assert columns.selector.text == "converter holds "


def test_all_is_copied_with_what_is_not_read_yet(qtbot, columns):
    qtbot.keyClick(columns, Qt.Key.Key_A, _CONTROL)
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(columns, Qt.Key.Key_C, _CONTROL)
    qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().text()))
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("A title")
    assert copied.endswith("The second page.")
    assert "measurement that was made" in copied


def test_what_is_copied_has_a_bound_that_is_said(qtbot, columns, monkeypatch):
    monkeypatch.setattr(pdf_selection, "MAX_COPIED", 100)
    monkeypatch.setattr(pdf_selection, "_MAX_LOCAL_PAGES", 1)
    qtbot.keyClick(columns, Qt.Key.Key_A, _CONTROL)
    with qtbot.waitSignal(columns.selector.said) as said:
        qtbot.keyClick(columns, Qt.Key.Key_C, _CONTROL)
    assert said.args[0].startswith("The first 100 characters were copied")
    assert len(QGuiApplication.clipboard().text()) == 100


def test_a_scanned_page_says_that_there_is_nothing_to_select(qtbot, view, tmp_path):
    show(qtbot, view, write_scan(tmp_path / "scan.pdf"))
    center = view.viewport().rect().center()
    with qtbot.waitSignal(view.selector.said) as said:
        qtbot.mouseDClick(view.viewport(), _LEFT_BUTTON, pos=center)
    assert said.args == ["This page is a scanned picture: there is no text to select."]
    qtbot.mouseRelease(view.viewport(), _LEFT_BUTTON, pos=center)
    qtbot.mouseMove(view.viewport(), center + QPoint(3, 3))
    assert view.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor


def test_another_document_takes_the_selection_away(qtbot, columns, tmp_path):
    qtbot.keyClick(columns, Qt.Key.Key_A, _CONTROL)
    show(qtbot, columns, write_linked(tmp_path / "linked.pdf"))
    assert not columns.selector.has_selection


# Links


@pytest.fixture
def linked(qtbot, view, tmp_path) -> PdfView:
    return show(qtbot, view, write_linked(tmp_path / "linked.pdf"))


def test_a_link_has_a_hand_a_tool_tip_and_a_click(qtbot, linked):
    port = linked.viewport()
    for index, tip in enumerate(("Page v", "https://example.com/part?x=1")):
        at = point_of(linked, f"link {index}") + QPoint(4, 0)
        qtbot.mouseMove(port, at)
        assert port.cursor().shape() is Qt.CursorShape.PointingHandCursor
        event = QHelpEvent(QEvent.Type.ToolTip, at, port.mapToGlobal(at))
        QApplication.sendEvent(port, event)
        assert QToolTip.text() == tip
        with qtbot.waitSignal(linked.link_followed) as followed:
            qtbot.mouseClick(port, _LEFT_BUTTON, pos=at)
        assert followed.args[0].bbox.top == pytest.approx(100 + 40 * index, abs=1)
    QToolTip.hideText()
    qtbot.mouseMove(port, point_of(linked, "Page number"))
    assert port.cursor().shape() is Qt.CursorShape.IBeamCursor


def test_a_drag_over_a_link_selects_it(qtbot, linked):
    with qtbot.assertNotEmitted(linked.link_followed):
        drag(qtbot, linked, point_of(linked, "link 0"), point_of(linked, "link 0", after=True))
    assert linked.selector.text == "link 0"


def test_tab_goes_through_the_links_while_the_caret_is_shown(qtbot, linked):
    assert not linked.keys.next_link(is_next=True)
    linked.toggle_caret()
    addresses = []
    for _ in range(4):
        qtbot.keyClick(linked, Qt.Key.Key_Tab)
        with qtbot.waitSignal(linked.link_followed) as followed:
            qtbot.keyClick(linked, Qt.Key.Key_Return)
        addresses.append(followed.args[0].address or followed.args[0].page_no)
    assert addresses[:3] == [3, "https://example.com/part?x=1", "javascript:alert(1)"]
    qtbot.keyClick(linked, Qt.Key.Key_Backtab, _SHIFT)
    with qtbot.waitSignal(linked.link_followed) as followed:
        qtbot.keyClick(linked, Qt.Key.Key_Return)
    assert followed.args[0].address == "javascript:alert(1)"


def test_enter_follows_the_link_that_the_caret_stands_on(qtbot, linked):
    linked.toggle_caret()
    with qtbot.assertNotEmitted(linked.link_followed):
        qtbot.keyClick(linked, Qt.Key.Key_Return)
    qtbot.keyClick(linked, Qt.Key.Key_Down)
    qtbot.keyClick(linked, Qt.Key.Key_Right)
    with qtbot.waitSignal(linked.link_followed) as followed:
        qtbot.keyClick(linked, Qt.Key.Key_Return)
    assert followed.args[0].page_no == 3


# Finding


def test_what_is_found_is_marked_counted_and_ticked(qtbot, columns):
    finder = columns.finder
    finder.set_query(TextQuery("the"), 1)
    qtbot.waitUntil(lambda: finder.current is not None and not finder.is_running)
    page = columns.texts.get(0)
    expected = page.text.lower().count("the") + 1
    assert finder.summary == f"1 of {expected}"
    assert len(columns._ticks.found_ticks) > 1
    assert sum(is_active for _, is_active in columns._ticks.found_ticks) == 1
    qtbot.waitUntil(lambda: columns.is_drawn)
    hit = finder.hits[1]
    rect = columns.page_layout.to_canvas(0, hit.boxes[0]).toRect()
    rect.translate(-columns.visible_canvas.topLeft())
    corner = columns.viewport().grab().toImage().pixelColor(rect.topLeft() + QPoint(1, 1))
    assert corner.blue() > corner.green() + 20
    assert corner != QColor("white")


def test_next_and_previous_wrap_and_say_so(qtbot, columns):
    finder = columns.finder
    finder.set_query(TextQuery("page"), 1)
    qtbot.waitUntil(lambda: finder.summary == "1 of 1")
    qtbot.waitUntil(lambda: columns.current_page == 2)
    finder.set_query(TextQuery("of the", match_case=True), 2)
    qtbot.waitUntil(lambda: not finder.is_running and finder.current is not None)
    assert finder.current.page_no == 1
    first = finder.current
    total = len(finder.hits)
    said: list[str] = []
    finder.said.connect(said.append)
    finder.step(backwards=True)
    assert finder.summary == f"{total} of {total}"
    finder.step()
    assert finder.summary == f"1 of {total}"
    assert said == [
        "The search went on from the end of the document.",
        "The search went on from the start of the document.",
    ]
    assert finder.current == first


def test_a_search_taken_up_again_goes_on_behind_the_place_shown_last(qtbot, columns):
    finder = columns.finder
    finder.set_query(TextQuery("the"), 1)
    qtbot.waitUntil(lambda: finder.current is not None and not finder.is_running)
    finder.step()
    second = finder.current
    finder.clear(keeps_place=True)
    finder.step(page_no=1)
    qtbot.waitUntil(lambda: finder.current is not None and not finder.is_running)
    assert finder.current == finder.hits[2]
    assert finder.current != second
    # After the last one it begins anew.
    finder.step(backwards=True)
    finder.step(backwards=True)
    finder.step(backwards=True)
    last = finder.current
    assert last == finder.hits[-1]
    finder.clear(keeps_place=True)
    finder.step(page_no=last.page_no)
    qtbot.waitUntil(lambda: finder.current is not None and not finder.is_running)
    assert finder.current == finder.hits[0]


def test_words_that_are_nowhere_and_documents_without_text_say_so(qtbot, columns, tmp_path):
    columns.finder.set_query(TextQuery("zebra"), 1)
    qtbot.waitUntil(lambda: columns.finder.summary == "Not found")
    assert columns.finder.is_missing
    show(qtbot, columns, write_scan(tmp_path / "scan.pdf"))
    columns.finder.set_query(TextQuery("zebra"), 1)
    qtbot.waitUntil(lambda: columns.finder.summary == "This document holds no text to search")


def test_a_search_that_is_typed_over_is_dropped(qtbot, columns, requests):
    requests.is_held = True
    columns.finder.set_query(TextQuery("converter"), 1)
    qtbot.waitUntil(lambda: requests.asked[-1][0] == "find_text")
    columns.finder.set_query(TextQuery("voltage"), 1)
    requests.release()
    qtbot.waitUntil(lambda: columns.finder.summary == "1 of 1")
    page = columns.texts.get(0)
    hit = columns.finder.current
    assert page.text[hit.start : hit.end] == "voltage"


def test_a_long_document_is_searched_from_the_page_that_is_read(qtbot, view, tmp_path):
    document = pymupdf.open()
    for number in range(1, 61):
        document.new_page().insert_text((50, 80), f"word on page {number}")
    show(qtbot, view, finished(document, tmp_path / "long.pdf"))
    view.go_to(40)
    view.finder.set_query(TextQuery("word"), 40)
    qtbot.waitUntil(lambda: not view.finder.is_running and view.finder.current is not None)
    assert view.finder.summary == "40 of 60"
    assert [hit.page_no for hit in view.finder.hits] == list(range(1, 61))


# The cache


def test_a_file_that_cannot_be_read_is_said_once(qtbot, tmp_path):
    texts = PageTexts()
    errors: list[UnreadableDocumentError] = []
    texts.failed.connect(errors.append)
    texts.request = TextRequester()
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"nothing")
    texts.set_file(broken)
    for index in range(3):
        assert texts.get(index) is None
    qtbot.waitUntil(lambda: bool(errors))
    assert texts.get(0) is None
    qtbot.wait(20)
    assert len(errors) == 1


def test_a_service_that_came_back_is_asked_again(qtbot, tmp_path):
    texts = PageTexts()
    answers: list[Callable[[DesktopQaError], None]] = []

    def lost(*_arguments: object, on_result: object, on_failure: object) -> None:
        assert callable(on_failure)
        answers.append(on_failure)

    texts.request = lost
    texts.set_file(write_columns(tmp_path / "a.pdf"))
    texts.get(0)
    with qtbot.assertNotEmitted(texts.failed):
        answers[0](LibraryError("The library stopped working."))
    texts.get(0)
    assert len(answers) == 2


def test_a_search_that_fails_says_why(qtbot, columns, tmp_path):
    columns.texts.set_file(tmp_path / "gone.pdf")
    with qtbot.waitSignal(columns.finder.said) as said:
        columns.finder.set_query(TextQuery("word"), 1)
    assert "gone.pdf" in said.args[0]
    assert columns.finder.summary == "Cannot be searched"


def test_texts_of_a_file_that_was_left_are_dropped(qtbot, tmp_path):
    texts, requests = PageTexts(), TextRequester()
    texts.request = requests
    requests.is_held = True
    texts.set_file(write_columns(tmp_path / "a.pdf"))
    texts.get(0)
    texts.set_file(write_linked(tmp_path / "b.pdf"))
    with qtbot.assertNotEmitted(texts.arrived):
        requests.release()
    with qtbot.waitSignal(texts.arrived):
        texts.get(0)
    page = texts.peek(0)
    assert page.text.startswith("Page number 1")
