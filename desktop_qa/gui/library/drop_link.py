"""Takes in what was dropped on the window, and says calmly what was left out and why."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_qa import paths
from desktop_qa.core.drops import Dropped, LeftOut
from desktop_qa.core.file_kinds import (
    FileCount,
    FileKind,
    PassedOver,
    counted,
    counted_all,
    not_read_text,
    with_extensions,
)
from desktop_qa.gui.library.drops import Dragged, DropTarget
from desktop_qa.gui.library.library_actions import LibraryActions
from desktop_qa.gui.library.recent import name_of_library
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeAction, NoticeLevel

_SIZE_PX = (780, 420)
_MAX_KINDS = 4
"""Kinds of files that a message names; the list behind it has all."""

_ADVICE = "Add PDFs of those that matter."


class DropLink(QObject):
    """Has a drop looked into by the library's process, then takes what can be taken."""

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        libraries: LibraryActions,
        target: DropTarget,
        messages: MessageArea,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._libraries = libraries
        self._messages = messages
        self.left_out_window: LeftOutWindow | None = None
        target.library_name = self._library_name
        target.dropped.connect(self.take)

    def _library_name(self) -> str:
        library = self._session.library
        return name_of_library(library) if library is not None else ""

    def take(self, dragged: Dragged) -> None:
        """Take in what was dropped."""
        self._messages.withdraw("drop")
        self._session.start("sort_dropped", dragged.paths, dragged.links, on_result=self._on_sorted)

    def _on_sorted(self, dropped: Dropped) -> None:
        library = self._session.library
        if library is not None and library.read_only and (dropped.folders or dropped.files):
            self._messages.post(
                Notice(
                    NoticeLevel.WARNING,
                    "This library is open for reading only, so nothing was added.",
                    library.writing_hint,
                    key="drop",
                )
            )
        elif library is not None and dropped.folders and not dropped.files:
            folders = [Path(folder) for folder in dropped.folders]
            self._libraries.offer_choice(library, folders, _inside_text(dropped))
            if dropped.left_out or dropped.n_known:
                self._report(dropped, "")
        elif dropped.folders or dropped.files:
            self._report(dropped, self._add(dropped))
        else:
            self._report(dropped, "")

    def _add(self, dropped: Dropped) -> str:
        """Add folders and files; returns the name of the library that takes them."""
        library = self._session.library
        if library is not None:
            for folder in dropped.folders:
                self._session.change("add_source", folder)
            if dropped.files:
                self._session.change("add_files", dropped.files)
            return name_of_library(library)
        first = Path(dropped.folders[0] if dropped.folders else dropped.files[0])
        home = first if dropped.folders else first.parent
        source = first if dropped.folders else None
        more = (*dropped.folders[1:], *dropped.files)
        self._session.open_library(paths.default_library_folder(home), source, more=more)
        return home.name

    # What is said about it

    def _report(self, dropped: Dropped, library: str) -> None:
        actions = []
        if library:
            message = f"{_taken_text(dropped)} to “{library}”."
        elif dropped.n_known and not dropped.left_out:
            message = "That is in the library already."
        elif len(dropped.left_out) == 1 and not dropped.n_known:
            message = f"“{_short(dropped.left_out[0].name)}” was not added."
        else:
            message = "The rest was not added." if dropped.folders else "Nothing was added."
        inside = _inside_text(dropped) if library else ""
        hint = f"{_left_out_text(dropped)} {inside}".strip()
        rows = _rows(dropped)
        if len(rows) > 1:
            actions.append(NoticeAction("Show Which", partial(self.show_left_out, dropped)))
        folder = _common_folder(dropped) if library and self._session.library else None
        if folder is not None:
            whole = partial(self._session.change, "add_source", str(folder))
            actions.append(NoticeAction(f"Add All of “{folder.name}”", whole))
        level = NoticeLevel.WARNING if dropped.left_out and not library else NoticeLevel.INFORMATION
        passes = not rows and not actions
        self._messages.post(Notice(level, message, hint, tuple(actions), "drop", passes))

    def show_left_out(self, dropped: Dropped) -> None:
        """List what was not taken."""
        self.left_out_window = LeftOutWindow(_rows(dropped), self._window)
        self.left_out_window.show()


