"""Tool buttons with a small drawn sign that has the colour of the text, in any theme."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QToolButton, QWidget

_SIDE = 26
_STROKE = 1.6


class Glyph(StrEnum):
    """The signs there are."""

    PREVIOUS = "previous"
    NEXT = "next"
    BACK = "back"
    FORWARD = "forward"
    MINUS = "minus"
    PLUS = "plus"
    EXTERNAL = "external"
    FIT_WIDTH = "fit_width"
    FIT_PAGE = "fit_page"
    STRUCTURE = "structure"
    TEXT = "text"
    EXPAND_ALL = "expand_all"
    COLLAPSE_ALL = "collapse_all"
    CLOSE = "close"
    MATCH_CASE = "match_case"
    WHOLE_WORD = "whole_word"
    SIDE_BAR = "side_bar"
    MORE = "more"
    TEAR_OFF = "tear_off"


# Strokes in a square of -6 to 6 around the middle of the button.
_STROKES: dict[Glyph, tuple[tuple[tuple[float, float], ...], ...]] = {
    Glyph.PREVIOUS: (((-4.5, 2.5), (0, -2.5), (4.5, 2.5)),),
    Glyph.NEXT: (((-4.5, -2.5), (0, 2.5), (4.5, -2.5)),),
    Glyph.BACK: (((0, -4.5), (-4.5, 0), (0, 4.5)), ((-4.5, 0), (5, 0))),
    Glyph.FORWARD: (((0, -4.5), (4.5, 0), (0, 4.5)), ((4.5, 0), (-5, 0))),
    Glyph.MINUS: (((-4.5, 0), (4.5, 0)),),
    Glyph.PLUS: (((-4.5, 0), (4.5, 0)), ((0, -4.5), (0, 4.5))),
    Glyph.EXTERNAL: (
        ((-1, -4), (-4.5, -4), (-4.5, 4.5), (4, 4.5), (4, 1)),
        ((1, -5), (5, -5), (5, -1)),
        ((5, -5), (-0.5, 0.5)),
    ),
    Glyph.FIT_WIDTH: (
        ((-6, -5), (-6, 5)),
        ((6, -5), (6, 5)),
        ((-4, 0), (4, 0)),
        ((-2, -2), (-4, 0), (-2, 2)),
        ((2, -2), (4, 0), (2, 2)),
    ),
    Glyph.FIT_PAGE: (
        ((-4.5, -6), (4.5, -6), (4.5, 6), (-4.5, 6), (-4.5, -6)),
        ((0, -3.5), (0, 3.5)),
        ((-1.7, -1.8), (0, -3.5), (1.7, -1.8)),
        ((-1.7, 1.8), (0, 3.5), (1.7, 1.8)),
    ),
    Glyph.STRUCTURE: (
        ((-5.5, -4.5), (5.5, -4.5)),
        ((-2.5, -1.5), (5.5, -1.5)),
        ((-2.5, 1.5), (5.5, 1.5)),
        ((-5.5, 4.5), (5.5, 4.5)),
    ),
    Glyph.TEXT: (
        ((-6.5, 3), (-6.5, -3), (-3.5, 0.5), (-0.5, -3), (-0.5, 3)),
        ((4, -3.5), (4, 3)),
        ((1.6, 0.8), (4, 3.2), (6.4, 0.8)),
    ),
    Glyph.EXPAND_ALL: (
        ((-4, -5), (0, -1.2), (4, -5)),
        ((-4, 1), (0, 4.8), (4, 1)),
    ),
    Glyph.COLLAPSE_ALL: (
        ((-4, -1), (0, -4.8), (4, -1)),
        ((-4, 5), (0, 1.2), (4, 5)),
    ),
    Glyph.CLOSE: (((-4, -4), (4, 4)), ((-4, 4), (4, -4))),
    # A large and a small "a".
    Glyph.MATCH_CASE: (
        ((-7, 4.5), (-3.75, -4.5), (-0.5, 4.5)),
        ((-5.9, 1.6), (-1.6, 1.6)),
        ((6, -0.8), (6, 4.5)),
        ((6, 1.9), (5.2, -0.2), (3.8, -1), (2.3, -0.2), (1.7, 1.8)),
        ((1.7, 1.8), (2.3, 3.8), (3.8, 4.6), (5.2, 3.8), (6, 1.9)),
    ),
    # A word between its bounds.
    Glyph.WHOLE_WORD: (
        ((-7, -4.5), (-7, 4.5)),
        ((7, -4.5), (7, 4.5)),
        ((-4.2, -2.5), (-2.6, 2.8), (0, -2.5), (2.6, 2.8), (4.2, -2.5)),
    ),
    Glyph.SIDE_BAR: (
        ((-6, -5), (6, -5), (6, 5), (-6, 5), (-6, -5)),
        ((-2, -5), (-2, 5)),
        ((-4.6, -2.4), (-3.6, -2.4)),
        ((-4.6, 0), (-3.6, 0)),
    ),
    Glyph.TEAR_OFF: (
        ((-2, -5.5), (6, -5.5), (6, 1.5), (-2, 1.5), (-2, -5.5)),
        ((-4.5, -2), (-6, -2), (-6, 5.5), (2.5, 5.5), (2.5, 4)),
    ),
    Glyph.MORE: (((-4.6, 0), (-4.4, 0)), ((-0.1, 0), (0.1, 0)), ((4.4, 0), (4.6, 0))),
}


class GlyphButton(QToolButton):
    """A flat button with a sign; its name is for the tool tip and for screen readers."""

    def __init__(
        self, glyph: Glyph, name: str, keys: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._glyph = glyph
        self.setAutoRaise(True)
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({keys})" if keys else name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """Return a square that a finger or an unsteady hand can hit."""
        return QSize(_SIDE, _SIDE)

    def minimumSizeHint(self) -> QSize:
        """Never narrower than the square."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button as the style does, and the sign in the colour of its text."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self.palette().color(QPalette.ColorRole.ButtonText)
        pen = QPen(color, _STROKE)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.translate(QPointF(self.width() / 2, self.height() / 2))
        for stroke in _STROKES[self._glyph]:
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in stroke]))
        painter.end()
