"""Symbols with a subscript, VOS as V with OS below its line: found again in texts, and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextCharFormat

from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.widgets.row_painting import Spans, laid_out


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
        """Return the parts of a text that stand lower, as (first, one past the last)."""
        found = self._pattern.finditer(text) if self._pattern is not None else ()
        return [(one.start() + len(self._bases[one.group()]), one.end()) for one in found]


def draw_wrapped(
    painter: QPainter,
    rect: QRect,
    text: str,
    spans: Spans,
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> float:
    """Draw words in lines as wide as a rectangle, cut where it ends; returns their height in px."""
    layout = laid_out(text, painter.font(), spans, lowered(), width=rect.width(), at=alignment)
    height = layout.lineCount() * QFontMetricsF(painter.font()).height()
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
    metrics = QFontMetricsF(painter.font())
    if not any(end <= len(text) for _start, end in spans):
        painter.drawText(at, text)
        return metrics.horizontalAdvance(text)
    layout = laid_out(text, painter.font(), spans, lowered())
    layout.draw(painter, QPointF(at.x(), at.y() - metrics.ascent()))
    return layout.lineAt(0).naturalTextWidth()


def lowered() -> QTextCharFormat:
    """Return the style of what stands lower than its line."""
    style = QTextCharFormat()
    style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
    return style
