"""One line of text in which some characters stand out, cut where there is no more room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

Spans = Sequence[tuple[int, int]]


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
    painter: QPainter, place: QRectF, font: QFont, colour: str, text: str, spans: Spans
) -> None:
    """Draw a line with the spans in bold, elided at the right."""
    strong = QFont(font)
    strong.setWeight(QFont.Weight.Bold)
    painter.setPen(QColor(colour))
    left, right = place.left(), place.right()
    plain_metrics, strong_metrics = QFontMetricsF(font), QFontMetricsF(strong)
    for piece, is_strong in pieces(text, spans):
        metrics = strong_metrics if is_strong else plain_metrics
        painter.setFont(strong if is_strong else font)
        room = QRectF(left, place.top(), right - left, place.height())
        width = metrics.horizontalAdvance(piece)
        if width > room.width():
            piece = metrics.elidedText(piece, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, piece)
            return
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, piece)
        left += width


def bold_width(font: QFont, text: str, spans: Spans) -> float:
    """Return how wide `paint_bold` draws a line that has all the room it wants."""
    strong = QFont(font)
    strong.setWeight(QFont.Weight.Bold)
    plain_metrics, strong_metrics = QFontMetricsF(font), QFontMetricsF(strong)
    return sum(
        (strong_metrics if is_strong else plain_metrics).horizontalAdvance(piece)
        for piece, is_strong in pieces(text, spans)
    )
