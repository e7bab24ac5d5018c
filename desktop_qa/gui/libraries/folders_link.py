"""The source folders in the window: taking up their changes, and the list of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop_qa.core.folders import ExclusionCount, FolderChoices, FolderState, WatchMode
from desktop_qa.core.progress import IngestReport
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.library.library_actions import LibraryActions
from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import open_path
from desktop_qa.gui.widgets.timers import single_shot

if TYPE_CHECKING:
    from desktop_qa.gui.libraries.folders_window import FoldersWindow

_UNDO_S = 12.0


class FoldersLink(QObject):
    """Takes up what happens to the folders, and lets the user decide about them.

    Attributes:
        changed: What can be done may be another.
    """

    changed = Signal()

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        libraries: LibraryActions,
        messages: MessageArea,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._libraries = libraries
        self._messages = messages
        self._theme = themes.LIGHT
        self._rows: tuple[FolderState, ...] = ()
        self._leaving: dict[str, QTimer] = {}
        self.folders_window: FoldersWindow | None = None
        session.leaving.connect(self.finish_removals)
        session.library_opened.connect(self._on_library_opened)
        session.sync_finished.connect(self._on_sync_finished)
        session.news_arrived.connect(self._on_news)

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {"folders": self.show, "watch_folders": self.set_watching}

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        library = self._session.library
        return {
            "folders": library is not None,
            "watch_folders": library is not None and not library.read_only,
        }

    @property
    def is_watching(self) -> bool:
        """True when changes are taken up by themselves."""
        library = self._session.library
        return library is None or library.is_watching

    # What happens to the folders

    def _on_news(self, topic: str, value: object) -> None:
        if topic in ("folder changed", "folder back"):
            self._session.sync()
        elif topic == "folder away":
            self._refresh()
        elif topic == "not added" and isinstance(value, tuple):
            self._say_not_added(value)

    def _say_not_added(self, paths: tuple[str, ...]) -> None:
        library = self._session.library
        names = ", ".join(Path(path).name for path in paths)
        notice = Notice(
            NoticeLevel.WARNING,
            f"“{names}” was not added: this library is open for reading only.",
            library.writing_hint if library is not None else "",
            key="not added",
        )
        self._messages.post(notice)

    def _on_library_opened(self, _view: LibraryView) -> None:
        self.changed.emit()
        self._refresh()

    def _on_sync_finished(self, _report: IngestReport | None) -> None:
        self._refresh()

    def _refresh(self) -> None:
        self._session.request("folders", on_result=self._on_folders, on_failure=lambda _error: None)

    def _on_folders(self, rows: tuple[FolderState, ...]) -> None:
        before = {row.folder for row in self._rows if row.mode is WatchMode.AWAY}
        self._rows = rows
        away = {row.folder: row for row in rows if row.mode is WatchMode.AWAY}
        for folder in before - set(away):
            self._messages.withdraw(f"missing {folder}")
        for folder in set(away) - before:
            self._libraries.report_missing(folder, away[folder].problem)
        self._show_rows()

    # The list

    def show(self) -> None:
        """Open the list of folders."""
        if self._session.library is None:
            return
        if self.folders_window is None:
            self.folders_window = self._make_window()
        self._show_rows()
        self._refresh()
        bring_forward(self.folders_window)
        self.folders_window.tree.setFocus()

    def _make_window(self) -> FoldersWindow:
        from desktop_qa.gui.libraries.folders_window import FoldersWindow

        made = FoldersWindow(self._window, self._theme)
        made.add_clicked.connect(self._libraries.choose_to_add)
        made.choices_changed.connect(self.set_choices)
        made.watching_toggled.connect(self.set_watching)
        made.relocate_clicked.connect(self._libraries.choose_place_of)
        made.remove_clicked.connect(self.remove)
        made.undo_clicked.connect(self.undo_removal)
        made.rescan_clicked.connect(self._session.sync)
        made.show_clicked.connect(open_path)
        made.count_wanted.connect(self._count)
        return made

    def _show_rows(self) -> None:
        library = self._session.library
        if self.folders_window is not None and library is not None:
            self.folders_window.show_rows(
                self._rows,
                frozenset(self._leaving),
                is_watching=library.is_watching,
                is_read_only=library.read_only,
            )

    def _count(self, folder: str, patterns: tuple[str, ...]) -> None:
        def counted(count: ExclusionCount) -> None:
            if self.folders_window is not None:
                self.folders_window.show_count(folder, patterns, count)

        self._session.request("count_exclusions", folder, patterns, on_result=counted)

    # What the user decides

    def set_choices(self, folder: str, choices: FolderChoices) -> None:
        """Follow a folder or not, and leave files of it out."""
        self._session.change("set_folder_choices", folder, choices)

    def set_watching(self, is_watching: bool) -> None:
        """Follow all folders, or none."""
        if is_watching != self.is_watching:
            self._session.change("set_watching", is_watching)

    def remove(self, folder: str) -> None:
        """Take a folder out of the library in a moment; until then it can be undone."""
        if folder in self._leaving:
            return
        timer = single_shot(self, partial(self._finish_removal, folder), round(_UNDO_S * 1000))
        self._leaving[folder] = timer
        timer.start()
        n_files = next((row.n_files for row in self._rows if row.folder == folder), 0)
        noun = "document" if n_files == 1 else "documents"
        notice = Notice(
            NoticeLevel.INFORMATION,
            f"“{Path(folder).name}” with its {n_files} {noun} leaves the library.",
            "The files themselves are not touched.",
            (NoticeAction("Undo", partial(self.undo_removal, folder)),),
            key=f"removed {folder}",
        )
        self._messages.post(notice)
        self._show_rows()

    def undo_removal(self, folder: str) -> None:
        """Let a folder stay after all."""
        timer = self._leaving.pop(folder, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
        self._messages.withdraw(f"removed {folder}")
        self._show_rows()

    def _finish_removal(self, folder: str) -> None:
        self.undo_removal(folder)
        self._session.change("remove_source", folder)

    def finish_removals(self) -> None:
        """Take out at once what was to leave, as the window or the library is closed."""
        folders = tuple(self._leaving)
        library = self._session.library
        for folder in folders:
            self.undo_removal(folder)
        if folders and library is not None:
            self._session.start("leave_sources", library.folder, folders)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Tint the list."""
        self._theme = theme
        if self.folders_window is not None:
            self.folders_window.apply_theme(theme)
            self._show_rows()
