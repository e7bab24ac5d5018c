from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import AlreadyThereError, HistoryError
from desktop_qa.core.history import DocumentsSince, HistoryItem, HistoryPage, HistoryState
from desktop_qa.core.question import Question
from desktop_qa.core.view import ExportReport, PastQuestion
from desktop_qa.gui.conversations import conversation_link
from desktop_qa.gui.history import history_panel
from desktop_qa.gui.history.history_panel import PAGE_LENGTH, HistoryPanel
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.history_days import answer_words, day_label, found_spans, moment_label
from desktop_qa.gui.widgets.row_painting import Line
from tests.gui.fake_service import QUESTION, FakeService, make_answer_view, make_library
from tests.gui.patient_bot import entry, on_screen, save_as, told
from tests.helpers.made_answers import make_item, make_past, with_answer

TODAY = date(2026, 3, 18)
NOON = datetime(2026, 3, 18, 12).astimezone()


@pytest.fixture(autouse=True)
def one_day(monkeypatch) -> None:
    """Let the day of the questions be today, also when the tests run over midnight."""

    class OneDay(date):
        @classmethod
        def today(cls) -> date:
            return TODAY

    for module in (history_panel, conversation_link):
        monkeypatch.setattr(module, "date", OneDay)


def item(number: int, question: str = "", days: int = 0, **changes: object) -> HistoryItem:
    at = (NOON - timedelta(days=days)).timestamp() + number
    return make_item(number, question, asked_at=at, **changes)


def page(*items: HistoryItem, query: str = "", offset: int = 0, total: int = -1) -> HistoryPage:
    return HistoryPage(query, items, offset, total if total >= 0 else len(items))


ITEMS = (
    item(4),
    item(3, "Offset of the OPA4197 & <b>more</b>?", verdict=1),
    item(2, days=1, state=HistoryState.NOT_FOUND, excerpt="Not found in this library."),
    item(1, days=40, state=HistoryState.FAILED, excerpt="The disk is full."),
)


@pytest.fixture
def panel(qtbot) -> HistoryPanel:
    made = on_screen(qtbot, HistoryPanel(), 280, 600)
    made.show_page(page(*ITEMS))
    return made


def rows(panel: HistoryPanel) -> list[str]:
    model = panel.model
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def wanted(panel: HistoryPanel) -> list[tuple[str, int, int]]:
    asked: list[tuple[str, int, int]] = []
    panel.page_wanted.connect(lambda *what: asked.append(what))
    return asked


# Words


@pytest.mark.parametrize(
    ("age", "label"),
    [(0, "Today"), (1, "Yesterday"), (3, "Sunday"), (7, "11 March"), (400, "11 February 2025")],
)
def test_days_are_called_as_people_call_them(age, label):
    today = date(2026, 3, 18)
    assert day_label(today - timedelta(days=age), today) == label


def test_a_moment_in_a_sentence_has_its_day_and_time():
    at = datetime(2026, 3, 18, 14, 5).astimezone().timestamp()
    assert moment_label(at, date(2026, 3, 18)) == "today, 14:05"
    assert moment_label(at, date(2026, 4, 18)) == "18 March, 14:05"


def test_the_line_of_the_answer_says_how_it_ended_once():
    assert answer_words(item(1), "") == "It is 5 mA."
    assert answer_words(ITEMS[2], "") == "Not found in this library."
    assert answer_words(ITEMS[3], "") == "failed · The disk is full."
    long = item(1, excerpt=f"{'word ' * 20}supply voltage")
    assert answer_words(long, "supp").startswith("… word")
    assert "supply" in answer_words(long, "supp")[:30]


def test_found_words_are_beginnings_of_words():
    assert found_spans("Supply of supplies, resupply", "supp") == [(0, 4), (10, 14)]
    assert found_spans("a.b (c)", "( a.") == [(0, 2), (4, 5)]
    assert found_spans("anything", "") == []


