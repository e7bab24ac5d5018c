"""Labels of long names: wrapped anywhere, shortened, or elided in one line."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_AFTER = re.compile(r"(?<=[_/\\.\-])(?=\w)")
_ZERO_WIDTH_SPACE = "\u200b"
NAME_MIN_WIDTH_PX = 70


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


class ElidedLabel(QLabel):
    """A name or a sentence in one line that gives way to what stands beside it."""

    def __init__(
        self,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        least_px: int = NAME_MIN_WIDTH_PX,
        policy: QSizePolicy.Policy = QSizePolicy.Policy.Expanding,
    ) -> None:
        super().__init__()
        self.is_blank = False
        self._mode = mode
        self._least_px = least_px
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(policy, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Leave the room to the controls."""
        return QSize(0 if self.is_blank else self._least_px, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint as much of the text as there is room for."""
        if self.is_blank:
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, text)
