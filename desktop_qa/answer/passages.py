"""A section as its document has it: every block in order, with its words and its segment.

Segments are cut for the search: they overlap, and lists run over their ends. What is told whole is
therefore read from the document's own blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.reply import LibrarySource
from desktop_qa.augment.cascade import Section, walk_sections
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import Block, BlockKind, DocumentId, Provenance
from desktop_qa.core.segment import Segment, SegmentId, SegmentKind
from desktop_qa.core.word_places import PlacedWord, QuoteLocator

_ELEMENTS = {BlockKind.TABLE: SegmentKind.TABLE, BlockKind.PICTURE: SegmentKind.FIGURE}
_ENDS = ("", ",", ".", ";", ":", ")", "),")
_NUMBER = re.compile(r"^(?:step\s+(\d{1,2})\s*[.:)–—-]?|\(?(\d{1,2})[.):]\)?)\s+", re.IGNORECASE)
_LETTER = re.compile(r"^\(?([a-zA-Z]|[ivx]{1,4})[.)]\s+")
_BULLET = re.compile(
    r"^(?:[-*+•–—▪◦■□●○►▶▷‣·»✓✔➢➤\u2219\uf000-\uf0ff]|\(cid:\d+\)|o(?=\s+[A-Z]))\s*"
)
_LETTERS = re.compile(r"[^\W\d_]{2}")


PlacedRun = tuple[PlacedWord, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of a section.

    Attributes:
        index: Of the block in the document.
        text: On one line; empty for tables and figures.
        evidence: The segment that shows it.
    """

    index: int
    kind: BlockKind
    level: int
    text: str
    evidence: Evidence
    provenances: tuple[Provenance, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """The mark of a list item.

    Attributes:
        style: "number", "letter" or "bullet".
        value: 1-based position that it says; 0 for a bullet.
        shown: As printed.
        length: Characters of the text that it takes.
    """

    style: str
    value: int
    shown: str
    length: int


def label_of(text: str) -> Label | None:
    """Read the mark at the start of a list item."""
    if match := _NUMBER.match(text):
        shown = match.group(1) or match.group(2)
        return Label("number", int(shown), shown, match.end())
    if match := _LETTER.match(text):
        shown = match.group(1)
        value = ord(shown.casefold()) - ord("a") + 1 if len(shown) == 1 else 0
        return Label("letter", value, shown, match.end())
    if match := _BULLET.match(text):
        return Label("bullet", 0, "", match.end())
    return None


def without_label(text: str) -> str:
    """Return the text of a list item without its mark."""
    label = label_of(text)
    return text[label.length :].strip() if label is not None else text.strip()


class SectionReader:
    """Reads sections of documents; make one for each question.

    Args:
        source: Documents, segments and words.
        evidence: What was found: its segments keep their evidence.
    """

    def __init__(self, source: LibrarySource, evidence: Iterable[Evidence]) -> None:
        self._source = source
        self._evidence = {item.segment.id: item for item in evidence}
        self._sections: dict[DocumentId, tuple[Section, ...]] = {}
        self._segments: dict[DocumentId, Sequence[Segment]] = {}

    def segments_of(self, document_id: DocumentId) -> Sequence[Segment]:
        """Return the segments of a document by ordinal, read once."""
        if document_id not in self._segments:
            self._segments[document_id] = self._source.segments_of(document_id)
        return self._segments[document_id]

    def section_of(self, segment: Segment) -> Section | None:
        """Return the chapter that a segment is a part of; `None` when the document has no such."""
        path = segment.metadata.section_path
        same = [s for s in self.sections_of(segment.document_id) if s.path == path]
        if len(same) <= 1:
            return same[0] if same else None
        pages = set(segment.metadata.page_nos)
        return max(same, key=lambda s: len(pages & self.pages_of(segment.document_id, s)))

    def found(self, evidence: Iterable[Evidence]) -> Iterator[tuple[Evidence, Section]]:
        """Yield each section that segments stand in once, with the first of them."""
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for item in evidence:
            section = self.section_of(item.segment)
            key = (item.segment.document_id, item.segment.metadata.section_path)
            if section is not None and key not in seen:
                seen.add(key)
                yield item, section

    def pages_of(self, document_id: DocumentId, section: Section) -> set[int]:
        """Return the 1-based pages that a chapter's own text and elements stand on."""
        blocks = self._source.document(document_id).blocks
        own = [blocks[index] for index in section.blocks]
        heading = [section.heading] if section.heading is not None else []
        return {place.page_no for block in (*own, *heading) for place in block.provenances}

    def passages(self, document_id: DocumentId, section: Section) -> list[Passage]:
        """Return the body of a section in reading order, without stray marks and numbers."""
        document = self._source.document(document_id)
        own = [s for s in self.segments_of(document_id) if s.metadata.section_path == section.path]
        if not own:
            return []
        found = []
        for index in section.blocks:
            block = document.blocks[index]
            is_element = block.kind in _ELEMENTS
            text = "" if is_element else " ".join(block.text.split())
            if not is_element and not _LETTERS.search(text):
                continue
            segment = _segment_of(block, own)
            if segment is not None:
                item = self.evidence_of(segment)
                found.append(Passage(index, block.kind, block.level, text, item, block.provenances))
        return found

    def sentences(self, document_id: DocumentId, section: Section) -> list[tuple[Passage, str]]:
        """Return the sentences, code and list items of a section, items without their marks."""
        found = []
        for passage in self.passages(document_id, section):
            text = without_label(passage.text)
            if passage.kind not in _ELEMENTS:
                parts = split_sentences(text) if passage.kind is BlockKind.TEXT else [text]
                found += [(passage, part) for part in parts]
        return found

    def evidence_of(self, segment: Segment) -> Evidence:
        """Return the segment's evidence; one of no rank when it was not found."""
        known = self._evidence.get(segment.id)
        return known if known is not None else Evidence(0, segment, 0.0, ())

    def run(self, passage: Passage, quote: str) -> tuple[PlacedWord, ...]:
        """Return the words of a quote in a passage; empty when it does not stand there."""
        return tuple(QuoteLocator(self._words(passage)).find(quote))

    def runs_within(self, passage: Passage, sentence: str, parts: Sequence[str]) -> list[PlacedRun]:
        """Return the words of each part of a sentence; with its punctuation."""
        locator = QuoteLocator(self.run(passage, sentence))
        return [
            next((tuple(run) for end in _ENDS if (run := locator.find(part + end))), ())
            for part in parts
        ]

    def whole_run(self, passage: Passage) -> tuple[PlacedWord, ...]:
        """Return all words of a passage."""
        return tuple(QuoteLocator(self._words(passage)).find(passage.text)) or tuple(
            self._words(passage)
        )

    def _words(self, passage: Passage) -> Sequence[PlacedWord]:
        segment = replace(passage.evidence.segment, provenances=passage.provenances)
        return self._source.words(segment)

    def sections_of(self, document_id: DocumentId) -> tuple[Section, ...]:
        """Return all chapters of a document in reading order."""
        if document_id not in self._sections:
            blocks = self._source.document(document_id).blocks
            self._sections[document_id] = tuple(walk_sections(blocks))
        return self._sections[document_id]


def _segment_of(block: Block, segments: Sequence[Segment]) -> Segment | None:
    """Return the segment that shows a block: its element's first, or the one it begins in."""
    kind = _ELEMENTS.get(block.kind)
    if kind is not None:
        return next(
            (
                s
                for s in segments
                if s.kind is kind and s.element and s.element.index == block.element_index
            ),
            None,
        )
    texts = [s for s in segments if s.kind is SegmentKind.TEXT] or list(segments)
    begin = block.provenances[:1]
    areas: dict[SegmentId, float] = {s.id: _overlap(begin, s.provenances) for s in texts}
    return max(texts, key=lambda s: areas[s.id])


def _overlap(places: Sequence[Provenance], others: Sequence[Provenance]) -> float:
    """Area that two sets of places share, in square points."""
    return sum(
        place.bbox.intersection_area(other.bbox)
        for place in places
        for other in others
        if place.page_no == other.page_no
    )
