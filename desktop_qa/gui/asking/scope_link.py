"""What the next question searches and prefers, between library panel, ask box and session."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.sources import SourceSettings
from desktop_qa.gui.asking.scope_drop import ScopeDrop, entries_of_paths
from desktop_qa.gui.feature import Feature, Slot
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
        self.drop = ScopeDrop(window.answer_pane, self._entries_of_paths)
        self.drop.dropped.connect(self._on_dropped)
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

    def _entries_of_paths(self, paths: Sequence[str]) -> tuple[ScopeEntry, ...]:
        library = self._session.library
        sources = library.sources if library is not None else ()
        return entries_of_paths(paths, self._session.statuses, sources)

    def _on_dropped(self, entries: tuple[ScopeEntry, ...]) -> None:
        self._bar.add_entries(entries)
        self._window.focus_box()
