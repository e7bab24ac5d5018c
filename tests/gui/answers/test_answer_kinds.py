"""Each kind of answer in the panel, driven by mouse and key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_qa.core.answer_blocks import Figure
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.answers.answer_parts import AnswerTableCard
from desktop_qa.gui.widgets.theme import DARK, TextSizes, look
from tests.gui import sample_answers as samples
from tests.gui.patient_bot import click_row, on_screen
from tests.gui.pdf_files import write_picture
from tests.helpers.made_answers import with_answer
from tests.helpers.said import said


@pytest.fixture
def panel(qtbot) -> AnswerPanel:
    return on_screen(qtbot, AnswerPanel(), 560, 700)


def table_card(panel: AnswerPanel) -> AnswerTableCard:
    (card,) = panel.parts.tables
    return card


def test_the_stated_cells_are_marked_and_a_click_tells_their_very_place(qtbot, panel):
    view = samples.table_answer()
    panel.show_answer(view)
    model = table_card(panel).view.table_model
    marked = [(r, c) for r in range(4) for c in range(6) if model.is_cited(r, c)]
    assert marked == [(1, 3), (2, 3)]
    table = table_card(panel).view
    with qtbot.waitSignal(panel.parts.place_clicked) as clicked:
        click_row(qtbot, table, model.index(2, 3))
    cell = view.answer.tables[0].rows[1][3]
    assert clicked.args == [view.evidence[0], cell.places]
    table.setCurrentIndex(model.index(1, 3))
    with qtbot.waitSignal(panel.parts.place_clicked) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == [view.evidence[0], view.answer.tables[0].rows[0][3].places]

    # A header leads nowhere.
    with qtbot.assertNotEmitted(panel.parts.place_clicked):
        table.clicked.emit(table.table_model.index(0, 3))

    # A chip shows where the whole stands.
    (chip,) = table_card(panel).chip_buttons
    with qtbot.waitSignal(panel.parts.place_clicked) as clicked:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert clicked.args == [view.evidence[0], view.evidence[0].places]


def test_tables_of_an_answer_are_copied(panel):
    panel.show_answer(samples.table_answer())
    card = table_card(panel)
    # Deviations are no numbers.
    tsv, markdown = card.copy_button.menu().actions()
    tsv.trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[1] == "Input offset voltage\tVS = ±18 V\t\t±25\t±100\tµV"
    markdown.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith("| --- |")
    panel.copy_answer()
    assert "±25 [1]" in QGuiApplication.clipboard().text()


def test_a_list_shows_its_first_rows_and_all_on_demand(panel):
    view = samples.list_answer(n_rows=12)
    (table,) = view.answer.tables
    rows = tuple((address, replace(name, is_stated=False)) for address, name in table.rows)
    table = replace(table, rows=rows)
    panel.show_answer(with_answer(view, blocks=(table,)))
    card = table_card(panel)
    assert card.view.model().rowCount() == 9
    assert card.more_button.text() == "Show all 12 rows"
    card.more_button.click()
    assert card.view.model().rowCount() == 13


def test_choices_verdicts_and_disagreement_are_badges_that_leave_with_their_answer(panel):
    panel.show_answer(samples.choice_answer())
    assert [badge.text() for badge in panel.verdict.badges] == ["B", "C"]
    assert panel.verdict.badges[0].accessibleName() == "Chosen: B"
    judged = samples.judgement_answer()
    for probability, words, colour in (
        (0.9, "✕  False", "false"),
        (0.6, "Likely false", None),
        (0.3, "Perhaps false", None),
    ):
        panel.show_answer(with_answer(judged, probability=probability))
        (badge,) = panel.verdict.badges
        assert (badge.text(), badge.property("verdict")) == (words, colour)
    assert panel.verdict.isVisible()
    panel.show_answer(samples.table_answer())
    assert not panel.verdict.isVisible()

    panel.show_answer(samples.contradicting_answer())
    assert [badge.text() for badge in panel.verdict.badges] == ["⚠  Documents disagree"]
    assert panel.notes_label.text() == "The newest document stands first."


def test_a_follow_up_says_what_it_was_read_as_and_can_be_asked_literally(qtbot, panel):
    panel.show_answer(samples.follow_up_answer())
    assert panel.read_as.label.text().startswith("Read as: What is the input offset voltage")
    with qtbot.waitSignal(panel.read_as.refused) as requested:
        qtbot.mouseClick(panel.read_as.button, Qt.MouseButton.LeftButton)
    assert requested.args == ["and at 125 °C?"]
    panel.show_answer(samples.table_answer())
    assert not panel.read_as.isVisible()


@pytest.fixture
def picture(tmp_path) -> Path:
    return write_picture(tmp_path / "figure.png")


def figure_rect(panel: AnswerPanel) -> tuple[QTextCursor, str]:
    document = panel.answer_text.document()
    for position in range(document.characterCount()):
        cursor = QTextCursor(document)
        cursor.setPosition(position + 1)
        name = cursor.charFormat().toImageFormat().name()
        if name.startswith("figure:"):
            return cursor, name
    pytest.fail("no figure")


def test_a_figure_stands_among_the_steps_fits_the_width_and_is_opened_by_a_click(
    qtbot, panel, picture
):
    panel.show_answer(samples.procedure_answer(figure=str(picture)))
    text = panel.answer_text
    cursor, name = figure_rect(panel)
    assert name == "figure:2"
    assert "Figure 4-2. Jumper positions" in text.toPlainText()
    rect = text.cursorRect(cursor)
    image = cursor.charFormat().toImageFormat()
    assert (image.width() - 16, image.height() - 16) == (400, 200)

    def drawn() -> tuple[int, int]:
        colour = text.grab().toImage().pixelColor(rect.left() + 60, rect.center().y())
        return colour.red(), colour.green()

    qtbot.waitUntil(lambda: drawn() == (255, 0))
    with qtbot.waitSignal(panel.answer_text.citation_clicked) as clicked:
        place = QPoint(rect.left() + 60, rect.center().y())
        qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [2]

    wide = figure_rect(panel)[0].charFormat().toImageFormat().width()
    panel.resize(300, 700)
    qtbot.waitUntil(lambda: figure_rect(panel)[0].charFormat().toImageFormat().width() < wide)
    panel.answer_text.selectAll()
    assert "Set jumper JP3 as shown. [1][2]" in panel.answer_text.selected_text()
    assert "￼" not in panel.answer_text.selected_text()

    # One whose image is gone leaves the words.
    panel.show_answer(samples.procedure_answer(figure="/gone.png"))
    assert "Wait until LED D4 is green." in panel.answer_text.toPlainText()


def test_why_folds_out_and_follows_the_answer(panel):
    panel.show_answer(samples.table_answer())
    assert not panel.why.isVisible()
    panel.why_button.click()
    assert panel.why.isVisible()
    assert "2 places in ORLUNDA_ORA217.pdf" in panel.why.label.text()
    panel.show_answer(samples.not_found_answer())
    assert "no place found states an answer" in panel.why.label.text()


def test_a_thumb_is_given_at_once_and_a_comment_after_it(qtbot, panel):
    given: list[tuple[object, ...]] = []
    panel.feedback.given.connect(lambda *values: given.append(values))
    panel.show_answer(samples.table_answer())
    down, edit = panel.down_button, panel.feedback._edit
    qtbot.mouseClick(down, Qt.MouseButton.LeftButton)
    assert given == [(7, -1, "")]
    assert edit.isVisible()
    qtbot.keyClicks(edit, "wrong column")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert given == [(7, -1, ""), (7, -1, "wrong column")]
    panel.show_answer(samples.not_found_answer())
    panel.show_answer(samples.table_answer())
    assert down.isChecked()
    assert edit.text() == "wrong column"


def test_a_verdict_is_changed_and_taken_back(qtbot, panel):
    given: list[tuple[object, ...]] = []
    panel.feedback.given.connect(lambda *values: given.append(values))
    panel.show_answer(samples.table_answer())
    up, down = panel.up_button, panel.down_button
    qtbot.mouseClick(up, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(down, Qt.MouseButton.LeftButton)
    assert (up.isChecked(), down.isChecked()) == (False, True)
    qtbot.mouseClick(panel.undo_button, Qt.MouseButton.LeftButton)
    assert given == [(7, 1, ""), (7, -1, ""), (7, 0, "")]
    assert not panel.feedback._row.isVisible()


def test_an_answer_that_is_kept_nowhere_takes_no_thumb(panel):
    panel.show_answer(with_answer(samples.table_answer(), history_id=0))
    assert not panel.up_button.isEnabled()


def test_the_export_menu_names_its_forms(panel):
    panel.show_answer(samples.table_answer())
    wanted: list[str] = []
    panel.export_requested.connect(wanted.append)
    for action in panel.export_button.menu().actions():
        action.trigger()
    assert wanted == ["markdown", "html", "pdf", "docx"]


@pytest.mark.parametrize("name", sorted(samples.every_answer()))
def test_every_kind_of_answer_can_be_shown_and_left_in_both_themes(panel, name, monkeypatch):
    panel.show_answer(samples.every_answer()[name])
    assert panel.answer_text.toPlainText().strip()
    monkeypatch.setattr(look, "theme", DARK)
    monkeypatch.setattr(look, "answer_sizes", TextSizes.around(16))
    look.changed.emit()
    panel.clear()
    assert not panel.parts.tables
    assert not panel.readings.buttons


def test_a_header_over_several_columns_is_written_once(panel):
    view = samples.table_answer()
    headers = ("Parameter", "Parameter", "Min", "Typ", "Max", "Unit")
    table = replace(view.answer.tables[0], headers=headers)
    panel.show_answer(with_answer(view, blocks=(table,)))
    shown = table_card(panel).view
    assert shown.columnSpan(0, 0) == 2
    assert shown.columnSpan(0, 2) == 1


def test_a_caption_that_the_words_say_is_not_said_again(panel, picture):
    view = samples.procedure_answer(figure=str(picture))
    blocks = (*said("Figure 4-2. Jumper positions. [2]"), Figure(2))
    panel.show_answer(with_answer(view, blocks=blocks))
    assert panel.answer_text.toPlainText().count("Jumper positions") == 1


def test_tab_goes_through_the_answer_in_its_order(qtbot, panel):
    panel.show_answer(samples.follow_up_answer())
    panel.activateWindow()
    panel.read_as.button.setFocus()
    qtbot.waitUntil(panel.read_as.button.hasFocus)
    order: list[str] = []
    # By key: walking the chain of the widgets from Python has crashed PySide.
    while panel.copy_button.objectName() not in order:
        assert len(order) < 50
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached = QApplication.focusWidget()
        if reached.objectName() not in order[-1:]:
            order.append(reached.objectName())
    shown = [name for name in order if name in ("answer_text", "why_button", "copy_button")]
    assert shown == ["answer_text", "why_button", "copy_button"]


def test_the_buttons_of_a_table_without_a_title_stand_at_its_right(qtbot):
    table = AnswerTable(
        TableUse.ROWS, "", ("Parameter", "Max"), ((AnswerCell("Isd"), AnswerCell("5")),)
    )
    card = on_screen(qtbot, AnswerTableCard(table), 500, 160)
    qtbot.waitExposed(card)
    left = card.copy_button.mapTo(card, QPoint(0, 0)).x()
    assert left > 350
