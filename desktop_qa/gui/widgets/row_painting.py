"""What the rows of several lists are drawn with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop_qa.gui.widgets.theme import look

Spans = Sequence[tuple[int, int]]
"""Parts of a text in order and apart: the first character, one past the last."""

_ANY_WIDTH_PX = 1e6
_ANY_LINES = 10_000
_MARK_STRENGTH = 0.24


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
    """Break a text, any white space being one space, into lines; the last one is elided.

    `room` is the width of a line in pixels, `first_room` that of the first where it is another.
    """
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


def laid_out(
    text: str,
    font: QFont,
    spans: Spans,
    style: QTextCharFormat,
    *,
    width: float = _ANY_WIDTH_PX,
    n_lines: int = _ANY_LINES,
    at: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    wrap: QTextOption.WrapMode = QTextOption.WrapMode.WordWrap,
) -> QTextLayout:
    """Break a text into at most so many lines, with its spans in another style.

    Lines are as far apart as those without spans, so that rows keep their measured heights; a span
    that goes beyond the text, as it was elided, is passed over.
    """
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption(at & Qt.AlignmentFlag.AlignHorizontal_Mask)
    option.setWrapMode(wrap)
    layout.setTextOption(option)
    ranges = []
    for start, end in spans:
        if end <= len(text):
            part = QTextLayout.FormatRange()
            part.start, part.length, part.format = start, end - start, style
            ranges.append(part)
    layout.setFormats(ranges)
    metrics = QFontMetricsF(font)
    layout.beginLayout()
    for number in range(n_lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * metrics.height() + metrics.ascent() - line.ascent()))
    layout.endLayout()
    return layout


def bold() -> QTextCharFormat:
    """Return the style of what stands out by its weight."""
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.Bold)
    return style


def marked() -> QTextCharFormat:
    """Return the style of words that were searched: on the accent's tint."""
    style = QTextCharFormat()
    style.setBackground(faded(look.theme.accent, _MARK_STRENGTH))
    return style


def paint_spans(
    painter: QPainter,
    place: QRectF,
    font: QFont,
    text: str,
    spans_of: Callable[[str], Spans],
    style: QTextCharFormat,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """Draw a line, elided, in the painter's colour, spans in a style; returns where it ends."""
    spans = spans_of(text)
    layout = laid_out(text, font, spans, style, n_lines=1)
    if layout.lineAt(0).naturalTextWidth() > place.width():
        widest = QFont(font)
        if spans and style.fontWeight() > font.weight():
            widest.setWeight(QFont.Weight(style.fontWeight()))
        text = QFontMetricsF(widest).elidedText(text, mode, place.width())
        layout = laid_out(text, font, spans_of(text), style, n_lines=1)
    top = place.center().y() - QFontMetricsF(font).height() / 2
    layout.draw(painter, QPointF(place.left(), top))
    return place.left() + layout.lineAt(0).naturalTextWidth()
