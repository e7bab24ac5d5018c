"""A section as its document has it: every block in order, with its words and its segment.

Segments are cut for the search: they overlap, and lists run over their ends. What is told whole is
therefore read from the document's own blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.source import StoredEvidence, shared_area
from desktop_qa.augment.cascade import Section, walk_sections
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import Block, BlockKind, DocumentId, Provenance
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.word_places import PlacedWord, QuoteLocator

_ELEMENTS = {BlockKind.TABLE: SegmentKind.TABLE, BlockKind.PICTURE: SegmentKind.FIGURE}
_MARKS = {
    "number": re.compile(
        r"(?:step\s+(\d{1,2})\s*[.:)–—-]?|\(?(\d{1,2})[.):]\)?)\s+", re.IGNORECASE
    ),
    "letter": re.compile(r"\(?([a-zA-Z]|[ivx]{1,4})[.)]\s+"),
    "bullet": re.compile(
        r"(?:[-*+•–—▪◦■□●○►▶▷‣·»✓✔➢➤\u2219\uf000-\uf0ff]|\(cid:\d+\)|o(?=\s+[A-Z]))\s*"
    ),
}
_LETTERS = re.compile(r"[^\W\d_]{2}")


PlacedRun = tuple[PlacedWord, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of a section.

    Attributes:
        text: On one line; empty for tables and figures.
        evidence: The segment that shows it.
    """

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
        shown: Its number or letter as printed; empty for a bullet.
        text: What it marks.
    """

    style: str
    shown: str
    text: str

    @property
    def value(self) -> int:
        """1-based position that it says; 0 for a bullet or a number in Roman letters."""
        if self.style == "letter" and len(self.shown) == 1:
            return ord(self.shown.casefold()) - ord("a") + 1
        return int(self.shown) if self.style == "number" else 0


def label_of(text: str) -> Label | None:
    """Read the mark at the start of a list item."""
    for style, mark in _MARKS.items():
        if match := mark.match(text):
            shown = next(filter(None, match.groups()), "")
            return Label(style, shown, text[match.end() :].strip())
    return None


def without_label(text: str) -> str:
    """Return the text of a list item without its mark."""
    label = label_of(text)
    return label.text if label is not None else text.strip()


class SectionReader:
    """Reads sections of documents; make one for each question.

    Args:
        source: Documents, segments and words.
        evidence: What was found: its segments keep their evidence.
    """

    def __init__(self, source: StoredEvidence, evidence: Iterable[Evidence]) -> None:
        self._source = source
        self._evidence = {item.segment.id: item for item in evidence}
        self._sections: dict[DocumentId, tuple[Section, ...]] = {}

    def found(self, evidence: Iterable[Evidence]) -> Iterator[tuple[Evidence, Section]]:
        """Yield each section that segments stand in once, with the first of them."""
        first: dict[tuple[str, tuple[str, ...]], Evidence] = {}
        for item in evidence:
            key = (item.segment.document_id, item.segment.metadata.section_path)
            first.setdefault(key, item)
        for (_document_id, path), item in first.items():
            segment = item.segment
            own = set(segment.metadata.page_nos)
            # Chapters of one document may be called the same.
            same = [
                (len(own & self.pages_of(segment.document_id, section)), section)
                for section in self.sections_of(segment.document_id)
                if section.path == path
            ]
            if same:
                yield item, max(same, key=lambda one: one[0])[1]

    def pages_of(self, document_id: DocumentId, section: Section) -> set[int]:
        """Return the 1-based pages that a chapter's own text and elements stand on."""
        blocks = self._source.document(document_id).blocks
        own = [blocks[index] for index in section.blocks]
        heading = [section.heading] if section.heading is not None else []
        return {place.page_no for block in (*own, *heading) for place in block.provenances}

    def passages(self, document_id: DocumentId, section: Section) -> list[Passage]:
        """Return the body of a section in reading order, without stray marks and numbers."""
        document = self._source.document(document_id)
        segments = self._source.segments_of(document_id)
        own = [s for s in segments if s.metadata.section_path == section.path]
        found = []
        for block in (document.blocks[index] for index in section.blocks):
            is_element = block.kind in _ELEMENTS
            text = "" if is_element else " ".join(block.text.split())
            is_said = is_element or _LETTERS.search(text)
            if is_said and (segment := _segment_of(block, own)) is not None:
                item = self.evidence_of(segment)
                found.append(Passage(block.kind, block.level, text, item, block.provenances))
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

    def run(self, passage: Passage, quote: str) -> PlacedRun:
        """Return the words of a quote in a passage; empty when it does not stand there."""
        return tuple(QuoteLocator(self.words(passage)).find(quote))

    def words(self, passage: Passage) -> PlacedRun:
        """Return all words of a passage."""
        segment = replace(passage.evidence.segment, provenances=passage.provenances)
        return tuple(self._source.words(segment))

    def sections_of(self, document_id: DocumentId) -> tuple[Section, ...]:
        """Return all chapters of a document in reading order."""
        if document_id not in self._sections:
            blocks = self._source.document(document_id).blocks
            self._sections[document_id] = tuple(walk_sections(blocks))
        return self._sections[document_id]


def first_of_tables(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return of each table among the evidence the piece that was found first."""
    found: dict[tuple[DocumentId, object], Evidence] = {}
    for item in evidence:
        if item.segment.kind is SegmentKind.TABLE:
            found.setdefault(item.segment.place, item)
    return list(found.values())


def _segment_of(block: Block, segments: Sequence[Segment]) -> Segment | None:
    """Return the segment that shows a block: its element's first, or the one it begins in."""
    if (kind := _ELEMENTS.get(block.kind)) is not None:
        shown = ((s, s.element) for s in segments if s.kind is kind)
        return next((s for s, own in shown if own and own.index == block.element_index), None)
    texts = [s for s in segments if s.kind is SegmentKind.TEXT] or segments
    begin = block.provenances[:1]
    return max(texts, key=lambda s: shared_area(begin, s.provenances), default=None)
