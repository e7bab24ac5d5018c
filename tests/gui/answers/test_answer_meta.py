from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QTextCursor

from desktop_qa.core.answer import AnswerStatus, Hit, Route, SentenceSupport
from desktop_qa.core.segment import SegmentId
from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.answers.answer_text import AnswerText
from desktop_qa.gui.answers.answer_why import (
    answer_reasons,
    found_sentence,
    matched_words,
    ordinal,
    read_cells,
    score_bars,
    support_bars,
)
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.labels import listed
from tests.gui.fake_service import make_answer_view
from tests.gui.patient_bot import on_screen
from tests.gui.sample_answers import found, not_found_answer, table_answer
from tests.helpers.made_answers import with_answer


@pytest.fixture
def panel(qtbot, keeper) -> AnswerPanel:
    made = on_screen(qtbot, AnswerPanel(), 900, 300)
    made.show_answer(make_answer_view())
    return made


def has_words(panel: AnswerPanel) -> bool:
    style = panel.copy_button.toolButtonStyle()
    return style is Qt.ToolButtonStyle.ToolButtonTextBesideIcon


@pytest.mark.parametrize("width", [900, 760, 520, 430, 360, 300])
def test_the_line_under_an_answer_is_one_line_at_any_width(qtbot, panel, width):
    def is_narrowed() -> bool:
        # Again: the words of the buttons hold it open, in a wide font, until they have left.
        panel.resize(width, 300)
        return panel.meta_row.width() <= width

    qtbot.waitUntil(is_narrowed)
    label = panel.meta_label
    assert label.height() < 2 * label.fontMetrics().height()
    assert panel.down_button.geometry().right() <= panel.meta_row.width()
    assert label.shown_parts


def test_buttons_lose_their_words_before_the_line_loses_its_pieces_and_say_what_was_copied(
    qtbot, panel
):
    qtbot.waitUntil(lambda: has_words(panel))
    assert len(panel.meta_label.shown_parts) == 4
    panel.resize(520, 300)
    qtbot.waitUntil(lambda: not has_words(panel))
    panel.resize(360, 300)
    qtbot.waitUntil(lambda: len(panel.meta_label.shown_parts) < 4)
    assert "31 of 51 documents searched" in panel.meta_label.toolTip()

    qtbot.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    assert has_words(panel)
    assert panel.copy_button.text() == "Copied"


def words_of(text: AnswerText) -> dict[str, QRect]:
    """Return the words of an answer and where each stands on its surface."""
    found: dict[str, QRect] = {}
    cursor = QTextCursor(text.document())
    while cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor):
        left = QTextCursor(text.document())
        left.setPosition(cursor.selectionStart())
        word = cursor.selectedText().strip()
        if word.isalnum():
            found[word] = text.cursorRect(left).united(text.cursorRect(cursor))
        cursor.clearSelection()
    return found


def lightness(image: QImage, rect: QRect) -> int:
    """The lightness of the lightest pixel of a rectangle."""
    rect = rect.intersected(image.rect())
    rows, columns = range(rect.top(), rect.bottom()), range(rect.left(), rect.right())
    return max((image.pixelColor(x, y).lightness() for y in rows for x in columns), default=0)


def test_each_word_of_an_answer_is_light_after_it_got_dark(qtbot, keeper, panel):
    for theme in (themes.LIGHT, themes.DARK):
        keeper.use(theme)
    text = panel.answer_text
    qtbot.waitUntil(lambda: text.is_whole)
    image = QImage(text.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(themes.DARK.panel))
    text.render(image)
    words = words_of(text)
    assert len(words) > 5
    assert {word: rect for word, rect in words.items() if lightness(image, rect) < 150} == {}


def reasons_of(view: object) -> dict[str, str]:
    return {reason.title: reason.text for reason in answer_reasons(view)}  # type: ignore[arg-type]


