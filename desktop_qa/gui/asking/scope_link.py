"""What the next question searches and prefers, between library panel, ask box and session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.sources import SourceSettings
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.library.drops import DropVeil, local_paths
from desktop_qa.gui.library.library_model import dragged
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry
from desktop_qa.gui.library.sources_dialog import SourcesDialog
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.widgets.labels import shortened
from desktop_qa.gui.window_parts import Feature, Slot, WindowParts

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
        return f"Ask only about {shortened(entries[0].label, _MAX_NAME)}"
    return f"Ask only about these {len(entries)}"


class ScopeLink(Feature):
    """Takes the scope from where it is chosen, and shows what is preferred."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = window.session
        self._bar = window.ask_box.scope_bar
        self._panel = window.library_panel
        self.drop_place = DropVeil(window.answer_pane)
        window.answer_pane.setAcceptDrops(True)
        window.answer_pane.installEventFilter(self)
        self.dialog = SourcesDialog(window)
        session.library_opened.connect(self._show_library)
        session.statuses_changed.connect(self._show_library)
        session.sources_changed.connect(self._show_sources)
        self.dialog.changed.connect(session.set_source_settings)

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        return {
            "sources": self.open_sources,
            "choose_scope": self.choose,
            "ask_everything": self.ask_everything,
        }

    def available(self) -> dict[str, bool]:
        """See `Feature`."""
        return dict.fromkeys(self.actions(), self._session.library is not None)

    def ask_everything(self) -> None:
        """Leave no document out."""
        self._bar.set_entries(())
        self._window.focus_box()

    def choose(self) -> None:
        """Open the list of what can be searched."""
        self._window.focus_box()
        self._bar.open_list()

    def open_sources(self) -> None:
        """Open the dialog of preferred sources."""
        bring_forward(self.dialog)

    def _show_library(self, _changed: object = None, _removed: object = None) -> None:
        library = self._session.library
        sources = library.sources if library is not None else ()
        self._bar.show_library(self._session.statuses, sources)
        self._show_sources(self._session.source_settings)

    def _show_sources(self, sources: SourceSettings) -> None:
        library = self._session.library
        is_read_only = library is None or library.read_only
        self._panel.show_preferred(sources.preferred)
        self.dialog.show_sources(sources, self._session.statuses, is_read_only=is_read_only)

    def toggle_preferred(self, pattern: str) -> None:
        """Prefer a source, or no more."""
        self._session.set_source_settings(self._session.source_settings.toggled(pattern))

    def ask_only(self, entries: tuple[ScopeEntry, ...]) -> None:
        """Leave out all but these."""
        self._bar.set_entries(entries)
        self._window.focus_box()

    def _entries_of(self, data: QMimeData) -> tuple[ScopeEntry, ...]:
        own, library = dragged(data), self._session.library
        if own is not None:
            return own.entries
        sources = library.sources if library is not None else ()
        return entries_of_paths(local_paths(data), self._session.statuses, sources)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is dropped on the pane and is in the library; the rest is the window's."""
        kind = event.type()
        if kind in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self.drop_place.hide()
        if isinstance(event, QDropEvent) and kind in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            entries = self._entries_of(event.mimeData())
            if entries:
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                if isinstance(event, QDragEnterEvent):
                    self.drop_place.promise(words_for(entries))
                else:
                    self._bar.add_entries(entries)
                    self._window.focus_box()
                return True
        return super().eventFilter(watched, event)
