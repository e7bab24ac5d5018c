"""Rows of tables: texts put into columns, as the generators of datasheets put them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hard_pages.pen import PLAIN, Color, Pen, Style

_LINE = 10.0
"""Distance of the lines within a cell, in points."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table.

    Attributes:
        edges: x of the left edge of each column, and of the right edge of the last.
        aligns: "left", "center" or "right" of each column.
        padding: Between an edge and the text, in points.
    """

    edges: tuple[float, ...]
    aligns: tuple[str, ...]
    padding: float = 4.0

    @property
    def left(self) -> float:
        """Left edge of the table."""
        return self.edges[0]

    @property
    def right(self) -> float:
        """Right edge of the table."""
        return self.edges[-1]

    def put(
        self,
        pen: Pen,
        y: float,
        texts: Sequence[str],
        style: Style = PLAIN,
        *,
        align: str = "",
    ) -> float:
        """Write the cells of a row, the lines of a cell parted by "|"; empty texts are skipped.

        Args:
            pen: To draw with.
            y: Baseline of the first line.
            texts: Of the columns from the left; fewer leave the last columns empty.
            style: Of all cells.
            align: Of all cells, in place of the columns' own.

        Returns:
            The baseline of the last line.
        """
        n_lines = 1
        for column, text in enumerate(texts):
            if not text:
                continue
            lines = text.split("|")
            n_lines = max(n_lines, len(lines))
            for index, line in enumerate(lines):
                self.cell(pen, column, y + _LINE * index, line, style, align=align)
        return y + _LINE * (n_lines - 1)

    def cell(
        self,
        pen: Pen,
        column: int,
        y: float,
        text: str,
        style: Style = PLAIN,
        *,
        span: int = 1,
        align: str = "",
    ) -> None:
        """Write one line into a cell that covers `span` columns."""
        left, right = self.edges[column], self.edges[column + span]
        where = align or self.aligns[column]
        x = {
            "left": left + self.padding,
            "center": (left + right) / 2,
            "right": right - self.padding,
        }[where]
        placed = Style(style.size, style.bold, style.italic, style.color, where, font=style.font)
        pen.text(x, y, text, placed)

    def rule(
        self, pen: Pen, y: float, width: float = 0.3, *, first: int = 0, last: int | None = None
    ) -> None:
        """Draw the rules of the columns from one to another, all by default."""
        end = len(self.edges) - 1 if last is None else last + 1
        for left, right in pairwise(self.edges[first : end + 1]):
            pen.bar((left, y), (right, y), width)

    def sides(self, pen: Pen, top: float, bottom: float, *edges: int) -> None:
        """Draw upright rules at edges, numbered from 0; the outermost two by default."""
        for edge in edges or (0, len(self.edges) - 1):
            pen.bar((self.edges[edge], top), (self.edges[edge], bottom))

    def shade(self, pen: Pen, top: float, bottom: float, color: Color, *, first: int = 0) -> None:
        """Fill rows from one height to another."""
        left = self.edges[first]
        pen.box(left, top, self.right - left, bottom - top, fill=color, stroke=None)
