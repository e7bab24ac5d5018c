"""A figure of a document, scaled to the width there is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_qa.gui.evidence.figure_reader import Picture
from desktop_qa.gui.widgets.theme import look

_MAX_HEIGHT_PX = 420
_PADDING_PX = 8
_RADIUS_PX = 6
_MISSING_HEIGHT_PX = 44
# A drawing of a few lines is not blown up beyond what its pixels carry.
_MAX_ENLARGEMENT = 1.0


class FigureView(QWidget):
    """Has the image read when it is first drawn, and again when it is drawn much larger.

    Attributes:
        clicked: By mouse or Enter.
        enlarge_requested: By double click or Space.
        copy_requested: By the key for copying.
    """

    clicked = Signal()
    enlarge_requested = Signal()
    copy_requested = Signal()

    def __init__(
        self,
        path: str | None,
        description: str,
        parent: QWidget | None = None,
        *,
        vector_path: str | None = None,
        max_height_px: int = _MAX_HEIGHT_PX,
    ) -> None:
        super().__init__(parent)
        self._picture = Picture(path or "", vector_path or "")
        self._max_height_px = max_height_px
        if not self._picture.natural.isValid() and path and Path(path).is_file():
            self._picture.reason = "The image is damaged."
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"Figure: {description}" if description else "Figure")
        self.setAccessibleDescription("Enter shows it in its document, Space enlarges it")
        self._fit()

    @property
    def is_missing(self) -> bool:
        """True when the image cannot be read any more."""
        return not self._picture.natural.isValid() or bool(self.reason)

    @property
    def reason(self) -> str:
        """Why the image cannot be shown; empty while it can."""
        return self._picture.reason

    @property
    def is_drawn(self) -> bool:
        """True when the image has been read."""
        return not self._picture.pixmap.isNull()

    def _target(self) -> QRectF:
        """Return where the image goes, in this widget."""
        room_x = max(1, self.width() - 2 * _PADDING_PX)
        room_y = self._max_height_px - 2 * _PADDING_PX
        natural = self._picture.natural
        wide, high = max(natural.width(), 1), max(natural.height(), 1)
        factor = min(room_x / wide, room_y / high, _MAX_ENLARGEMENT)
        width, height = max(wide * factor, 1.0), max(high * factor, 1.0)
        return QRectF((self.width() - width) / 2, _PADDING_PX, width, height)

    def _fit(self) -> None:
        if self.is_missing:
            self.setFixedHeight(_MISSING_HEIGHT_PX)
        else:
            self.setFixedHeight(round(self._target().height()) + 2 * _PADDING_PX)

    def _on_read(self) -> None:
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the proportions."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure on white paper in both themes."""
        painter, picture, theme = QPainter(self), self._picture, look.theme
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        line = QColor(theme.accent if self.hasFocus() else theme.line)
        if self.is_missing:
            paint_framed(painter, frame, None, QRectF(), line)
            painter.setPen(QColor(theme.dim))
            reason = (self.reason or "The image is not there any more.").rstrip(".")
            note = f"{reason}; click to see it in the document."
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, note)
        else:
            target = self._target()
            size = (target.size() * self.devicePixelRatioF()).toSize()
            picture.read(size, self, self._on_read)
            paint_framed(painter, frame, picture.pixmap, target, line)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the figure's place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show it large."""
        if event.button() == Qt.MouseButton.LeftButton and not self.is_missing:
            self.enlarge_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the figure's place, show it large, or copy it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        elif event.key() == Qt.Key.Key_Space and not self.is_missing:
            self.enlarge_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        else:
            super().keyPressEvent(event)


def paint_framed(
    painter: QPainter, frame: QRectF, pixmap: QPixmap | None, target: QRectF, line: QColor
) -> None:
    """Draw a figure on white paper in a rounded frame.

    Args:
        painter: Of a widget or a pixmap.
        frame: Around the paper.
        pixmap: The figure, null until it is read; without one there is no paper.
        target: Where the figure goes.
        line: Of the frame.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    shape = QPainterPath()
    shape.addRoundedRect(frame, _RADIUS_PX, _RADIUS_PX)
    if pixmap is not None:
        painter.fillPath(shape, Qt.GlobalColor.white)
        painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
    painter.setPen(QPen(line, 1))
    painter.drawPath(shape)
