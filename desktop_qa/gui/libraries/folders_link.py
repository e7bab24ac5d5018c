"""The source folders in the window: the list of them, and taking up their changes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPlainTextEdit,
    QTreeWidgetItem,
    QWidget,
)

from desktop_qa.core.file_kinds import FileKind, PassedOver, counted, not_read_text
from desktop_qa.core.folders import ExclusionCount, FolderChoices, FolderState, WatchMode
from desktop_qa.exclusions import cleaned, is_only_some
from desktop_qa.gui.screens import bring_forward, resize_within_screen
from desktop_qa.gui.widgets.boxes import add_row, in_column, put
from desktop_qa.gui.widgets.dialog_parts import ColumnTree, SideWindow, push_button
from desktop_qa.gui.widgets.labels import n_of, plain_label
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import open_path
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_UNDO_S = 12.0
_COUNT_PAUSE_MS = 400
_SIZE_PX = (760, 640)
_PATTERNS_HEIGHT_PX = 92
_MAX_KINDS = 6
"""Kinds of files that are named, so that the lines keep their place; the tool tip has all."""
_EXPLANATION = (
    "Documents are read where they are. New, changed and removed files are taken up by themselves"
    " a moment after they were last written."
)
_STATES = {
    WatchMode.NATIVE: "Followed",
    WatchMode.POLLED: "Looked at now and then",
    WatchMode.OFF: "Not followed",
    WatchMode.AWAY: "Not there",
}
_STATE_TIPS = {
    WatchMode.NATIVE: "The system tells of each change.",
    WatchMode.POLLED: "The system does not tell of changes here (a network drive, or very many"
    " subfolders), so the folder is looked at every half minute or more seldom.",
    WatchMode.OFF: "Press Rescan to take up changes.",
    WatchMode.AWAY: "Its documents can still be asked about. It is taken up again by itself when"
    " it comes back.",
}


def state_text(row: FolderState) -> str:
    """Return the state of a folder in a few words."""
    if row.mode is WatchMode.AWAY and row.exists:
        return "Empty or not connected"
    return _STATES[row.mode]


def files_text(row: FolderState) -> str:
    """Return "51 files, 3 left out, 235 not read"."""
    if is_only_some(row.choices.excluded):
        return n_of(row.n_files, "single file")
    left_out = f", {row.n_excluded} left out" if row.n_excluded else ""
    n_others = sum(one.n_files for one in row.not_read or () if one.reason is PassedOver.KIND)
    others = f", {n_others} not read" if n_others else ""
    return f"{n_of(row.n_files, 'file')}{left_out}{others}"


def kinds_text(
    count: ExclusionCount, n_attention: int, n_scans: int, max_kinds: int | None = None
) -> str:
    """Say what of a folder is read, what of that needs attention, and what is not read."""
    verb = "is" if count.n_taken == 1 else "are"
    need = "needs" if n_attention == 1 else "need"
    attention = f"; {n_attention} {need} attention" if n_attention else ""
    scans = f", {n_scans} of them scans without text" if n_scans else ""
    read = f"{counted(FileKind.PDF, count.n_taken)} {verb} read{attention}{scans}."
    # What patterns leave out is said beside the patterns.
    others = [one for one in count.not_read if one.reason is not PassedOver.EXCLUDED]
    return f"{read} {not_read_text(others, max_kinds)}".strip()


def count_text(count: ExclusionCount) -> str:
    """Say what patterns would leave out."""
    if count.bad_pattern:
        return f"“{count.bad_pattern}” cannot be understood. Write *draft*, old/ or !keep.pdf."
    excluded = [one for one in count.not_read if one.reason is PassedOver.EXCLUDED]
    n_others = sum(one.n_files for one in excluded) - count.n_excluded
    others = f"{n_of(n_others, 'file')} of other kinds"
    if not count.n_excluded:
        return f"Leaves out {others}." if n_others > 0 else "No file matches."
    examples = ", ".join(Path(path).name for path in count.examples[:3])
    more = " …" if count.n_excluded > 3 else ""
    total = count.n_taken + count.n_excluded
    also = f", and {others}" if n_others > 0 else ""
    return f"Leaves out {count.n_excluded} of {total} PDF files ({examples}{more}){also}."


class FoldersWindow(SideWindow):
    """Shows the rows it is given; not modal. What is chosen here its owner does."""

    def __init__(self, owner: FoldersLink, window: WindowParts) -> None:
        super().__init__("Folders of the Library", "folders_window", _SIZE_PX, window)
        session, libraries = window.session, window.libraries
        self._owner = owner
        self._session = session
        self._rows: dict[str, FolderState] = {}
        self._shown = ""
        self.tree = ColumnTree(["Folder", "Files", "Changes"], "Folders of the library", self)
        self.watch_all_box = QCheckBox("Follow changes of &all folders by themselves", self)
        self.watch_box = QCheckBox("&Follow changes of this folder", self)
        self.patterns_edit = QPlainTextEdit(self, tabChangesFocus=True)
        self.count_label = plain_label("", self)
        self.apply_button = push_button(
            "&Leave Out", lambda: self._change(excluded=self.patterns), self
        )
        self.add_button = push_button("Add &Folder …", libraries.choose_to_add, self)
        self.rescan_button = push_button("&Rescan", session.sync, self)
        self.locate_button = push_button(
            "L&ocate …", lambda: libraries.choose_place_of(self.folder), self
        )
        self.show_button = push_button("&Show in Folder", lambda: open_path(self.folder), self)
        self.remove_button = push_button("Re&move", self._on_remove_clicked, self)
        self.path_label = plain_label("", self, "detail_title", can_select=True)
        self.kinds_label = plain_label("", self)
        self.problem_label = plain_label("", self)
        self._count_timer = single_shot(self, self._count, _COUNT_PAUSE_MS)
        self._lay_out()
        self.tree.currentItemChanged.connect(lambda _new, _old: self._show_detail())
        self.tree.itemActivated.connect(lambda _item, _column: open_path(self.folder))
        self.watch_all_box.clicked.connect(owner.set_watching)
        self.watch_box.clicked.connect(lambda is_watched: self._change(is_watched=is_watched))
        self.patterns_edit.textChanged.connect(self._on_patterns_changed)

    def _lay_out(self) -> None:
        self.patterns_edit.setFixedHeight(_PATTERNS_HEIGHT_PX)
        self.patterns_edit.setAccessibleName("Patterns of files to leave out")
        self.patterns_edit.setPlaceholderText("*draft*\nold/\n!keep.pdf")
        tips = {
            self.patterns_edit: "One pattern a line, as in a .gitignore: *draft*, old/,"
            " /archive/**, !keep.pdf",
            self.apply_button: "Leave these files out of the library",
            self.add_button: "Add another folder of documents to the library",
            self.rescan_button: "Look for new, changed and removed files now (F5)",
            self.locate_button: "Say where the folder is now; nothing is read again",
            self.show_button: "Open the folder in the system's file manager",
            self.remove_button: "Take the folder out of the library; its files are not touched",
        }
        for widget, tip in tips.items():
            widget.setToolTip(tip)
        self.detail = QWidget(self)
        detail = in_column(self.detail, margins=(0, 0, 0, 0), spacing=8)
        patterns_label = QLabel("Leave out files that match (one pattern a line)", self)
        patterns_label.setBuddy(self.patterns_edit)
        put(detail, self.path_label, self.kinds_label, self.problem_label)
        put(detail, self.watch_box, patterns_label, self.patterns_edit)
        add_row(detail, (self.count_label, 1), (self.apply_button, 0, Qt.AlignmentFlag.AlignTop))
        add_row(detail, self.show_button, self.locate_button, self.remove_button, None)
        self.column.addWidget(plain_label(_EXPLANATION, self))
        add_row(self.column, self.watch_all_box, None, self.rescan_button, self.add_button)
        put(self.column, (self.tree, 1), self.detail)
        self.end_with()

    # What is shown

    @property
    def folder(self) -> str:
        """The folder of the current row, empty when there is none."""
        return self.tree.key

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns as they stand in the box."""
        return cleaned(self.patterns_edit.toPlainText().splitlines())

    def show_rows(self) -> None:
        """Show the folders; the current row stays, and so does what is being typed."""
        current = self.folder
        shown = self._rows.get(self._shown)
        self._rows = {row.folder: row for row in self._owner.rows}
        if shown != self._rows.get(self._shown):
            self._count_timer.start()  # it was looked at again, and may hold other files
        self.watch_all_box.setChecked(self._owner.is_watching)
        self.tree.fill({row.folder: self._item(row) for row in self._owner.rows}, current)
        self._show_detail()

    def _item(self, row: FolderState) -> QTreeWidgetItem:
        is_leaving = row.folder in self._owner.leaving
        state = "Leaves the library …" if is_leaving else state_text(row)
        item = QTreeWidgetItem([row.folder, files_text(row), state])
        item.setToolTip(0, row.folder)
        item.setToolTip(2, row.problem or _STATE_TIPS[row.mode])
        if is_leaving:
            font = item.font(0)
            font.setStrikeOut(True)
            item.setFont(0, font)
        elif row.mode is WatchMode.AWAY:
            item.setForeground(2, QBrush(QColor(look.theme.warning)))
        return item

    def _show_detail(self) -> None:
        row = self._rows.get(self.folder)
        self.detail.setVisible(row is not None)
        can_change = self._session.can_write
        for control in (self.add_button, self.watch_all_box, self.rescan_button):
            control.setEnabled(can_change)
        if row is None:
            self._shown = ""
            return
        is_leaving = row.folder in self._owner.leaving
        self.path_label.setText(row.folder)
        self.problem_label.setText(row.problem or _STATE_TIPS[row.mode])
        self.watch_box.setChecked(row.choices.is_watched)
        if row.folder != self._shown:
            self._shown = row.folder
            with QSignalBlocker(self.patterns_edit):
                self.patterns_edit.setPlainText("\n".join(row.choices.excluded))
            self.count_label.clear()
            self.kinds_label.setText("Counting …")
            self._count_timer.start()
        self.remove_button.setText("&Undo Remove" if is_leaving else "Re&move")
        self.remove_button.setEnabled(can_change)
        for widget in (self.watch_box, self.patterns_edit, self.locate_button):
            widget.setEnabled(can_change and not is_leaving)
        self.show_button.setEnabled(row.exists)
        self._update_apply()

    def show_count(self, folder: str, patterns: tuple[str, ...], count: ExclusionCount) -> None:
        """Say what the patterns in the box would leave out, unless they changed meanwhile."""
        if folder == self.folder and patterns == self.patterns:
            self.count_label.setText(count_text(count) if patterns else "")
            if count.bad_pattern:
                self.apply_button.setEnabled(False)
            else:
                self._show_kinds(self._rows[folder], patterns, count)

    def _show_kinds(
        self, row: FolderState, patterns: tuple[str, ...], count: ExclusionCount
    ) -> None:
        # What the library knows of the files holds for the patterns that count now.
        is_now = patterns == row.choices.excluded
        known = (row.n_attention, row.n_scans) if is_now else (0, 0)
        self.kinds_label.setText(kinds_text(count, *known, _MAX_KINDS))
        self.kinds_label.setToolTip(kinds_text(count, *known))
        needed = self.heightForWidth(self.width())
        if needed > self.height():
            resize_within_screen(self, self.width(), needed)

    # What the user does

    def _update_apply(self) -> None:
        row = self._rows.get(self.folder)
        is_other = row is not None and self.patterns != row.choices.excluded
        self.apply_button.setEnabled(
            is_other and self._session.can_write and self.folder not in self._owner.leaving
        )

    def _on_patterns_changed(self) -> None:
        self.count_label.setText("Counting …")
        self._count_timer.start()
        self._update_apply()

    def _count(self) -> None:
        folder, patterns = self.folder, self.patterns
        row = self._rows.get(folder)
        if row is None or not row.exists:
            self.count_label.clear()
            self.kinds_label.clear()
            return
        self._session.request(
            *("count_exclusions", folder, patterns),
            on_result=partial(self.show_count, folder, patterns),
        )

    def _change(self, **changes: object) -> None:
        row = self._rows.get(self.folder)
        if row is not None:
            choices: FolderChoices = replace(row.choices, **changes)  # type: ignore[arg-type]
            self._session.change("set_folder_choices", row.folder, choices)

    def _on_remove_clicked(self) -> None:
        if self.folder in self._owner.leaving:
            self._owner.undo_removal(self.folder)
        else:
            self._owner.remove(self.folder)


