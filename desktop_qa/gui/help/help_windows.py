"""Windows of the menu for help: the keys of the program, and its log."""

from __future__ import annotations

import html
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QFontDatabase,
    QGuiApplication,
    QKeySequence,
    QPalette,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QMenuBar,
    QPlainTextEdit,
    QTextBrowser,
    QWidget,
)

from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import n_of, plain_label, told
from desktop_qa.gui.widgets.list_rows import FilterEdit
from desktop_qa.gui.widgets.opening import copy_text, open_path
from desktop_qa.log_files import LogLine, log_state, read_log
from desktop_qa.paths import log_folder

_COLUMN_PX = 280
_GAP_PX = 24
_EDGE_PX = 24
_KEYS_SIZE_PX = (3 * _COLUMN_PX + 2 * _GAP_PX + 2 * _EDGE_PX + 20, 620)
_HEADING_ROWS = 2
_OTHER = "Further"
_SIZE_PX = (860, 520)
_FOLLOW_MS = 1000
_MAX_LINES = 3000
_LEVELS = (
    ("Everything", logging.DEBUG),
    ("Warnings and errors", logging.WARNING),
    ("Errors", logging.ERROR),
)
_EXPLANATION = (
    "Counts, times and names of files. No text of a document, no question and no answer is ever"
    " written here."
)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """What keys do and how they are called."""

    name: str
    keys: str


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """The keys of a menu, or of what is not in the menus."""

    title: str
    rows: tuple[KeyRow, ...]

    def matching(self, words: Sequence[str]) -> KeyGroup:
        """Return the rows that hold all words, in the name, the keys or the group's title."""
        kept = [
            row
            for row in self.rows
            if all(word in f"{self.title} {row.name} {row.keys}".casefold() for word in words)
        ]
        return KeyGroup(self.title, tuple(kept))


_BY_HAND = (
    KeyGroup(
        "Ask box",
        (
            KeyRow("Ask", "Enter"),
            KeyRow("New line in a question", "Shift+Enter"),
            KeyRow("Earlier questions, in an empty box", "Up / Down"),
        ),
    ),
    KeyGroup(
        "Lists and pages",
        (
            KeyRow("Open the selected document", "Enter"),
            KeyRow("Look at the passage of a marker", "Space"),
            KeyRow("Zoom in the document", "Ctrl+wheel"),
            KeyRow("Scroll across", "Shift+wheel"),
            KeyRow("Take hold of the page and move it", "Middle button"),
            KeyRow("Scroll by a window", "Space / Shift+Space"),
            KeyRow("Beginning and end of the document", "Home / End"),
            KeyRow("Select words, lines, paragraphs", "2, 3, 4 clicks"),
            KeyRow("Select a rectangle, such as a column", "Alt+drag"),
            KeyRow("Select further", "Shift+arrows, Shift+click"),
            KeyRow("Links of a page, while selecting by keyboard", "Tab, Enter"),
        ),
    ),
)


def key_groups(menu_bar: QMenuBar, actions: Sequence[QAction]) -> tuple[KeyGroup, ...]:
    """Return the keys of a window by menu, then those of actions that no menu has."""
    groups: list[KeyGroup] = []
    known: set[int] = set()
    for entry in menu_bar.actions():
        inside = list(_inside(entry))
        known.update(id(action) for action in inside)
        groups.append(KeyGroup(_plain(entry.text()), _rows(inside)))
    groups.append(KeyGroup(_OTHER, _rows([one for one in actions if id(one) not in known])))
    return (*_BY_HAND[:1], *(group for group in groups if group.rows), *_BY_HAND[1:])


def _inside(entry: QAction) -> Iterator[QAction]:
    menu = entry.menu()
    if menu is None:
        yield entry
        return
    for action in menu.actions():  # type: ignore[attr-defined]
        yield from _inside(action)


def _rows(actions: Sequence[QAction]) -> tuple[KeyRow, ...]:
    form = QKeySequence.SequenceFormat.NativeText
    rows = (
        KeyRow(_plain(action.text()), " / ".join(key.toString(form) for key in action.shortcuts()))
        for action in actions
        if not action.shortcut().isEmpty()
    )
    return tuple(dict.fromkeys(rows))


def _plain(text: str) -> str:
    return text.replace("&", "").replace("…", "").strip()


