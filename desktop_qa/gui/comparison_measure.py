"""How much room the texts of a comparison need."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFontMetrics

from desktop_qa.gui.comparison_delegate import PADDING_X_PX
from desktop_qa.gui.comparison_model import ComparisonModel

_ARROW_ROOM_PX = 16


@dataclass(frozen=True, slots=True)
class TextSizesOfTable:
    """What the texts of a comparison need in pixels, padding included in `widest`.

    Attributes:
        widest: Of each column, on one line.
        advances: Of each cell, by row.
    """

    widest: tuple[int, ...]
    advances: tuple[tuple[int, ...], ...]
    average: int = 8

    def longest_words(self, model: ComparisonModel) -> list[int]:
        """Return about what the longest word of each column needs."""
        longest = [0] * len(self.widest)
        for row in model.table.rows:
            for column, cell in enumerate(row):
                word = max(map(len, cell.text.split()), default=0)
                longest[column] = max(longest[column], word)
        return [length * self.average + 2 * PADDING_X_PX + 4 for length in longest]


def measured(model: ComparisonModel, plain: QFontMetrics, strong: QFontMetrics) -> TextSizesOfTable:
    """Measure the texts of a comparison; equal ones once."""
    known: dict[tuple[bool, str], int] = {}

    def advance(text: str, is_label: bool) -> int:
        key = (is_label, text)
        if key not in known:
            known[key] = (strong if is_label else plain).horizontalAdvance(text)
        return known[key]

    advances = tuple(
        tuple(advance(cell.text, not column) for column, cell in enumerate(row))
        for row in model.table.rows
    )
    padding = 2 * PADDING_X_PX + 4
    widest = tuple(
        max((strong.horizontalAdvance(header) + _ARROW_ROOM_PX, *(row[column] for row in advances)))
        + padding
        for column, header in enumerate(model.table.headers)
    )
    return TextSizesOfTable(widest, advances, strong.averageCharWidth())
