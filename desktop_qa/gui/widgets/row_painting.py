"""What the rows of several lists are drawn with: lines, chips, grounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from desktop_qa.gui.widgets.theme import look

_PADDING_PX = 6
_RADIUS_PX = 4.5
Spans = Sequence[tuple[int, int]]
"""Parts of a text in order and apart: the first character, one past the last."""

_ANY_WIDTH_PX = 1e6
_ANY_LINES = 10_000
_MARK_STRENGTH = 0.24
_TAG_GAP_PX = 8
_LEAST_ROOM_PX = 40
_MOST_CHARACTERS = 500
"""Of a line that is elided."""


def chip_size(marker: int | str, font: QFont) -> QSize:
    """Return the size of a chip in device-independent pixels."""
    metrics = QFontMetricsF(font)
    height = round(metrics.height()) + 2
    width = max(round(metrics.horizontalAdvance(str(marker))) + 2 * _PADDING_PX, height)
    return QSize(width, height)


def paint_chip(
    painter: QPainter, rect: QRectF, marker: int | str, font: QFont, *, is_active: bool
) -> None:
    """Draw a chip; the active one, whose place is shown in the viewer, is filled."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.theme.accent if is_active else look.theme.accent_soft))
    painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
    painter.setPen(QColor(look.theme.on_accent if is_active else look.theme.accent))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(marker))


def chip_pixmap(marker: int, widget: QWidget, *, is_active: bool = False) -> QPixmap:
    """Return a chip as a picture for the font and the screen of a widget."""
    font = font_like(widget.font(), look.answer_sizes.small_px, QFont.Weight.DemiBold)
    size, scale = chip_size(marker, font), widget.devicePixelRatioF()
    pixmap = QPixmap(size * scale)
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    rect = QRectF(0, 0, size.width(), size.height())
    paint_chip(painter, rect, marker, font, is_active=is_active)
    painter.end()
    return pixmap


def small_font(font: QFont) -> QFont:
    """Return a font in the size of small text."""
    return font_like(font, look.sizes.small_px)


def font_like(base: QFont, px: int | None = None, weight: QFont.Weight | None = None) -> QFont:
    """Return a font that is like another, but for its size and its weight where they are given."""
    font = QFont(base)
    if px is not None:
        font.setPixelSize(px)
    if weight is not None:
        font.setWeight(weight)
    return font


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
    at: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> str:
    """Draw a text in one line in the middle of a place, elided; returns what is drawn of it."""
    right = Qt.TextElideMode.ElideRight
    shown = QFontMetricsF(font).elidedText(text, right, place.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | at, shown)
    return shown


def laid_out(
    text: str,
    font: QFont,
    spans: Spans,
    style: QTextCharFormat,
    *,
    width: float = _ANY_WIDTH_PX,
    first_width: float | None = None,
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
        line.setLineWidth(width if number or first_width is None else first_width)
        line.setPosition(QPointF(0, number * metrics.height() + metrics.ascent() - line.ascent()))
    layout.endLayout()
    return layout


@dataclass(frozen=True, slots=True)
class Line:
    """Words of a row in one style.

    Attributes:
        left: Where they begin, in pixels from the left edge of the row.
        is_small: In the size of small text, and dim.
        n_most: Lines that they may take; what has no room in them is elided.
        spans: Those that were searched, or that stand out in another `style`.
        beside: Small words behind those of one line, if there is room.
        tag: Stands small at the right of the first line.
        tag_room_px: Beside the tag, for a sign.
        head_px: The room above, if it is the head of those below.
    """

    text: str
    left: int
    is_small: bool = False
    is_strong: bool = False
    n_most: int = 1
    spans: Spans = ()
    style: Callable[[], QTextCharFormat] | None = None
    colour: str = ""
    beside: str = ""
    tag: str = ""
    tag_room_px: int = 0
    head_px: int = 0
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight

    def font(self, base: QFont) -> QFont:
        """Return the font of the words in a list of another."""
        px = look.sizes.small_px if self.is_small else None
        return font_like(base, px, QFont.Weight.DemiBold if self.is_strong else None)

    def tag_px(self, base: QFont) -> float:
        """Return the room of the tag."""
        tag = QFontMetricsF(small_font(base)).horizontalAdvance(self.tag)
        return tag + self.tag_room_px + _TAG_GAP_PX if self.tag else 0.0

    def broken(self, base: QFont, width: float) -> QTextLayout:
        """Break the words into lines of a row of a width."""
        font, text = self.font(base), self.text
        room = max(width - self.left, _LEAST_ROOM_PX)
        lines = partial(
            laid_out,
            font=font,
            spans=self.spans,
            style=self.style() if self.style is not None else marked(),
            width=room,
            first_width=max(room - self.tag_px(base), _LEAST_ROOM_PX),
            n_lines=self.n_most,
            wrap=QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere,
        )
        layout = lines(text)
        last = layout.lineAt(layout.lineCount() - 1)
        start = last.textStart()
        if start + last.textLength() < len(text):
            rest = text[start : start + _MOST_CHARACTERS].replace("\n", " ")
            kept = QFontMetricsF(font).elidedText(rest, self.mode, last.width() - 1)
            shown = text[:start] + kept
            # The sign for what is left out stands for no letter of the text.
            layout = lines(shown, spans=[span for span in self.spans if span[1] < len(shown)])
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
