"""Critical named entities of a text (CNED, HiQA section 3.3).

One pattern finds candidates, others tell which of them name something.
"""

from __future__ import annotations

import re
from functools import lru_cache

from desktop_qa.augment.codes import PLAIN_WORDS, expand_code, is_part_number, normalize_code

_MAX_NAME_LENGTH = 40
"""Longer runs of letters and digits are keys, hashes and lines of dashes."""

_STANDARD = (
    r"(?:ISO|IEC|EN|DIN|IEEE|ANSI|UL|RFC|EIA|TIA|ITU-T|MIL-STD|MIL-PRF|IPC|JEDEC|CISPR|VDE|CSA|SAE"
    r"|ECSS|ETSI|FIPS|GB/T)(?:/(?:IEC|TIA|EIA|IEEE|JEDEC))*[\s\-]?[A-Z]{0,2}\d[\d.\-:/]*[A-Z]?"
    r"|JESD\s?\d+[\w\-.]*|J-STD-\d+\w*|AEC[\s\-]?Q\d{3}|RS[\s\-]?(?:232|422|485)|CAN\s2\.0[AB]?"
    r"|SAE\sJ\d+|PKCS\s?\#\d+|X\.\d{3}"
)
_CANDIDATE = re.compile(
    rf"""(?<![\w.])(?:
      (?P<standard>{_STANDARD})(?!\w)
    | (?P<error>0x[0-9A-Fa-f]{{1,8}}|[EF]-?\d{{2,4}}|ERR(?:OR)?[_\-]\w+)(?!\w)
    | (?P<bits>[A-Za-z][A-Za-z0-9_]*\[\d+(?::\d+)?\])
    | (?P<code>[A-Za-z0-9]+(?:[\-/_][A-Za-z0-9]+)*\+?)
    )""",
    re.VERBOSE,
)


_NAME = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # registers: WHO_AM_I
    r"|[a-z]+(?:_[a-z0-9]+)+"  # commands: set_ambient_pressure
    r"|[A-Z]{1,6}\d{1,2}[A-Z]?\+?|[A-Z]{2,6}\+?|n[A-Z]{2,8}|V[A-Z]{0,3}[A-Za-z0-9]{1,4}"  # pins
)


def find_keywords(text: str) -> tuple[str, ...]:
    """Find part numbers, registers, pins, bits, standards and errors in normal form, sorted."""
    found: set[str] = set()
    for match in _CANDIDATE.finditer(text):
        kind = match.lastgroup
        candidate = match.group().rstrip("-/_")
        if kind in ("standard", "error", "bits"):
            found.add(normalize_code(candidate))
        else:
            found.update(_names_of(candidate))
    found.discard("")
    return tuple(sorted(found))


def _names_of(candidate: str) -> tuple[str, ...]:
    """Return the normal forms of what a candidate names; "SDA/SCL" names two pins, "I/O" one."""
    if _may_be_name(candidate) and _is_name(candidate):
        return tuple(map(normalize_code, expand_code(candidate)))
    if "/" not in candidate:
        return ()
    pieces = candidate.split("/")
    if all(len(piece) == 1 and piece.isupper() for piece in pieces):
        return (normalize_code(candidate),)
    return tuple(name for piece in pieces for name in _names_of(piece))


def _may_be_name(candidate: str) -> bool:
    """Sort out words and numbers before any rule is asked: nine of ten candidates."""
    if (
        not 2 <= len(candidate) <= _MAX_NAME_LENGTH
        or candidate.isdigit()
        or candidate in PLAIN_WORDS
    ):
        return False
    if "_" in candidate:
        return True
    if any(c.isdigit() for c in candidate):
        return any(c.isalpha() for c in candidate)
    return candidate[1:].upper() == candidate[1:]


@lru_cache(maxsize=131072)
def _is_name(candidate: str) -> bool:
    """Tell whether a candidate names a part, register, command or pin; a text repeats its codes."""
    return is_part_number(candidate) or _NAME.fullmatch(candidate) is not None
