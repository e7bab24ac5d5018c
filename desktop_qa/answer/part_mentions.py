"""Which rows and columns of a table hold for the part that is asked for.

A sheet that covers several parts says so in its rows ("Standby | SN65HVD230"), in its headers
("LM358 Max"), in its conditions ("LM2904, V+ = 5 V to 26 V") or by the end of the number alone
("(’74)"). A value of a sibling must never answer for the part asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from desktop_qa.augment.codes import (
    codes_match,
    has_wildcard,
    is_part_number,
    normalize_code,
)

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*\d[A-Za-z0-9]*(?:-[A-Z0-9]+)*")
_SHORTHAND = re.compile(r"[’'‘](\d{2,4}[A-Z]?)\b")
_MIN_SHARED = 3
_MIN_SHARE = 0.5


class Mention(IntEnum):
    """What a text says of the part: its siblings only, nothing, or the part itself."""

    SIBLING = -1
    NONE = 0
    PART = 1


@dataclass(frozen=True, slots=True)
class PartMentions:
    """Reads texts of tables for one or more asked part numbers.

    Attributes:
        asked: As typed or in normal form; empty when the question names no part.
        family: Part numbers of the document, as printed; those not asked for are siblings.
    """

    asked: tuple[str, ...]
    family: tuple[str, ...] = ()

    def of(self, text: str) -> Mention:
        """Tell whether a text is about an asked part, only about siblings of it, or neither."""
        if not self.asked or not any(c.isdigit() for c in text):
            return Mention.NONE
        siblings = False
        for token in _TOKEN.findall(text):
            if any(codes_match(code, token) for code in self.asked):
                return Mention.PART
            siblings = siblings or self._is_sibling(token)
        ends = _SHORTHAND.findall(text)
        if any(_ends_in(code, end) for code in self.asked for end in ends):
            return Mention.PART
        return Mention.SIBLING if siblings or ends else Mention.NONE

    def _is_sibling(self, token: str) -> bool:
        if has_wildcard(token) or not is_part_number(token):
            return False
        normal = normalize_code(token)
        # "MCP4728A0" is the MCP4728, however it is bonded; "LM324A" may be another grade of it.
        if any(normal.startswith(normalize_code(code)) for code in self.asked):
            return False
        return any(normalize_code(own) == normal for own in self.family) or any(
            _begin_alike(code, token) for code in self.asked
        )


NO_PARTS = PartMentions(())
"""Of a question that names no part."""


def part_mentions(keywords: Sequence[str], family: Sequence[str] = ()) -> PartMentions:
    """Read the part numbers among the critical keywords of a question.

    Args:
        keywords: Of the question, in normal form.
        family: Part numbers of the document whose table is read.
    """
    return PartMentions(tuple(code for code in keywords if is_part_number(code)), tuple(family))


def _begin_alike(code: str, other: str) -> bool:
    """Tell whether two numbers begin alike, letters and at least a digit, and go on differently."""
    a, b = normalize_code(code).upper(), normalize_code(other).upper()
    n_shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if n_shared is None:
        n_shared = min(len(a), len(b))
    letters = re.match(r"[A-Z]+", a)
    n_letters = len(letters.group()) if letters else 0
    return n_shared >= max(_MIN_SHARED, n_letters + 1) and n_shared >= _MIN_SHARE * len(b)


def _ends_in(code: str, end: str) -> bool:
    """Tell whether a number ends in a shorthand: "’74" is the BQ24074."""
    normal = normalize_code(code).upper()
    return re.search(rf"{re.escape(end)}(?!\d)", normal) is not None
