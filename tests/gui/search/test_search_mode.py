"""Search mode: the box, the list of places, the viewer; and the window around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.search_view import SearchHit, SearchPage, SearchRequest, SearchSort
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.answers.citation_link import CitationLink
from desktop_qa.gui.asking.ask_box import AskBox, BoxMode
from desktop_qa.gui.evidence.evidence_panel import EvidencePanel
from desktop_qa.gui.library.scope_model import ScopeEntry
from desktop_qa.gui.search.search_link import SearchLink
from desktop_qa.gui.search.search_panel import SearchPanel
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.service.messages import Result
from tests.gui.fake_service import FakeService, place
from tests.gui.patient_bot import click_row, entry

FILE = "TI_OPA4197.pdf"


def hit(rank: int, **changes: Any) -> SearchHit:
    fields: dict[str, Any] = {
        "rank": rank,
        "segment_id": SegmentId(f"{FILE}:{rank:05d}"),
        "document_id": DocumentId(FILE),
        "kind": SegmentKind.TABLE,
        "section_path": ("6 Specifications", "6.7 Electrical Characteristics"),
        "page_no": 7,
        "file": FILE,
        "path": f"/documents/{FILE}",
        "title": "OPA4197",
        "caption": "",
        "snippet": f"Place {rank}: the supply voltage is 5 V",
        "spans": ((len(f"Place {rank}: the "), len(f"Place {rank}: the supply voltage")),),
        "path_spans": (),
        "score": 7.25,
    }
    return SearchHit(**(fields | changes))


def page(
    request: SearchRequest, n: int = 3, n_found: int | None = None, **changes: Any
) -> SearchPage:
    hits = tuple(hit(request.offset + i + 1) for i in range(n))
    found = n_found if n_found is not None else request.offset + n
    made = SearchPage(request, hits, found, True, (DocumentId(FILE),))
    return replace(made, **changes)


@pytest.fixture
def make_bench(make_parts, keeper) -> Callable[[], QWidget]:
    """Make a pane of answers with the box for questions, and a viewer."""

    def make() -> QWidget:
        scroll, box, viewer = QScrollArea(), AskBox(), PdfPanel()
        panels = {"answer_panel": AnswerPanel(), "evidence_panel": EvidencePanel()}
        bench = make_parts(answer_scroll=scroll, ask_box=box, pdf_panel=viewer, **panels)
        bench.answer_pane, bench.citations = bench, CitationLink(bench)
        column = in_column(bench)
        column.addWidget(scroll)
        column.addWidget(box)
        bench.searches = SearchLink(bench)
        bench.entry = bench.action("search_mode")
        bench.entry.triggered.connect(bench.searches.switch)
        bench.resize(640, 800)
        bench.show()
        bench.activateWindow()
        return bench

    return make


@pytest.fixture
def searching(qtbot, make_bench) -> QWidget:
    """In search mode."""
    bench = make_bench()
    bench.entry.trigger()
    qtbot.waitUntil(bench.ask_box.edit.hasFocus)
    return bench


def panel_of(window: QWidget) -> SearchPanel:
    return window.searches.panel


def last_request(service: FakeService) -> SearchRequest:
    return service.arguments_of("search")[-1][0]


def search(
    qtbot: QtBot, window: QWidget, service: FakeService, text: str, **how: Any
) -> SearchPanel:
    n_before = len(service.arguments_of("search"))
    window.ask_box.edit.replace_text(text)
    qtbot.keyClick(window.ask_box.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(service.arguments_of("search")) > n_before)
    service.answer("search", page(last_request(service), **how))
    panel = panel_of(window)
    qtbot.waitUntil(lambda: panel.page is not None and panel.page.request.text == text)
    return panel


def test_enter_searches_and_places_are_listed(qtbot, searching, service):
    panel = search(qtbot, searching, service, "supply voltage")
    assert last_request(service) == SearchRequest("supply voltage")
    assert panel.count_label.text() == "3 places in 1 document"
    assert panel.model.rowCount() == 3
    spoken = panel.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("TI_OPA4197, page 7, table, 6 Specifications")
    assert not service.arguments_of("ask")


def test_typing_searches_after_a_pause_and_keeps_the_list_while_it_cannot_be_read(
    qtbot, searching, service
):
    edit = searching.ask_box.edit
    qtbot.keyClicks(edit, "supply")
    qtbot.waitUntil(lambda: bool(service.arguments_of("search")))
    assert len(service.arguments_of("search")) == 1
    service.answer("search", page(last_request(service)))
    panel = panel_of(searching)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 3)
    qtbot.keyClicks(edit, ' "vol')
    qtbot.waitUntil(panel.note_label.isVisible)
    assert "is not closed" in panel.note_label.text()
    assert panel.model.rowCount() == 3
    assert len(service.arguments_of("search")) == 1


def test_what_comes_late_is_dropped(qtbot, searching, service):
    searching.ask_box.set_search("first")
    searching.ask_box.set_search("second")
    first, second = (i for i, name, _ in service.requests if name == "search")
    service.say(Result(second, page(SearchRequest("second"), n=2)))
    service.say(Result(first, page(SearchRequest("first"), n=1)))
    qtbot.waitUntil(lambda: panel_of(searching).model.rowCount() > 0)
    qtbot.wait(30)
    assert panel_of(searching).model.rowCount() == 2


def test_the_keyboard_walks_and_the_viewer_follows(qtbot, searching, service, monkeypatch):
    shown: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        searching.pdf_panel, "show_places", lambda *arguments: shown.append(arguments)
    )
    service.replies["search_marks"] = place(7)
    panel = search(qtbot, searching, service, "supply voltage")
    qtbot.keyClick(searching.ask_box.edit, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    qtbot.waitUntil(lambda: len(shown) == 1)
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(shown) == 2)
    assert service.arguments_of("search_marks")[-1] == (hit(2).segment_id, "supply voltage")
    assert shown[-1][1] == place(7)
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(shown) == 3)
    qtbot.keyClick(panel.list, Qt.Key.Key_Up)
    qtbot.keyClick(panel.list, Qt.Key.Key_Up)
    assert searching.ask_box.edit.hasFocus()


def test_a_click_opens_a_place(qtbot, searching, service):
    panel = search(qtbot, searching, service, "supply voltage")
    click_row(qtbot, panel.list, panel.model.index(1, 0))
    qtbot.waitUntil(lambda: bool(service.arguments_of("search_marks")))
    assert service.arguments_of("search_marks")[0][0] == hit(2).segment_id


def test_more_places_come_while_the_list_is_scrolled(qtbot, searching, service):
    panel = search(qtbot, searching, service, "supply", n=25, n_found=60)
    assert panel.count_label.text() == "60 places in 1 document"
    panel.list.scrollToBottom()
    qtbot.waitUntil(lambda: last_request(service).offset == 25)
    service.answer("search", page(last_request(service), n=25, n_found=60))
    qtbot.waitUntil(lambda: panel.model.rowCount() == 50)
    assert panel.model.rows[49].rank == 50


def test_a_count_that_is_not_known_says_so(qtbot, searching, service):
    panel = search(qtbot, searching, service, '"the output"', n=3, n_found=210, is_exact=False)
    assert panel.count_label.text() == "More than 210 places in 1 document"


def test_kinds_are_buttons_that_write_the_language(qtbot, searching, service):
    panel = search(qtbot, searching, service, "offset")
    button = panel.kind_buttons[SegmentKind.TABLE]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert searching.ask_box.edit.toPlainText() == "offset kind:table"
    assert last_request(service).text == "offset kind:table"
    assert button.isChecked()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert last_request(service).text == "offset"
    assert not button.isChecked()


def test_order_and_score_on_demand(qtbot, searching, service, settings):
    panel = search(qtbot, searching, service, "offset")
    entry(panel.sort_button.menu(), "By document").trigger()
    assert last_request(service).sort is SearchSort.DOCUMENT
    assert settings.value("box/sort") == "document"
    before = panel.list.viewport().grab().toImage()
    panel.score_button.click()
    assert panel.list.viewport().grab().toImage() != before


def test_what_cannot_be_searched_is_told(qtbot, searching, service):
    panel = panel_of(searching)
    searching.ask_box.set_search("vender:TI x")
    assert "Did you mean vendor:TI" in panel.message_label.text()
    assert not service.arguments_of("search")
    searching.ask_box.set_search("part:XYZ x")
    service.fail("search", QuestionError("No document fits part:XYZ.", "The nearest is XY1."))
    qtbot.waitUntil(lambda: "nearest is XY1" in panel.message_label.text())
    search(qtbot, searching, service, "zzz", n=0)
    assert "Nothing in the documents" in panel.message_label.text()


def test_a_slip_of_the_keys_is_mended_by_one_click(qtbot, searching, service):
    note = "“voltge” stands nowhere in this library. Did you mean “voltage”?"
    how = {"notes": (note,), "respelled": "offset voltage"}
    panel = search(qtbot, searching, service, "offset voltge", **how)
    assert panel.note_label.text() == note
    assert panel.respell_button.text() == "Search for offset voltage"
    qtbot.mouseClick(panel.respell_button, Qt.MouseButton.LeftButton)
    assert last_request(service).text == "offset voltage"
    assert searching.ask_box.edit.toPlainText() == "offset voltage"
    service.answer("search", page(last_request(service)))
    qtbot.waitUntil(panel.respell_button.isHidden)


def test_the_mode_is_remembered_and_left_when_something_is_asked(make_bench):
    first = make_bench()
    first.searches.switch(True)
    again = make_bench()
    assert again.ask_box.mode is BoxMode.SEARCH
    assert again.entry.isChecked()
    again.session.ask(Question("What is the offset?"))
    assert again.ask_box.mode is BoxMode.ASK
    assert again.answer_scroll.isVisible()


def test_searching_in_the_window_from_its_key_to_a_question_about_what_was_found(
    qtbot, open_window, service
):
    window, entry = open_window, open_window.action("search_mode")
    window.resize(1300, 800)
    window.activateWindow()
    assert entry.shortcut().toString() == "Ctrl+Shift+L"
    entry.trigger()
    panel = panel_of(window)
    assert panel.isVisible()
    assert not window.answer_scroll.isVisible()
    assert panel.help_label.isVisible()
    # What is searched is no draft of a question.
    search(qtbot, window, service, "kind:table offset")
    assert window.session.conversations.active.draft == ""
    entry.trigger()
    assert not panel.isVisible()
    assert window.answer_scroll.isVisible()
    assert window.ask_box.edit.toPlainText() == ""
    assert not window.action("ask_about_found").isEnabled()
    # A passage of the viewer is searched as a phrase, within the scope.
    window.searches.search_for("input\noffset  voltage")
    assert window.ask_box.mode is BoxMode.SEARCH
    assert last_request(service).text == '"input offset voltage"'
    window.scopes.ask_only((ScopeEntry(f"/{FILE}", FILE),))
    qtbot.waitUntil(lambda: last_request(service).scope == (f"/{FILE}",))
    window.focus_box()
    # The documents that are found become what is asked.
    search(qtbot, window, service, "offset")
    assert window.action("ask_about_found").isEnabled()
    qtbot.mouseClick(panel.ask_button, Qt.MouseButton.LeftButton)
    assert window.ask_box.mode is BoxMode.ASK
    assert window.ask_box.scope == (f"/{FILE}",)
    assert window.ask_box.edit.toPlainText() == ""
