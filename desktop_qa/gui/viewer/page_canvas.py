"""The surface that pages lie on: its colours and its focus."""

from __future__ import annotations

from PySide6.QtCore import Property, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

_CANVAS_LIGHT, _CANVAS_DARK = "#d9dce4", "#111317"
_DARK_BELOW = 128
_KEYBOARD_FOCUS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class PageCanvas(QAbstractScrollArea):
    """A scroll area whose colours a style sheet sets: `qproperty-canvas_color`, `-accent_color`.

    Without a style sheet they follow the palette.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas_color = QColor()
        self._accent_color = QColor()
        self._shows_focus = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Always there: a bar that comes and goes would change the width that the pages fit.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def canvas(self) -> QColor:
        """Colour behind the pages: the style sheet's, else one that suits the palette."""
        if self._canvas_color.isValid():
            return self._canvas_color
        is_dark = self.palette().color(QPalette.ColorRole.Base).lightness() < _DARK_BELOW
        return QColor(_CANVAS_DARK if is_dark else _CANVAS_LIGHT)

    def accent(self) -> QColor:
        """Colour of the numbers and of the focus: the style sheet's, else the palette's."""
        if self._accent_color.isValid():
            return self._accent_color
        return self.palette().color(QPalette.ColorRole.Highlight)

    def set_canvas_color(self, color: QColor) -> None:
        """Set the colour behind the pages; an invalid one follows the palette."""
        self._canvas_color = QColor(color)
        self.viewport().update()

    def set_accent_color(self, color: QColor) -> None:
        """Set the colour of the numbers; an invalid one follows the palette."""
        self._accent_color = QColor(color)
        self.viewport().update()

    canvas_color = Property(QColor, canvas, set_canvas_color)
    accent_color = Property(QColor, accent, set_accent_color)

    def paint_focus(self, painter: QPainter) -> None:
        """Paint a line inside the viewport while the focus is here and came by key."""
        if self.hasFocus() and self._shows_focus:
            painter.setPen(QPen(self.accent(), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus when it came by key."""
        self._shows_focus = event.reason() in _KEYBOARD_FOCUS
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        super().focusOutEvent(event)
        self.viewport().update()
