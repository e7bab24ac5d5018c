"""How libraries come into the window: by dialog, by drop, from the recent ones, as the sample."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu

from desktop_qa import paths
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.library.empty_state import SAMPLE_FOLDER
from desktop_qa.gui.library.recent import RecentLibrary
from desktop_qa.gui.widgets.dialog_parts import child
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts
from desktop_qa.library_journal import Step, unfinished

logger = logging.getLogger(__name__)


class LibraryActions(Feature):
    """Turns what the user points at into requests to the session.

    Attributes:
        menu: Of the button with the library's name.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._recent = window.recent
        empty = window.empty_state
        empty.add_button.clicked.connect(self.choose_folder)
        empty.sample_button.clicked.connect(self.open_sample)
        empty.recent_clicked.connect(self.open_recent)
        recent_menu = child(window, QMenu, "recent_menu")
        recent_menu.aboutToShow.connect(partial(self._fill_recent, recent_menu))
        self.menu = QMenu(window)
        self.menu.aboutToShow.connect(self._on_menu_due)
        window.library_panel.library_button.setMenu(self.menu)
        self._session.library_opened.connect(self._on_library_opened)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        can_write = self._session.can_write
        return {
            "add_folder": self.choose_folder,
            "add_to_library": (self.choose_to_add, can_write),
            "add_folder_elsewhere": self.choose_elsewhere,
            "open_library": self.choose_library,
            "locate_folder": (self.choose_moved, can_write),
        }

    def open_folder(self, folder: Path) -> None:
        """Open the library of a folder of documents; made when there is none yet."""
        self._session.open_library(paths.default_library_folder(folder), folder)

    def add_to_library(self, folder: Path) -> None:
        """Add a folder to the open library, or open its own when none is open."""
        if self._session.library is None:
            self.open_folder(folder)
        else:
            self._session.change("add_source", str(folder))

    def offer_choice(self, library: LibraryView, folders: list[Path], inside: str = "") -> None:
        """Ask where folders shall go: to the open library, or one into its own.

        `inside` is said of the files in them.
        """

        def add_all() -> None:
            for folder in folders:
                self._session.change("add_source", str(folder))

        what = f"{len(folders)} folders"
        actions = [NoticeAction(f"Add to “{RecentLibrary.of(library).name}”", add_all)]
        if len(folders) == 1:
            what, open_it = f"“{folders[0].name}”", partial(self.open_folder, folders[0])
            actions.append(NoticeAction("Open as its own library", open_it))
        self._messages.say(f"Where shall {what} go?", inside, *actions, key="where")

    def choose(self, title: str) -> Path | None:
        """Ask for a folder; None when the user thinks better of it."""
        chosen = QFileDialog.getExistingDirectory(self._window, title)
        return Path(chosen) if chosen else None

    def choose_folder(self) -> None:
        """Ask for a folder of documents and open its library."""
        if folder := self.choose("Add a folder of documents"):
            self.open_folder(folder)

    def choose_to_add(self) -> None:
        """Ask for another folder of documents for the open library."""
        if folder := self.choose("Add a folder to this library"):
            self.add_to_library(folder)

    def choose_elsewhere(self) -> None:
        """Ask for a folder of documents and for where its library shall live."""
        if source := self.choose("Choose the folder of documents"):
            folder = self.choose("Choose an empty folder to keep the library in")
            if folder is not None:
                self._session.open_library(folder, source)

    def choose_library(self) -> None:
        """Ask for a library that was kept elsewhere."""
        folder = self.choose("Open a library folder")
        if folder is not None and self.see_library(folder):
            self._session.open_library(folder)

    def see_library(self, folder: Path) -> bool:
        """Tell whether there is a library in a folder, and say so when there is none.

        Opening would make one there: among the user's documents, or where a drive is missing.
        """
        if paths.holds_library(folder):
            return True
        self._messages.say(
            f"There is no library in “{folder.name}”.",
            "A library is a folder that Desktop QA has made; your documents lie in another.",
            NoticeAction("Add Its Documents", partial(self.add_to_library, folder)),
            level=NoticeLevel.WARNING,
            key="request",
        )
        return False

    def choose_moved(self) -> None:
        """Ask where the first missing folder went, or the first of all."""
        library = self._session.library
        if library is not None and library.sources:
            missing = [source for source in library.sources if not source.exists]
            self.choose_place_of((missing or library.sources)[0].folder)

    def choose_place_of(self, folder: str) -> None:
        """Ask where a source folder is now."""
        if new := self.choose(f"Where is “{Path(folder).name}” now?"):
            self._messages.withdraw(f"missing {folder}")
            self._session.change("relocate_source", folder, str(new))

    def open_sample(self) -> None:
        """Open the library that comes with the program."""
        try:
            folder = paths.asset(SAMPLE_FOLDER)
        except FileNotFoundError as error:
            logger.warning("%s", error)
            message = "The sample library is not part of this installation."
            self._messages.say(message, "Add a folder of your own.", level=NoticeLevel.WARNING)
            return
        library = paths.default_library_folder(folder)
        is_new = not (library / paths.DATABASE_NAME).exists()
        self._session.open_library(library, folder, "Sample library" if is_new else "")

    def open_recent(self, index: int) -> None:
        """Open a recent library; one that is not there stays in the list."""
        for entry in self._recent.entries[index : index + 1]:
            if entry.folder != self._session.folder:
                self._open_known(entry)

    def open_last(self) -> bool:
        """Open the library used last; False when there is none, or it is not there."""
        for entry in unfinished():
            if entry.step is Step.MOVED:  # killed before the new place was noted
                self._recent.replace(entry.old, entry.new)
        entries = self._recent.entries
        return bool(entries) and self._open_known(entries[0])

    def _open_known(self, entry: RecentLibrary) -> bool:
        if paths.holds_library(Path(entry.folder)):
            self._session.open_library(Path(entry.folder))
            return True
        actions = [NoticeAction("Forget It", partial(self._recent.remove, entry.folder))]
        if entry.sources:
            again = partial(self.open_folder, Path(entry.sources[0]))
            actions.insert(0, NoticeAction("Index It Again", again))
        self._messages.say(
            f"The library of “{entry.name}” is not there.",
            f"It was in {entry.folder}. If that is on a drive, connect it, then open it once more.",
            *actions,
            level=NoticeLevel.WARNING,
            key="request",
        )
        return False

    def _fill_recent(self, menu: QMenu) -> None:
        """List the recent libraries."""
        menu.clear()
        for index, entry in enumerate(self._recent.entries):
            action = menu.addAction(entry.name.replace("&", "&&"))
            action.setCheckable(entry.folder == self._session.folder)
            action.setChecked(action.isCheckable())
            action.setToolTip(", ".join(entry.sources) or entry.folder)
            action.triggered.connect(lambda _on=False, index=index: self.open_recent(index))
        if menu.isEmpty():
            menu.addAction("None yet").setEnabled(False)

    def _on_menu_due(self) -> None:
        self._fill_recent(self.menu)
        self.menu.addSeparator()
        names = "new_library", "libraries", "folders", "refresh"
        self.menu.addActions([self._window.action(name) for name in names])

    def _on_library_opened(self, view: LibraryView) -> None:
        self._recent.add(RecentLibrary.of(view))
        self._messages.withdraw("where")
        for source in view.sources:
            if not source.exists:
                self.report_missing(source.folder)

    def report_missing(self, folder: str, problem: str = "") -> None:
        """Say that a source folder is not there, and let the user say where it is."""
        self._messages.say(
            problem or f"The folder “{Path(folder).name}” is not where it was.",
            f"It was at {folder}. Its documents can still be asked about.",
            NoticeAction("Locate …", partial(self.choose_place_of, folder)),
            level=NoticeLevel.WARNING,
            key=f"missing {folder}",
        )
