"""Places that a question names, found without a language model (PDFTriage, section 3).

Numbers ("page 5", "section 8.3.4", "Table 7-2"), words ("the Layout section", "the block diagram"),
counts and lists ("how many tables", "list the sections") and combinations ("the figure on page 3").
The words are only cut out here; which heading or caption they mean is for the library to say
(`desktop_qa.retrieve.places`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from desktop_qa.core.answer import Asked, PlaceKind, StructureRef
from desktop_qa.retrieve.named_places import find_named_places
from desktop_qa.retrieve.place_words import (
    DOCUMENT_WORD,
    ELEMENT_KINDS,
    ELEMENT_WORDS,
    NUMBER_WORDS,
    ORDINALS,
    number_of,
    without_look_alikes,
)

_MAX_CHARACTERS = 3000
"""A question is read so far: what is longer is a pasted text, in which no place is asked for."""

_COUNTED = rf"\d{{1,4}}|{'|'.join(NUMBER_WORDS)}"
_RANGE = r"\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\.\.\.?)\s*"
_AND = r"\s*(?:,\s*and\b|,|&|\band\b|\bor\b)\s*"
_UNIT = r"(?!\s*(?:%|dBm?\b|[munpkMµ]?(?:V|A|W|s|Hz|F|Ω)\b|(?:bits?|bytes?|times|percent)\b))"

_PAGES = re.compile(
    rf"\b(?:pages?(?:\s+(?:no\.?|numbers?))?\s+|pp?\.\s*)(?P<all>(?:{_COUNTED})\b"
    rf"(?:(?:{_RANGE}|{_AND})(?:pages?\s+)?\d{{1,4}}\b(?![.-]\d))*){_UNIT}",
    re.IGNORECASE,
)
_PAGE_PART = re.compile(rf"({_COUNTED})(?:{_RANGE}(?:pages?\s+)?(\d{{1,4}}))?", re.IGNORECASE)

_SOME_PAGES = re.compile(rf"\b(first|last|final)\s+({_COUNTED})\s+pages\b", re.IGNORECASE)
_NTH_PAGE = re.compile(
    rf"\b(?P<nth>{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)|front|cover|title|opening|last|final"
    r"|back|closing|second[- ]to[- ]last|second[- ]last|next[- ]to[- ]last|penultimate)\s+page\b",
    re.IGNORECASE,
)
_NAMED_PAGES = {
    "front": 1, "cover": 1, "title": 1, "opening": 1, "last": -1, "final": -1, "back": -1,
    "closing": -1, "penultimate": -2,
}  # fmt: skip

_SECTION_LABEL = r"(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+"
_SECTION = re.compile(
    rf"(?:\b(?:(?:sub)?sections?|chapters?|clauses?|paragraphs?|sec\.|chap\.|ch\.)|§§?)"
    rf"\s*(?:no\.?\s+)?(?P<all>(?:{_SECTION_LABEL})(?![\w-])"
    rf"(?:{_AND}(?:sections?\s+|chapters?\s+)?(?:{_SECTION_LABEL})(?![\w-]))*){_UNIT}",
    re.IGNORECASE,
)
_CHAPTER_WORD = re.compile(rf"\b(?:section|chapter)\s+({'|'.join(NUMBER_WORDS)})\b", re.IGNORECASE)
_APPENDIX = re.compile(r"\b(appendix|annex)\s+([A-Z]|\d{1,2})\b", re.IGNORECASE)

_LABEL = r"(?:[A-Z][-.])?\d{1,3}(?:[-.–]\d{1,3})*[a-z]?"
_ELEMENT = re.compile(
    r"\b(?P<kind>tables?|tab\.|figures?|figs?\.?|illustrations?)\s*(?:no\.?\s*|number\s+)?"
    rf"(?P<all>{_LABEL}\b(?:{_AND}(?:(?:table|figure|fig\.)\s+)?{_LABEL}\b)*){_UNIT}",
    re.IGNORECASE,
)

_COUNTED_KINDS = {
    "page": PlaceKind.PAGE, "section": PlaceKind.SECTION, "subsection": PlaceKind.SECTION,
    "chapter": PlaceKind.SECTION, "heading": PlaceKind.SECTION, "table": PlaceKind.TABLE,
    "figure": PlaceKind.FIGURE, "drawing": PlaceKind.FIGURE, "diagram": PlaceKind.FIGURE,
    "picture": PlaceKind.FIGURE, "illustration": PlaceKind.FIGURE, "image": PlaceKind.FIGURE,
}  # fmt: skip
_KINDS = "|".join(_COUNTED_KINDS)
_COUNT = re.compile(
    rf"\b(?:how\s+many|number\s+of|count\s+(?:of\s+)?(?:the|all)?)\s+(?:\w+\s+)?(?P<kind>{_KINDS})s\b"
    r"(?=\s*(?:\?|$|(?:are|is|does|do|has|have|in|on|of|there|long)\b))"
    r"|\b(?P<page_count>page\s+count)\b"
    rf"|\bhow\s+long\s+is\s+(?:the|this)\s+(?:\S+\s+)?{DOCUMENT_WORD}\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"\b(?:list|show|name|give\s+me|enumerate)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?"
    rf"(?:titles\s+of\s+(?:the|all)\s+)?(?:section\s+)?(?P<kind>{_KINDS})s\b(?!\s+(?:that|which|with|for)\b)"
    rf"|\b(?:which|what)\s+(?P<asked>{_KINDS})s\s+(?:(?:does|do)\b.{{0,60}}\b(?:have|contain|include)"
    r"|are\s+(?:there|(?=in\b|on\b)|listed|contained)|(?:is|has)\s+the\b.{0,40}\b(?:have|got)\b)"
    r"|\b(?P<contents>table\s+of\s+contents|list\s+of\s+contents|outline\s+of\s+the"
    rf"|how\s+is\s+(?:the|this)\s+(?:\S+\s+)?{DOCUMENT_WORD}\s+(?:structured|organi[sz]ed))\b",
    re.IGNORECASE,
)
_DOCUMENT_FACTS = (
    ("author", re.compile(rf"\b(?:authors?\s+of\b|who\s+(?:wrote|published|issued)\b)"
                          rf"(?=.*\b{DOCUMENT_WORD}\b)", re.IGNORECASE)),
    ("title", re.compile(r"\btitles?\s+of\s+(?:(?:the|this)\s+)?(?:\S+\s+){0,2}?"
                         rf"{DOCUMENT_WORD}\b"
                         rf"|\b{DOCUMENT_WORD}\s+(?:called|titled)\b"
                         rf"|\b{DOCUMENT_WORD}['’]s\s+title\b", re.IGNORECASE)),
    ("revision", re.compile(
        rf"\b(?:revision|version|edition)s?\s+(?:is|of|has|does)\s+(?:(?:the|this)\s+)?"
        rf"(?:\S+\s+){{0,2}}?{DOCUMENT_WORD}\b(?!\s+(?:register|history))"
        rf"|\b{DOCUMENT_WORD}\s+(?:revision|version)\b", re.IGNORECASE)),
    ("date", re.compile(
        rf"\bdate\s+(?:is|of)\s+(?:(?:the|this)\s+)?(?:\S+\s+){{0,2}}?{DOCUMENT_WORD}\b"
        rf"|\bwhen\s+was\b.{{0,40}}\b{DOCUMENT_WORD}\b.{{0,20}}\b(?:published|released|revised"
        r"|issued|updated|written)\b", re.IGNORECASE)),
)  # fmt: skip

_HOW_TO = re.compile(
    r"\bhow\s+(?:(?:do|can|should|must|would|could)\s+(?:i|we|you|one)|to)\b", re.IGNORECASE
)
_GENERIC_BEFORE = re.compile(
    rf"\b(?P<kind>{ELEMENT_WORDS})\s+(?:(?:that|which|is|are|shown|given|found|printed|there)\s+)*"
    r"(?:on|in|from|of|at|under)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:,\s*)?(?:(?:is|are|stands?|shown)\s+)?(?:there\s+)?(?:on|in|from|of|at|under)\s+(?:the\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place with the characters of the question that name it.

    Attributes:
        start: First character that names it.
        end: One past the last.
        is_search_word: True when these characters also say what is sought: "diagram".
    """

    ref: StructureRef
    start: int
    end: int
    is_search_word: bool = False


