"""What windows are made of: forms of `ui/`, buttons, words, lists with columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtUiTools import QUiLoader
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QMenu,
    QMessageBox,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_qa import paths
from desktop_qa.gui.screens import resize_within_screen
from desktop_qa.gui.widgets.boxes import add_row, in_column
from desktop_qa.gui.widgets.labels import told

ChildT = TypeVar("ChildT", bound=QObject)
_SIZE = QSize(1080, 720)
_SCREEN_SHARE = 0.9


class _FormLoader(QUiLoader):
    """Fills an existing widget instead of making a new one, and knows the promoted classes."""

    def __init__(
        self, owner: QWidget, promoted: Mapping[str, Callable[[QWidget], QWidget]]
    ) -> None:
        super().__init__(owner)
        self._owner = owner
        self._promoted = promoted

    def createWidget(
        self, class_name: str, parent: QWidget | None = None, name: str = ""
    ) -> QWidget:
        """Return the owner for the form's outermost widget, else a child."""
        if parent is None:
            return self._owner
        if class_name in self._promoted:
            widget = self._promoted[class_name](parent)
            widget.setObjectName(name)
            return widget
        return super().createWidget(class_name, parent, name)


def load_form(
    form: str, owner: QWidget, promoted: Mapping[str, Callable[[QWidget], QWidget]] | None = None
) -> None:
    """Build the children that `ui/<form>` describes inside a widget of the form's outermost class.

    `promoted` makes our own widgets by the class that the form names, with the parent alone. A
    form that cannot be read raises RuntimeError: a fault of the installation.
    """
    path = paths.asset(f"ui/{form}")
    loader = _FormLoader(owner, promoted or {})
    if loader.load(str(path)) is None:
        msg = f"{path}: {loader.errorString()}"
        raise RuntimeError(msg)
    loader.deleteLater()


def child(owner: QObject, kind: type[ChildT], name: str) -> ChildT:
    """Return a form's child by name; LookupError when the form and its module disagree."""
    found = owner.findChild(kind, name)
    if not isinstance(found, kind):
        msg = f"{type(owner).__name__} has no {kind.__name__} named {name!r}"
        raise LookupError(msg)
    return found


def push_button(
    text: str, slot: Callable[[], object], parent: QWidget, tip: str = "", name: str = ""
) -> QPushButton:
    """Make a button that Enter presses only while it has the keyboard."""
    button = told(QPushButton(text, parent, autoDefault=False), name, tip=tip)
    button.clicked.connect(slot)
    return button


def pop_up(menu: QMenu, at: QPoint) -> None:
    """Show a menu at a place on the screen; it is gone once it is closed."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(at)


def one_of(actions: Iterable[QAction], parent: QObject) -> None:
    """Let actions be checked, one of them at a time."""
    group = QActionGroup(parent)
    for action in actions:
        action.setCheckable(True)
        group.addAction(action)


class ColumnTree(QTreeWidget):
    """A list with columns, the first as wide as the others leave it; `name` is spoken."""

    def __init__(self, headers: Sequence[str], name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHeaderLabels(headers)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setAccessibleName(name)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    @property
    def key(self) -> str:
        """Of the current row; empty when there is none."""
        item = self.currentItem()
        return key_of(item) if item is not None else ""

    def fill(self, items: Mapping[str, QTreeWidgetItem], current: str) -> None:
        """Show rows by their keys; the first is the current one where the wanted is not there."""
        with QSignalBlocker(self):
            self.clear()
            for key, item in items.items():
                item.setData(0, Qt.ItemDataRole.UserRole, key)
                self.addTopLevelItem(item)
            if items:
                self.setCurrentItem(items.get(current) or next(iter(items.values())))


def key_of(item: QTreeWidgetItem) -> str:
    """Return the key of a row of a `ColumnTree`."""
    return str(item.data(0, Qt.ItemDataRole.UserRole))


def is_agreed(
    parent: QWidget, title: str, question: str, details: str, yes: str, no: str = "Cancel"
) -> bool:
    """Ask whether something shall be done, and say what it means; Enter alone does not do it."""
    box = QMessageBox(parent, text=question, informativeText=details)
    box.setWindowTitle(title)
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(no, QMessageBox.ButtonRole.RejectRole))
    box.exec()
    agreed = box.clickedButton() is agree
    box.deleteLater()
    return agreed


class SideWindow(QDialog):
    """A window beside the main one, in nobody's way: parts in a column over a line with Close."""

    close_button: QPushButton

    def __init__(
        self, title: str, name: str, size_px: tuple[int, int] | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setObjectName(name)
        self.column = in_column(self, margins=(24, 20, 24, 16), spacing=12)
        if size_px is not None:
            resize_within_screen(self, *size_px)

    def end_with(self, *parts: QWidget) -> None:
        """Put parts and, at the right, Close into the last line."""
        self.close_button = push_button("Close", self.close, self, "Close this window (Esc)")
        add_row(self.column, *parts, None, self.close_button)


class LargeWindow(QDialog):
    """As large as the screen allows, and gone when it is closed."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self.setWindowTitle(f"{title} – Desktop QA")
        room = self.screen().availableSize() * _SCREEN_SHARE
        self.resize(_SIZE.boundedTo(room))
