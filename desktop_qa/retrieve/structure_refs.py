"""Places that a question names, found without a language model (PDFTriage, section 3).

Numbers ("page 5", "section 8.3.4", "Table 7-2"), words ("the Layout section", "the block diagram"),
counts and lists ("how many tables", "list the sections") and combinations ("the figure on page 3").
The words are only cut out here; which heading or caption they mean is for the library to say
(`desktop_qa.retrieve.places`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.augment.codes import is_part_number
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.core.answer import Asked, PlaceKind, StructureRef
from desktop_qa.retrieve.phrases import Phrase, phrases_of

DOCUMENT_WORD = (
    r"(?:data\s?sheets?|documents?|manuals?|pdfs?|specifications?|user['’]?s?\s+guides?)"
)
FIGURE_NOUNS = (
    "figure", "diagram", "drawing", "plot", "graph", "chart", "curve", "picture", "image",
    "illustration", "schematic",
)  # fmt: skip
FIGURE_WORDS = "|".join(f"{noun}s?" for noun in FIGURE_NOUNS)
_MAX_CHARACTERS = 3000
"""A question is read so far: what is longer is a pasted text, in which no place is asked for."""

_ORDINALS = {
    "second to last": -2, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
}  # fmt: skip
_ROOMS = (PlaceKind.PAGE, PlaceKind.SECTION)
_ELEMENTS = (PlaceKind.TABLE, PlaceKind.FIGURE)
_PASSAGES = ("paragraph", "passage", "part", "topic")

_LOOK_ALIKES = re.compile(
    r"""\b(?:noise\s+figures? | figures?\s+of\s+merit | (?:look-?\s?up|truth)\s+tables?
      | page[-\s]size | cross[-\s]sections?
      | pages?\s+(?:\d+\s+)?(?:of|in|from)\s+(?:the\s+)?(?:eeprom|flash|memory|array|register|ram)
      )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What only sounds like a place: numbers, tables of logic, pages of a memory, cross sections."""

_RANGE = r"\s*(?:[-–—]|\b(?:to|through|until)\b)\s*"
_AND = r"\s*(?:,\s*and\b|,|&|\band\b|\bor\b)\s*"
_LABEL = (
    rf"(?:(?:[A-Z][-.])?\d{{1,4}}(?:[-.–]\d{{1,4}})*[a-z]?(?![\w-])|[A-Z](?:\.\d{{1,3}})+"
    rf"|(?:{'|'.join(SMALL_NUMBERS)})\b)"
)
_NUMBERED = re.compile(
    r"(?:\b(?P<noun>pages?|pp?\.|(?:sub)?sections?|chapters?|clauses?|paragraphs?|sec\.|ch(?:ap)?\."
    r"|tables?|tab\.|figures?|figs?\.?)|§§?)\s*(?:(?:no\.?|numbers?)\s*)?"
    rf"(?P<all>{_LABEL}(?:(?:{_AND}|{_RANGE})(?:(?:pages?|sections?|chapters?|tables?|figures?|fig\.)"
    rf"\s+)?{_LABEL})*)"
    r"|\b(?P<annex>appendix|annex)\s+(?P<letter>[A-Z]|\d{1,2})\b",
    re.IGNORECASE,
)
_NTH_PAGE = re.compile(
    rf"\b(?:(?P<nth>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,3}})(?:st|nd|rd|th))"
    rf"(?:\s+(?P<n>\d{{1,2}}|{'|'.join(SMALL_NUMBERS)}))?\s+pages?\b",
    re.IGNORECASE,
)
_KINDS = {
    "page": PlaceKind.PAGE, "section": PlaceKind.SECTION, "chapter": PlaceKind.SECTION,
    "heading": PlaceKind.SECTION, "table": PlaceKind.TABLE, "figure": PlaceKind.FIGURE,
    "drawing": PlaceKind.FIGURE, "diagram": PlaceKind.FIGURE, "picture": PlaceKind.FIGURE,
    "image": PlaceKind.FIGURE,
}  # fmt: skip
_OF_ALL = re.compile(
    rf"\b(?:how\s+many|number\s+of|count(?:\s+the|\s+all)?)\s+(?:\w+\s+)?(?:sub)?"
    rf"(?P<counted>{'|'.join(_KINDS)})s\b(?=\s*(?:\?|$|(?:are|is|does|do|has|have|in|on|of)\b))"
    r"|\b(?:list|show|name|give\s+me)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?"
    rf"(?P<listed>{'|'.join(_KINDS)})s\b(?!\s+(?:that|which|with|for)\b)"
    rf"|\b(?:which|what)\s+(?P<asked>{'|'.join(_KINDS)})s\s+(?:(?:does|do)\b.{{0,60}}\b(?:have|contain"
    r"|include)|are\s+(?:there|(?=in\b|on\b)|listed|contained))\b"
    rf"|\b(?:(?:table|list)\s+of\s+contents|how\s+is\s+(?:the|this)\s+(?:\S+\s+)?{DOCUMENT_WORD}\s+"
    r"(?:structured|organi[sz]ed))\b",
    re.IGNORECASE,
)
_OF_A_DOCUMENT = re.compile(
    r"\b(?:(?P<author>authors?\s+of|who\s+(?:wrote|published|issued))|(?P<date>when\s+was)"
    r"|(?P<fact>title|date|revision|version)s?\s+(?:of|is|has|does))\s+(?:\S+\s+){0,3}?"
    rf"{DOCUMENT_WORD}\b(?!\s+(?:register|history))",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"\bhow\s+(?:(?:do|can|should|must|would|could)\s+(?:i|we|you|one)|to)\b", re.IGNORECASE
)
_WITHIN = re.compile(
    rf"(?:\b(?P<kind>tables?|{FIGURE_WORDS}))?\s*,?\s*(?:(?:that|which|is|are|stands?|shown|given|found"
    r"|printed|there)\s+)*(?:on|in|from|of|at|under)\s+(?:the\s+)?$",
    re.IGNORECASE,
)

# Places named by words

_NOUN = re.compile(
    rf"\b(?i:(?P<section>(?:sub)?section|chapter|{'|'.join(_PASSAGES)})|(?P<table>table)"
    rf"|(?P<figure>flow\s?chart|photo|{FIGURE_WORDS}))(?=$|\s*[\"“‘A-Z])"
)
_STANDING_ALONE = re.compile(
    r"\b(?:show|see|is\s+there|where\s+is|which|find|display)\b.*?\b(?P<drawing>pin-?out"
    r"|pin\s+(?:assignment|configuration)|(?:typical\s+)?application\s+circuit|land\s+pattern"
    r"|footprint|package\s+(?:outline|dimensions))\b",
    re.IGNORECASE,
)
"""Drawings that go by a name of their own, without a noun for "figure"."""

_IS_READ = re.compile(
    rf"\b(?:{DOCUMENT_WORD}|summari[sz]\w*|sum\s+up|rewrite|turn|quote|read|list|says?|said|cover\w*"
    r"|describe\w*|recommend\w*|mention\w*|explain\w*|written|contents?)\b",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"(?:block|timing|pin-?out|pin|state|flow|package|outline|mechanical|wiring|connection"
    r"|application|circuit)(?:\s+circuit)?$",
    re.IGNORECASE,
)
"""A word that tells the kind of drawing, so that "diagram" behind it needs no more of a name."""

_BEHIND = re.compile(
    r"\s+(?:[\"“‘'](?P<quoted>[^\"”’']{2,80})[\"”’']"
    r"|(?P<capitals>[A-Z][\w/-]*(?:\s+(?:(?:and|of|for|the|to|in|with|on)\s+)*[A-Z][\w/-]*)*)"
    r"|(?P<of>of|for|on|about|with|listing|showing|called|titled|named|that\s+(?:lists|shows|gives))"
    r"\s+(?:the\s+|an?\s+|all\s+)?)"
)
_IDLE = re.compile(
    r"(?:following|above|below|next|previous|same|first|second|third|last|whole|entire|each|every"
    r"|other|another|main|important|new|only|complete|full|single|named|[\d.–,-]+|pages?|sections?"
    rf"|chapters?|tables?|figures?|{'|'.join(SMALL_NUMBERS)}|{DOCUMENT_WORD})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A place with the characters of the question that name it, from `start` to before `end`."""

    ref: StructureRef
    start: int
    end: int

    @property
    def is_search_word(self) -> bool:
        """Whether its characters also say what is sought: "diagram"."""
        ref = self.ref
        return bool(ref.title) and ref.kind != PlaceKind.SECTION and ref.within is None


