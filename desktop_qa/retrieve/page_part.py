"""The part of a document that stands on one page, as Markdown.

What runs over from the page before or on to the next is cut at the page: a paragraph to its words
there, a table to its rows there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from desktop_qa.core.document import (
    Block,
    BlockKind,
    Document,
    Figure,
    PageWords,
    Table,
    TableCell,
)
from desktop_qa.core.word_places import quote_of, words_within
from desktop_qa.parse.markdown import render_markdown


def page_markdown(document: Document, page: PageWords) -> str:
    """Return what stands on a page, in reading order; headers and footers are left out.

    Args:
        document: As it was read.
        page: The words of the page.
    """
    blocks: list[Block] = []
    tables, figures = list(document.tables), list(document.figures)
    for block in document.blocks:
        here = [place for place in block.provenances if place.page_no == page.page_no]
        if not here:
            continue
        index = block.element_index
        if block.kind is BlockKind.TABLE and index is not None:
            tables[index] = _rows_on(tables[index], page)
        elif block.kind is BlockKind.PICTURE and index is not None:
            figures[index] = _alone(figures[index])
        elif len(here) < len(block.provenances):
            block = replace(block, text=quote_of(words_within([page], here)))
        blocks.append(block)
    return render_markdown(blocks, tables, figures)


def _alone(figure: Figure) -> Figure:
    """Leave out what other pages may say of a figure."""
    return replace(figure, mentions=(), surroundings="")


def _rows_on(table: Table, page: PageWords) -> Table:
    """Cut a table to its rows on a page; a title, head and notes stay if they are printed there."""
    if all(place.page_no == page.page_no for place in table.provenances):
        return table
    printed = {word.text for word in page.words}

    def is_printed(texts: Iterable[str]) -> bool:
        return {word for text in texts for word in text.split()} <= printed

    head = [cell for cell in table.cells if cell.row < table.n_header_rows]
    cells = [cell for cell in table.cells if cell.row >= table.n_header_rows and _is_on(cell, page)]
    if is_printed(cell.text for cell in head):
        cells = head + cells
    number = {row: index for index, row in enumerate(sorted({cell.row for cell in cells}))}
    return replace(
        table,
        label=table.label if is_printed([table.label]) else "",
        caption=table.caption if is_printed([table.caption]) else "",
        n_rows=len(number),
        cells=tuple(
            replace(
                cell,
                row=number[cell.row],
                row_span=sum(cell.row <= row < cell.row + cell.row_span for row in number),
                row_path=(),
                column_path=(),
            )
            for cell in cells
        ),
        notes=tuple(note for note in table.notes if is_printed([note])),
    )


def _is_on(cell: TableCell, page: PageWords) -> bool:
    return any(place.page_no == page.page_no for place in cell.provenances)
