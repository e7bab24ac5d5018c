"""Which rows and columns of a table hold for the part that is asked for.

A sheet that covers several parts says so in its rows ("Standby | SN65HVD230"), in its headers
("LM358 Max"), in its conditions ("LM2904, V+ = 5 V to 26 V"), by the end of the number alone
("(’74)") or by its beginning ("74HC" of the 74HC194, not of the 74HCT194). A value of a sibling
must never answer for the part asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from string import ascii_uppercase

from desktop_qa.augment.codes import (
    codes_match,
    expand_code,
    family_pattern,
    has_wildcard,
    is_part_number,
    normalize_code,
    respelled,
    unsuffixed,
)
from desktop_qa.retrieve.part_index import n_shared

_CODE = re.compile(
    r"(?:(?<![\w.])\d{1,2})?[A-Za-z]{1,8}-?\d[A-Za-z0-9/-]*[A-Za-z0-9]"
    r"|[A-Z]{2,}[A-Za-z0-9]*\d[A-Za-z0-9-]*"
    r"|(?<![\w.])\d{2}[A-Z]{1,4}\b"
)
_RUNS = re.compile(r"[A-Z]+|\d+")
_SHORTHAND = re.compile(r"[’'‘](\d{2,4}[A-Z]?)\b")
_END = re.compile(r"\d{3,5}[A-Z]?")
_MIN_SHARED = 3
_MIN_SHARE = 0.5


class Mention(IntEnum):
    """What a text says of the part: only its siblings, a grade of it, nothing, or the part.

    UNDER_VARIANT is a row that says nothing under a title that names a grade alone.
    """

    SIBLING = -3
    UNDER_VARIANT = -2
    VARIANT = -1
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
        """Tell whether a text is about an asked part, a grade of it, only siblings, or neither."""
        if not self.asked:
            return Mention.NONE
        ends = _SHORTHAND.findall(text)
        # "’74" is the BQ24074.
        if any(re.search(rf"{end}(?!\d)", code, re.I) for code in self.asked for end in ends):
            return Mention.PART
        said = [_mention(code, self.asked, self.family) for code in self.codes_in(text)]
        return max(said, default=Mention.SIBLING if ends else Mention.NONE)

    def ended_by(self, text: str) -> bool:
        """Tell whether a number alone ends the code of an asked part: 4935 of the 1N4935."""
        return _END.fullmatch(text) is not None and any(
            re.search(rf"[A-Z]{text}$", code, re.IGNORECASE) for code in self.asked
        )

    def codes_in(self, text: str) -> tuple[str, ...]:
        """Return the codes of a text that are the part, a grade of it or its siblings."""
        found = _CODE.finditer(text.replace("\u00ad", "-"))
        codes = (code for match in found for code in expand_code(match.group()))
        return tuple(c for c in codes if _mention(c, self.asked, self.family) is not Mention.NONE)

    def is_of_another(self, text: str) -> bool:
        """Tell whether a text names part numbers and none of them is of the part."""
        codes = [m.group() for m in _CODE.finditer(text) if is_part_number(m.group())]
        kin = (Mention.PART, Mention.VARIANT)
        return bool(codes) and all(
            _mention(code, self.asked, self.family) not in kin for code in codes
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


def parts_of(codes: Sequence[str], document_parts: Sequence[str]) -> PartMentions:
    """Say which part of a document is asked for; all of them when none of its parts is named.

    Args:
        codes: Part numbers asked for, of any document.
        document_parts: Part numbers of the document.
    """
    own = [
        code
        for typed in codes
        for code in (typed, *respelled(typed, document_parts))
        if any(codes_match(code, part) for part in document_parts)
    ]
    wanted = tuple(dict.fromkeys(own))
    return PartMentions(wanted or tuple(document_parts), tuple(document_parts))


@lru_cache(maxsize=16384)
def _mention(code: str, asked: tuple[str, ...], family: tuple[str, ...]) -> Mention:
    normal = normalize_code(code)
    own = {_of_one(code, normal, one) for one in asked} - {Mention.NONE}
    if own or has_wildcard(code):
        return max(own, default=Mention.NONE)
    if any(_begins(normal, one) for one in asked):
        return Mention.PART
    if any(_begins(normal, part) for part in family):
        return Mention.SIBLING
    parts = [unsuffixed(p) or p for own in family for p in expand_code(own) if not has_wildcard(p)]
    if any(_continues(normal, normalize_code(part)) for part in parts):
        return Mention.SIBLING
    is_kin = is_part_number(code) and any(_begin_alike(one, code) for one in asked)
    return Mention.SIBLING if is_kin else Mention.NONE


def _of_one(code: str, normal: str, asked: str) -> Mention:
    own = normalize_code(asked)
    # LM324-N is the LM324 with a suffix; LM324A is another grade of it.
    if normal == own or (codes_match(asked, code) and not has_wildcard(asked)):
        return Mention.PART
    is_member = has_wildcard(asked) and family_pattern(asked).match(normal) is not None
    is_grade = is_member or _continues(normal, own)
    return Mention.VARIANT if is_grade else Mention.NONE


def _continues(code: str, part: str) -> bool:
    """Tell whether a code is a part or a grade of it: LM158A of the LM158, but not LM1581."""
    return code.startswith(part) and not (code[len(part) :][:1].isdigit() and part[-1:].isdigit())


def _begins(code: str, part: str) -> bool:
    """Tell whether a code is that of the family of a part: 74HC of the 74HC194."""
    own, whole = (_RUNS.findall(normalize_code(one).upper()) for one in (code, part))
    n_own = len(own)
    return n_own > 1 and whole[:n_own] == own and any(map(str.isdigit, whole[n_own:]))


def _begin_alike(code: str, other: str) -> bool:
    """Tell whether two numbers begin alike, letters and at least a digit, and go on differently."""
    a, b = normalize_code(code).upper(), normalize_code(other).upper()
    n_letters = len(a) - len(a.lstrip(ascii_uppercase))
    return n_shared(a, b) >= max(_MIN_SHARED, n_letters + 1, _MIN_SHARE * len(b))
