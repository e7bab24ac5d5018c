"""Tables as lines of text, in row groups that fit: the whole table, else even runs of rows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from desktop_qa.augment.sentences import partition, split_at_words, split_sentences
from desktop_qa.core.document import BOUNDS, BoundingBox, ColumnRole, Provenance, Table, TableCell

_BREAK_IN_PARAMETER = 0.4
_BREAK_AFTER_GROUP_ROW = 2.0
_BREAK_BETWEEN_ROWS = 0.1
_BREAK_BEFORE_NOTE = 0.5


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A run of rows with what is repeated around them, as the parts of a segment's texts.

    Attributes:
        body: Lines for a person: header, rows, notes.
        labels: Semantic elements for the vector: header words and row labels.
        lexical: Header words, all cells and notes in reading order.
        first_row: In the table's grid.
        n_rows: 0 when the group holds notes only.
        with_header: True for the group that shows the header first.
        prose: Lines of `body` that are in no cell: notes, and a header too long to be one.
    """

    body: str
    labels: str
    lexical: str
    first_row: int
    n_rows: int
    with_header: bool
    prose: tuple[str, ...] = ()


_LEAST_ROOM = 16
"""Tokens of a row that are taken together however small the limit is."""


class RowGrouper:
    """Cuts a table into row groups; a row is split only when it alone is over a limit."""

    def __init__(
        self,
        text: TableText,
        body_limit: int,
        label_limit: int,
        count_tokens: Callable[[str], int],
        *,
        embed_data: bool,
    ) -> None:
        """Take a table.

        Args:
            text: The table.
            body_limit: Tokens left for a group's `body`, header included.
            label_limit: The same for its `labels`.
            count_tokens: Returns the number of tokens of a text.
            embed_data: Lets the vector's text have the data fields, for ablation.
        """
        self._count = count_tokens
        self._embed_data = embed_data
        self._first_row = text.rows[0].index if text.rows else 0
        self._end_row = text.rows[-1].index + 1 if text.rows else 0
        self._header, self._header_words = text.header, text.header_words
        # A header that takes a third of the room was probably a body row: it is shown once, cut
        # like any text, and not repeated.
        self._long_header = ""
        if (
            count_tokens(self._header) > body_limit // 3
            or count_tokens(self._header_words) > label_limit // 2
        ):
            self._long_header, self._header, self._header_words = text.header_words, "", ""
        # Limits far below the embedder's own may leave nothing beside the context and the header.
        self._body_room = max(body_limit - self._size(self._header), _LEAST_ROOM)
        self._label_room = max(label_limit - self._size(self._header_words), _LEAST_ROOM)
        self._rows = [part for row in text.rows for part in self._row_parts(row)]
        self._notes = [part for note in text.notes for part in self._parts(note)]

    def _size(self, text: str) -> int:
        return self._count(text) + 1 if text else 0

    def _row_parts(self, row: TableRow) -> list[TableRow]:
        group_size = self._size(row.group)
        body, labels = self._body_room - group_size, self._label_room - group_size
        if min(body, labels) < 2 * group_size:  # no heading: it stands in a row above
            row, body, labels = replace(row, group=""), self._body_room, self._label_room
        if self._embed_data:
            body = min(body, labels)
        return split_row(row, body, labels, self._count)

    def groups(self) -> list[RowGroup]:
        """Return the groups in order; the notes follow the last rows."""
        groups = [self._prose([part]) for part in self._parts(self._long_header)]
        n_rows = len(self._rows)
        for first, last in self._cuts():
            notes = self._notes[max(first - n_rows, 0) : max(last + 1 - n_rows, 0)]
            rows = self._rows[first : last + 1]
            groups.append(self._group(rows, notes) if rows else self._prose(notes))
        return groups

    def _cuts(self) -> list[tuple[int, int]]:
        """Cut the rows and the notes behind them into groups."""
        rows, notes = self._rows, [self._count(note) for note in self._notes]
        no_labels = [0] * len(notes)
        body = _sums([*(self._count(row.text) for row in rows), *notes])
        full = [*(self._size(self._labels(row, None)) for row in rows), *notes]
        labels = map(self._labels, rows, (None, *rows))
        new = _sums([*map(self._size, labels), *no_labels])
        group = [*(self._size(row.group) for row in rows), *no_labels]
        costs = [*map(self._break_cost, range(len(rows))), *(_BREAK_BEFORE_NOTE for _ in notes)]

        def fill(first: int, last: int) -> float:
            n_body = body[last + 1] - body[first] + group[first]
            n_labels = full[first] + new[last + 1] - new[first + 1] + group[first]
            if first >= len(rows):  # notes alone are embedded, for want of labels
                n_labels = n_body
            return max(n_body / self._body_room, n_labels / self._label_room)

        return partition(len(costs), fill, costs)

    def _labels(self, row: TableRow, before: TableRow | None) -> str:
        return row.lexical if self._embed_data else row.labels(before)

    def _break_cost(self, i: int) -> float:
        """Return the cost of a break before row i."""
        if i == 0:
            return 0.0
        before, row = self._rows[i - 1], self._rows[i]
        if before.is_group:
            return _BREAK_AFTER_GROUP_ROW
        if row.is_group:
            return 0.0
        shared = {cell.place for cell in before.cells if cell.text}
        if any(cell.text and cell.place in shared for cell in row.cells):
            return _BREAK_IN_PARAMETER
        return _BREAK_BETWEEN_ROWS

    def _group(self, rows: Sequence[TableRow], notes: Sequence[str]) -> RowGroup:
        opening = "" if rows[0].is_group else rows[0].group
        labels = map(self._labels, rows, (None, *rows))
        lexical = (row.lexical for row in rows)
        return RowGroup(
            body=joined(self._header, opening, *(row.text for row in rows), *notes),
            labels=joined(self._header_words, opening, *labels),
            lexical=joined(self._header_words, opening, *lexical, *notes),
            first_row=rows[0].index,
            n_rows=rows[-1].index - rows[0].index + 1,
            with_header=rows[0].index == self._first_row and not self._long_header,
            prose=tuple(notes),
        )

    def _parts(self, text: str) -> list[str]:
        limit = min(self._body_room, self._label_room)
        return pack_sentences(text, limit, self._count) if text else []

    def _prose(self, parts: Sequence[str]) -> RowGroup:
        text = joined(*parts)
        return RowGroup(text, text, text, self._end_row, 0, with_header=True, prose=tuple(parts))


