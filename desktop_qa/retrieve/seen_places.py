"""Questions about what is seen: their pointing words read, their search limited to the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment
from desktop_qa.retrieve.here import Here, HereReader
from desktop_qa.retrieve.here_words import Pointing, Seen, find_pointing
from desktop_qa.retrieve.known_documents import KnownDocuments
from desktop_qa.retrieve.place_scope import within
from desktop_qa.retrieve.query import build_query
from desktop_qa.retrieve.scope import label_of, select

OPEN_ONE = "Open a document from the library, or name the page: “page 12 of the OPA4197 datasheet”."

SegmentsOf = Callable[[DocumentId], Sequence[Segment]]


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
    places = within(scope, lambda base: select((base,), statuses).document_ids, segments_of)
    if places.empty and not places.segment_ids:
        raise QuestionError(
            f"Nothing was read from {label_of(places.empty[0])}.",
            "It is blank, a picture, or the document has no such page.",
        )
    if places.document_ids and not query.document_ids and not query.absent:
        query = replace(query, document_ids=places.document_ids)
    return replace(query, within=places.segment_ids)


def read_here(question: Question, known: KnownDocuments, segments_of: SegmentsOf) -> Here | None:
    """Read "this page" and "here" by what the viewer shows; `None` when nothing points at it.

    Args:
        question: Its pointing words mean nothing when nobody looks at a document; a document in its
            scope is "this document" when none is open.
        known: The documents of the library.
        segments_of: The segments of a document by ordinal.

    Raises:
        QuestionError: When it points at what is not there.
    """
    viewed = question.looks_at
    pointings = find_pointing(question.text) if viewed is not None else ()
    if viewed is None or not pointings:
        return None
    status = next((s for s in known.statuses if s.document_id == viewed.document_id), None)
    if status is None or not status.is_indexed:
        _refuse_nothing(pointings, status, question.scope)
        return None
    if not viewed.places and all(one.is_weak for one in pointings):
        return None
    named = build_query(question.text, known.directory, split=False).document_ids
    is_open = bool(set(named) - {status.document_id})
    reader = HereReader(viewed, status, segments_of(status.document_id))
    return reader.read(question, pointings, is_open=is_open)


def _refuse_nothing(
    pointings: Sequence[Pointing], status: DocumentStatus | None, scope: Sequence[str]
) -> None:
    """Say that words point at nothing, where they can mean nothing else.

    Raises:
        QuestionError: When they cannot.
    """
    sure = [one for one in pointings if not one.is_weak and one.seen is not Seen.HERE]
    if not sure or (scope and sure[0].seen is Seen.DOCUMENT):
        return
    if status is not None:
        raise QuestionError(
            f"{status.file} is not read yet, so “{sure[0].words}” cannot be asked about.",
            "Ask again when the library panel says that it is ready.",
        )
    raise QuestionError(f"No document is open, so “{sure[0].words}” means nothing yet.", OPEN_ONE)
