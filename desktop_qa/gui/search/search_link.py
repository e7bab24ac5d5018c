"""Search mode: between the box, the list of places, the library and the viewer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QVBoxLayout

from desktop_qa.core.document import Provenance
from desktop_qa.core.errors import Cancelled, DesktopQaError, QuestionError
from desktop_qa.core.search_view import SearchHit, SearchPage, SearchRequest, SearchSort
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.asking.ask_box import BoxMode
from desktop_qa.gui.focus_order import bring_focus, on_keys
from desktop_qa.gui.library.scope_model import document_entry
from desktop_qa.gui.search.search_panel import SearchPanel
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts
from desktop_qa.retrieve.search_language import Field, parse_search, phrase, with_filter

_MODE_KEY = "box/mode"
_SORT_KEY = "box/sort"
_SEARCH = "search"
_PAUSE_MS = 220
_FOLLOW_MS = 70
_MAX_SCOPE = 200


class SearchLink(Feature):
    """Switches the pane between answers and places, searches, shows places in the viewer."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._box = window.ask_box
        self._answers = window.answer_scroll
        self._restored = ""
        self.panel = SearchPanel(window.answer_pane)
        self.panel.hide()
        layout = window.answer_pane.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.indexOf(self._answers), self.panel, 1)
        self._timer = single_shot(self, self._search_while_typing, _PAUSE_MS)
        self._follow_timer = single_shot(self, self._open_chosen, _FOLLOW_MS)
        self._connect()
        self._restore()

    def _connect(self) -> None:
        box, panel = self._box, self.panel
        box.mode_changed.connect(self._on_mode_changed)
        box.searched.connect(self._search)
        box.edit.typed.connect(self._on_typed)
        on_keys(box.edit, {"Down": panel.enter}, when=lambda: self.is_searching)
        box.scope_bar.changed.connect(lambda _entries: self._search_again())
        for sort, action in panel.sort_actions.items():
            action.triggered.connect(partial(self._on_sort_chosen, sort))
        for kind, button in panel.kind_buttons.items():
            button.clicked.connect(partial(self._on_kind_clicked, kind))
        panel.list.selectionModel().currentChanged.connect(self._on_current_changed)
        rows = panel.list
        on_keys(rows, {"Esc": box.setFocus, "Return, Enter": self._open_at_once})
        on_keys(rows, {"Up": box.setFocus}, when=lambda: rows.currentIndex().row() <= 0)
        panel.list.doubleClicked.connect(self._open_at_once)
        panel.model.more_wanted.connect(self._fetch_more)
        panel.ask_button.clicked.connect(self.ask_about_found)
        panel.respell_button.clicked.connect(self._on_respell_clicked)
        self._session.conversation_shown.connect(self._on_conversation_shown)
        self._session.question_asked.connect(lambda _question: box.set_mode(BoxMode.ASK))
        self._session.library_opened.connect(self._on_library_opened)

    def _restore(self) -> None:
        sort = str(self._settings.value(_SORT_KEY, SearchSort.RELEVANCE.value))
        if sort in set(SearchSort):
            self.panel.set_sort(SearchSort(sort))
        if self._settings.value(_MODE_KEY, BoxMode.ASK.value) == BoxMode.SEARCH.value:
            self._box.set_mode(BoxMode.SEARCH)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        is_open = self._session.library is not None
        has_places = is_open and self.is_searching and bool(self.panel.model.rowCount())
        return {
            "search_mode": (self.switch, is_open),
            "ask_about_found": (self.ask_about_found, has_places),
        }

    @property
    def is_searching(self) -> bool:
        """True while the box is for searches."""
        return self._box.mode is BoxMode.SEARCH

    def switch(self, is_search: bool) -> None:
        """Search, or ask again."""
        self._window.show_pane("answer")
        self._box.set_mode(BoxMode.SEARCH if is_search else BoxMode.ASK)
        bring_focus(self._box)

    def search_for(self, text: str) -> None:
        """Search for the very words of a text, such as what is selected in a document."""
        words = phrase(text)
        if words:
            self._window.show_pane("answer")
            self._box.set_search(words)
            bring_focus(self._box)

    def ask_about_found(self) -> None:
        """Limit the next question to the documents that were found."""
        page = self.panel.page
        if page is None:
            return
        found = (self._session.status(one) for one in page.document_ids[:_MAX_SCOPE])
        self._box.scope_bar.set_entries(document_entry(s) for s in found if s is not None)
        self._box.set_mode(BoxMode.ASK)
        bring_focus(self._box)

    def _on_mode_changed(self, mode: BoxMode) -> None:
        is_search = mode is BoxMode.SEARCH
        self._window.action("search_mode").setChecked(is_search)
        self._settings.setValue(_MODE_KEY, mode.value)
        self.panel.setVisible(is_search)
        self._answers.setVisible(not is_search)
        text = self._box.edit.toPlainText().strip()
        page = self.panel.page
        if is_search and text and (page is None or page.request.text != text):
            self._search(text)
        self.changed.emit()

    def _on_conversation_shown(self, _conversation: object) -> None:
        """Show what was chosen among the tabs or in the history, not what comes at the start."""
        library = self._session.library
        if library is not None and library.folder == self._restored:
            self._box.set_mode(BoxMode.ASK)

    def _on_library_opened(self, view: LibraryView) -> None:
        if self._is_another(view):
            self._show_nothing()
            # The conversations of the library are brought back in this turn.
            QTimer.singleShot(0, self, partial(setattr, self, "_restored", view.folder))

    def _on_typed(self) -> None:
        if self.is_searching:
            self._timer.start()

    def _search_while_typing(self) -> None:
        if self.is_searching:
            self._search(self._box.edit.toPlainText().strip(), is_typing=True)

    def _on_sort_chosen(self, sort: SearchSort, _checked: bool = False) -> None:
        self.panel.set_sort(sort)
        self._settings.setValue(_SORT_KEY, sort.value)
        self._search_again()

    def _on_respell_clicked(self) -> None:
        if self.panel.page is not None:
            self._box.set_search(self.panel.page.respelled)

    def _on_kind_clicked(self, kind: SegmentKind, _checked: bool = False) -> None:
        wanted = kind.value if self.panel.kind_buttons[kind].isChecked() else None
        text = with_filter(self._box.edit.toPlainText(), Field.KIND, wanted)
        self._box.edit.replace_text(text)
        self._search(text.strip())

    def _search_again(self) -> None:
        text = self._box.edit.toPlainText().strip()
        if self.is_searching and text:
            self._search(text)

    def _search(self, text: str, *, is_typing: bool = False) -> None:
        self._timer.stop()
        if self._session.library is None:
            return
        if not text:
            self._show_nothing()
            return
        try:
            kinds = parse_search(text).filters(Field.KIND)
        except QuestionError as error:
            if is_typing:  # what is listed stays until it can be read
                self.panel.show_pending(error)
            else:
                self._show_nothing(str(error))
            return
        for kind, button in self.panel.kind_buttons.items():
            button.setChecked(any(one.casefold().startswith(kind) for one in kinds))
        self._request(SearchRequest(text, self._box.scope, self.panel.sort))

    def _show_nothing(self, message: str = "") -> None:
        self._session.forget(_SEARCH)
        self.panel.show_nothing(message)
        self.changed.emit()

    def _fetch_more(self) -> None:
        page = self.panel.page
        if page is not None:
            self._request(replace(page.request, offset=self.panel.model.rowCount()))

    def _request(self, request: SearchRequest) -> None:
        self._session.request(
            *("search", request),
            on_result=self._on_page,
            on_failure=self._on_failure,
            latest=_SEARCH,
        )

    def _on_page(self, page: SearchPage) -> None:
        self.panel.show_page(page)
        self.changed.emit()

    def _on_failure(self, error: DesktopQaError) -> None:
        self.panel.model.forget_wait()
        if not isinstance(error, Cancelled):
            self._show_nothing(str(error))

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._follow_timer.start()

    def _open_at_once(self) -> None:
        self._follow_timer.stop()
        self._open_chosen()

    def _open_chosen(self) -> None:
        hit, page = self.panel.chosen, self.panel.page
        if hit is None or page is None or not self.is_searching:
            return
        self._session.request(
            *("search_marks", hit.segment_id, page.request.text),
            on_result=partial(self._on_marks, hit),
            on_failure=self._on_marks_failed,
            latest="search marks",
        )

    def _on_marks(self, hit: SearchHit, places: tuple[Provenance, ...]) -> None:
        if hit.path:
            self._window.show_pane("viewer")
            self._window.citations.look_up(Path(hit.path), places)

    def _on_marks_failed(self, error: DesktopQaError) -> None:
        if not isinstance(error, Cancelled):
            self.panel.show_pending(error)
