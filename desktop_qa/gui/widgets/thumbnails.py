"""Small images of figures, read one at a time when they are first seen."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImageReader, QPixmap

_MAX_KEPT = 400
_MAX_PIXELS = 2_000_000
"""Reading a larger PNG takes 40 ms and more: its row does without."""


class Thumbnails(QObject):
    """Reads one image in a turn of the event loop, the one that was asked for last first."""

    changed = Signal()

    def __init__(self, size: QSize, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._known: OrderedDict[tuple[str, float], QPixmap] = OrderedDict()
        self._wanted: list[tuple[str, float]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._read_next)

    def get(self, path: str, scale: float) -> QPixmap:
        """Return an image for a device pixel ratio, null while it is not read or cannot be."""
        key = (path, scale)
        found = self._known.get(key)
        if found is not None:
            self._known.move_to_end(key)
            return found
        if path and key not in self._wanted:
            self._wanted.append(key)
            self._timer.start()
        return QPixmap()

    def forget(self) -> None:
        """Drop what was read: a document that is read again has other images of the same names."""
        self._known.clear()
        self._wanted.clear()

    def _read_next(self) -> None:
        if not self._wanted:
            self._timer.stop()
            return
        key = self._wanted.pop()
        self._known[key] = self._read(*key)
        while len(self._known) > _MAX_KEPT:
            self._known.popitem(last=False)
        self.changed.emit()

    def _read(self, path: str, scale: float) -> QPixmap:
        reader = QImageReader(path)
        size = reader.size()
        if not size.isValid() or size.width() * size.height() > _MAX_PIXELS:
            return QPixmap()
        reader.setScaledSize(size.scaled(self._size * scale, Qt.AspectRatioMode.KeepAspectRatio))
        pixmap = QPixmap.fromImageReader(reader)
        pixmap.setDevicePixelRatio(scale)
        return pixmap
