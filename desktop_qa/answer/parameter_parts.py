"""Which rows and columns of a document hold for the part that is asked for.

A sheet may cover several parts: a row that names SN65HVD231 says nothing of the SN65HVD230, and a
column headed LM358 nothing of the LM158.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from desktop_qa.augment.codes import (
    CodeMatch,
    expand_code,
    family_pattern,
    has_wildcard,
    is_part_number,
    match_codes,
    normalize_code,
    respelled,
    unsuffixed,
)

_CODE = re.compile(
    r"[A-Za-z]{1,8}-?\d[A-Za-z0-9/-]*[A-Za-z0-9]|[A-Z]{2,}[A-Za-z0-9]*\d[A-Za-z0-9-]*"
)
_MIN_SHARED = 3


class Hold(IntEnum):
    """Whether a text holds for the part asked for: a variant of it is told from the part itself."""

    NO = 0
    VARIANT = 1
    YES = 2


@dataclass(frozen=True, slots=True)
class AskedPart:
    """The part that a column of a comparison is about.

    Attributes:
        codes: As asked for; all parts of the document when none was named.
        siblings: The document's other parts, in normal form and without suffixes.
    """

    codes: tuple[str, ...]
    siblings: frozenset[str]

    def holds(self, text: str) -> Hold:
        """Tell whether what a text stands beside holds for the part; a text without codes does."""
        named = self.parts_in(text)
        if not named or not self.codes:
            return Hold.YES
        return max(self._hold(code) for code in named)

    def parts_in(self, text: str) -> tuple[str, ...]:
        """Return the codes of a text that are this part, its variants or its siblings."""
        if not any(c.isdigit() for c in text):
            return ()
        found = []
        for match in _CODE.finditer(text.replace("\u00ad", "-")):
            for code in expand_code(match.group()):
                if self._is_kin(code):
                    found.append(code)
        return tuple(found)

    def is_other_part(self, text: str) -> bool:
        """Tell whether a header names a part number that is another part's."""
        codes = [m.group() for m in _CODE.finditer(text) if is_part_number(m.group())]
        return bool(codes) and all(self._hold(code) is Hold.NO for code in codes)

    def _is_kin(self, code: str) -> bool:
        normal = normalize_code(code)
        if self._hold(code) is not Hold.NO or any(_is_of(normal, s) for s in self.siblings):
            return True
        return is_part_number(code) and any(_are_kin(normal, normalize_code(c)) for c in self.codes)

    def _hold(self, code: str) -> Hold:
        normal = normalize_code(code)
        for asked in self.codes:
            own = normalize_code(asked)
            # LM324-N is the LM324 with a suffix; LM324A is another grade of it.
            if normal == own or match_codes(asked, code) is CodeMatch.EXACT:
                return Hold.YES
            if has_wildcard(code) and family_pattern(code).match(own):
                return Hold.YES
            if has_wildcard(asked) and family_pattern(asked).match(normal):
                return Hold.VARIANT
            rest = normal[len(own) :] if normal.startswith(own) else ""
            if rest and not (own[-1].isdigit() and rest[0].isdigit()):
                return Hold.VARIANT
        return Hold.NO


def _is_of(code: str, part: str) -> bool:
    """Tell whether a code is a part or a variant of it: LM158A of the LM158."""
    return code.startswith(part) and not (code[len(part) :][:1].isdigit() and part[-1].isdigit())


def _are_kin(a: str, b: str) -> bool:
    shared = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return shared >= max(_MIN_SHARED, len(b) - 2) and abs(len(a) - len(b)) <= 3


def asked_part(codes: Sequence[str], document_parts: Sequence[str]) -> AskedPart:
    """Say which part of a document is asked for.

    Args:
        codes: Part numbers of the question.
        document_parts: Part numbers of the document.
    """
    own = [
        code
        for typed in codes
        for code in (typed, *respelled(typed, document_parts))
        if any(match_codes(code, part) is not CodeMatch.NONE for part in document_parts)
    ]
    wanted = tuple(dict.fromkeys(own)) or tuple(document_parts)
    normal = {normalize_code(code) for code in wanted}
    parts = [p for part in document_parts for p in expand_code(part) if not has_wildcard(p)]
    others = {normalize_code(unsuffixed(p) or p) for p in parts} - normal
    siblings = frozenset(s for s in others if s and not any(_is_of(n, s) for n in normal))
    return AskedPart(wanted, siblings if own else frozenset())
