"""Tables as lines of text: for a person, for the vector, and for the lexical index."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_qa.augment.sentences import split_at_words, split_sentences
from desktop_qa.core.document import Table, TableCell

_VALUE = re.compile(
    r"^(?:[~≈<>≤≥=±+\-–−]*\s*(?:0[xb])?[\d.,/]+\s*(?:\S{1,6})?(?:\s*(?:to|\.\.\.?|–|-|±)\s*\S+)?"
    r"|[0-9A-F]{2,8}h|[\-–—−]+|n/?a|tbd|[01x]{1,8}b?|[µμumkMGnp]?(?:V|A|W|Hz|s|F|Ω|H|g|m|dB|bits?"
    r"|LSB|K)(?:[/·]\S+)?|°[CF]|%\S*|ppm\S*)$",
    re.IGNORECASE,
)
_MAX_VALUE_LENGTH = 60
_DATA_HEADER = re.compile(
    r"^(?:min|typ|max|nom|minimum|typical|maximum|nominal|units?|values?|typ\.|min\.|max\.)"
    r"(?:\s*\(\d\))*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell of a row line; `place` tells a cell that spans rows from its equals."""

    text: str
    is_label: bool
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A body row as text.

    Attributes:
        index: Row in the table's grid, 0-based.
        cells: Distinct cells from left to right, empty ones too.
        group: What heads it from rows above: group headings, a name printed once; "" for nothing.
        is_group: True for a row that only names the rows below it.
    """

    index: int
    cells: tuple[RowCell, ...]
    group: str = ""
    is_group: bool = False

    @property
    def text(self) -> str:
        """Cells separated by " | ", columns kept."""
        line = " | ".join(cell.text for cell in self.cells)
        return re.sub(r"(?<=\|)\s{2,}(?=\|)", " ", line).strip().rstrip("| ").strip()

    @property
    def lexical(self) -> str:
        """Filled cells separated by spaces: neighbours stay neighbours."""
        return " ".join(cell.text for cell in self.cells if cell.text)

    def labels(self, before: TableRow | None = None) -> str:
        """Return the row's labels, without the cells it shares with the row before."""
        shared = {cell.place for cell in before.cells} if before is not None else set()
        return " ".join(
            cell.text
            for cell in self.cells
            if cell.is_label and cell.text not in ("", "-") and cell.place not in shared
        )


@dataclass(frozen=True, slots=True)
class TableText:
    """A table ready to be cut into row groups.

    Attributes:
        title: "Table 7-2. caption".
        header: One line naming the columns, as a person reads it; "" without header rows.
        header_words: The header's cells in reading order, each once.
        rows: The body.
    """

    title: str
    header: str
    header_words: str
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]


def table_title(label: str, caption: str) -> str:
    """Join label and caption, as in "Table 7-2. Switching Frequency Conditions"."""
    label, caption = " ".join(label.split()), " ".join(caption.split())
    if not label or caption.casefold().startswith(label.casefold()):
        return caption
    return f"{label}. {caption}" if caption else label


def read_table(table: Table) -> TableText:
    """Turn a table into lines.

    A cell that spans rows is repeated in each of them, so that a row says everything by itself;
    a cell that spans columns stands once in its row.
    """
    grid = table.grid()
    n_header = min(table.n_header_rows, table.n_rows)
    if n_header == table.n_rows:
        n_header = 0  # a table of headers only: its rows are all there is to read
    label_columns = _label_columns(table, grid, n_header)
    rows = []
    for index in range(n_header, table.n_rows):
        cells = _row_cells(grid[index], label_columns)
        if not any(cell.text for cell in cells):
            continue
        is_group = _is_group_row(cells, table.n_columns)
        if is_group:
            cells = tuple(replace(cell, is_label=True) for cell in cells)
        group = "" if is_group else _headed_by(table, grid[index], index)
        rows.append(TableRow(index, cells, group, is_group))
    return TableText(
        title=table_title(table.label, table.caption),
        header=_header_line(grid[:n_header], table.n_columns),
        header_words=_header_words(grid[:n_header]),
        rows=tuple(rows),
        notes=tuple(" ".join(note.split()) for note in table.notes if note.strip()),
    )


def _is_value(text: str) -> bool:
    # The bound keeps the expression from backtracking over pages of dots or digits.
    return len(text) <= _MAX_VALUE_LENGTH and _VALUE.match(text) is not None


def _clean(cell: TableCell | None) -> str:
    return " ".join(cell.text.split()) if cell is not None else ""


