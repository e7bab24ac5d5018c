"""What is dragged over the window and dropped on it: promised, taken in, and what was left out."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QTreeWidget, QTreeWidgetItem, QWidget

from desktop_qa import paths
from desktop_qa.core.drops import Dropped, LeftOut
from desktop_qa.core.file_kinds import (
    FileCount,
    FileKind,
    PassedOver,
    counted,
    counted_all,
    kind_of_name,
    not_read_text,
    with_extensions,
)
from desktop_qa.gui.library.recent import RecentLibrary
from desktop_qa.gui.widgets.boxes import put
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import shortened, told
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.window_parts import Feature, WindowParts

_MAX_NAME_CHARACTERS = 60
_HINT_PX = 14
_MAX_LOOKED_AT = 100
"""More paths than this are counted as files without a look at the disk."""

_TAKEN = (QEvent.Type.DragEnter, QEvent.Type.Drop)
_ADDRESSES = ("http", "https", "ftp")
_SIZE_PX = (780, 420)
_MAX_KINDS = 4
"""Kinds of files that a message names; the list behind it has all."""

_ADVICE = "Add PDFs of those that matter."


class Dragged(NamedTuple):
    """What is dragged, by its names: local paths, and addresses of the network."""

    paths: tuple[str, ...]
    links: tuple[str, ...]

    def __bool__(self) -> bool:
        """True when there is anything."""
        return bool(self.paths or self.links)


def dragged_of(data: QMimeData) -> Dragged:
    """Return the files, folders and addresses of a drag."""
    urls = data.urls()
    paths = tuple(url.toLocalFile() for url in urls if url.isLocalFile())
    links = tuple(url.toDisplayString() for url in urls if url.scheme() in _ADDRESSES)
    return Dragged(paths, links)


def promise_of(dragged: Dragged, library: str) -> tuple[str, str]:
    """Say what letting go will do: a sentence, and a second one about the rest.

    `library` is the name of the open one, empty when there is none.
    """
    folders = {path: Path(path) for path in dragged.paths[:_MAX_LOOKED_AT] if Path(path).is_dir()}
    kinds = Counter(kind_of_name(path) for path in dragged.paths if path not in folders)
    kinds[FileKind.LINK] += len(dragged.links)
    n_files = kinds.pop(FileKind.PDF, 0)
    rest = counted_all(kinds.elements())
    if not folders and not n_files:
        return "This cannot be read", f"Only folders and PDF files can: {rest}."
    is_one = len(folders) == 1 and not n_files
    what = _amounts(len(folders), n_files)
    if is_one:
        what = f"the folder “{next(iter(folders.values())).name}”"
    where = f"make a library of {what}"
    if library:
        where = f"add {what} to “{library}”{' or open it by itself' if is_one else ''}"
    left_out = f"Left out: {rest}." if rest else "PDF files are read where they are, never copied."
    return f"Drop to {where}", left_out


class DropVeil(QLabel):
    """Takes what is dropped on its host; a veil over it says before what letting go will do.

    `title` is what it says, with `hint` below.

    Args:
        host: Where things are dropped.
        read: Returns what of a drag is for the host; what is nothing goes on to what is around.
        tell: Returns title and hint for what was read.
        take: Called with what was read when it is let go.
    """

    def __init__(
        self,
        host: QWidget,
        read: Callable[[QMimeData], Any],
        tell: Callable[[Any], tuple[str, str]],
        take: Callable[[Any], object],
    ) -> None:
        super().__init__(host)
        self._host = host
        self._read, self._tell, self._take = read, tell, take
        host.setAcceptDrops(True)
        host.installEventFilter(self)
        self.title = self.hint = ""
        self.setObjectName("drop_veil")
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept what is for the host; show the veil meanwhile."""
        if event.type() in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self.hide()
        if isinstance(event, QDropEvent) and event.type() in _TAKEN:
            dragged = self._read(event.mimeData())
            if dragged:
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                if isinstance(event, QDragEnterEvent):
                    self.title, self.hint = self._tell(dragged)
                    self._show_promise()
                else:
                    self._take(dragged)
                return True
        return super().eventFilter(watched, event)

    def _show_promise(self) -> None:
        style = f"font-size:{_HINT_PX}px; color:{look.theme.dim}"
        below = f"<p style='{style}'>{html.escape(self.hint)}</p>" if self.hint else ""
        self.setText(f"<p>{html.escape(self.title)}</p>{below}")
        self.setGeometry(self._host.rect())
        self.raise_()
        self.show()


