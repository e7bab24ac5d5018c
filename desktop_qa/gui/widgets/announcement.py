"""Telling who does not see the window what has changed in it (WCAG 4.1.3, status messages)."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import words_of

_MAX_CHARACTERS = 400
"""A screen reader cannot skip within an announcement; the whole can be read in its place."""


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
