"""Under which conditions the values of a table hold, as its title and the text around it say."""

from __future__ import annotations

import re
from collections.abc import Iterator

_UNLESS = (
    r"unless\s+(?:otherwise|noted|specified|stated)|除非另有|特記なき|"
    r"(?:wenn|soweit|sofern) nicht anders"
)
_EQUALS = (
    r"(?<![\w.])[^\W\d_][\w+/.−-]{0,11}(?:\([\w+−-]{1,8}\))?\s*[=≤≥≈]\s*(?:[-+−–±]?\s*\d|[A-Z]\w)"
)
_STATES = re.compile(f"{_UNLESS}|{_EQUALS}", re.IGNORECASE)
_GENERAL = re.compile(_UNLESS, re.IGNORECASE)
_BRACKETED = re.compile(r"[(（]((?:[^()（）]|[(（][^()（）]*[)）])*)[)）]?")
_FIRST = re.compile(
    rf"(?:\b(?:at|for|with|over|all|under)\b[^=(]{{0,40}})?(?:{_EQUALS})", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[a-z)]\.)\s+(?=[A-Z])")


def conditions_in(text: str, *, general: bool = False) -> tuple[str, ...]:
    """Cut the conditions out of a title, or of the text beside it.

    Args:
        text: "Electrical Characteristics (TJ = 25 °C unless otherwise noted)".
        general: Keep only what says of itself that it holds for the whole table.

    Returns:
        As printed, without the brackets: "TJ = 25 °C unless otherwise noted".
    """
    pattern = _GENERAL if general else _STATES
    return tuple(
        part.strip(" ;,")
        for sentence in _SENTENCE.split(" ".join(text.split()))
        for part in _parts(sentence)
        if pattern.search(part)
    )


def _parts(sentence: str) -> Iterator[str]:
    """Yield what stands in brackets, else the sentence from its first condition on."""
    bracketed = [match[1] for match in _BRACKETED.finditer(sentence) if _STATES.search(match[1])]
    rest = _BRACKETED.sub(lambda m: m[0] if not _STATES.search(m[1]) else " ", sentence)
    if first := _FIRST.search(rest):
        yield rest[first.start() :]
    elif _GENERAL.search(rest):
        yield rest
    yield from bracketed


def without_conditions(text: str) -> str:
    """Return what a title says besides its conditions."""
    for part in conditions_in(text):
        text = text.replace(part, "")
    return text.strip(" ()（）;,:-–—")
