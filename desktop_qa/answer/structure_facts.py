"""What the structure of a document answers by itself: how many pages, which chapters, its title."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_qa.answer.reply import LibrarySource, Reply
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.answer import Asked, Evidence, PlaceKind, Query, StructureRef
from desktop_qa.core.document import Document, DocumentId
from desktop_qa.core.segment import Segment
from desktop_qa.core.structure import chapter_tree
from desktop_qa.core.word_places import QuoteLocator
from desktop_qa.retrieve.places import place_score
from desktop_qa.retrieve.readings import needs_document, readings_of_documents

_MAX_DOCUMENTS = 3
_MAX_LISTED = 40
_FEW_CHAPTERS = 2
_N_QUOTED_WORDS = 6
_DATE = re.compile(
    r"\b(?:\d{1,2}\s+)?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
    r"(?:\s+\d{1,2},)?\s+(?:19|20)\d\d\b|\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b",
    re.IGNORECASE,
)


def structure_facts(query: Query, source: LibrarySource) -> Reply | None:
    """Answer what is asked about documents as a whole; `None` when nothing is, or of no document.

    Args:
        query: With the documents it names.
        source: Of their structures.
    """
    refs = [
        ref
        for ref in query.structure_refs
        if ref.asked is not Asked.CONTENT or ref.kind == PlaceKind.DOCUMENT
    ]
    documents = query.document_ids[:_MAX_DOCUMENTS]
    if not refs or not documents:
        return None
    leads: list[str] = []
    statements: list[Statement] = []
    for document_id in documents:
        document = source.document(document_id)
        for ref in refs:
            name = document_name(document_id, source, asked=query.keywords)
            if ref.kind == PlaceKind.DOCUMENT:
                leads.append(_known(document, ref.first, name))
                continue
            items = list(_items(document, ref, source)) if ref.kind != PlaceKind.PAGE else []
            n_found = len(document.page_sizes) if ref.kind == PlaceKind.PAGE else len(items)
            where = f"{_place_of(ref)} of {name}" if ref.within is not None else name
            leads.append(f"{_capital(where)} has {_counted(n_found, ref.kind)}.")
            if ref.asked is Asked.LIST:
                statements += [_listed(*item, source) for item in items[:_MAX_LISTED]]
    lead = " ".join(filter(None, leads)) or "The document does not say."
    return Reply(lead, tuple(statements), is_sure=True)


def document_name(
    document_id: DocumentId,
    source: LibrarySource,
    *,
    asked: Sequence[str] = (),
    by_file: bool = False,
) -> str:
    """Return how a document is spoken of: "the OPT3001 datasheet", else by its file.

    Args:
        document_id: Of a parsed document.
        source: Where its title and part numbers are.
        asked: Codes of the question in normal form: of several parts the one asked for is named.
        by_file: Name the file in any case.
    """
    document = source.document(document_id)
    if by_file or not document.part_numbers:
        return source.file_name(document_id) or document.title
    is_manual = "manual" in document.title.casefold() or "guide" in document.title.casefold()
    meant = [code for code in document.part_numbers if normalize_code(code) in asked]
    return f"the {(meant or document.part_numbers)[0]} {'manual' if is_manual else 'datasheet'}"


def clarifications(
    query: Query, evidence: Sequence[Evidence], source: LibrarySource
) -> tuple[str, ...]:
    """Return a question for each of the likely documents when none is named and one must be."""
    if not needs_document(query):
        return ()
    documents = list(dict.fromkeys(item.segment.document_id for item in evidence))
    if len(documents) < 2:
        return ()
    names = [document_name(document_id, source) for document_id in documents]
    names = [
        name if names.count(name) == 1 else document_name(document_id, source, by_file=True)
        for name, document_id in zip(names, documents, strict=True)
    ]
    return readings_of_documents(query.text, names)


def _items(
    document: Document, ref: StructureRef, source: LibrarySource
) -> Iterator[tuple[str, Segment]]:
    """Yield what is counted or listed, with the segment it begins in, in order."""
    segments = source.segments_of(document.id)
    if ref.within is not None:
        within, n_pages = ref.within, len(document.page_sizes)
        segments = [s for s in segments if place_score(s, within, n_pages) > 0.0]
    if ref.kind == PlaceKind.SECTION:
        yield from _chapters(document, segments, all_levels=ref.within is not None)
        return
    first: dict[int, Segment] = {}
    for segment in segments:
        if segment.kind.value == ref.kind and segment.element:
            first.setdefault(segment.element.index, segment)
    for segment in first.values():
        metadata = segment.metadata
        yield metadata.caption or "".join(metadata.section_path[-1:]), segment


def _chapters(
    document: Document, segments: Sequence[Segment], *, all_levels: bool
) -> Iterator[tuple[str, Segment]]:
    chapters = chapter_tree(document.blocks)
    top = min((chapter.level for chapter in chapters), default=1)
    if sum(chapter.level == top for chapter in chapters) <= _FEW_CHAPTERS:
        top += 1
    first: dict[str, Segment] = {}
    for segment in segments:
        for heading in segment.metadata.section_path:
            first.setdefault(heading, segment)
    for chapter in chapters:
        heading = f"{chapter.number} {chapter.title}".strip()
        # A heading with nothing under it is in no segment, and cannot be pointed at.
        if heading in first and (all_levels or chapter.level <= top):
            yield heading, first[heading]


def _listed(name: str, segment: Segment, source: LibrarySource) -> Statement:
    run = tuple(QuoteLocator(source.words(segment)).find(name))
    pages = segment.metadata.page_nos
    text = f"{name or 'without a caption'}, page {pages[0]}" if pages else name
    item = Evidence(0, segment, 1.0, ())
    return Statement(text, item, (run,) if run else (), (), 1.0, 1.0)


def place_statement(evidence: Evidence, source: EvidenceSource) -> Statement | None:
    """Point at a table or figure whose caption is not within it, or that has none.

    It is named by its caption, else by the heading that it stands under; cited are its first words.
    """
    segment = evidence.segment
    name = segment.metadata.caption or "".join(segment.metadata.section_path[-1:])
    words = source.words(segment)
    if not name or not words or not segment.metadata.page_nos:
        return None
    text = f"{name.rstrip('.')}, page {segment.metadata.page_nos[0]}."
    return Statement(text, evidence, (tuple(words[:_N_QUOTED_WORDS]),), (), 1.0, evidence.score)


def _known(document: Document, what: str, name: str) -> str:
    """Say what is known of a document, or that it does not say."""
    if what == "title":
        return f"The title of {name} is “{document.title}”." if document.title else ""
    if what == "author":
        return f"{_capital(name)} is published by {document.vendor}." if document.vendor else ""
    if what == "date":
        dates = [match.group() for match in _DATE.finditer(document.revision)]
        if dates:
            return f"{_capital(name)} is dated {dates[-1]} ({document.revision})."
    return f"The revision of {name} is {document.revision}." if document.revision else ""


def _place_of(ref: StructureRef) -> str:
    place = ref.within
    if place is None:
        return ""
    label = place.first if place.first == place.last else f"{place.first}-{place.last}"
    return f"{'pages' if '-' in label[1:] else place.kind} {label}"


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun if number == 1 else noun + 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
