"""Escape, which stops a question elsewhere in the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent


def keeps_escape(event: QEvent) -> bool:
    """Keep Escape for the widget that gets this event, before a shortcut takes it; True then."""
    is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
    if event.type() != QEvent.Type.ShortcutOverride or not is_escape:
        return False
    event.accept()
    return True
