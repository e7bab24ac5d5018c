"""The menu over the text of a page: what can be done with the selection, or without one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

Act = Callable[[], object]


class PageTextMenu(QMenu):
    """Entries with what they do; one that cannot be done now is shown dim.

    Attributes:
        entries: By their names, as the tests and the code call them.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: dict[str, QAction] = {}
        self.setToolTipsVisible(True)

    def offer(
        self,
        name: str,
        text: str,
        act: Act,
        tip: str,
        *,
        key: QKeySequence | QKeySequence.StandardKey | None = None,
        is_possible: bool = True,
    ) -> None:
        """Add an entry.

        Args:
            name: What the code calls it.
            text: What people read.
            act: What it does.
            tip: What it does, as a sentence.
            key: The key that does the same.
            is_possible: False shows it dim.
        """
        action = self.entries[name] = self.addAction(text)
        action.setToolTip(tip)
        action.setStatusTip(tip)
        if key is not None:
            action.setShortcut(key)
        action.setEnabled(is_possible)
        action.triggered.connect(lambda: act())

    def offer_now(self, name: str, act: Act) -> None:
        """Make an entry possible that was dim, now that it is known what it does."""
        self.entries[name].triggered.connect(lambda: act())
        self.entries[name].setEnabled(True)
