"""Rows of tables: texts put into columns, as the generators of datasheets put them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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

    def put(self, pen: Pen, y: float, texts: Sequence[str], style: Style = PLAIN) -> None:
        """Write the cells of a row, the lines of a cell parted by "|"; empty texts are skipped.

        Args:
            pen: To draw with.
            y: Baseline of the first line.
            texts: Of the columns from the left; fewer leave the last columns empty.
            style: Of all cells.
        """
        for column, text in enumerate(texts):
            for index, line in enumerate(text.split("|") if text else ()):
                self.cell(pen, column, y + _LINE * index, line, style)

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
        pen.text(x, y, text, replace(style, align=where))

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

    def shade(self, pen: Pen, top: float, bottom: float, color: Color) -> None:
        """Fill rows from one height to another."""
        left, right = self.edges[0], self.edges[-1]
        pen.box(left, top, right - left, bottom - top, fill=color, stroke=None)