class DropLink(Feature):
    """Has the library's process look into what is dropped, then takes what can be taken."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self.overlay = DropVeil(window, dragged_of, self._tell, self._take)
        self.left_out_window: LeftOutWindow | None = None

    def _tell(self, dragged: Dragged) -> tuple[str, str]:
        library = self._session.library
        return promise_of(dragged, RecentLibrary.of(library).name if library is not None else "")

    def _take(self, dragged: Dragged) -> None:
        self._messages.withdraw("drop")
        self._session.start("sort_dropped", dragged.paths, dragged.links, on_result=self._on_sorted)
        self._window.care.bring_back_files(dragged.paths)

    def _on_sorted(self, dropped: Dropped) -> None:
        library = self._session.library
        if library is not None and library.read_only and (dropped.folders or dropped.files):
            message = "This library is open for reading only, so nothing was added."
            hint, level = library.writing_hint, NoticeLevel.WARNING
            self._messages.say(message, hint, level=level, key="drop")
        elif library is not None and dropped.folders and not dropped.files:
            folders = [Path(folder) for folder in dropped.folders]
            self._window.libraries.offer_choice(library, folders, _inside_text(dropped))
            if dropped.left_out or dropped.n_known:
                self._report(dropped, "")
        else:
            is_any = bool(dropped.folders or dropped.files)
            self._report(dropped, self._add(dropped) if is_any else "")

    def _add(self, dropped: Dropped) -> str:
        """Add folders and files; returns the name of the library that takes them."""
        library = self._session.library
        if library is not None:
            for folder in dropped.folders:
                self._session.change("add_source", folder)
            if dropped.files:
                self._session.change("add_files", dropped.files)
            return RecentLibrary.of(library).name
        first = Path(dropped.folders[0] if dropped.folders else dropped.files[0])
        home = first if dropped.folders else first.parent
        source = first if dropped.folders else None
        more = (*dropped.folders[1:], *dropped.files)
        self._session.open_library(paths.default_library_folder(home), source, more=more)
        return home.name

    # What is said about it

    def _report(self, dropped: Dropped, library: str) -> None:
        left_out, rows, actions = dropped.left_out, _rows(dropped), []
        if library:
            taken = _amounts(len(dropped.folders), len(dropped.files))
            message = f"Added {taken} to “{library}”."
        elif dropped.n_known and not left_out:
            message = "That is in the library already."
        elif len(left_out) == 1 and not dropped.n_known:
            message = f"{_short_name(left_out[0])} was not added."
        else:
            message = "The rest was not added." if dropped.folders else "Nothing was added."
        hint = f"{_left_out_text(dropped)} {_inside_text(dropped) if library else ''}".strip()
        if len(rows) > 1:
            actions.append(NoticeAction("Show Which", partial(self.show_left_out, dropped)))
        # The one folder that single files came from: all of it is offered.
        folders = {Path(file).parent for file in dropped.files}
        if len(folders) == 1 and not dropped.folders and library and self._session.library:
            (folder,) = folders
            whole = partial(self._session.change, "add_source", str(folder))
            actions.append(NoticeAction(f"Add All of “{folder.name}”", whole))
        level = NoticeLevel.WARNING if left_out and not library else NoticeLevel.INFORMATION
        passes = not rows and not actions
        self._messages.say(message, hint, *actions, level=level, key="drop", passes=passes)

    def show_left_out(self, dropped: Dropped) -> None:
        """List what was not taken."""
        self.left_out_window = LeftOutWindow(_rows(dropped), self._window)
        self.left_out_window.show()


def _amounts(n_folders: int, n_files: int) -> str:
    kinds = ((FileKind.FOLDER, n_folders), (FileKind.PDF, n_files))
    return " and ".join(counted(kind, number) for kind, number in kinds if number)


def _short_name(one: LeftOut) -> str:
    return f"“{shortened(one.name, _MAX_NAME_CHARACTERS)}”"


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
    rows = list(dropped.left_out)
    for one in _told(dropped):
        reason = one.reason or ""
        advice = _ADVICE if one.reason is PassedOver.KIND else ""
        why = f"{reason[:1].upper()}{reason[1:]}."
        rows.append(LeftOut(with_extensions(one), one.kind, why, advice))
    return tuple(rows)


def _left_out_text(dropped: Dropped) -> str:
    parts, left_out = [], dropped.left_out
    is_any = bool(dropped.folders or dropped.files)
    if dropped.n_known and (left_out or is_any):
        verb = "was" if dropped.n_known == 1 else "were"
        parts.append(f"{dropped.n_known} {verb} there already.")
    if len(left_out) == 1:
        (one,) = left_out
        name = f"{_short_name(one)} was left out. " if is_any else ""
        parts.append(f"{name}{one.reason} {one.hint}")
    elif left_out:
        kinds = [one.kind for one in left_out]
        advice = f" {left_out[0].hint}" if len(set(kinds)) == 1 else ""
        parts.append(f"Left out: {counted_all(kinds)}.{advice}")
    return " ".join(parts)


class LeftOutWindow(SideWindow):
    """What of a drop was not taken: name, why, what to do."""

    def __init__(self, left_out: tuple[LeftOut, ...], parent: QWidget) -> None:
        super().__init__("Left Out", "left_out_window", _SIZE_PX, parent)
        self._left_out = left_out
        self.tree = told(QTreeWidget(self), spoken="What was left out")
        self.tree.setHeaderLabels(["Name", "Why", "What to do"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setAllColumnsShowFocus(True)
        for one in left_out:
            texts = [one.name, one.reason, one.hint]
            item = QTreeWidgetItem(self.tree, texts)
            for column, text in enumerate(texts):
                item.setToolTip(column, text)
        self.tree.setColumnWidth(0, 240)
        self.tree.setColumnWidth(1, 190)
        self.copy_button = push_button("&Copy List", self._copy, self, "Copy the list as text")
        put(self.column, QLabel("This cannot be read as it is.", self), (self.tree, 1))
        self.end_with(self.copy_button)

    def _copy(self) -> None:
        rows = (f"{one.name}\t{one.reason}\t{one.hint}" for one in self._left_out)
        copy_text("\n".join(rows))
