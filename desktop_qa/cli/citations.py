"""Where a citation stands, as a line of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_qa.core.answer import Answer, Citation

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


def citation_line(citation: Citation, answer: Answer, library: Library) -> str:
    """Return marker, file, page and headings of a citation of an answer."""
    segment = next(e.segment for e in answer.evidence if e.segment.id == citation.segment_id)
    page_no = citation.places[0].page_no if citation.places else segment.metadata.page_nos[0]
    page = library.page_name(citation.document_id, page_no)
    path = " > ".join(segment.metadata.section_path)
    why = dict(answer.sources).get(citation.document_id, "")
    file = library.file_of(citation.document_id)
    return f"[{citation.marker}] {file}{f' ({why})' if why else ''}, page {page}: {path}"
