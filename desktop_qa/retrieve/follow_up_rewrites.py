"""Complete questions made of an earlier one with another part, parameter, limit or condition."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.retrieve.conditions import at_end, conditions_in
from desktop_qa.retrieve.question_frame import QUALIFIER, Frame, Wording, is_quantity

_ADVERBS = {"typical": "typically", "maximum": "at most", "minimum": "at least"}
_MEANINGS = (
    ("absolute maximum", r"absolute\s+max(?:imum)?(?:\s+ratings?)?"),
    ("maximum", r"max(?:imum)?\.?|at\s+(?:the\s+)?most|highest|largest|upper\s+limit"),
    ("minimum", r"min(?:imum)?\.?|at\s+least|lowest|smallest|lower\s+limit"),
    ("typical", r"typ(?:ical(?:ly)?)?\.?"),
    ("worst-case", r"(?:at\s+|in\s+the\s+)?worst(?:[- ]case)?"),
    ("guaranteed", r"guaranteed"),
    ("longest", r"longest"),
    ("shortest", r"shortest"),
    ("default", r"default|by\s+default"),
)
_MEANT = tuple(
    (name, re.compile(rf"(?:the\s+)?(?:{pattern})", re.IGNORECASE)) for name, pattern in _MEANINGS
)
_FILLER = re.compile(r"\b(?:value|one|figure|number|limit|rating|spec|specification)s?\b", re.I)
_LIMIT_WORDS = re.compile(rf"\b{QUALIFIER}(?:\s+(?:and|or)\s+{QUALIFIER})*(?!\w)", re.IGNORECASE)
_LIMIT_ADVERBS = re.compile(
    r"\b(?:typically|at\s+(?:the\s+)?most|at\s+least|at\s+worst|maximally|minimally)\b",
    re.IGNORECASE,
)
_REVISION = re.compile(
    r",?\s*(?:according\s+to\s+)?(?:the\s+)?\brev(?:ision|\.)?\s+[A-Z0-9]{1,2}\b"
)


def limit_meant(words: str) -> str:
    """Return the limit that a fragment names, and nothing else: "the maximum value", "at most"."""
    bare = " ".join(_FILLER.sub(" ", words.strip(" ?.!,")).split())
    return next((name for name, pattern in _MEANT if pattern.fullmatch(bare)), "")


def with_limit(frame: Frame, limit: str) -> str:
    """Ask the earlier question for another limit: its maximum instead of its typical value."""
    text = frame.text
    adverb = _LIMIT_ADVERBS.search(text)
    if adverb is not None:
        return f"{text[: adverb.start()]}{_ADVERBS.get(limit, limit)}{text[adverb.end() :]}"
    qualifier = _LIMIT_WORDS.search(text)
    if qualifier is not None:
        new = limit if qualifier.group()[0].islower() else limit.capitalize()
        return f"{text[: qualifier.start()]}{new}{text[qualifier.end() :]}"
    if frame.wording in (Wording.VALUE, Wording.COMPARE) and frame.noun:
        start = frame.noun_start
        noun = text[start:] if start else text[:1].lower() + text[1:]
        new = limit if start else limit.capitalize()
        return f"{text[:start]}{new} {noun}"
    return at_end(text, _ADVERBS.get(limit, f"({limit})"))


def with_part(frame: Frame, names: Sequence[str]) -> str:
    """Ask the earlier question of another part; to a comparison it is added.

    A revision belongs to the part that it was said of, and goes with it.
    """
    text = frame.text
    own = list(dict.fromkeys(part.name for part in frame.parts))
    joined = " and the ".join(names)
    if not own:
        return at_end(text, f"of the {joined}")
    if len(own) > 1:
        before, last = frame.parts[-2:]
        article = "the " if text[: last.start].lower().endswith("the ") else ""
        added = "".join(f" and {article}{name}" for name in names)
        link = text[before.end : last.start]
        if re.fullmatch(r"\s*,?\s*and\s+(?:the\s+)?", link, re.IGNORECASE):
            article = "the " if link.lower().endswith("the ") else ""
            return f"{text[: before.end]}, {article}{last.name}{added}{text[last.end :]}"
        return f"{text[: last.end]}{added}{text[last.end :]}"
    for part in reversed(frame.parts):
        text = f"{text[: part.start]}{joined}{text[part.end :]}"
    return _REVISION.sub("", text)


def with_parameter(frame: Frame, noun: str, *, keeps_conditions: bool) -> str:
    """Ask for another parameter of the same part.

    Args:
        frame: The earlier question.
        noun: A noun phrase, possibly with conditions and an article.
        keeps_conditions: Let the earlier conditions hold for it, where it is a quantity.
    """
    noun = re.sub(r"^(?:the|its|their)\s+", "", noun.strip(" ?.!,"), flags=re.IGNORECASE)
    if frame.wording is Wording.TASK:
        return _with_object(frame, noun)
    if swapped := _with_same_head(frame, noun):
        return swapped
    own = conditions_in(noun)
    head, tail = (noun[: own[0].start].strip(), noun[own[0].start :]) if own else (noun, "")
    qualifier = _qualifier_for(frame, head)
    kinds = {condition.kind for condition in own}
    if keeps_conditions and frame.parts and is_quantity(head):
        kept = [c.introduced for c in frame.conditions if c.kind not in kinds and c.kind in _HOLD]
        tail = " ".join((*kept, tail)).strip()
    of = f" of {frame.subject}" if frame.subject else ""
    if frame.wording is Wording.COMPARE:
        return f"Compare the {qualifier}{head}{of} {tail}".rstrip() + "."
    article = "" if re.match(r"(?:an?|any|all)\s", head) else "the "
    return f"What {_is(head)} {article}{qualifier}{head}{of} {tail}".rstrip() + "?"


_HOLD = frozenset(
    ("temperature", "voltage", "current", "frequency", "mode", "load", "gain", "revision",
     "resistance", "capacitance", "package")
)  # fmt: skip
"""Conditions that one parameter is measured under as well as another."""


def _qualifier_for(frame: Frame, noun: str) -> str:
    """Return the limit of the earlier question where the new parameter can have one too."""
    has_own = re.match(rf"{QUALIFIER}\b", noun, re.IGNORECASE)
    limit = next((n for n, p in _MEANT[1:4] if p.fullmatch(frame.qualifier)), "")
    return f"{limit} " if limit and not has_own and is_quantity(noun) else ""


def _is(noun: str) -> str:
    last = re.split(r"\s+(?:of|for|from|between|in|on|per)\s", noun)[0].split()[-1].lower()
    is_plural = last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))
    return "are" if is_plural else "is"


def _with_same_head(frame: Frame, noun: str) -> str:
    """Swap names of the same kind: the STATUS register for the CONFIG register.

    Only where the noun itself is that kind, or names stand before it; "offset voltage" may stand
    for "input voltage", but a longer name is not cut.
    """
    words = without_qualifier(noun).split()
    if len(words) < 2 or len(words) > 4 or conditions_in(noun):
        return ""
    head = words[-1]
    for match in re.finditer(rf"(?<![\w-]){re.escape(head)}(?![\w-])", frame.text, re.IGNORECASE):
        before = frame.text[: match.start()].rstrip()
        name = _name_before(before)
        if not name:
            continue
        start = len(before) - len(name)
        if any(part.start < match.end() and start < part.end for part in frame.parts):
            continue
        return f"{frame.text[:start]}{noun}{frame.text[match.end() :]}"
    return ""


_NOT_NAMES = re.compile(
    r"(?:the|an?|of|at|in|on|for|to|from|with|and|or|what|which|how|much|many|is|are|does|do|has|have"
    r"|its|their|into|onto|by|as|per|set|read|write|use|most|least|must|not|never|be)|.*['’]s|"
    + QUALIFIER,
    re.IGNORECASE,
)


def _name_before(before: str) -> str:
    """Return the words before a noun that name which one it is."""
    kept: list[str] = []
    for word in reversed(before.split(" ")):
        if not word or _NOT_NAMES.fullmatch(word) or not re.fullmatch(r"[\w/+.-]+", word):
            break
        kept.insert(0, word)
    return " ".join(kept)


def without_qualifier(noun: str) -> str:
    """Return a noun phrase without "maximum", "typical" and the like before it."""
    return re.sub(rf"^(?:{QUALIFIER}\s+)+", "", noun, flags=re.IGNORECASE)


_OBJECT = re.compile(
    r"^(?P<verb>[a-z-]+(?:\s+(?:up|down|off|on|out))?)\s+"
    r"(?P<object>(?:(?:the|an?|my|its|all)\s+)?[\w/+-]+(?:\s+[\w/+-]+){0,3}?)"
    r"(?=\s+(?:of|in|on|at|to|for|from|with|over|via|by|through|using|when|while|so|and|after|before)\b"
    r"|\s*[,?.]|\s*$)",
    re.IGNORECASE,
)


def _with_object(frame: Frame, noun: str) -> str:
    """Do the same with another thing: "How do I calibrate the outputs of the ORB-1?"."""
    match = _OBJECT.match(frame.noun)
    if match is None:
        of = f" of {frame.subject}" if frame.subject else ""
        return f"What {_is(noun)} the {noun}{of}?"
    start = frame.noun_start + match.start("object")
    end = frame.noun_start + match.end("object")
    article = re.match(r"(?:the|an?|my|its|all)\s+", match["object"], re.IGNORECASE)
    new = f"{article.group() if article is not None else 'the '}{noun}"
    return f"{frame.text[:start]}{new}{frame.text[end:]}"
