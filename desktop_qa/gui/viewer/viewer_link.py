"""The menus of the viewer, and what stands around the pages: outline, open documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QKeySequence

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.page_names import page_label
from desktop_qa.core.page_text import OutlineItem
from desktop_qa.core.view import LibraryView, StructureView
from desktop_qa.gui.focus_order import bring_focus, on_keys
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageMode, Zoom, ZoomMode
from desktop_qa.gui.viewer.pdf_document import PdfDocument
from desktop_qa.gui.viewer.viewer_side_bar import LOADING, NO_DOCUMENT, OutlineEntry, OutlineState
from desktop_qa.gui.viewer.viewer_tab_bar import (
    MAX_OPEN,
    RememberedDocuments,
    keep_documents,
    kept_documents,
)
from desktop_qa.gui.widgets.dialog_parts import one_of
from desktop_qa.gui.widgets.opening import copy_text, open_path, show_in_folder
from desktop_qa.gui.window_parts import Deed, Feature, Slot, WindowParts

_MODES = {
    "page_continuous": PageMode.CONTINUOUS,
    "page_single": PageMode.SINGLE,
    "page_pairs": PageMode.PAIRS,
    "page_book": PageMode.COVER_AND_PAIRS,
}
_ZOOMS = {
    "fit_width": Zoom(ZoomMode.FIT_WIDTH),
    "fit_page": Zoom(ZoomMode.FIT_PAGE),
    "actual_size": Zoom(ZoomMode.FACTOR, 1.0),
}
_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0)
_COLOURS = {f"page_colours_{colours.value}": colours for colours in PageColours}
_COLOURS_KEY = "viewer/page_colours"
_SIDE_BAR_KEY = "viewer/side_bar"
_TAB_KEY = "viewer/side_bar_tab"
_WIDTHS_KEY = "viewer/side_bar_widths"
_HEADING_PT = 14.0

_MORE_ACTIONS = (
    ("highlight", "add_note", "show_marks"),
    ("open_outside", "show_in_folder", "copy_path", "copy_name"),
    ("tear_off", "close_document"),
)
"""In the menu at the end of the line over the pages, with a line between the groups."""

_Key = tuple[Path, DocumentId | None]


class PageLink(Feature):
    """Connects the entries of the menu with the pages, and shows what they are at."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = panel = window.pdf_panel
        self._view = panel.view
        self._action = action = window.action
        one_of(map(action, _MODES), self)
        one_of(map(action, _COLOURS), self)
        for name in _ZOOMS:
            action(name).setCheckable(True)
        # Where "+" needs Shift, nobody presses it.
        action("zoom_in").setShortcuts([*action("zoom_in").shortcuts(), QKeySequence("Ctrl+=")])
        self._fill_size_menu()
        self._view.arrangement_changed.connect(self._show_arrangement)
        self._view.current_page_changed.connect(self.changed)
        panel.document_shown.connect(self._on_panel_document_shown)
        self._show_arrangement()
        kept = f"page_colours_{self._settings.value(_COLOURS_KEY, PageColours.PRINTED.value)}"
        self._show_colours(_COLOURS.get(kept, PageColours.PRINTED))

    def _fill_size_menu(self) -> None:
        """Offer modes and rotation where the size is chosen: the toolbar has no room for more."""
        toolbar, fits = self._panel.toolbar, ("fit_width", "fit_page")
        toolbar.fit_width.clicked.connect(self._action("fit_width").trigger)
        toolbar.fit_page.clicked.connect(self._action("fit_page").trigger)
        menu = toolbar.size_menu
        for factor in _FACTORS:
            zoom = partial(self._set_zoom, Zoom(ZoomMode.FACTOR, factor))
            menu.addAction(f"{factor:.0%}".replace("%", " %"), zoom)
        for names in (fits, tuple(_MODES), ("rotate_right", "rotate_left"), tuple(_COLOURS)):
            menu.addSeparator()
            menu.addActions(list(map(self._action, names)))

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        view = self._view
        is_shown = view.n_pages > 0 and not self._panel.message
        pages = view.page_layout.spread_of(view.current_page - 1) if is_shown else range(0)
        has_next = is_shown and pages[-1] < view.n_pages - 1
        has_previous = is_shown and pages[0] > 0
        slots: dict[str, Slot] = {
            **{name: lambda _on, mode=mode: view.set_mode(mode) for name, mode in _MODES.items()},
            **{name: partial(self._set_zoom, zoom) for name, zoom in _ZOOMS.items()},
            **{name: partial(self._choose_colours, one) for name, one in _COLOURS.items()},
            "zoom_in": lambda: view.zoom_in(),
            "zoom_out": lambda: view.zoom_out(),
            "rotate_right": lambda: view.rotate(1),
            "rotate_left": lambda: view.rotate(-1),
            "go_to_page": self._go_to_page,
        }
        return {
            **{name: (slot, is_shown) for name, slot in slots.items()},
            "next_page": (lambda: view.turn(1), has_next),
            "previous_page": (lambda: view.turn(-1), has_previous),
            "first_page": (lambda: self._panel.jump_to(1), has_previous),
            "last_page": (lambda: self._panel.jump_to(view.n_pages), has_next),
        }

    def _on_panel_document_shown(self) -> None:
        document = self._view.document
        labels, status = document.page_labels, self._session.status(document.document_id)
        if status is not None and status.page_starts:
            # The library knows the numbers that are printed and not only those of the file.
            starts, n_pages = status.page_starts, len(labels)
            labels = tuple(page_label(starts, page_no) for page_no in range(1, n_pages + 1))
        self._panel.toolbar.set_labels(labels)

    def _set_zoom(self, zoom: Zoom, _is_checked: bool = True) -> None:
        self._view.set_zoom(zoom)
        # Also when nothing has changed: choosing it has switched the entry.
        self._show_arrangement()

    def _choose_colours(self, colours: PageColours, _is_checked: bool = True) -> None:
        self._settings.setValue(_COLOURS_KEY, colours.value)
        self._show_colours(colours)

    def _show_colours(self, colours: PageColours) -> None:
        self._view.set_colours(colours)
        self._action(f"page_colours_{colours.value}").setChecked(True)

    def _go_to_page(self) -> None:
        edit = self._panel.toolbar.page
        bring_focus(edit)
        edit.selectAll()

    def _show_arrangement(self) -> None:
        arrangement = self._view.arrangement
        for name, mode in _MODES.items():
            self._action(name).setChecked(mode is arrangement.mode)
        for name, zoom in _ZOOMS.items():
            self._action(name).setChecked(zoom == arrangement.zoom)
        self._panel.toolbar.set_zoom(arrangement.zoom, self._view.factor)


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
        session.library_left.connect(self._remember_documents)
        session.library_closed.connect(self._on_library_closed)
        panel.document_shown.connect(self._on_document_shown)
        panel.document_left.connect(self._on_document_left)
        panel.side_bar_shown.connect(self._side_bar_action.setChecked)
        panel.side_bar.outline.entry_chosen.connect(self._on_entry_chosen)
        panel.side_bar.cited.place_chosen.connect(citations.show_cited)
        steps = {"N": partial(citations.step, 1), "Shift+N": partial(citations.step, -1)}
        on_keys(panel, steps, when=lambda: not panel.is_typing)
        panel.toolbar.more_actions = [list(map(window.action, names)) for names in _MORE_ACTIONS]
        panel.side_bar.restore(self._settings, _TAB_KEY)
        widths = self._settings.value(_WIDTHS_KEY)
        if isinstance(widths, QByteArray):
            panel.splitter.restoreState(widths)
        panel.show_side_bar(self._settings.value(_SIDE_BAR_KEY, "hidden") == "shown")

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        panel = self._panel
        is_open, has_others = panel.path is not None, len(panel.documents.documents) > 1
        is_cited = bool(panel.cited)
        return {
            "viewer_side_bar": (self.toggle_side_bar, panel.view.n_pages > 0),
            "viewer_back": (lambda: panel.travel(-1), bool(panel.visits.earlier)),
            "viewer_forward": (lambda: panel.travel(1), bool(panel.visits.later)),
            "next_citation": (lambda: self.step(1), is_cited),
            "previous_citation": (lambda: self.step(-1), is_cited),
            "next_document": (lambda: panel.turn_documents(1), has_others),
            "previous_document": (lambda: panel.turn_documents(-1), has_others),
            "close_document": (lambda: panel.close_document(), is_open),
            "open_outside": (partial(panel.use_file, open_path), is_open),
            "show_in_folder": (partial(panel.use_file, show_in_folder), is_open),
            "copy_path": (partial(panel.use_file, lambda path: copy_text(str(path))), is_open),
            "copy_name": (partial(panel.use_file, lambda path: copy_text(path.name)), is_open),
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

    def _on_document_left(self) -> None:
        if self._panel.path is None:
            self._keep_outline()
            self._outline_of = None
            self._panel.side_bar.outline.show_nothing(NO_DOCUMENT)
            self._panel.side_bar.thumbnails.show_document()
            self._panel.side_bar.cited.show_document(None)

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
        self._panel.view.texts.ask(
            "outline",
            on_result=partial(self._on_outline, key),
            # What cannot be read has its own message in place of the pages.
            on_failure=lambda _error: self._ask_structure(key),
        )

    def _keep_outline(self) -> None:
        outline, key = self._panel.side_bar.outline, self._outline_of
        if key is not None and outline.entries:
            self._outlines[key] = outline.state
            while len(self._outlines) > MAX_OPEN:
                self._outlines.pop(next(iter(self._outlines)))

    def _on_outline(self, key: _Key, items: Sequence[OutlineItem]) -> None:
        entries = entries_of_outline(items, self._panel.view.document)
        if entries and key == self._outline_of:
            self._panel.side_bar.outline.show_entries(entries)
        else:
            self._ask_structure(key)

    def _ask_structure(self, key: _Key) -> None:
        came = partial(self._on_structure, key)
        self._session.request_of_file(key[0], "structure", otherwise=None, on_result=came)

    def _on_structure(self, key: _Key, view: StructureView | None) -> None:
        if key == self._outline_of:
            document = self._panel.view.document
            entries = entries_of_structure(view, document) if view is not None else []
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
        # What was open was remembered when the library was left.
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


def entries_of_outline(items: Sequence[OutlineItem], document: PdfDocument) -> list[OutlineEntry]:
    """Return the bookmarks of a file; none when not one of them leads anywhere."""
    entries = [
        OutlineEntry(
            *(" ".join(item.title.split()) or "(without a name)", item.parent, item.page_no),
            *(item.top, (), document.label_of(item.page_no)),
        )
        for item in items
    ]
    return entries if any(entry.page_no is not None for entry in entries) else []


def entries_of_structure(view: StructureView, document: PdfDocument) -> list[OutlineEntry]:
    """Return the headings that were found in a document."""
    return [
        OutlineEntry(
            f"{chapter.number} {chapter.title}".strip(),
            chapter.parent,
            chapter.page_no,
            chapter.places[0].bbox.top if chapter.places else None,
            chapter.places[:1],
            document.label_of(chapter.page_no),
        )
        for chapter in view.chapters
    ]
