"""Follow-ups without a verb: a condition, a limit, a name or another parameter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.retrieve.conditions import (
    Condition,
    at_end,
    conditions_in,
    with_condition,
    without_conditions,
)
from desktop_qa.retrieve.follow_up_rewrites import limit_meant, with_limit, with_parameter
from desktop_qa.retrieve.question_frame import Frame, is_quantity

PREPOSITIONAL = re.compile(
    r"^(?:in|at|with|without|during|over|via|through|by|using|for|on|under|to|into|while|after|before"
    r"|(?:when|if)(?!\s+(?:do|does|did|is|are|was|can|should|must|will|would|may|has|have)\b)"
    r"|between|from|per|across|below|above|if|until)\b(?!\s+(?:what|which|how)\b)",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"^(?:the\s+|an?\s+)?(?:[\w+-]+\s+){1,3}(?:version|variant|one|ones|model|grade)$",
    re.IGNORECASE,
)
OF_ANOTHER = re.compile(
    r"\b(?:of|for|which|these|those|among|all|any|every|each|library|documents?|datasheets?|than"
    r"|between|compared?|versus|vs|difference)\b",
    re.IGNORECASE,
)
MAX_FRAGMENT_WORDS = 9
_MAX_BARE_WORDS = 5
_SWAPPED_WITH = ("over", "via", "through", "using", "during", "for", "per", "by")
"""Prepositions whose phrases say one thing at a time: "for humidity", "for pressure"."""


def fragment_conditions(body: str) -> tuple[Condition, ...]:
    """Return the conditions that a fragment consists of; none when it says more."""
    bare = body.strip(" ?.!,")
    conditions = conditions_in(bare)
    if not conditions:
        return ()
    rest = re.sub(
        r"\b(?:and|or|with|at|in|the|of|for|only|then)\b|\W",
        "",
        without_conditions(bare),
        flags=re.I,
    )
    return () if rest else conditions


def with_conditions(question: str, conditions: Sequence[Condition]) -> str:
    """Put several conditions into a question, one after the other."""
    for condition in conditions:
        question = with_condition(question, condition)
    return question


def fragment(body: str, frame: Frame, *, is_opened: bool) -> str:
    """Complete a condition, a limit or a parameter without a verb; "" when it is none."""
    bare = body.strip(" ?.!,")
    if not bare or len(bare.split()) > MAX_FRAGMENT_WORDS:
        return ""
    if limit := limit_meant(without_conditions(bare)):
        return with_conditions(with_limit(limited(frame), limit), conditions_in(bare))
    modes = [condition for condition in frame.conditions if condition.kind == "mode"]
    if modes and _MODE_NAME.match(bare) and not is_quantity(bare):
        return with_conditions(frame.text, conditions_in(f"in {bare} mode"))
    if _VERSION.match(bare):
        return at_end(frame.text, f"for {bare if bare.startswith('the') else 'the ' + bare}")
    if PREPOSITIONAL.match(bare):
        return (
            _with_phrase(frame, bare) if is_opened or len(bare.split()) <= _MAX_BARE_WORDS else ""
        )
    if re.fullmatch(r"[\w.-]+", bare) and (swapped := _with_token(frame, bare)):
        return swapped
    if not is_opened and not _is_bare_parameter(bare):
        return ""
    if not frame.subject and not frame.noun:
        return ""
    return with_parameter(frame, bare, keeps_conditions=True)


def _is_bare_parameter(bare: str) -> bool:
    """Tell whether words without "and" before them ask for something: "dropout voltage?"."""
    if len(bare.split()) > _MAX_BARE_WORDS or OF_ANOTHER.search(bare):
        return False
    return (
        is_quantity(bare)
        or re.search(
            r"\b(?:package|pinout|pin|address|footprint|weight|size|interface|register|diagram|rating"
            r"|protection|mode|dimension|command|noise|application|feature)s?$",
            bare,
            re.IGNORECASE,
        )
        is not None
    )


_MODE_NAME = re.compile(
    r"(?:ultra|very|high|low|normal|fast|standard|continuous|forced|single|eco|active|sleep|medium"
    r"|full|light|deep|stop|one-shot)(?:[\s-]\w+){0,2}$",
    re.IGNORECASE,
)
_CONJUNCTIONS = ("when", "if", "while", "once")


def limited(frame: Frame) -> Frame:
    """Return the question that a limit is asked of: that before "Is it guaranteed?"."""
    return frame.backdrop if frame.backdrop is not None and not frame.noun else frame


def _with_token(frame: Frame, token: str) -> str:
    """Swap a name of the same shape: "and E311?" after a question about E312."""
    shape = re.sub(r"\d", "0", token)
    if shape == token:
        return _with_name(frame, token) if re.fullmatch(r"[A-Z]{2,}[A-Z_]*", token) else ""
    for match in re.finditer(r"(?<![\w-])[\w-]+(?![\w-])", frame.text):
        if re.sub(r"\d", "0", match.group()) == shape:
            return f"{frame.text[: match.start()]}{token}{frame.text[match.end() :]}"
    return ""


def _with_name(frame: Frame, name: str) -> str:
    """Swap names in capitals: "and SCL?" after "... with ADDR tied to SDA?", "and CMRR?"."""
    for match in reversed(list(re.finditer(r"(?<![\w-])[A-Z]{2,}[A-Z_]*(?![\w-])", frame.text))):
        before, after = frame.text[: match.start()], frame.text[match.end() :]
        is_place = re.search(r"\b(?:to|at|on|with|pin|register|bit)\s+(?:the\s+)?$", before)
        if is_place or match.group() == frame.noun or re.match(r"\s+(?:pin|register|bit)", after):
            return f"{before}{name}{after}"
    return ""


def _with_phrase(frame: Frame, phrase: str) -> str:
    """Put a phrase in the place of one that starts and ends alike, or at the end."""
    preposition, head = phrase.split()[0], phrase.split()[-1]
    if preposition.casefold() in _CONJUNCTIONS:
        preposition = f"(?:{'|'.join(_CONJUNCTIONS)})"
    old = re.search(
        rf"\b{preposition}\s+(?:(?!{preposition}\b)[\w+-]+\s+){{0,3}}?{re.escape(head)}(?!\w)",
        frame.text,
        re.IGNORECASE,
    )
    if old is None and preposition.casefold() in _SWAPPED_WITH:
        old = re.search(rf"\b{preposition}\s+(?:the\s+)?[\w-]+(?=\W|$)", frame.text, re.IGNORECASE)
    if old is None and re.fullmatch(r"[A-Z][A-Z_\d+-]+", head):
        old = re.search(rf"\b(?i:{preposition})\s+(?:the\s+)?[A-Z][A-Z_\d+-]+(?!\w)", frame.text)
    if old is not None and any(p.start < old.end() and old.start() < p.end for p in frame.parts):
        old = None
    if old is None:
        return at_end(frame.text, phrase)
    return f"{frame.text[: old.start()]}{phrase}{frame.text[old.end() :]}"
