"""The conditions of a question: "at 125 °C", "with a 3.3 V supply", "in shutdown", "on page 5".

A condition has a kind, so that a new one takes the place of an old one of the same kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_qa.augment.units import unit_of

_NUMBER = r"[-+±−–]?\s?\d+(?:[.,]\d+)?"
_UNIT = (
    r"(?:°\s?[CF]\b|%\s?RH|%|degrees?(?:\s+(?:[CF]\b|celsius))?"
    r"|[kMGmµμunp]?[A-Za-zΩ]{1,8}(?:/[A-Za-z]{1,3})?)"
)
_ROLE = (
    r"(?:supply|supplies|load|input|output|ambient|junction|case|battery|bus|clock|reference"
    r"|common-mode|gate|core)"
)
_SIZE = r"(?:voltages?|currents?|temperatures?|frequency|resistance|capacitance|rail|signal)"
_RANGE = (
    rf"(?:(?:{_NUMBER}\s?(?:{_UNIT})?\s?(?:to|\.\.\.?|–|-)\s?|{_NUMBER}\s(?:and|or)\s)?"
    rf"{_NUMBER}[\s-]?(?P<unit>{_UNIT}))"
)
_PREPOSITION = r"(?:at|with|from|for|in|over|below|above|under|using|between|up\s+to|on|of)"
_QUANTITY = re.compile(
    rf"(?P<lead>\b{_PREPOSITION}\s+(?:an?\s+|the\s+)?(?:about\s+|around\s+|only\s+)?)?"
    rf"(?P<role>(?:[A-Za-z][\w()+/-]{{0,11}}\s*=\s*"
    rf"|(?:{_ROLE}\s+)?{_SIZE}\s+of\s+|{_ROLE}\s+of\s+))?"
    rf"(?P<value>(?<![\w.]){_RANGE})(?!\w)"
    rf"(?P<noun>(?:\s+{_ROLE})?(?:\s+{_SIZE})?(?:\s+range)?(?!\w))?"
)
_KINDS = {
    "degc": "temperature", "degf": "temperature", "v": "voltage", "a": "current", "hz": "frequency",
    "sps": "frequency", "bps": "frequency", "ohm": "resistance", "s": "time", "w": "power",
    "f": "capacitance", "h": "inductance", "%": "share", "lx": "light", "db": "level",
}  # fmt: skip

_STATE = (
    r"(?:power[- ]?down|shut[- ]?down|stand-?by|deep[- ]sleep|sleep|hibernate|hibernation|reset"
    r"|idle|dropout|(?:under|over)[- ]?voltage\s+lock-?out|uvlo|start-?up|power[- ]?up|power-?on"
    r"|awake|disabled|enabled|thermal\s+shutdown|current\s+limit|bypass|regulation|quiescent)"
)
_NAMED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "mode",
            rf"\b(?:while\s+|when\s+)?(?:in|into|to|during|after|for|with|under)\s+(?:the\s+|its\s+|an?\s+)?"
            rf"(?:(?:[\w+-]+\s+){{1,3}}?(?:mode|state|operation)(?:\s+(?:plus|\d))?(?!\w)"
            rf"|{_STATE}(?:\s+(?:mode|state))?(?!\w))|\bwhile\s+(?:{_STATE}|active|running|idle)\b"
            rf"|\bwhen\s+(?:it\s+is\s+)?(?:{_STATE}|off|on|active|hot|cold)\b",
        ),
        (
            "load",
            r"\b(?:with|without|at|under)\s+(?:an?\s+|the\s+)?(?:(?:no|full|light|heavy|half|rated|any"
            r"|maximum)\s+)?load\b|\bunloaded\b",
        ),
        (
            "temperature",
            r"\b(?:over|across)\s+(?:the\s+|its\s+)?(?:full|whole|entire)\s+range\b"
            r"|\b(?:over|at|across)\s+(?:the\s+)?(?:full\s+|whole\s+|entire\s+|industrial\s+|extended\s+"
            r"|automotive\s+|operating\s+|room\s+|high\s+|low\s+|ambient\s+)*temperatures?"
            r"(?:\s+range)?\b",
        ),
        (
            "revision",
            r"(?:\b(?:according\s+to|in|of|for)\s+)?(?:the\s+)?\brev(?:ision|\.)?\s+[A-Z0-9]{1,2}\b",
        ),
        ("gain", r"\b(?:at|with|for)\s+(?:an?\s+)?(?:pga\s+)?gain\s+(?:of\s+|=\s*)?\d+\b"),
        (
            "package",
            r"\b(?:in|for)\s+(?:the\s+|an?\s+)?(?:(?:[\w-]+\s+){1,2}packages?\b"
            r"|[A-Z]{0,3}(?:SOT|SOIC|SSOP|MSOP|SOP|QFN|DFN|SON|QFP|BGA|DIP|TO|SC|DSBGA|WLCSP)"
            r"-?\d{1,3}(?:-\d+)?\b)",
        ),
    )
)
_PLACE = re.compile(
    r"(?P<lead>\b(?:in|on|at|of|from)\s+(?:the\s+)?)?\b(?P<noun>pages?|figures?|tables?|sections?"
    r"|chapters?|channels?|pins?|steps?|ports?)\s+(?P<number>\d+(?:[-.]\d+)*[a-z]?)(?!\w)",
    re.IGNORECASE,
)
_BEFORE_LATER = re.compile(r"(?:,\s*|\s+and\s+|,\s*and\s+)$", re.IGNORECASE)
_BEFORE_CORE = re.compile(
    r"^(?:(?:while|when)\s+)?(?:(?:according\s+to|in|into|to|during|after|for|with|under|at|of)\s+)?"
    r"(?:the\s+|its\s+|an?\s+)?",
    re.IGNORECASE,
)
_WHOLE = ("load", "temperature")
"""Kinds whose preposition is part of what they say: "without load", "over temperature"."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition where it stands in a text.

    Attributes:
        kind: "temperature", "voltage", "mode", "page" and so on.
        text: All of it: "with a 3.3 V supply".
        core: What tells it from others of its kind: "3.3 V".
        core_start: Of the core in the text.
        is_introduced: True when it starts with a preposition of its own.
        role: What the value is of, when it says so: "supply", "VDD".
    """

    kind: str
    text: str
    start: int
    end: int
    core: str
    core_start: int
    is_introduced: bool
    role: str = ""

    @property
    def introduced(self) -> str:
        """The condition with a preposition."""
        if self.is_introduced:
            return self.text
        return f"{'in' if self.kind in ('mode', 'package') else 'at'} {self.text}"


def conditions_in(text: str) -> tuple[Condition, ...]:
    """Find the conditions of a question, in order, none within another.

    A value that follows no preposition is a condition when it follows another one, or stands alone.
    """
    found: list[Condition] = []
    for kind, pattern in _NAMED:
        found += [_named(kind, match) for match in pattern.finditer(text)]
    found += [_placed(match) for match in _PLACE.finditer(text)]
    for match in _QUANTITY.finditer(text):
        condition = _valued(match)
        if condition is not None:
            found.append(condition)
    kept: list[Condition] = []
    for condition in sorted(found, key=lambda c: (c.start, -c.end)):
        if kept and condition.start < kept[-1].end:
            continue
        if (
            condition.is_introduced
            or condition.kind in _ALWAYS
            or _stands_alone(condition, text, kept)
        ):
            kept.append(condition)
    return tuple(kept)


_ALWAYS = frozenset(("page", "figure", "table", "section", "chapter", "channel", "pin", "step",
                     "port", "revision"))  # fmt: skip


def _stands_alone(condition: Condition, text: str, kept: list[Condition]) -> bool:
    before = text[: condition.start]
    return not before.strip(" ,") or bool(
        kept and _BEFORE_LATER.sub("", before) == text[: kept[-1].end]
    )


def _named(kind: str, match: re.Match[str]) -> Condition:
    text = match.group()
    core = text if kind in _WHOLE else _BEFORE_CORE.sub("", text)
    return Condition(
        kind, text, match.start(), match.end(), core, match.end() - len(core), is_introduced=True
    )


def _placed(match: re.Match[str]) -> Condition:
    noun = match["noun"].casefold().removesuffix("s")
    start = match.start("noun")
    core = match.group()[start - match.start() :]
    return Condition(
        noun, match.group(), match.start(), match.end(), core, start, bool(match["lead"])
    )


def _valued(match: re.Match[str]) -> Condition | None:
    unit = unit_of(match["unit"].strip()) or unit_of(match["unit"].replace(" ", ""))
    if unit is None:
        return None
    kind = _KINDS.get(unit[1], unit[1])
    role = " ".join(((match["role"] or "") + (match["noun"] or "")).replace("=", " ").split())
    role = re.sub(r"\s+of$", "", role)
    return Condition(
        kind,
        match.group().rstrip(),
        match.start(),
        match.start() + len(match.group().rstrip()),
        match["value"],
        match.start("value"),
        is_introduced=bool(match["lead"]),
        role=role,
    )


def without_conditions(text: str) -> str:
    """Return a text without its conditions."""
    for condition in reversed(conditions_in(text)):
        text = f"{text[: condition.start]} {text[condition.end :]}"
    return " ".join(text.split())


def with_condition(question: str, condition: Condition) -> str:
    """Put a condition into a question: for the one of its kind, else at its end."""
    old = next(
        (
            one
            for one in reversed(conditions_in(question))
            if one.kind == condition.kind and _same_role(one, condition)
        ),
        None,
    )
    if old is None:
        return at_end(question, _linked(question, condition))
    if old.is_introduced and condition.is_introduced and (condition.role or old.kind == "mode"):
        return f"{question[: old.start]}{condition.text}{question[old.end :]}"
    if old.kind in _WHOLE and condition.is_introduced and old.is_introduced:
        return f"{question[: old.start]}{condition.text}{question[old.end :]}"
    core_end = old.core_start + len(old.core)
    return f"{question[: old.core_start]}{condition.core}{question[core_end:]}"


def _linked(question: str, condition: Condition) -> str:
    """Join it to a condition that the question ends with: "at 25 °C and 5 V"."""
    last = conditions_in(question.rstrip("?.! "))[-1:]
    words = condition.introduced
    if last and question.rstrip("?.! ").endswith(last[0].text) and words.startswith("at "):
        before = question[: last[0].end]
        if re.search(r"\bat\s+[^,?]*$", before, re.IGNORECASE):
            return f"and {words[3:]}"
    return words


def _same_role(one: Condition, other: Condition) -> bool:
    return (
        not one.role
        or not other.role
        or bool(set(one.role.casefold().split()) & set(other.role.casefold().split()))
    )


def at_end(question: str, words: str) -> str:
    """Put words at the end of a question, before its question mark."""
    bare = question.rstrip()
    mark = bare[len(bare.rstrip("?.! ")) :]
    return f"{bare.rstrip('?.! ')} {words}{mark or '?'}"
