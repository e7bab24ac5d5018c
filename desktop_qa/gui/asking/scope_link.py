"""What the next question searches and prefers, between library panel, ask box and session."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from desktop_qa.core.sources import SourceSettings
from desktop_qa.gui.asking.scope_drop import entries_of_paths, words_for
from desktop_qa.gui.feature import Feature, Slot
from desktop_qa.gui.library.document_mime import dragged
from desktop_qa.gui.library.drops import DropVeil, local_paths
from desktop_qa.gui.library.scope_model import ScopeEntry
from desktop_qa.gui.library.sources_dialog import SourcesDialog
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.window_parts import WindowParts


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
