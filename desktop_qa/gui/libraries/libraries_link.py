"""Several libraries: the list of them, and what can be done with a whole one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QInputDialog, QLabel, QMessageBox, QWidget

from desktop_qa import paths
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.libraries import CopyProgress, DeletedLibrary, LibraryFacts, LibrarySize
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.libraries.libraries_window import LibrariesWindow, LibraryRow, size_text
from desktop_qa.gui.library.library_actions import LibraryActions
from desktop_qa.gui.library.recent import RecentLibraries, RecentLibrary
from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import open_path
from desktop_qa.gui.widgets.timers import single_shot

_UNDO_S = 120.0
_QUESTION_WIDTH_PX = 360


class LibrariesLink(QObject):
    """Opens the list of libraries and carries out what is chosen there.

    Attributes:
        changed: What can be done may be another.
        switcher_wanted: The menu of libraries shall open.
    """

    changed = Signal()
    switcher_wanted = Signal()

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        libraries: LibraryActions,
        recent: RecentLibraries,
        messages: MessageArea,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._libraries = libraries
        self._recent = recent
        self._messages = messages
        self._theme = themes.LIGHT
        self._facts: tuple[LibraryFacts, ...] = ()
        self._sizes: dict[str, LibrarySize] = {}
        self._move_id = 0
        self._undo_timers: dict[str, QTimer] = {}
        self._question: QMessageBox | None = None
        self.libraries_window: LibrariesWindow | None = None
        session.library_opened.connect(self._on_library_opened)

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {
            "switch_library": self.switcher_wanted.emit,
            "libraries": self.show,
            "new_library": self.choose_new,
        }

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        return {"switch_library": not self._move_id, "new_library": not self._move_id}

    def recover(self) -> None:
        """Finish what was interrupted when the program was killed; at the start."""
        self._session.request("recover_libraries", on_result=lambda _none: None)

    # The list

    def show(self) -> None:
        """Open the list of libraries."""
        if self.libraries_window is None:
            self.libraries_window = self._make_window()
        self._show_rows()
        self.refresh()
        bring_forward(self.libraries_window)
        self.libraries_window.tree.setFocus()

    def _make_window(self) -> LibrariesWindow:
        made = LibrariesWindow(self._window, self._theme)
        made.new_clicked.connect(self.choose_new)
        made.open_clicked.connect(self.open_library)
        made.rename_wanted.connect(self.rename)
        made.move_clicked.connect(self.choose_place)
        made.cancel_clicked.connect(self.cancel_move)
        made.delete_clicked.connect(self.ask_delete)
        made.forget_clicked.connect(self.forget)
        made.show_clicked.connect(open_path)
        made.locate_clicked.connect(self.choose_lost)
        return made

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
                self.libraries_window.show_sizes({folders[0]: size})
            self._measure(folders[1:])

        self._session.request("measure_library", folders[0], on_result=measured)

    def _show_rows(self) -> None:
        if self.libraries_window is None:
            return
        known = {entry.folder: entry for entry in self._recent.known}
        library = self._session.library
        opened = library.folder if library is not None else ""
        rows = []
        for facts in self._facts:
            entry = known.get(facts.folder, RecentLibrary(facts.folder, facts.sources))
            size = self._sizes.get(facts.folder)
            is_open = facts.folder == opened
            rows.append(LibraryRow(facts, entry.opened_at, size, is_open, entry.name))
        self.libraries_window.show_rows(rows)

    def _on_library_opened(self, _view: LibraryView) -> None:
        self.changed.emit()
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
        if self._is_open(old):
            self._session.close_library(partial(self._start_move, old, new, True))
        else:
            self._start_move(old, new, False)

    def _is_open(self, folder: str) -> bool:
        library = self._session.library
        return library is not None and library.folder == folder

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
        message = f"The library is in {new} now."
        self._messages.post(Notice(NoticeLevel.INFORMATION, message, passes=True, key="moved"))

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

    def ask_delete(self, folder: str) -> None:
        """Ask once whether a library shall be deleted."""
        facts = next((one for one in self._facts if one.folder == folder), None)
        if facts is None:
            return
        name = LibraryRow(facts).name
        size = self._sizes.get(folder)
        takes = f" ({size_text(size.total)})" if size is not None else ""
        parent = self.libraries_window or self._window
        question = QMessageBox(parent)
        question.setObjectName("delete_question")
        question.setIcon(QMessageBox.Icon.NoIcon)
        question.setWindowTitle("Delete Library")
        question.setText(f"Delete the library “{name}”?")
        noun = "document" if facts.n_documents == 1 else "documents"
        question.setInformativeText(
            f"What was read from its {facts.n_documents} {noun} is deleted{takes}, with its"
            " questions, answers and notes. Your documents stay untouched."
        )
        delete = question.addButton("Delete Library", QMessageBox.ButtonRole.DestructiveRole)
        question.setDefaultButton(question.addButton(QMessageBox.StandardButton.Cancel))
        delete.clicked.connect(partial(self._on_delete_confirmed, folder, name))
        for label in question.findChildren(QLabel, "qt_msgbox_informativelabel"):
            label.setMinimumWidth(_QUESTION_WIDTH_PX)
        question.open()
        self._question = question

    def _on_delete_confirmed(self, folder: str, name: str, _checked: bool = False) -> None:
        self.delete(folder, name)

    def delete(self, folder: str, name: str) -> None:
        """Delete a library; for a while it can be undone."""
        if self._is_open(folder):
            self._session.close_library(partial(self._start_delete, folder, name, True))
        else:
            self._start_delete(folder, name, False)

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
        notice = Notice(
            NoticeLevel.INFORMATION,
            f"The library “{name}” was deleted.",
            "Its documents are where they were.",
            (NoticeAction("Undo", partial(self.undo_delete, deleted)),),
            key=f"deleted {deleted.folder}",
        )
        self._messages.post(notice)
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

    def apply_theme(self, theme: themes.Theme) -> None:
        """Tint the list."""
        self._theme = theme
        if self.libraries_window is not None:
            self.libraries_window.apply_theme(theme)
            self._show_rows()
