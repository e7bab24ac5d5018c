"""All keys of the window in columns, a group for each menu; a line finds one of them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QMenuBar,
    QTextBrowser,
    QWidget,
)

from desktop_qa.gui.widgets.boxes import put
from desktop_qa.gui.widgets.dialog_parts import SideWindow
from desktop_qa.gui.widgets.word_filter import FilterEdit

_COLUMN_PX = 280
_GAP_PX = 24
_EDGE_PX = 24
_SIZE_PX = (3 * _COLUMN_PX + 2 * _GAP_PX + 2 * _EDGE_PX + 20, 620)
_HEADING_ROWS = 2
_OTHER = "Further"


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
        super().__init__("Keyboard shortcuts", "shortcuts_dialog", _SIZE_PX, parent)
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
