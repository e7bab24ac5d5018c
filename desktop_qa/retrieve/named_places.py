"""Places named by words: "the Layout section", "the table of maximum ratings", "the pinout"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_qa.augment.codes import is_part_number
from desktop_qa.core.answer import PlaceKind
from desktop_qa.retrieve.phrases import Phrase, phrases_of
from desktop_qa.retrieve.place_words import DOCUMENT_WORD, ELEMENT_WORDS

_PASSAGES = ("paragraph", "passage", "part", "topic")
_NOUNS = (
    rf"\b(?i:(?P<section>(?:sub)?section|chapter|{'|'.join(_PASSAGES)})|(?P<table>table)"
    rf"|(?P<figure>flow\s?chart|photo|{ELEMENT_WORDS}))"
)
_ANY_NOUN = re.compile(_NOUNS)
_NOUN = re.compile(rf"{_NOUNS}(?=$|\s*[\"“‘A-Z])")
_STANDING_ALONE = re.compile(
    r"\b(?:pin-?out|pin\s+(?:assignment|configuration)|typical\s+application\s+circuit"
    r"|application\s+circuit|land\s+pattern|(?:pcb\s+)?footprint|layout\s+example"
    r"|package\s+(?:outline|dimensions))\b",
    re.IGNORECASE,
)
"""Drawings that go by a name of their own, without a noun for "figure"."""

_SHOWS = re.compile(
    r"\b(?:show|see|is\s+there|which|what|where\s+is|find|open|display|picture|draw\w*|look\s+at|get)\b",
    re.IGNORECASE,
)
_READS = re.compile(
    rf"\b(?:{DOCUMENT_WORD}|summari[sz]\w*|sum\s+up|rewrite|turn|quote|read|list|show|says?|said|cover\w*"
    r"|describe\w*|recommend\w*|mention\w*|explain\w*|stands?|written|contents?|extract|advice)\b",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"(?:block|timing|pin-?out|pin|state|flow|package|outline|mechanical|wiring|connection|hook-?up"
    r"|application|circuit|sequence|bonding)\s*(?:circuit)?$",
    re.IGNORECASE,
)
"""A word that tells the kind of drawing, so that "diagram" behind it needs no more of a name."""

_OF = re.compile(
    r"\s+(?P<word>of|on|about|with|for|listing|showing|called|titled|named|entitled|that\s+(?:lists"
    r"|shows|gives)|covering)\s+(?:the\s+|an?\s+|all\s+)?$",
    re.IGNORECASE,
)
_AFTER_ARTICLE = re.compile(
    r"(?:\bthe|\ban?|\bits|['’]s)\s+((?:(?!of\b|the\b|and\b)[\w/+-]+\s+){1,3})$", re.IGNORECASE
)
"""A name of which the parser takes a word for a verb: "the operating modes table"."""

_JOINED = re.compile(r"\s+(?:and|of|for|or)\s+(?:the\s+)?$", re.IGNORECASE)
_BEHIND = re.compile(
    r"\s+(?:[\"“‘'](?P<quoted>[^\"”’']{2,80})[\"”’']"
    r"|(?P<capitals>[A-Z][\w/-]*(?:\s+(?:(?:and|of|for|the|to|in|with|on)\s+)*[A-Z][\w/-]*)*))"
)
_IDLE = re.compile(
    r"(?:following|above|below|next|previous|same|first|second|third|last|whole|entire|corresponding"
    r"|relevant|right|wrong|correct|each|every|other|another|main|important|new|only|complete|full"
    r"|big|small|large|single|separate|named|[\d.–,-]+|pages?|sections?|chapters?|tables?|figures?"
    rf"|{DOCUMENT_WORD})",
    re.IGNORECASE,
)
_KINDS: Mapping[str, PlaceKind] = {"table": PlaceKind.TABLE, "figure": PlaceKind.FIGURE}


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place named by words.

    Attributes:
        start: Of the noun in the text.
        end: One past the noun.
    """

    kind: PlaceKind
    title: str
    start: int
    end: int


def find_named_places(text: str) -> Iterator[NamedPlace]:
    """Yield the places named by words.

    Args:
        text: A question without what only sounds like a place.
    """
    phrases = phrases_of(text.replace("\x00", ".")) if _ANY_NOUN.search(text) else ()
    titles: list[str] = []
    for n, phrase in enumerate(phrases):
        match = _NOUN.search(text, phrase.start, phrase.end)
        if match is None:
            continue
        kind = _KINDS.get(match.lastgroup or "", PlaceKind.SECTION)
        title = _title(text, phrases, n, match)
        if title and _is_meant(text, match, title):
            yield NamedPlace(kind, title, *match.span())
            titles.append(title.casefold())
    for match in _STANDING_ALONE.finditer(text):
        is_in_title = any(match.group().casefold() in title for title in titles)
        if not is_in_title and _SHOWS.search(text):
            yield NamedPlace(PlaceKind.FIGURE, match.group(), *match.span())


def _title(text: str, phrases: Sequence[Phrase], n: int, match: re.Match[str]) -> str:
    """Return the words that name a place, before its noun or behind it.

    "The efficiency graph" fits half of the plots: of a figure two words are needed.
    """
    start = phrases[n].start
    while n and not phrases[n].article and _JOINED.fullmatch(text[phrases[n - 1].end : start]):
        n, start = n - 1, phrases[n - 1].start
    before = _clean(text[start : match.start()])
    if not before and (verbal := _AFTER_ARTICLE.search(text, 0, match.start())) is not None:
        before = _clean(verbal[1])
    if match["figure"] and _KIND_BEFORE.search(before):
        return f"{before} {match.group().lower()}"
    if before and not match["figure"]:
        return before
    title = _title_behind(text, phrases, match)
    if match["figure"]:
        title = f"{before} {title}".strip()
        words = [word for word in title.split() if word.lower() not in ("circuit", "and", "of")]
        return title if len(words) > 1 else ""
    return title


def _title_behind(text: str, phrases: Sequence[Phrase], match: re.Match[str]) -> str:
    behind = _BEHIND.match(text, match.end())
    if behind is not None and (behind["quoted"] or match["section"]):
        return _clean(behind["quoted"] or behind["capitals"])
    later = [phrase for phrase in phrases if phrase.start > match.end()]
    lead = _OF.match(text[match.end() : later[0].start]) if later else None
    if lead is None or match.group().lower() in _PASSAGES:
        return ""
    if match["figure"] and lead["word"].lower() not in ("of", "for"):
        return ""
    end = later[0].end
    for phrase in later[1:]:
        if text[end : phrase.start].strip() != "and":
            break
        end = phrase.end
    return _clean(text[later[0].start : end])


def _clean(title: str) -> str:
    """Drop part numbers, document words and words that name nothing."""
    words = (word.strip("\"'“”‘’()[]\x00") for word in title.split())
    kept = [word for word in words if word and not is_part_number(word)]
    return " ".join(word for word in kept if not _IDLE.fullmatch(word))


def _is_meant(text: str, match: re.Match[str], title: str) -> bool:
    """Tell a part of the document from a part of the device ("the analog section draws ...")."""
    noun = match.group().lower()
    n_capitals = sum(word[0].isupper() and len(word) > 3 for word in title.split())
    if noun in _PASSAGES:
        return n_capitals >= (2 if noun == "part" else 1)
    if match["figure"]:
        return bool(_SHOWS.search(text) or _READS.search(text))
    return match["table"] is not None or n_capitals > 0 or bool(_READS.search(text))
