"""Texts as a person sees them: nothing that a page does not show may reach the model."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and a Braille cell that show nothing, though their categories say otherwise."""

_SELECTORS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Of variants of the character before them; a row of them can spell a text that no one sees."""

_SPACES = re.compile(r"[^\S\n]+")


def visible(text: str) -> str:
    """Return a text without characters that do not show, each run of spaces one space.

    Control and format characters (zero width, direction, tags), unassigned and private ones, and
    selectors go; line ends stay.
    """
    kept = "".join(map(_shown, _SELECTORS.sub("", text)))
    return "\n".join(line.strip() for line in _SPACES.sub(" ", kept).split("\n")).strip()


def _shown(char: str) -> str:
    if char in "\n\t" or char.isspace():
        return char if char == "\n" else " "
    return "" if char in _UNSEEN or unicodedata.category(char)[0] == "C" else char
