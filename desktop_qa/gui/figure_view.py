"""A figure of a document, scaled to the width there is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImageReader,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_qa.gui import theme as themes

_MAX_HEIGHT_PX = 420
_PADDING_PX = 8
_RADIUS_PX = 6
_MISSING_HEIGHT_PX = 44
# A drawing of a few lines is not blown up beyond what its pixels carry.
_MAX_ENLARGEMENT = 1.0


class FigureView(QWidget):
    """Reads the image when it is first drawn.

    Attributes:
        clicked: By mouse, Enter or Space.
    """

    clicked = Signal()

    def __init__(self, path: str | None, description: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path or ""
        self._theme = themes.LIGHT
        self._pixmap: QPixmap | None = None
        self._size = QImageReader(self._path).size() if self._path else QSize()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"Figure: {description}" if description else "Figure")
        self._fit()

    @property
    def is_missing(self) -> bool:
        """True when the image cannot be read any more."""
        return not self._size.isValid()

    def _target(self) -> QRectF:
        """Return where the image goes, in this widget."""
        room_x = max(1, self.width() - 2 * _PADDING_PX)
        room_y = _MAX_HEIGHT_PX - 2 * _PADDING_PX
        factor = min(room_x / self._size.width(), room_y / self._size.height(), _MAX_ENLARGEMENT)
        width, height = self._size.width() * factor, self._size.height() * factor
        return QRectF((self.width() - width) / 2, _PADDING_PX, width, height)

    def _fit(self) -> None:
        if self.is_missing:
            self.setFixedHeight(_MISSING_HEIGHT_PX)
        else:
            self.setFixedHeight(round(self._target().height()) + 2 * _PADDING_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the proportions."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure on white paper in both themes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        shape = QPainterPath()
        shape.addRoundedRect(frame, _RADIUS_PX, _RADIUS_PX)
        if self.is_missing:
            painter.setPen(QColor(self._theme.dim))
            note = "The image is not there any more; click to see it in the document."
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, note)
        else:
            if self._pixmap is None:
                self._pixmap = QPixmap.fromImageReader(QImageReader(self._path))
            painter.fillPath(shape, QColor("#ffffff"))
            painter.drawPixmap(self._target(), self._pixmap, QRectF(self._pixmap.rect()))
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(self._theme.accent if focused else self._theme.line), 1))
        painter.drawPath(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the figure's place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the figure's place by key."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.update()
