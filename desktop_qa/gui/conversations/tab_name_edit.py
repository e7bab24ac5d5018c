"""The line in which a tab is named, over the tab itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

_MOST_CHARACTERS = 80


class TabNameEdit(QLineEdit):
    """Enter and leaving it take the name over, Escape does not.

    Attributes:
        named: With (id of the tab, name).
    """

    named = Signal(str, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._id = ""
        self._before = ""
        self.setObjectName("tab_name_edit")
        self.setAccessibleName("Name of the conversation")
        self.setMaxLength(_MOST_CHARACTERS)
        self.hide()

    def open(self, tab_id: str, title: str, place: QRect) -> None:
        """Let a tab be named."""
        self._id, self._before = tab_id, title
        self.setText(title)
        self.setGeometry(place.adjusted(0, 1, 0, -1))
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus()

    def leave(self) -> None:
        """Go without naming anything."""
        self._id = ""
        self.hide()

    def _take_over(self) -> None:
        tab_id, name = self._id, " ".join(self.text().split())
        self.leave()
        if tab_id and name != self._before:
            self.named.emit(tab_id, name)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from stopping a question."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the name over, or leave."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take_over()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the name over."""
        super().focusOutEvent(event)
        if self.isVisible() and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._take_over()
