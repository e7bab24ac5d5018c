"""Windows in which one thing has more room; what it was opened from stays where it is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

_SIZE = (1080, 720)
_SCREEN_SHARE = 0.9


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
