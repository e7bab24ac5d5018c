"""What is a symbol, and what part of a table cell or sentence is a name."""

from __future__ import annotations

import re

from desktop_qa.core.note_marks import without_note_marks

MAX_NAME_WORDS = 6

_SYMBOL = re.compile(
    r"[A-Za-zΔΘΨθψηωφτƒµμ][\w/#'&]*(?:-[A-Za-z0-9_/]+)*"
    r"(?:\([\w+\-/,]{1,8}\)(?:[A-Za-z0-9]{1,4})?)?[+\-−–]?"
)
MAX_SYMBOL_LENGTH = 14
_INNER_SHAPE = re.compile(r"[A-Z].*[A-Z]|[a-zƒ][A-Z]|[A-Z]\d|[A-Z]_|\w\(|[A-Z][+\-−–]$|[θψηφτΘΨΔ]")
_PLAIN_SHAPE = re.compile(r"[A-Z]{7,}|[A-Z]?[a-z]{2,}(?:-[A-Z]?[a-z]{2,})+")
_QUANTITY_WITH_UNIT = re.compile(
    r"\d.*|[µμumkMGnp]?(?:V|A|W|Hz|s|F|Ω|H|g|m|dB|dBm|bps|SPS|Pa|bar|V/µs|V/us)"
)
_SPLIT_SYMBOL = re.compile(r"(?<=\b[VIRCTPftQ])\s(?=[A-Z]{1,4}\b)")

_CAPITAL_WORDS = """
    A AN AND AS AT BE BIT BITS BY DATA DC AC DO FOR FROM HIGH IF IN INPUT IS IT LOW MAX MIN NO
    NOM NOTE NOTES OF OFF ON OR OUT OUTPUT PIN READ RESET SEE SET TBD THE TO TYP UNIT UNITS USE
    VALUE WITH WRITE YES N/A NA N.A. NC N.C. RSVD RESERVED ALL ANY NOT TRUE FALSE ENABLE DISABLE
"""
CAPITAL_WORDS = frozenset(_CAPITAL_WORDS.split())
"""Words that stand in capitals in tables and are no symbols; NC names nothing that is used."""

_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_END = re.compile(
    r"[.;:|=<>≤≥±→,!?•]|\s[–—-]\s|\s(?:at|with|without|when|while|if|for|from|during|in|on|by|per|vs"
    r"|versus|over|between|after|before|using|is|are|was|were|has|have|that|which|who|as|into|must"
    r"|can|may|should|shall|will|would|not|and|or|than|until|unless|where|see|due|against|across)"
    r"(?=\s|$)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:the|a|an|its|this|these|that|each|any|all|some|their|our|your|and|or|of|to|with|for|in"
    r"|on|by|from|is|are|as|per|maximum|minimum|typical|nominal|max|min|typ|nom|total)\b\.?\s+)+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-zµμ][A-Za-z0-9'’²³]*(?:[-/][A-Za-z0-9]+)*")
_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]{2,}(?:[-/][A-Za-z]?[a-z]+)*|[A-Z]{4,}(?:[-/][A-Z]+)*")


def one_line(text: str) -> str:
    """Return the text with single spaces and without footnote marks."""
    return without_note_marks(text)


def joined_symbol(text: str) -> str:
    """Join a symbol and its subscript where the page sets them apart: "V OS" is VOS."""
    return _SPLIT_SYMBOL.sub("", text)


def may_be_symbol(text: str) -> bool:
    """Tell whether a cell of a column of symbols is one: "VOS", "fSCL", "RDS(on)", "Top", "t"."""
    return (
        len(text) <= MAX_SYMBOL_LENGTH
        and _SYMBOL.fullmatch(text) is not None
        and text.upper() not in CAPITAL_WORDS
    )


def is_symbol(text: str) -> bool:
    """Tell whether a word is a symbol or an acronym by its own shape; "Top" and "t" are not."""
    return (
        len(text) >= 2
        and may_be_symbol(text)
        and _INNER_SHAPE.search(text) is not None
        and not (_PLAIN_SHAPE.fullmatch(text) or _QUANTITY_WITH_UNIT.fullmatch(text))
    )


def whole_name(text: str) -> str:
    """Return a name of at most seven words as it is, "" for what is no name."""
    words = text.split()
    is_name = len(words) <= MAX_NAME_WORDS + 1 and all(_WORD.fullmatch(word) for word in words)
    return " ".join(words) if is_name else ""


def clean_name(text: str) -> str:
    """Return the name that a cell or description starts with, "" when it starts with none.

    Conditions, notes, brackets and articles are left out: "Input offset voltage (RTI), VCM = 0 V"
    is "Input offset voltage".
    """
    line = _BRACKETS.sub(" ", one_line(text))
    line = _LEADING.sub("", " ".join(line.split()))
    end = _END.search(line)
    name = (line[: end.start()] if end else line).strip(" -–—/")
    words = name.split()
    if not 1 <= len(words) <= MAX_NAME_WORDS:
        return ""
    if not all(_WORD.fullmatch(word) for word in words):
        return ""
    return name if any(_PLAIN_WORD.fullmatch(word) for word in words) else ""