class ShortcutsDialog(SideWindow):
    """Does not block the window; as many columns as there is room for."""

    def __init__(self, groups: Sequence[KeyGroup], parent: QWidget) -> None:
        super().__init__("Keyboard shortcuts", "shortcuts_dialog", _KEYS_SIZE_PX, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._groups = tuple(groups)
        self._n_columns = 0
        self.edit = FilterEdit(
            "Find a command or its keys",
            "Find a command or its keys …",
            tip="Show only commands whose name or keys hold these words",
        )
        # One text, not a label for each menu: those were laid out anew again and again until all
        # had found their heights, 180 ms of one turn; this takes 30.
        self.area = QTextBrowser(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.document().setDocumentMargin(0)
        self.area.setAccessibleName("Keyboard shortcuts")
        put(self.column, self.edit, (self.area, 1))
        self.end_with()
        self.edit.textChanged.connect(self._show_groups)
        self._show_groups()
        self.edit.setFocus()

    @property
    def shown_groups(self) -> tuple[KeyGroup, ...]:
        """What the line leaves."""
        words = self.edit.text().casefold().split()
        found = (group.matching(words) for group in self._groups)
        return tuple(group for group in found if group.rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as there is room for."""
        super().resizeEvent(event)
        if self._columns_that_fit() != self._n_columns:
            self._show_groups()

    def _columns_that_fit(self) -> int:
        room = self.width() - 2 * _EDGE_PX
        return max(1, (room + _GAP_PX) // (_COLUMN_PX + _GAP_PX))

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._n_columns:
            self._show_groups()

    def _show_groups(self) -> None:
        self._n_columns = self._columns_that_fit()
        dim = QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText).name()
        groups = self.shown_groups
        if not groups:
            self.area.setHtml(f"<p style='color:{dim}'>No command and no key is called so.</p>")
            return
        columns = _balanced(groups, self._n_columns)
        # The gap stands on the right of the last column too, where it keeps off the scroll bar.
        cells = "".join(
            f"<td width='{100 // len(columns)}%' style='padding-right:{_GAP_PX}px'>"
            f"{''.join(_html_of(group, dim) for group in column)}</td>"
            for column in columns
        )
        self.area.setHtml(f"<table width='100%' cellspacing='0'><tr>{cells}</tr></table>")


def _balanced(groups: Sequence[KeyGroup], n_columns: int) -> list[list[KeyGroup]]:
    """Deal groups out to columns in their order, so that the columns end at about one height."""
    heights = [len(group.rows) + _HEADING_ROWS for group in groups]
    share = sum(heights) / n_columns
    columns: list[list[KeyGroup]] = [[] for _ in range(n_columns)]
    above = 0
    for group, height in zip(groups, heights, strict=True):
        place = min(int((above + height / 2) / share), n_columns - 1)
        columns[place].append(group)
        above += height
    return columns


def _html_of(group: KeyGroup, dim: str) -> str:
    """Return a menu's keys under its name, which is written in a dim colour."""
    rows = "".join(
        f"<tr><td style='padding:2px 12px 2px 0'>{html.escape(row.name)}</td>"
        f"<td align='right' style='padding:2px 0'><b>{html.escape(row.keys)}</b></td></tr>"
        for row in group.rows
    )
    style = f"color:{dim};font-weight:600;padding-bottom:5px"
    title = f"<tr><td colspan='2' style='{style}'>{html.escape(group.title)}</td></tr>"
    return f"<table width='100%' cellspacing='0' style='margin-bottom:16px'>{title}{rows}</table>"


class LogWindow(SideWindow):
    """Shows the end of the logs of all processes, in the order of time; not modal."""

    def __init__(self, copy_diagnostics: Callable[[], None], parent: QWidget) -> None:
        super().__init__("Log", "log_window", _SIZE_PX, parent)
        self._lines: tuple[LogLine, ...] = ()
        self._state: tuple[tuple[str, int], ...] = ()
        self.level_box = QComboBox(self)
        self.search_edit = FilterEdit(
            "Search the log",
            "Search the log …",
            tip="Show only lines that hold these words (Ctrl+F)",
        )
        self.follow_box = told(QCheckBox("F&ollow", self), tip="Show new lines as they come")
        self.view = QPlainTextEdit(self)
        self.count_label = plain_label("", self)
        self.copy_button = push_button("&Copy", self._copy, self, "Copy the lines that are shown")
        self.show_button = push_button(
            "&Show in Folder", _show_folder, self, "Open the folder of the log files"
        )
        self.diagnostics_button = push_button(
            "Copy &Diagnostics",
            copy_diagnostics,
            self,
            "Copy versions, counts, settings and the last errors, without any text of a document",
        )
        self._timer = QTimer(self, interval=_FOLLOW_MS)
        self._build()
        self.level_box.currentIndexChanged.connect(self._show_lines)
        self.search_edit.textChanged.connect(self._show_lines)
        self.follow_box.toggled.connect(self._update_timer)
        self._timer.timeout.connect(self._look)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search_edit.setFocus)

    def _build(self) -> None:
        for text, level in _LEVELS:
            self.level_box.addItem(text, level)
        self.level_box.setAccessibleName("Least level that is shown")
        self.level_box.setToolTip("Show everything, or only what went wrong")
        self.follow_box.setChecked(True)
        self.view.setReadOnly(True)
        self.view.setTabChangesFocus(True)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        told(self.view, "log_view", "Log")
        self.column.addWidget(plain_label(_EXPLANATION, self))
        put(in_row(inside=self.column), self.level_box, (self.search_edit, 1), self.follow_box)
        self.column.addWidget(self.view, 1)
        self.end_with(self.copy_button, self.diagnostics_button, self.show_button, self.count_label)

    @property
    def shown(self) -> tuple[LogLine, ...]:
        """The lines that pass the filter, oldest first."""
        level = int(self.level_box.currentData())
        words = self.search_edit.text().casefold().split()
        return tuple(
            line
            for line in self._lines
            if line.level >= level and all(word in str(line).casefold() for word in words)
        )[-_MAX_LINES:]

    def read(self) -> None:
        """Read the logs anew."""
        self._state = log_state()
        self._lines = read_log()
        self._show_lines()

    def _look(self) -> None:
        if log_state() != self._state:
            self.read()

    def _show_lines(self) -> None:
        shown = self.shown
        self.view.setPlainText("\n".join(map(str, shown)))
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.maximum())
        of = "" if len(shown) == len(self._lines) else f"{len(shown)} of "
        self.count_label.setText(f"{of}{n_of(len(self._lines), 'line')}")

    def _update_timer(self) -> None:
        if self.isVisible() and self.follow_box.isChecked():
            self._timer.start()
        else:
            self._timer.stop()

    def _copy(self) -> None:
        selected = self.view.textCursor().selectedText().replace("\u2029", "\n")
        copy_text(selected or self.view.toPlainText())

    def setVisible(self, visible: bool) -> None:
        """Follow the log only while it can be seen."""
        super().setVisible(visible)
        if visible:
            self.read()
        self._update_timer()


def _show_folder() -> None:
    folder = log_folder()
    folder.mkdir(parents=True, exist_ok=True)
    open_path(folder)
