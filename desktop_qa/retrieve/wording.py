"""How names and words are put into sentences for the user."""

from __future__ import annotations

from collections.abc import Sequence

_MAX_NAMED = 3
_MAX_WORD_LENGTH = 30


def storable(text: str) -> str:
    """Put a question mark for half characters, which neither JSON nor a database can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def short_word(word: str) -> str:
    """Cut a word that is too long for a sentence."""
    return word if len(word) <= _MAX_WORD_LENGTH else f"{word[: _MAX_WORD_LENGTH - 1]}…"


def named(names: Sequence[str]) -> str:
    """Return "a, b and c", of many the first three and how many more; at least one name."""
    shown = list(names[:_MAX_NAMED])
    more = len(names) - len(shown)
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
