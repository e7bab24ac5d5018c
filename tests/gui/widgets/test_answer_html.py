from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter, QTextDocument

from desktop_qa.core.answer_blocks import AnswerBlock
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import (
    AnswerHtml,
    InlineFigure,
    excerpt,
    highlighted,
    plain_text,
)
from desktop_qa.gui.widgets.symbols import draw_line, draw_wrapped
from tests.answer.own_datasheet import BRACKETED, bracketed_answer
from tests.gui.fake_service import make_answer_view
from tests.helpers.said import said

WORDS, LOWERED = "V OS", ((2, 4),)
BASELINE = 60


def render(blocks: Sequence[AnswerBlock], figures: Mapping[int, InlineFigure] | None = None) -> str:
    return "".join(AnswerHtml(themes.LIGHT, figures).pieces(blocks))


def test_markers_that_point_somewhere_become_links_and_others_stay_text():
    html = render(said("It is 5 V. [1] See [7].", {1}))
    assert '<a href="cite:1"><img src="chip:1"' in html
    assert "See [7]." in html


def test_brackets_of_a_document_are_shown_as_they_stand():
    answer = bracketed_answer()
    html = render(answer.blocks)
    assert html.count("<img") == html.count("chip:1") == 1
    assert BRACKETED in html
    assert f"{BRACKETED} [1]" in plain_text(AnswerView(answer, ()))


def test_words_of_documents_are_escaped():
    html = render(said('VIN < 5 V & <img src="http://x/y.png"> <script>'))
    assert "<script>" not in html
    assert "&lt;img src=" in html
    assert "VIN &lt; 5\u00a0V &amp;" in html


def test_asterisks_and_tildes_of_datasheets_are_no_marks():
    assert "2*3*4 ~5\u00a0V to ~6\u00a0V a_b_c" in render(said("2*3*4 ~5 V to ~6 V a_b_c"))
    assert "<b>±25\xa0µV</b>" in render(said("is **±25 µV** typical"))


def test_steps_become_a_list_that_keeps_its_numbers():
    html = render(said("Do this:\n3. Open the lid. [1]\n4. Close it."))
    assert '<ol start="3"' in html
    assert html.count("<li") == 2
    assert "Open the lid." in html


def test_each_step_keeps_the_number_it_has_in_the_document():
    html = render(said("3. Open it.\n4. Wait.\n7. Close it."))
    assert re.findall(r'<ol start="(\d+)"', html) == ["3", "7"]


def test_what_stands_below_a_step_belongs_to_it():
    text = "1. Set JP3.\n   Mind it.\n   - by USB\n   - by J1\n   Both.\n2. Wait."
    html = render(said(text))
    assert "Set JP3.<br/>Mind it.<ul" in html
    assert html.count("<ul") == html.count("<ol") == 1
    assert html.index("by J1") < html.index("Both.") < html.index("Wait.")


def test_a_computation_stands_apart_from_what_is_said_of_it():
    html = render(said("P = 5 V × 2 A = **10 W**. 5 V comes from the question. [1]"))
    formula, rest = html.split("</table></td></tr></table>")
    assert "P = 5\u00a0V × 2\u00a0A <b>= <b>10\u00a0W</b></b>" in formula
    assert "chip:1" not in formula
    assert "comes from the question." in rest


def test_a_computation_among_bullets_stands_apart_too():
    text = "- A − B = 7 V − 1 V = **6 V**. [1]\n- Supply voltage: max **7 V**. [1]"
    html = render(said(text))
    assert html.index("7\u00a0V − 1\u00a0V") < html.index("chip:1") < html.index("<ul")
    assert html.count("<li") == 1


def test_a_sentence_that_sets_something_equal_is_no_computation():
    assert "<table" not in render(said("With VOUT = 0.6 × (R1 / R2 + 1) = 5 V set R1. [1]"))


def test_readings_are_buttons_and_no_words():
    text = render(said("Which one?\n\n- A?\n- B?", readings=("A?", "B?")))
    assert "Which one?" in text
    assert "A?" not in text


def test_a_long_list_comes_in_parts_whose_numbers_go_on():
    pieces = list(
        AnswerHtml(themes.LIGHT).pieces(said("\n".join(f"{n}. Step" for n in range(1, 31))))
    )
    assert len(pieces) == 3
    assert '<ol start="13"' in pieces[1]