def test_a_long_question_takes_two_lines(panel):
    font = panel.font()

    def lines(text: str, n_most: int = 2) -> list[str]:
        layout = Line(text, 0, n_most=n_most).broken(font, 200)
        shown = (layout.lineAt(number) for number in range(layout.lineCount()))
        return [layout.text()[s.textStart() :][: s.textLength()] for s in shown]

    assert lines("Short?") == ["Short?"]
    first, second = lines("word " * 60)
    assert QFontMetricsF(font).horizontalAdvance(first.strip()) <= 200
    assert second.endswith("…")
    (cut,) = lines("x" * 400, n_most=1)
    assert cut.endswith("…")


# The list


def test_questions_stand_under_their_days(panel):
    days = [row for row in rows(panel) if not row.endswith("?")]
    assert days[:2] == ["Today", "Yesterday"]
    assert len(days) == 3
    assert panel.count_label.text() == "4 questions"
    assert panel.model.index(2).data(Qt.ItemDataRole.AccessibleTextRole).endswith("thumb up")


def test_arrows_pass_over_the_days_and_enter_opens(qtbot, panel):
    opened: list[HistoryItem] = []
    panel.open_requested.connect(opened.append)
    qtbot.keyClick(panel.search_edit, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    for _ in range(2):
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert [one.id for one in opened] == [2]


def test_searching_waits_for_the_typing_and_drops_what_is_late(qtbot, panel):
    asked = wanted(panel)
    qtbot.keyClicks(panel.search_edit, "opa offset")
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [("opa offset", PAGE_LENGTH, 0)]
    panel.show_page(page(item(9), query="opa"))
    assert len(panel.model.items) == 4
    panel.show_page(page(ITEMS[1], query="opa offset"))
    assert [one.id for one in panel.model.items] == [3]
    panel.show_page(page(query="opa offset"))
    assert panel.empty_label.text() == "No question and no answer holds “opa offset”."
    assert not panel.list.isVisible()
    qtbot.keyClick(panel.search_edit, Qt.Key.Key_Escape)
    assert panel.search_edit.text() == ""


def test_the_next_page_is_asked_for_at_the_end_and_continues_the_day(panel):
    asked = wanted(panel)
    panel.show_page(page(*(item(n) for n in range(200, 140, -1)), total=100))
    bar = panel.list.verticalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    assert asked[-1] == ("", PAGE_LENGTH, 60)
    n_asked = len(asked)
    bar.setValue(0)
    bar.setValue(bar.maximum())
    assert len(asked) == n_asked
    panel.show_page(page(*(item(n) for n in range(140, 100, -1)), offset=60, total=100))
    assert rows(panel).count("Today") == 1
    assert len(panel.model.items) == 100
    panel.show_page(page(item(1), offset=7, total=100))
    assert len(panel.model.items) == 100


def test_nothing_asked_yet_is_said(panel):
    panel.forget()
    panel.show_page(page())
    assert "appear here" in panel.empty_label.text()
    assert panel.empty_label.isVisible()
    assert not panel.count_label.isVisible()


def test_delete_takes_the_selected_and_the_next_becomes_the_current(qtbot, panel):
    deleted: list[tuple[HistoryItem, ...]] = []
    panel.delete_requested.connect(deleted.append)
    panel.list.setCurrentIndex(panel.model.index_of(3))
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert [one.id for one in deleted[0]] == [3]
    panel.show_page(page(ITEMS[0], ITEMS[2], ITEMS[3]))
    assert [one.id for one in panel.selected] == [2]
    panel.offer_undo((3,))
    assert panel.undo_bar.isVisible()
    assert panel.undo_label.text() == "Question deleted"
    back: list[tuple[int, ...]] = []
    panel.undo_requested.connect(back.append)
    qtbot.mouseClick(panel.undo_button, Qt.MouseButton.LeftButton)
    panel.undo()
    assert back == [(3,)]
    assert not panel.undo_bar.isVisible()


def test_a_reader_deletes_nothing(qtbot, panel):
    panel.is_read_only = True
    deleted: list[object] = []
    panel.delete_requested.connect(deleted.append)
    panel.list.setCurrentIndex(panel.model.index_of(3))
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert deleted == []
    panel.more_button.menu().aboutToShow.emit()
    assert not panel.clear_action.isEnabled()


def test_rows_are_drawn_in_both_themes(panel, monkeypatch):
    pictures = []
    for theme in (themes.LIGHT, themes.DARK):
        monkeypatch.setattr(themes.look, "theme", theme)
        pictures.append(panel.list.grab().toImage())
    assert pictures[0] != pictures[1]


# In the window


@pytest.fixture
def listed(qtbot, open_window, service) -> MainWindow:
    """A window whose history is shown."""
    open_window.action("history").trigger()
    panel = open_window.side_bar.history_panel
    assert panel.isVisible()
    assert panel.search_edit.hasFocus()
    service.answer("history_page", page(*ITEMS))
    qtbot.waitUntil(lambda: len(panel.model.items) == 4)
    return open_window


def past(**changes: object) -> PastQuestion:
    return make_past(make_answer_view(), **({"id": 3, "asked_at": NOON.timestamp()} | changes))


def open_item(qtbot: QtBot, window: MainWindow, service: FakeService, answer: object) -> None:
    panel = window.side_bar.history_panel
    panel.list.setCurrentIndex(panel.model.index_of(3))
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert service.arguments_of("history_entry")[-1] == (3,)
    service.answer("history_entry", answer, until=window.answer_panel.answer_shown)


def test_an_earlier_answer_is_shown_as_it_was_with_what_has_changed(qtbot, listed, service):
    since = DocumentsSince(3, changed=("a.pdf",), gone=("b.pdf",), lost=(DocumentId("x"),) * 2)
    open_item(
        qtbot, listed, service, past(since=since, verdict=1, comment="fine", conversation="c7")
    )
    shown = listed.answer_panel
    assert shown.question_label.text() == QUESTION
    notes = shown.notes_label.text().replace("\u200b", "")
    assert listed.session.conversation == "c7"
    assert "Asked today, 12:00. 2 of the 3 documents it cites have changed or are gone" in notes
    panel = listed.side_bar.history_panel
    panel.list.setCurrentIndex(panel.model.index_of(4))
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    told = past(id=4, question="Another?", view=make_answer_view("Another?"))
    service.answer("history_entry", told, until=shown.answer_shown)
    assert [tab.title for tab in listed.conversation_tabs.tabs][-1] == "Another"
    assert len(listed.conversation_tabs.tabs) == 2


def test_a_place_that_is_gone_is_said_and_not_opened_and_a_question_that_failed_shows_why(
    qtbot, listed, service
):
    view = make_answer_view()
    gone = tuple(replace(piece, path="") for piece in view.evidence)
    open_item(qtbot, listed, service, past(view=replace(view, evidence=gone)))
    assert listed.pdf_panel.path is None
    listed.answer_panel.answer_text.citation_clicked.emit(1)
    assert "TI_OPA4197.pdf has changed or left the library" in told(listed)[-1]
    assert listed.pdf_panel.path is None

    failed = past(state=HistoryState.FAILED, view=None, error="The disk is full.")
    open_item(qtbot, listed, service, failed)
    assert "The disk is full." in listed.answer_panel.answer_text.toPlainText()
    assert "Asked today, 12:00." in listed.answer_panel.answer_text.toPlainText()


def test_earlier_questions_are_asked_again_cleared_judged_and_exported_and_what_fails_is_told(
    qtbot, listed, service, monkeypatch
):
    # Asking again asks the complete question and a new answer brings the list up to date.
    listed.history.ask_again(ITEMS[1])
    complete = with_answer(make_answer_view("and at 125 °C?"), read_as=QUESTION)
    service.answer("history_entry", past(question="and at 125 °C?", view=complete))
    qtbot.waitUntil(lambda: bool(service.questions))
    asked = service.questions[-1]
    assert (asked.text, asked.alone) == (QUESTION, True)

    before = len(service.arguments_of("history_page"))
    listed.session.ask(Question(QUESTION))
    service.reply(listed.session, make_answer_view())
    assert len(service.arguments_of("history_page")) == before + 1
    listed.side_bar.show_tab("documents")
    listed.side_bar.history_panel.invalidate()
    assert len(service.arguments_of("history_page")) == before + 1
    listed.side_bar.show_tab("history")
    assert len(service.arguments_of("history_page")) == before + 2

    # What can be done with an earlier question is offered and what fails is told.
    listed.history.open(ITEMS[1])
    service.fail("history_entry", HistoryError("There is no question number 3.", ""))
    qtbot.waitUntil(lambda: told(listed) == ["There is no question number 3."])

    # Clearing is asked once.
    cancel = QMessageBox.StandardButton.Cancel
    monkeypatch.setattr(QMessageBox, "question", lambda *_arguments: cancel)
    listed.side_bar.history_panel.clear_action.trigger()
    assert service.arguments_of("clear_history") == []

    # A thumb is kept and the list follows.
    before = len(service.arguments_of("history_page"))
    listed.answer_panel.feedback.given.emit(3, -1, "wrong row")
    assert service.arguments_of("feedback") == [(3, -1, "wrong row")]
    service.answer("feedback", None)
    qtbot.waitUntil(lambda: len(service.arguments_of("history_page")) == before + 1)

    # The menu.
    chosen: list[tuple[int, ...]] = []
    monkeypatch.setattr(
        listed.history._exports, "choose_history", lambda ids, _question: chosen.append(ids)
    )
    menu_of = listed.history.context_menu
    several = menu_of((ITEMS[0], ITEMS[1]))
    assert "Open" not in [action.text() for action in several.actions()]
    assert entry(several, "Delete").isEnabled()
    entry(several, "Export …").trigger()
    assert chosen == [(3, 4)]
    failed = menu_of((ITEMS[3],))
    assert entry(failed, "Ask Again").isEnabled()
    assert not entry(failed, "Export …").isEnabled()
    assert entry(menu_of((item(1, conversation="c"),)), "Export Its Conversation …")
    listed.side_bar.history_panel.is_read_only = True
    assert not menu_of((ITEMS[0],)).actions()[-1].isEnabled()

    # Another library has another history.
    service.open(listed.session, make_library(folder="/libraries/others", read_only=True))
    panel = listed.side_bar.history_panel
    assert panel.model.items == ()
    assert panel.is_read_only


# Exporting and copying


def test_an_answer_that_is_not_kept_is_exported_itself(open_window, service, monkeypatch, tmp_path):
    assert not open_window.action("export_answer").isEnabled()
    view = make_answer_view()
    open_window.session.ask(Question(QUESTION))
    service.reply(open_window.session, view)
    assert not open_window.action("export_conversation").isEnabled()
    save_as(monkeypatch, tmp_path / "a.md")
    open_window.action("export_answer").trigger()
    assert service.arguments_of("export_view") == [(view, str(tmp_path / "a.md"), False)]


def test_the_answer_is_copied_and_exported_where_the_user_wants_it(
    listed, qtbot, service, monkeypatch, tmp_path
):
    view = with_answer(make_answer_view(), history_id=3, conversation="c1")
    open_item(qtbot, listed, service, past(view=view))
    listed.action("copy_answer").trigger()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text().startswith(QUESTION)
    assert "<strong>±25 µV</strong>" in data.html()
    assert "**±25 µV**" in bytes(data.data("text/markdown").data()).decode()

    target = tmp_path / "answer.html"
    asked = save_as(monkeypatch, target)
    listed.action("export_answer").trigger()
    assert [Path(one[2]).name for one in asked] == [f"{QUESTION.rstrip('?')}.pdf"]
    assert service.arguments_of("export_history") == [((3,), str(target), False)]
    service.answer("export_history", ExportReport(str(target), "", 0, ()))
    qtbot.waitUntil(lambda: told(listed) == [f"answer.html was exported. It is in {tmp_path}."])
    listed.answer_panel.export_requested.emit("docx")
    assert asked[-1][2].endswith(".docx")
    listed.action("export_answer").trigger()
    assert asked[-1][2].endswith(".html")

    # Over something it asks first.
    save_as(monkeypatch, tmp_path / "c.", "Word document (*.docx)")
    listed.action("export_conversation").trigger()
    target = str(tmp_path / "c..docx")
    assert service.arguments_of("export_conversation") == [("c1", target, False)]
    service.fail("export_conversation", AlreadyThereError("c.docx is already in x.", "Replace?"))
    qtbot.waitUntil(lambda: told(listed) == ["c.docx is already in x. Replace?"])
    (replace_button,) = listed.message_area.banners[0].action_buttons
    qtbot.mouseClick(replace_button, Qt.MouseButton.LeftButton)
    assert service.arguments_of("export_conversation")[-1] == ("c1", target, True)
