"""Telling who does not see the window what has changed in it (WCAG 4.1.3, status messages)."""

from __future__ import annotations

import re

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from desktop_qa.core.answer import as_printed

_MAX_CHARACTERS = 400
"""A screen reader cannot skip within an announcement; the whole can be read in its place."""
_MARKS = re.compile(r"\s*\[\d{1,3}\]|\*\*|^#+ |^[-*] ", re.MULTILINE)


def spoken_answer(text: str) -> str:
    """Return an answer in Markdown as it is read out: without markers and signs of its form."""
    return "Answer: " + " ".join(as_printed(_MARKS.sub("", text)).split())


def announce(widget: QWidget, words: str, *, at_once: bool = False) -> None:
    """Have a screen reader say something, after what it is saying now unless at once.

    Args:
        widget: What the words are about.
        words: Plain text; long ones are cut at a word.
        at_once: For what went wrong.
    """
    if len(words) > _MAX_CHARACTERS:
        words = words[:_MAX_CHARACTERS].rpartition(" ")[0] + " …"
    event = QAccessibleAnnouncementEvent(widget, words)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if at_once else politeness.Polite)
    QAccessible.updateAccessibility(event)