def _sums(sizes: Sequence[int]) -> list[int]:
    return [0, *accumulate(sizes)]


def joined(*parts: str, by: str = "\n") -> str:
    """Join the parts that say something, as lines."""
    return by.join(filter(None, parts))


def places_of_rows(table: Table, group: RowGroup) -> tuple[Provenance, ...]:
    """Return where a group stands: a rectangle for its rows on each page, and one for each cell
    above them that is repeated in the group.

    The header is part of the first group's places only.
    """  # noqa: D205
    if group.n_rows == 0:
        return ()
    end_row = group.first_row + group.n_rows
    own: list[Provenance] = []
    repeated: list[Provenance] = []
    for cell in table.cells:
        if cell.row >= end_row:
            continue
        starts_inside = cell.row >= group.first_row
        if starts_inside or (group.with_header and cell.row < table.n_header_rows):
            own += cell.provenances
        elif not cell.is_header and cell.row + cell.row_span > group.first_row:
            repeated += cell.provenances
    return (*_by_page(own), *repeated)


def whole_places(table: Table) -> tuple[Provenance, ...]:
    """Return where the words of the whole table stand, one rectangle a page."""
    filled = (place for cell in table.cells if cell.text for place in cell.provenances)
    return tuple(_by_page(filled)) or table.provenances


def _by_page(places: Iterable[Provenance]) -> list[Provenance]:
    """Join places to one rectangle a page."""
    boxes: dict[int, BoundingBox] = {}
    for place in places:
        box = boxes.get(place.page_no)
        boxes[place.page_no] = box.union(place.bbox) if box else place.bbox
    return [Provenance(page_no, box) for page_no, box in sorted(boxes.items())]


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
        group = " | ".join(_clean(cell.text) for cell in above or ())
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
    return joined(*over_all, line)


def split_row(
    row: TableRow, text_limit: int, label_limit: int, count_tokens: Callable[[str], int]
) -> list[TableRow]:
    """Split a row that alone is over a limit; each part repeats the row's other cells.

    The longest cell is cut at sentence ends, else between words; when the other cells leave it no
    room, the whole row is cut as one text.
    """
    if count_tokens(row.text) <= text_limit and count_tokens(row.labels()) <= label_limit:
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
