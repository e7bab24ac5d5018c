"""Documents and folders dropped on the pane of questions: what is asked from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.library.document_mime import dragged
from desktop_qa.gui.library.drops import local_paths, paint_veil
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry
from desktop_qa.gui.widgets.theme import look

_INSET_PX = 6
_MAX_NAME = 40

Entries = tuple[ScopeEntry, ...]


def entries_of_paths(
    paths: Iterable[str], statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> Entries:
    """Return what files and folders of the system are in a library.

    Returns:
        An entry for each of them; nothing when one of them is not in the library: then they are
        to be taken into it.
    """
    found: list[ScopeEntry] = []
    for path in map(Path, paths):
        entry = _entry_of_file(path, statuses, sources) or _entry_of_folder(path, statuses, sources)
        if entry is None:
            return ()
        found.append(entry)
    return tuple(dict.fromkeys(found))


def _entry_of_file(
    path: Path, statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> ScopeEntry | None:
    names = {name for source in sources if (name := _inside(path, source.folder))}
    for status in statuses:
        # A document may lie in several places under one source; each means it.
        if (status.path and Path(status.path) == path) or names & set(status.files):
            return document_entry(status)
    return None


def _entry_of_folder(
    path: Path, statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> ScopeEntry | None:
    for source in sources:
        if Path(source.folder) == path and len(sources) > 1:
            return ScopeEntry(source.folder, path.name)
        name = _inside(path, source.folder)
        if name and any(file.startswith(f"{name}/") for s in statuses for file in s.files):
            return ScopeEntry(f"/{name}", name)
    return None


def _inside(path: Path, folder: str) -> str:
    """Return a path relative to a folder with "/" between its parts, "" when it is not in it."""
    try:
        name = PurePosixPath(*path.relative_to(folder).parts)
    except ValueError:
        return ""
    return "" if str(name) == "." else str(name)


def words_for(entries: Entries) -> str:
    """Return what letting go will do."""
    if len(entries) == 1:
        name = entries[0].label
        short = name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"
        return f"Ask only about {short}"
    return f"Ask only about these {len(entries)}"


class _DropPlace(QWidget):
    """A veil over the pane that says what letting go will do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("drop_place")
        self.words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        inner = paint_veil(painter, self.rect(), 0.88, _INSET_PX)
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(look.theme.accent))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(inner.adjusted(16, 8, -16, -8), int(flags), self.words)
        painter.end()


class ScopeDrop(QObject):
    """Takes what is dropped on a pane and is in the library; the rest is the window's.

    Attributes:
        dropped: With the tuple of `ScopeEntry`.
    """

    dropped = Signal(object)

    def __init__(self, pane: QWidget, of_paths: Callable[[Sequence[str]], Entries]) -> None:
        """Watch a pane.

        Args:
            pane: Where things are let go.
            of_paths: Says what files and folders of the system are in the library.
        """
        super().__init__(pane)
        self._pane = pane
        self._of_paths = of_paths
        self.place = _DropPlace(pane)
        pane.setAcceptDrops(True)
        pane.installEventFilter(self)

    def _entries_of(self, data: QMimeData) -> Entries:
        own = dragged(data)
        if own is not None:
            return own.entries
        paths = local_paths(data)
        return self._of_paths(paths) if paths else ()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept what is in the library, show where it goes."""
        kind = event.type()
        if kind == QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            entries = self._entries_of(event.mimeData())
            if entries:
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                self._show_place(entries)
                return True
        elif kind == QEvent.Type.DragLeave:
            self.place.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.place.hide()
            entries = self._entries_of(event.mimeData())
            if entries:
                event.acceptProposedAction()
                self.dropped.emit(entries)
                return True
        return super().eventFilter(watched, event)

    def _show_place(self, entries: Entries) -> None:
        self.place.words = words_for(entries)
        self.place.setGeometry(self._pane.rect())
        self.place.raise_()
        self.place.show()