def test_routes_are_told_in_words_best_rank_first():
    piece = found(table_answer().evidence[0])
    hits = (
        Hit(SegmentId("x"), Route.LEXICAL, 5, 14.2),
        Hit(SegmentId("x"), Route.VECTOR, 2, 0.61),
        Hit(SegmentId("x"), Route.STRUCTURE, 1, 1.0),
    )
    assert found_sentence(replace(piece, hits=hits)) == (
        "Found 1st by the place that is named, 2nd by meaning and 5th by words."
    )
    far = Hit(SegmentId("x"), Route.VECTOR, 345, 0.2)
    assert found_sentence(replace(piece, hits=(hits[0], far))) == "Found 5th by words."
    assert found_sentence(replace(piece, hits=())).startswith("Found beside")


def test_keywords_are_shown_as_people_write_them():
    piece = replace(
        found(table_answer().evidence[0]), keywords=("opt3001", "=0.5a", "offset voltage", "i2c")
    )
    assert matched_words(piece) == ("OPT3001", "0.5a", "offset voltage", "I2C")


def test_the_score_is_taken_apart_largest_first_and_the_rest_put_together():
    parts = (("vector", 0.4), ("boilerplate", -0.8), *((f"feature_{n}", 0.1) for n in range(9)))
    bars = score_bars(replace(found(table_answer().evidence[0]), parts=parts))
    assert (bars[0].label, bars[0].share, bars[0].value) == (
        "Legal and ordering matter",
        -1.0,
        "-0.80",
    )
    assert bars[1].label == "Meaning"
    assert bars[-1].label == "5 others"
    assert bars[-1].value == "+0.50"
    assert sum(float(bar.value) for bar in bars) == pytest.approx(0.5)


def test_a_table_tells_which_rows_and_columns_were_read():
    view = table_answer().evidence[0]
    assert read_cells(view) == "Read from row “Input offset voltage”, column Typ."
    with_label = replace(view, cited_cells=((1, 0), (1, 3), (1, 4)))
    assert read_cells(with_label) == "Read from row “Input offset voltage”, columns Typ and Max."
    assert read_cells(table_answer().evidence[1]) == ""


def test_an_answer_tells_what_it_rests_on_and_how_sure_it_is():
    view = table_answer()
    assert "How sure" not in reasons_of(view)
    reasons = reasons_of(with_answer(view, probability=0.72))
    assert reasons["Rests on"] == "2 places in ORLUNDA_ORA217.pdf (pages 4 and 1)"
    assert reasons["How sure"] == "About 7 in 10 answers like this one are right"
    assert reasons["Read as"] == "a question for a value of a table"
    assert reasons["Searched"] == "10 documents · 0.23 s · without a language model, offline"


def test_what_was_read_parts_and_scope_are_told_when_there_are_any():
    view = with_answer(
        table_answer(),
        read_as="What is it at 125 °C?",
        parts=("A?", "B?"),
        scope=("TI", "BOSCH"),
        n_documents_searched=4,
        support=(),
    )
    reasons = reasons_of(view)
    assert reasons["Read as"].startswith("What is it at 125 °C?; a question for")
    assert reasons["In parts"] == "A? / B?"
    assert "4 of 10 documents · only TI and BOSCH" in reasons["Searched"]
    assert "How sure" not in reasons


def test_an_answer_not_found_rests_on_nothing():
    view = not_found_answer()
    assert view.answer.status is AnswerStatus.NOT_FOUND
    assert reasons_of(view)["Rests on"].startswith("Nothing")


def test_each_of_several_sentences_has_a_bar():
    view = table_answer()
    bars = support_bars(view.answer)
    assert [bar.value for bar in bars] == [
        f"{one.score:.0%} of the question's words" for one in view.answer.support
    ]
    one = replace(view.answer, support=(SentenceSupport("One.", (1,), 0.2),))
    assert support_bars(one) == ()


def test_ordinals_and_lists_are_english():
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == ""
