"""Critical named entities of a text (CNED, HiQA section 3.3); the only door to spaCy.

Regular expressions find candidates, rules of spaCy tell what each of them is, and a trained
pipeline adds its own entities when the user has one installed. Values with units are keys of their
own kind (`desktop_qa.augment.quantities`).
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from desktop_qa.augment.code_words import PLAIN_WORDS
from desktop_qa.augment.codes import (
    codes_in_question,
    codes_match,
    expand_code,
    is_order_code,
    is_part_number,
    means_one_of,
    normalize_code,
)
from desktop_qa.core.hidden_modules import hidden_modules

__all__ = [
    "codes_in_question",
    "codes_match",
    "expand_code",
    "find_keywords",
    "is_order_code",
    "means_one_of",
    "normalize_code",
]

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


@contextmanager
def _no_socket_probe() -> Iterator[None]:
    """Keep urllib3 from opening a socket to learn whether this machine speaks IPv6.

    spaCy's own command line imports it; it will never be used here, and offline means that no
    socket is opened at all.
    """
    has_ipv6 = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        yield
    finally:
        socket.has_ipv6 = has_ipv6


def _import_spacy() -> Any:
    # spaCy's thinc imports torch when it can: 5 s and 300 MB in each process, for nothing.
    with hidden_modules("torch"), _no_socket_probe():
        import spacy
    return spacy


@cache
def _rules() -> Any:
    """Return the spaCy pipeline of the built-in rules: one entity ruler, no model."""
    spacy = _import_spacy()
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    name = {"TEXT": {"REGEX": r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+#?$"}}
    ruler.add_patterns(
        [
            {"label": "BITS", "pattern": [{"TEXT": {"REGEX": r"^[A-Za-z]\w*\[\d+(?::\d+)?\]$"}}]},
            {"label": "REGISTER", "pattern": [name]},
            {"label": "COMMAND", "pattern": [{"TEXT": {"REGEX": r"^[a-z]+(?:_[a-z0-9]+)+$"}}]},
            {"label": "PIN", "pattern": [{"TEXT": {"REGEX": r"^[A-Z]{1,6}\d{1,2}[A-Z]?[+\-]?$"}}]},
            {"label": "PIN", "pattern": [{"TEXT": {"REGEX": r"^[A-Z]{2,6}\+?$"}}]},
            {"label": "PIN", "pattern": [{"TEXT": {"REGEX": r"^n[A-Z]{2,8}$"}}]},
            {"label": "PIN", "pattern": [{"TEXT": {"REGEX": r"^V[A-Z]{0,3}[A-Za-z0-9]{1,4}$"}}]},
        ]
    )
    return pipeline


@lru_cache(maxsize=131072)
def _label(candidate: str) -> str:
    """Return what the rules say a candidate is, "" for nothing; a text repeats its codes."""
    if is_part_number(candidate):
        return "PART_NUMBER"
    rules = _rules()
    from spacy.tokens import Doc

    doc = Doc(rules.vocab, words=[candidate])
    for _name, component in rules.pipeline:
        doc = component(doc)
    return doc.ents[0].label_ if doc.ents else ""


def find_keywords(text: str) -> tuple[str, ...]:
    """Find part numbers, registers, pins, bits, standards and error codes.

    Args:
        text: A segment's lexical text, or a question.

    Returns:
        Their normal forms (`normalize_code`), sorted, each once.
    """
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
    if _may_be_name(candidate) and _label(candidate):
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
