"""A parsed document as Markdown: real heading levels, tables, figures, lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.core.document import Block, BlockKind, Figure, Table, TableCell
from desktop_qa.core.stages import Stage, attempt

_INDENT = "    "
"""Of a nested item: the text of "10. " begins there, and what begins before it is no part of it."""

_SPECIAL = re.compile(r"([\\`*_|<>#\[\]])")


def render_markdown(
    blocks: Sequence[Block], tables: Sequence[Table], figures: Sequence[Figure]
) -> str:
    """Render blocks in reading order; furniture is left out."""
    parts: list[str] = []
    in_list = False
    for block in blocks:
        page_no = block.provenances[0].page_no if block.provenances else 0
        text = attempt(Stage.MARKDOWN, page_no, block.text, _block, block, tables, figures)
        if not text:
            continue
        is_item = block.kind == BlockKind.LIST_ITEM
        if parts:
            parts.append("\n" if is_item and in_list else "\n\n")
        parts.append(text)
        in_list = is_item
    return "".join(parts) + "\n" if parts else ""


def _block(block: Block, tables: Sequence[Table], figures: Sequence[Figure]) -> str:
    match block.kind:
        case BlockKind.PAGE_HEADER | BlockKind.PAGE_FOOTER:
            return ""
        case BlockKind.SECTION_HEADER:
            return f"{'#' * min(max(block.level, 1), 6)} {escape(block.text)}"
        case BlockKind.TABLE if block.element_index is not None:
            return render_table(tables[block.element_index])
        case BlockKind.PICTURE if block.element_index is not None:
            return _figure(figures[block.element_index])
        case BlockKind.LIST_ITEM:
            return _INDENT * max(block.level - 1, 0) + _item(block.text)
        case BlockKind.CODE:
            return f"```\n{block.text}\n```"
        case BlockKind.CAPTION:
            return f"*{escape(block.text)}*"
        case _:
            return escape(block.text)


def _figure(figure: Figure) -> str:
    """Render image and caption, and quoted below them what no text beside the figure says."""
    lines = [f"![{escape(figure.caption or figure.label)}]({figure.image_path})"]
    if figure.mentions:
        lines.append(f"> Named in: {escape(' '.join(figure.mentions))}")
    if figure.words:
        lines.append(f"> Words inside: {escape(' '.join(figure.words.split()))}")
    return "\n\n".join(lines)


def _item(text: str) -> str:
    marker, _, rest = text.partition(" ")
    if re.fullmatch(r"\d{1,3}[.)]", marker):
        return f"{marker} {escape(rest)}"
    if re.fullmatch(r"\(?[A-Za-z0-9]{1,4}[.)]", marker):
        return f"- {escape(text)}"
    return f"- {escape(rest or text)}"


def escape(text: str) -> str:
    """Keep characters of the page from being read as marks."""
    return _SPECIAL.sub(r"\\\1", text)


def table_title(table: Table) -> str:
    """Label and caption, the label once."""
    if not table.label or table.caption.casefold().startswith(table.label.casefold()):
        return table.caption
    return f"{table.label.rstrip('.:')}. {table.caption}".rstrip(" .")


def render_table(table: Table) -> str:
    """Render a table with its title above and its notes below.

    Markdown knows no spans: a spanning cell is repeated in each row it covers, and stands in the
    first of the columns it covers. It knows one header row: those of the table become one.
    """
    lines = []
    if title := table_title(table):
        lines += [f"**{escape(title)}**", ""]
    grid = table.grid()
    n_header = max(min(table.n_header_rows, len(grid)), 1)
    header = [_header_text(grid[:n_header], column) for column in range(table.n_columns)]
    lines += [_row(header), "|" + " --- |" * max(table.n_columns, 1)]
    for row in grid[n_header:]:
        own = (cell if cell and cell.column == c else None for c, cell in enumerate(row))
        lines.append(_row([_cell_text(cell) if cell else "" for cell in own]))
    for note in table.notes:
        lines += ["", escape(note)]
    return "\n".join(lines)


def _row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def _header_text(rows: Sequence[Sequence[TableCell | None]], column: int) -> str:
    """What names a column, from the top; empty where only names of its neighbour reach over it."""
    cells = list(dict.fromkeys(row[column] for row in rows))
    if not any(cell is not None and cell.column == column and cell.text for cell in cells):
        return ""
    return " ".join(_cell_text(cell) for cell in cells if cell is not None and cell.text)


def _cell_text(cell: TableCell) -> str:
    return escape(" ".join(cell.text.split()))
