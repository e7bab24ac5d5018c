"""What is said of places: a named page, section, table or figure, and a document as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_qa.answer.absent import without_datasheet_text
from desktop_qa.answer.candidates import candidates, located
from desktop_qa.answer.exact import chosen_reply
from desktop_qa.answer.prose import sentence_pieces
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.trust import stands_there
from desktop_qa.answer.which_document import capitalized, document_name
from desktop_qa.core.answer import Asked, Evidence, PlaceKind, StructureRef
from desktop_qa.core.document import Document
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.structure import chapter_tree
from desktop_qa.core.word_places import QuoteLocator
from desktop_qa.retrieve.places import by_element, place_score

_MAX_DOCUMENTS = 3
_MAX_STATEMENTS = 6
_MIN_COVERAGE = 0.6
_MAX_LISTED = 40
_FEW_CHAPTERS = 2
_N_QUOTED_WORDS = 6


def structure_facts(task: AnswerTask) -> Reply | None:
    """Answer what is asked of documents as a whole; `None` when nothing is, or of no document."""
    query, source = task.query, task.source
    asked = [r for r in query.structure_refs if r.asked is not Asked.CONTENT or _is_fact(r)]
    documents = query.document_ids[:_MAX_DOCUMENTS]
    if not asked or not documents:
        return None
    leads: list[str] = []
    statements: list[Statement] = []
    for document_id in documents:
        document = source.document(document_id)
        name = document_name(document_id, source, asked=query.keywords)
        for ref in asked:
            if _is_fact(ref):
                leads.append(_known(document, ref.first, name))
                continue
            items = list(_items(document, ref, source)) if ref.kind != PlaceKind.PAGE else []
            n = len(document.page_sizes) if ref.kind == PlaceKind.PAGE else len(items)
            counted = f"{n or 'no'} {ref.kind}{'' if n == 1 else 's'}"
            leads.append(f"{capitalized(_place_of(ref) + name)} has {counted}.")
            if ref.asked is Asked.LIST:
                pointed = ((name, Evidence(0, one, 1.0, ())) for name, one in items[:_MAX_LISTED])
                statements += [_pointed_at(*one, source) for one in pointed]
    lead = " ".join(filter(None, leads)) or "The document does not say."
    return Reply(lead, tuple(statements), is_sure=True)


def _is_fact(ref: StructureRef) -> bool:
    return ref.kind == PlaceKind.DOCUMENT


def place_reply(task: AnswerTask) -> Reply | None:
    """Answer from the place itself; `None` when no place is named or it was not found."""
    placed = [item for item in task.usable if stands_there(item)]
    if not task.query.structure_refs or not placed:
        return None
    order = ranked(task, candidates(task, placed))
    specific = [s for s in order if s.coverage >= _MIN_COVERAGE]
    if task.terms.weights and specific and (reply := chosen_reply(task, specific)):
        return reply
    statements = _overview(task, placed)
    lead = without_datasheet_text(task.query, task.evidence)
    return Reply(lead, tuple(statements)) if statements else None


def _overview(task: AnswerTask, placed: Sequence[Evidence]) -> list[Statement]:
    """Name the tables and figures of the place, and quote how its sections begin."""
    statements: dict[str, Statement] = {}
    for item in sorted(placed, key=lambda one: one.segment.kind is SegmentKind.TEXT):
        if item.segment.kind is SegmentKind.TEXT:
            said = (located(one, task) for one in sentence_pieces(task.terms, item))
            first = next(filter(None, said), None)
        else:
            name = _name_of(item.segment)
            first = _pointed_at(name, item, task.source) if name else None
        if first is not None:
            statements.setdefault(first.text.casefold(), first)
    return list(statements.values())[:_MAX_STATEMENTS]


def _items(
    document: Document, ref: StructureRef, source: StoredEvidence
) -> Iterator[tuple[str, Segment]]:
    """Yield what is counted or listed, with the segment it begins in, in order."""
    segments: Sequence[Segment] = source.segments_of(document.id)
    if ref.within is not None:
        within, n_pages = ref.within, len(document.page_sizes)
        segments = [s for s in segments if place_score(s, within, n_pages) > 0.0]
    if ref.kind == PlaceKind.SECTION:
        yield from _chapters(document, segments, all_levels=ref.within is not None)
        return
    yield from ((_name_of(own[0]), own[0]) for own in by_element(segments, ref.kind).values())


def _name_of(segment: Segment) -> str:
    """Return the caption of a table or figure, else the heading that it stands under."""
    return segment.metadata.caption or "".join(segment.metadata.section_path[-1:])


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


def _pointed_at(name: str, item: Evidence, source: StoredEvidence) -> Statement:
    """Name a place with its page; its name is quoted where it stands there, else how it begins."""
    words, pages = source.words(item.segment), item.segment.metadata.page_nos
    run = tuple(QuoteLocator(words).find(name) or words[:_N_QUOTED_WORDS])
    text = f"{name.rstrip('.') or 'without a caption'}, page {pages[0]}" if pages else name
    return Statement(text, item, (run,) if run else (), (), 1.0, item.score)


def _known(document: Document, what: str, name: str) -> str:
    """Say what is known of a document, or that it does not say."""
    if what == "title":
        return f"The title of {name} is “{document.title}”." if document.title else ""
    if what == "author":
        return f"{capitalized(name)} is published by {document.vendor}." if document.vendor else ""
    if what == "date" and document.date:
        revision = f" ({document.revision})" if document.revision else ""
        return f"{capitalized(name)} is dated {document.date}{revision}."
    return f"The revision of {name} is {document.revision}." if document.revision else ""


def _place_of(ref: StructureRef) -> str:
    """Return "page 5 of " for what is counted on page 5."""
    if (place := ref.within) is None:
        return ""
    label = place.first if place.first == place.last else f"{place.first}-{place.last}"
    return f"{'pages' if '-' in label[1:] else place.kind} {label} of "
