from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from desktop_qa.gui.answers.answer_blocks import BlockKind, formula_of, read_blocks
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import AnswerHtml, InlineFigure


def kinds(text: str) -> list[BlockKind]:
    return [block.kind for block in read_blocks(text)]


def test_each_step_keeps_the_number_it_has_in_the_document() -> None:
    blocks = read_blocks("3. Open it.\n4. Wait.\n7. Close it.")
    assert [(block.start, len(block.items)) for block in blocks] == [(3, 2), (7, 1)]


def test_what_is_indented_below_a_step_belongs_to_it() -> None:
    (steps,) = read_blocks("1. Set JP3.\n   Mind the polarity.\n   - by USB\n   - by J1\n2. Wait.")
    first, second = steps.items
    assert first.lines == ["Set JP3.", "Mind the polarity."]
    assert [item.lines for item in first.blocks[0].items] == [["by USB"], ["by J1"]]
    assert second.lines == ["Wait."]


def test_steps_with_blank_lines_between_are_one_list() -> None:
    (steps,) = read_blocks("1. One.\n\n2. Two.\n\n3. Three.")
    assert len(steps.items) == 3


def test_lettered_steps_keep_their_letters() -> None:
    (steps,) = read_blocks("a. One\nb. Two")
    assert steps.kind is BlockKind.LETTERED
    assert [item.lines for item in steps.items] == [["One"], ["Two"]]


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        (
            "P = V × I = 5 V × 2 A = 10 W [1][2]",
            ["P", "= V × I", "= 5 V × 2 A", "= 10 W", "[1][2]"],
        ),
        ("ΔV = 3.6 V − 1.6 V = 2 V", ["ΔV", "= 3.6 V − 1.6 V", "= 2 V", ""]),
        ("ratio = 1 A / 0.5 A ≈ 2 [1].", ["ratio", "= 1 A / 0.5 A", "≈ 2", "[1]"]),
    ],
)
def test_a_calculation_is_split_at_its_equals_signs(line: str, pieces: list[str]) -> None:
    assert formula_of(line) == pieces


@pytest.mark.parametrize(
    "line",
    [
        "The offset is ±25 µV at VS = ±18 V.",
        "With VIN = 5 V, the output is 3.3 V, and VOUT = 3.3 V + 0.1 V.",
        "Set bit 3 = 1.",
        "The device works when VDD = VDDIO and the temperature is between −40 °C and 85 °C",
        "",
    ],
)
def test_conditions_and_sentences_are_no_calculations(line: str) -> None:
    assert formula_of(line) == []


def test_a_calculation_stands_apart_from_the_words_around_it() -> None:
    assert kinds("It is 10 W.\nP = 5 V × 2 A = 10 W [1]\nAt 25 °C.") == [
        BlockKind.TEXT,
        BlockKind.FORMULA,
        BlockKind.TEXT,
    ]


def test_what_is_said_after_a_calculation_stays_a_sentence() -> None:
    formula, rest = read_blocks("P = 5 V × 2 A = **10 W**. 5 V comes from the question. [1]")
    assert formula.lines == ["P", "= 5 V × 2 A", "= **10 W**", ""]
    assert rest.lines == ["5 V comes from the question. [1]"]


def test_a_calculation_among_bullets_stands_apart_too() -> None:
    text = (
        "- Maximum supply voltage VDD to GND − minimum supply voltage VDD to GND"
        " = 7 V − (-0.3 V) = **7.3 V**. [1]\n- Supply voltage: max **7 V**. [1]"
    )
    formula, bullets = read_blocks(text)
    assert formula.lines[1:] == ["= 7 V − (-0.3 V)", "= **7.3 V**", "[1]"]
    assert [item.lines for item in bullets.items] == [["Supply voltage: max **7 V**. [1]"]]


def test_no_word_of_an_answer_is_lost(qtbot: QtBot) -> None:
    text = (
        "### First?\nA lead. [1]\n\n1. One [1]\n   - sub one\n     more of it\n5. Five\n\n"
        "P = 5 V × 2 A = 10 W [1]\n\n| A | B |\n|---|---|\n| 1 | 2 |\nThe end"
    )
    document = QTextDocument()
    document.setHtml(AnswerHtml({1}, themes.LIGHT).render(text))
    shown = document.toPlainText()
    for word in ("First?", "A lead.", "One", "sub one", "more of it", "Five", "5 V × 2 A", "10 W"):
        assert word in shown
    assert shown.rstrip().endswith("The end")
    lists = [
        block.textList().itemText(block)
        for block in (document.findBlockByNumber(n) for n in range(document.blockCount()))
        if block.textList() is not None
    ]
    assert "5." in lists


def test_a_figure_stands_below_the_step_that_cites_it_and_the_numbers_go_on() -> None:
    figures = {2: InlineFigure(300, 200, "Figure 1. <Jumpers>")}
    html = AnswerHtml({1, 2}, themes.LIGHT, figures).render("1. Set JP3. [1][2]\n2. Wait. [1]")
    assert html.index("Set JP3") < html.index('src="figure:2"') < html.index("Wait.")
    assert '<ol start="2"' in html
    assert "Figure 1. &lt;Jumpers&gt;" in html
    assert html.count('src="figure:2"') == 1


def test_a_figure_that_no_sentence_cites_stands_at_the_end() -> None:
    html = AnswerHtml({1}, themes.LIGHT, {3: InlineFigure(30, 20, "F")}).render("Words. [1]")
    assert html.index("Words.") < html.index('src="figure:3"')
