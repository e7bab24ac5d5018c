"""The Markdown of one page out of the document it was read in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop_qa.augment.narrowing import Narrower
from desktop_qa.core.document import Block, BlockKind, Figure, ParseResult, Table
from desktop_qa.parse.markdown import escape, render_markdown


def blocks_of(result: ParseResult, page_no: int) -> list[Block]:
    """Blocks with a place on a page, in reading order."""
    return [
        block
        for block in result.document.blocks
        if any(place.page_no == page_no for place in block.provenances)
    ]


def table_on_page(result: ParseResult, table: Table, page_no: int) -> Table:
    """Return the header of a table, with the rows and notes that stand on one page."""
    narrower = Narrower(result.page_words)
    rows = set(range(table.n_header_rows))
    for cell in table.cells:
        if any(place.page_no == page_no for place in cell.provenances):
            rows.update(range(cell.row, cell.row + cell.row_span))
    kept = sorted(rows)
    new_row = {row: index for index, row in enumerate(kept)}
    cells = []
    for cell in table.cells:
        covered = [row for row in range(cell.row, cell.row + cell.row_span) if row in rows]
        if covered:
            cells.append(replace(cell, row=new_row[covered[0]], row_span=len(covered)))
    notes = tuple(note for note in table.notes if narrower.find(note, [page_no]))
    return replace(table, cells=tuple(cells), n_rows=len(kept), notes=notes)


def page_markdown(result: ParseResult, page_no: int, figure_markup: Callable[[Figure], str]) -> str:
    """Render the blocks of a page as the program does.

    Args:
        result: Of reading the document.
        page_no: 1-based.
        figure_markup: Gives what stands for a figure.
    """
    document = result.document
    tables = [table_on_page(result, table, page_no) for table in document.tables]
    parts = []
    for block in _with_lists_together(blocks_of(result, page_no)):
        if isinstance(block, Block) and block.kind == BlockKind.PICTURE:
            assert block.element_index is not None
            parts.append(figure_markup(document.figures[block.element_index]))
        else:
            of = [block] if isinstance(block, Block) else block
            parts.append(render_markdown(of, tables, document.figures).rstrip("\n"))
    return "\n\n".join(part for part in parts if part)


def _with_lists_together(blocks: list[Block]) -> list[Block | list[Block]]:
    """Gather neighbouring items, which only together are a list."""
    grouped: list[Block | list[Block]] = []
    for block in blocks:
        if block.kind != BlockKind.LIST_ITEM:
            grouped.append(block)
        elif grouped and isinstance(grouped[-1], list):
            grouped[-1].append(block)
        else:
            grouped.append([block])
    return grouped


def figure_markup(figure: Figure, source: str, width: int) -> str:
    """Show a figure's image, smaller than it is drawn, with its caption below."""
    image = f'<img src="{source}" width="{width}" alt="{figure.label or "figure"}">'
    return f"{image}<br>*{escape(figure.caption)}*" if figure.caption else image
