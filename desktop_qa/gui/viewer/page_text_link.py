"""The text of the pages and the rest of the window: found, copied, asked about, followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from textwrap import shorten

from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from desktop_qa.core.document import BoundingBox, Provenance, Table
from desktop_qa.core.page_text import PageLink, TextQuery
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.structure import path_to
from desktop_qa.core.view import StructureView
from desktop_qa.gui.library.scope_model import document_entry
from desktop_qa.gui.marks.mark_book import read_cell
from desktop_qa.gui.tables.table_text import Rows, copied
from desktop_qa.gui.viewer.page_text_table import (
    cell_at,
    rows_of_lines,
    rows_of_table,
    rows_of_tables,
    table_at,
)
from desktop_qa.gui.viewer.pdf_pointer import description, link_at, refusal, whole_address
from desktop_qa.gui.viewer.pdf_selection import NOTHING_TO_SELECT
from desktop_qa.gui.viewer.viewer_message import ViewHint
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.labels import n_of, told
from desktop_qa.gui.widgets.messages import NoticeLevel
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_NOTICE = "page_text"
_LINK_NOTICE = "link"
_MAX_SHOWN = 500
_BREAK_EVERY = 24
_MAX_FIND_WORDS = 100
_MAX_ASKED = 600
"""Characters of a passage that is asked about, or looked for."""
_LINK_DEPTH_PT = 12.0
_PAGE_ACTIONS = (
    ("viewer_back", "viewer_forward"),
    ("fit_width", "fit_page", "rotate_right", "rotate_left"),
    ("print", "open_outside"),
)
"""In the menu of a page, where nothing is selected, with a line between the groups."""

Act = Callable[[], object]
_ENTRIES = {
    "copy": ("&Copy", "Copy the selected text"),
    "copy_table": ("Copy as &Table", "Copy the selected cells for a spreadsheet or a report"),
    "copy_citation": (
        "Copy with C&itation",
        "Copy the text in quotation marks with document, revision, page and section",
    ),
    "ask": (
        "&Ask About This",
        "Put the text into the box for questions and ask this document alone",
    ),
    "search": (
        "&Search the Library for This",
        "Look for the text in all documents of the library",
    ),
    "mark": ("&Highlight", "Keep the passage marked; the PDF itself is not changed"),
    "note": ("Add &Note …", "Keep the passage marked and write a note to it"),
    "follow": ("&Open Address …", "Ask before the address is opened"),
    "go": ("&Go to {}", "Go to where the link leads"),
    "copy_address": ("Copy &Address", "Copy where the link leads"),
    "copy_page": ("&Copy Page Text", "Copy all text of this page"),
    "copy_whole": (
        "Copy This &Table",
        "Copy the table under the pointer for a spreadsheet or a report",
    ),
    "wrong_cell": (
        "This Cell Is &Wrong …",
        "Report that the cell under the pointer was read wrongly",
    ),
    "find": ("&Find …", "Find words in this document"),
    "select_all": ("Select &All", "Select the text of the whole document"),
}


class PageTextMenu(QMenu):
    """Entries with what they do; one that cannot be done now is shown dim."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: dict[str, QAction] = {}
        self.setToolTipsVisible(True)

    def offer(
        self,
        name: str,
        act: Act | None,
        *,
        of: str = "",
        key: QKeySequence.StandardKey | None = None,
        is_possible: bool = True,
    ) -> None:
        """Add an entry, dim while it is not possible or `act` is None: `offer_now` may tell it."""
        text, tip = _ENTRIES[name]
        action = self.entries[name] = self.addAction(text.format(of))
        action.setToolTip(tip)
        action.setStatusTip(tip)
        if key is not None:
            action.setShortcut(key)
        action.setEnabled(False)
        if act is not None and is_possible:
            self.offer_now(name, act)

    def offer_now(self, name: str, act: Act) -> None:
        """Make an entry possible that was dim, now that it is known what it does."""
        self.entries[name].triggered.connect(lambda: act())
        self.entries[name].setEnabled(True)


