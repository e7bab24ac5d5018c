"""What the rows of several lists are drawn with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop_qa.gui.widgets.theme import look

Spans = Sequence[tuple[int, int]]


def small_font(font: QFont) -> QFont:
    """Return a font in the size of small text."""
    small = QFont(font)
    small.setPixelSize(look.sizes.small_px)
    return small


def faded(colour: str | QColor, alpha: float) -> QColor:
    """Return a colour of an opacity between 0 and 1."""
    found = QColor(colour)
    found.setAlphaF(alpha)
    return found


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


def pieces(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Cut a text into pieces, each with whether it stands out."""
    found: list[tuple[str, bool]] = []
    position = 0
    for start, end in spans:
        if start < position or end > len(text):
            continue
        if start > position:
            found.append((text[position:start], False))
        found.append((text[start:end], True))
        position = end
    if position < len(text):
        found.append((text[position:], False))
    return found


def paint_bold(
    painter: QPainter,
    place: QRectF,
    font: QFont,
    text: str,
    spans_of: Callable[[str], Spans],
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """Draw a line, elided, with its spans in bold; returns where it ends."""
    strong = QFont(font)
    strong.setWeight(QFont.Weight.Bold)
    if bold_width(font, text, spans_of(text)) > place.width():
        text = QFontMetricsF(strong if spans_of(text) else font).elidedText(
            text, mode, place.width()
        )
    rest = QRectF(place)
    for piece, is_strong in pieces(text, spans_of(text)):
        its_font = strong if is_strong else font
        painter.setFont(its_font)
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, piece)
        rest.setLeft(rest.left() + QFontMetricsF(its_font).horizontalAdvance(piece))
    return rest.left()


def bold_width(font: QFont, text: str, spans: Spans) -> float:
    """Return how wide `paint_bold` draws a line that has all the room it wants."""
    strong = QFont(font)
    strong.setWeight(QFont.Weight.Bold)
    plain_metrics, strong_metrics = QFontMetricsF(font), QFontMetricsF(strong)
    return sum(
        (strong_metrics if is_strong else plain_metrics).horizontalAdvance(piece)
        for piece, is_strong in pieces(text, spans)
    )
