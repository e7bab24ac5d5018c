"""Keeping windows where they can be seen, whatever screens are there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle, QWidget

_GRIP_PX = 64
"""So much of a window's upper edge must be on a screen for a hand to take it."""


def onto_screens(frame: QRect, screens: Sequence[QRect]) -> QRect:
    """Return where a window shall be: where it is, or moved onto a screen that is there.

    Args:
        frame: Of the window, in the coordinates of the whole desktop.
        screens: The usable rooms of the screens, the first one the main one; at least one.
    """
    grip = QRect(frame.left(), frame.top(), frame.width(), _GRIP_PX)
    for room in screens:
        seen = room.intersected(grip)
        if seen.width() >= _GRIP_PX and seen.height() >= _GRIP_PX // 2:
            return frame
    size, direction = frame.size().boundedTo(screens[0].size()), Qt.LayoutDirection.LeftToRight
    return QStyle.alignedRect(direction, Qt.AlignmentFlag.AlignCenter, size, screens[0])


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window its usual size, or the room of its screen where that is smaller.

    On a screen at 300 % the buttons at the lower end of a window would else be out of reach.
    """
    parent = window.parentWidget()
    room = (parent if parent is not None else window).screen().availableSize()
    window.resize(QSize(width, height).boundedTo(room))


def bring_forward(window: QWidget) -> None:
    """Show a window over the others, and give it the keyboard."""
    window.show()
    window.raise_()
    window.activateWindow()


def bring_onto_screen(window: QWidget) -> None:
    """Move a window that no screen shows, such as one whose screen was unplugged."""
    rooms = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    # The system moves what fills a screen by itself.
    if not rooms or window.isMaximized() or window.isFullScreen():
        return
    place = window.geometry()
    wanted = onto_screens(place, [QGuiApplication.primaryScreen().availableGeometry(), *rooms])
    if wanted != place:
        window.setGeometry(wanted)


def bring_all_onto_screens() -> None:
    """Move every window of the program that no screen shows."""
    for window in QApplication.topLevelWidgets():
        if window.isVisible():
            bring_onto_screen(window)
