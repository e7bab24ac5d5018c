"""What is dragged over the window and dropped on it, wherever that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop_qa.core.file_kinds import FileKind, counted, counted_all, kind_of_name
from desktop_qa.gui.widgets import theme as themes

_INSET_PX = 10
_TITLE_PX = 20
_TEXT_PX = 14
_MAX_LOOKED_AT = 100
"""More paths than this are counted as files without a look at the disk."""

_ADDRESSES = ("http", "https", "ftp")


@dataclass(frozen=True, slots=True)
class Dragged:
    """What is dragged, by its names: local paths, and addresses of the network."""

    paths: tuple[str, ...]
    links: tuple[str, ...]

    @property
    def kinds(self) -> Counter[FileKind]:
        """How many of each kind; folders are looked for on the disk, for the first paths."""
        kinds = Counter(map(_kind_of, self.paths[:_MAX_LOOKED_AT]))
        kinds.update(kind_of_name(path) for path in self.paths[_MAX_LOOKED_AT:])
        kinds.update(FileKind.LINK for _ in self.links)
        return kinds


def _kind_of(path: str) -> FileKind:
    return FileKind.FOLDER if Path(path).is_dir() else kind_of_name(path)


def dragged_of(data: QMimeData) -> Dragged:
    """Return the files, folders and addresses of a drag."""
    urls = data.urls()
    paths = tuple(url.toLocalFile() for url in urls if url.isLocalFile())
    links = tuple(url.toDisplayString() for url in urls if url.scheme() in _ADDRESSES)
    return Dragged(paths, links)


def local_paths(data: QMimeData) -> list[str]:
    """Return the local files and folders that are dragged."""
    return list(dragged_of(data).paths)


def promise_of(dragged: Dragged, library: str) -> tuple[str, str]:
    """Say what letting go will do: a sentence, and a second one about the rest.

    Args:
        dragged: What hovers over the window.
        library: Name of the open library, empty when there is none.
    """
    kinds = dragged.kinds
    n_folders, n_files = kinds.pop(FileKind.FOLDER, 0), kinds.pop(FileKind.PDF, 0)
    rest = counted_all(kind for kind, count in kinds.items() for _ in range(count))
    if not n_folders and not n_files:
        return "This cannot be read", f"Only folders and PDF files can: {rest}."
    parts = [counted(FileKind.FOLDER, n_folders)] if n_folders else []
    parts += [counted(FileKind.PDF, n_files)] if n_files else []
    what = " and ".join(parts)
    first = next((Path(p).name for p in dragged.paths if _kind_of(p) is FileKind.FOLDER), "")
    if n_folders == 1 and not n_files:
        what = f"the folder “{first}”"
    where = f"add {what} to “{library}”" if library else f"make a library of {what}"
    if library and n_folders == 1 and not n_files:
        where = f"add {what} to “{library}” or open it by itself"
    left_out = f"Left out: {rest}." if rest else "PDF files are read where they are, never copied."
    return f"Drop to {where}", left_out


def paint_veil(
    painter: QPainter, area: QRect, theme: themes.Theme, opacity: float, inset_px: int
) -> QRectF:
    """Draw a veil with a dashed frame, where something may be dropped; return the frame."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    veil = QColor(theme.panel)
    veil.setAlphaF(opacity)
    painter.fillRect(area, veil)
    pen = QPen(QColor(theme.accent), 2)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    inner = QRectF(area).adjusted(inset_px, inset_px, -inset_px, -inset_px)
    painter.drawRoundedRect(inner, 10, 10)
    return inner


class _DropOverlay(QWidget):
    """A veil over the window that says what letting go will do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = themes.LIGHT
        self.title = ""
        self.text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        inner = paint_veil(painter, self.rect(), self.theme, 0.97, _INSET_PX)
        words = inner.adjusted(60, 0, -60, 0)
        wrap = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter
        middle = words.center().y()
        self._write(
            painter,
            self.title,
            _TITLE_PX,
            self.theme.text,
            QRectF(words.left(), words.top(), words.width(), middle - words.top() - 4),
            wrap | Qt.AlignmentFlag.AlignBottom,
        )
        self._write(
            painter,
            self.text,
            _TEXT_PX,
            self.theme.dim,
            QRectF(words.left(), middle + 4, words.width(), words.bottom() - middle),
            wrap | Qt.AlignmentFlag.AlignTop,
        )

    def _write(
        self, painter: QPainter, text: str, size_px: int, colour: str, area: QRectF, flags: int
    ) -> None:
        font = self.font()
        font.setPixelSize(size_px)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(area, flags, text)


class DropTarget(QObject):
    """Watches a window for what is dragged over it.

    Attributes:
        dropped: With the `Dragged`.
        library_name: Asked for the name of the open library, empty when there is none.
    """

    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.overlay = _DropOverlay(window)
        self.library_name: Callable[[], str] = str
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept files, folders and addresses; show the veil meanwhile."""
        kind = event.type()
        if kind == QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            dragged = dragged_of(event.mimeData())
            if dragged.paths or dragged.links:
                event.acceptProposedAction()
                self._promise(dragged)
                return True
        elif kind == QEvent.Type.DragLeave:
            self.overlay.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.overlay.hide()
            dragged = dragged_of(event.mimeData())
            if dragged.paths or dragged.links:
                event.acceptProposedAction()
                self.dropped.emit(dragged)
                return True
        return super().eventFilter(watched, event)

    def _promise(self, dragged: Dragged) -> None:
        self.overlay.title, self.overlay.text = promise_of(dragged, self.library_name())
        self.overlay.setGeometry(self._window.rect())
        self.overlay.raise_()
        self.overlay.show()
        self.overlay.update()

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw the veil in other colours."""
        self.overlay.theme = theme
