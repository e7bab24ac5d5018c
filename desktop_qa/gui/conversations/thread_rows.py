"""The folded turns of a conversation: a question and the first line of its answer each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.lowered_text import draw_line

_PADDING_PX = 8
_LEFT_PX = 18
_GAP_PX = 2
_ELIDE = Qt.TextElideMode.ElideRight


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A folded turn.

    Attributes:
        line: The first of its answer, or how far it is.
        is_failed: There is no answer, the line says why.
        lowered: Parts of the line that stand lower, (start, length) each.
    """

    question: str
    line: str
    is_failed: bool = False
    lowered: tuple[tuple[int, int], ...] = ()


class ThreadRows(QWidget):
    """Draws the rows itself and only those on screen: two hundred cost no more than two.

    Attributes:
        chosen: With the place of the row.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ThreadRow, ...] = ()
        self._hovered = -1
        self._focused = -1
        self._theme = themes.LIGHT
        self._question_font = QFont(self.font())
        self._line_font = QFont(self.font())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_rows(self, rows: Sequence[ThreadRow], what: str) -> None:
        """Show these rows.

        Args:
            rows: From the top down.
            what: They are, for screen readers: "Earlier questions".
        """
        if tuple(rows) != self.rows:
            self.rows = tuple(rows)
            self._hovered = self._focused = -1
            self.updateGeometry()
            self.update()
        self.setAccessibleName(f"{what}: {len(rows)}")
        self.setVisible(bool(rows))

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        lines = (QFontMetrics(font).height() for font in (self._question_font, self._line_font))
        return sum(lines) + _GAP_PX + 2 * _PADDING_PX

    def row_rect(self, index: int) -> QRect:
        """Return where a row is drawn."""
        return QRect(0, index * self.row_height, self.width(), self.row_height)

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(200, self.row_height * len(self.rows))

    def minimumSizeHint(self) -> QSize:
        """Return the height of all rows, and any width."""
        return QSize(0, self.row_height * len(self.rows))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows that are asked for."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = max(event.rect().top() // self.row_height, 0)
        last = min(event.rect().bottom() // self.row_height, len(self.rows) - 1)
        for index in range(first, last + 1):
            self._paint_row(painter, index)
        painter.end()

    def _paint_row(self, painter: QPainter, index: int) -> None:
        rect, row, theme = self.row_rect(index), self.rows[index], self._theme
        if index == self._hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(QRectF(rect).adjusted(0, 1, 0, -1), 7, 7)
        if index == self._focused and self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5), 7, 7)
        self._paint_fold(painter, rect)
        width = rect.width() - _LEFT_PX - _PADDING_PX
        metrics = QFontMetrics(self._question_font)
        baseline = rect.top() + _PADDING_PX + metrics.ascent()
        painter.setFont(self._question_font)
        painter.setPen(QColor(theme.text))
        question = " ".join(row.question.split())
        painter.drawText(_LEFT_PX, baseline, metrics.elidedText(question, _ELIDE, width))
        below = QFontMetrics(self._line_font)
        baseline += metrics.descent() + _GAP_PX + below.ascent()
        painter.setFont(self._line_font)
        painter.setPen(QColor(theme.error if row.is_failed else theme.dim))
        line = below.elidedText(row.line, _ELIDE, width)
        # The sign for what is left out stands for no letter of the line.
        n_kept = len(line) if line == row.line else len(line) - 1
        lowered = [(start, length) for start, length in row.lowered if start + length <= n_kept]
        draw_line(painter, QPointF(_LEFT_PX, baseline), line, lowered)

    def _paint_fold(self, painter: QPainter, rect: QRect) -> None:
        pen = QPen(QColor(self._theme.dim), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        middle = rect.top() + _PADDING_PX + QFontMetrics(self._question_font).height() / 2
        tip = QPointF(9, middle)
        painter.drawPolyline([tip + QPointF(-3.5, -3.5), tip, tip + QPointF(-3.5, 3.5)])

    def index_at(self, y: float) -> int:
        """Return the row at a height, -1 for none."""
        index = int(y // self.row_height)
        return index if 0 <= index < len(self.rows) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which row a click unfolds."""
        self._hover(self.index_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show none."""
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if index >= 0 else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Unfold a row."""
        index = self.index_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self.chosen.emit(index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the last row from below, at the first from above."""
        super().focusInEvent(event)
        is_from_below = event.reason() == Qt.FocusReason.BacktabFocusReason
        self._focus(len(self.rows) - 1 if is_from_below else max(self._focused, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no focus."""
        super().focusOutEvent(event)
        self.update()

    def _focus(self, index: int) -> None:
        if 0 <= index < len(self.rows):
            self._focused = index
            row = self.rows[index]
            self.setAccessibleDescription(f"{row.question}\n{row.line}")
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go along the rows, and unfold one."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        if key in steps and not event.modifiers():
            self._focus(self._focused + steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._focused >= 0:
                self.chosen.emit(self._focused)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show a whole question in the tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.index_at(event.pos().y())
            if index >= 0:
                words = self.rows[index].question.replace("&", "&amp;").replace("<", "&lt;")
                QToolTip.showText(event.globalPos(), f"<p>{words}</p>", self)
            return True
        return super().event(event)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours and sizes."""
        self._theme = theme
        self._question_font.setPixelSize(sizes.text_px)
        self._line_font.setPixelSize(sizes.small_px)
        self.updateGeometry()
        self.update()
