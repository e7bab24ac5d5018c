"""Tables of a datasheet: ruled, with rules between rows only, without rules, and specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.platypus import Flowable, PageBreak, Paragraph, Spacer, Table

from sample_library_source.house import (
    ALIGNED,
    CELL,
    CELL_CENTRED,
    CELL_GROUP,
    CELL_HEADER,
    CELL_HEADER_LEFT,
    CONDITIONS,
    HEADINGS,
    INK,
    PALE,
    RULE,
    SHADE,
    TEXT_WIDTH,
    rich,
)

Command = tuple[Any, ...]
Span = tuple[int, int, int, int]
"""First column, first row, last column, last row; 0-based, header rows included."""

PADDING: tuple[Command, ...] = (
    ("LEFTPADDING", (0, 0), (-1, -1), 3.6),
    ("RIGHTPADDING", (0, 0), (-1, -1), 3.6),
    ("TOPPADDING", (0, 0), (-1, -1), 2.0),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2.6),
    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
)


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of notated text.

    Attributes:
        header: Header rows; an empty text beside or below a span is covered by it.
        rows: Body rows; a row of one text is a group heading over all columns.
        widths: Relative column widths.
        align: One of l, c, r for each column.
        spans: Cells that cover others, counted with the header rows.
        style: "ruled" (all lines), "rules" (between rows only) or "bare" (none).
    """

    header: Sequence[Sequence[str]]
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]
    align: str
    spans: Sequence[Span] = ()
    style: str = "ruled"

    def flowable(self, width: float = TEXT_WIDTH) -> Table:
        """Build the table; it repeats its header on the next page when it is split."""
        n_columns = len(self.widths)
        total = sum(self.widths)
        header_style = CELL_HEADER_LEFT if self.style == "bare" else CELL_HEADER
        cells: list[list[object]] = [
            [Paragraph(rich(text, 7.2), header_style) for text in row] for row in self.header
        ]
        commands: list[Command] = [*PADDING, *self._rules()]
        for row in self.rows:
            if len(row) == 1 and n_columns > 1:
                commands.append(("SPAN", (0, len(cells)), (-1, len(cells))))
                cells.append([Paragraph(rich(row[0], 7.6), CELL_GROUP), *[""] * (n_columns - 1)])
                continue
            cells.append(
                [
                    Paragraph(rich(text, 7.6), ALIGNED[how])
                    for text, how in zip(row, self.align, strict=True)
                ]
            )
        commands += [("SPAN", (c1, r1), (c2, r2)) for c1, r1, c2, r2 in self.spans]
        return Table(
            cells,
            colWidths=[width * share / total for share in self.widths],
            repeatRows=len(self.header),
            style=commands,
        )

    def _rules(self) -> list[Command]:
        last = len(self.header) - 1
        if self.style == "ruled":
            lines: list[Command] = [("GRID", (0, 0), (-1, -1), 0.5, RULE)]
            lines.append(("BOX", (0, 0), (-1, -1), 0.8, INK))
            if self.header:
                lines.append(("BACKGROUND", (0, 0), (-1, last), SHADE))
                lines.append(("LINEBELOW", (0, last), (-1, last), 0.8, INK))
            return lines
        if self.style == "rules":
            return [
                ("LINEABOVE", (0, 0), (-1, 0), 1.1, INK),
                ("LINEBELOW", (0, last), (-1, last), 0.8, INK),
                ("LINEBELOW", (0, last + 1), (-1, -2), 0.3, RULE),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, INK),
            ]
        return []


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a parameter: its conditions, up to two columns of them, and its values."""

    conditions: str = ""
    low: str = ""
    typical: str = ""
    high: str = ""
    unit: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A characteristic with its symbol and one or more lines."""

    symbol: str
    name: str
    lines: tuple[Line, ...]


def parameter(symbol: str, name: str, *lines: Line) -> Parameter:
    """Shorten the tables of the product modules."""
    return Parameter(symbol, name, lines)


SpecificationRow = str | Parameter
"""A group heading, or a parameter."""


