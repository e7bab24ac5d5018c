"""Answers, what they rest on, and earlier questions, complete in every field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from desktop_qa.core.answer import Answer, AnswerStatus, Citation
from desktop_qa.core.answer_blocks import AnswerBlock
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.history import DocumentsSince, HistoryItem, HistoryState
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView, PastQuestion


def make_answer(
    question: str = "?", blocks: tuple[AnswerBlock, ...] = (), **changes: Any
) -> Answer:
    fields: dict[str, Any] = {
        "citations": (),
        "evidence": (),
        "status": AnswerStatus.ANSWERED,
        "support": (),
        "model": "extractive",
        "seconds": 0.25,
    }
    return Answer(question, blocks, **(fields | changes))


def with_answer(view: AnswerView, **changes: Any) -> AnswerView:
    """Return a view whose answer is another one in these fields."""
    return replace(view, answer=replace(view.answer, **changes))


def place(page_no: int, top: float = 100.0) -> tuple[Provenance, ...]:
    return (Provenance(page_no, BoundingBox(50, top, 200, top + 12)),)


def make_evidence(
    marker: int, kind: SegmentKind = SegmentKind.TEXT, **changes: Any
) -> EvidenceView:
    fields: dict[str, Any] = {
        "document_id": DocumentId("TI_OPA4197.pdf"),
        "section_path": ("OPA4197", "1 Features"),
        "page_no": 1,
        "file": "TI_OPA4197.pdf",
        "path": "/documents/TI_OPA4197.pdf",
        "text": "1 Features\nLow offset voltage: ±100 µV (maximum)",
        "caption": "",
        "table": None,
        "rows": (0, 0),
        "cited_cells": (),
        "figure_path": None,
        "quotes": ("±100 µV (maximum)",),
        "places": place(1),
        "is_cited": True,
    }
    return EvidenceView(marker, kind, **(fields | changes))


def citations_of(pieces: Iterable[EvidenceView]) -> tuple[Citation, ...]:
    """Return a citation for each piece that is cited."""
    return tuple(
        Citation(e.marker, SegmentId(f"x:{e.marker}"), e.document_id, e.places, e.quotes)
        for e in pieces
        if e.is_cited
    )


def make_past(told: AnswerView, **changes: Any) -> PastQuestion:
    """An earlier question, as the library tells it again."""
    fields: dict[str, Any] = {
        "id": 1,
        "asked_at": 1_700_000_000.0,
        "question": told.answer.question,
        "state": HistoryState(told.answer.status.value),
        "excerpt": "",
        "error": "",
        "view": told,
        "since": DocumentsSince(),
        "settings": {},
        "timings": {},
        "seconds": 0.4,
    }
    return PastQuestion(**(fields | changes))


def make_item(number: int, question: str = "", **changes: Any) -> HistoryItem:
    """A line of the list of earlier questions."""
    fields: dict[str, Any] = {
        "id": number,
        "asked_at": float(number),
        "question": question or f"Question {number}?",
        "state": HistoryState.ANSWERED,
        "excerpt": "It is 5 mA.",
        "seconds": 0.4,
    }
    return HistoryItem(**(fields | changes))
