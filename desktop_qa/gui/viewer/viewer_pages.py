"""One document of those that are open: its pages, the line over them, what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.marks.mark_editor import MarkEditor
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_toolbar import PdfToolbar
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.viewer.viewer_documents import OpenDocuments
from desktop_qa.gui.viewer.viewer_message import MessagePage
from desktop_qa.gui.viewer.viewer_places import CitedPlace
from desktop_qa.gui.viewer.viewer_side_bar import USUAL_WIDTH_PX, ViewerSideBar
from desktop_qa.gui.viewer.viewer_tab_bar import DocumentTabs
from desktop_qa.gui.viewer.viewer_visits import Visit, Visits
from desktop_qa.gui.widgets.theme import TextSizes, Theme
from desktop_qa.gui.widgets.timers import single_shot

_EMPTY_HINT = "Click a citation or a document to read it here."
_OPENING_MS = 400
"""A document that opens at once must not flash a message."""
_KEPT_AFTER_PAGES = 2
"""Who has read on so far wants to keep the document open."""


class ViewerPages(QWidget):
    """Shows documents with the places an answer cites; `PdfPanel` adds what the reader does.

    Attributes:
        documents: Which are open.
        book: The reader's marks in all of them.

    Signals:
        document_shown: Path of a document whose pages are now on screen.
        highlight_clicked: Marker of the citation that was clicked on a page.
        reading_moved: 1-based number of a page and a height on it in points: what is read now.
        document_left: No document is on screen any more, or another is being opened.
        pages_wanted: A place or a document was asked for.
        documents_changed: Others are open, or one is kept now.
        closing_all: All documents are about to be closed.
        travelled: There are other places to go back or forward to.
        side_bar_shown: Whether something stands beside the pages now, at each change.
    """

    document_shown = Signal(object)
    highlight_clicked = Signal(int)
    reading_moved = Signal(int, float)
    document_left = Signal()
    pages_wanted = Signal()
    documents_changed = Signal()
    closing_all = Signal()
    travelled = Signal()
    side_bar_shown = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.toolbar = PdfToolbar()
        self.tabs = DocumentTabs()
        self.view = PdfView()
        self.book = MarkBook(self)
        self.side_bar = ViewerSideBar(self.view.document, self.book)
        self.mark_editor = MarkEditor(self.view)
        self.documents = OpenDocuments()
        self.visits = Visits()
        self._visit: Visit | None = None
        self._last: dict[Path, Visit] = {}
        self._shown_page = 1
        self._cited: tuple[CitedPlace, ...] = ()
        self._answer = 0
        self._message = MessagePage()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._message)
        self._stack.addWidget(self.view)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("viewer_splitter")
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.side_bar)
        self.splitter.addWidget(self._stack)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([USUAL_WIDTH_PX, 4 * USUAL_WIDTH_PX])
        self._wants_side_bar = self._is_without_pages = False
        self.side_bar.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self.toolbar)
        column.addWidget(self.splitter, 1)
        self._opening_timer = single_shot(self, self._on_opening_timer_timeout, _OPENING_MS)
        self._connect()
        self.clear()

    def _connect(self) -> None:
        view = self.view
        view.document.opened.connect(self._on_document_opened)
        view.document.failed.connect(self._on_document_failed)
        view.current_page_changed.connect(self._on_view_page_changed)
        view.zoom_changed.connect(self._show_zoom)
        view.reading_moved.connect(self.reading_moved)
        view.reading_moved.connect(self.side_bar.outline.mark_reading)

    # What is shown

    @property
    def path(self) -> Path | None:
        """The file that is shown, or could not be."""
        return self._visit.path if self._visit is not None else None

    @property
    def message(self) -> str:
        """What stands in place of the pages; empty while there are pages."""
        if self._stack.currentWidget() is self.view:
            return ""
        return f"{self._message.title.text()} {self._message.hint.text()}".strip()

    def show_document(self, path: Path, name: str, *, is_kept: bool = True) -> None:
        """Show a document where it was read last in this session, with what the answer cites."""
        self.show_places(path, name, (), self._cited_in(path), is_kept=is_kept)

    def show_places(
        self,
        path: Path,
        name: str,
        places: Sequence[Provenance],
        highlights: Sequence[Highlight] = (),
        active: int | None = None,
        *,
        is_kept: bool = False,
    ) -> None:
        """Show places of a document and mark what an answer cites in it.

        Args:
            path: The file.
            name: What it is called over the pages.
            places: What to scroll to; none shows the document where it was read last.
            highlights: Everything to mark in this document.
            active: Marker of the highlight to mark most strongly.
            is_kept: Its tab stays when other documents are looked at.
        """
        self._leave()
        last = self._last.get(path)
        target = tuple(places) or (last.target if last is not None else 1)
        look = last.look if last is not None else None
        self._show(
            Visit(path, name, tuple(highlights), active, target, look, self._answer), is_kept
        )

    def show_at(self, path: Path, name: str, target: int | tuple[Provenance, ...]) -> None:
        """Show a page or places of a document with what the answer cites, and nothing else."""
        self._leave()
        last = self._last.get(path)
        look = last.look if last is not None else None
        self._show(Visit(path, name, self._cited_in(path), None, target, look, self._answer))

    def set_cited(self, cited: Sequence[CitedPlace]) -> None:
        """Take what the current answer cites: it is marked in every document that is shown."""
        self._cited = tuple(cited)
        self._answer += 1
        self.side_bar.cited.show_places(self._cited)
        self.view.set_cited_words({place.marker: place.quote for place in self._cited})
        if self._visit is not None:
            self._visit = self._of_this_answer(self._visit)
            if self._is_shown(self._visit.path):
                self.view.set_highlights(self._visit.highlights)
                self.view.set_active(self._visit.active)
        self.show_signs()

    def set_active(self, marker: int | None) -> None:
        """Mark a citation most strongly where the pages stand."""
        if self._visit is not None:
            self._visit = replace(self._visit, active=marker)
        self.view.set_active(marker)

    @property
    def cited(self) -> tuple[CitedPlace, ...]:
        """What the current answer cites."""
        return self._cited

    def _cited_in(self, path: Path) -> tuple[Highlight, ...]:
        by_marker: dict[int, tuple[Provenance, ...]] = {}
        for place in self._cited:
            if place.path == path:
                by_marker[place.marker] = (*by_marker.get(place.marker, ()), *place.places)
        return tuple(Highlight(marker, places) for marker, places in by_marker.items())

    def _of_this_answer(self, visit: Visit) -> Visit:
        """Return a visit with the marks of the current answer."""
        if visit.answer == self._answer:
            return visit
        marks = self._cited_in(visit.path)
        return replace(visit, highlights=marks, active=None, answer=self._answer)

    def clear(self) -> None:
        """Close all documents; where each was read stays known."""
        self.closing_all.emit()
        self._opening_timer.stop()
        self._remember()
        self.visits.forget()
        self.documents.clear()
        self._cited = ()
        self.side_bar.cited.show_places(())
        self._show_nothing()
        self._show_documents()

    def _show_nothing(self) -> None:
        self._opening_timer.stop()
        self._visit = None
        self.mark_editor.close_sheet()
        self.view.close_document()
        self.toolbar.set_document("", "", 0)
        self._show_message("", _EMPTY_HINT, can_open=False)
        self._show_side_bar()
        self._show_history()
        self.document_left.emit()

    def _show(self, visit: Visit, is_kept: bool = False) -> None:
        visit = self._of_this_answer(visit)
        self._visit = visit
        self.documents.show(visit.path, visit.name, is_kept=is_kept)
        self._show_documents()
        self._show_history()
        self.pages_wanted.emit()
        if not self._is_shown(visit.path):
            # The old pages stay until the new ones are there; their marks would be wrong.
            self.mark_editor.close_sheet()
            self.view.set_highlights(())
            self.view.set_marks(())
            self._opening_timer.start()
            self.document_left.emit()
        self.view.open(visit.path, visit.target, visit.look)

    def _is_shown(self, path: Path) -> bool:
        stamp = self.view.document.stamp
        return stamp is not None and Path(stamp.path) == path

    def _on_document_opened(self) -> None:
        self._opening_timer.stop()
        visit = self._visit
        if visit is None:
            return
        self.view.set_highlights(visit.highlights)
        self.view.set_active(visit.active)
        self._stack.setCurrentWidget(self.view)
        self.toolbar.set_document(visit.name, str(visit.path), self.view.n_pages)
        self.toolbar.set_page(self.view.current_page)
        self._shown_page = self.view.current_page
        self._show_zoom()
        self._show_side_bar()
        self.document_shown.emit(visit.path)

    def _on_document_failed(self, problem: UnreadableDocumentError) -> None:
        self._opening_timer.stop()
        visit = self._visit
        if visit is None:
            return
        self.view.set_highlights(())
        self.toolbar.set_document(visit.name, str(visit.path), 0)
        self._show_message(problem.message, problem.hint, can_open=visit.path.exists())
        self._show_side_bar()

    def _on_opening_timer_timeout(self) -> None:
        if self._visit is not None:
            self._show_message("", f"Opening {self._visit.name} …", can_open=False)

    def _show_message(self, title: str, hint: str, *, can_open: bool) -> None:
        self._message.show_text(title, hint, can_open=can_open)
        self._stack.setCurrentWidget(self._message)

    def _show_zoom(self) -> None:
        self.toolbar.set_zoom(self.view.zoom, self.view.factor)

    # Beside the pages

    @property
    def shows_side_bar(self) -> bool:
        """True when the side bar is wanted; it is seen while there are pages."""
        return self._wants_side_bar

    def show_side_bar(self, is_wanted: bool, tab: str = "", *, without_pages: bool = False) -> None:
        """Show or hide what stands beside the pages.

        Args:
            is_wanted: False hides it.
            tab: The one to open; empty leaves it as it is.
            without_pages: Show it although there are no pages beside it.
        """
        self._wants_side_bar = is_wanted
        self._is_without_pages = without_pages
        if tab:
            self.side_bar.show_tab(tab)
        self._show_side_bar()

    def _show_side_bar(self) -> None:
        self.toolbar.side_bar.setChecked(self._wants_side_bar)
        has_sense = self.view.n_pages > 0 or self._is_without_pages
        is_shown = self._wants_side_bar and has_sense
        if is_shown == self.side_bar.isHidden():
            self.side_bar.setVisible(is_shown)
            self.side_bar_shown.emit(is_shown)

    def _on_view_page_changed(self, page_no: int) -> None:
        self.toolbar.set_page(page_no)
        self.side_bar.thumbnails.set_current(page_no)
        if self.path is not None and abs(page_no - self._shown_page) >= _KEPT_AFTER_PAGES:
            self.keep_document(self.path)

    def show_signs(self) -> None:
        """Put the dots of citations and marks on the small pictures."""
        cited = {place.page_no for place in self._cited if place.path == self.path}
        marked: dict[int, list[MarkColour]] = {}
        for placed in self.view.marks:
            for page_no in dict.fromkeys(place.page_no for place in placed.places):
                marked.setdefault(page_no, []).append(placed.mark.colour)
        self.side_bar.thumbnails.set_signs(cited, marked)

    # Where the reader has been

    def _remember(self) -> Visit | None:
        """Note where the document on screen is read; None when there is none."""
        visit = self._visit
        if visit is None or not self._is_shown(visit.path):
            return None
        visit = replace(visit, target=self.view.place, look=self.view.arrangement)
        self._last[visit.path] = visit
        return visit

    def _leave(self) -> None:
        """Make the present place one to come back to."""
        visit = self._remember()
        if visit is not None:
            self.visits.leave(visit)
        self._show_history()

    def _show_history(self) -> None:
        self.toolbar.back.setEnabled(bool(self.visits.earlier))
        self.toolbar.forward.setEnabled(bool(self.visits.later))
        self.travelled.emit()

    def _show_documents(self) -> None:
        self.tabs.show_documents(self.documents.documents, self.documents.current)
        self.toolbar.show_name(self.tabs.isHidden())
        self.documents_changed.emit()

    def keep_document(self, path: Path) -> None:
        """Let a document stay open when others are looked at."""
        if self.documents.keep(path):
            self._show_documents()

    def apply_theme(self, theme: Theme, sizes: TextSizes) -> None:
        """Hand the colours to what is drawn by hand."""
        self.tabs.apply_theme(theme)
        self.side_bar.apply_theme(theme, sizes)