def _taken_text(dropped: Dropped) -> str:
    parts = []
    if dropped.folders:
        parts.append(counted(FileKind.FOLDER, len(dropped.folders)))
    if dropped.files:
        parts.append(counted(FileKind.PDF, len(dropped.files)))
    return f"Added {' and '.join(parts)}"


def _told(dropped: Dropped) -> tuple[FileCount, ...]:
    """Return what of the folders is not read; of hidden files nobody expects it."""
    return tuple(one for one in dropped.not_read if one.reason is not PassedOver.HIDDEN)


def _inside_text(dropped: Dropped) -> str:
    """Say what the folders hold, unless all of it is read."""
    told = _told(dropped)
    verb = "is" if dropped.n_inside == 1 else "are"
    read = f"{counted(FileKind.PDF, dropped.n_inside)} {verb} read."
    return f"{read} {not_read_text(told, _MAX_KINDS)}" if told else ""


def _rows(dropped: Dropped) -> tuple[LeftOut, ...]:
    """Return what was not taken: things that were dropped, and files of the folders by kind."""
    inside = (
        LeftOut(
            with_extensions(one),
            one.kind,
            _why(one),
            _ADVICE if one.reason is PassedOver.KIND else "",
        )
        for one in _told(dropped)
    )
    return (*dropped.left_out, *inside)


def _why(count: FileCount) -> str:
    reason = count.reason or ""
    return f"{reason[:1].upper()}{reason[1:]}."


def _left_out_text(dropped: Dropped) -> str:
    parts = []
    if dropped.n_known and (dropped.left_out or dropped.folders or dropped.files):
        verb = "was" if dropped.n_known == 1 else "were"
        parts.append(f"{dropped.n_known} {verb} there already.")
    if len(dropped.left_out) == 1:
        one = dropped.left_out[0]
        name = f"“{_short(one.name)}” was left out. " if dropped.folders or dropped.files else ""
        parts.append(f"{name}{one.reason} {one.hint}")
    elif dropped.left_out:
        kinds = {one.kind for one in dropped.left_out}
        what = counted_all(one.kind for one in dropped.left_out)
        advice = f" {dropped.left_out[0].hint}" if len(kinds) == 1 else ""
        parts.append(f"Left out: {what}.{advice}")
    return " ".join(parts)


def _short(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:40]} … {name[-17:]}"


def _common_folder(dropped: Dropped) -> Path | None:
    """Return the one folder that single files came from, to offer all of it."""
    folders = {Path(file).parent for file in dropped.files}
    return folders.pop() if len(folders) == 1 and not dropped.folders else None


class LeftOutWindow(QDialog):
    """What of a drop was not taken: name, why, what to do."""

    def __init__(self, left_out: tuple[LeftOut, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Left Out")
        self._left_out = left_out
        self.tree = QTreeWidget(self)
        self.tree.setHeaderLabels(["Name", "Why", "What to do"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setAccessibleName("What was left out")
        for one in left_out:
            item = QTreeWidgetItem([one.name, one.reason, one.hint])
            for column, text in enumerate((one.name, one.reason, one.hint)):
                item.setToolTip(column, text)
            self.tree.addTopLevelItem(item)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.tree.setColumnWidth(0, 240)
        self.tree.setColumnWidth(1, 190)
        self.copy_button = QPushButton("&Copy List", self)
        self.copy_button.setToolTip("Copy the list as text")
        self.copy_button.clicked.connect(self._copy)
        close_button = QPushButton("Close", self)
        close_button.setToolTip("Close this window (Esc)")
        close_button.clicked.connect(self.close)
        for button in (self.copy_button, close_button):
            button.setAutoDefault(False)
        title = QLabel("This cannot be read as it is.", self)
        layout = in_column(self, margins=(24, 20, 24, 16), spacing=12)
        layout.addWidget(title)
        layout.addWidget(self.tree, 1)
        line = in_row(inside=layout)
        line.addWidget(self.copy_button)
        line.addStretch(1)
        line.addWidget(close_button)
        self.resize(*_SIZE_PX)

    def _copy(self) -> None:
        rows = (f"{one.name}\t{one.reason}\t{one.hint}" for one in self._left_out)
        QGuiApplication.clipboard().setText("\n".join(rows))
