"""What "this page", "the table above" and "here" mean, from what the viewer shows.

The words are replaced by the name of the place ("this table" by "Table 6-5"), and the search is
limited to it. Every reading is said, so that a wrong one is seen and can be taken back. "That
table" is left to follow-ups: it points at what was said, not at what is seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import pairwise
from textwrap import shorten

from desktop_qa.augment.grammar import Word
from desktop_qa.core.answer import Query
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance, split_heading_number
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentId, SegmentKind
from desktop_qa.core.viewed import Viewed
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.known_documents import KnownDocuments
from desktop_qa.retrieve.phrases import Phrase, phrases_of, words_of
from desktop_qa.retrieve.place_scope import page_pattern, segments_pattern, split_place
from desktop_qa.retrieve.places import LABEL, by_element
from desktop_qa.retrieve.query import build_query
from desktop_qa.retrieve.scope import document_pattern, label_of, select
from desktop_qa.retrieve.structure_refs import FIGURE_NOUNS, without_look_alikes

OPEN_ONE = "Open a document from the library, or name the page: “page 12 of the OPA4197 datasheet”."

SegmentsOf = Callable[[DocumentId], Sequence[Segment]]

_MAX_CHARACTERS = 2000
_MAX_QUOTED_WORDS = 10
_MAX_SAID = 60
_TERMS_OF_ITS_OWN = 2


# Words that point


class Seen(StrEnum):
    """What is pointed at."""

    PAGE = "page"
    TABLE = "table"
    FIGURE = "figure"
    SECTION = "section"
    CHAPTER = "chapter"
    DOCUMENT = "document"
    SELECTION = "selection"
    HERE = "here"


@dataclass(frozen=True, slots=True)
class Pointing:
    """Words that point, as they stand in the question from `start` to before `end`.

    Attributes:
        is_weak: They may as well point at what was said before.
    """

    seen: Seen
    start: int
    end: int
    words: str
    is_weak: bool = False


_NOUNS = {
    noun: seen
    for seen, nouns in (
        (Seen.PAGE, ("page",)),
        (Seen.TABLE, ("table",)),
        (Seen.FIGURE, FIGURE_NOUNS),
        (Seen.CHAPTER, ("chapter",)),
        (Seen.SECTION, ("section", "subsection", "sub-section", "clause")),
        (Seen.DOCUMENT, ("document", "datasheet", "sheet", "manual", "pdf", "guide", "file")),
        (Seen.SELECTION, ("selection", "passage", "paragraph", "sentence", "excerpt", "text",
                          "line", "row", "cell", "step", "note", "footnote")),
    )
    for noun in nouns
}  # fmt: skip
_THIS = re.compile(
    r".*\b(?P<this>this|these|(?:the|my)\s+(?:(?P<marked>selected|marked|highlighted)"
    r"|current|shown|displayed|visible|open(?:ed)?))\b[^,;?]{0,40}",
    re.IGNORECASE,
)
_LOOKED_AT = re.compile(
    r"\s+(?:(?:that\s+|which\s+)?(?:i|we)(?:['’]?(?:m|re)|\s+(?:am|are))?\s+(?:looking\s+at|viewing"
    r"|reading|see|have\s+open|on)|(?:shown|displayed|visible|open)(?:\s+(?:here|now))?(?=\s*(?:[?.!,;]|$))"
    r"|here(?!\s+(?:is|are)\b)|(?:shown\s+)?(?:on\s+(?:my\s+|the\s+)?screen|in\s+front\s+of\s+me)"
    r"|(?:above|below)(?!\s+(?:the\b|[\d±−-])))",
    re.IGNORECASE,
)
_SELECTED = re.compile(
    r"\b(?:what\s+)?(?:i|we)(?:['’]ve|\s+have)?\s+(?:selected|marked|highlighted)\b", re.IGNORECASE
)
_LOOKING = re.compile(
    r"\W*(?:what\s+(?:am\s+i\s+(?:looking\s+at|seeing|reading)|(?:do|can)\s+i\s+see)|where\s+am\s+i)"
    r"(?:\s+(?:here|now))?\W*",
    re.IGNORECASE,
)


def find_pointing(question: str) -> tuple[Pointing, ...]:
    """Find the words of a question that point at what is seen, in order."""
    text = without_look_alikes(question[:_MAX_CHARACTERS])
    if _LOOKING.fullmatch(text):
        return (Pointing(Seen.HERE, 0, len(text.rstrip()), text.rstrip()),)
    phrases = phrases_of(text)
    found = [one for phrase in phrases if (one := _pointing(text, phrase)) is not None]
    if match := _SELECTED.search(text):
        found.append(Pointing(Seen.SELECTION, *match.span(), match.group()))
    for before, word in pairwise((Word("", 0, "", "", 0), *words_of(text))):
        start, end, said = word.start, word.start + len(word.text), word.text.lower()
        if any(one.start <= start < one.end for one in found):
            continue
        is_last = not re.search(r"\w", text[end:])
        is_here = said == "here" and (is_last or before.tag == "VBN")
        if is_here and before.tag not in ("", "VBZ", "VBP"):
            start = before.start if before.tag == "IN" else start
            found.append(Pointing(Seen.HERE, start, end, text[start:end]))
        elif said in ("this", "these") and text == question and not phrases:
            found.append(Pointing(Seen.HERE, start, end, text[start:end], is_weak=True))
    return tuple(sorted(found, key=lambda one: one.start))


def _pointing(text: str, phrase: Phrase) -> Pointing | None:
    """Read a noun phrase that names a part of a document as one that points, if it does.

    Its noun need not be the last: "does this table show" has the parser take the verb for one.
    """
    nouns = [w for w in re.finditer(r"[\w-]+", phrase.text) if _seen(w.group()) is not None]
    if not nouns:
        return None
    at, end = phrase.start + nouns[-1].start(), phrase.start + nouns[-1].end()
    seen = _seen(nouns[-1].group()) or Seen.HERE
    lead, shown = _THIS.fullmatch(text, 0, at), _LOOKED_AT.match(text, end)
    if lead is not None and not text[lead.end("this") : phrase.start].strip():
        start = lead.start("this")
        if seen is Seen.DOCUMENT and lead["this"].lower() == "these":
            return None  # those of the library: one is looked at
        is_marked = bool(lead["marked"]) or nouns[-1].group() == "selection"
        is_weak = seen is Seen.SELECTION and not is_marked
        if not is_weak or end == phrase.end:
            seen = Seen.SELECTION if is_marked else seen
            return Pointing(seen, start, end, text[start:end], is_weak)
    if phrase.article == "the" and shown is not None and seen is not Seen.SELECTION:
        start = text.lower().rfind("the", 0, phrase.start)
        return Pointing(seen, start, shown.end(), text[start : shown.end()])
    return None


def _seen(noun: str) -> Seen | None:
    folded = noun.lower()
    return _NOUNS.get(folded) or _NOUNS.get(folded.removesuffix("s"))


# What they mean


def in_places(
    query: Query,
    scope: Sequence[str],
    statuses: Sequence[DocumentStatus],
    segments_of: SegmentsOf,
) -> Query:
    """Limit a query to the places that its scope names inside of documents.

    Raises:
        QuestionError: When nothing was read there.
    """
    split = [(pattern, *split_place(pattern)) for pattern in scope]
    free = select([base for _pattern, base, place in split if place is None], statuses)
    documents: dict[DocumentId, None] = {}
    found: dict[SegmentId, None] = {}
    empty = []
    for pattern, base, place in split:
        own = select((base,), statuses).document_ids if place is not None else ()
        inside = [document_id for document_id in own if document_id not in free.document_ids]
        held = [s.id for one in inside for s in segments_of(one) if place and place.holds(s)]
        documents |= dict.fromkeys(inside)
        found |= dict.fromkeys(held)
        if inside and not held:
            empty.append(pattern)
    if empty and not found:
        raise QuestionError(
            f"Nothing was read from {label_of(empty[0])}.",
            "It is blank, a picture, or the document has no such page.",
        )
    if documents and not query.document_ids and not query.absent:
        query = replace(query, document_ids=tuple(documents))
    return replace(query, within=tuple(found))


@dataclass(frozen=True, slots=True)
class Here:
    """A question whose pointing words are read.

    Attributes:
        question: With the names of the places in their stead, and limited to these places where it
            asks of no other document.
        said: How it was read, a sentence; shown with the answer.
    """

    question: Question
    said: str


def read_here(question: Question, known: KnownDocuments, segments_of: SegmentsOf) -> Here | None:
    """Read "this page" and "here" by what the viewer shows; `None` when nothing points at it.

    Args:
        question: Its pointing words mean nothing when nobody looks at a document; a document in its
            scope is "this document" when none is open.
        known: The documents of the library.
        segments_of: The segments of a document by ordinal.

    Raises:
        QuestionError: When it points at what is not there, where it can mean nothing else.
    """
    viewed = question.looks_at
    pointings = find_pointing(question.text) if viewed is not None else ()
    if viewed is None or not pointings:
        return None
    status = next((s for s in known.statuses if s.document_id == viewed.document_id), None)
    if status is None or not status.is_indexed:
        sure = [one for one in pointings if not one.is_weak and one.seen is not Seen.HERE]
        if not sure or (question.scope and sure[0].seen is Seen.DOCUMENT):
            return None
        if status is not None:
            raise QuestionError(
                f"{status.file} is not read yet, so “{sure[0].words}” cannot be asked about.",
                "Ask again when the library panel says that it is ready.",
            )
        raise QuestionError(
            f"No document is open, so “{sure[0].words}” means nothing yet.", OPEN_ONE
        )
    if not viewed.places and all(one.is_weak for one in pointings):
        return None
    named = build_query(question.text, known.directory, split=False).document_ids
    is_open = bool(set(named) - {status.document_id})
    reader = HereReader(viewed, status, segments_of(status.document_id))
    return reader.read(question, pointings, is_open=is_open)


@dataclass(frozen=True, slots=True)
class _Meant:
    """A place that words mean.

    Attributes:
        name: What stands in the question in their stead.
        called: What the reader is told.
        pattern: Of what to search.
    """

    name: str
    called: str
    pattern: str


class HereReader:
    """Reads the pointing words of one question.

    Args:
        viewed: What the viewer shows: a document that is in the library.
        status: Of that document.
        segments: All of it, by ordinal.
    """

    def __init__(self, viewed: Viewed, status: DocumentStatus, segments: Sequence[Segment]) -> None:
        self._viewed = viewed
        self._segments = segments
        self._document = document_pattern(status)
        self._file = status.file.rsplit("/", 1)[-1]

    def read(self, question: Question, pointings: Sequence[Pointing], *, is_open: bool) -> Here:
        """Put the names of places in the stead of the words that point at them.

        Args:
            question: As it was asked.
            pointings: What of it points, at least one.
            is_open: The question names other documents as well: then nothing is left out.

        Raises:
            QuestionError: When there is no such place on the page that is shown.
        """
        text = question.text
        meant = [
            self._meant(pointing, set(terms_of(f"{text[: pointing.start]} {text[pointing.end :]}")))
            for pointing in pointings
        ]
        read = list(zip(pointings, meant, strict=True))
        for pointing, place in reversed(read):
            name = f"{place.name} of {self._file}" if is_open else place.name
            text = f"{text[: pointing.start]}{name}{text[pointing.end :]}"
        said = dict.fromkeys(
            f"“{_short(one.words)}” is read as {what.called}" for one, what in read
        )
        patterns = tuple(dict.fromkeys(place.pattern for place in meant))
        # The document is left out where a place in it is meant as well.
        narrow = tuple(p for p in patterns if not p.endswith("#whole")) or patterns
        scope = question.scope if is_open else narrow
        return Here(replace(question, text=" ".join(text.split()), scope=scope), "; ".join(said))

    def _meant(self, pointing: Pointing, asked: set[str]) -> _Meant:
        """Read words that point; `asked` are the terms of the question without them."""
        seen = pointing.seen
        if seen is Seen.DOCUMENT:
            name = pointing.words if asked else self._file
            return _Meant(name, self._file, f"{self._document}#whole")
        if seen in (Seen.HERE, Seen.SELECTION) and self._viewed.places:
            return self._selection(pointing)
        if seen in (Seen.TABLE, Seen.FIGURE):
            return self._element(SegmentKind(seen.value), asked)
        if seen in (Seen.SECTION, Seen.CHAPTER):
            return self._section(is_chapter=seen is Seen.CHAPTER)
        page = self._page()
        said = pointing.words.lower()
        if seen is not Seen.HERE or said in ("this", "these"):
            return page
        is_whole = said.startswith(("what", "where"))
        return replace(page, name=f"What is on {page.name}?" if is_whole else f"on {page.name}")

    def _page(self) -> _Meant:
        page_no, label = self._viewed.page_no, self._viewed.page_label
        if not any(page_no in s.metadata.page_nos for s in self._segments):
            raise QuestionError(
                f"Nothing could be read from page {page_no} of {self._file}.",
                "It is blank or a picture; ask about another page or the whole document.",
            )
        printed = f" (printed {label})" if label and label != str(page_no) else ""
        called = f"page {page_no}{printed} of {self._file}"
        return _Meant(f"page {page_no}", called, page_pattern(self._document, page_no))

    def _selection(self, pointing: Pointing) -> _Meant:
        """Read it as what is selected: few words as themselves, many as their segments."""
        words = self._viewed.words.split()
        page_no = self._viewed.places[0].page_no
        own = self._selected() or [s for s in self._segments if page_no in s.metadata.page_nos]
        is_short = 0 < len(words) <= _MAX_QUOTED_WORDS
        name = f"“{' '.join(words)}”" if is_short else f"page {page_no}"
        if pointing.words.lower().endswith("here"):
            name = f"on page {page_no}"
        called = f"the selection “{_short(' '.join(words))}” on page {page_no} of {self._file}"
        return _Meant(name, called, self._pattern(own))

    def _selected(self) -> list[Segment]:
        """Return the segments that the selection lies on, without those that it only touches."""
        shares = [_share(segment, self._viewed.places) for segment in self._segments]
        least = max(0.5 * max(shares, default=0.0), 1e-9)
        return [s for s, share in zip(self._segments, shares, strict=True) if share >= least]

    def _pattern(self, segments: Iterable[Segment]) -> str:
        return segments_pattern(self._document, (segment.ordinal for segment in segments))

    def _element(self, kind: SegmentKind, asked: set[str]) -> _Meant:
        page_no = self._viewed.page_no
        groups = by_element(self._segments, kind).values()
        shown = [g for g in groups if any(_box_on(s, page_no) is not None for s in g)]
        if not shown:
            raise self._no_such(kind)
        group = max(shown, key=lambda one: self._worth(one, asked))
        label, details = LABEL.match(group[0].metadata.caption), []
        name = label[0].strip() if label is not None else f"the {kind.value}"
        path = group[0].metadata.section_path
        quoted = group[0].metadata.caption or (split_heading_number(path[-1])[1] if path else "")
        if label is None and quoted:
            details.append(f"“{_short(quoted)}”")
        if len(shown) > 1 and not self._viewed.places:
            details.append(f"one of {len(shown)} there")
        told = f" ({', '.join(details)})" if details else ""
        called = f"{name} on page {page_no}{told} of {self._file}"
        if label is None:
            # Where more is asked than what it shows, the search is limited to it in any case.
            is_told = len(asked) < _TERMS_OF_ITS_OWN
            name = f"{name} on page {page_no}" if is_told else f"page {page_no}"
        return _Meant(name, called, self._pattern(group))

    def _worth(self, group: Sequence[Segment], asked: set[str]) -> tuple[float, ...]:
        """Rank the elements of a page: selected, with the question's words, read, most in view.

        A small table that the reader was led to counts more than a large one that is seen with it.
        """
        y, page_no, part = self._viewed.y, self._viewed.page_no, self._viewed.part
        boxes = [box for s in group if (box := _box_on(s, page_no)) is not None]
        area = sum(box.intersection_area(part) for box in boxes) if part is not None else 0.0
        apart = min(max(box.top - y, y - box.bottom, 0.0) for box in boxes)
        is_read = apart == 0 and (part is None or area > 0)
        selected = max(_share(segment, self._viewed.places) for segment in group)
        held = {term for segment in group for term in terms_of(segment.text)}
        return selected, len(asked & held), is_read, area, -apart

    def _no_such(self, kind: SegmentKind) -> QuestionError:
        at, noun = self._viewed.page_no, kind.value
        pages = {place.page_no for s in self._segments if s.kind is kind for place in s.provenances}
        near = sorted(pages, key=lambda page_no: (abs(page_no - at), page_no))[:2]
        hint = f"No {noun} was found in this document; ask about the page instead."
        if near:
            hint = f"The nearest is on page {' or page '.join(map(str, sorted(near)))}."
        return QuestionError(f"There is no {noun} on page {at} of {self._file}.", hint)

    def _section(self, *, is_chapter: bool) -> _Meant:
        at = next(iter(self._selected()), None) or self._read_now()
        path = at.metadata.section_path if at is not None else ()
        if not path:
            return self._page()
        depth = 1 if is_chapter else len(path)
        own = [s for s in self._segments if s.metadata.section_path[:depth] == path[:depth]]
        number, title = split_heading_number(path[depth - 1])
        name = f"section {number}" if number else f"the section “{title}”"
        called = _short(f"{name} {title}" if number else name)
        return _Meant(name, f"{called} of {self._file}", self._pattern(own))

    def _read_now(self) -> Segment | None:
        """Return the segment at the height that is read, else the first of the page below it."""
        y, page_no = self._viewed.y, self._viewed.page_no

        def distance(segment: Segment) -> tuple[float, float]:
            box = _box_on(segment, page_no)
            # What follows is about to be read; what went before is read already.
            return (max(box.top - y, 2 * (y - box.bottom), 0.0), box.area) if box else (0.0, 0.0)

        placed = (s for s in self._segments if _box_on(s, page_no) is not None)
        return min(placed, key=distance, default=None)


def _box_on(segment: Segment, page_no: int) -> BoundingBox | None:
    boxes = [place.bbox for place in segment.provenances if place.page_no == page_no]
    return reduce(BoundingBox.union, boxes) if boxes else None


def _share(segment: Segment, places: Iterable[Provenance]) -> float:
    """Return the largest share of a place that lies on a segment."""
    shares = (
        own.bbox.intersection_area(place.bbox) / max(place.bbox.area, 1e-6)
        for own in segment.provenances
        for place in places
        if own.page_no == place.page_no
    )
    return max(shares, default=0.0)


def _short(text: str) -> str:
    return shorten(text, _MAX_SAID, placeholder="…")