def test_no_word_of_an_answer_is_lost():
    text = (
        "A lead. [1]\n\n1. One [1]\n   - sub one\n   more of it\n5. Five\n\n"
        "P = 5 V × 2 A = **10 W**. [1]\n\nThe end"
    )
    document = QTextDocument()
    document.setHtml(render(said(text)))
    shown = document.toPlainText().replace("\u00a0", " ")
    for word in ("A lead.", "One", "sub one", "more of it", "Five", "5 V × 2 A", "10 W"):
        assert word in shown
    assert shown.rstrip().endswith("The end")
    blocks = (document.findBlockByNumber(n) for n in range(document.blockCount()))
    lists = [b.textList().itemText(b) for b in blocks if b.textList() is not None]
    assert "5." in lists


def test_a_figure_stands_below_the_step_that_cites_it_and_the_numbers_go_on():
    figures = {2: InlineFigure(300, 200, "Figure 1. <Jumpers>")}
    html = render(said("1. Set JP3. [1][2]\n2. Wait. [1]"), figures)
    assert html.index("Set JP3") < html.index('src="figure:2"') < html.index("Wait.")
    assert '<ol start="2"' in html
    assert "Figure 1. &lt;Jumpers&gt;" in html
    assert html.count('src="figure:2"') == 1


def test_a_figure_that_no_sentence_cites_stands_at_the_end():
    figures = {3: InlineFigure(30, 20, "F")}
    html = render(said("Words. [1]"), figures)
    assert html.index("Words.") < html.index('src="figure:3"')
    assert "chip:3" not in html


def test_quotes_are_found_over_line_ends_and_marked():
    html = highlighted("Low Offset\nVoltage: ±100 µV", ["offset voltage:"], themes.LIGHT)
    assert f'<span style="background-color:{themes.LIGHT.evidence}">Low' not in html
    assert f'"background-color:{themes.LIGHT.evidence}">Offset<br/>Voltage:</span>' in html


def test_overlapping_quotes_are_marked_once():
    html = highlighted("a b c d", ["a b c", "b c d"], themes.LIGHT)
    assert html.count("<span") == 1
    assert "a b c d</span>" in html


def test_a_quote_with_html_in_it_is_escaped():
    assert "&lt;b&gt;x&lt;/b&gt;</span>" in highlighted("<b>x</b>", ["<b>x</b>"], themes.LIGHT)


def test_an_excerpt_holds_its_quote_and_whole_words():
    text = "word " * 200 + "THE QUOTE " + "tail " * 200
    part = excerpt(text, ["the quote"], 200)
    assert "THE QUOTE" in part
    assert part.startswith("… word")
    assert part.endswith("…")
    assert excerpt("short", [], 200) == "short"


def test_the_copied_answer_names_each_citation():
    lines = plain_text(make_answer_view()).splitlines()
    assert lines[0].startswith("What is the typical")
    assert "is ±25 µV. [1]" in lines[2]
    assert lines[-2].startswith("[1] TI_OPA4197.pdf, page 7, OPA4197 › 6 Specifications")
    assert lines[-1].endswith("OPA4197 › 1 Features: “±100 µV (maximum)”")


@pytest.fixture
def font(qapp) -> QFont:
    font = QFont()
    font.setPixelSize(40)
    return font


def ink(image: QImage) -> tuple[int, int, int]:
    """Return the left, right and lower end of what is dark."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    rows, columns = np.where(pixels[:, : grey.width()] < 128)
    return int(columns.min()), int(columns.max()), int(rows.max())


def drawn(font: QFont, draw: Callable[..., float], *arguments: object) -> tuple[Any, float]:
    """Draw on white, and return the ends of the ink and what the drawing returns."""
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setFont(font)
    size = draw(painter, *arguments)
    painter.end()
    return ink(image), size


def test_a_subscript_ends_below_its_line_and_is_smaller(font):
    plain, width = drawn(font, draw_line, QPointF(10, BASELINE), WORDS, ())
    lowered, lowered_width = drawn(font, draw_line, QPointF(10, BASELINE), WORDS, LOWERED)
    assert plain[0] == lowered[0]
    assert plain[2] <= BASELINE < lowered[2]
    assert lowered[1] < plain[1]
    assert lowered_width < width


def test_what_was_left_out_at_the_end_of_a_line_is_not_set_low(font):
    ends, _ = drawn(font, draw_line, QPointF(10, BASELINE), "V …", LOWERED)
    assert ends[2] <= BASELINE


def test_wrapped_lines_are_as_far_apart_as_without_subscripts(font):
    _, height = drawn(font, draw_wrapped, QRect(0, 0, 60, 200), WORDS, LOWERED)
    assert height == pytest.approx(2 * QFontMetricsF(font).height())


def test_words_are_cut_at_the_end_of_their_rectangle(font):
    ends, _ = drawn(font, draw_wrapped, QRect(0, 0, 60, 50), WORDS, LOWERED)
    assert ends[2] < 50
