"""What the rows of several lists are drawn with."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop_qa.gui.widgets.theme import Theme


def small_font(font: QFont, size_px: int) -> QFont:
    """Return a font in another size."""
    small = QFont(font)
    small.setPixelSize(size_px)
    return small


def paint_ground(
    painter: QPainter, option: QStyleOptionViewItem, area: QRectF, theme: Theme
) -> None:
    """Draw what shows that a row is chosen, under the mouse, or has the keyboard."""
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(area, QColor(theme.accent_soft))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(area, QColor(theme.hover))
    if option.state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QPen(QColor(theme.accent), 1))
        painter.drawRoundedRect(area.adjusted(1.5, 0.5, -1.5, -0.5), 4, 4)
