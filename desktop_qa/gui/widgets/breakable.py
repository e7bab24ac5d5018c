"""Labels and names of files that may be wrapped: these are long and have no spaces."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

_AFTER = re.compile(r"(?<=[_/\\.\-])(?=\w)")
_ZERO_WIDTH_SPACE = "\u200b"


def breakable_label(
    parent: QWidget, name: str, text: str = "", *, can_select: bool = False
) -> QLabel:
    """Return a label of plain words that the style sheet knows by a name; see `show_breakable`."""
    label = QLabel(parent)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if can_select:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    show_breakable(label, text)
    return label


def show_breakable(label: QLabel, text: str) -> None:
    """Show a text in a label that wraps long names and never widens its pane for them."""
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    label.setText(with_breaks(text))


def with_breaks(text: str) -> str:
    """Return a text whose long names may be wrapped."""
    return _AFTER.sub(_ZERO_WIDTH_SPACE, text)


def shortened(name: str, n_characters: int) -> str:
    """Return a name with its middle left out when it is longer than so many characters."""
    if len(name) <= n_characters:
        return name
    head = n_characters // 2
    return f"{name[:head]}…{name[head + 1 - n_characters :]}"
