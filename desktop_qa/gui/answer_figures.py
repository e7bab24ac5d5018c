"""Figures among the words of an answer: drawn on white paper, as wide as there is room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImageReader, QPainter, QPainterPath, QPen, QPixmap

from desktop_qa.gui.answer_html import InlineFigure
from desktop_qa.gui.theme import Theme

_PADDING_PX = 8
_RADIUS_PX = 6
_MAX_HEIGHT_PX = 300
_MAX_READ_PX = 4000


@dataclass(frozen=True, slots=True)
class FigureSource:
    """A figure of the evidence: where its image is and what its caption says."""

    path: str
    caption: str


class AnswerFigures:
    """Sizes and pictures of an answer's figures; images that are gone are left out.

    Args:
        sources: By marker.
    """

    def __init__(self, sources: Mapping[int, FigureSource] | None = None) -> None:
        self._sources = dict(sources or {})
        self._natural = {m: QImageReader(s.path).size() for m, s in self._sources.items()}
        self._drawn: dict[int, tuple[tuple[QSize, float, str], QPixmap]] = {}

    def fitted(self, width: int) -> dict[int, InlineFigure]:
        """Return the figures as they are set into a column of so many pixels."""
        figures: dict[int, InlineFigure] = {}
        for marker, natural in self._natural.items():
            if not natural.isValid() or natural.isEmpty():
                continue
            room = QSize(max(40, width), _MAX_HEIGHT_PX) - QSize(2, 2) * _PADDING_PX
            size = natural
            if size.width() > room.width() or size.height() > room.height():
                size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
            size = size + QSize(2, 2) * _PADDING_PX
            caption = self._sources[marker].caption
            figures[marker] = InlineFigure(size.width(), size.height(), caption)
        return figures

    def pixmap(self, marker: int, figure: InlineFigure, theme: Theme, scale: float) -> QPixmap:
        """Draw a figure in its frame, at a device pixel ratio."""
        size = QSize(figure.width, figure.height)
        key = (size, scale, theme.name)
        known = self._drawn.get(marker)
        if known is not None and known[0] == key:
            return known[1]
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        shape = QPainterPath()
        frame = QRectF(0.5, 0.5, size.width() - 1, size.height() - 1)
        shape.addRoundedRect(frame, _RADIUS_PX, _RADIUS_PX)
        painter.fillPath(shape, QColor("#ffffff"))
        inner = QRectF(frame).adjusted(_PADDING_PX, _PADDING_PX, -_PADDING_PX, -_PADDING_PX)
        image = self._read(marker, inner.size().toSize() * scale)
        painter.drawPixmap(inner, image, QRectF(image.rect()))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawPath(shape)
        painter.end()
        self._drawn[marker] = (key, pixmap)
        return pixmap

    def _read(self, marker: int, size: QSize) -> QPixmap:
        """Read no more pixels of an image than are drawn, or a little more of a small one."""
        reader = QImageReader(self._sources[marker].path)
        natural = self._natural[marker]
        if natural.width() > _MAX_READ_PX or natural.height() > _MAX_READ_PX:
            reader.setScaledSize(size)
        return QPixmap.fromImageReader(reader)
