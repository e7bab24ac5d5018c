"""Figures among the words of an answer: drawn on white paper, as wide as there is room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPainterPath, QPen, QPixmap

from desktop_qa.gui.evidence.figure_reader import ImageJob, reader
from desktop_qa.gui.widgets.answer_html import InlineFigure
from desktop_qa.gui.widgets.theme import Theme

_PADDING_PX = 8
_RADIUS_PX = 6
_MAX_HEIGHT_PX = 300
_WRAP = Qt.TextFlag.TextWordWrap


@dataclass(frozen=True, slots=True)
class FigureSource:
    """A figure of the evidence: where its image is and what its caption says."""

    path: str
    caption: str
    vector_path: str = ""


class AnswerFigures:
    """Sizes and pictures of an answer's figures; images that are gone are left out.

    Args:
        sources: By marker.
    """

    def __init__(self, sources: Mapping[int, FigureSource] | None = None) -> None:
        self._sources = dict(sources or {})
        self._natural = {m: QImageReader(s.path).size() for m, s in self._sources.items()}
        self._asked: dict[int, QSize] = {}
        self._read: dict[int, QPixmap] = {}
        self._reasons: dict[int, str] = {}

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

    def pixmap(
        self,
        marker: int,
        figure: InlineFigure,
        theme: Theme,
        scale: float,
        owner: QObject,
        on_read: Callable[[], None],
    ) -> QPixmap:
        """Draw a figure in its frame, at a device pixel ratio; an empty frame until it is read.

        Args:
            marker: Of the figure.
            figure: The size it is drawn at.
            theme: Colours of the frame.
            scale: Device pixel ratio.
            owner: Who draws it.
            on_read: Called when it is known: time to draw it again.
        """
        size = QSize(figure.width, figure.height)
        inner = QSize(size.width() - 2 * _PADDING_PX, size.height() - 2 * _PADDING_PX)
        wanted = inner * scale
        image = self._image(marker, wanted, owner, on_read)
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
        target = QRectF(_PADDING_PX, _PADDING_PX, inner.width(), inner.height())
        reason = self._reasons.get(marker, "")
        if reason:
            painter.setPen(QColor("#5d6675"))
            painter.drawText(target, Qt.AlignmentFlag.AlignCenter | _WRAP, reason)
        elif image is not None:
            painter.drawPixmap(target, image, QRectF(image.rect()))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawPath(shape)
        painter.end()
        return pixmap

    def _image(
        self, marker: int, wanted: QSize, owner: QObject, on_read: Callable[[], None]
    ) -> QPixmap | None:
        """Return the image, perhaps of another size, and have it read when that is too small."""
        asked = self._asked.get(marker)
        if asked is None or wanted.width() > asked.width():
            self._asked[marker] = wanted
            source = self._sources[marker]

            def came(image: QImage, reason: str) -> None:
                if reason:
                    self._reasons[marker] = reason
                else:
                    self._read[marker] = QPixmap.fromImage(image)
                on_read()

            reader().read(ImageJob(source.path, source.vector_path, wanted), owner, came)
        return self._read.get(marker)
