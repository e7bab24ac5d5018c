"""Whether the cells that an earlier answer shows still stand in its documents as they are now."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId, Provenance, Table


def is_read_differently(answer: Answer, document_id: DocumentId, tables: Sequence[Table]) -> bool:
    """Tell whether a cell that an answer shows is part of another, or of several, or of none now.

    Args:
        answer: As it was given, with the rectangles of its cells.
        document_id: Of the document in question.
        tables: That are read from it now.
    """
    documents = {item.marker: item.segment.document_id for item in answer.evidence}
    cells = [cell for table in tables for cell in table.cells if cell.text]
    return any(
        [_plain(cell.text) for cell in cells if _stand_together(cell.provenances, shown.places)]
        != [_plain(shown.text)]
        for table in answer.tables
        for row in table.rows
        for shown in row
        if shown.places and documents.get(shown.marker) == document_id
    )


def _stand_together(cell: Sequence[Provenance], shown: Sequence[Provenance]) -> bool:
    return any(
        one.page_no == place.page_no
        and (one.bbox.contains_center(place.bbox) or place.bbox.contains_center(one.bbox))
        for one in cell
        for place in shown
    )


def _plain(text: str) -> str:
    return "".join(text.split())
