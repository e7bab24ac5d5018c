"""Texts as a person sees them: nothing that a page does not show may reach the model."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters, marks and a Braille cell that show nothing, though their categories say otherwise; and
selectors of variants of the character before them: a row of them can spell a text."""

_SPACES = re.compile(r"[^\S\n]+")


def visible(text: str) -> str:
    """Return a text without characters that do not show, each run of spaces one space.

    Control and format characters (zero width, direction, tags), unassigned and private ones, and
    selectors go; line ends stay.
    """
    kept = _UNSEEN.sub("", text)
    if not kept.isprintable():
        kept = "".join(map(_shown, kept))
    return "\n".join(line.strip() for line in _SPACES.sub(" ", kept).split("\n")).strip()


def _shown(char: str) -> str:
    if char in "\n\t" or char.isspace():
        return char if char == "\n" else " "
    return "" if unicodedata.category(char)[0] == "C" else char
