"""How wide the columns of a table and how high its rows are; of a large one by a sample."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtGui import QFont, QFontMetrics

from desktop_qa.gui.tables.table_cells import ARROW_ROOM_PX, PADDING_X_PX, PADDING_Y_PX, WRAP
from desktop_qa.gui.tables.table_layout import (
    column_widths,
    is_number_like,
    unbroken,
    widen_for_spans,
)
from desktop_qa.gui.tables.table_model import TableModel

_SAMPLE_CELLS = 1200
_MOST_SAMPLE_ROWS = 80
_WIDEST_PX = 280
"""Of a column of a large table, whose other cells nobody has measured."""


def sample_rows(model: TableModel) -> list[int]:
    """Return the rows that stand for all: header rows, the first ones, some in between, the last.

    All rows when they are few.
    """
    n_rows, n_columns = model.rowCount(), max(model.columnCount(), 1)
    most = max(6, min(_MOST_SAMPLE_ROWS, _SAMPLE_CELLS // n_columns))
    if n_rows <= most:
        return list(range(n_rows))
    n_header = min(model.n_header_rows, most // 2)
    rest = most - n_header
    step = max(1, (n_rows - n_header) // rest)
    return [*range(n_header), *range(n_header, n_rows, step)][:most]


def number_columns(model: TableModel, rows: Iterable[int]) -> frozenset[int]:
    """Return the columns most of whose cells hold values; the first names the rows instead."""
    counts = [[0, 0] for _ in range(model.columnCount())]
    for row in rows:
        if model.is_header(row):
            continue
        for column, cell in enumerate(model.grid.row(model.shown.rows[row])):
            text = cell.text.strip() if cell is not None else ""
            if text:
                counts[column][0] += 1
                counts[column][1] += is_number_like(text)
    return frozenset(
        column
        for column, (n_all, n_values) in enumerate(counts)
        if n_values * 2 > n_all and (column or len(counts) == 1)
    )


class ColumnMeasure:
    """Measures the words of a table in its two fonts."""

    def __init__(self, plain: QFont, strong: QFont) -> None:
        self._metrics = {False: QFontMetrics(plain), True: QFontMetrics(strong)}

    def widths(
        self,
        model: TableModel,
        rows: Sequence[int],
        available: int,
        *,
        is_large: bool,
        sorted_by: int | None = None,
    ) -> list[int]:
        """Share a width among the columns.

        Args:
            model: What is shown.
            rows: The rows to measure.
            available: Pixels to fill.
            is_large: A column takes no more than so much, and the sum may exceed `available`.
            sorted_by: The column whose name needs room for an arrow.
        """
        n_columns = model.columnCount()
        widest, longest_word = [0] * n_columns, [0] * n_columns
        wide_spans: list[tuple[int, int, int]] = []
        word_spans: list[tuple[int, int, int]] = []
        for row in rows:
            is_header = model.is_header(row)
            for column, cell in enumerate(model.grid.row(model.shown.rows[row])):
                if cell is None or cell.column != column or not cell.text:
                    continue
                is_strong = is_header or model.is_cited(row, column)
                wide, word = self._needs_of(cell.text, is_strong=is_strong)
                if is_header and column == sorted_by:
                    wide, word = wide + ARROW_ROOM_PX, word + ARROW_ROOM_PX
                if cell.column_span > 1:
                    wide_spans.append((column, cell.column_span, wide))
                    word_spans.append((column, cell.column_span, word))
                else:
                    widest[column] = max(widest[column], wide)
                    longest_word[column] = max(longest_word[column], word)
        longest_word = widen_for_spans(longest_word, word_spans)
        # A heading over the whole table may wrap: it does not claim its one line.
        widest = widen_for_spans(widest, [span for span in wide_spans if span[1] < n_columns])
        most = _WIDEST_PX if is_large else 10_000
        widest = [min(max(p), most) for p in zip(widest, longest_word, strict=True)]
        return column_widths(widest, [min(word, most) for word in longest_word], available)

    def fitting_width(self, model: TableModel, rows: Iterable[int], column: int) -> int:
        """Return the width in which the cells of a column stand on one line each."""
        widest = 0
        for row in rows:
            cell = model.cell(row, column)
            if cell is not None and cell.column_span == 1 and cell.text:
                is_strong = model.is_header(row) or model.is_cited(row, column)
                widest = max(widest, self._needs_of(cell.text, is_strong=is_strong)[0])
        return widest

    def _needs_of(self, text: str, *, is_strong: bool) -> tuple[int, int]:
        """Return the width of a text on one line and of its longest word, with padding."""
        metrics = self._metrics[is_strong]
        padding = 2 * PADDING_X_PX + 2
        if " " not in text and "\n" not in text:
            width = metrics.horizontalAdvance(text) + padding
            return width, width
        wide = max(metrics.horizontalAdvance(line) for line in text.split("\n"))
        word = max((metrics.horizontalAdvance(word) for word in text.split()), default=0)
        return wide + padding, word + padding

    def line_height(self) -> int:
        """Return the height of a row of one line."""
        return self._metrics[False].height() + 2 * PADDING_Y_PX

    def height(self, text: str, width: int, *, is_strong: bool) -> int:
        """Return the height that a text needs in a cell of a width."""
        metrics, room = self._metrics[is_strong], width - 2 * PADDING_X_PX
        if "\n" not in text and metrics.horizontalAdvance(text) <= room:
            return metrics.height() + 2 * PADDING_Y_PX
        box = metrics.boundingRect(0, 0, room, 10_000, WRAP, unbroken(text))
        return box.height() + 2 * PADDING_Y_PX
