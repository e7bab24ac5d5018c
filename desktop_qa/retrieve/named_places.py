"""Places named by words: "the Layout section", "the table of maximum ratings", "the pinout"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_qa.augment.codes import is_part_number
from desktop_qa.core.answer import PlaceKind
from desktop_qa.retrieve.place_words import DOCUMENT_WORD

_FIGURE_NOUNS = (
    r"figure|diagram|drawing|plot|graph|chart|flow\s?chart|curve|picture|image|illustration"
    r"|schematic|photo"
)
_NOUN = re.compile(
    rf"\b(?P<section>(?:sub)?section|chapter)\b|\b(?P<passage>paragraph|passage|part|topic)\b"
    rf"|\b(?P<table>table)\b|\b(?P<figure>{_FIGURE_NOUNS})\b",
    re.IGNORECASE,
)
_STANDING_ALONE = re.compile(
    r"\b(?:pin-?out|pin\s+(?:assignment|configuration)|typical\s+application\s+circuit"
    r"|application\s+circuit|land\s+pattern|(?:pcb\s+)?footprint|layout\s+example"
    r"|package\s+(?:outline|dimensions))\b",
    re.IGNORECASE,
)
"""Drawings that go by a name of their own, without a noun for "figure"."""

_SHOWS = re.compile(
    r"\b(?:show|see|is\s+there|which|what|where\s+is|find|open|display|picture|draw\w*|look\s+at|get)\b"
    r"|\bwhat\s+(?:does|is)\s+the\s+(?:pin-?out|land)\b",
    re.IGNORECASE,
)

_KIND_BEFORE = re.compile(
    r"(?:block|timing|pin-?out|pin|state|flow|package|outline|mechanical|wiring|connection|hook-?up"
    r"|application|circuit|sequence|bonding)\s*(?:circuit)?$",
    re.IGNORECASE,
)
"""A word that tells the kind of drawing, so that "diagram" behind it needs no more of a name."""

_PLACE_IN_TITLE = re.compile(r"\b(?:pages?|sections?|chapters?|tables?|figures?)\b", re.IGNORECASE)

_ARTICLES = "the a an this its their whose our my"
_BEFORE_TITLE = frozenset(_ARTICLES.split())
_OTHER_WORDS = """
    which what whose where is are was were does do did can could show shows shown give me list lists
    summarise summarize summarised rewrite turn extract read quote explain describe open see find
    display in from of on at to by for with under per say says i you we it and or about into if that
    there any some all has have using please according
"""
_ENDS_TITLE = frozenset(_OTHER_WORDS.split())
_IDLE_WORDS = """
    following above below next previous same first second third last whole entire corresponding
    relevant right wrong correct each every this that other another one main important new only
    complete full big small large single separate named
