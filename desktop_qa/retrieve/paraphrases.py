"""Everyday words of questions, and the words that data sheets have in their place."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from desktop_qa.index.terms import fold
from desktop_qa.paths import asset

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_MAX_WORDS = 4
"""Of a phrase that is asked."""


@cache
def _vocabulary() -> dict[str, str]:
    """Return the words searched by the words or phrase asked."""
    content = tomllib.loads(
        asset("resources/vocabulary/paraphrases.toml").read_text(encoding="utf-8")
    )
    return {asked: entry["searched"] for entry in content["paraphrase"] for asked in entry["asked"]}


def paraphrases(question: str) -> tuple[str, ...]:
    """Return the words of the trade for the everyday words of a question, each once.

    A word is taken as it stands: "drawing" asks for a figure, "draws" for a current.

    Args:
        question: Only its first words are looked at where it is very long.
    """
    words = _WORD.findall(fold(question))
    vocabulary = _vocabulary()
    found: dict[str, None] = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + _MAX_WORDS, len(words)) + 1):
            searched = vocabulary.get(" ".join(words[start:end]))
            if searched is not None:
                found[searched] = None
    return tuple(found)
