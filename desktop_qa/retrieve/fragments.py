"""Follow-ups without a verb: a part, a value, a limit, a name, a condition or another noun.

Each takes the place of what the earlier question said of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_qa.augment.quantities import find_quantities
from desktop_qa.core.document import ColumnRole
from desktop_qa.retrieve.answer_kind import dimensions_named, limits_in
from desktop_qa.retrieve.earlier import OF_VALUES, Earlier, own_phrases
from desktop_qa.retrieve.part_names import NamedPart
from desktop_qa.retrieve.phrases import phrases_of, words_of

FILLER = re.compile(
    r"\b(?:the|an?|of|in|on|for|with|to|from|about|at|between|and|or|then|now|one|version|part|chip"
    r"|device|family|series|it|is|that|value|figure|number|limit|rating|spec)s?\b|['’]s\b|[^\w]",
    re.IGNORECASE,
)
_PREPOSITION = (
    r"(?:in|at|with|without|during|over|via|through|by|using|for|on|under|into|while|after|before"
    r"|between|when|if|from|per|across|up\s+to|to)"
)
_PHRASE = re.compile(rf"(?:{_PREPOSITION}\b\s*)+", re.IGNORECASE)
_BEFORE_VALUE = re.compile(rf"\b{_PREPOSITION}\s+$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:the\s+)?(?P<noun>[a-z]+)\s+(?:[A-Z]|\d[\w.-]*)$")
_TOKEN = re.compile(r"(?<![\w-])[\w-]*\d[\w-]*(?![\w-])")
_OF_NOUN = re.compile(r"\W*(?:what|which)(?:['’]s|\s+(?:is|are))|\W*compare\b", re.IGNORECASE)
_AND_LAST = re.compile(r"\s*,?\s*and\s+(?P<the>the\s+)?", re.IGNORECASE)
_REVISION = re.compile(r",?\s*(?:according\s+to\s+)?(?:the\s+)?\brevision\s+[A-Z0-9]{1,2}\b")
_LIMITS = {ColumnRole.MAX: "maximum", ColumnRole.MIN: "minimum", ColumnRole.TYP: "typical"}
_ADVERBS = {"maximum": "at most", "minimum": "at least", "typical": "typically"}
MAX_WORDS = 9


def with_fragment(body: str, meant: Earlier, parts: Sequence[NamedPart], *, is_opened: bool) -> str:
    """Complete a fragment.

    Args:
        body: Without what opens it: "and", "what about".
        meant: The question that it goes on from.
        parts: That it names.
        is_opened: Something opens it.

    Returns:
        "" when it is no fragment of that question.
    """
    bare = body.strip(" ?.!,")
    if not bare or len(bare.split()) > MAX_WORDS:
        return ""
    if parts:
        rest = without(bare, ((part.start, part.end) for part in parts))
        is_only = not FILLER.sub("", _without_values(rest))
        if not is_opened and not (is_only and len(bare.split()) <= 2 * len(parts) + 1):
            return ""
        names = tuple(dict.fromkeys(part.name for part in parts))
        text = _with_parts(meant, names)
        if not FILLER.sub("", rest):
            return text
        noun = next((p for p in phrases_of(text) if p.text not in names), None)
        meant = replace(meant, text=text, parts=(), about=names, noun=noun)
        bare = rest.strip(" ?.!,")
    elif not (is_opened or body.rstrip().endswith("?") or find_quantities(bare)):
        is_named = bool(dimensions_named(bare) or limits_in(bare))
        if not is_named:
            return ""
    text = _with_values(meant.text, bare)
    words = FILLER.sub(" ", _without_values(bare)).split()
    heads = {phrase.head for phrase in phrases_of(bare) if not limits_in(phrase.head)}
    if (limits := limits_in(bare)) and heads <= OF_VALUES | {"case"}:
        return _with_limit(text, meant, _LIMITS[limits[0]])
    is_led = words_of(bare)[0].tag == "IN"
    is_known = all(word.casefold() in text.casefold() for word in words)
    if text != meant.text and (is_led or is_known):
        return text
    is_alone = not parts and not is_opened and len(words) < 2 and not is_led
    return "" if is_alone else _with_phrase(text, meant, bare)


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text without some of its characters."""
    for start, end in sorted(set(spans), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split())


def _without_values(text: str) -> str:
    return without(text, ((value.start, value.end) for value in find_quantities(text)))


def at_end(question: str, words: str) -> str:
    """Put words at the end of a question, before its question mark."""
    bare = question.rstrip("?.! ")
    return f"{bare} {words}{question.rstrip()[len(bare) :] or '?'}"


