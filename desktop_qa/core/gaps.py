"""Cells that say that there is nothing: one reading of them for tables, answers and the window."""

from __future__ import annotations

import unicodedata

_WORDS = frozenset({"n/a", "na", "tbd"})
_STROKES = "−.…_"
"""Signs that makers set for a dash; those of the category of dashes aside."""


def is_gap(text: str) -> bool:
    """Tell whether a cell gives nothing: it is empty, a dash or dots, or "N/A"."""
    plain = text.strip().casefold()
    return plain in _WORDS or all(
        char.isspace() or char in _STROKES or unicodedata.category(char) == "Pd" for char in plain
    )