class PageTextLink(Feature):
    """Wires the text of the document on screen."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._pane = window.document_pane
        self._panel = window.pdf_panel
        self._view = window.pdf_panel.view
        self._action = window.action
        self.menu: PageTextMenu | None = None
        self.hint = ViewHint(self._view)
        self.find_line = self._panel.find_line
        view = self._view
        view.texts.request = self._session.request
        view.texts.failed.connect(lambda error: self._warn(error.message, error.hint, _NOTICE))
        view.selector.said.connect(self.hint.say)
        view.link_followed.connect(self.follow)
        view.menu_requested.connect(self._on_menu_requested)
        view.escaped.connect(self._on_view_escaped)
        view.caret_toggled.connect(self._on_caret_toggled)
        view.finder.changed.connect(self._show_found)
        view.finder.said.connect(self.hint.say)
        self.find_line.query_changed.connect(self._on_query_changed)
        self.find_line.step_requested.connect(self._on_step_requested)
        self.find_line.closed.connect(self._on_find_closed)
        self.find_line.scroll_key_pressed.connect(lambda key: view.keys.scroll(key))
        self._panel.document_shown.connect(self._on_document_shown)
        self._panel.document_left.connect(self._on_document_left)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        view = self._view
        has_pages = view.n_pages > 0
        has_text = has_pages or self._pane.shows_markdown
        return {
            "find": (self.find, has_text),
            "find_next": (self.find_next, has_text),
            "find_previous": (lambda: self.find_next(backwards=True), has_text),
            "copy_page_text": (lambda: self.copy_page_text(view.current_page - 1), has_pages),
            "caret_browsing": (self.toggle_caret, has_pages),
        }

    def _warn(self, message: str, hint: str, key: str) -> None:
        self._messages.say(message, hint, level=NoticeLevel.WARNING, key=key, passes=True)

    @property
    def _path(self) -> Path | None:
        return self._view.texts.path

    def _status_on_screen(self) -> DocumentStatus | None:
        """Return the document on screen, if it is one of the library."""
        return self._session.status_of_file(self._path)

    # Finding

    def find(self) -> None:
        """Open the line for finding words, with the selected ones in it."""
        if self._pane.shows_markdown:
            self._pane.markdown_panel.find_words()
            return
        if self.find_line.words_edit.hasFocus():
            self.find_line.words_edit.selectAll()
            return
        if not self._view.n_pages:
            return
        words = " ".join(self._view.selector.text.split())
        self.find_line.begin_with(words if len(words) <= _MAX_FIND_WORDS else "")
        self._search()

    def find_next(self, *, backwards: bool = False) -> None:
        """Go to the next place that holds the words."""
        if self._pane.shows_markdown:
            self._pane.markdown_panel.find_bar.search(backwards=backwards)
        elif not self.find_line.query.words:
            self.find()
        elif self._view.n_pages:
            # Marks on the pages without the line would have no count and no way to be rid of them.
            self.find_line.show()
            self._on_step_requested(backwards)

    def _search(self) -> None:
        """Look for the words of the line, if it is open, unless that is under way or done."""
        finder, query = self._view.finder, self.find_line.query
        is_open = not self.find_line.isHidden()
        if is_open and query.words and not (finder.hits or finder.is_running):
            self._on_query_changed(query)

    def _on_query_changed(self, query: TextQuery) -> None:
        self.hint.hide()
        self._view.finder.set_query(query, self._view.current_page)

    def _on_step_requested(self, backwards: bool) -> None:
        self.hint.hide()
        self._view.finder.step(backwards=backwards, page_no=self._view.current_page)

    def _on_view_escaped(self) -> None:
        if self.find_line.isVisible():
            self._on_find_closed()

    def _on_find_closed(self) -> None:
        self.find_line.hide()
        self._view.finder.clear(keeps_place=True)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_found(self) -> None:
        finder = self._view.finder
        self.find_line.say(finder.summary, is_missing=finder.is_missing)

    def _on_document_shown(self, _path: Path) -> None:
        self._search()

    def _on_document_left(self) -> None:
        if not self._view.n_pages:
            self.find_line.hide()

    # The caret

    def toggle_caret(self) -> None:
        """Let the keys move a caret over the text, or scroll the pages again."""
        if self._view.n_pages:
            self._view.toggle_caret()
            self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_caret_toggled(self, is_shown: bool) -> None:
        self._action("caret_browsing").setChecked(is_shown)
        if is_shown:
            self.hint.say("The arrow keys move a caret over the text now; F7 ends it.")

    # Links

    def follow(self, link: PageLink) -> None:
        """Go to a target inside the document; ask before one outside is opened."""
        if link.page_no is None:
            self._ask_to_open(whole_address(link.address))
            return
        path = self._path
        if path is None:
            return
        top = link.top if link.top is not None else 0.0
        target = Provenance(link.page_no, BoundingBox(0.0, top, 1.0, top + _LINK_DEPTH_PT))
        view = self._view
        self._panel.show_places(path, (target,), view.highlights, view.active)

    def _ask_to_open(self, address: str) -> None:
        """Show an address whole and open it when that is wanted; say why one is refused."""
        reason = refusal(address)
        if reason:
            self._warn(reason, address[:_MAX_SHOWN], _LINK_NOTICE)
            return
        box = told(QMessageBox(self._pane.window()), "link_question")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Open Address")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("Open this address outside Desktop QA?")
        # A long address breaks anywhere, so that all of it is seen.
        pieces = range(0, len(address), _BREAK_EVERY)
        box.setInformativeText("\u200b".join(address[n : n + _BREAK_EVERY] for n in pieces))
        box.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        opening = box.addButton("&Open", QMessageBox.ButtonRole.AcceptRole)
        copying = box.addButton("&Copy Address", QMessageBox.ButtonRole.ActionRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        opening.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(address)))
        copying.clicked.connect(lambda: copy_text(address))
        box.open()

    # The menu

    def _on_menu_requested(self, page_index: int, point: QPointF, position: QPoint) -> None:
        menu = self.menu = PageTextMenu(self._view)
        # What was selected pages ago is not what a click here is about.
        if self._view.is_selection_seen:
            self._fill_with_selection(menu)
        else:
            self._fill_for_page(menu, page_index, point)
        menu.destroyed.connect(self._on_menu_closed)
        pop_up(menu, position)

    def _fill_for_page(self, menu: PageTextMenu, page_index: int, point: QPointF) -> None:
        page = self._view.texts.get(page_index)
        problem = NOTHING_TO_SELECT.get(page.problem, "") if page is not None else ""
        if problem:
            menu.addAction(problem).setEnabled(False)
            menu.addSeparator()
        link = link_at(page, point.x(), point.y()) if page is not None else None
        if link is not None:
            self._fill_with_link(menu, link)
        standard = QKeySequence.StandardKey
        menu.offer("copy_page", partial(self.copy_page_text, page_index), is_possible=not problem)
        menu.offer("copy_whole", None)
        menu.offer("wrong_cell", None)
        menu.offer("find", self.find, key=standard.Find)
        menu.offer("select_all", self._view.selector.select_all, key=standard.SelectAll)
        for names in _PAGE_ACTIONS:
            menu.addSeparator()
            menu.addActions(list(map(self._action, names)))

        def came(tables: tuple[Table, ...]) -> None:
            table = table_at(tables, page_index + 1, point.x(), point.y())
            if table is None or self.menu is not menu:
                return
            menu.offer_now("copy_whole", lambda: self._copy_rows(rows_of_table(table)))
            status = self._status_on_screen()
            cell = cell_at(table, page_index + 1, point.x(), point.y())
            read = read_cell(status.document_id, table, cell, "") if status and cell else None
            if read is not None:
                menu.offer_now("wrong_cell", partial(self._window.marks.ask_report, read))

        self._session.request_of_file(
            *(self._path, "tables_on_page", page_index + 1), otherwise=(), on_result=came
        )

    def _on_menu_closed(self) -> None:
        self.menu = None

    def _fill_with_selection(self, menu: PageTextMenu) -> None:
        selector, standard = self._view.selector, QKeySequence.StandardKey
        is_known = bool(selector.text)
        status = self._status_on_screen()
        is_indexed = status is not None and status.has_content
        passage = shorten(selector.text, _MAX_ASKED, placeholder=" …")
        is_ours = is_known and status is not None
        can_be_table = is_indexed or bool(self._rows_by_words())
        menu.offer("copy", selector.copy, key=standard.Copy)
        menu.offer("copy_table", self.copy_table, is_possible=is_known and can_be_table)
        menu.offer("copy_citation", self.copy_with_citation, is_possible=is_known)
        menu.addSeparator()
        menu.offer("ask", partial(self._ask_about, passage), is_possible=is_ours)
        search = partial(self._window.searches.search_for, passage)
        menu.offer("search", search, is_possible=is_known and self._session.library is not None)
        menu.addSeparator()
        menu.offer("mark", self._action("highlight").trigger, is_possible=is_ours)
        menu.offer("note", self._action("add_note").trigger, is_possible=is_ours)

    def _fill_with_link(self, menu: PageTextMenu, link: PageLink) -> None:
        act = partial(self.follow, link)
        if link.page_no is not None:
            menu.offer("go", act, of=description(link, self._view.document))
        else:
            menu.offer("follow", act)
            menu.offer("copy_address", partial(copy_text, whole_address(link.address)))
        menu.addSeparator()

    # What is done with a selection

    def _ask_about(self, passage: str) -> None:
        """Put a passage into the box, limited to its document, ready to be completed."""
        status, box = self._status_on_screen(), self._window.ask_box
        if status is not None:
            box.scope_bar.set_entries((document_entry(status),))
        self._window.focus_box()
        box.set_question(f"“{passage}” ")

    def copy_page_text(self, page_index: int) -> None:
        """Select all text of a page and copy it."""
        if not self._view.n_pages:
            return
        page = self._view.texts.get(page_index)
        if page is not None and page.problem in NOTHING_TO_SELECT:
            self.hint.say(NOTHING_TO_SELECT[page.problem])
            return
        self._view.selector.select_page(page_index)
        self._view.selector.copy()

    def copy_table(self) -> None:
        """Copy the selected cells: of a table of the library's, else by the words' columns."""
        selector = self._view.selector
        places = () if selector.is_long else selector.model.places()
        if not places:
            self._copy_rows([] if selector.is_long else self._rows_by_words())
            return

        def came(tables: tuple[Table, ...]) -> None:
            self._copy_rows(rows_of_tables(tables, places) or self._rows_by_words())

        # Words can be copied by their columns without the library's table.
        self._session.request_of_file(
            *(self._path, "tables_on_page", places[0].page_no), otherwise=(), on_result=came
        )

    def _rows_by_words(self) -> Rows:
        """Return the selection as cells by the columns its words stand in; empty for no table."""
        model = self._view.selector.model
        page_index = model.page_range[0]
        page = self._view.texts.peek(page_index)
        if page is None or len(model.page_range) > 1:
            return []
        return rows_of_lines(page, model.parts(page_index))

    def _copy_rows(self, rows: Rows) -> None:
        if not rows:
            self.hint.say(
                "The selection is no table: select its cells, or drag with Alt held down."
            )
            return
        QGuiApplication.clipboard().setMimeData(copied(rows))
        # Two columns at least make a table.
        n_rows = n_of(len(rows), "row")
        self.hint.say(f"A table of {n_rows} and {len(rows[0])} columns was copied.")

    def copy_with_citation(self) -> None:
        """Copy the selected text in quotation marks with where it stands."""
        path, text = self._path, self._view.selector.text
        places = self._view.selector.model.places()
        if path is None or not text or not places:
            return
        place = places[0]
        label = self._view.document.label_of(place.page_no)
        status = self._status_on_screen()
        if status is not None and status.page_starts:
            label = status.page_name(place.page_no)

        def came(view: StructureView | None) -> None:
            at = view.chapter_at(place.page_no, place.bbox.top) if view is not None else -1
            sections = path_to(view.chapters, at) if view is not None else ()
            copy_text(cited(text, path, label, status, sections))
            self.hint.say("The passage was copied with its citation.")

        self._session.request_of_file(path, "structure", otherwise=None, on_result=came)


def cited(
    text: str,
    path: Path,
    page_label: str,
    status: DocumentStatus | None = None,
    sections: Sequence[str] = (),
) -> str:
    """Return a passage in quotation marks and, below it, its document, page and section."""
    names = [path.stem]
    if status is not None:
        parts = ", ".join(status.part_numbers[:2])
        title = status.title or path.stem
        names = [title if not parts or parts in title else f"{parts}: {title}"]
        if status.revision:
            names.append(f"rev. {status.revision}")
    names.append(f"p. {page_label}")
    if sections:
        names.append(" › ".join(sections))
    return f"“{text.strip()}”\n— {', '.join(names)}"
