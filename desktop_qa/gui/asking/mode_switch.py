"""Ask or search: two buttons of which one is pressed."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget


class BoxMode(StrEnum):
    """What the box is for."""

    ASK = "ask"
    SEARCH = "search"


_WORDS = {
    BoxMode.ASK: ("Ask", "Answer a question with its sources (Ctrl+Shift+L)"),
    BoxMode.SEARCH: ("Search", "List the places that hold words, without an answer (Ctrl+Shift+L)"),
}


class ModeSwitch(QFrame):
    """A segmented control; Left and Right move it.

    Attributes:
        chosen: With the `BoxMode` that the user chose.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mode_switch")
        self.setAccessibleName("Ask or search")
        self.buttons: dict[BoxMode, QPushButton] = {}
        line = QHBoxLayout(self)
        line.setContentsMargins(2, 2, 2, 2)
        line.setSpacing(2)
        for mode, (text, tip) in _WORDS.items():
            button = QPushButton(text, self)
            button.setObjectName("mode_button")
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setAccessibleName(f"{text}: {tip.partition(' (')[0]}")
            button.installEventFilter(self)
            button.clicked.connect(partial(self._on_clicked, mode))
            line.addWidget(button)
            self.buttons[mode] = button
        self.set_mode(BoxMode.ASK)

    def set_mode(self, mode: BoxMode) -> None:
        """Press a button without telling."""
        self.mode = mode
        # Not by a button group: in one, Tab would stop at the pressed button alone.
        for own, button in self.buttons.items():
            button.setChecked(own is mode)

    def _on_clicked(self, mode: BoxMode, _checked: bool = False) -> None:
        is_another = mode is not self.mode
        self.set_mode(mode)
        if is_another:
            self.chosen.emit(mode)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move by the arrow keys, as tabs do."""
        is_arrow = isinstance(event, QKeyEvent) and event.key() in (
            Qt.Key.Key_Left,
            Qt.Key.Key_Right,
        )
        if not is_arrow or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        other = BoxMode.SEARCH if self.mode is BoxMode.ASK else BoxMode.ASK
        self.buttons[other].setFocus(Qt.FocusReason.TabFocusReason)
        self._on_clicked(other)
        return True
