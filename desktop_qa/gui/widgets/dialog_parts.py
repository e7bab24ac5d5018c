"""What the windows beside the main one are made of: buttons, words, lists with columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QWidget,
)

from desktop_qa.gui.widgets.boxes import in_row

_SIZE = (1080, 720)
_SCREEN_SHARE = 0.9


def push_button(
    text: str, slot: Callable[[], object], parent: QWidget, tip: str = "", name: str = ""
) -> QPushButton:
    """Make a button that Enter presses only while it has the keyboard."""
    button = QPushButton(text, parent)
    button.setObjectName(name)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    button.clicked.connect(slot)
    return button


def plain_label(
    text: str, parent: QWidget | None, name: str = "dialog_hint", *, is_selectable: bool = True
) -> QLabel:
    """Make a label that wraps its words and takes none of them for marks of a rich text."""
    label = QLabel(text, parent)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if is_selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def calm_label(name: str) -> QLabel:
    """Make a label for a sentence that stands in place of something, in the middle of its top."""
    label = plain_label("", None, name, is_selectable=False)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
    return label


def column_tree(headers: Sequence[str], name: str, parent: QWidget) -> QTreeWidget:
    """Make a list with columns, the first as wide as the others leave it; `name` is spoken."""
    tree = QTreeWidget(parent)
    tree.setHeaderLabels(headers)
    tree.setRootIsDecorated(False)
    tree.setUniformRowHeights(True)
    tree.setAllColumnsShowFocus(False)
    tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    tree.setAccessibleName(name)
    header = tree.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return tree


def add_row(inside: QBoxLayout, *parts: QWidget | None, spacing: int | None = None) -> QHBoxLayout:
    """Put widgets side by side at the end of a layout; None stands where the room is left."""
    row = in_row(spacing=spacing, inside=inside)
    for part in parts:
        if part is None:
            row.addStretch(1)
        else:
            row.addWidget(part)
    return row


class LargeWindow(QDialog):
    """As large as the screen allows, and gone when it is closed."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self.setWindowTitle(f"{title} – Desktop QA")
        room = self.screen().availableSize() * _SCREEN_SHARE
        self.resize(min(_SIZE[0], room.width()), min(_SIZE[1], room.height()))

    def search_by(self, begin: Callable[[], object]) -> None:
        """Let Ctrl+F begin a search."""
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(begin)
