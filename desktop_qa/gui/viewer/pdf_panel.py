"""The document beside the answer: its pages, what stands beside them, and what the reader does.

The reader travels, opens and closes tabs, and uses the file; see `OpenDocuments` and `Visits` for
the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop_qa.core.document import Provenance
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.marks.mark_panel import MarkEditor
from desktop_qa.gui.viewer.page_layout import PageArrangement, ReadingPlace
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_toolbar import PdfToolbar
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.viewer.viewer_list import CitedPlace, in_file
from desktop_qa.gui.viewer.viewer_message import MessagePage, PasswordPage
from desktop_qa.gui.viewer.viewer_side_bar import USUAL_WIDTH_PX, ViewerSideBar
from desktop_qa.gui.viewer.viewer_tab_bar import (
    DocumentTabs,
    OpenDocuments,
    RememberedDocuments,
    Visit,
    Visits,
    VisitTarget,
)
from desktop_qa.gui.widgets.boxes import in_column, put
from desktop_qa.gui.widgets.find_bar import FindLine
from desktop_qa.gui.widgets.messages import MessageArea
from desktop_qa.gui.widgets.opening import open_path
from desktop_qa.gui.widgets.timers import single_shot

_EMPTY_HINT = "Click a citation or a document to read it here."
_OPENING_MS = 400
"""A document that opens at once must not flash a message."""
_KEPT_AFTER_PAGES = 2
"""Who has read on so far wants to keep the document open."""
_MENU_LENGTH = 15


class PdfPanel(QWidget):
    """Shows documents with the places an answer cites. Lives on the GUI thread.

    Attributes:
        book: The reader's marks in all of them.
        cited: What the current answer cites.
        wants_side_bar: Whether there shall be something beside the pages, as soon as there are any.

    Signals:
        document_shown: Path of a document whose pages are now on screen.
        document_left: No document is on screen any more, or another is being opened.
        pages_wanted: A place or a document was asked for.
        changed: Other documents are open, or there are other places to go back or forward to.
        side_bar_shown: Whether something stands beside the pages now, at each change.
    """

    document_shown = Signal(object)
    document_left = Signal()
    pages_wanted = Signal()
    changed = Signal()
    side_bar_shown = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.toolbar = PdfToolbar()
        self.documents = OpenDocuments()
        self.tabs = DocumentTabs(self)
        self.view = PdfView()
        self.book = MarkBook(self)
        self.side_bar = ViewerSideBar(self.view.document, self.book)
        self.mark_editor = MarkEditor(self.view)
        self.visits = Visits()
        self._visit: Visit | None = None
        self._last: dict[Path, tuple[VisitTarget, PageArrangement | None]] = {}
        self._shown_page = 1
        self.cited: tuple[CitedPlace, ...] = ()
        self.notices = MessageArea()
        self.find_line = FindLine()
        self.find_line.hide()
        self.password_page = PasswordPage()
        self._message = MessagePage()
        self.stack = QStackedWidget()
        for page in (self._message, self.view, self.password_page):
            self.stack.addWidget(page)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("viewer_splitter")
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.side_bar)
        self.splitter.addWidget(self.stack)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([USUAL_WIDTH_PX, 4 * USUAL_WIDTH_PX])
        self.wants_side_bar = self._is_without_pages = False
        self.side_bar.hide()
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        put(column, self.tabs, self.toolbar, self.notices, self.find_line, (self.splitter, 1))
        self._opening_timer = single_shot(self, self._on_opening_timer_timeout, _OPENING_MS)
        self._connect()
        self.clear()

    def _connect(self) -> None:
        view, toolbar = self.view, self.toolbar
        view.document.opened.connect(self._on_document_opened)
        view.document.failed.connect(self._on_document_failed)
        view.current_page_changed.connect(self._on_view_page_changed)
        view.reading_moved.connect(self.side_bar.outline.mark_reading)
        view.highlight_clicked.connect(self.set_active)
        view.jumping.connect(self._leave)
        toolbar.previous.clicked.connect(lambda: self.jump_to(view.current_page - 1))
        toolbar.next.clicked.connect(lambda: self.jump_to(view.current_page + 1))
        toolbar.page.page_entered.connect(self.jump_to)
        # The keys that come next scroll the page that was asked for.
        toolbar.page.left.connect(partial(view.setFocus, Qt.FocusReason.OtherFocusReason))
        toolbar.larger.clicked.connect(view.zoom_in)
        toolbar.smaller.clicked.connect(view.zoom_out)
        for button, step in ((toolbar.back, -1), (toolbar.forward, 1)):
            button.clicked.connect(lambda _checked, step=step: self.travel(step))
            button.menu().aboutToShow.connect(partial(self._fill_travel_menu, button.menu(), step))
        toolbar.open_outside.clicked.connect(partial(self.use_file, open_path))
        toolbar.side_bar.clicked.connect(self.show_side_bar)
        self.side_bar.thumbnails.page_chosen.connect(self.jump_to)
        self._message.button.clicked.connect(partial(self.use_file, open_path))
        # From wherever the focus is in the viewer; they mean something else outside of it.
        turn = self.turn_documents
        on_keys(self, {"Ctrl+W": self.close_document}, when=lambda: self.path is not None)
        back = "Ctrl+PgUp, Ctrl+Shift+PgUp, Ctrl+Shift+PgDown, Ctrl+Shift+Tab, Ctrl+Shift+Backtab"
        on_keys(self, {"Ctrl+Tab, Ctrl+PgDown": partial(turn, 1), back: partial(turn, -1)})

    # What is shown

    @property
    def path(self) -> Path | None:
        """The file that is shown, or could not be."""
        return self._visit.path if self._visit is not None else None

    @property
    def message(self) -> str:
        """What stands in place of the pages; empty while there are pages."""
        if self.stack.currentWidget() is self.view:
            return ""
        return f"{self._message.title.text()} {self._message.hint.text()}".strip()

    def show_document(self, path: Path, *, is_kept: bool = True) -> None:
        """Show a document where it was read last in this session, with what the answer cites."""
        self._leave()
        self._show(self._visit_to(path), is_kept)

    def show_places(
        self,
        path: Path,
        target: int | Sequence[Provenance],
        highlights: Sequence[Highlight] | None = None,
        active: int | None = None,
    ) -> None:
        """Show a page or places of a document; no places show it where it was read last.

        Marked are the highlights, `active` most strongly; what the answer cites when they are None.
        """
        self._leave()
        visit = self._visit_to(path, target if isinstance(target, int) else tuple(target))
        if highlights is not None:
            visit = replace(visit, highlights=tuple(highlights), active=active)
        self._show(visit)

    def _visit_to(self, path: Path, target: int | tuple[Provenance, ...] = ()) -> Visit:
        """Return what shows a document with what the answer cites, there or where it was left."""
        last, look = self._last.get(path, (1, None))
        return Visit(path, self.cited_in(path), None, target or last, look)

    def set_cited(self, cited: Sequence[CitedPlace]) -> None:
        """Take what the current answer cites: it is marked in every document that is shown."""
        self.cited = tuple(cited)
        self.visits.earlier = list(map(self._renewed, self.visits.earlier))
        self.visits.later = list(map(self._renewed, self.visits.later))
        self.side_bar.cited.show_places(self.cited)
        if self._visit is not None:
            self._visit = self._renewed(self._visit)
            if self._is_shown(self._visit.path):
                self.view.set_highlights(self._visit.highlights, self._visit.active)
        self.show_signs()

    def set_active(self, marker: int | None) -> None:
        """Mark a citation most strongly where the pages stand."""
        if self._visit is not None:
            self._visit = replace(self._visit, active=marker)
        self.view.set_active(marker)

    def cited_in(self, path: Path) -> tuple[Highlight, ...]:
        """Return what the current answer cites in a document."""
        found: dict[int, Highlight] = {}
        for place in in_file(self.cited, path):
            before = found[place.marker].places if place.marker in found else ()
            found[place.marker] = Highlight(place.marker, (*before, *place.places), place.quote)
        return tuple(found.values())

    def _renewed(self, visit: Visit) -> Visit:
        """Return a visit with the marks of the current answer."""
        return replace(visit, highlights=self.cited_in(visit.path), active=None)

    def clear(self) -> None:
        """Close all documents; where each was read stays known."""
        self._remember()
        self.visits = Visits()
        self.documents.clear()
        self.cited = ()
        self.side_bar.cited.show_places(())
        self._show_nothing()

    def _show_nothing(self) -> None:
        self._opening_timer.stop()
        self._visit = None
        self.mark_editor.close_sheet()
        self.view.close_document()
        self.toolbar.set_document(None, 0)
        self._show_message("", _EMPTY_HINT, can_open=False)
        self._show_side_bar()
        self._show_documents()
        self.document_left.emit()

    def _show(self, visit: Visit, is_kept: bool = False) -> None:
        self._visit = visit
        self.documents.show(visit.path, is_kept=is_kept)
        self._show_documents()
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
        self.view.set_highlights(visit.highlights, visit.active)
        self.stack.setCurrentWidget(self.view)
        self.toolbar.set_document(visit.path, self.view.n_pages)
        self.toolbar.set_page(self.view.current_page)
        self._shown_page = self.view.current_page
        self._show_side_bar()
        self.document_shown.emit(visit.path)

    def _on_document_failed(self, problem: UnreadableDocumentError) -> None:
        self._opening_timer.stop()
        visit = self._visit
        if visit is None:
            return
        self.view.set_highlights(())
        self.toolbar.set_document(visit.path, 0)
        self._show_message(problem.message, problem.hint, can_open=visit.path.exists())
        self._show_side_bar()

    def _on_opening_timer_timeout(self) -> None:
        if self._visit is not None:
            self._show_message("", f"Opening {self._visit.path.name} …", can_open=False)

    def _show_message(self, title: str, hint: str, *, can_open: bool) -> None:
        self._message.show_text(title, hint, can_open=can_open)
        self.stack.setCurrentWidget(self._message)

    # Beside the pages

    def show_side_bar(self, is_wanted: bool, tab: str = "", *, without_pages: bool = False) -> None:
        """Show or hide what stands beside the pages, open at a tab; even `without_pages`."""
        self.wants_side_bar = is_wanted
        self._is_without_pages = without_pages
        if tab:
            self.side_bar.show_tab(tab)
        self._show_side_bar()

    def _show_side_bar(self) -> None:
        self.toolbar.side_bar.setChecked(self.wants_side_bar)
        has_sense = self.view.n_pages > 0 or self._is_without_pages
        is_shown = self.wants_side_bar and has_sense
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
        cited = {place.page_no for place in self.cited if place.path == self.path}
        marked: dict[int, list[MarkColour]] = {}
        for placed in self.view.marks:
            for place in placed.places:
                marked.setdefault(place.page_no, []).append(placed.mark.colour)
        self.side_bar.thumbnails.set_signs(cited, marked)

    # Where the reader has been

    def _remember(self) -> Visit | None:
        """Note where the document on screen is read; None when there is none."""
        visit = self._visit
        if visit is None or not self._is_shown(visit.path):
            return None
        visit = replace(visit, target=self.view.place, look=self.view.arrangement)
        self._last[visit.path] = visit.target, visit.look
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
        self.changed.emit()

    def _show_documents(self) -> None:
        self.tabs.refresh()
        self.toolbar.show_name(self.tabs.isHidden())
        self._show_history()

    def keep_document(self, path: Path) -> None:
        """Let a document stay open when others are looked at."""
        if self.documents.keep(path):
            self._show_documents()

    # Going somewhere

    def jump_to(self, target: int | Sequence[Provenance]) -> None:
        """Go to a page by its 1-based number, or to places, of the document that is shown.

        It can be gone back from, unless it is the page that is read or the one beside it.
        """
        is_near = isinstance(target, int) and abs(target - self.view.current_page) <= 1
        if not is_near:
            self._leave()
        self._shown_page = target if isinstance(target, int) else self._shown_page
        self.view.go_to(target)

    def travel(self, step: int) -> None:
        """Go so many places back (negative) or forward."""
        target = self.visits.travel(step, self._remember())
        if target is not None:
            self._show(target)
        else:
            self._show_history()

    def _fill_travel_menu(self, menu: QMenu, direction: int) -> None:
        """List the places before (-1) or after (1) the present one, the nearest first."""
        menu.clear()
        places = self.visits.earlier if direction < 0 else self.visits.later
        for number, visit in enumerate(places[:_MENU_LENGTH], start=1):
            label = visit.label.replace("&", "&&")
            menu.addAction(label, partial(self.travel, direction * number))

    # The open documents

    def go_to_document(self, path: Path) -> None:
        """Show an open document where it was read."""
        if self.documents.index_of(path) >= 0 and path != self.path:
            self.show_document(path, is_kept=False)

    def turn_documents(self, step: int) -> None:
        """Go to the document so many tabs further, around the ends."""
        document = self.documents.beside(step)
        if document is not None:
            self.go_to_document(document.path)

    def close_document(self, path: Path | None = None) -> None:
        """Close a document, the one that is shown when none is named."""
        closed = path or self.path
        if closed is None:
            return
        is_shown = closed == self.path
        if is_shown:
            self._remember()
        self.documents.close(closed)
        if not is_shown:
            self._show_documents()
            return
        current = self.documents.current
        if current is None:
            self._show_nothing()
        else:
            self._show(self._visit_to(current))

    def close_others(self, path: Path) -> None:
        """Close all documents but one, and show that one."""
        self.go_to_document(path)
        for document in list(self.documents.documents):
            if document.path != path:
                self.documents.close(document.path)
        self._show_documents()

    def remembered(self) -> RememberedDocuments:
        """Return what is open, and where and how each document was read."""
        self._remember()
        found = []
        for document in self.documents.documents:
            last, look = self._last.get(document.path, (None, None))
            place = last if isinstance(last, ReadingPlace) else None
            found.append(replace(document, place=place, look=look))
        return RememberedDocuments(tuple(found), self.documents.current)

    def restore(self, remembered: RememberedDocuments) -> None:
        """Open documents as they were; only the one that was shown is read from the disk."""
        self.documents.restore(remembered)
        self._last |= {one.path: (one.place or 1, one.look) for one in remembered.documents}
        current = self.documents.current
        if current is not None:
            self._show(self._visit_to(current))

    def use_file(self, act: Callable[[Path], object], _is_checked: bool = False) -> None:
        """Do something with the file that is shown, if one is."""
        if self.path is not None:
            act(self.path)

    # Keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Travel by the side buttons wherever the pointer is in the viewer."""
        steps = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
        step = steps.get(event.button())
        if step is not None:
            self.travel(step)
        else:
            super().mousePressEvent(event)

    @property
    def is_typing(self) -> bool:
        """True while letters go into a text of the viewer that is being written."""
        focused = QApplication.focusWidget()
        return isinstance(focused, QLineEdit | QPlainTextEdit) and self.isAncestorOf(focused)
