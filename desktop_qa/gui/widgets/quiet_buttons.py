"""Flat buttons beside what they act upon: a small icon, or a word that looks like a link."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_qa.gui.widgets.theme import tint


class IconButton(QToolButton):
    """An icon of `resources/icons`, whose name screen readers say."""

    def __init__(self, parent: QWidget, icon: str, name: str, tip: str) -> None:
        super().__init__(parent)
        tint(self, icon)
        self.setObjectName("quiet_button")
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class LinkButton(QToolButton):
    """A word that is clicked as a link is."""

    def __init__(self, parent: QWidget, text: str = "", tip: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("quiet_link")
        self.setText(text)
        self.setToolTip(tip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
