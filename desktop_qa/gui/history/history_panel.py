"""The history at the left: earlier questions by day, searched, opened, asked again, deleted."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop_qa.core.history import HistoryItem, HistoryPage, HistoryState
from desktop_qa.gui.focus_order import bring_focus
from desktop_qa.gui.history.history_rows import HistoryDelegate, HistoryModel
from desktop_qa.gui.widgets.forms import child, load_form
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.list_rows import ROW_ROLE
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.widgets.word_filter import FilterEdit

PAGE_LENGTH = 60
_MAX_RELOADED = 300
"""Rows laid out at once; of a list scrolled further the rest comes page by page again."""
_SEARCH_AFTER_MS = 160
_UNDO_SHOWN_MS = 12_000
_NOTHING_YET = "Questions that you ask appear here, with their answers as they were."


class HistoryPanel(QWidget):
    """Shows the pages that it is given and says what it wants.

    Attributes:
        page_wanted: With (query, how many, offset).
        open_requested: With the `HistoryItem` to show as it was.
        delete_requested: With the tuple of `HistoryItem`.
        undo_requested: With the tuple of ids that shall come back.
    """

    page_wanted = Signal(str, int, int)
    open_requested = Signal(object)
    delete_requested = Signal(object)
    undo_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        search = {"FilterEdit": lambda parent: FilterEdit("", "", parent=parent)}
        load_form("history_panel.ui", self, search)
        self.search_edit = child(self, FilterEdit, "search_edit")
        self.more_button = child(self, QToolButton, "more_button")
        self.count_label = child(self, QLabel, "history_count_label")
        self.list = child(self, QListView, "history_list")
        self.empty_label = child(self, QLabel, "history_empty_label")
        self.undo_bar = child(self, QFrame, "undo_bar")
        self.undo_label = child(self, QLabel, "undo_label")
        self.undo_button = child(self, QPushButton, "undo_delete_button")
        self.search_edit.rows = self.list
        self.model = HistoryModel(self)
        self._delegate = HistoryDelegate(self.list)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.is_read_only = False
        self._is_stale = True
        self._deleted: tuple[int, ...] = ()
        self._row_kept = 0
        self._search_timer = single_shot(self, self.reload, _SEARCH_AFTER_MS)
        self._undo_timer = single_shot(self, self.undo_bar.hide, _UNDO_SHOWN_MS)
        self._add_more_menu()
        self._connect()
        self.undo_bar.hide()
        self.empty_label.hide()

    def _add_more_menu(self) -> None:
        menu = QMenu(self.more_button)
        self.export_all_action = menu.addAction("Export the Listed Questions …")
        menu.addSeparator()
        self.clear_action = menu.addAction("Clear the History …")
        menu.aboutToShow.connect(self._update_more_menu)
        self.more_button.setMenu(menu)

    def _connect(self) -> None:
        self.search_edit.textChanged.connect(lambda _text: self._search_timer.start())
        self.search_edit.returnPressed.connect(self._on_search_returned)
        self.list.activated.connect(self._on_activated)
        self.list.clicked.connect(self._on_clicked)
        self.model.more_wanted.connect(
            lambda: self.page_wanted.emit(self.model.query, PAGE_LENGTH, len(self.model.items))
        )
        self.undo_button.clicked.connect(self.undo)
        within = Qt.ShortcutContext.WidgetShortcut
        for key, act in (
            (QKeySequence.StandardKey.Undo, self.undo),
            (Qt.Key.Key_Delete, self._delete_selected),
            (Qt.Key.Key_Backspace, self._delete_selected),
        ):
            QShortcut(QKeySequence(key), self.list, act, context=within)

    # What is shown

    @property
    def query(self) -> str:
        """What is searched for; empty for all."""
        return " ".join(self.search_edit.text().split())

    def forget(self) -> None:
        """Show nothing: another library is opened."""
        self._deleted = ()
        self.undo_bar.hide()
        self.search_edit.clear()
        self.model.show_page(HistoryPage("", (), 0, 0))
        self.invalidate()

    def invalidate(self) -> None:
        """Ask for the list again, now or when it is looked at."""
        self._is_stale = True
        if self.isVisible():
            self.reload()

    def reload(self) -> None:
        """Ask for the list from its beginning, as much as is shown of it."""
        self._search_timer.stop()
        self._is_stale = False
        is_same = self.query == self.model.query
        n_shown = min(len(self.model.items), _MAX_RELOADED) if is_same else 0
        self.page_wanted.emit(self.query, max(PAGE_LENGTH, n_shown), 0)

    def show_page(self, page: HistoryPage) -> None:
        """Show a page that came; one of another search is dropped."""
        if page.query != self.query:
            return
        kept = [item.id for item in self.selected]
        current = self.list.currentIndex().data(ROW_ROLE)
        scrolled = self.list.verticalScrollBar().value()
        is_same = page.query == self._delegate.query
        self._delegate.query = page.query
        self.model.show_page(page)
        if page.offset == 0:
            self._select(kept, current)
            # Now, not in the next turn: where nothing is laid out, nothing can be scrolled.
            self.list.doItemsLayout()
            self.list.verticalScrollBar().setValue(scrolled if is_same else 0)
        self._update_words()

    def show_failure(self) -> None:
        """Let what did not come be asked for again."""
        self.model.forget_wait()
        self._is_stale = True

    def _select(self, ids: list[int], current: object) -> None:
        """Select what was selected, or the row where something was deleted."""
        selection = self.list.selectionModel()
        for index in map(self.model.index_of, ids):
            if index.isValid():
                selection.select(index, QItemSelectionModel.SelectionFlag.Select)
        if not isinstance(current, HistoryItem):
            return
        index = self.model.index_of(current.id)
        if not index.isValid():
            index = self.model.first_item(self._row_kept)
        if index.isValid():
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            if not selection.hasSelection():
                flag = QItemSelectionModel.SelectionFlag.Select
            selection.setCurrentIndex(index, flag)

    def _update_words(self) -> None:
        total = self.model.total
        self.count_label.setText(n_of(total, "question", "\u2009") if total else "")
        self.count_label.setVisible(total > 0)
        self.list.setVisible(total > 0)
        self.empty_label.setVisible(total == 0)
        nothing = f"No question and no answer holds “{self.query}”." if self.query else _NOTHING_YET
        self.empty_label.setText(nothing)

    @property
    def selected(self) -> tuple[HistoryItem, ...]:
        """The selected questions, newest first."""
        rows = sorted(self.list.selectionModel().selectedIndexes(), key=QModelIndex.row)
        items = (index.data(ROW_ROLE) for index in rows)
        return tuple(item for item in items if isinstance(item, HistoryItem))

    # What the user does

    def focus_search(self) -> None:
        """Go to the field that searches."""
        bring_focus(self.search_edit)
        self.search_edit.selectAll()

    def _on_search_returned(self) -> None:
        if self._search_timer.isActive():
            self.reload()
        else:
            self.search_edit.enter_rows()

    def _on_activated(self, index: QModelIndex) -> None:
        item = index.data(ROW_ROLE)
        if isinstance(item, HistoryItem):
            self.open_requested.emit(item)

    def _on_clicked(self, index: QModelIndex) -> None:
        if len(self.selected) == 1 and not self.list.style().styleHint(
            self.list.style().StyleHint.SH_ItemView_ActivateItemOnSingleClick
        ):
            self._on_activated(index)

    def _delete_selected(self) -> None:
        self.delete(self.selected)

    def delete(self, items: tuple[HistoryItem, ...]) -> None:
        """Ask for questions to be deleted; the next one becomes the current one."""
        if items and not self.is_read_only:
            self._row_kept = min(self.model.index_of(item.id).row() for item in items)
            self.delete_requested.emit(items)

    def offer_undo(self, ids: tuple[int, ...]) -> None:
        """Say that questions were deleted, with the way back."""
        self._deleted = ids
        n_deleted = len(ids)
        what = "Question deleted" if n_deleted == 1 else f"{n_deleted} questions deleted"
        self.undo_label.setText(what)
        self.undo_bar.show()
        self._undo_timer.start()

    def undo(self) -> None:
        """Bring back what was deleted last."""
        if self._deleted:
            ids, self._deleted = self._deleted, ()
            self.undo_bar.hide()
            self.undo_requested.emit(ids)

    def _update_more_menu(self) -> None:
        has_answers = any(item.state is not HistoryState.FAILED for item in self.model.items)
        self.export_all_action.setEnabled(has_answers)
        self.clear_action.setEnabled(bool(self.model.total) and not self.is_read_only)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the list when it is looked at for the first time, or has changed since."""
        super().showEvent(event)
        if self._is_stale:
            self.reload()
