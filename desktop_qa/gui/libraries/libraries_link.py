"""Several libraries: the list of them, and what can be done with a whole one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QBrush, QColor, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QInputDialog,
    QLabel,
    QMessageBox,
    QProgressBar,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_qa import paths
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.libraries import (
    CopyProgress,
    DeletedLibrary,
    LibraryFacts,
    LibraryPresence,
    LibrarySize,
)
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.library.library_words import first_of, size_text
from desktop_qa.gui.library.recent import RecentLibrary
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.widgets.boxes import add_row, in_row, put
from desktop_qa.gui.widgets.dialog_parts import ColumnTree, SideWindow, key_of, push_button
from desktop_qa.gui.widgets.labels import n_of, plain_label, told
from desktop_qa.gui.widgets.messages import Notice, NoticeAction
from desktop_qa.gui.widgets.opening import open_path
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_SIZE_PX = (820, 520)
_STEPS = 1000
_DAY_S = 86400.0
_MAX_SOURCES_NAMED = 3
_UNDO_S = 120.0
_QUESTION_WIDTH_PX = 360


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """What the list shows of a library.

    Attributes:
        name: Its own, or what its folders call it; one that is not there has the name it had.
        opened_at: Seconds since the epoch; 0 when it is not known.
        size: None until it is measured.
    """

    facts: LibraryFacts
    name: str
    opened_at: float
    size: LibrarySize | None
    is_open: bool


def opened_text(opened_at: float, now: float) -> str:
    """Return when a library was opened last: "today", "3 days ago", "2026-03-01"."""
    if opened_at <= 0:
        return "–"
    days = int((now - opened_at) // _DAY_S)
    if days < 1:
        return "today"
    if days < 14:
        return "yesterday" if days == 1 else f"{days} days ago"
    return time.strftime("%Y-%m-%d", time.localtime(opened_at))


class LibrariesWindow(SideWindow):
    """Shows the rows it is given; not modal. What is chosen here its owner does."""

    def __init__(self, owner: LibrariesLink, parent: QWidget) -> None:
        super().__init__("Libraries", "libraries_window", _SIZE_PX, parent)
        self._owner = owner
        self._rows: dict[str, LibraryRow] = {}
        self._is_moving = False
        self.tree = ColumnTree(["Library", "Documents", "Size", "Opened"], "Libraries", self)
        self.tree.setObjectName("dialog_list")
        self.tree.setEditTriggers(QTreeWidget.EditTrigger.NoEditTriggers)
        self.title_label = plain_label("", self, "detail_title", can_select=True)
        self.place_label = plain_label("", self, can_select=True)
        self.open_button = push_button(
            "&Open", lambda: owner.open_library(self.folder), self, name="primary_button"
        )
        self.rename_button = push_button("&Rename", self._edit_name, self)
        self.move_button = push_button("&Move …", lambda: owner.choose_place(self.folder), self)
        self.delete_button = push_button("&Delete …", self._ask_delete, self)
        self.forget_button = push_button("&Forget", lambda: owner.forget(self.folder), self)
        self.show_button = push_button("&Show in Folder", lambda: open_path(self.folder), self)
        self.locate_button = push_button("&Locate …", lambda: owner.choose_lost(self.folder), self)
        self.new_button = push_button("&New Library …", owner.choose_new, self)
        self.bar = told(QProgressBar(self, textVisible=False), spoken="Progress of the move")
        self.bar.setRange(0, _STEPS)
        self.bar.setFixedHeight(4)
        self.bar_label = plain_label("", self)
        self.cancel_button = push_button("&Cancel Move", owner.cancel_move, self)
        self._lay_out()
        self.tree.currentItemChanged.connect(lambda _new, _old: self._show_detail())
        self.tree.itemActivated.connect(lambda _item, _column: self.open_button.click())
        self.tree.itemChanged.connect(self._on_item_changed)
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for key, button in (("F2", self.rename_button), ("Del", self.delete_button)):
            QShortcut(QKeySequence(key), self.tree, button.click, context=within)
        self.show_progress(None)

    def _lay_out(self) -> None:
        tips = {
            self.open_button: "Open this library (Enter)",
            self.rename_button: "Give this library a name of your own (F2)",
            self.move_button: "Move the library to another folder or drive; documents stay",
            self.delete_button: "Delete the library (Del); your documents are not touched",
            self.forget_button: "Take the library off this list; it stays on the disk",
            self.show_button: "Open the library's folder in the system's file manager",
            self.locate_button: "Say where the library is now",
            self.new_button: "Make an empty library and add folders to it",
            self.cancel_button: "Stop the move; the library stays where it is",
        }
        for button, tip in tips.items():
            button.setToolTip(tip)
        put(self.column, (self.tree, 1), self.title_label, self.place_label)
        add_row(
            self.column,
            *(self.open_button, self.rename_button, self.locate_button, self.move_button),
            *(self.show_button, self.forget_button, self.delete_button, None),
        )
        put(in_row(inside=self.column), self.bar_label, (self.bar, 1), self.cancel_button)
        self.end_with(self.new_button)

    # What is shown

    @property
    def folder(self) -> str:
        """The folder of the current library, empty when there is none."""
        return self.tree.key

    def show_rows(self, rows: Sequence[LibraryRow]) -> None:
        """Show the libraries; the current one stays, the open one is current at first."""
        current = self.folder or next((r.facts.folder for r in rows if r.is_open), "")
        self._rows = {row.facts.folder: row for row in rows}
        items = {folder: QTreeWidgetItem() for folder in self._rows}
        for folder, item in items.items():
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self._fill(item, self._rows[folder])
        self.tree.fill(items, current)
        self._show_detail()

    def show_size(self, folder: str, size: LibrarySize) -> None:
        """Fill in a size once it is measured."""
        row = self._rows.get(folder)
        item = self.tree.topLevelItem(list(self._rows).index(folder)) if row is not None else None
        if row is not None and item is not None:
            self._rows[folder] = replace(row, size=size)
            with QSignalBlocker(self.tree):
                self._fill(item, self._rows[folder])
            self._show_detail()

    def _fill(self, item: QTreeWidgetItem, row: LibraryRow) -> None:
        facts = row.facts
        is_there = facts.presence is LibraryPresence.THERE
        item.setText(0, row.name)
        item.setText(1, str(facts.n_documents) if is_there else "")
        item.setText(2, size_text(row.size.total) if row.size is not None and is_there else "")
        opened = "open now" if row.is_open else opened_text(row.opened_at, time.time())
        if facts.presence is LibraryPresence.GONE:
            opened = "not there"
        elif facts.presence is LibraryPresence.BROKEN:
            opened = "cannot be read"
        item.setText(3, opened)
        item.setToolTip(0, facts.folder)
        item.setToolTip(3, facts.problem)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column in (1, 2):
            item.setTextAlignment(column, right)
        font = item.font(0)
        font.setBold(row.is_open)
        item.setFont(0, font)
        if not is_there:
            item.setForeground(3, QBrush(QColor(look.theme.warning)))

    def _show_detail(self) -> None:
        row = self._rows.get(self.folder)
        is_there = row is not None and row.facts.presence is LibraryPresence.THERE
        is_gone = row is not None and row.facts.presence is LibraryPresence.GONE
        is_open = row is not None and row.is_open
        is_busy = row is not None and row.facts.is_busy and not is_open
        is_protected = row is not None and row.facts.is_protected
        self.title_label.setText(row.name if row is not None else "No library yet")
        self.place_label.setText(_detail_of(row) if row is not None else "")
        self.open_button.setEnabled(is_there and not is_open and not self._is_moving)
        for button in (self.rename_button, self.move_button, self.delete_button):
            can_change = is_there and not is_busy and not is_protected
            button.setEnabled(can_change and not self._is_moving)
        self.forget_button.setEnabled(row is not None and not is_open and not self._is_moving)
        self.show_button.setEnabled(is_there)
        self.locate_button.setVisible(is_gone)

    def show_progress(self, progress: CopyProgress | None) -> None:
        """Show how far a move has come; None when none is under way."""
        self._is_moving = progress is not None
        for widget in (self.bar, self.bar_label, self.cancel_button):
            widget.setVisible(self._is_moving)
        if progress is not None:
            share = progress.n_done / progress.n_total if progress.n_total else 0.0
            self.bar.setValue(round(_STEPS * share))
            self.bar_label.setText(f"{progress.activity}, {share:.0%}")
        self._show_detail()

    # What the user does

    def _ask_delete(self) -> None:
        self._owner.ask_delete(self._rows[self.folder])

    def _edit_name(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            self.tree.setFocus()
            self.tree.editItem(item, 0)

    def _on_item_changed(self, item: QTreeWidgetItem, column: int) -> None:
        folder = key_of(item)
        row = self._rows.get(folder)
        if column == 0 and row is not None and item.text(0) != row.name:
            self._owner.rename(folder, item.text(0).strip())


def _detail_of(row: LibraryRow) -> str:
    facts = row.facts
    lines = [facts.folder]
    if facts.problem:
        lines.append(facts.problem)
    if facts.is_busy and not row.is_open:
        lines.append("Another window works on it.")
    if facts.is_protected:
        lines.append("Its folder cannot be written, so it opens for reading only.")
    if facts.sources:
        names = [Path(source).name for source in facts.sources]
        lines.append(f"Documents from {first_of(names, _MAX_SOURCES_NAMED)}")
    if row.size is not None:
        size = row.size
        lines.append(
            f"Text {size_text(size.text)} · Index {size_text(size.index)}"
            f" · Figures {size_text(size.figures)}"
        )
    return "\n".join(lines)


class LibrariesLink(Feature):
    """Opens the list of libraries and carries out what is chosen there."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._libraries = window.libraries
        self._recent = window.recent
        self._facts: tuple[LibraryFacts, ...] = ()
        self._sizes: dict[str, LibrarySize] = {}
        self._move_id = 0
        self._undo_timers: dict[str, QTimer] = {}
        self.libraries_window: LibrariesWindow | None = None
        self._session.library_opened.connect(self._on_library_opened)
        look.changed.connect(self._show_rows)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {
            "switch_library": (self._open_switcher, not self._move_id),
            "libraries": self.show,
            "new_library": (self.choose_new, not self._move_id),
        }

    def recover(self) -> None:
        """Finish what was interrupted when the program was killed; at the start."""
        self._session.request("recover_libraries", on_result=lambda _none: None)

    def _open_switcher(self) -> None:
        self._window.show_tab("documents")
        self._window.library_panel.library_button.showMenu()

    # The list

    def show(self) -> None:
        """Open the list of libraries."""
        if self.libraries_window is None:
            self.libraries_window = LibrariesWindow(self, self._window)
        self._show_rows()
        self.refresh()
        bring_forward(self.libraries_window)
        self.libraries_window.tree.setFocus()

    def refresh(self) -> None:
        """Look at all libraries anew, then measure them one by one."""
        known = tuple(entry.folder for entry in self._recent.known)
        self._session.request(
            "libraries_overview", known, self._recent.forgotten, on_result=self._on_overview
        )

    def _on_overview(self, facts: tuple[LibraryFacts, ...]) -> None:
        self._facts = facts
        self._show_rows()
        self._measure(tuple(one.folder for one in facts))

    def _measure(self, folders: tuple[str, ...]) -> None:
        if not folders or self.libraries_window is None or not self.libraries_window.isVisible():
            return

        def measured(size: LibrarySize) -> None:
            self._sizes[folders[0]] = size
            if self.libraries_window is not None:
                self.libraries_window.show_size(folders[0], size)
            self._measure(folders[1:])

        self._session.request("measure_library", folders[0], on_result=measured)

    def _show_rows(self) -> None:
        if self.libraries_window is None:
            return
        known = {entry.folder: entry for entry in self._recent.known}
        rows = []
        for facts in self._facts:
            found = RecentLibrary(facts.folder, facts.sources, facts.name)
            entry = known.get(facts.folder, found)
            name = (found if facts.presence is LibraryPresence.THERE else entry).name
            size = self._sizes.get(facts.folder)
            is_open = self._is_open(facts.folder)
            rows.append(LibraryRow(facts, name, entry.opened_at, size, is_open))
        self.libraries_window.show_rows(rows)

    def _on_library_opened(self, _view: LibraryView) -> None:
        if self.libraries_window is not None and self.libraries_window.isVisible():
            self.refresh()

    # Opening and naming

    def open_library(self, folder: str) -> None:
        """Open a library of the list."""
        self._session.open_library(Path(folder))

    def choose_new(self) -> None:
        """Ask for the name of an empty library, make it and open it."""
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle("New Library")
        dialog.setLabelText("Name of the library")
        dialog.setOkButtonText("Make Library")
        dialog.textValueSelected.connect(self.make)
        dialog.open()

    def make(self, name: str) -> None:
        """Make an empty library in the usual place and open it."""
        wanted = " ".join(name.split())
        if wanted:
            self._session.open_library(paths.new_library_folder(wanted), name=wanted)

    def rename(self, folder: str, name: str) -> None:
        """Name a library; an empty name lets its folders name it."""
        if self._is_open(folder):
            self._session.change("rename", name)
        else:
            self._session.request(
                "rename_library", folder, name, on_result=lambda _facts: self.refresh()
            )

    # Moving

    def choose_place(self, folder: str) -> None:
        """Ask where a library shall live."""
        place = self._libraries.choose("Move the library into which folder?")
        if place is not None:
            self.move(folder, str(place / Path(folder).name))

    def move(self, old: str, new: str) -> None:
        """Move a library; the open one is closed for it and opened again at its new place."""
        self._show_progress(CopyProgress(0, 1, "Preparing"))
        self._free(old, partial(self._start_move, old, new))

    def _free(self, folder: str, then: Callable[[bool], None]) -> None:
        """Go on when a library is not open any more, with whether it was."""
        if self._is_open(folder):
            self._session.close_library(partial(then, True))
        else:
            then(False)

    def _is_open(self, folder: str) -> bool:
        return folder == self._session.folder

    def _start_move(self, old: str, new: str, was_open: bool) -> None:
        self._move_id = self._session.start(
            "move_library",
            *(old, new),
            on_result=lambda _none: self._on_moved(old, new, was_open),
            on_failure=lambda error: self._on_not_moved(error, old, was_open),
            on_progress=self._show_progress,
        )
        self.changed.emit()

    def cancel_move(self) -> None:
        """Stop the move under way."""
        if self._move_id:
            self._session.cancel(self._move_id)

    def _on_moved(self, old: str, new: str, was_open: bool) -> None:
        self._recent.replace(old, new)
        self._session.request("confirm_move", old, on_result=lambda _none: None)
        self._end_move(new if was_open else "")
        self._messages.say(f"The library is in {new} now.", passes=True, key="moved")

    def _on_not_moved(self, error: DesktopQaError, old: str, was_open: bool) -> None:
        self._end_move(old if was_open else "")
        if not isinstance(error, Cancelled):
            self._messages.post(Notice.of_error(error, key="moved"))

    def _end_move(self, to_open: str) -> None:
        self._move_id = 0
        self._show_progress(None)
        if to_open:
            self._session.open_library(Path(to_open))
        self.refresh()
        self.changed.emit()

    def _show_progress(self, progress: CopyProgress | None) -> None:
        if self.libraries_window is not None:
            self.libraries_window.show_progress(progress)

    # Deleting and forgetting

    def ask_delete(self, row: LibraryRow) -> None:
        """Ask once whether a library shall be deleted."""
        facts, name = row.facts, row.name
        takes = f" ({size_text(row.size.total)})" if row.size is not None else ""
        parent = self.libraries_window or self._window
        question = told(QMessageBox(parent), "delete_question")
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.setIcon(QMessageBox.Icon.NoIcon)
        question.setWindowTitle("Delete Library")
        question.setText(f"Delete the library “{name}”?")
        question.setInformativeText(
            f"What was read from its {n_of(facts.n_documents, 'document')} is deleted{takes}, with"
            " its questions, answers and notes. Your documents stay untouched."
        )
        delete = question.addButton("Delete Library", QMessageBox.ButtonRole.DestructiveRole)
        question.setDefaultButton(question.addButton(QMessageBox.StandardButton.Cancel))
        delete.clicked.connect(lambda: self.delete(facts.folder, name))
        for label in question.findChildren(QLabel, "qt_msgbox_informativelabel"):
            label.setMinimumWidth(_QUESTION_WIDTH_PX)
        question.open()

    def delete(self, folder: str, name: str) -> None:
        """Delete a library; for a while it can be undone."""
        self._free(folder, partial(self._start_delete, folder, name))

    def _start_delete(self, folder: str, name: str, was_open: bool) -> None:
        def failed(error: DesktopQaError) -> None:
            self._messages.post(Notice.of_error(error, key="deleted"))
            if was_open:
                self._session.open_library(Path(folder))

        self._session.start(
            "delete_library",
            folder,
            on_result=lambda deleted: self._on_deleted(deleted, name),
            on_failure=failed,
        )

    def _on_deleted(self, deleted: DeletedLibrary, name: str) -> None:
        self._recent.remove(deleted.folder)
        timer = single_shot(self, partial(self._purge, deleted), round(_UNDO_S * 1000))
        timer.start()
        self._undo_timers[deleted.folder] = timer
        self._messages.say(
            f"The library “{name}” was deleted.",
            "Its documents are where they were.",
            NoticeAction("Undo", partial(self.undo_delete, deleted)),
            key=f"deleted {deleted.folder}",
        )
        self.refresh()

    def undo_delete(self, deleted: DeletedLibrary) -> None:
        """Put a deleted library back and open it."""
        timer = self._undo_timers.pop(deleted.folder, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
        folder = Path(deleted.folder)
        self._session.start(
            "put_back_library",
            deleted,
            on_result=lambda _none: self._session.open_library(folder),
            on_failure=lambda error: self._messages.post(Notice.of_error(error, key="deleted")),
        )

    def _purge(self, deleted: DeletedLibrary) -> None:
        self._undo_timers.pop(deleted.folder, None)
        self._messages.withdraw(f"deleted {deleted.folder}")
        self._session.start("purge_library", deleted)

    def forget(self, folder: str) -> None:
        """Take a library off the list; it stays on the disk."""
        self._recent.remove(folder)
        self.refresh()

    def choose_lost(self, folder: str) -> None:
        """Ask where a library is that was moved by hand, and open it there."""
        place = self._libraries.choose("Where is the library now?")
        if place is not None and self._libraries.see_library(place):
            self._recent.replace(folder, str(place))
            self._session.open_library(place)
