"""What the command line prints, most of it as JSON: one function for each verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.verbs import fields_of
from desktop_qa.core.answer import Answer, Citation, Evidence, Route, Trust
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Document, Figure, Provenance, ReadingScore, Table, TableCell
from desktop_qa.core.file_kinds import FileCount
from desktop_qa.core.progress import IngestReport
from desktop_qa.core.segment import ElementRef, SegmentKind
from desktop_qa.core.structure import chapter_tree
from desktop_qa.core.view import ExportReport, MarkdownView

if TYPE_CHECKING:
    from desktop_qa.generate.grounding import CheckedSentence
    from desktop_qa.library.facade import Library
    from desktop_qa.library.reasoning import ModelAnswer
    from desktop_qa.llm.profile import Profile

_ROUTES = tuple(route.value for route in Route)


def report_json(report: IngestReport) -> dict[str, Any]:
    """What `ingest` prints."""
    return {
        **fields_of(report, "documents pages segments tables figures"),
        "partial": [
            {
                "file": row.file,
                "pages": [failure.page_no for failure in row.page_failures if failure.is_lack],
                "reason": row.reason,
            }
            for row in report.partial
        ],
        "doubtful": [
            {"file": row.file, **(reading_json(row.reading) or {})} for row in report.doubtful
        ],
        "failed": [
            {"file": file, "reason": row.reason, "hint": row.hint}
            for row in report.failed
            for file in row.files
        ],
        "duplicates": [list(group) for group in report.duplicates],
        "scans": [file for row in report.scans for file in row.files],
        "read": counts_json(report.read),
        "not_read": counts_json(report.not_read),
        "seconds": round(report.seconds, 2),
    }


def reading_json(reading: ReadingScore | None) -> dict[str, Any] | None:
    """How well a document was read, and where that is in doubt."""
    if reading is None:
        return None
    where = [{"page": doubt.page_no or None, "what": doubt.what} for doubt in reading.doubts]
    return {"score": reading.score, "where": where}


def counts_json(counts: Sequence[FileCount]) -> list[dict[str, Any]]:
    """Files by kind; those that are not read have a reason."""
    return [
        {
            "kind": count.kind.value,
            "extensions": list(count.extensions),
            "n_files": count.n_files,
            **({"reason": count.reason.value} if count.reason is not None else {}),
        }
        for count in counts
    ]


def _places_json(places: Sequence[Provenance]) -> list[dict[str, Any]]:
    return [{"page": place.page_no, "bbox": _bbox_json(place)} for place in places]


def _bbox_json(place: Provenance) -> list[float]:
    box = place.bbox
    return [round(v, 2) for v in (box.left, box.top, box.right, box.bottom)]


_N_CLOSEST = 5
"""Places that are given instead of an answer, best first."""


def answer_json(
    answer: Answer, library: Library, *, only_differences: bool = False
) -> dict[str, Any]:
    """What `ask` and `compare` print."""
    evidence = evidence_json(answer.evidence, library)
    is_stated = answer.trust is not Trust.NOT_STATED
    return {
        **fields_of(answer, "question read_as here conversation status"),
        "answer": answer.text,
        "trust": answer.trust,
        "probability": None if answer.probability is None else round(answer.probability, 3),
        **fields_of(answer, "readings chosen verdict"),
        "tables": [
            answer_table_json(table, library, only_differences=only_differences)
            for table in answer.tables
        ],
        "figures": list(answer.figures),
        "citations": _citations_json(answer, library),
        "closest": [] if is_stated else evidence[:_N_CLOSEST],
        "evidence": evidence,
        "documents_searched": answer.n_documents_searched,
        "documents": answer.n_documents,
        **fields_of(answer, "scope notes"),
        "sources": [
            {"file": library.file_of(document_id), "why": why}
            for document_id, why in answer.sources
        ],
        "seconds": round(answer.seconds, 3),
        "id": answer.history_id,
    }


def _citations_json(answer: Answer, library: Library) -> list[dict[str, Any]]:
    by_id = {item.segment.id: item for item in answer.evidence}
    return [
        {
            "marker": citation.marker,
            "file": library.file_of(citation.document_id),
            "section_path": list(by_id[citation.segment_id].segment.metadata.section_path),
            "kind": by_id[citation.segment_id].segment.kind.value,
            "quote": list(citation.quote),
            "places": _places_json(citation.places),
        }
        for citation in answer.citations
    ]


def citation_line(citation: Citation, answer: Answer, library: Library) -> str:
    """Return marker, file, page and headings of a citation of an answer."""
    segment = next(e.segment for e in answer.evidence if e.segment.id == citation.segment_id)
    page_no = citation.places[0].page_no if citation.places else segment.metadata.page_nos[0]
    page = library.page_name(citation.document_id, page_no)
    path = " > ".join(segment.metadata.section_path)
    why = dict(answer.sources).get(citation.document_id, "")
    file = library.file_of(citation.document_id)
    return f"[{citation.marker}] {file}{f' ({why})' if why else ''}, page {page}: {path}"


def model_answer_json(said: ModelAnswer, profile: Profile, library: Library) -> dict[str, Any]:
    """What `ask --profile` prints of a model, under `model_answer`."""
    answer = said.answer
    tables = answer.tables if answer is not None else ()
    usage = said.usage
    return {
        "profile": profile.name,
        **fields_of(profile, "model host"),
        "status": None if answer is None else answer.status.value,
        "text": "" if answer is None else answer.text,
        "tables": [answer_table_json(table, library) for table in tables],
        "sentences": [_sentence_json(sentence) for sentence in said.sentences],
        "citations": [] if answer is None else _citations_json(answer, library),
        "fetched": list(said.fetched),
        "tokens": None if usage is None else {"read": usage.n_input, "written": usage.n_output},
        "tokens_shown": {"structure": said.structure_tokens, "retrieved": said.retrieved_tokens},
        "seconds": round(said.seconds, 3),
        "note": said.note,
        "error": None if said.error is None else str(said.error),
    }


def _sentence_json(sentence: CheckedSentence) -> dict[str, Any]:
    judgement = sentence.judgement
    row: dict[str, Any] = {
        **fields_of(sentence, "text markers"),
        "verdict": judgement.verdict.value,
        "reason": judgement.reason,
    }
    if judgement.instead:
        row["instead"] = {"text": judgement.instead, "marker": judgement.marker}
    return row


def answer_table_json(
    table: AnswerTable, library: Library, *, only_differences: bool = False
) -> dict[str, Any]:
    """Return a table of an answer; `files` has the file of each column, "" for labels."""
    is_kept = [
        not only_differences or index >= len(table.differs) or table.differs[index]
        for index in range(len(table.rows))
    ]
    return {
        **fields_of(table, "use title headers"),
        "rows": [
            [_cell_json(cell) for cell in row]
            for row, kept in zip(table.rows, is_kept, strict=True)
            if kept
        ],
        "files": [library.file_of(one) if one else "" for one in table.document_ids],
        "differs": [d for d, kept in zip(table.differs, is_kept, strict=False) if kept],
        "notes": list(table.notes),
    }


def _cell_json(cell: AnswerCell) -> dict[str, Any]:
    own = fields_of(cell, "text marker value note is_stated")
    return own | {"places": _places_json(cell.places)}


def evidence_json(evidence: Sequence[Evidence], library: Library) -> list[dict[str, Any]]:
    """The rows of what `retrieve` prints; `figure` is what a row of kind "figure" shows."""
    figures = library.elements_of(
        item.segment for item in evidence if item.segment.kind is SegmentKind.FIGURE
    )
    return [_evidence_row(item, library, figures.get(item.segment.id)) for item in evidence]


def _evidence_row(item: Evidence, library: Library, figure: object) -> dict[str, Any]:
    segment = item.segment
    routes = {hit.route.value: round(hit.score, 4) for hit in item.hits}
    pages = list(segment.metadata.page_nos)
    return {
        "rank": item.marker,
        "segment": segment.id,
        "score": round(item.score, 4),
        "routes": {name: routes.get(name) for name in _ROUTES},
        "file": library.file_of(segment.document_id),
        "page": pages[0] if pages else None,
        "pages": pages,
        "kind": segment.kind.value,
        "section_path": list(segment.metadata.section_path),
        "text": segment.text,
        "figure": figure_json(figure, library.image_of) if isinstance(figure, Figure) else None,
    }


def figure_json(figure: Figure, image_of: Callable[[str], str]) -> dict[str, Any]:
    """All that is known of a figure; `description` is the whole of what is said of it.

    Args:
        figure: Of a document.
        image_of: From a link of the document to the file it names; empty when there is none.
    """
    place = figure.provenances[0]
    return {
        **fields_of(figure, "label caption"),
        "page": place.page_no,
        "bbox": _bbox_json(place),
        "image": image_of(figure.image_path),
        "vector": image_of(figure.vector_path),
        **fields_of(figure, "words mentions surroundings description"),
    }


def structure_json(document: Document, image_of: Callable[[str], str]) -> dict[str, Any]:
    """What `structure` prints; for `image_of` see `figure_json`."""
    return {
        **fields_of(document, "title vendor part_numbers revision date"),
        "pages": len(document.page_sizes),
        "headings": [
            {**fields_of(chapter, "number title level"), "page": chapter.page_no}
            for chapter in chapter_tree(document.blocks)
        ],
        "reading": reading_json(document.reading),
        "tables": [table_json(table) for table in document.tables],
        "figures": [figure_json(figure, image_of) for figure in document.figures],
        "page_failures": [
            {"page": failure.page_no, "reason": failure.reason}
            for failure in document.page_failures
        ],
        "pages_without_text": list(document.pages_without_text),
    }


def markdown_json(view: MarkdownView, library: Library) -> dict[str, Any]:
    """A document of what `markdown` prints."""
    return {"file": library.file_of(view.document_id), "markdown": view.text}


def export_json(report: ExportReport) -> dict[str, Any]:
    """A document of what `markdown --to` writes."""
    own = fields_of(report, "file images_folder")
    return own | {"images": report.n_images, "missing": list(report.missing)}


def table_json(table: Table, shown: ElementRef | None = None) -> dict[str, Any]:
    """All that is known of a table, with its cells.

    Args:
        table: Of a document.
        shown: The body rows to give, under their heads; all when `None`.
    """
    cells = []
    for cell in table.cells:
        if shown is not None and not _is_shown(cell, table.n_header_rows, shown):
            continue
        place = cell.provenances[0] if cell.provenances else None
        if place is not None:
            box = place.bbox
            for other in cell.provenances[1:]:
                if other.page_no == place.page_no:
                    box = box.union(other.bbox)
            place = Provenance(place.page_no, box)
        cells.append(
            {
                **fields_of(cell, "row column row_span column_span text is_header"),
                "page": place.page_no if place else None,
                "bbox": _bbox_json(place) if place else None,
                "row_path": list(table.texts(cell.row_path)),
                "column_path": list(table.texts(cell.column_path)),
                **fields_of(cell, "confidence scale sign period"),
            }
        )
    return {
        **fields_of(table, "label caption conditions"),
        "pages": sorted({place.page_no for place in table.provenances}),
        **fields_of(table, "n_rows n_columns"),
        "columns": [fields_of(column, "role confidence") for column in table.columns],
        **fields_of(table, "confidence scale_note"),
        "cells": cells,
    }


def _is_shown(cell: TableCell, n_header_rows: int, shown: ElementRef) -> bool:
    is_head = cell.row < n_header_rows
    end = shown.first_row + shown.n_rows
    return is_head or (cell.row < end and cell.row + cell.row_span > shown.first_row)


def renewal_lines(vectors_only: Sequence[bool]) -> list[str]:
    """Say what becomes of the documents of earlier versions.

    Args:
        vectors_only: For each of them, whether new vectors are all it needs.
    """
    lines = []
    n_embedded = sum(vectors_only)
    n_read = len(vectors_only) - n_embedded
    if n_embedded:
        noun = "document" if n_embedded == 1 else "documents"
        lines.append(f"Embedding {n_embedded} {noun} again: another model made the vectors")
    if n_read:
        noun, verb = ("document", "it was") if n_read == 1 else ("documents", "they were")
        lines.append(f"Reading {n_read} {noun} again: {verb} read by an earlier version")
    return lines
