"""Files, folders and texts handed over to the system and its other programs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def open_path(path: str | Path) -> None:
    """Open a file or a folder in the program that the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def show_in_folder(path: str | Path) -> None:
    """Open the folder that a file lies in."""
    open_path(Path(path).parent)