class FoldersLink(Feature):
    """Takes up what happens to the folders, and lets the user decide about them.

    Attributes:
        leaving: Those that are about to be taken out, with the time that is left to each.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = window.session
        self.rows: tuple[FolderState, ...] = ()
        self.leaving: dict[str, QTimer] = {}
        self.folders_window: FoldersWindow | None = None
        session.leaving.connect(self.finish_removals)
        session.library_opened.connect(lambda _view: self._refresh())
        look.changed.connect(self._show_rows)
        session.sync_finished.connect(lambda _report: self._refresh())
        session.news_arrived.connect(self._on_news)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        session = self._session
        return {
            "folders": (self.show, session.library is not None),
            "watch_folders": (self.set_watching, session.can_write),
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
        self._messages.say(
            f"“{names}” was not added: this library is open for reading only.",
            library.writing_hint if library is not None else "",
            level=NoticeLevel.WARNING,
            key="not added",
        )

    def _refresh(self) -> None:
        self._session.request("folders", on_result=self._on_folders, on_failure=lambda _error: None)

    def _on_folders(self, rows: tuple[FolderState, ...]) -> None:
        before = {row.folder for row in self.rows if row.mode is WatchMode.AWAY}
        self.rows = rows
        away = {row.folder: row for row in rows if row.mode is WatchMode.AWAY}
        for folder in before - set(away):
            self._messages.withdraw(f"missing {folder}")
        for folder in set(away) - before:
            self._window.libraries.report_missing(folder, away[folder].problem)
        self._show_rows()

    # The list

    def show(self) -> None:
        """Open the list of folders."""
        if self._session.library is None:
            return
        if self.folders_window is None:
            self.folders_window = FoldersWindow(self, self._window)
        self._show_rows()
        self._refresh()
        bring_forward(self.folders_window)
        self.folders_window.tree.setFocus()

    def _show_rows(self) -> None:
        if self.folders_window is not None and self._session.library is not None:
            self.folders_window.show_rows()

    # What the user decides

    def set_watching(self, is_watching: bool) -> None:
        """Follow all folders, or none."""
        if is_watching != self.is_watching:
            self._session.change("set_watching", is_watching)

    def remove(self, folder: str) -> None:
        """Take a folder out of the library in a moment; until then it can be undone."""
        if folder in self.leaving:
            return
        timer = single_shot(self, partial(self._finish_removal, folder), round(_UNDO_S * 1000))
        self.leaving[folder] = timer
        timer.start()
        n_files = next((row.n_files for row in self.rows if row.folder == folder), 0)
        self._messages.say(
            f"“{Path(folder).name}” with its {n_of(n_files, 'document')} leaves the library.",
            "The files themselves are not touched.",
            NoticeAction("Undo", partial(self.undo_removal, folder)),
            key=f"removed {folder}",
        )
        self._show_rows()

    def undo_removal(self, folder: str) -> None:
        """Let a folder stay after all."""
        timer = self.leaving.pop(folder, None)
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
        folders = tuple(self.leaving)
        library = self._session.library
        for folder in folders:
            self.undo_removal(folder)
        if folders and library is not None:
            self._session.start("leave_sources", library.folder, folders)
