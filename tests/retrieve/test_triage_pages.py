from __future__ import annotations

from dataclasses import replace

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    PageWords,
    Provenance,
    Table,
    TableCell,
    Word,
)
from desktop_qa.retrieve.triage import page_markdown
from tests.augment.builders import block, document, figure, heading, picture_block, place


def words(page_no: int, *lines: str) -> PageWords:
    """Words of lines that stand where `place` puts them, from the top."""
    return PageWords(
        page_no,
        tuple(
            Word(word, place(page_no, 20.0 * row).bbox)
            for row, line in enumerate(lines)
            for word in line.split()
        ),
    )


def test_a_page_is_what_stands_on_it_and_nothing_of_its_neighbours():
    source = document([heading("1 A"), block("First."), block("Second.", page_no=2)])
    assert page_markdown(source, words(1, "1 A", "First.")) == "# 1 A\n\nFirst.\n"
    assert page_markdown(source, words(2, "Second.")) == "Second.\n"
    assert page_markdown(source, words(3)) == ""


def test_a_paragraph_that_runs_over_is_cut_at_the_page():
    both = (place(1, 0.0), place(2, 0.0))
    source = document([Block(BlockKind.TEXT, "It begins here and ends there.", 0, both)])
    assert page_markdown(source, words(1, "It begins here")) == "It begins here\n"
    assert page_markdown(source, words(2, "and ends there.", "Not this.")) == "and ends there.\n"


def test_what_other_pages_say_of_a_figure_is_no_part_of_its_page():
    drawn = figure("Figure 1", "Figure 1. Loop", "R1 C1", mentions=("See Figure 1.",))
    source = document([picture_block()], figures=[drawn])
    assert page_markdown(source, words(1)) == "![Figure 1. Loop]()\n\n> Words inside: R1 C1\n"


LIMITS = (("Parameter", "Max"), ("Supply", "5.5"), ("Input", "3.6"), ("Output", "2.4"))


def over_two_pages() -> Table:
    """A table with its head and first row on page 1, and the rest on page 2."""
    cells = tuple(
        TableCell(row, column, 1, 1, text, row == 0, (place(1 if row < 2 else 2, 20.0 * row),))
        for row, texts in enumerate(LIMITS)
        for column, text in enumerate(texts)
    )
    box = BoundingBox(0, 0, 200, 100)
    places = (Provenance(1, box), Provenance(2, box))
    return Table("Table 1", "Limits", "", 4, 2, cells, ("(1) At 25 °C.",), places)


def test_a_table_that_runs_over_gives_each_page_its_rows():
    table = over_two_pages()
    source = document([Block(BlockKind.TABLE, "", 0, table.provenances, 0)], [table])

    first = page_markdown(source, words(1, "Table 1 Limits", "Parameter Max Supply 5.5"))
    assert first.splitlines() == [
        *("**Table 1. Limits**", "", "| Parameter | Max |", "| --- | --- |", "| Supply | 5.5 |"),
        *("", "(1) At 25 °C."),
    ]
    second = page_markdown(source, words(2, "Input 3.6 Output 2.4", "(1) At 25 °C."))
    assert second.splitlines() == [
        *("**Table 1. Limits**", "", "| Parameter | Max |", "| --- | --- |", "| Input | 3.6 |"),
        *("| Output | 2.4 |", "", "(1) At 25 °C."),
    ]


def test_a_cell_over_rows_of_both_pages_keeps_its_row_where_it_is_printed():
    table = over_two_pages()
    tall = TableCell(1, 0, 3, 1, "Supply", False, (place(1, 20),))
    cells = [c for c in table.cells if c.column == 1 or c.row == 0]
    table = replace(table, cells=(*cells, tall), notes=())
    source = document([Block(BlockKind.TABLE, "", 0, table.provenances, 0)], [table])
    assert page_markdown(source, words(1, "Parameter Max Supply 5.5")).splitlines()[-1] == (
        "| Supply | 5.5 |"
    )
    assert "Supply" not in page_markdown(source, words(2, "3.6 2.4"))
