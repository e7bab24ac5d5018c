"""A document on its way through the windows, and what is put back onto its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from desktop_qa.core.document import BlockKind, DocumentId, ParseResult
from desktop_qa.core.errors import QuestionError
from desktop_qa.formatting.formatter import Formatter, Written
from desktop_qa.formatting.lines import lines_of
from desktop_qa.formatting.rebuilding import Rebuilt
from desktop_qa.formatting.windows import Window
from desktop_qa.llm.messages import Message, MessageRole
from desktop_qa.parse.document import read_document
from desktop_qa.parse.markdown import render_table
from tests.formatting.pages import flat, headings_of, page_of

SAMPLES = Path(__file__).parents[2] / "resources" / "sample_library"
LONG = ("The supply must be stable before the enable pin is driven high by its host.",)


def run(
    formatter: Formatter, write: Callable[[Window], str], *, is_whole: bool = True
) -> list[Sequence[Message]]:
    """Run all rounds, and return what was sent in each."""
    windows = iter(formatter.windows)
    sent: list[Sequence[Message]] = []

    async def complete(messages: Sequence[Message], n_tokens: int) -> Written:
        sent.append(messages)
        window = next(windows)
        assert n_tokens == window.n_answer
        return Written(write(window), is_whole)

    async def all_rounds() -> list[Window]:
        return [window async for window in formatter.run(complete)]

    assert asyncio.run(all_rounds()) == list(formatter.windows)
    return sent


def read(result: ParseResult, text: str) -> Rebuilt:
    formatter = Formatter(result, 8192)
    run(formatter, lambda _window: text)
    return formatter.result()[0]


def test_each_line_is_in_the_core_of_one_window_and_neighbours_overlap():
    pages = [page_of(*[LONG] * 40, page_no=n) for n in range(1, 6)]
    windows = Formatter(flat(*pages), 2048).windows
    assert len(windows) > 3
    assert tuple(line for window in windows for line in window.core) == lines_of(pages)
    for before, window in pairwise(windows):
        assert window.lines[: window.first] == before.core[-window.first :]
        assert before.lines[before.end :] == window.core[: len(before.lines) - before.end]
        assert window.n_prompt + window.n_answer <= 2048


def test_a_round_is_calibrated_by_the_last_one():
    pages = [page_of(("7.3 Enable",), *[LONG] * 40, page_no=n) for n in (1, 2)]
    formatter = Formatter(flat(*pages), 2048)
    sent = run(formatter, lambda _window: "## 7.3 Enable")
    assert [message.role for message in sent[0]] == [MessageRole.SYSTEM, MessageRole.USER]
    assert "[page 1]\n7.3 Enable\nThe supply" in sent[0][1].text
    roles = [MessageRole.SYSTEM, MessageRole.USER, MessageRole.ASSISTANT, MessageRole.USER]
    assert [message.role for message in sent[1]] == roles
    assert sent[1][2].text == "## 7.3 Enable"
    overlap = sent[1][1].text.splitlines()
    assert overlap[-2:] == sent[0][1].text.splitlines()[-2:]


@pytest.mark.parametrize("n_context", [512, 900])
def test_a_context_that_is_too_small_is_told(n_context):
    with pytest.raises(QuestionError, match=f"{n_context} tokens is too small"):
        Formatter(flat(page_of(LONG)), n_context)


def test_a_document_without_words_is_told():
    with pytest.raises(QuestionError, match="no words"):
        Formatter(ParseResult(flat(page_of(LONG)).document, ()), 8192)


def test_a_heading_is_cut_out_of_its_paragraph_with_its_own_rectangle():
    page = page_of(LONG, ("7.3 Enable Pin",), LONG)
    rebuilt = read(flat(page), "### 7.3 ENABLE pin")
    blocks = rebuilt.document.blocks
    assert [block.kind for block in blocks] == ["text", "section_header", "text"]
    assert blocks[1].text == "7.3 Enable Pin"
    assert blocks[1].level == 3
    assert blocks[1].provenances[0].bbox.top == 70
    assert blocks[1].provenances[0].bbox.bottom == 80
    assert [word for block in blocks for word in block.text.split()] == [
        word.text for word in page.words
    ]


def test_a_heading_over_two_lines_and_one_without_its_number_have_their_place():
    page = page_of(LONG, ("4 Limits of the",), ("whole device",), LONG, ("5 Pins",), LONG)
    rebuilt = read(flat(page), "# 4 Limits of the whole device\n# Pins")
    assert headings_of(rebuilt.document) == [(1, "4 Limits of the whole device"), (1, "5 Pins")]


@pytest.mark.parametrize("said", ["# Enable", "# The supply must be stable", "# Absent", "#"])
def test_what_is_no_whole_line_of_the_page_is_no_heading(said):
    page = page_of(("7.3 Enable Pin",), LONG, ("8 Disable",))
    formatter = Formatter(flat(page), 8192)
    run(formatter, lambda _window: f"# 8 Disable\n{said}")
    rebuilt, n_unplaced = formatter.result()
    assert headings_of(rebuilt.document) == [(1, "8 Disable")]
    assert n_unplaced == (said != "#")


def test_offline_headings_that_the_model_does_not_know_are_text():
    pages = page_of(("Figure legend",)), page_of(("1 Scope",), LONG, page_no=2)
    rebuilt = read(flat(*pages, headings=["Figure legend"]), "# 1 Scope")
    assert headings_of(rebuilt.document) == [(1, "1 Scope")]
    assert rebuilt.document.blocks[0].text == "Figure legend"


def test_where_nothing_has_a_place_the_offline_headings_stay():
    first = [page_of(("1 Scope",)), page_of(*[LONG] * 60, page_no=2)]
    result = flat(*first, page_of(("2 Limits",), page_no=3), headings=["1 Scope", "2 Limits"])
    formatter = Formatter(result, 2048)
    assert len(formatter.windows) > 2
    run(formatter, lambda window: "## 1 Scope" if window is formatter.windows[0] else "# Lorem")
    assert headings_of(formatter.result()[0].document) == [(2, "1 Scope"), (1, "2 Limits")]


def test_an_answer_that_was_cut_off_changes_nothing():
    formatter = Formatter(flat(page_of(("1 Scope",), LONG)), 8192)
    run(formatter, lambda _window: "# 1 Scope", is_whole=False)
    assert formatter.n_cut == 1
    with pytest.raises(QuestionError, match="Nothing of what the model wrote"):
        formatter.result()


TABLE = """
**Table 2. Limits**

