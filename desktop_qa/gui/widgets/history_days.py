"""How earlier questions are worded in a list: days, excerpts, the words that were searched."""

from __future__ import annotations

import re
from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale

from desktop_qa.core.history import HistoryItem, HistoryState

_DAYS_NAMED_BY_WEEKDAY = 6
_WORDS_BEFORE = 24
"""Characters of an excerpt that may stand before the first word found."""

STATE_WORDS = {
    HistoryState.ANSWERED: "",
    HistoryState.NOT_FOUND: "not found",
    HistoryState.CLARIFY: "several readings",
    HistoryState.WITHHELD: "withheld",
    HistoryState.FAILED: "failed",
}


def day_of(at: float) -> date:
    """Return the day of a moment where the user is; `at` counts seconds since the epoch."""
    return datetime.fromtimestamp(at).astimezone().date()


def day_label(day: date, today: date) -> str:
    """Return what a day is called: "Today", "Tuesday", "3 March", "3 March 2024"."""
    age = (today - day).days
    if age == 0:
        return "Today"
    if age == 1:
        return "Yesterday"
    if 1 < age <= _DAYS_NAMED_BY_WEEKDAY:
        form = "dddd"
    else:
        form = "d MMMM" if day.year == today.year else "d MMMM yyyy"
    return QLocale.c().toString(QDate(day.year, day.month, day.day), form)


def time_label(at: float) -> str:
    """Return the time of day of a moment, to the minute."""
    return datetime.fromtimestamp(at).astimezone().strftime("%H:%M")


def moment_label(at: float, today: date) -> str:
    """Return a moment in a sentence: "today, 14:05", "3 March, 14:05"."""
    day = day_label(day_of(at), today)
    return f"{day.lower() if day in ('Today', 'Yesterday') else day}, {time_label(at)}"


def answer_words(item: HistoryItem, query: str) -> str:
    """Return the line under a question: how it ended, and its answer from the word searched on."""
    text = item.excerpt
    spans = found_spans(text, query)
    if spans and spans[0][0] > _WORDS_BEFORE:
        start = text.rfind(" ", 0, spans[0][0] - _WORDS_BEFORE // 2) + 1
        text = f"… {text[start:]}" if start else text
    state = STATE_WORDS[item.state]
    if state and not text.casefold().startswith(state):
        return f"{state} · {text}" if text else state
    return text


def spoken(item: HistoryItem) -> str:
    """Return a row for those who hear it."""
    thumb = {1: "thumb up", -1: "thumb down"}.get(item.verdict, "")
    parts = (item.question, time_label(item.asked_at), STATE_WORDS[item.state], thumb)
    return ", ".join(part for part in parts if part)


def found_spans(text: str, query: str) -> list[tuple[int, int]]:
    """Return where words of a text begin with a word that was searched, in order, apart."""
    words = [re.escape(word) for word in query.split()]
    if not words:
        return []
    longest_first = sorted(words, key=len, reverse=True)
    return [m.span() for m in re.finditer(rf"(?<!\w)(?:{'|'.join(longest_first)})", text, re.I)]
