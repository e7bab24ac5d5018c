from __future__ import annotations

from desktop_qa.core.view import AnswerView
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import (
    AnswerHtml,
    excerpt,
    highlighted,
    plain_text,
    tool_tip,
)
from tests.answer.own_datasheet import BRACKETED, bracketed_answer
from tests.gui.fake_service import make_answer_view, make_evidence

HTML = AnswerHtml({1, 2}, themes.LIGHT)


def test_markers_that_point_somewhere_become_links_and_others_stay_text() -> None:
    html = HTML.render("It is 5 V. [1] See [7].")
    assert '<a href="cite:1"><img src="chip:1"' in html
    assert "See\xa0[7]." in html


def test_brackets_of_a_document_are_shown_as_they_stand() -> None:
    answer = bracketed_answer()
    html = HTML.render(answer.text)
    assert html.count("<img") == html.count("chip:1") == 1
    assert BRACKETED in html
    assert f"{BRACKETED} [1]" in plain_text(AnswerView(answer, ()))


def test_words_of_documents_are_escaped() -> None:
    html = HTML.render('VIN < 5 V & <img src="http://x/y.png"> <script>')
    assert "<script>" not in html
    assert "&lt;img src=" in html
    assert "VIN &lt; 5\u00a0V &amp;" in html


def test_asterisks_and_tildes_of_datasheets_are_no_marks() -> None:
    assert "2*3*4 ~5\u00a0V to ~6\u00a0V a_b_c" in HTML.render("2*3*4 ~5 V to ~6 V a_b_c")
    assert "<b>±25\xa0µV</b>" in HTML.render("is **±25 µV** typical")


def test_steps_become_a_list_that_keeps_its_numbers() -> None:
    html = HTML.render("Do this:\n3. Open the lid. [1]\n4. Close it.")
    assert '<ol start="3"' in html
    assert html.count("<li") == 2
    assert "Open the lid." in html


def test_bullets_and_tables_are_kept() -> None:
    html = HTML.render("- one\n- two\n\n| Part | Value |\n|---|---|\n| A | 5 V [2] |")
    assert html.count("<li") == 2
    assert html.count("<tr>") == 2
    assert "cite:2" in html


def test_quotes_are_found_over_line_ends_and_marked() -> None:
    html = highlighted("Low Offset\nVoltage: ±100 µV", ["offset voltage:"], themes.LIGHT)
    assert f'<span style="background-color:{themes.LIGHT.evidence}">Low' not in html
    assert f'"background-color:{themes.LIGHT.evidence}">Offset<br/>Voltage:</span>' in html


def test_overlapping_quotes_are_marked_once() -> None:
    html = highlighted("a b c d", ["a b c", "b c d"], themes.LIGHT)
    assert html.count("<span") == 1
    assert "a b c d</span>" in html


def test_a_quote_with_html_in_it_is_escaped() -> None:
    assert "&lt;b&gt;x&lt;/b&gt;</span>" in highlighted("<b>x</b>", ["<b>x</b>"], themes.LIGHT)


def test_an_excerpt_holds_its_quote_and_whole_words() -> None:
    text = "word " * 200 + "THE QUOTE " + "tail " * 200
    part = excerpt(text, ["the quote"], 200)
    assert "THE QUOTE" in part
    assert part.startswith("… word")
    assert part.endswith("…")
    assert excerpt("short", [], 200) == "short"


def test_a_tool_tip_tells_file_page_section_and_quote() -> None:
    tip = tool_tip(make_evidence(1, file="a<b>.pdf"))
    assert "<b>a&lt;b&gt;.pdf</b> · page 1" in tip
    assert "OPA4197 › 1 Features" in tip
    assert "“±100 µV (maximum)”" in tip


def test_the_copied_answer_names_each_citation() -> None:
    lines = plain_text(make_answer_view()).splitlines()
    assert lines[0].startswith("What is the typical")
    assert "is ±25 µV. [1]" in lines[2]
    assert lines[-2].startswith("[1] TI_OPA4197.pdf, page 7, OPA4197 › 6 Specifications")
    assert lines[-1].endswith("OPA4197 › 1 Features: “±100 µV (maximum)”")
