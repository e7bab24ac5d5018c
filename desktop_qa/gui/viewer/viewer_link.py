"""What stands around the pages, wired to the library: outline, cited places, open documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QGuiApplication

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.page_text import OutlineItem
from desktop_qa.core.view import LibraryView, StructureView
from desktop_qa.gui.viewer.outline_panel import LOADING, NO_DOCUMENT, OutlineEntry, OutlineState
from desktop_qa.gui.viewer.viewer_tab_bar import (
    MAX_OPEN,
    RememberedDocuments,
    keep_documents,
    kept_documents,
)
from desktop_qa.gui.widgets.opening import open_path, show_in_folder
from desktop_qa.gui.window_parts import Feature, Slot, WindowParts

_SIDE_BAR_KEY = "viewer/side_bar"
_TAB_KEY = "viewer/side_bar_tab"
_WIDTHS_KEY = "viewer/side_bar_widths"
_HEADING_PT = 14.0

MORE_ACTIONS = (
    *("highlight", "add_note", "show_marks", ""),
    *("open_outside", "show_in_folder", "copy_path", "copy_name", ""),
    *("tear_off", "close_document"),
)
"""In the menu at the end of the line over the pages; an empty name is a line between."""
_OF_FILE = ("close_document", "open_outside", "show_in_folder", "copy_path", "copy_name")

_Key = tuple[Path, DocumentId | None]


class ViewerLink(Feature):
    """Fills what stands beside the pages, and remembers it."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = self._session
        self._panel = panel = window.pdf_panel
        self._citations = citations = window.citations
        self._side_bar_action = window.action("viewer_side_bar")
        self._outline_of: _Key | None = None
        self._outlines: dict[_Key, OutlineState] = {}
        session.library_opened.connect(self._on_library_opened)
        session.library_closed.connect(self._on_library_closed)
        panel.document_shown.connect(self._on_document_shown)
        panel.document_left.connect(self._on_document_left)
        panel.closing_all.connect(self._remember_documents)
        panel.changed.connect(self.changed)
        panel.side_bar_shown.connect(self._side_bar_action.setChecked)
        panel.side_bar.outline.entry_chosen.connect(self._on_entry_chosen)
        panel.side_bar.cited.place_chosen.connect(citations.show_cited)
        panel.citation_step_requested.connect(citations.step)
        citations.active_changed.connect(panel.side_bar.cited.set_active)
        citations.cited_changed.connect(panel.set_cited)
        citations.cited_changed.connect(self.changed)
        panel.toolbar.set_more_actions(
            [window.action(name) if name else None for name in MORE_ACTIONS]
        )
        panel.side_bar.restore(self._settings, _TAB_KEY)
        widths = self._settings.value(_WIDTHS_KEY)
        if isinstance(widths, QByteArray):
            panel.splitter.restoreState(widths)
        panel.show_side_bar(self._settings.value(_SIDE_BAR_KEY, "hidden") == "shown")

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        panel, copy = self._panel, QGuiApplication.clipboard().setText
        return {
            "viewer_side_bar": self.toggle_side_bar,
            "viewer_back": lambda: panel.travel(-1),
            "viewer_forward": lambda: panel.travel(1),
            "next_citation": lambda: self.step(1),
            "previous_citation": lambda: self.step(-1),
            "next_document": lambda: panel.turn_documents(1),
            "previous_document": lambda: panel.turn_documents(-1),
            "close_document": lambda: panel.close_document(),
            "open_outside": partial(panel.use_file, open_path),
            "show_in_folder": partial(panel.use_file, show_in_folder),
            "copy_path": partial(panel.use_file, lambda path: copy(str(path))),
            "copy_name": partial(panel.use_file, lambda path: copy(path.name)),
        }

    def available(self) -> dict[str, bool]:
        """See `Feature`."""
        panel = self._panel
        is_open, n_open = panel.path is not None, len(panel.documents.documents)
        return {
            "viewer_side_bar": panel.view.n_pages > 0,
            "viewer_back": bool(panel.visits.earlier),
            "viewer_forward": bool(panel.visits.later),
            "next_citation": bool(panel.cited),
            "previous_citation": bool(panel.cited),
            "next_document": n_open > 1,
            "previous_document": n_open > 1,
            **dict.fromkeys(_OF_FILE, is_open),
        }

    def step(self, direction: int) -> None:
        """Go to the next place that the answer cites, or the one before."""
        self._window.show_pane("viewer")
        self._citations.step(direction)

    def toggle_side_bar(self) -> None:
        """Show what stands beside the pages, ready for keys, or hide it."""
        is_wanted = not self._panel.side_bar.isVisible()
        self._window.show_pane("viewer")
        self._panel.show_side_bar(is_wanted)
        if is_wanted:
            self._panel.side_bar.focus()
        else:
            self._panel.view.setFocus()
        # Also when it was there already, in a pane out of sight: the click has switched the entry.
        self._side_bar_action.setChecked(is_wanted)

    def _on_document_shown(self, path: Path) -> None:
        side_bar = self._panel.side_bar
        side_bar.cited.show_document(path)
        side_bar.thumbnails.show_document()
        side_bar.thumbnails.set_current(self._panel.view.current_page)
        self._panel.show_signs()
        self._show_outline(path)
        self.changed.emit()

    def _on_document_left(self) -> None:
        if self._panel.path is None:
            self._keep_outline()
            self._outline_of = None
            self._panel.side_bar.outline.show_nothing(NO_DOCUMENT)
            self._panel.side_bar.thumbnails.show_document()
            self._panel.side_bar.cited.show_document(None)
        self.changed.emit()

    def _show_outline(self, path: Path) -> None:
        """Show the outline of the document on screen, as it was left when it was seen before."""
        key = (path, self._panel.view.document.document_id)
        if key == self._outline_of:
            return
        self._keep_outline()
        self._outline_of = key
        known = self._outlines.get(key)
        if known is not None:
            self._panel.side_bar.outline.show_entries(known.entries)
            self._panel.side_bar.outline.restore(known)
            return
        self._panel.side_bar.outline.show_nothing(LOADING)
        is_asked = self._panel.view.texts.ask(
            "outline",
            on_result=partial(self._on_outline, key),
            # What cannot be read has its own message in place of the pages.
            on_failure=lambda _error: self._ask_structure(key),
        )
        if not is_asked:
            self._ask_structure(key)

    def _keep_outline(self) -> None:
        outline, key = self._panel.side_bar.outline, self._outline_of
        if key is not None and outline.entries:
            self._outlines[key] = outline.state
            while len(self._outlines) > MAX_OPEN:
                self._outlines.pop(next(iter(self._outlines)))

    def _on_outline(self, key: _Key, items: Sequence[OutlineItem]) -> None:
        entries = entries_of_outline(items, self._panel.view.document.page_labels)
        if entries and key == self._outline_of:
            self._panel.side_bar.outline.show_entries(entries)
        else:
            self._ask_structure(key)

    def _ask_structure(self, key: _Key) -> None:
        came = partial(self._on_structure, key)
        self._session.request_of_file(key[0], "structure", otherwise=None, on_result=came)

    def _on_structure(self, key: _Key, view: StructureView | None) -> None:
        if key == self._outline_of:
            labels = self._panel.view.document.page_labels
            entries = entries_of_structure(view, labels) if view is not None else []
            self._panel.side_bar.outline.show_entries(entries)

    def _on_entry_chosen(self, entry: OutlineEntry) -> None:
        page_no, top = entry.page_no, entry.top or 0.0
        if page_no is None:
            return
        # To its heading, to a line at its height, or to its page.
        line = Provenance(page_no, BoundingBox(0.0, top, 1.0, top + _HEADING_PT))
        self._panel.jump_to(entry.places or ((line,) if top > _HEADING_PT else page_no))
        self._panel.side_bar.outline.mark_reading(page_no, top + 1)

    def _on_library_opened(self, view: LibraryView) -> None:
        if not self._is_another(view):
            return
        # After everything else has heard of the library: it closes the documents of the other.
        known = {status.path for status in view.statuses}
        remembered = kept_documents(self._settings, view.folder)
        there = [one for one in remembered.documents if str(one.path) in known]
        if there:
            self._panel.restore(RememberedDocuments(tuple(there), remembered.current))

    def _on_library_closed(self) -> None:
        # What was open was remembered when the panel closed it.
        self._folder = ""

    def save(self) -> None:
        """Remember what is open and what stands beside it: the window closes."""
        self._panel.side_bar.save(self._settings, _TAB_KEY)
        self._settings.setValue(_SIDE_BAR_KEY, "shown" if self._panel.wants_side_bar else "hidden")
        self._settings.setValue(_WIDTHS_KEY, self._panel.splitter.saveState())
        self._remember_documents()

    def _remember_documents(self) -> None:
        if self._folder:
            keep_documents(self._settings, self._folder, self._panel.remembered())


def entries_of_outline(items: Sequence[OutlineItem], labels: tuple[str, ...]) -> list[OutlineEntry]:
    """Return the bookmarks of a file; none when not one of them leads anywhere."""
    entries = [
        OutlineEntry(
            *(" ".join(item.title.split()) or "(without a name)", item.parent, item.page_no),
            *(item.top, (), _label(labels, item.page_no)),
        )
        for item in items
    ]
    return entries if any(entry.page_no is not None for entry in entries) else []


def entries_of_structure(view: StructureView, labels: tuple[str, ...]) -> list[OutlineEntry]:
    """Return the headings that were found in a document."""
    return [
        OutlineEntry(
            f"{chapter.number} {chapter.title}".strip(),
            chapter.parent,
            chapter.page_no,
            chapter.places[0].bbox.top if chapter.places else None,
            chapter.places[:1],
            _label(labels, chapter.page_no),
        )
        for chapter in view.chapters
    ]


def _label(labels: tuple[str, ...], page_no: int | None) -> str:
    return labels[page_no - 1] if page_no is not None and page_no <= len(labels) else ""
