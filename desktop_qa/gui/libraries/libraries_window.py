"""The list of all libraries: what they hold, how large they are, and what can be done with them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_qa.core.libraries import CopyProgress, LibraryFacts, LibraryPresence, LibrarySize
from desktop_qa.gui.library.recent import library_name
from desktop_qa.gui.screens import resize_within_screen
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row

_SIZE_PX = (820, 520)
_STEPS = 1000
_DAY_S = 86400.0
_MAX_SOURCES_NAMED = 3


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """What the list shows of a library; `size` is None until it is measured."""

    facts: LibraryFacts
    opened_at: float = 0.0
    size: LibrarySize | None = None
    is_open: bool = False
    known_name: str = ""

    @property
    def name(self) -> str:
        """Its own name, or what its folders call it."""
        facts = self.facts
        if facts.presence is not LibraryPresence.THERE and self.known_name:
            return self.known_name
        return library_name(facts.folder, facts.sources, facts.name)


def size_text(n_bytes: int) -> str:
    """Return a size as people read it: "61.3 MB"."""
    return QLocale(QLocale.Language.English).formattedDataSize(
        n_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat
    )


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


class LibrariesWindow(QDialog):
    """Shows the rows it is given; not modal. Every signal carries the library's folder.

    Attributes:
        new_clicked: The user wants an empty library; without a folder.
        cancel_clicked: The move under way shall stop; without a folder.
        rename_wanted: With (folder, name).
    """

    new_clicked = Signal()
    cancel_clicked = Signal()
    open_clicked = Signal(str)
    rename_wanted = Signal(str, str)
    move_clicked = Signal(str)
    delete_clicked = Signal(str)
    forget_clicked = Signal(str)
    show_clicked = Signal(str)
    locate_clicked = Signal(str)

    def __init__(self, parent: QWidget, theme: themes.Theme = themes.LIGHT) -> None:
        super().__init__(parent)
        self.setWindowTitle("Libraries")
        self.setObjectName("libraries_window")
        self._theme = theme
        self._rows: dict[str, LibraryRow] = {}
        self._is_moving = False
        self.tree = QTreeWidget(self)
        self.title_label = QLabel(self)
        self.place_label = QLabel(self)
        self.open_button = QPushButton("&Open", self)
        self.rename_button = QPushButton("&Rename", self)
        self.move_button = QPushButton("&Move …", self)
        self.delete_button = QPushButton("&Delete …", self)
        self.forget_button = QPushButton("&Forget", self)
        self.show_button = QPushButton("&Show in Folder", self)
        self.locate_button = QPushButton("&Locate …", self)
        self.new_button = QPushButton("&New Library …", self)
        self.close_button = QPushButton("Close", self)
        self.bar = QProgressBar(self)
        self.bar_label = QLabel(self)
        self.cancel_button = QPushButton("&Cancel Move", self)
        self._build()
        self._connect()
        self.show_progress(None)
        resize_within_screen(self, *_SIZE_PX)

    def _build(self) -> None:
        self._dress_tree()
        self.title_label.setObjectName("detail_title")
        self.place_label.setObjectName("dialog_hint")
        for label in (self.title_label, self.place_label):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open_button.setObjectName("primary_button")
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName("Progress of the move")
        self.bar_label.setObjectName("dialog_hint")
        for button, tip in self._tips().items():
            button.setToolTip(tip)
            button.setAutoDefault(False)
        self._lay_out()

    def _dress_tree(self) -> None:
        tree = self.tree
        tree.setObjectName("dialog_list")
        tree.setHeaderLabels(["Library", "Documents", "Size", "Opened"])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setAllColumnsShowFocus(False)
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        tree.setAccessibleName("Libraries")
        tree.setEditTriggers(QTreeWidget.EditTrigger.NoEditTriggers)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2, 3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)

    def _tips(self) -> dict[QPushButton, str]:
        return {
            self.open_button: "Open this library (Enter)",
            self.rename_button: "Give this library a name of your own (F2)",
            self.move_button: "Move the library to another folder or drive; documents stay",
            self.delete_button: "Delete the library (Del); your documents are not touched",
            self.forget_button: "Take the library off this list; it stays on the disk",
            self.show_button: "Open the library's folder in the system's file manager",
            self.locate_button: "Say where the library is now",
            self.new_button: "Make an empty library and add folders to it",
            self.close_button: "Close this window (Esc)",
            self.cancel_button: "Stop the move; the library stays where it is",
        }

    def _lay_out(self) -> None:
        layout = in_column(self, margins=(24, 20, 24, 16), spacing=12)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.title_label)
        layout.addWidget(self.place_label)
        actions = in_row(inside=layout)
        for button in (
            *(self.open_button, self.rename_button, self.locate_button, self.move_button),
            *(self.show_button, self.forget_button, self.delete_button),
        ):
            actions.addWidget(button)
        actions.addStretch(1)
        moving = in_row(inside=layout)
        moving.addWidget(self.bar_label)
        moving.addWidget(self.bar, 1)
        moving.addWidget(self.cancel_button)
        bottom = in_row(inside=layout)
        bottom.addWidget(self.new_button)
        bottom.addStretch(1)
        bottom.addWidget(self.close_button)

    def _connect(self) -> None:
        self.tree.currentItemChanged.connect(lambda _new, _old: self._show_detail())
        self.tree.itemActivated.connect(lambda _item, _column: self._open_current())
        self.tree.itemChanged.connect(self._on_item_changed)
        self.open_button.clicked.connect(self._open_current)
        self.rename_button.clicked.connect(self._edit_name)
        self.new_button.clicked.connect(self.new_clicked)
        self.cancel_button.clicked.connect(self.cancel_clicked)
        self.close_button.clicked.connect(self.close)
        for button, signal in (
            (self.move_button, self.move_clicked),
            (self.delete_button, self.delete_clicked),
            (self.forget_button, self.forget_clicked),
            (self.show_button, self.show_clicked),
            (self.locate_button, self.locate_clicked),
        ):
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit(self.folder))
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for key, button in (("F2", self.rename_button), ("Del", self.delete_button)):
            QShortcut(QKeySequence(key), self.tree, button.click, context=within)

    # What is shown

    @property
    def folder(self) -> str:
        """The folder of the current library, empty when there is none."""
        item = self.tree.currentItem()
        return str(item.data(0, Qt.ItemDataRole.UserRole)) if item is not None else ""

    def show_rows(self, rows: Sequence[LibraryRow]) -> None:
        """Show the libraries; the current one stays, the open one is current at first."""
        current = self.folder or next((r.facts.folder for r in rows if r.is_open), "")
        self._rows = {row.facts.folder: row for row in rows}
        with QSignalBlocker(self.tree):
            self.tree.clear()
            for row in rows:
                item = QTreeWidgetItem()
                item.setData(0, Qt.ItemDataRole.UserRole, row.facts.folder)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                self.tree.addTopLevelItem(item)
                self._fill(item, row)
                if row.facts.folder == current:
                    self.tree.setCurrentItem(item)
            first = self.tree.topLevelItem(0)
            if self.tree.currentItem() is None and first is not None:
                self.tree.setCurrentItem(first)
        self._show_detail()

    def show_sizes(self, sizes: Mapping[str, LibrarySize]) -> None:
        """Fill in sizes as they are measured."""
        for index in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(index)
            folder = str(item.data(0, Qt.ItemDataRole.UserRole)) if item is not None else ""
            row, size = self._rows.get(folder), sizes.get(folder)
            if item is not None and row is not None and size is not None:
                self._rows[folder] = LibraryRow(
                    row.facts, row.opened_at, size, row.is_open, row.known_name
                )
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
            item.setForeground(3, QBrush(QColor(self._theme.warning)))

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

    def _open_current(self) -> None:
        if self.open_button.isEnabled():
            self.open_clicked.emit(self.folder)

    def _edit_name(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            self.tree.setFocus()
            self.tree.editItem(item, 0)

    def _on_item_changed(self, item: QTreeWidgetItem, column: int) -> None:
        folder = str(item.data(0, Qt.ItemDataRole.UserRole))
        row = self._rows.get(folder)
        if column == 0 and row is not None and item.text(0) != row.name:
            self.rename_wanted.emit(folder, item.text(0).strip())

    def apply_theme(self, theme: themes.Theme) -> None:
        """Tint what the style sheet does not reach."""
        self._theme = theme


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
        named = ", ".join(Path(source).name for source in facts.sources[:_MAX_SOURCES_NAMED])
        more = len(facts.sources) - _MAX_SOURCES_NAMED
        lines.append(f"Documents from {named}{f' and {more} more' if more > 0 else ''}")
    if row.size is not None:
        size = row.size
        lines.append(
            f"Text {size_text(size.text)} · Index {size_text(size.index)}"
            f" · Figures {size_text(size.figures)}"
        )
    return "\n".join(lines)