class SpecificationTable(Flowable):
    """A table of characteristics that goes on over pages under its title with "(continued)"."""

    def __init__(
        self,
        title: str,
        number: str,
        conditions: str,
        rows: Sequence[SpecificationRow],
        notes: Sequence[Paragraph] = (),
    ) -> None:
        super().__init__()
        self._notes = tuple(notes)
        self._title, self._number, self._conditions = title, number, conditions
        self._rows = tuple(rows)
        self._n_condition_columns = 2 if _has_more(rows) else 1
        self._table = self._build(self._rows)
        self.spaceAfter = 4

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Size of the table with its footnotes, which stay with its last part."""
        self.width, self.height = self._table.wrap(width, height)
        if self._notes:
            self.height += 3 + sum(note.wrap(width, height)[1] + 1.2 for note in self._notes)
        return self.width, self.height

    def draw(self) -> None:
        """Paint the table and its footnotes."""
        y = self.height - self._table.wrap(self.width, self.height)[1]
        self._table.drawOn(self.canv, 0, y)
        y -= 3
        for note in self._notes:
            y -= note.wrap(self.width, self.height)[1]
            note.drawOn(self.canv, 0, y)
            y -= 1.2

    def split(self, width: float, height: float) -> list[Flowable]:
        """Cut before the parameter that no longer fits, never below a group heading."""
        n_kept = 0
        for index in range(1, len(self._rows) + 1):
            if self._build(self._rows[:index]).wrap(width, height)[1] > height:
                break
            n_kept = index
        n_kept = min(n_kept, len(self._rows) - 4)
        while n_kept and isinstance(self._rows[n_kept - 1], str):
            n_kept -= 1
        if n_kept < 4:
            return []
        head = SpecificationTable(self._title, self._number, self._conditions, self._rows[:n_kept])
        tail = SpecificationTable(
            self._title, self._number, self._conditions, self._rows[n_kept:], self._notes
        )
        tail._n_condition_columns = head._n_condition_columns = self._n_condition_columns
        head._table, tail._table = head._build(head._rows), tail._build(tail._rows)
        title = Paragraph(
            rich(f"{self._title} (continued)", 11),
            HEADINGS[2].clone("continued", keepWithNext=0),
            self._number,
        )
        return [head, PageBreak(), title, Paragraph(rich(self._conditions, 8.2), CONDITIONS), tail]

    def _build(self, rows: Sequence[SpecificationRow]) -> Table:
        n_extra = self._n_condition_columns - 1
        values = 3 + n_extra
        titles = ["PARAMETER", "", "TEST CONDITIONS", *[""] * n_extra, "MIN", "TYP", "MAX", "UNIT"]
        cells: list[list[object]] = [[Paragraph(text, CELL_HEADER) for text in titles]]
        commands: list[Command] = [
            *PADDING,
            ("SPAN", (0, 0), (1, 0)),
            ("SPAN", (2, 0), (2 + n_extra, 0)),
            ("BACKGROUND", (0, 0), (-1, 0), SHADE),
            ("GRID", (0, 0), (-1, -1), 0.45, RULE),
            ("BOX", (0, 0), (-1, -1), 0.8, INK),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, INK),
        ]
        for row in rows:
            top = len(cells)
            if isinstance(row, str):
                cells.append([Paragraph(rich(row, 7.6), CELL_GROUP), *[""] * (values + 3)])
                commands += [
                    ("SPAN", (0, top), (-1, top)),
                    ("BACKGROUND", (0, top), (-1, top), PALE),
                ]
                continue
            cells += [self._cells(row, line, index) for index, line in enumerate(row.lines)]
            commands += self._spans(row, top, n_extra)
        widths = [46, 103, 136, 44, 44, 44, 41] if not n_extra else [46, 96, 92, 76, 42, 42, 42, 38]
        scale = TEXT_WIDTH / sum(widths)
        return Table(cells, colWidths=[width * scale for width in widths], style=commands)

    def _cells(self, row: Parameter, line: Line, index: int) -> list[object]:
        conditions = [line.conditions, line.more][: self._n_condition_columns]
        first = [row.symbol, row.name] if not index else ["", ""]
        texts = [*first, *conditions]
        values = [line.low, line.typical, line.high, line.unit]
        return [
            *(Paragraph(rich(text, 7.6), CELL) if text else "" for text in texts),
            *(Paragraph(rich(text, 7.6), CELL_CENTRED) if text else "" for text in values),
        ]

    def _spans(self, row: Parameter, top: int, n_extra: int) -> list[Command]:
        bottom = top + len(row.lines) - 1
        spans: list[Command] = [("SPAN", (column, top), (column, bottom)) for column in (0, 1)]
        if n_extra:
            spans += [
                ("SPAN", (2, top + index), (3, top + index))
                for index, line in enumerate(row.lines)
                if not line.more
            ]
        start = 0
        for index in range(1, len(row.lines) + 1):
            if index == len(row.lines) or row.lines[index].unit:
                spans.append(("SPAN", (-1, top + start), (-1, top + index - 1)))
                start = index
        return spans


def _has_more(rows: Sequence[SpecificationRow]) -> bool:
    return any(line.more for row in rows if isinstance(row, Parameter) for line in row.lines)


class SideBySide(Flowable):
    """Columns of flowables under one another, tops aligned, that stay together on a page."""

    def __init__(self, columns: Sequence[Sequence[Flowable]], gutter: float) -> None:
        super().__init__()
        self._columns = [list(column) for column in columns]
        self._gutter = gutter
        self.spaceAfter = 6

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Size of the tallest column."""
        n_columns = len(self._columns)
        self._column_width = (width - self._gutter * (n_columns - 1)) / n_columns
        self._heights = [
            sum(self._height(item, index) for index, item in enumerate(column))
            for column in self._columns
        ]
        self.width, self.height = width, max(self._heights)
        return self.width, self.height

    def _height(self, item: Flowable, index: int) -> float:
        _, height = item.wrap(self._column_width, 10_000)
        before = item.getSpaceBefore() if index else 0.0
        return float(height + before + item.getSpaceAfter())

    def draw(self) -> None:
        """Paint each column from the top."""
        for number, column in enumerate(self._columns):
            x = number * (self._column_width + self._gutter)
            y = self.height
            for index, item in enumerate(column):
                width, height = item.wrapOn(self.canv, self._column_width, 10_000)
                y -= (item.getSpaceBefore() if index else 0.0) + height
                centred = getattr(item, "hAlign", "LEFT") == "CENTER"
                shift = (self._column_width - width) / 2 if centred else 0.0
                if not isinstance(item, Spacer):
                    item.drawOn(self.canv, x + shift, y)
                y -= item.getSpaceAfter()
