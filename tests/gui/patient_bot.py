"""A qtbot that waits longer: a slow or busy machine is no fault of the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import (
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QUrl,
)
from PySide6.QtGui import QAction, QContextMenuEvent, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QMenu,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.gui.widgets.messages import MessageArea

_Widget = TypeVar("_Widget", bound=QWidget)

PATIENCE_MS = 60_000
"""How long a test waits for what shall come; one that passes never waits so long."""


class PatientBot(QtBot):
    """Waits for `PATIENCE_MS`, unless told otherwise, where pytest-qt gives up after 5 s."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        """See `QtBot.waitUntil`."""
        __tracebackhide__ = True
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        """See `QtBot.waitSignal`."""
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        """See `QtBot.waitSignals`."""
        return super().waitSignals(signals, timeout=timeout, **options)


def told(window: QWidget, key: str = "") -> list[str]:
    """What a window says over its panes, with its hints; all of it, or that of some keys."""
    notices = [banner.notice for banner in window.message_area.banners]
    return [f"{one.message} {one.hint}".strip() for one in notices if key in one.key]


def press(area: MessageArea, text: str) -> None:
    """Click the one button with this text among what an area says."""
    buttons = (button for banner in area.banners for button in banner.action_buttons)
    (wanted,) = (button for button in buttons if button.text() == text)
    wanted.click()


def entry(menu: QMenu, name: str) -> QAction:
    """The entry of a menu with this name or this text."""
    return next(one for one in menu.actions() if name in (one.objectName(), one.text()))


def answer_box(name: str) -> list[str]:
    """Click a button of the message box that comes next; what the box says is collected."""
    said: list[str] = []
    timer = QTimer(QApplication.instance())

    def click() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            timer.deleteLater()
            said.append(f"{box.text()} {box.informativeText()}")
            next(one for one in box.buttons() if one.text().replace("&", "") == name).click()

    timer.timeout.connect(click)
    timer.start(5)
    return said


def tab_stops() -> list[QWidget]:
    """Press Tab until the focus comes round, and return where it was."""
    stops: list[QWidget] = []
    for _ in range(500):
        here = QApplication.focusWidget()
        if here is None:
            break
        # In a text Tab goes from link to link first.
        if not stops or stops[-1] is not here:
            if here in stops:
                break
            stops.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    return stops


def on_screen(qtbot: QtBot, widget: _Widget, width: int = 0, height: int = 0) -> _Widget:
    """Show a widget, of some size if said, that closes with the test."""
    qtbot.addWidget(widget)
    if width:
        widget.resize(width, height)
    widget.show()
    return widget


def ask(qtbot: QtBot, window: QWidget, question: str) -> None:
    """Put a question into the box and press Enter."""
    window.ask_box.set_question(question)
    qtbot.keyClick(window.ask_box.edit, Qt.Key.Key_Return)


def select_documents(window: QWidget, *files: str) -> None:
    """Select documents in the list, and no others; the last is the current one."""
    panel = window.library_panel
    panel.tree.setFocus()
    selection = panel.tree.selectionModel()
    selection.clearSelection()
    for file in files:
        index = panel.model.index_of(DocumentId(file))
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select)


def click_row(qtbot: QtBot, view: QAbstractItemView, index: QModelIndex) -> None:
    """Click in the middle of what a view shows of an index."""
    place = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def ask_for_menu(target: QWidget, at: QPoint, *, by_key: bool = False) -> None:
    """Press the right button at a point of a widget, or the key that stands for it."""
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(target, QContextMenuEvent(reason, at, target.mapToGlobal(at)))


def save_as(monkeypatch: pytest.MonkeyPatch, target: Path, kind: str = "") -> list[tuple[Any, ...]]:
    """Answer the dialog for a file to be written; what it was opened with is collected."""
    asked: list[tuple[Any, ...]] = []

    def answer(*arguments: object, **_options: object) -> tuple[str, str]:
        asked.append(arguments)
        return str(target), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    return asked


def files(*things: Path | str) -> QMimeData:
    """Return files as they are dragged, and whatever else is named by an address."""
    data = QMimeData()
    data.setUrls([QUrl(t) if "://" in str(t) else QUrl.fromLocalFile(str(t)) for t in things])
    return data


def drag_over(target: QWidget, data: QMimeData) -> QDropEvent:
    """Drag onto a widget, which says whether it would take what comes."""
    return _send(target, QDragEnterEvent(QPoint(40, 40), *_what(data)))


def let_go(target: QWidget, data: QMimeData) -> QDropEvent:
    """Drop on a widget, which says whether it took it."""
    return _send(target, QDropEvent(QPointF(40, 40), *_what(data)))


def _what(data: QMimeData) -> tuple[Any, ...]:
    none = Qt.KeyboardModifier.NoModifier
    return Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none


def _send(target: QWidget, event: QDropEvent) -> QDropEvent:
    event.ignore()
    QApplication.sendEvent(target, event)
    return event
