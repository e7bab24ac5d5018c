"""The list of source folders: how each is followed, and what is left out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_qa.core.file_kinds import FileKind, PassedOver, counted, not_read_text
from desktop_qa.core.folders import ExclusionCount, FolderChoices, FolderState, WatchMode
from desktop_qa.exclusions import cleaned, is_only_some
from desktop_qa.gui.screens import resize_within_screen
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.timers import single_shot

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
    noun = "file" if row.n_files == 1 else "files"
    if is_only_some(row.choices.excluded):
        return f"{row.n_files} single {noun}"
    left_out = f", {row.n_excluded} left out" if row.n_excluded else ""
    n_others = sum(one.n_files for one in row.not_read or () if one.reason is PassedOver.KIND)
    others = f", {n_others} not read" if n_others else ""
    return f"{row.n_files} {noun}{left_out}{others}"


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
    others = f"{n_others} {'file' if n_others == 1 else 'files'} of other kinds"
    if not count.n_excluded:
        return f"Leaves out {others}." if n_others > 0 else "No file matches."
    examples = ", ".join(Path(path).name for path in count.examples[:3])
    more = " …" if count.n_excluded > 3 else ""
    total = count.n_taken + count.n_excluded
    also = f", and {others}" if n_others > 0 else ""
    return f"Leaves out {count.n_excluded} of {total} PDF files ({examples}{more}){also}."


class FoldersWindow(QDialog):
    """Shows the rows it is given; not modal.

    Attributes:
        add_clicked: The user wants to add a folder.
        choices_changed: With (folder, `FolderChoices`).
        watching_toggled: All folders shall be followed, or none.
        relocate_clicked: With the folder that was moved.
        remove_clicked: With the folder to take out of the library.
        undo_clicked: With the folder that shall stay after all.
        rescan_clicked: Look for changes now.
        show_clicked: With the folder to show in the system's file manager.
        count_wanted: With (folder, patterns) to count what they leave out.
    """

    add_clicked = Signal()
    choices_changed = Signal(str, object)
    watching_toggled = Signal(bool)
    relocate_clicked = Signal(str)
    remove_clicked = Signal(str)
    undo_clicked = Signal(str)
    rescan_clicked = Signal()
    show_clicked = Signal(str)
    count_wanted = Signal(str, object)

    def __init__(self, parent: QWidget, theme: themes.Theme = themes.LIGHT) -> None:
        super().__init__(parent)
        self.setWindowTitle("Folders of the Library")
        self.setObjectName("folders_window")
        self._theme = theme
        self._rows: dict[str, FolderState] = {}
        self._leaving: frozenset[str] = frozenset()
        self._is_read_only = False
        self._shown = ""
        self.tree = QTreeWidget(self)
        self.watch_all_box = QCheckBox("Follow changes of &all folders by themselves", self)
        self.watch_box = QCheckBox("&Follow changes of this folder", self)
        self.patterns_edit = QPlainTextEdit(self)
        self.count_label = QLabel(self)
        self.apply_button = QPushButton("&Leave Out", self)
        self.add_button = QPushButton("Add &Folder …", self)
        self.rescan_button = QPushButton("&Rescan", self)
        self.locate_button = QPushButton("L&ocate …", self)
        self.show_button = QPushButton("&Show in Folder", self)
        self.remove_button = QPushButton("Re&move", self)
        self.close_button = QPushButton("Close", self)
        self.path_label = QLabel(self)
        self.kinds_label = QLabel(self)
        self.problem_label = QLabel(self)
        self._count_timer = single_shot(self, self._want_count, _COUNT_PAUSE_MS)
        self._build()
        self._connect()
        resize_within_screen(self, *_SIZE_PX)

    def _build(self) -> None:
        explanation = QLabel(_EXPLANATION, self)
        explanation.setObjectName("dialog_hint")
        explanation.setWordWrap(True)
        self._dress_tree()
        for label in (self.count_label, self.problem_label, self.kinds_label):
            label.setObjectName("dialog_hint")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.path_label.setObjectName("detail_title")
        self.path_label.setTextFormat(Qt.TextFormat.PlainText)
        self.path_label.setWordWrap(True)
        self.path_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.patterns_edit.setFixedHeight(_PATTERNS_HEIGHT_PX)
        self.patterns_edit.setTabChangesFocus(True)
        self.patterns_edit.setAccessibleName("Patterns of files to leave out")
        self.patterns_edit.setPlaceholderText("*draft*\nold/\n!keep.pdf")
        self.patterns_edit.setToolTip(
            "One pattern a line, as in a .gitignore: *draft*, old/, /archive/**, !keep.pdf"
        )
        for button, tip in self._tips().items():
            button.setToolTip(tip)
            button.setAutoDefault(False)
        self._lay_out(explanation)

    def _dress_tree(self) -> None:
        tree = self.tree
        tree.setHeaderLabels(["Folder", "Files", "Changes"])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setAllColumnsShowFocus(False)
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        tree.setAccessibleName("Folders of the library")
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)

    def _tips(self) -> dict[QPushButton, str]:
        return {
            self.apply_button: "Leave these files out of the library",
            self.add_button: "Add another folder of documents to the library",
            self.rescan_button: "Look for new, changed and removed files now (F5)",
            self.locate_button: "Say where the folder is now; nothing is read again",
            self.show_button: "Open the folder in the system's file manager",
            self.remove_button: "Take the folder out of the library; its files are not touched",
            self.close_button: "Close this window (Esc)",
        }

    def _lay_out(self, explanation: QLabel) -> None:
        self.detail = QWidget(self)
        detail = in_column(self.detail, margins=(0, 0, 0, 0), spacing=8)
        detail.addWidget(self.path_label)
        detail.addWidget(self.kinds_label)
        detail.addWidget(self.problem_label)
        detail.addWidget(self.watch_box)
        patterns_label = QLabel("Leave out files that match (one pattern a line)", self)
        patterns_label.setBuddy(self.patterns_edit)
        detail.addWidget(patterns_label)
        detail.addWidget(self.patterns_edit)
        count_line = in_row(inside=detail)
        count_line.addWidget(self.count_label, 1)
        count_line.addWidget(self.apply_button, 0, Qt.AlignmentFlag.AlignTop)
        buttons = in_row(inside=detail)
        for button in (self.show_button, self.locate_button, self.remove_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = in_column(self, margins=(24, 20, 24, 16), spacing=12)
        layout.addWidget(explanation)
        top = in_row(inside=layout)
        top.addWidget(self.watch_all_box)
        top.addStretch(1)
        top.addWidget(self.rescan_button)
        top.addWidget(self.add_button)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.detail)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignRight)

    def _connect(self) -> None:
        self.tree.currentItemChanged.connect(lambda _new, _old: self._show_detail())
        self.tree.itemActivated.connect(lambda _item, _column: self.show_clicked.emit(self.folder))
        self.watch_all_box.toggled.connect(self.watching_toggled)
        self.watch_box.toggled.connect(self._on_watch_toggled)
        self.patterns_edit.textChanged.connect(self._on_patterns_changed)
        self.apply_button.clicked.connect(self._on_apply_clicked)
        self.add_button.clicked.connect(self.add_clicked)
        self.rescan_button.clicked.connect(self.rescan_clicked)
        self.locate_button.clicked.connect(lambda: self.relocate_clicked.emit(self.folder))
        self.show_button.clicked.connect(lambda: self.show_clicked.emit(self.folder))
        self.remove_button.clicked.connect(self._on_remove_clicked)
        self.close_button.clicked.connect(self.close)

    # What is shown

    @property
    def folder(self) -> str:
        """The folder of the current row, empty when there is none."""
        item = self.tree.currentItem()
        return str(item.data(0, Qt.ItemDataRole.UserRole)) if item is not None else ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns as they stand in the box."""
        return cleaned(self.patterns_edit.toPlainText().splitlines())

    def show_rows(
        self,
        rows: Sequence[FolderState],
        leaving: frozenset[str],
        *,
        is_watching: bool,
        is_read_only: bool,
    ) -> None:
        """Show the folders; the current row stays, and so does what is being typed.

        Args:
            rows: The folders of the library.
            leaving: Those that are about to be taken out.
            is_watching: False when the following of all folders is switched off.
            is_read_only: Nothing can be changed.
        """
        current = self.folder
        shown = self._rows.get(self._shown)
        self._rows = {row.folder: row for row in rows}
        if shown != self._rows.get(self._shown):
            self._count_timer.start()  # it was looked at again, and may hold other files
        self._leaving, self._is_read_only = leaving, is_read_only
        with QSignalBlocker(self.watch_all_box):
            self.watch_all_box.setChecked(is_watching)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            for row in rows:
                self._add_item(row)
            folders = list(self._rows)
            if folders:
                index = folders.index(current) if current in self._rows else 0
                item = self.tree.topLevelItem(index)
                if item is not None:
                    self.tree.setCurrentItem(item)
        self._show_detail()

    def _add_item(self, row: FolderState) -> None:
        is_leaving = row.folder in self._leaving
        state = "Leaves the library …" if is_leaving else state_text(row)
        item = QTreeWidgetItem([row.folder, files_text(row), state])
        item.setData(0, Qt.ItemDataRole.UserRole, row.folder)
        item.setToolTip(0, row.folder)
        item.setToolTip(2, row.problem or _STATE_TIPS[row.mode])
        if is_leaving:
            font = item.font(0)
            font.setStrikeOut(True)
            item.setFont(0, font)
        elif row.mode is WatchMode.AWAY:
            item.setForeground(2, QBrush(QColor(self._theme.warning)))
        self.tree.addTopLevelItem(item)

    def _show_detail(self) -> None:
        row = self._rows.get(self.folder)
        self.detail.setVisible(row is not None)
        can_change = not self._is_read_only
        for control in (self.add_button, self.watch_all_box, self.rescan_button):
            control.setEnabled(can_change)
        if row is None:
            self._shown = ""
            return
        is_leaving = row.folder in self._leaving
        self.path_label.setText(row.folder)
        self.problem_label.setText(row.problem or _STATE_TIPS[row.mode])
        with QSignalBlocker(self.watch_box):
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
            is_other and not self._is_read_only and self.folder not in self._leaving
        )

    def _on_patterns_changed(self) -> None:
        self.count_label.setText("Counting …")
        self._count_timer.start()
        self._update_apply()

    def _want_count(self) -> None:
        row = self._rows.get(self.folder)
        if row is not None and row.exists:
            self.count_wanted.emit(self.folder, self.patterns)
        else:
            self.count_label.clear()
            self.kinds_label.clear()

    def _on_apply_clicked(self) -> None:
        self._change(excluded=self.patterns)

    def _on_watch_toggled(self, is_watched: bool) -> None:
        self._change(is_watched=is_watched)

    def _change(self, **changes: object) -> None:
        row = self._rows.get(self.folder)
        if row is not None:
            choices: FolderChoices = replace(row.choices, **changes)  # type: ignore[arg-type]
            self.choices_changed.emit(row.folder, choices)

    def _on_remove_clicked(self) -> None:
        is_leaving = self.folder in self._leaving
        (self.undo_clicked if is_leaving else self.remove_clicked).emit(self.folder)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Tint what the style sheet does not reach."""
        self._theme = theme