def _row_cells(
    row: Sequence[TableCell | None], label_columns: frozenset[int]
) -> tuple[RowCell, ...]:
    cells: list[RowCell] = []
    before: TableCell | None = None
    for column, cell in enumerate(row):
        if cell is not None and cell is before:
            continue
        place = (cell.row, cell.column) if cell is not None else (-1, column)
        cells.append(RowCell(_clean(cell), column in label_columns, place))
        before = cell
    return tuple(cells)


def _is_group_row(cells: Sequence[RowCell], n_columns: int) -> bool:
    filled = [cell for cell in cells if cell.text]
    return (
        n_columns > 1
        and len(filled) == 1
        and filled[0] is cells[0]
        and len(filled[0].text) <= 80
        and not _is_value(filled[0].text)
    )


def _headed_by(table: Table, row: Sequence[TableCell | None], index: int) -> str:
    """Return the part of a row's path that stands above it, outermost first."""
    paths = (cell.row_path for cell in row if cell is not None and cell.row == index)
    path = max(paths, key=len, default=())
    above = (table.cells[i] for i in path)
    return " | ".join(
        " ".join(cell.text.split()) for cell in above if cell.row + cell.row_span <= index
    )


def _label_columns(
    table: Table, grid: Sequence[Sequence[TableCell | None]], n_header: int
) -> frozenset[int]:
    """Columns whose cells name or describe rather than give a value."""
    labels = []
    for column in range(table.n_columns):
        header = [_clean(grid[row][column]) for row in range(n_header)]
        texts = [_clean(grid[row][column]) for row in range(n_header, table.n_rows)]
        texts = [text for text in texts if text]
        n_values = sum(_is_value(text) for text in texts)
        is_data = bool(header and _DATA_HEADER.match(header[-1])) or (
            bool(texts) and n_values >= 0.6 * len(texts)
        )
        if not is_data and texts:
            labels.append(column)
    return frozenset(labels or [0])


def _header_line(rows: Sequence[Sequence[TableCell | None]], n_columns: int) -> str:
    names: list[str] = []
    for column in range(n_columns):
        parts: dict[str, None] = {}
        for row in rows:
            if text := _clean(row[column]):
                parts[text] = None
        names.append(" ".join(parts))
    merged = [name for i, name in enumerate(names) if i == 0 or name != names[i - 1]]
    return " | ".join(merged) if any(merged) else ""


def _header_words(rows: Sequence[Sequence[TableCell | None]]) -> str:
    seen: dict[int, str] = {}
    for row in rows:
        for cell in row:
            if cell is not None and cell.text.strip():
                seen.setdefault(id(cell), _clean(cell))
    return " ".join(seen.values())


def split_row(
    row: TableRow, text_limit: int, label_limit: int, count_tokens: Callable[[str], int]
) -> list[TableRow]:
    """Split a row that alone is over a limit; each part repeats the row's other cells.

    The longest cell is cut at sentence ends, else between words; when the other cells leave it no
    room, the whole row is cut as one text.
    """
    if _row_fits(row, text_limit, label_limit, count_tokens):
        return [row]
    sizes = [count_tokens(cell.text) for cell in row.cells]
    longest = max(range(len(sizes)), key=sizes.__getitem__)
    others = tuple(cell for i, cell in enumerate(row.cells) if i != longest)
    room = text_limit - count_tokens(replace(row, cells=others).text) - 2
    if row.cells[longest].is_label:
        room = min(room, label_limit - count_tokens(replace(row, cells=others).labels()) - 1)
    if room < min(text_limit, label_limit) // 3:
        whole = RowCell(row.lexical, True, row.cells[0].place)
        room, longest = min(text_limit, label_limit), 0
        row = replace(row, cells=(whole,))
    cell = row.cells[longest]
    return [
        replace(
            row, cells=(*row.cells[:longest], replace(cell, text=part), *row.cells[longest + 1 :])
        )
        for part in pack_sentences(cell.text, room, count_tokens)
    ]


def _row_fits(
    row: TableRow, text_limit: int, label_limit: int, count_tokens: Callable[[str], int]
) -> bool:
    return count_tokens(row.text) <= text_limit and count_tokens(row.labels()) <= label_limit


def pack_sentences(text: str, limit: int, count_tokens: Callable[[str], int]) -> list[str]:
    """Cut a text into parts of at most `limit` tokens, at sentence ends where there are any."""
    parts: list[str] = []
    current, used = "", 0
    for sentence in split_sentences(text):
        for piece in split_at_words(sentence, limit, count_tokens):
            size = count_tokens(piece)
            if current and used + size > limit:
                parts.append(current)
                current, used = "", 0
            current = f"{current} {piece}".strip()
            used += size
    if current:
        parts.append(current)
    return parts