| Parameter | MIN | MAX |
|---|---|---|
| Supply voltage | 2.5 | 5.5 |
| Output current |  | 300 |
"""
ROWS = (
    ("Parameter", "MIN", "MAX"),
    ("Supply voltage", "2.5", "5.5"),
    ("Output current", "", "300"),
)


def test_a_table_stands_in_the_rectangle_of_its_cells():
    page = page_of(LONG, ("Table 2. Limits",), *ROWS, LONG)
    rebuilt = read(flat(page), TABLE)
    assert rebuilt.n_tables == 1
    (table,) = rebuilt.document.tables
    assert (table.n_rows, table.n_columns, table.n_header_rows) == (3, 3, 1)
    assert table.label == "Table 2"
    assert table.caption == "Limits"
    by_place = {(cell.row, cell.column): cell for cell in table.cells}
    assert by_place[2, 2].text == "300"
    assert by_place[2, 2].provenances[0].bbox.left == 290
    assert by_place[2, 1].text == ""
    assert table.provenances[0].bbox.top == 90
    assert table.provenances[0].bbox.bottom == 140
    assert [block.kind for block in rebuilt.document.blocks] == ["text", "table", "text"]
    assert "| Supply voltage | 2.5 | 5.5 |" in rebuilt.document.markdown


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("5.5", "5.6"),  # what the page does not say
        ("| Supply voltage | 2.5 | 5.5 |\n", ""),  # a row left out
        ("| Supply voltage | 2.5 | 5.5 |", "| Supply voltage | 5.5 | 2.5 |"),  # turned round
    ],
)
def test_a_table_that_is_not_the_page_s_is_dropped(said, changed):
    page = page_of(("1 Scope",), *ROWS, LONG)
    formatter = Formatter(flat(page), 8192)
    run(formatter, lambda _window: "# 1 Scope\n" + TABLE.replace(said, changed))
    rebuilt, n_unplaced = formatter.result()
    assert rebuilt.document.tables == ()
    assert n_unplaced == 1


@pytest.fixture(scope="module")
def sample() -> ParseResult:
    path = SAMPLES / "ORLUNDA_ORA217.pdf"
    return read_document(path, DocumentId("d" * 16), (path.name,), None, lambda *_page: None)


@pytest.mark.parametrize("n_context", [8192, 2048])
def test_a_model_that_reads_as_the_program_does_changes_nothing(sample, n_context):
    document = sample.document

    def write(window: Window) -> str:
        places = {
            (line.page_no, round(word.bbox.left, 1), round(word.bbox.top, 1))
            for line in window.lines
            for word in line.words
        }
        said = []
        for block in document.blocks:
            first = block.provenances[0]
            is_here = any(
                page_no == first.page_no
                and first.bbox.left - 1 <= left <= first.bbox.right
                and first.bbox.top - 1 <= top <= first.bbox.bottom
                for page_no, left, top in places
            )
            if is_here and block.kind is BlockKind.SECTION_HEADER:
                said.append(f"{'#' * block.level} {block.text}")
            elif is_here and block.kind is BlockKind.TABLE and block.element_index is not None:
                said.append(render_table(document.tables[block.element_index]))
        return "\n\n".join(said) or "NONE"

    formatter = Formatter(sample, n_context)
    run(formatter, write)
    rebuilt, _n_unplaced = formatter.result()
    assert rebuilt.n_tables > 3
    assert rebuilt.document == document
