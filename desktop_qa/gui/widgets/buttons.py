"""Flat buttons: an icon, a drawn sign in the colour of the text, a word that looks like a link."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_qa.gui.widgets.labels import told
from desktop_qa.gui.widgets.theme import draw_icon, tint

_SIDE = 26
_SIGN = 16


class GlyphButton(QToolButton):
    """A flat button with a sign, `resources/icons/glyph_*.svg`; its name is for who hears it."""

    def __init__(
        self, glyph: str, name: str, keys: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.glyph = glyph
        self.setAutoRaise(True)
        told(self, spoken=name, tip=f"{name} ({keys})" if keys else name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """Return a square that a finger or an unsteady hand can hit."""
        return QSize(_SIDE, _SIDE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button as the style does, and the sign in the colour of its text."""
        super().paintEvent(event)
        painter = QPainter(self)
        middle = QPointF(self.width() / 2, self.height() / 2)
        place = QRectF(middle - QPointF(_SIGN / 2, _SIGN / 2), QSizeF(_SIGN, _SIGN))
        colour = self.palette().color(QPalette.ColorRole.ButtonText).name()
        draw_icon(painter, f"glyph_{self.glyph}", colour, place)
        painter.end()


class IconButton(QToolButton):
    """An icon of `resources/icons`, whose name screen readers say."""

    def __init__(self, parent: QWidget, icon: str, name: str, tip: str) -> None:
        super().__init__(parent)
        tint(self, icon)
        told(self, "quiet_button", name, tip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class LinkButton(QToolButton):
    """A word that is clicked as a link is."""

    def __init__(self, parent: QWidget, text: str = "", tip: str = "") -> None:
        super().__init__(parent)
        told(self, "quiet_link", tip=tip)
        self.setText(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
