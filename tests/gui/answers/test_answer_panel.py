from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.errors import LibraryError
from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.look_link import AnswerSize
from tests.gui.fake_service import make_answer_view
from tests.gui.patient_bot import on_screen
from tests.gui.sample_answers import READINGS, clarifying_answer, table_answer
from tests.helpers.made_answers import with_answer
from tests.helpers.said import said


@pytest.fixture
def panel(qtbot) -> AnswerPanel:
    return on_screen(qtbot, AnswerPanel(), 560, 300)


def chip_position(panel: AnswerPanel, marker: int) -> QPoint:
    text = panel.answer_text
    for position in range(text.document().characterCount()):
        cursor = QTextCursor(text.document())
        cursor.setPosition(position)
        if cursor.charFormat().anchorHref() == f"cite:{marker}":
            after = text.cursorRect(cursor)
            cursor.setPosition(position - 1)
            before = text.cursorRect(cursor)
            if before.top() == after.top():
                return QPoint(after.left() - 6, after.center().y())
            return QPoint(before.left() + 6, before.center().y())  # the line ends with it
    pytest.fail(f"no chip {marker}")


def test_chips_tell_their_marker_by_click_and_by_key_and_are_copied_as_markers(qtbot, panel):
    panel.show_answer(make_answer_view())
    panel.answer_text.setFocus()
    qtbot.keyClick(panel.answer_text, Qt.Key.Key_Tab)
    with qtbot.waitSignal(panel.answer_text.citation_clicked) as clicked:
        qtbot.keyClick(panel.answer_text, Qt.Key.Key_Return)
    assert clicked.args == [1]

    with qtbot.waitSignal(panel.answer_text.citation_clicked) as clicked:
        place = chip_position(panel, 2)
        qtbot.mouseClick(panel.answer_text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [2]

    panel.answer_text.selectAll()
    copied = panel.answer_text.selected_text()
    assert copied.endswith("±25 µV. [1] The front page agrees. [2]")
    assert panel.answer_text.createMimeDataFromSelection().text() == copied


def test_the_line_below_says_how_the_answer_was_made_and_it_is_copied_with_its_citations(
    panel, qtbot
):
    panel.show_answer(make_answer_view())
    text = panel.meta_label.text()
    assert "✓</span> 2 citations" in text
    assert "0.4 s" in text
    assert "offline" in text
    assert "31 of 51 documents searched" in text

    qtbot.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    assert "[1] TI_OPA4197.pdf, page 7" in QGuiApplication.clipboard().text()
    assert panel.copy_button.text() == "Copied"

    # Of what was not found it claims no citations.
    panel.show_answer(make_answer_view(status=AnswerStatus.NOT_FOUND))
    assert "✓" not in panel.meta_label.text()


def test_a_failure_takes_the_answers_place_escaped_and_offers_to_try_again(panel, qtbot):
    panel.show_failure("Why?", LibraryError("The disk is <full>.", "Free some space."))
    assert panel.answer_text.toPlainText() == "The disk is <full>.\nFree some space."
    assert panel.view is None
    assert panel.retry_button.isVisible()

    with qtbot.waitSignal(panel.retry_button.clicked):
        qtbot.mouseClick(panel.retry_button, Qt.MouseButton.LeftButton)
    panel.show_answer(make_answer_view())
    assert not panel.retry_button.isVisible()


def test_searching_is_said_when_it_takes_its_time(qtbot, panel):
    panel.show_searching("Why?")
    assert panel.question_label.text() == "Why?"
    qtbot.waitUntil(lambda: panel.answer_text.toPlainText() == "Searching …")


def test_a_reading_is_asked_by_click_and_by_key(qtbot, panel):
    panel.show_answer(clarifying_answer())
    assert [button.question for button in panel.readings.buttons] == list(READINGS)
    assert READINGS[1] not in panel.answer_text.toPlainText()
    with qtbot.waitSignal(panel.readings.chosen) as chosen:
        qtbot.mouseClick(panel.readings.buttons[1], Qt.MouseButton.LeftButton)
    assert chosen.args == [READINGS[1]]

    with qtbot.waitSignal(panel.readings.chosen) as chosen:
        qtbot.keyClick(panel.readings.buttons[0], Qt.Key.Key_Space)
    assert chosen.args == [READINGS[0]]


def test_readings_of_an_answer_are_offered_below_it_and_not_copied(panel):
    view = make_answer_view()
    panel.show_answer(with_answer(view, readings=READINGS))
    assert panel.readings.isVisible()
    assert panel.readings.y() > panel.answer_text.y()
    panel.copy_answer()
    assert READINGS[0] not in QGuiApplication.clipboard().text()
    panel.show_answer(make_answer_view())
    assert not panel.readings.isVisible()

    # A line of the document is no reading.
    panel.show_answer(with_answer(view, blocks=said(f"- {READINGS[0]}")))
    assert READINGS[0] in panel.answer_text.toPlainText()
    assert not panel.readings.buttons


def test_a_huge_answer_is_laid_out_in_turns_and_is_whole_in_the_end(panel):
    view = make_answer_view()
    lines = said("\n\n".join(f"Line {n} of 5 mV. [1]" for n in range(1200)))
    panel.show_answer(with_answer(view, blocks=lines))
    text = panel.answer_text
    assert "Line 1199" not in text.toPlainText()
    text.show_all()
    shown = text.toPlainText()
    assert all(f"Line {n} of" in shown for n in range(0, 1200, 97))
    assert shown.index("Line 30 ") < shown.index("Line 31 ")
    assert text.height() > 20_000


def test_subscripts_of_the_page_are_set_low_and_units_stay_with_their_numbers(panel):
    view = table_answer()
    pieces = tuple(replace(p, symbols=(("VS", "V"), ("VCM", "V"))) for p in view.evidence)
    panel.show_answer(replace(view, evidence=pieces))
    document = panel.answer_text.document()
    cursor = document.find("VCM")
    is_low = []
    for position in (1, 2):
        letter = QTextCursor(document)
        letter.setPosition(cursor.selectionStart() + position)
        is_low.append(letter.charFormat().verticalAlignment().name == "AlignSubScript")
    assert is_low == [False, True]
    assert "18\u00a0V" in document.toRawText()


def test_answers_are_set_larger_and_smaller_within_bounds_and_as_usual(
    make_parts, plain_looks, panel
):
    panel.show_answer(make_answer_view())
    words = panel.answer_text.document()
    sizes = AnswerSize(make_parts(answer_panel=panel, evidence_panel=panel))
    usual = words.defaultFont().pixelSize()
    for name, end in (("larger_answer", 10), ("smaller_answer", -2)):
        for _ in range(40):
            sizes.actions()[name]()
        assert (sizes.step, words.defaultFont().pixelSize()) == (end, usual + end)
    sizes.actions()["usual_answer"]()
    assert words.defaultFont().pixelSize() == usual
    assert panel.styleSheet() == ""