def find_structure_refs(question: str) -> tuple[StructureRef, ...]:
    """Find the places that a question names, in the order in which it names them."""
    return tuple(dict.fromkeys(found.ref for found in _find_places(question)))


def strip_structure_refs(question: str) -> str:
    """Leave the named places out: their numbers are no search words; words of titles stay."""
    idle = {(f.start, f.end) for f in _find_places(question) if not f.is_search_word}
    for start, end in sorted(idle, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return question


def without_look_alikes(question: str) -> str:
    """Blank out what only sounds like a place, as many characters as there were."""
    return _LOOK_ALIKES.sub(lambda match: "." * len(match.group()), question)


def _find_places(question: str) -> list[_Found]:
    text = without_look_alikes(question[:_MAX_CHARACTERS])
    found: list[_Found] = []
    for finder in (_of_all, _of_document, _numbered, _named):
        taken = tuple(found)
        found += [
            place
            for place in finder(text)
            if not any(place.start < one.end and one.start < place.end for one in taken)
        ]
    if _HOW_TO.search(text):
        # In "how do I remove page 5" the page is worked on; a numbered section is read.
        worked_on = (PlaceKind.PAGE, PlaceKind.DOCUMENT)
        found = [one for one in found if one.ref.first and one.ref.kind not in worked_on]
    return _combined(text, sorted(found, key=lambda f: f.start))


def _of_all(text: str) -> Iterator[_Found]:
    """Yield counts and lists."""
    for match in _OF_ALL.finditer(text):
        noun = match["counted"] or match["listed"] or match["asked"] or "section"
        kind = _KINDS[noun.lower()]
        asked = Asked.COUNT if match["counted"] else Asked.LIST
        yield _Found(StructureRef(kind, "", "", asked=asked), *match.span())


def _of_document(text: str) -> Iterator[_Found]:
    for match in _OF_A_DOCUMENT.finditer(text):
        fact = (match["fact"] or ("date" if match["date"] else "author")).lower()
        name = "revision" if fact == "version" else fact
        yield _Found(StructureRef(PlaceKind.DOCUMENT, name, name), *match.span())


def _numbered(text: str) -> Iterator[_Found]:
    for match in _NUMBERED.finditer(text):
        if match["annex"]:
            letter, title = match["letter"].lower(), f"{match['annex']} {match['letter']}".lower()
            yield _Found(StructureRef(PlaceKind.SECTION, letter, letter, title), *match.span())
            continue
        noun = (match["noun"] or "section").lower()
        for one in re.split(_AND, match["all"], flags=re.IGNORECASE):
            yield _Found(_numbered_ref(noun, one), *match.span())
    for match in _NTH_PAGE.finditer(text):
        nth = last = int(match["digits"] or _ORDINALS[match["nth"].lower()])
        if match["n"]:
            n = int(SMALL_NUMBERS.get(match["n"].lower(), match["n"]))
            nth, last = (nth, nth + n - 1) if nth > 0 else (nth - n + 1, nth)
        yield _Found(StructureRef(PlaceKind.PAGE, str(nth), str(last)), *match.span())


def _numbered_ref(noun: str, said: str) -> StructureRef:
    words = [str(SMALL_NUMBERS.get(word, word)) for word in said.lower().split()]
    if noun[0] == "p" and noun[:3] != "par":
        pages = re.findall(r"\d+", " ".join(words))
        return StructureRef(PlaceKind.PAGE, pages[0], pages[-1])
    if noun[0] not in "tf":
        return StructureRef(PlaceKind.SECTION, words[-1], words[-1])
    label = element_number(words[-1])
    return StructureRef(PlaceKind.TABLE if noun[0] == "t" else PlaceKind.FIGURE, label, label)


def element_number(label: str) -> str:
    """Read "7.2", "7-2" and "7–2" as one: house styles differ."""
    return label.lower().replace(".", "-").replace("–", "-").rstrip("-")


def _named(text: str) -> Iterator[_Found]:
    """Yield the places named by words."""
    phrases = phrases_of(text)
    is_named = False
    for n, phrase in enumerate(phrases):
        match = _NOUN.search(text, phrase.start, phrase.end)
        title = _title(text, phrases, n, match) if match is not None else ""
        if match is not None and title and _is_meant(text, match, title):
            kind = _KINDS.get(match.lastgroup or "", PlaceKind.SECTION)
            yield _Found(StructureRef(kind, "", "", title), *match.span())
            is_named = True
    if not is_named and (match := _STANDING_ALONE.search(text)):
        ref = StructureRef(PlaceKind.FIGURE, "", "", match["drawing"])
        yield _Found(ref, *match.span("drawing"))


def _title(text: str, phrases: Sequence[Phrase], n: int, match: re.Match[str]) -> str:
    """Return the words that name a place, before its noun or behind it.

    "The efficiency graph" fits half of the plots: of a figure two words are needed. A figure that
    has them before it is a number more often: "the fair value figures".
    """
    start = phrases[n].start
    while n and not phrases[n].article and text[phrases[n - 1].end : start].strip(" the") in (
        "and", "of", "for", "or",
    ):  # fmt: skip
        n, start = n - 1, phrases[n - 1].start
    before = _clean(text[start : match.start()])
    if not match["figure"]:
        return before or _title_behind(text, phrases, match)
    if _KIND_BEFORE.search(before):
        return f"{before} {match.group().lower()}"
    before = "" if match.group().lower().startswith("figure") else before
    title = f"{before} {_title_behind(text, phrases, match)}".strip()
    return title if " " in title else ""


def _title_behind(text: str, phrases: Sequence[Phrase], match: re.Match[str]) -> str:
    behind = _BEHIND.match(text, match.end())
    if behind is None or (behind["capitals"] and not match["section"]):
        return ""
    if not behind["of"]:
        return _clean(behind["quoted"] or behind["capitals"])
    end = behind.end()
    for phrase in phrases:
        if phrase.start > match.end() and text[end : phrase.start].strip() in ("", "and"):
            end = phrase.end
    return _clean(text[behind.end() : end])


def _clean(title: str) -> str:
    """Drop part numbers, document words and words that name nothing."""
    words = (word.strip("\"'“”‘’()[].") for word in title.split())
    kept = [word for word in words if word and not is_part_number(word)]
    return " ".join(word for word in kept if not _IDLE.fullmatch(word))


def _is_meant(text: str, match: re.Match[str], title: str) -> bool:
    """Tell a part of the document from a part of the device ("the analog section draws ...")."""
    noun = match.group().lower()
    n_capitals = sum(word[0].isupper() and len(word) > 3 for word in title.split())
    if noun in _PASSAGES:
        return n_capitals > (noun == "part")
    return not match["section"] or n_capitals > 0 or _IS_READ.search(text) is not None


def _combined(text: str, found: Sequence[_Found]) -> list[_Found]:
    """Put "the figure on page 3" and "Table 2 in section 6.5" together."""
    combined: list[_Found] = []
    for place in found:
        before = combined[-1] if combined else None
        start = max(0, place.start - 90) if before is None else before.end
        is_room = place.ref.kind in _ROOMS and place.ref.asked is Asked.CONTENT
        room = _WITHIN.search(text, start, place.start) if is_room else None
        if room is not None and room["kind"]:
            kind = PlaceKind.TABLE if "table" in room["kind"].lower() else PlaceKind.FIGURE
            ref = StructureRef(kind, "", "", within=place.ref)
            combined.append(_Found(ref, room.start(), place.end))
        elif (
            room is not None
            and before is not None
            and room.start() == before.end
            and before.ref.within is None
            and (before.ref.kind in _ELEMENTS or before.ref.asked is not Asked.CONTENT)
        ):
            combined[-1] = _Found(replace(before.ref, within=place.ref), before.start, place.end)
        else:
            combined.append(place)
    return combined
