"""One document at a time, shown in three ways: its pages, its structure, its text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint

from desktop_qa.core.document import DocumentId, Provenance
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.readings import ReadBy
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.focus_order import bring_focus
from desktop_qa.gui.structure.markdown_panel import MarkdownPanel
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.file_export import ExportAction
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_STRUCTURE = "structure"
_READING_MS = 60
"""The chapter that is read is looked up once in this time while the pages scroll."""


class DocumentLink(Feature):
    """Keeps structure and text at the document that was pointed at last, in list or viewer."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self.exports = ExportAction(window)
        self._side_bar = window.side_bar
        self._panel = window.side_bar.structure_panel
        self._pane = window.document_pane
        self._pdf_panel = window.pdf_panel
        self._subject: DocumentId | None = None
        self._viewed: DocumentId | None = None
        self._shown: tuple[object, ...] = ()
        self._read_by = ReadBy.PROGRAM
        self._reading_timer = single_shot(self, self._mark_reading, _READING_MS)
        self._connect()

    def _connect(self) -> None:
        self._side_bar.library_panel.document_selected.connect(self._follow)
        self._side_bar.tabs.currentChanged.connect(self._on_tab_shown)
        self._panel.place_chosen.connect(self._on_place_chosen)
        self._panel.reading_chosen.connect(self._on_reading_chosen)
        self._panel.use_wanted.connect(self._on_use_wanted)
        self._pdf_panel.document_shown.connect(self._on_document_shown)
        self._pdf_panel.document_left.connect(self._on_document_left)
        self._pdf_panel.view.reading_moved.connect(lambda *_: self._reading_timer.start())
        toolbar = self._pdf_panel.toolbar
        toolbar.structure.clicked.connect(self._on_toolbar_structure_requested)
        toolbar.text.clicked.connect(lambda: self._use(self._viewed, self.show_markdown))
        self._pane.markdown_made.connect(self._on_markdown_made)
        self._session.statuses_changed.connect(self._on_statuses_changed)
        self._session.library_opened.connect(lambda _view: self._refresh())

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        status, session = self.status, self._session
        has_content = status is not None and status.has_content
        return {
            "structure": (self.toggle_structure, session.library is not None),
            "markdown": (self.show_markdown_at_hand, has_content),
            "export": (lambda: self._use(self._subject, self.exports.choose), has_content),
            "read_again": (self._read_again, session.can_write and status is not None),
        }

    # Which document

    @property
    def status(self) -> DocumentStatus | None:
        """The document at hand."""
        return self._session.status(self._subject)

    def _follow(self, status: DocumentStatus | None) -> None:
        self._subject = status.document_id if status is not None else None
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        """Show the structure of the document at hand, if it can be seen and is not shown yet."""
        if not self._side_bar.shows_structure:
            return
        status = self.status
        if status is None:
            if self._panel.document_id is not None:
                self._shown = ()
                self._session.forget(_STRUCTURE)
                self._panel.show_nothing()
            return
        # A document that is read again keeps its structure until the new one is there.
        is_there = status.has_content
        detail = status.read_at if is_there else (status.state, status.n_pages_read, status.reason)
        shown = (status.document_id, is_there, detail)
        if shown == self._shown:
            return
        self._shown = shown
        self._session.forget(_STRUCTURE)
        if self._panel.show_document(status):
            self._ask_structure(status.document_id)
        self._mark_reading()

    def _ask_structure(self, document_id: DocumentId, *by: ReadBy) -> None:
        self._session.request(
            *("structure", document_id, *by),
            on_result=self._panel.show_structure,
            on_failure=self._on_structure_failed,
            latest=_STRUCTURE,
        )

    def _on_reading_chosen(self, by: ReadBy) -> None:
        """Show a reading of the document at hand; which one answers use stays."""
        status = self.status
        if status is None:
            return
        self._read_by = by
        self._ask_structure(status.document_id, by)

    def _on_use_wanted(self) -> None:
        status = self.status
        if status is not None:
            self._session.request(
                *("use_reading", status.document_id, self._read_by),
                on_result=lambda now: self._session.take((now,) if now else (), ()),
            )

    def _on_structure_failed(self, error: DesktopQaError) -> None:
        self._shown = ()
        self._panel.show_failure(error)

    def _on_statuses_changed(
        self, _changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        if self._subject in removed:
            self._follow(None)
        else:
            self._refresh()

    # What is done with the document at hand

    def show_markdown_at_hand(self) -> None:
        """Show its text, or its pages again when the text is shown."""
        if self._pane.shows_markdown and self._pane.markdown_panel.document_id == self._subject:
            self._pane.markdown_panel.closed.emit()
        elif self.status is not None:
            self.show_markdown(self.status)

    def _read_again(self) -> None:
        if self._subject is not None:
            self._session.read_again((self._subject,))

    def _use(self, document_id: DocumentId | None, act: Callable[[DocumentStatus], object]) -> None:
        """Do something with a document, if it is still one of the library."""
        status = self._session.status(document_id)
        if status is not None:
            act(status)

    def show_menu(self, view: EvidenceView, position: QPoint) -> None:
        """Offer what can be done with the document of a piece of evidence."""
        self._use(
            view.document_id, lambda status: pop_up(self._window.care.menu_of(status), position)
        )

    # The structure

    def show_structure(self, status: DocumentStatus) -> None:
        """Open the side bar at a document's structure, ready to be filtered."""
        self._window.show_tab("structure")
        self._follow(status)
        bring_focus(self._panel.filter_edit)

    def toggle_structure(self) -> None:
        """Open the structure of the document at hand, or go back to the documents."""
        if self._side_bar.shows_structure and self._side_bar.isVisible():
            self._side_bar.show_tab("documents")
        else:
            self._window.show_tab("structure")
            bring_focus(self._panel.filter_edit)

    def _on_tab_shown(self, _index: int) -> None:
        self._pdf_panel.toolbar.structure.setChecked(self._side_bar.shows_structure)
        self._refresh()

    def _on_toolbar_structure_requested(self, is_wanted: bool) -> None:
        status = self._session.status(self._viewed)
        if not is_wanted and self._side_bar.isVisible():
            self._side_bar.show_tab("documents")
        elif status is not None:
            self.show_structure(status)
        # Also when nothing has changed: the click has switched the button.
        self._pdf_panel.toolbar.structure.setChecked(self._side_bar.shows_structure)

    def _on_place_chosen(self, document_id: DocumentId, places: tuple[Provenance, ...]) -> None:
        status = self._session.status(document_id)
        if status is not None:
            self._window.show_pane("viewer")
            self._window.citations.look_up(Path(status.path), places)

    # What is read

    def _on_document_shown(self, path: Path) -> None:
        status = self._session.status_of_file(path)
        self._viewed = status.document_id if status is not None else None
        if status is not None:
            self._select(status.document_id)
            if status.document_id != self._subject:
                self._follow(status)
        self._mark_reading()

    def _select(self, document_id: DocumentId) -> None:
        """Have the list at the document that is read, so that all menus mean the same one.

        A selection of several is the user's own, and a list that is filled waits for no page.
        """
        panel = self._side_bar.library_panel
        if len(panel.selected_statuses) <= 1 and not panel.loading.is_active:
            panel.select_document(document_id)

    def _on_document_left(self) -> None:
        self._viewed = None
        self._mark_reading()

    def _mark_reading(self) -> None:
        is_viewed = self._viewed is not None and self._viewed == self._panel.document_id
        self._panel.mark_reading(self._pdf_panel.view.reading if is_viewed else None)

    # The text

    def show_markdown(self, status: DocumentStatus) -> None:
        """Show a document's text in place of its pages."""
        panel = self._pane.markdown_panel
        self._window.show_pane("viewer")
        self._pane.setCurrentWidget(panel)
        self._follow(status)
        panel.show_document(status)
        self._session.request(
            *("markdown", status.document_id),
            on_result=panel.show_text,
            on_failure=panel.show_failure,
            latest="markdown",
        )

    def _on_markdown_made(self, panel: MarkdownPanel) -> None:
        panel.export_requested.connect(lambda one: self._use(one, self.exports.choose))
        panel.closed.connect(self._on_markdown_closed)

    def _on_markdown_closed(self) -> None:
        """Show the pages of the document whose text was read, if others are there."""
        panel = self._pane.markdown_panel
        status = self._session.status(panel.document_id)
        if status is not None and status.document_id != self._viewed:
            self._pdf_panel.show_document(Path(status.path))
