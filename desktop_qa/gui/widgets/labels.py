"""Labels of long names: wrapped, shortened, elided; and texts that fetch nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QTextDocument
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

_MAX_TIP_CHARACTERS = 600
_AFTER = re.compile(r"(?<=[_/\\.\-])(?=\w)")
_ZERO_WIDTH_SPACE = "\u200b"
NAME_MIN_WIDTH_PX = 70

WidgetT = TypeVar("WidgetT", bound=QWidget)


class ClosedDocument(QTextDocument):
    """A rich text that reads no file and no address; it shows what was added as a resource.

    Qt's own document opens local files for images and style sheets by itself, and what draws its
    images opens the file once more when the document has nothing: so it has an empty image.
    """

    def loadResource(self, kind: int, _name: QUrl | str) -> Any:
        """Load nothing."""
        if kind == QTextDocument.ResourceType.ImageResource.value:
            empty = QPixmap(1, 1)
            empty.fill(Qt.GlobalColor.transparent)
            return empty
        return QByteArray()


def plain_tip(text: str) -> str:
    """Return a tool tip that shows a text as it is, in lines of a readable length, not endless."""
    if len(text) > _MAX_TIP_CHARACTERS:
        text = f"{text[:_MAX_TIP_CHARACTERS].rstrip()} …"
    # Only rich text is wrapped by Qt.
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>"


def told(
    widget: WidgetT, name: str | None = None, spoken: str | None = None, tip: str | None = None
) -> WidgetT:
    """Give a widget the name that styles it, what is spoken for it and its tip, and return it."""
    if name is not None:
        widget.setObjectName(name)
    if spoken is not None:
        widget.setAccessibleName(spoken)
    if tip is not None:
        widget.setToolTip(tip)
    return widget


def plain_label(
    text: str, parent: QWidget | None, name: str = "dialog_hint", *, can_select: bool = False
) -> QLabel:
    """Make a label that wraps its words and takes none of them for marks of a rich text."""
    label = QLabel(text, parent, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(name)
    if can_select:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def calm_label(name: str, text: str = "", parent: QWidget | None = None) -> QLabel:
    """Make a label for a sentence that stands in place of something, in the middle of its top."""
    label = plain_label(text, parent, name)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
    return label


def breakable_label(
    parent: QWidget, name: str, text: str = "", *, can_select: bool = False
) -> QLabel:
    """Make a plain label that wraps long names too; see `show_breakable`."""
    label = plain_label("", parent, name, can_select=can_select)
    show_breakable(label, text)
    return label


def show_breakable(label: QLabel, text: str) -> None:
    """Show a text in a label that wraps long names and never widens its pane for them."""
    label.setMinimumWidth(1)
    label.setWordWrap(True)
    label.setText(with_breaks(text))


def say(widget: QLabel | QAbstractButton, words: str) -> None:
    """Show words, or nothing in their place where there are none."""
    widget.setText(words)
    widget.setVisible(bool(words))


def with_breaks(text: str) -> str:
    """Return a text whose long names may be wrapped."""
    return _AFTER.sub(_ZERO_WIDTH_SPACE, text)


def n_of(number: int, noun: str, separator: str = "") -> str:
    """Return "1 document", "3 documents", with a separator "3,000 documents"."""
    shown = f"{number:,}".replace(",", separator)
    return f"{shown} {noun}{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """Return "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (first, one past the last) of places in order; those that touch are joined."""
    joined: list[tuple[int, int]] = []
    for first, end in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((first, end))
    return joined


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
