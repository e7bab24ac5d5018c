"""The colours of pages on screen: as printed, on sepia, light on dark. Files stay as they are."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

_PAPERS = {"printed": "#ffffff", "sepia": "#f6ebd3", "dark": "#1c1d21"}
_VEIL = QColor(140, 145, 165, 51)
"""Over turned colours: black paper becomes that of `_PAPERS`, white print a grey that is read."""


class PageColours(Enum):
    """How pages look on screen; the values are kept in the settings."""

    PRINTED = "printed"
    SEPIA = "sepia"
    DARK = "dark"

    @property
    def paper(self) -> QColor:
        """The colour of an empty page."""
        return QColor(_PAPERS[self.value])

    def tint(self, painter: QPainter, rects: Iterable[QRect | QRectF], colour: QColor) -> None:
        """Lay a colour over print so that the print under it is still read."""
        mode, is_dark = QPainter.CompositionMode, self is PageColours.DARK
        painter.setCompositionMode(
            mode.CompositionMode_Screen if is_dark else mode.CompositionMode_Multiply
        )
        for rect in rects:
            painter.fillRect(rect, colour)
        painter.setCompositionMode(mode.CompositionMode_SourceOver)

    def on_paper(self, image: QImage) -> QImage:
        """Put a page's transparent image on its paper, in the format that paints fastest.

        Once for each image: colours that were changed while painting would cost every frame.
        """
        paper = QImage(image.size(), QImage.Format.Format_RGB32)
        paper.fill(_PAPERS["printed"])
        painter = QPainter(paper)
        painter.drawImage(QPoint(0, 0), image)
        if self is PageColours.SEPIA:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            painter.fillRect(paper.rect(), self.paper)
        painter.end()
        if self is PageColours.DARK:
            paper.invertPixels()
            painter.begin(paper)
            painter.fillRect(paper.rect(), _VEIL)
            painter.end()
        return paper
