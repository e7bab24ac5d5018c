"""Tables as row groups that fit: the whole table when it does, else even groups of whole rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from desktop_qa.augment.partition import partition
from desktop_qa.augment.table_text import TableRow, TableText, pack_sentences, split_row
from desktop_qa.core.document import BoundingBox, Provenance, Table

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


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens left for a group's `body` and for its `labels`, header included."""

    body: int
    labels: int


def group_rows(
    text: TableText, limits: Limits, count_tokens: Callable[[str], int], *, embed_data: bool = False
) -> list[RowGroup]:
    """Cut a table into row groups that fit both limits; a row is split only when it alone is over.

    Args:
        text: The table's lines.
        limits: Tokens of a group.
        count_tokens: The embedder's count.
        embed_data: Leave the data fields in the vector's text, for ablation.
    """
    return _Grouper(text, limits, count_tokens, embed_data=embed_data).groups()


_LEAST_ROOM = 16
"""Tokens of a row that are taken together however small the limit is."""


class _Grouper:
    def __init__(
        self,
        text: TableText,
        limits: Limits,
        count_tokens: Callable[[str], int],
        *,
        embed_data: bool,
    ) -> None:
        self._count = count_tokens
        self._limits = limits
        self._embed_data = embed_data
        self._first_row = text.rows[0].index if text.rows else 0
        self._end_row = text.rows[-1].index + 1 if text.rows else 0
        self._header, self._header_words = text.header, text.header_words
        # A header that takes a third of the room was probably a body row: it is shown once, cut
        # like any text, and not repeated.
        self._long_header = ""
        if (
            count_tokens(self._header) > limits.body // 3
            or count_tokens(self._header_words) > limits.labels // 2
        ):
            self._long_header, self._header, self._header_words = text.header_words, "", ""
        # Limits far below the embedder's own may leave nothing beside the context and the header.
        self._body_room = max(limits.body - self._size(self._header), _LEAST_ROOM)
        self._label_room = max(limits.labels - self._size(self._header_words), _LEAST_ROOM)
        self._rows = [part for row in text.rows for part in self._row_parts(row)]
        self._notes = [part for note in text.notes for part in self._parts(note)]

    def _size(self, text: str) -> int:
        return self._count(text) + 1 if text else 0

    def _row_parts(self, row: TableRow) -> list[TableRow]:
        group_size = self._size(row.group)
        body, labels = self._body_room - group_size, self._label_room - group_size
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
        full = [*(self._label_size(row, None) for row in rows), *notes]
        new = _sums([*self._new_label_sizes(), *no_labels])
        group = [*(self._size(row.group) for row in rows), *no_labels]
        costs = [*map(self._break_cost, range(len(rows))), *(_BREAK_BEFORE_NOTE for _ in notes)]

        def fill(first: int, last: int) -> float:
            n_body = body[last + 1] - body[first] + group[first]
            n_labels = full[first] + new[last + 1] - new[first + 1] + group[first]
            if first >= len(rows):  # notes alone are embedded, for want of labels
                n_labels = n_body
            return max(n_body / self._body_room, n_labels / self._label_room)

        return partition(len(costs), fill, costs)

    def _new_label_sizes(self) -> list[int]:
        before: list[TableRow | None] = [None, *self._rows]
        return [self._label_size(row, before[i]) for i, row in enumerate(self._rows)]

    def _label_size(self, row: TableRow, before: TableRow | None) -> int:
        text = row.lexical if self._embed_data else row.labels(before)
        return self._count(text) + 1 if text else 0

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
        lines = [self._header, opening, *(row.text for row in rows), *notes]
        labels = [self._header_words, opening]
        for i, row in enumerate(rows):
            labels.append(
                row.lexical if self._embed_data else row.labels(rows[i - 1] if i else None)
            )
        lexical = [self._header_words, opening, *(row.lexical for row in rows), *notes]
        return RowGroup(
            body=_lines(lines),
            labels=_lines(labels),
            lexical=_lines(lexical),
            first_row=rows[0].index,
            n_rows=rows[-1].index - rows[0].index + 1,
            with_header=rows[0].index == self._first_row and not self._long_header,
            prose=tuple(notes),
        )

    def _parts(self, text: str) -> list[str]:
        limit = min(self._body_room, self._label_room)
        return pack_sentences(text, limit, self._count) if text else []

    def _prose(self, parts: Sequence[str]) -> RowGroup:
        text = _lines(parts)
        return RowGroup(text, text, text, self._end_row, 0, with_header=True, prose=tuple(parts))


def _sums(sizes: Sequence[int]) -> list[int]:
    return [0, *accumulate(sizes)]


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)


def places_of_rows(table: Table, group: RowGroup) -> tuple[Provenance, ...]:
    """Return where a group stands: a rectangle for its rows on each page, and one for each cell
    above them that is repeated in the group.

    The header is part of the first group's places only.
    """  # noqa: D205
    if group.n_rows == 0:
        return ()
    end_row = group.first_row + group.n_rows
    boxes: dict[int, BoundingBox] = {}
    repeated: list[Provenance] = []
    for cell in table.cells:
        if cell.row >= end_row:
            continue
        starts_inside = cell.row >= group.first_row
        if starts_inside or (group.with_header and cell.row < table.n_header_rows):
            for place in cell.provenances:
                box = boxes.get(place.page_no)
                boxes[place.page_no] = box.union(place.bbox) if box else place.bbox
        elif not cell.is_header and cell.row + cell.row_span > group.first_row:
            repeated += cell.provenances
    places = [Provenance(page_no, box) for page_no, box in sorted(boxes.items())]
    return (*places, *repeated)


def whole_places(table: Table) -> tuple[Provenance, ...]:
    """Return where the words of the whole table stand, one rectangle a page."""
    boxes: dict[int, BoundingBox] = {}
    for cell in table.cells:
        for place in cell.provenances if cell.text else ():
            box = boxes.get(place.page_no)
            boxes[place.page_no] = box.union(place.bbox) if box else place.bbox
    return tuple(Provenance(n, box) for n, box in sorted(boxes.items())) or table.provenances
