"""What the next question searches, prefers and points at: library panel, viewer, ask box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSlider,
    QWidget,
)

from desktop_qa.core.document import BoundingBox, DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.sources import MAX_SOURCE_BOOST, SourceSettings
from desktop_qa.core.view import SourceFolder
from desktop_qa.core.viewed import Viewed
from desktop_qa.gui.library.drops import DropVeil, dragged_of
from desktop_qa.gui.library.library_model import dragged
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.widgets.boxes import add_row, put
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import n_of, plain_label, shortened, told
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts
from desktop_qa.retrieve.place_scope import page_pattern
from desktop_qa.retrieve.scope import document_pattern, label_of, select

_EXPLANATION = (
    "Evidence from preferred sources comes first where it fits the question as well as that of"
    " others. Nothing is left out."
)
_STEPS = 100
_LEAST_WIDTH_PX = 470
_MAX_NAME = 40

Entries = tuple[ScopeEntry, ...]
_MAX_WORDS = 2000


class SourcesDialog(SideWindow):
    """Each change counts at once, for the next question; Close only closes.

    Attributes:
        changed: With the new `SourceSettings`.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Preferred Sources", "sources_dialog", None, parent)
        self._sources = SourceSettings()
        self._statuses: tuple[DocumentStatus, ...] = ()
        self.list = told(QListWidget(self), spoken="Preferred sources")
        self.empty_label = plain_label("None yet. Right-click a document, or add a pattern.", self)
        self.pattern_edit = told(QLineEdit(self), spoken="Source to prefer")
        self.add_button = push_button("Add", self._on_add, self)
        self.remove_button = push_button("Remove", self._on_remove, self)
        self.boost_slider = QSlider(Qt.Orientation.Horizontal, self)
        self.boost_label = QLabel(self)
        self.newest_box = QCheckBox("Newest revision first", self)
        self._build()
        self.pattern_edit.returnPressed.connect(self._on_add)
        self.list.currentRowChanged.connect(self._update_buttons)
        self.boost_slider.valueChanged.connect(lambda steps: self._change(boost=steps / _STEPS))
        self.newest_box.toggled.connect(lambda is_on: self._change(newest_revision_first=is_on))

    def _build(self) -> None:
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedHeight(132)
        self.pattern_edit.setPlaceholderText("vendor:Bosch, /folder, TI_*.pdf …")
        self.boost_slider.setRange(0, round(MAX_SOURCE_BOOST * _STEPS))
        self.boost_slider.setPageStep(10)
        self.boost_slider.setAccessibleName("Boost of preferred sources")
        self.boost_slider.setToolTip("0 turns it off; 1 is as much as a perfect match of words")
        self.boost_label.setMinimumWidth(36)
        self.newest_box.setToolTip("Of several revisions of a document the newest comes first")
        layout = self.column
        put(layout, plain_label(_EXPLANATION, self), self.list, self.empty_label)
        add_row(layout, (self.pattern_edit, 1), self.add_button, self.remove_button)
        add_row(layout, QLabel("Boost", self), (self.boost_slider, 1), self.boost_label)
        layout.addWidget(self.newest_box)
        self.end_with()
        self.setMinimumWidth(_LEAST_WIDTH_PX)

    def show_sources(
        self, sources: SourceSettings, statuses: tuple[DocumentStatus, ...], *, is_read_only: bool
    ) -> None:
        """Show the settings of a library."""
        self._sources, self._statuses = sources, statuses
        row = self.list.currentRow()
        self.list.clear()
        for pattern in sources.preferred:
            n_documents = len(select((pattern,), statuses).document_ids)
            item = QListWidgetItem(f"{label_of(pattern)}  ·  {n_of(n_documents, 'document')}")
            item.setData(Qt.ItemDataRole.UserRole, pattern)
            item.setToolTip(pattern)
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, self.list.count() - 1))
        self.list.setVisible(bool(sources.preferred))
        self.empty_label.setVisible(not sources.preferred)
        with QSignalBlocker(self.boost_slider):
            self.boost_slider.setValue(round(sources.boost * _STEPS))
        self.boost_label.setText(f"{sources.boost:.2f}")
        self.newest_box.setChecked(sources.newest_revision_first)
        for widget in (self.pattern_edit, self.add_button, self.boost_slider, self.newest_box):
            widget.setEnabled(not is_read_only)
        self._update_buttons()

    def _update_buttons(self, _row: int = 0) -> None:
        can_change = self.newest_box.isEnabled()
        self.remove_button.setEnabled(can_change and self.list.currentRow() >= 0)

    def _change(self, **changes: Any) -> None:
        sources = replace(self._sources, **changes)
        if sources != self._sources:
            self.changed.emit(sources)

    def _toggle(self, pattern: str) -> None:
        self._change(preferred=self._sources.toggled(pattern).preferred)

    def _on_add(self) -> None:
        pattern = self.pattern_edit.text().strip()
        if not pattern:
            return
        self.pattern_edit.clear()
        if pattern not in self._sources.preferred:
            self._toggle(pattern)

    def _on_remove(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._toggle(item.data(Qt.ItemDataRole.UserRole))


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
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else "."
    return "" if name == "." else name


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
        self.drop_place = DropVeil(
            *(window.answer_pane, self._entries_of),
            tell=lambda entries: (words_for(entries), ""),
            take=lambda entries: self.ask_only((*self._bar.entries, *entries)),
        )
        self.dialog = SourcesDialog(window)
        session.library_opened.connect(self._show_library)
        session.statuses_changed.connect(self._show_library)
        session.sources_changed.connect(self._show_sources)
        self.dialog.changed.connect(session.set_source_settings)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        is_open = self._session.library is not None
        return {
            "sources": (self.open_sources, is_open),
            "choose_scope": (self.choose, is_open),
            "ask_everything": (self.ask_everything, is_open),
        }

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
        self._panel.model.mark_preferred(sources.preferred)
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
        if own:
            return own
        sources = library.sources if library is not None else ()
        return entries_of_paths(dragged_of(data).paths, self._session.statuses, sources)


class HereLink(Feature):
    """Tells the session what is seen, shows how it was read, puts it into the scope."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = window.pdf_panel
        self._bar = window.ask_box.scope_bar
        self._session.viewed = self.viewed
        self.menu = QMenu(self._bar.here_button, toolTipsVisible=True)
        self._page_action = self.menu.addAction("This page", self.ask_page)
        self._document_action = self.menu.addAction("This document", self.ask_document)
        self._bar.here_button.setMenu(self.menu)
        self._panel.document_shown.connect(self._on_document_changed)
        self._panel.document_left.connect(self._on_document_changed)
        self._session.library_opened.connect(self._on_document_changed)
        window.answer_panel.here.refused.connect(self._session.ask_everywhere)
        self.menu.aboutToShow.connect(self._on_menu_due)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        is_known = self._status is not None
        return {
            "ask_this_page": (self.ask_page, is_known),
            "ask_this_document": (self.ask_document, is_known),
        }

    @property
    def _status(self) -> DocumentStatus | None:
        """The document that the viewer shows, if the library can be asked about it."""
        path = self._panel.path
        if path is None or not self._panel.view.n_pages:
            return None
        return self._session.status_of_file(path)

    def viewed(self) -> Viewed:
        """Return what the viewer shows now."""
        status = self._status
        if status is None:
            return Viewed()
        view = self._panel.view
        page_no = view.current_page
        read_page, y = view.reading
        selector = view.selector
        is_selected = selector.has_selection
        return Viewed(
            DocumentId(status.document_id),
            page_no,
            y=y if read_page == page_no else 0.0,
            part=self._part(page_no),
            places=selector.model.places() if is_selected else (),
            words=selector.text[:_MAX_WORDS] if is_selected else "",
        )

    def _part(self, page_no: int) -> BoundingBox:
        """Return the part of a page that is on screen, in points."""
        layout, part = self._panel.view.page_layout, QRectF(self._panel.view.visible_canvas)
        corners = (part.topLeft(), part.bottomRight())
        seen = QRectF(*(layout.to_page(page_no - 1, corner) for corner in corners)).normalized()
        return BoundingBox(seen.left(), seen.top(), seen.right(), seen.bottom())

    def _on_document_changed(self, _what: object = None) -> None:
        self._bar.here_button.setEnabled(self._status is not None)

    def _on_menu_due(self) -> None:
        status = self._status
        name = name_of(status).replace("&", "&&") if status is not None else ""
        page_no = self._panel.view.current_page
        self._page_action.setText(f"This page ({page_no} of {name})" if name else "This page")
        self._document_action.setText(f"This document ({name})" if name else "This document")
        for action in (self._page_action, self._document_action):
            action.setEnabled(status is not None)

    def ask_page(self) -> None:
        """Limit the next question to the page that is shown."""
        status = self._status
        if status is not None:
            page_no = self._panel.view.current_page
            pattern = page_pattern(document_pattern(status), page_no)
            self._put(ScopeEntry(pattern, f"{name_of(status)} p. {page_no}"))

    def ask_document(self) -> None:
        """Limit the next question to the document that is shown."""
        status = self._status
        if status is not None:
            self._put(document_entry(status))

    def _put(self, entry: ScopeEntry) -> None:
        self._bar.set_entries((entry,))
        self._window.focus_box()