"""
_SAYS_NOTHING = frozenset(_IDLE_WORDS.split())
_READING = re.compile(
    rf"\b(?:{DOCUMENT_WORD}|summari[sz]\w*|sum\s+up|rewrite|rephrase|turn|quote|read|list|show|say"
    r"|says|said|cover\w*|describe\w*|recommend\w*|mention\w*|explain\w*|stand|stands|written"
    r"|what\s+is\s+in|what['’]s\s+in|contents?|extract|points?|advice|overview)\b",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(
    r"\s+(?:(?:of|on|about|with|for|listing|showing|called|titled|named|entitled|giving"
    r"|that\s+(?:lists|shows|gives)|covering|headed)\s+)(?:the\s+|an?\s+|all\s+)?"
    r"(?P<title>[^?.,;:!\x00]{1,150})",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"\s+[\"'“‘]?(?P<title>[A-Z][\w/-]*(?:\s+(?:(?:and|of|for|the|to|in|with|on)\s+)*[A-Z][\w/-]*)*)"
)
_QUOTED = re.compile(r"\s+[\"“‘'](?P<title>[^\"”’']{2,80})[\"”’']")
_END_OF_FOLLOWING = re.compile(
    r"\s+(?:(?:of|in|from|for|on|by)\s+(?:the\b|this\b|page\b|[A-Z]*\d)|does\b|do\b|is\b|are\b|say\b"
    rf"|show\b|list\b|as\b|into\b|at\b|and\s+(?:what|how|which)\b|{DOCUMENT_WORD}\b).*$",
    re.IGNORECASE,
)
_MAX_TITLE_WORDS = 8


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
    ends: list[int] = []
    for match in _NOUN.finditer(text):
        kind = _kind_of(match)
        title = _title_before(text, match)
        if kind is PlaceKind.FIGURE:
            title = _title_of_figure(text, match, title)
        else:
            title = title or _title_after(text, match)
        if title and not _PLACE_IN_TITLE.search(title) and _is_meant(text, match, title):
            yield NamedPlace(kind, title, *match.span())
            ends.append(match.end())
    for match in _STANDING_ALONE.finditer(text):
        is_before_noun = any(0 <= end - match.end() < 20 for end in ends)
        if not is_before_noun and _SHOWS.search(text):
            yield NamedPlace(PlaceKind.FIGURE, match.group(), *match.span())


def _title_of_figure(text: str, match: re.Match[str], before: str) -> str:
    """Return the name of a kind of drawing, or what a picture is of when that is enough to go by.

    "The efficiency graph" fits half of the plots; two words are needed.
    """
    noun = match.group().lower()
    if _KIND_BEFORE.search(before):
        return f"{before} {noun}"
    if not before:
        following = _FOLLOWING.match(text, match.end())
        is_of = following is not None and following.group().split()[0].lower() in ("of", "for")
        return _two_words(_title_after(text, match)) if is_of else ""
    return _two_words(f"{before} {_title_after(text, match)}")


def _two_words(title: str) -> str:
    words = [word for word in title.split() if word.lower() not in ("circuit", *_ENDS_TITLE)]
    return title.strip() if len(words) >= 2 else ""


def _kind_of(match: re.Match[str]) -> PlaceKind:
    if match["table"]:
        return PlaceKind.TABLE
    return PlaceKind.FIGURE if match["figure"] else PlaceKind.SECTION


def _title_before(text: str, match: re.Match[str]) -> str:
    """Return the words before the noun that name it: those after the nearest article."""
    before = re.split(r"[?.,;:!()\x00](?:\s|$)", text[max(0, match.start() - 200) : match.start()])[
        -1
    ]
    words = before.split()[-_MAX_TITLE_WORDS:]
    start = next((i for i in range(len(words), 0, -1) if _ends_before(words[i - 1])), 0)
    if start and words[start - 1].lower() not in _BEFORE_TITLE:
        # "pin configuration and functions section": look further back for the article.
        article = next((i for i in range(start, 0, -1) if words[i - 1].lower() in _BEFORE_TITLE), 0)
        inner = [word.lower() for word in words[article:start]]
        if article and not any(w in _ENDS_TITLE - {"and", "of", "or", "for"} for w in inner):
            start = article
    return _clean(words[start:])


def _ends_before(word: str) -> bool:
    lowered = word.lower()
    return lowered in _BEFORE_TITLE or lowered in _ENDS_TITLE or lowered.endswith(("'s", "’s"))


def _title_after(text: str, match: re.Match[str]) -> str:
    """Return the words after the noun that name it: "section on layout", "chapter Layout"."""
    quoted = _QUOTED.match(text, match.end())
    if quoted is not None:
        return _clean(quoted["title"].split())
    following = _FOLLOWING.match(text, match.end())
    if following is not None and not match["passage"]:
        title = _END_OF_FOLLOWING.sub("", f" {following['title']}")
        return _clean(title.split()[:_MAX_TITLE_WORDS])
    capitals = _CAPITALS.match(text, match.end())
    if capitals is not None and match["section"]:
        return _clean(capitals["title"].split())
    return ""


def _clean(words: list[str]) -> str:
    """Drop part numbers, document words and words that name nothing."""
    kept = []
    for word in words:
        bare = word.strip("\"'“”‘’()[]\x00")
        if is_part_number(bare) or re.fullmatch(DOCUMENT_WORD, bare, re.IGNORECASE):
            continue
        if bare and bare.lower() not in _SAYS_NOTHING | _BEFORE_TITLE:
            kept.append(bare)
    while kept and kept[0].lower() in _ENDS_TITLE:
        kept.pop(0)
    while kept and kept[-1].lower() in _ENDS_TITLE:
        kept.pop()
    named = [word for word in kept if not re.fullmatch(r"[\d.\-–,]+", word)]
    return " ".join(kept) if named else ""


def _is_meant(text: str, match: re.Match[str], title: str) -> bool:
    """Tell a part of the document from a part of the device ("the analog section draws ...")."""
    if match["passage"]:
        n_capitals = sum(word[0].isupper() for word in title.split())
        return n_capitals >= (2 if match.group().lower() == "part" else 1)
    if match["section"]:
        starts_large = any(word[0].isupper() and len(word) > 3 for word in title.split())
        return starts_large or bool(_READING.search(text))
    return match["figure"] is None or bool(_SHOWS.search(text) or _READING.search(text))
