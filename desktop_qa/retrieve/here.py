"""What "this page", "this table" and "here" mean, from what the viewer shows.

The words are replaced by the name of the place ("this table" by "Table 6-5"), and the search is
limited to it. Every reading is said, so that a wrong one is seen and can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import BoundingBox, Provenance, split_heading_number
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.viewed import Viewed
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.here_words import Pointing, Seen
from desktop_qa.retrieve.place_scope import page_pattern, segments_pattern
from desktop_qa.retrieve.scope import document_pattern

_LABEL = re.compile(
    r"\s*((?:table|figure|fig\.?)\s*(?:[A-Z][-.])?\d+(?:[-.–]\d+)*[a-z]?)\b", re.IGNORECASE
)
_MAX_QUOTED_WORDS = 10
_MAX_SAID = 60
_TERMS_OF_ITS_OWN = 2
_ELEMENTS = {Seen.TABLE: SegmentKind.TABLE, Seen.FIGURE: SegmentKind.FIGURE}


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
        self._question = ""

    def read(self, question: Question, pointings: Sequence[Pointing], *, is_open: bool) -> Here:
        """Put the names of places in the stead of the words that point at them.

        Args:
            question: As it was asked.
            pointings: What of it points, at least one.
            is_open: The question names other documents as well: then nothing is left out.

        Raises:
            QuestionError: When there is no such place on the page that is shown.
        """
        self._question = text = question.text
        meant = [self._meant(pointing) for pointing in pointings]
        for pointing, place in reversed(list(zip(pointings, meant, strict=True))):
            name = f"{place.name} of {self._file}" if is_open else place.name
            text = f"{text[: pointing.start]}{name}{text[pointing.end :]}"
        said = dict.fromkeys(
            f"“{_short(pointing.words)}” is read as {place.called}"
            for pointing, place in zip(pointings, meant, strict=True)
        )
        scope = question.scope if is_open else _narrowest([place.pattern for place in meant])
        return Here(replace(question, text=" ".join(text.split()), scope=scope), "; ".join(said))

    def _meant(self, pointing: Pointing) -> _Meant:
        seen = pointing.seen
        if seen is Seen.DOCUMENT:
            return _Meant(self._document_name(pointing), self._file, f"{self._document}#whole")
        if seen is Seen.HERE:
            return self._here(pointing)
        if seen is Seen.SELECTION and self._viewed.places:
            return self._selection(pointing)
        if seen in _ELEMENTS:
            return self._element(pointing)
        if seen in (Seen.SECTION, Seen.CHAPTER):
            return self._section(is_chapter=seen is Seen.CHAPTER)
        return self._page()

    def _document_name(self, pointing: Pointing) -> str:
        """Return the file where nothing but the document is asked about, else the words as said."""
        return pointing.words if terms_of(self._rest(pointing)) else self._file

    def _rest(self, pointing: Pointing) -> str:
        """Return the question without the words that point."""
        return f"{self._question[: pointing.start]} {self._question[pointing.end :]}"

    # Pages and selections

    @property
    def _page_name(self) -> str:
        return f"page {self._viewed.page_no}"

    @property
    def _on_page(self) -> list[Segment]:
        page_no = self._viewed.page_no
        return [s for s in self._segments if page_no in s.metadata.page_nos]

    def _page(self) -> _Meant:
        if not self._on_page:
            raise QuestionError(
                f"Nothing could be read from {self._page_name} of {self._file}.",
                "It is blank or a picture; ask about another page or the whole document.",
            )
        label = self._viewed.page_label
        printed = f" (printed {label})" if label and label != str(self._viewed.page_no) else ""
        pattern = page_pattern(self._document, self._viewed.page_no)
        return _Meant(self._page_name, f"{self._page_name}{printed} of {self._file}", pattern)

    def _here(self, pointing: Pointing) -> _Meant:
        if self._viewed.places:
            return self._selection(pointing)
        page = self._page()
        is_object = pointing.words.lower() in ("this", "these")
        is_whole = pointing.words.lower().startswith(("what", "where"))
        name = "What is on" if is_whole else "on"
        name = page.name if is_object else f"{name} {page.name}"
        name += "?" if is_whole else ""
        return _Meant(name, page.called, page.pattern)

    def _selection(self, pointing: Pointing) -> _Meant:
        """Read it as what is selected: few words as themselves, many as their segments."""
        words = self._viewed.words.split()
        page_no = self._viewed.places[0].page_no
        own = self._at(self._viewed.places)
        if not own:
            own = [s for s in self._segments if page_no in s.metadata.page_nos]
        pattern = segments_pattern(self._document, (segment.ordinal for segment in own))
        quoted = " ".join(words[:_MAX_QUOTED_WORDS])
        is_short = 0 < len(words) <= _MAX_QUOTED_WORDS
        called = f"the selection “{_short(' '.join(words))}” on page {page_no} of {self._file}"
        if pointing.seen is Seen.HERE and pointing.words.lower().endswith("here"):
            return _Meant(f"on page {page_no}", called, pattern)
        return _Meant(f"“{quoted}”" if is_short else f"page {page_no}", called, pattern)

    def _at(self, places: Sequence[Provenance]) -> list[Segment]:
        """Return the segments that some places lie on, those that hold a whole place first."""
        found = []
        for segment in self._segments:
            shared = max(
                (_shared(own, place) for own in segment.provenances for place in places),
                default=0.0,
            )
            if shared > 0:
                found.append((shared, segment))
        most = max((shared for shared, _ in found), default=0.0)
        return [segment for shared, segment in found if shared >= 0.5 * most]

    # Tables and figures

    def _element(self, pointing: Pointing) -> _Meant:
        kind = _ELEMENTS[pointing.seen]
        noun = "table" if kind is SegmentKind.TABLE else "figure"
        groups = self._groups(kind)
        group = self._selected_of(groups) or self._likeliest(groups, pointing)
        if group is None:
            raise self._no_such(noun, kind)
        first = group[0]
        label = _LABEL.match(first.metadata.caption)
        page_no = self._page_of(group)
        n = len(groups)
        caption = "" if label is not None else _short(first.metadata.caption or _title(first))
        n_there = f"one of {n} there" if n > 1 and not self._viewed.places else ""
        details = ", ".join(filter(None, (f"“{caption}”" if caption else "", n_there)))
        name = label[1] if label is not None else f"the {noun} on page {page_no}"
        called = f"{label[1]} on page {page_no}" if label is not None else name
        if label is None and len(set(terms_of(self._rest(pointing)))) >= _TERMS_OF_ITS_OWN:
            # More is asked than what it shows, and the search is limited to it in any case.
            name = f"page {page_no}"
        called += f" ({details})" if details else ""
        pattern = segments_pattern(self._document, (segment.ordinal for segment in group))
        return _Meant(name, f"{called} of {self._file}", pattern)

    def _groups(self, kind: SegmentKind) -> list[list[Segment]]:
        """Return the segments of each table or figure that the page shows."""
        groups: dict[int, list[Segment]] = {}
        for segment in self._segments:
            if segment.kind is kind and segment.element is not None:
                groups.setdefault(segment.element.index, []).append(segment)
        page_no = self._viewed.page_no
        return [g for g in groups.values() if any(_box_on(s, page_no) is not None for s in g)]

    def _selected_of(self, groups: Iterable[list[Segment]]) -> list[Segment] | None:
        """Return the element that what is selected lies on."""
        best: tuple[float, list[Segment] | None] = (0.0, None)
        for group in groups:
            shared = max(
                (_shared(own, place) for s in group for own in s.provenances
                 for place in self._viewed.places),
                default=0.0,
            )  # fmt: skip
            best = max(best, (shared, group), key=lambda pair: pair[0])
        return best[1]

    def _likeliest(
        self, groups: Sequence[list[Segment]], pointing: Pointing
    ) -> list[Segment] | None:
        """Return the element with the most of the question's words, or that is being read.

        Where the eye is on none of them, it is the one most in view.
        """
        asked = set(terms_of(self._rest(pointing)))

        def worth(group: list[Segment]) -> tuple[int, bool, float, float]:
            held = {term for segment in group for term in terms_of(segment.text)}
            return len(asked & held), *self._in_view(group)

        return max(groups, key=worth, default=None)

    def _in_view(self, group: Sequence[Segment]) -> tuple[bool, float, float]:
        """Return whether an element is being read, its area on screen, and how near the eye is.

        A small table that the reader was led to counts more than a large one that is seen with it.
        """
        y, page_no, part = self._viewed.y, self._viewed.page_no, self._viewed.part
        boxes = [box for s in group if (box := _box_on(s, page_no)) is not None]
        area = sum(box.intersection_area(part) for box in boxes) if part is not None else 0.0
        apart = min((max(box.top - y, y - box.bottom, 0.0) for box in boxes), default=0.0)
        is_read = apart == 0 and bool(boxes) and (part is None or area > 0)
        return is_read, area, -apart

    def _page_of(self, group: Sequence[Segment]) -> int:
        shown = any(_box_on(segment, self._viewed.page_no) is not None for segment in group)
        return self._viewed.page_no if shown else group[0].metadata.page_nos[0]

    def _no_such(self, noun: str, kind: SegmentKind) -> QuestionError:
        pages = sorted({
            place.page_no for s in self._segments if s.kind is kind for place in s.provenances
        })  # fmt: skip
        near = sorted(pages, key=lambda page_no: abs(page_no - self._viewed.page_no))[:2]
        where = " and ".join(str(page_no) for page_no in sorted(near))
        hint = f"The nearest are on pages {where}." if len(near) > 1 else ""
        hint = f"The nearest is on page {where}." if len(near) == 1 else hint
        return QuestionError(
            f"There is no {noun} on {self._page_name} of {self._file}.",
            hint or f"No {noun} was found in this document; ask about the page instead.",
        )

    # Sections

    def _section(self, *, is_chapter: bool) -> _Meant:
        at = self._at(self._viewed.places) if self._viewed.places else []
        segment = at[0] if at else self._read_now()
        path = segment.metadata.section_path if segment is not None else ()
        if not path:
            return self._page()
        depth = 1 if is_chapter else len(path)
        own = [s for s in self._segments if s.metadata.section_path[:depth] == path[:depth]]
        number, title = split_heading_number(path[depth - 1])
        name = f"section {number}" if number else f"the section “{title}”"
        called = f"section {number} {title}" if number else f"the section “{title}”"
        pattern = segments_pattern(self._document, (s.ordinal for s in own))
        return _Meant(name, f"{_short(called)} of {self._file}", pattern)

    def _read_now(self) -> Segment | None:
        """Return the segment at the height that is read, else the first of the page below it."""
        y, page_no = self._viewed.y, self._viewed.page_no
        placed = [(s, box) for s in self._on_page if (box := _box_on(s, page_no)) is not None]

        def distance(pair: tuple[Segment, BoundingBox]) -> tuple[float, float]:
            _segment, box = pair
            if box.top <= y <= box.bottom:
                return 0.0, box.area
            # What follows is about to be read; what went before is read already.
            return (box.top - y, box.area) if box.top > y else (2 * (y - box.bottom), box.area)

        return min(placed, key=distance, default=(None, None))[0]


def _box_on(segment: Segment, page_no: int) -> BoundingBox | None:
    boxes = [place.bbox for place in segment.provenances if place.page_no == page_no]
    if not boxes:
        return None
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    return whole


def _shared(own: Provenance, place: Provenance) -> float:
    """Return the share of a place that lies on another."""
    if own.page_no != place.page_no:
        return 0.0
    return own.bbox.intersection_area(place.bbox) / max(place.bbox.area, 1e-6)


def _narrowest(patterns: Sequence[str]) -> tuple[str, ...]:
    """Leave the document out where a place in it is meant as well."""
    places = tuple(dict.fromkeys(p for p in patterns if not p.endswith("#whole")))
    return places or tuple(dict.fromkeys(patterns))


def _title(segment: Segment) -> str:
    path = segment.metadata.section_path
    return split_heading_number(path[-1])[1] if path else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_SAID else f"{line[: _MAX_SAID - 1].rstrip()}…"
