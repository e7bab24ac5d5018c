"""Tables as lines of text: for a person, for the vector, and for the lexical index."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_qa.augment.sentences import split_at_words, split_sentences
from desktop_qa.core.document import BOUNDS, ColumnRole, Table, TableCell

_MIN_SHARE_OF_VALUES = 0.6
_NO_LETTER = re.compile(r"\W*(?:[\d_]|$)")


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
    n_header = table.n_header_rows
    if n_header == table.n_rows:
        n_header = 0  # a table of headers only: its rows are all there is to read
    label_columns = _label_columns(table, grid[n_header:])
    rows = []
    for index, above in enumerate(table.headings()[n_header:], start=n_header):
        cells = _row_cells(grid[index], label_columns)
        if not any(cell.text for cell in cells):
            continue
        if above is None:
            cells = tuple(replace(cell, is_label=True) for cell in cells)
        group = " | ".join(map(_clean, above or ()))
        rows.append(TableRow(index, cells, group, is_group=above is None))
    heads = list(dict.fromkeys(c for row in grid[:n_header] for c in row if c))
    return TableText(
        title=table_title(table.label, table.caption),
        header=_header_line(table, heads),
        header_words=" ".join(text for cell in heads if (text := _clean(cell.text))),
        rows=tuple(rows),
        notes=tuple(" ".join(note.split()) for note in table.notes if note.strip()),
    )


def _clean(text: str) -> str:
    return " ".join(text.split())


def _row_cells(
    row: Sequence[TableCell | None], label_columns: frozenset[int]
) -> tuple[RowCell, ...]:
    cells: list[RowCell] = []
    before: TableCell | None = None
    for column, cell in enumerate(row):
        if cell is not None and cell is before:
            continue
        place = (cell.row, cell.column) if cell is not None else (-1, column)
        text = _clean(cell.text) if cell is not None else ""
        cells.append(RowCell(text, column in label_columns, place))
        before = cell
    return tuple(cells)


def _label_columns(table: Table, body: Sequence[Sequence[TableCell | None]]) -> frozenset[int]:
    """Columns whose cells name or describe rather than give a value."""
    labels = []
    for index, column in enumerate(table.columns):
        texts = [cell.text for row in body if (cell := row[index]) is not None and cell.text]
        n_values = sum(_NO_LETTER.match(text) is not None for text in texts)
        is_data = column.role in (*BOUNDS, ColumnRole.UNIT)
        if not is_data and n_values < _MIN_SHARE_OF_VALUES * len(texts):
            labels.append(index)
    return frozenset(labels or [0])


def _header_line(table: Table, heads: Iterable[TableCell]) -> str:
    """Name the columns from left to right, below what is said over all of them."""
    names = (" ".join(dict.fromkeys(map(_clean, table.texts(own)))) for own in table.heads())
    line = " | ".join(name for name, _run in itertools.groupby(names)).strip(" |")
    over_all = (_clean(cell.text) for cell in heads if cell.column_span == table.n_columns)
    return "\n".join(text for text in (*over_all, line) if text)


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
