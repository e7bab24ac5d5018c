"""How much room the texts of a comparison need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics

from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.gui.comparison.comparison_delegate import (
    PADDING_X_PX,
    PADDING_Y_PX,
    SIGN_OF_DIFFERENCE,
    note_height,
)
from desktop_qa.gui.comparison.comparison_model import ComparisonModel, is_gap
from desktop_qa.gui.tables.table_layout import unbroken

_ARROW_ROOM_PX = 16
_WRAP = Qt.TextFlag.TextWordWrap.value


@dataclass(frozen=True, slots=True)
class TextSizesOfTable:
    """What the texts of a comparison need in pixels, padding included in the columns' sizes.

    Attributes:
        widest: Of each column, on one line.
        longest_words: About what the longest word of each column needs.
        advances: Of each cell, by row.
    """

    widest: tuple[int, ...]
    longest_words: tuple[int, ...]
    advances: tuple[tuple[int, ...], ...]


def measured(model: ComparisonModel, plain: QFontMetrics, strong: QFontMetrics) -> TextSizesOfTable:
    """Measure the texts of a comparison; equal ones once."""
    rows = model.table.rows
    padding = 2 * PADDING_X_PX + 4
    widest: list[int] = []
    longest: list[int] = []
    columns: list[list[int]] = []
    for column, header in enumerate(model.table.headers):
        metrics = plain if column else strong
        texts = [row[column].text for row in rows]
        known = {text: metrics.horizontalAdvance(text) for text in set(texts)}
        columns.append([known[text] for text in texts])
        head = strong.horizontalAdvance(header) + _ARROW_ROOM_PX
        widest.append(max((head, *known.values())) + padding)
        most = max((len(word) for text in known for word in text.split()), default=0)
        longest.append(most * strong.averageCharWidth() + padding)
    advances = tuple(zip(*columns, strict=True))
    return TextSizesOfTable(tuple(widest), tuple(longest), advances)


class RowMeasure:
    """Finds the heights of rows whose columns have certain widths; equal cells once.

    Args:
        widths: Of the columns.
        fonts: Plain, strong and small.
    """

    def __init__(self, widths: Sequence[int], fonts: tuple[QFont, QFont, QFont]) -> None:
        self._plain, self._strong, self._small = (QFontMetrics(font) for font in fonts)
        self._rooms = [width - 2 * PADDING_X_PX for width in widths]
        self._rooms[0] -= self._strong.horizontalAdvance(SIGN_OF_DIFFERENCE)
        self._known: dict[tuple[int, str, str], int] = {}

    def height(self, row: Sequence[AnswerCell], advances: Sequence[int]) -> int:
        """Return the height that shows all cells of a row.

        Args:
            row: With its label first.
            advances: Widths of the texts on one line.
        """
        cells = enumerate(zip(row, advances, strict=True))
        most = max(self._cell(column, cell, advance) for column, (cell, advance) in cells)
        return most + 2 * PADDING_Y_PX

    def _cell(self, column: int, cell: AnswerCell, advance: int) -> int:
        metrics = self._plain if column else self._strong
        note = cell.note if column and not is_gap(cell) else ""
        room = self._rooms[column]
        if advance <= room and not note:
            return metrics.height()
        key = (room if column else -room, cell.text, note)
        if key not in self._known:
            height = metrics.height()
            if advance > room:
                box = QRect(0, 0, room, 10_000)
                height = metrics.boundingRect(box, _WRAP, unbroken(cell.text)).height()
            self._known[key] = height + (note_height(self._small, note, room) if note else 0)
        return self._known[key]
