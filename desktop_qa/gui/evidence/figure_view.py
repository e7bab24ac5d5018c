"""Figures of the evidence: read away from the GUI thread, shown on white paper.

A figure of 10 000 x 10 000 pixels takes seconds to decode. QImageReader lets other threads run
meanwhile, which QSvgRenderer does not: drawings go through QImageReader too.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QObject,
    QRect,
    QRectF,
    QSize,
    Qt,
    QThreadPool,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QImage,
    QImageReader,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget
from shiboken6 import isValid

from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.theme import look

logger = logging.getLogger(__name__)

MOST_PX = 4096
"""Longest side of an image in memory: 64 MB when it is square."""

_READ_WHOLE_PX = 2000
"""An image of this size is read as it is, and drawn smaller with care."""
_ALLOCATION_LIMIT_MB = 512
_LARGEST_SVG_BYTES = 8_000_000
_LOADS_SOMETHING = re.compile(
    rb"<!DOCTYPE|<!ENTITY|<\?xml-stylesheet|<script|<foreignObject|@import"
    rb"|url\(\s*['\"]?(?!#)|(?:href|src)\s*=\s*(?!['\"](?:#|data:image/(?:png|jpe?g);base64,))",
    re.IGNORECASE,
)
_MAX_HEIGHT_PX = 420
_PADDING_PX = 8
_RADIUS_PX = 6
_MISSING_HEIGHT_PX = 44
# A drawing of a few lines is not blown up beyond what its pixels carry.
_MAX_ENLARGEMENT = 1.0


@dataclass(frozen=True, slots=True)
class ImageJob:
    """What to read.

    Attributes:
        path: Of the bitmap.
        vector_path: Of the same figure as SVG; empty when there is none.
        size: The whole figure in device pixels, as it is drawn.
        clip: The part of it to read, in the same pixels; `None` for all.
    """

    path: str
    vector_path: str
    size: QSize
    clip: QRect | None = None


OnRead = Callable[[QImage, str], None]


class FigureReader(QObject):
    """Reads one image at a time, and hands it over on the GUI thread."""

    _came = Signal(int, QImage, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        QImageReader.setAllocationLimit(_ALLOCATION_LIMIT_MB)
        self._pool = QThreadPool(self, maxThreadCount=1, expiryTimeout=2000)
        self._next = 0
        self._waiting: dict[int, tuple[QObject, OnRead]] = {}
        self._came.connect(self._on_came, Qt.ConnectionType.QueuedConnection)

    def read(self, job: ImageJob, owner: QObject, on_read: OnRead) -> int:
        """Read an image.

        Args:
            job: Which, and how large.
            owner: Nothing is called any more when it is gone.
            on_read: Called with the image and "", or a null image and why it cannot be shown.

        Returns:
            A number for `forget`.
        """
        self._next += 1
        self._waiting[self._next] = owner, on_read
        self._pool.start(partial(self._read, self._next, job))
        return self._next

    def forget(self, number: int) -> None:
        """Give a reading up; one that has not begun is passed over."""
        self._waiting.pop(number, None)

    def _read(self, number: int, job: ImageJob) -> None:
        """Read, on a thread of the pool; what nobody waits for any more is passed over."""
        if number in self._waiting:
            image, reason = read_image(job)
            if isValid(self):
                self._came.emit(number, image, reason)

    def _on_came(self, number: int, image: QImage, reason: str) -> None:
        owner, on_read = self._waiting.pop(number, (None, None))
        if owner is not None and on_read is not None and isValid(owner):
            on_read(image, reason)


def reader() -> FigureReader:
    """Return the one reader of the program."""
    application = QCoreApplication.instance()
    found = application.findChild(FigureReader) if application is not None else None
    return found if isinstance(found, FigureReader) else FigureReader(application)


class Picture:
    """A figure that is read when it is first drawn, and again when it is drawn much larger.

    Attributes:
        natural: Size of its bitmap; invalid when it cannot be read.
        pixmap: As it was read last, of another size than it is drawn; null until then.
        reason: Why it cannot be shown; empty while it can.
    """

    def __init__(self, path: str, vector_path: str) -> None:
        self._path, self._vector_path = path, vector_path
        self.natural = QImageReader(path).size() if path else QSize()
        self.pixmap = QPixmap()
        self.reason = ""
        self._asked_px = 0
        self._reading = 0

    def read(self, size: QSize, owner: QObject, on_read: Callable[[], None]) -> None:
        """Have it read for a size in device pixels; see `FigureReader.read`."""
        if size.width() <= self._asked_px * 1.05:
            return
        self._asked_px = size.width()

        def came(image: QImage, reason: str) -> None:
            self.reason = reason
            if not reason:
                self.pixmap = QPixmap.fromImage(image)
            on_read()

        reader().forget(self._reading)
        job = ImageJob(self._path, self._vector_path, size)
        self._reading = reader().read(job, owner, came)


def read_image(job: ImageJob) -> tuple[QImage, str]:
    """Read an image; see `FigureReader.read`. Takes long for a large one: not on the GUI thread."""
    if job.vector_path:
        image = _read_drawing(job)
        if not image.isNull():
            return image, ""
    return _read_bitmap(job)


def _read_drawing(job: ImageJob) -> QImage:
    """Read a drawing; a null image when it cannot be read or would load something else."""
    data = clean_svg(job.vector_path)
    if not data:
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    found = QImageReader(buffer, QByteArray(b"svg"))
    found.setBackgroundColor(QColor("#ffffff"))
    found.setScaledSize(job.size)
    if job.clip is not None:
        found.setScaledClipRect(job.clip)
    return found.read()


def clean_svg(path: str) -> bytes:
    """Return the bytes of a drawing that stands for itself; empty when it is none.

    A drawing that names another file, an address, a script or entities is none: the figure is also
    there as a bitmap.
    """
    file = Path(path)
    try:
        if file.stat().st_size > _LARGEST_SVG_BYTES:
            return b""
        data = file.read_bytes()
    except OSError:
        return b""
    if b"\0" in data or _LOADS_SOMETHING.search(data) is not None:
        logger.info("%s is not drawn as a vector image: it refers to something else", file.name)
        return b""
    return data


def _read_bitmap(job: ImageJob) -> tuple[QImage, str]:
    found = QImageReader(job.path)
    natural = found.size()
    if not natural.isValid():
        is_there = Path(job.path).is_file()
        return QImage(), "The image is damaged." if is_there else "The image is not there any more."
    if job.clip is None:
        longest = max(natural.width(), natural.height())
        if longest > _READ_WHOLE_PX:
            bound = min(MOST_PX, max(2 * max(job.size.width(), job.size.height()), 64))
            if longest > bound:
                aspect = Qt.AspectRatioMode.KeepAspectRatio
                found.setScaledSize(natural.scaled(bound, bound, aspect).expandedTo(QSize(1, 1)))
    else:
        found.setClipRect(_natural_part(job.clip, job.size, natural))
        found.setScaledSize(job.clip.size().boundedTo(QSize(MOST_PX, MOST_PX)))
    image = found.read()
    return image, "" if not image.isNull() else f"The image cannot be shown: {_why(found)}."


def _natural_part(clip: QRect, size: QSize, natural: QSize) -> QRect:
    x, y = natural.width() / max(size.width(), 1), natural.height() / max(size.height(), 1)
    part = QRect(
        int(clip.x() * x), int(clip.y() * y), int(clip.width() * x) + 1, int(clip.height() * y) + 1
    )
    return part.intersected(QRect(0, 0, natural.width(), natural.height()))


def _why(found: QImageReader) -> str:
    known = {
        QImageReader.ImageReaderError.FileNotFoundError: "it is not there any more",
        QImageReader.ImageReaderError.UnsupportedFormatError: "it is of no kind that is known",
        QImageReader.ImageReaderError.InvalidDataError: "its file is damaged",
    }
    return known.get(found.error(), "it is damaged or too large")


class FigureView(QWidget):
    """Has the image read when it is first drawn, and again when it is drawn much larger.

    Attributes:
        clicked: By mouse or Enter.
        enlarge_requested: By double click or Space.
        copy_requested: By the key for copying.
    """

    clicked = Signal()
    enlarge_requested = Signal()
    copy_requested = Signal()

    def __init__(
        self,
        path: str | None,
        description: str,
        parent: QWidget | None = None,
        *,
        vector_path: str | None = None,
        max_height_px: int = _MAX_HEIGHT_PX,
    ) -> None:
        super().__init__(parent)
        self._picture = Picture(path or "", vector_path or "")
        self._max_height_px = max_height_px
        if not self._picture.natural.isValid() and path and Path(path).is_file():
            self._picture.reason = "The image is damaged."
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"Figure: {description}" if description else "Figure")
        act, copy = self.clicked.emit, self.copy_requested.emit
        on_keys(self, {"Return, Enter": act, "Ctrl+C, Ctrl+Ins, Copy": copy})
        on_keys(self, {"Space": self.enlarge_requested.emit}, when=lambda: not self.is_missing)
        self.setAccessibleDescription("Enter shows it in its document, Space enlarges it")
        self._fit()

    @property
    def is_missing(self) -> bool:
        """True when the image cannot be read any more."""
        return not self._picture.natural.isValid() or bool(self.reason)

    @property
    def reason(self) -> str:
        """Why the image cannot be shown; empty while it can."""
        return self._picture.reason

    def _target(self) -> QRectF:
        """Return where the image goes, in this widget."""
        room_x = max(1, self.width() - 2 * _PADDING_PX)
        room_y = self._max_height_px - 2 * _PADDING_PX
        natural = self._picture.natural
        wide, high = max(natural.width(), 1), max(natural.height(), 1)
        factor = min(room_x / wide, room_y / high, _MAX_ENLARGEMENT)
        width, height = max(wide * factor, 1.0), max(high * factor, 1.0)
        return QRectF((self.width() - width) / 2, _PADDING_PX, width, height)

    def _fit(self) -> None:
        if self.is_missing:
            self.setFixedHeight(_MISSING_HEIGHT_PX)
        else:
            self.setFixedHeight(round(self._target().height()) + 2 * _PADDING_PX)

    def _on_read(self) -> None:
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the proportions."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the figure on white paper in both themes."""
        painter, picture, theme = QPainter(self), self._picture, look.theme
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        line = QColor(theme.accent if self.hasFocus() else theme.line)
        if self.is_missing:
            paint_framed(painter, frame, None, QRectF(), line)
            painter.setPen(QColor(theme.dim))
            reason = (self.reason or "The image is not there any more.").rstrip(".")
            note = f"{reason}; click to see it in the document."
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, note)
        else:
            target = self._target()
            size = (target.size() * self.devicePixelRatioF()).toSize()
            picture.read(size, self, self._on_read)
            paint_framed(painter, frame, picture.pixmap, target, line)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the figure's place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show it large."""
        if event.button() == Qt.MouseButton.LeftButton and not self.is_missing:
            self.enlarge_requested.emit()


def paint_framed(
    painter: QPainter, frame: QRectF, pixmap: QPixmap | None, target: QRectF, line: QColor
) -> None:
    """Draw a figure on white paper in a rounded frame.

    The pixmap is null until the figure is read; without one there is no paper.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    shape = QPainterPath()
    shape.addRoundedRect(frame, _RADIUS_PX, _RADIUS_PX)
    if pixmap is not None:
        painter.fillPath(shape, Qt.GlobalColor.white)
        painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
    painter.setPen(QPen(line, 1))
    painter.drawPath(shape)
