"""Words of which some parts stand lower, drawn: VOS as V with OS below its line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

Spans = Sequence[tuple[int, int]]
"""(start, length) of the parts that stand lower, in order."""

_LEFT = Qt.AlignmentFlag.AlignLeft
_ANY_WIDTH_PX = 1e6


def draw_wrapped(
    painter: QPainter, rect: QRect, text: str, spans: Spans, alignment: Qt.AlignmentFlag = _LEFT
) -> float:
    """Draw words in lines as wide as a rectangle, cut where it ends; returns their height in px.

    Lines are as far apart as those without subscripts, so that rows keep their measured heights.
    """
    layout, height = _laid_out(text, painter.font(), spans, rect.width(), alignment)
    is_centred = bool(alignment & Qt.AlignmentFlag.AlignVCenter)
    free = max(0.0, (rect.height() - height) / 2) if is_centred else 0.0
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    layout.draw(painter, QPointF(rect.left(), rect.top() + free))
    painter.restore()
    return height


def draw_line(painter: QPainter, at: QPointF, text: str, spans: Spans) -> float:
    """Draw words, whole or shortened at their end, on one line from the left end of its baseline.

    Returns their width in pixels.
    """
    shown = [(start, length) for start, length in spans if start + length <= len(text)]
    if not shown:
        painter.drawText(at, text)
        return QFontMetricsF(painter.font()).horizontalAdvance(text)
    layout, _height = _laid_out(text, painter.font(), shown, _ANY_WIDTH_PX, _LEFT)
    layout.draw(painter, QPointF(at.x(), at.y() - QFontMetricsF(painter.font()).ascent()))
    return layout.lineAt(0).naturalTextWidth()


def _laid_out(
    text: str, font: QFont, spans: Spans, width: float, alignment: Qt.AlignmentFlag
) -> tuple[QTextLayout, float]:
    lowered = QTextCharFormat()
    lowered.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption(alignment & Qt.AlignmentFlag.AlignHorizontal_Mask)
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    ranges = []
    for start, length in spans:
        part = QTextLayout.FormatRange()
        part.start, part.length, part.format = start, length, lowered
        ranges.append(part)
    layout.setFormats(ranges)
    metrics = QFontMetricsF(font)
    layout.beginLayout()
    height = 0.0
    while True:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height + metrics.ascent() - line.ascent()))
        height += metrics.height()
    layout.endLayout()
    return layout, height
