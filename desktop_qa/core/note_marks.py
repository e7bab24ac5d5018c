"""Marks that lead from a text to its note: "VOL(1)", "Gain²", "WIDᵃ", "10 A ③", "tPD (Note 3)"."""

import re

_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d\u207e\u1d43-\u1dbb"

NOTE_MARK = re.compile(
    r"\s?(?:\((?:notes?\s*[a-z\d]|\d)\d?(?:(?:,|\s?&|\sand)\s*\d{1,2})*\)"
    r"|\[(?:notes?\s*[a-z\d]|\d)\d?\]|[\u2460-\u2473]+"
    rf"|[{_RAISED}]+(?![A-Za-z])|[*†‡]+)",
    re.IGNORECASE,
)
"""What is raised before a letter is part of a name: I²C."""


def without_note_marks(text: str) -> str:
    """Return a text as it reads without its notes, its words one space apart."""
    return " ".join(NOTE_MARK.sub(" ", text).split())
