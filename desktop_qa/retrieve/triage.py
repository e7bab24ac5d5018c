"""The functions of PDFTriage that fetch a place of a document, and the structure route.

`fetch_pages` gives the text of pages of one document, `fetch` its segments at a section, table or
figure. Where a question names no document, the places are sought in the few documents that the
words of the question rank best: a library has thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop_qa.core.answer import PlaceKind, Query, StructureRef
from desktop_qa.core.document import Block, BlockKind, Document, DocumentId, PageWords, Table
from desktop_qa.core.segment import SegmentId
from desktop_qa.core.word_places import quote_of, words_within
from desktop_qa.index.store import Store
from desktop_qa.index.terms import terms_of
from desktop_qa.parse.markdown import render_markdown
from desktop_qa.retrieve.fusion import FloatArray
from desktop_qa.retrieve.places import place_scores
from desktop_qa.retrieve.search_index import Snapshot
from desktop_qa.retrieve.structure_refs import element_number, strip_structure_refs

N_DOCUMENTS = 8
"""So many documents are looked into when the question names none: 3 ms each."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """The text of a page as Markdown; `problem` says why there is none, or not all of it."""

    page_no: int
    text: str
    problem: str = ""


class Triage:
    """The functions of PDFTriage (Table 2), each over one document of a library."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def fetch_pages(
        self, document_id: DocumentId, page_nos: Iterable[int]
    ) -> tuple[FetchedPage, ...]:
        """Return the text of some pages and no more, in the order asked for.

        Args:
            document_id: Of a document that was read.
            page_nos: 1-based; -1 is the last page. Those that the document has not are left out.

        Raises:
            NotStoredError: When it is unknown or not read yet.
        """
        document = self._store.document(document_id)
        n_pages = len(document.page_sizes)
        wanted = (n if n > 0 else n_pages + 1 + n for n in page_nos)
        problems = {failure.page_no: failure.reason for failure in document.page_failures}
        return tuple(
            FetchedPage(
                page_no,
                page_markdown(document, self._store.page_words(document_id, page_no)),
                problems.get(page_no, ""),
            )
            for page_no in dict.fromkeys(wanted)
            if 1 <= page_no <= n_pages
        )

    def fetch(
        self, document_id: DocumentId, kind: PlaceKind, label: str = "", words: str = ""
    ) -> dict[SegmentId, float]:
        """Return the segments of a section, table or figure and all below it, with their fit.

        1.0 is the place itself; in the order of the document.

        Args:
            document_id: Of a document that was read.
            kind: Of the place.
            label: Its number: "8.3.4", "7-2".
            words: Of its title, caption or heading, where it is known by these.
        """
        number = label.lower() if kind is PlaceKind.SECTION else element_number(label)
        segments = self._store.segments_of(document_id)
        scores = place_scores(segments, (StructureRef(kind, number, number, words),))
        return {one.id: fit for one, fit in zip(segments, scores, strict=True) if fit > 0.0}


def structure_scores(query: Query, snapshot: Snapshot, store: Store) -> FloatArray:
    """Score the places that a question names over all rows: 1.0 at the place, 0.0 elsewhere.

    Args:
        query: With the places it names.
        snapshot: The rows.
        store: Of the same library.

    Returns:
        Scores, shape (n,).
    """
    scores = np.zeros(snapshot.state.n_rows)
    for document_id in _documents(query, snapshot) if query.structure_refs else ():
        segments, status = store.segments_of(document_id), store.status(document_id)
        n_pages = status.n_pages if status is not None else 0
        fits = place_scores(segments, query.structure_refs, n_pages)
        for segment, fit in zip(segments, fits, strict=True):
            if (row := snapshot.state.row_of(segment.id)) is not None:
                scores[row] = fit
    return scores


def _documents(query: Query, snapshot: Snapshot) -> Sequence[DocumentId]:
    """Return the documents to look into; when none is named, the lexical route tells which."""
    if query.document_ids:
        return query.document_ids
    words = terms_of(strip_structure_refs(query.reformulated or query.text))
    scores = snapshot.lexical.scores(dict.fromkeys(words, 1.0))
    best = np.full(len(snapshot.state.document_ids), -np.inf)
    rows = snapshot.state.mask_of(query.scope) if query.scope else scores > -np.inf
    np.maximum.at(best, snapshot.state.document_numbers[rows], scores[rows])
    order = [int(n) for n in np.argsort(-best, kind="stable")[:N_DOCUMENTS] if best[n] > -np.inf]
    return [snapshot.state.document_ids[number] for number in order]


def page_markdown(document: Document, page: PageWords) -> str:
    """Return what stands on a page, in reading order; headers and footers are left out.

    What runs over from the page before or on to the next is cut at the page: a paragraph to its
    words there, a table to its head and its rows there.

    Args:
        document: As it was read.
        page: The words of the page.
    """
    blocks: list[Block] = []
    tables, figures = list(document.tables), list(document.figures)
    for block in document.blocks:
        here = [place for place in block.provenances if place.page_no == page.page_no]
        if not here:
            continue
        index = block.element_index
        if block.kind is BlockKind.TABLE and index is not None:
            tables[index] = _rows_on(tables[index], page.page_no)
        elif block.kind is BlockKind.PICTURE and index is not None:
            # What other pages say of a figure is left out.
            figures[index] = replace(figures[index], mentions=(), surroundings="")
        elif len(here) < len(block.provenances):
            block = replace(block, text=quote_of(words_within([page], here)))
        blocks.append(block)
    return render_markdown(blocks, tables, figures)


def _rows_on(table: Table, page_no: int) -> Table:
    """Cut a table to its head and its rows on a page."""
    if all(place.page_no == page_no for place in table.provenances):
        return table
    cells = [
        cell
        for cell in table.cells
        if cell.row < table.n_header_rows or any(p.page_no == page_no for p in cell.provenances)
    ]
    number = {row: index for index, row in enumerate(sorted({cell.row for cell in cells}))}
    kept = (
        replace(
            cell,
            row=number[cell.row],
            row_span=sum(cell.row <= row < cell.row + cell.row_span for row in number),
            row_path=(),
            column_path=(),
        )
        for cell in cells
    )
    return replace(table, n_rows=len(number), cells=tuple(kept))