def find_structure_refs(question: str) -> tuple[StructureRef, ...]:
    """Find the places that a question names, in the order in which it names them."""
    return tuple(dict.fromkeys(found.ref for found in find_places(question)))


def strip_structure_refs(question: str) -> str:
    """Leave the named places out: their numbers are no search words; words of titles stay."""
    idle = {(f.start, f.end) for f in find_places(question) if not f.is_search_word}
    for start, end in sorted(idle, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return question


def find_places(question: str) -> list[FoundPlace]:
    """Find the places that a question names, with where it does so."""
    text = without_look_alikes(question[:_MAX_CHARACTERS])
    found: list[FoundPlace] = []
    for finder in (_asked_of_all, _document_facts, _numbered, find_named):
        taken = tuple(found)
        found += [place for place in finder(text) if not _overlaps(place, taken)]
    if _HOW_TO.search(text):
        found = [place for place in found if _is_told_in(place.ref)]
    return _combined(text, sorted(found, key=lambda f: f.start))


def _is_told_in(ref: StructureRef) -> bool:
    """In "how do I remove page 5" the page is what is worked on; a numbered section is read."""
    return bool(ref.first) and ref.kind not in (PlaceKind.PAGE, PlaceKind.DOCUMENT)


def _overlaps(place: FoundPlace, others: Iterable[FoundPlace]) -> bool:
    return any(place.start < other.end and other.start < place.end for other in others)


def find_named(text: str) -> Iterator[FoundPlace]:
    """Yield the places named by words; of those only "section" is no search word."""
    for named in find_named_places(text):
        ref = StructureRef(named.kind, "", "", named.title)
        yield FoundPlace(ref, named.start, named.end, named.kind is not PlaceKind.SECTION)


def _numbered(text: str) -> Iterator[FoundPlace]:
    yield from _pages(text)
    for match in _SECTION.finditer(text):
        for label in re.findall(_SECTION_LABEL, match["all"], re.IGNORECASE):
            yield from _place(PlaceKind.SECTION, label.lower(), match)
    for match in _CHAPTER_WORD.finditer(text):
        yield from _place(PlaceKind.SECTION, str(number_of(match[1])), match)
    for match in _APPENDIX.finditer(text):
        title = f"{match[1]} {match[2]}".lower()
        ref = StructureRef(PlaceKind.SECTION, match[2].lower(), match[2].lower(), title)
        yield FoundPlace(ref, *match.span())
    for match in _ELEMENT.finditer(text):
        kind = PlaceKind.TABLE if match["kind"].lower().startswith("tab") else PlaceKind.FIGURE
        for label in re.findall(rf"{_LABEL}\b", match["all"], re.IGNORECASE):
            yield from _place(kind, element_number(label), match)


def _place(kind: PlaceKind, label: str, match: re.Match[str]) -> Iterator[FoundPlace]:
    yield FoundPlace(StructureRef(kind, label, label), *match.span())


def _pages(text: str) -> Iterator[FoundPlace]:
    for match in _PAGES.finditer(text):
        for first, last in _PAGE_PART.findall(match["all"]):
            start = str(number_of(first))
            yield FoundPlace(StructureRef(PlaceKind.PAGE, start, last or start), *match.span())
    for match in _SOME_PAGES.finditer(text):
        n_pages = number_of(match[2])
        ends = ("1", str(n_pages)) if match[1].lower() == "first" else (str(-n_pages), "-1")
        yield FoundPlace(StructureRef(PlaceKind.PAGE, *ends), *match.span())
    for match in _NTH_PAGE.finditer(text):
        name = match["nth"].lower()
        if name in ORDINALS or name[0].isdigit():
            page_no = ORDINALS.get(name) or int(re.sub(r"\D", "", name))
        else:
            page_no = _NAMED_PAGES.get(name, -2)
        ref = StructureRef(PlaceKind.PAGE, str(page_no), str(page_no))
        yield FoundPlace(ref, *match.span())


def _asked_of_all(text: str) -> Iterator[FoundPlace]:
    """Yield counts and lists."""
    for match in _COUNT.finditer(text):
        kind = _COUNTED_KINDS[(match["kind"] or "page").lower()]
        yield FoundPlace(StructureRef(kind, "", "", asked=Asked.COUNT), *match.span())
    for match in _LIST.finditer(text):
        kind = _COUNTED_KINDS[(match["kind"] or match["asked"] or "section").lower()]
        yield FoundPlace(StructureRef(kind, "", "", asked=Asked.LIST), *match.span())


def _document_facts(text: str) -> Iterator[FoundPlace]:
    for name, pattern in _DOCUMENT_FACTS:
        if match := pattern.search(text):
            yield FoundPlace(StructureRef(PlaceKind.DOCUMENT, name, name), *match.span())


def _combined(text: str, found: list[FoundPlace]) -> list[FoundPlace]:
    """Put "the figure on page 3" and "Table 2 in section 6.5" together."""
    combined: list[FoundPlace] = []
    for place in found:
        is_room = place.ref.kind in (PlaceKind.PAGE, PlaceKind.SECTION) and (
            place.ref.asked is Asked.CONTENT
        )
        before = combined[-1] if combined else None
        if is_room and before is not None and before.ref.within is None:
            gap = text[before.end : place.start]
            holds = before.ref.kind in ELEMENT_KINDS or before.ref.asked is not Asked.CONTENT
            if holds and _JOINED.fullmatch(gap):
                ref = replace(before.ref, within=place.ref)
                combined[-1] = FoundPlace(ref, before.start, place.end)
                continue
        generic = (
            _GENERIC_BEFORE.search(text, max(0, place.start - 90), place.start) if is_room else None
        )
        if generic is not None and (before is None or before.end <= generic.start()):
            kind = PlaceKind.TABLE if "table" in generic["kind"].lower() else PlaceKind.FIGURE
            ref = StructureRef(kind, "", "", within=place.ref)
            combined.append(FoundPlace(ref, generic.start(), place.end))
            continue
        combined.append(place)
    return combined


def element_number(label: str) -> str:
    """Read "7.2", "7-2" and "7–2" as one: house styles differ."""
    return label.lower().replace(".", "-").replace("–", "-").rstrip("-")
