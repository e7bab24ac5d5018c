"""What the rows of several lists are drawn with."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop_qa.gui.widgets.theme import look


def small_font(font: QFont) -> QFont:
    """Return a font in the size of small text."""
    small = QFont(font)
    small.setPixelSize(look.sizes.small_px)
    return small


def paint_ground(painter: QPainter, option: QStyleOptionViewItem, area: QRectF) -> None:
    """Draw what shows that a row is chosen, under the mouse, or has the keyboard."""
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(area, QColor(look.theme.accent_soft))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(area, QColor(look.theme.hover))
    if option.state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QPen(QColor(look.theme.accent), 1))
        painter.drawRoundedRect(area.adjusted(1.5, 0.5, -1.5, -0.5), 4, 4)


def paint_chevron(painter: QPainter, x: float, y: float, *, is_open: bool) -> None:
    """Draw what shows that a row folds and unfolds others."""
    painter.setPen(QPen(QColor(look.theme.dim), 1.4))
    if is_open:
        painter.drawPolyline([QPointF(x - 3, y - 2), QPointF(x, y + 1), QPointF(x + 3, y - 2)])
    else:
        painter.drawPolyline([QPointF(x - 1, y - 3), QPointF(x + 2, y), QPointF(x - 1, y + 3)])


def paint_line(
    painter: QPainter,
    place: QRectF,
    text: str,
    font: QFont,
    colour: str | QColor,
    *,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    at: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> str:
    """Draw a text in one line in the middle of a place, elided; returns what is drawn of it."""
    shown = QFontMetricsF(font).elidedText(text, mode, place.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | at, shown)
    return shown


def wrapped(
    text: str, metrics: QFontMetricsF, room: float, n_lines: int, first_room: float = 0.0
) -> list[str]:
    """Break a text, any white space being one space, into some lines; the last is elided."""
    words = text.split()
    lines: list[str] = []
    while words and len(lines) < n_lines:
        width = first_room if first_room and not lines else room
        if len(lines) == n_lines - 1:
            rest = " ".join(words[:60])
            lines.append(metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width))
            return lines
        line = words.pop(0)
        while words and metrics.horizontalAdvance(f"{line} {words[0]}") <= width:
            line = f"{line} {words.pop(0)}"
        lines.append(metrics.elidedText(line, Qt.TextElideMode.ElideRight, width))
    return lines
