"""Symbols with a subscript, VOS as V with OS below its line: found again in texts, and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from desktop_qa.core.view import EvidenceView

Spans = Sequence[tuple[int, int]]
"""(start, length) of the parts that stand lower, in order."""
_LEFT = Qt.AlignmentFlag.AlignLeft
_ANY_WIDTH_PX = 1e6


class Symbols:
    """Finds what stands lower than its line: "OS" of VOS.

    Args:
        bases: By word, what is not lowered of it.
    """

    def __init__(self, bases: Mapping[str, str] | None = None) -> None:
        self._bases = dict(bases or {})
        longest_first = sorted(self._bases, key=lambda word: (-len(word), word))
        whole = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<![\w.])(?:{whole})(?![\w(])") if whole else None

    @classmethod
    def of(cls, pieces: Iterable[EvidenceView]) -> Symbols:
        """Take the symbols of all pieces; one that two documents part differently is left out."""
        return cls.of_pairs(symbol for piece in pieces for symbol in piece.symbols)

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str]]) -> Symbols:
        """Take words with what is not lowered of each; one that is parted in two ways has none."""
        found: dict[str, str] = {}
        torn: set[str] = set()
        for word, base in pairs:
            if found.setdefault(word, base) != base:
                torn.add(word)
        return cls({word: base for word, base in found.items() if word not in torn})

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return (start, length) of the parts of a text that stand lower."""
        if self._pattern is None:
            return []
        spans = []
        for match in self._pattern.finditer(text):
            n_base = len(self._bases[match.group()])
            spans.append((match.start() + n_base, len(match.group()) - n_base))
        return spans


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
