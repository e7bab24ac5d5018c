"""The part of a document that stands on one page, as Markdown.

What runs over from the page before or on to the next is cut at the page: a paragraph to its words
there, a table to its head and its rows there.
"""

from __future__ import annotations

from dataclasses import replace

from desktop_qa.core.document import Block, BlockKind, Document, PageWords, Table
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
            tables[index] = _rows_on(tables[index], page.page_no)
        elif block.kind is BlockKind.PICTURE and index is not None:
            # What other pages say of a figure is left out.
            figures[index] = replace(figures[index], mentions=(), surroundings="")
        elif len(here) < len(block.provenances):
            block = replace(block, text=quote_of(words_within([page], here)))
        blocks.append(block)
    return render_markdown(blocks, tables, figures)


def _rows_on(table: Table, page_no: int) -> Table:
    """Cut a table to its head and its rows on a page."""
    if all(place.page_no == page_no for place in table.provenances):
        return table
    cells = [
        cell
        for cell in table.cells
        if cell.row < table.n_header_rows or any(p.page_no == page_no for p in cell.provenances)
    ]
    number = {row: index for index, row in enumerate(sorted({cell.row for cell in cells}))}
    kept = (
        replace(
            cell,
            row=number[cell.row],
            row_span=sum(cell.row <= row < cell.row + cell.row_span for row in number),
            row_path=(),
            column_path=(),
        )
        for cell in cells
    )
    return replace(table, n_rows=len(number), cells=tuple(kept))
