"""From an answer to what a client draws: the evidence with its table, figure and places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Answer, Evidence
from desktop_qa.core.document import Provenance, Table
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.view import AnswerView, EvidenceView


def present(
    answer: Answer, source: StoredEvidence, library_folder: Path, said: ModelSaid | None
) -> AnswerView:
    """Make everything ready to draw.

    Args:
        answer: With its evidence numbered.
        source: Tables and figures of the segments.
        library_folder: Image paths are relative to it.
        said: By a model, of the same question; `None` when none was asked.
    """
    whole = said.beside(answer) if said is not None else answer
    views = (evidence_view(item, source, library_folder, whole) for item in whole.evidence)
    return AnswerView(answer, tuple(views), said=said)


def evidence_view(
    item: Evidence, source: StoredEvidence, library_folder: Path, answer: Answer | None = None
) -> EvidenceView:
    """Make a piece ready to draw, of an answer or of none; see `present`."""
    citations = answer.citations if answer is not None else ()
    citation = next((one for one in citations if one.marker == item.marker), None)
    notes = dict(answer.sources) if answer is not None else {}
    segment, element = item.segment, item.segment.element
    table, figure = source.table(segment), source.figure(segment)
    places = citation.places if citation is not None else segment.provenances
    rows = (element.first_row, element.first_row + element.n_rows) if table and element else (0, 0)
    page_no = places[0].page_no if places else (segment.metadata.page_nos or (1,))[0]
    status = source.status(segment.document_id)
    image = figure.image_path if figure is not None else ""
    vector = figure.vector_path if figure is not None else ""
    return EvidenceView(
        marker=item.marker,
        kind=segment.kind,
        document_id=segment.document_id,
        section_path=(segment.metadata.document_title, *segment.metadata.section_path),
        page_no=page_no,
        file=status.file if status is not None else "",
        path=status.path if status is not None else "",
        text=segment.text,
        caption=segment.metadata.caption,
        table=table,
        rows=rows,
        cited_cells=_cells_under(table, citation.places) if table and citation else (),
        figure_path=str(library_folder / image) if image else None,
        quotes=citation.quote if citation is not None else (),
        places=places,
        is_cited=citation is not None,
        vector_path=str(library_folder / vector) if vector else None,
        symbols=source.symbols(segment) if citation is not None else (),
        source_note=notes.get(segment.document_id, ""),
        page_starts=status.page_starts if status is not None else (),
    )


def _cells_under(table: Table, places: Sequence[Provenance]) -> tuple[tuple[int, int], ...]:
    """Return the cells whose text lies under one of the places."""
    return tuple(
        (cell.row, cell.column)
        for cell in table.cells
        if cell.text
        and any(
            line.page_no == place.page_no and line.bbox.contains_center(place.bbox)
            for line in cell.provenances
            for place in places
        )
    )
