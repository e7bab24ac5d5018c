"""What the program tells the user: banners above the panes, never a dialog in the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import words_of
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.labels import plain_label, told, with_breaks
from desktop_qa.gui.widgets.theme import tint

_MAX_CHARACTERS = 400
"""A screen reader cannot skip within an announcement; the whole can be read in its place."""
_MAX_BANNERS = 3
_SECONDS_SHOWN = 8
_LONG_WORD = re.compile(r"\S{41,}")


def spoken_answer(answer: Answer) -> str:
    """Return an answer as it is read out: its words alone."""
    return "Answer: " + " ".join(words_of(answer.blocks).split())


def announce(widget: QWidget, words: str, *, at_once: bool = False) -> None:
    """Have a screen reader say something of a widget, after what it says now unless at once."""
    if len(words) > _MAX_CHARACTERS:
        words = words[:_MAX_CHARACTERS].rpartition(" ")[0] + " …"
    event = QAccessibleAnnouncementEvent(widget, words)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if at_once else politeness.Polite)
    QAccessible.updateAccessibility(event)


class NoticeLevel(StrEnum):
    """How much a notice matters; also the name of its icon."""

    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"


_COLOURS = {
    NoticeLevel.INFORMATION: "accent",
    NoticeLevel.WARNING: "warning",
    NoticeLevel.ERROR: "error",
}


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """A button of a notice; pressing it also closes the notice."""

    label: str
    perform: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the user and what to do about it.

    Attributes:
        key: A notice replaces an earlier one with the same key; empty replaces none.
        passes: True when it may leave by itself after some seconds.
        stays: True when newer notices do not push it out, as long as its cause holds.
    """

    level: NoticeLevel
    message: str
    hint: str = ""
    actions: tuple[NoticeAction, ...] = ()
    key: str = ""
    passes: bool = False
    stays: bool = False

    @classmethod
    def of_error(cls, error: DesktopQaError, key: str = "") -> Notice:
        """Return the notice of a failed request."""
        return cls(NoticeLevel.ERROR, error.message, error.hint, key=key)


class Banner(QFrame):
    """One notice with its buttons."""

    def __init__(self, notice: Notice, parent: QWidget) -> None:
        super().__init__(parent)
        self.notice = notice
        told(self, "banner", f"{notice.level.value.capitalize()}: {notice.message}")
        self.setProperty("level", notice.level.value)
        self._icon = told(QLabel(self), "banner_icon")
        tint(self._icon, notice.level.value, _COLOURS[notice.level])
        message = _wrapped_label(notice.message, "banner_message", self)
        words = in_column(spacing=1)
        layout = in_row(self, margins=(12, 7, 8, 7), spacing=10)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        # Filled only now: Python would keep the items that a layout brings along, see `banners`.
        layout.addLayout(words, 1)
        words.addWidget(message)
        if notice.hint:
            words.addWidget(_wrapped_label(notice.hint, "banner_hint", self))
        self.action_buttons = tuple(self._add_action(action, layout) for action in notice.actions)
        self._close_button = QToolButton(self)
        tint(self._close_button, "close")
        told(self._close_button, "quiet_button", "Close this message", "Close (Esc)")
        self._close_button.clicked.connect(self.dismiss)
        layout.addWidget(self._close_button)
        on_keys(self, {"Esc": self.dismiss})

    def _add_action(self, action: NoticeAction, layout: QHBoxLayout) -> QPushButton:
        button = QPushButton(action.label, self)
        button.clicked.connect(self.dismiss)
        button.clicked.connect(lambda: action.perform())
        layout.addWidget(button)
        return button

    def leave_later(self) -> None:
        """Leave after some seconds, but not under the pointer or the keyboard's focus."""
        QTimer.singleShot(_SECONDS_SHOWN * 1000, self, self.leave_unless_used)

    def leave_unless_used(self) -> None:
        """Leave now, or look again later while somebody is at it."""
        focused = QApplication.focusWidget()
        if self.underMouse() or (focused is not None and self.isAncestorOf(focused)):
            self.leave_later()
        else:
            self.dismiss()

    def dismiss(self) -> None:
        """Take the banner away."""
        self.hide()
        self.setParent(None)
        self.deleteLater()


def _wrapped_label(text: str, name: str, parent: QWidget) -> QLabel:
    shown = text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]} …"
    # A path has no spaces: it may be wrapped all the same, and never widens the window.
    broken = _LONG_WORD.sub(lambda word: with_breaks(word[0]), shown)
    label = plain_label(broken, parent, name, can_select=True)
    label.setMinimumWidth(1)
    if shown != text:
        label.setToolTip(text)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return label


class MessageArea(QWidget):
    """The banners, newest last; the oldest leaves when there are too many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        self.setAccessibleName("Messages")

    @property
    def banners(self) -> tuple[Banner, ...]:
        """The banners on screen, oldest first."""
        # Not by the items of the layout: Python keeps each that it was shown, also when Qt has
        # freed it, and takes the next widget at its address for one (seen once in 700 windows).
        return tuple(self.findChildren(Banner, options=Qt.FindChildOption.FindDirectChildrenOnly))

    def post(self, notice: Notice) -> None:
        """Show a notice."""
        if notice.key:
            self.withdraw(notice.key)
        others = [banner for banner in self.banners if not banner.notice.stays]
        for banner in others[: max(0, len(self.banners) - _MAX_BANNERS + 1)]:
            banner.dismiss()
        banner = Banner(notice, self)
        self._layout.addWidget(banner)
        is_error = notice.level is NoticeLevel.ERROR
        announce(banner, f"{notice.message} {notice.hint}".strip(), at_once=is_error)
        if notice.passes:
            banner.leave_later()

    def say(
        self,
        message: str,
        hint: str = "",
        *actions: NoticeAction,
        level: NoticeLevel = NoticeLevel.INFORMATION,
        key: str = "",
        passes: bool = False,
        stays: bool = False,
    ) -> None:
        """Show a notice of these words; see `Notice`."""
        self.post(Notice(level, message, hint, actions, key, passes, stays))

    def withdraw(self, key: str) -> None:
        """Take away the notice with a key, when its cause is gone."""
        for banner in self.banners:
            if banner.notice.key == key:
                banner.dismiss()