def _with_parts(meant: Earlier, names: Sequence[str]) -> str:
    """Ask the earlier question of other parts; to a comparison they are added.

    A revision belongs to the part that it was said of, and goes with it.
    """
    text = meant.text
    joined = " and the ".join(names)
    if not meant.parts:
        return at_end(text, f"of the {joined}")
    if len({part.name for part in meant.parts}) > 1:
        before, last = meant.parts[-2:]
        link = _AND_LAST.fullmatch(text[before.end : last.start])
        the = "the " if text[: last.start].lower().endswith("the ") else ""
        added = "".join(f" and {the}{name}" for name in names)
        if link is not None:
            return f"{text[: before.end]}, {the}{last.name}{added}{text[last.end :]}"
        return f"{text[: last.end]}{added}{text[last.end :]}"
    for part in reversed(meant.parts):
        text = f"{text[: part.start]}{joined}{text[part.end :]}"
    return _REVISION.sub("", text)


def _with_values(text: str, fragment: str) -> str:
    """Put the values of a fragment in the place of those with the same dimension."""
    values = {(value.start, value.end): value.base for value in find_quantities(fragment)}
    for (start, end), base in values.items():
        new = fragment[start:end]
        old = next((value for value in find_quantities(text) if value.base == base), None)
        if old is not None:
            text = f"{text[: old.start]}{new}{text[old.end :]}"
        else:
            lead = _BEFORE_VALUE.search(fragment[:start])
            text = at_end(text, f"{lead.group() if lead is not None else 'at '}{new}")
    return text


def _with_limit(text: str, meant: Earlier, limit: str) -> str:
    """Ask for another limit: the maximum instead of the typical value."""
    for word in words_of(text):
        if limits_in(word.text):
            new = _ADVERBS[limit] if word.tag == "RB" else limit
            new = new.capitalize() if word.text[0].isupper() else new
            return f"{text[: word.start]}{new}{text[word.start + len(word.text) :]}"
    if meant.noun is None or meant.work:
        return at_end(text, f"({limit})")
    start = text.find(meant.noun.text)
    noun = text[start:] if start else text[:1].lower() + text[1:]
    return f"{text[:start]}{limit if start else limit.capitalize()} {noun}"


def _with_phrase(text: str, meant: Earlier, bare: str) -> str:
    """Put a noun, a name or a phrase with a preposition in the place of its like."""
    new, old_phrases = phrases_of(f"of {bare}"), own_phrases(text, meant.parts)
    if (named := _NUMBERED.match(bare)) is not None:
        like = re.search(rf"\b{named['noun']}\s+(?:[A-Z]|\d[\w.-]*)(?!\w)", text, re.IGNORECASE)
        if like is not None:
            return f"{text[: like.start()]}{bare}{text[like.end() :]}"
    if len(new) == 1:
        for old in old_phrases:
            if old.head == new[0].head and old.text != new[0].text:
                return f"{text[: old.start]}{_kept(old.text, new[0].text)}{text[old.end :]}"
    for token in _TOKEN.findall(bare):
        for match in _TOKEN.finditer(text):
            if _shape(match.group()) == _shape(token):
                return f"{text[: match.start()]}{token}{text[match.end() :]}"
    if (lead := _PHRASE.match(bare)) is not None:
        word = re.escape(lead.group().split()[-1])
        like = re.search(
            rf"\b{word}\s+(?:the\s+)?(?:[\w/+-]+\s+){{0,2}}?[\w/+-]+(?=\s+(?:of|in|on|at|for|with)\b|\W*$)",
            text,
            re.IGNORECASE,
        )
        if like is None or any(part.name in like.group() for part in meant.parts):
            return at_end(text, bare)
        return f"{text[: like.start()]}{bare}{text[like.end() :]}"
    if not new and words_of(bare)[-1].tag.startswith(("JJ", "VBG", "RB", "VBN")):
        for old in reversed(old_phrases):
            if " " in old.text and (meant.noun is None or old.start != meant.noun.start):
                return f"{text[: old.start]}{bare} {old.text.rsplit(' ', 1)[1]}{text[old.end :]}"
        return at_end(text, f"({bare})")
    return _with_noun(text, meant, re.sub(r"^(?:the|its|their)\s+", "", bare, flags=re.IGNORECASE))


def _shape(token: str) -> str:
    return re.sub(r"\d+", "0", token)


def _kept(old: str, new: str) -> str:
    """Keep the limit before a noun for the one in its place, where that can have one too."""
    first = old.split()[0]
    keeps = limits_in(first) and not limits_in(new) and dimensions_named(new)
    return f"{first} {new}" if keeps else new


def _with_noun(text: str, meant: Earlier, noun: str) -> str:
    """Ask for something else of the same part, under the same conditions."""
    old = meant.noun
    if old is not None and not meant.is_thing:
        is_first = text.startswith(old.text)
        if meant.work:
            return f"{text[: old.start]}{noun}{text[old.end :]}"
        if is_first or _OF_NOUN.match(text):
            return f"{text[: old.start]}{_kept(old.text, noun)}{text[old.end :]}"
        noun = _kept(old.text, noun)
    of = f" of {meant.subject}" if meant.subject else ""
    return f"What is the {noun}{of}?"
