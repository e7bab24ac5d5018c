from __future__ import annotations

import numpy as np

from desktop_qa.core.answer import PlaceKind, Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.store import Store
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.retrieve.structure_refs import find_structure_refs
from desktop_qa.retrieve.triage import N_DOCUMENTS, Triage, structure_scores
from tests.retrieve.structured_documents import DATASHEET, Piece, make_structured

CHARGER = (*DATASHEET, Piece(("9 Battery Safety",), (8,), "battery charger temperature sense"))


def add(store: Store, index: SearchIndex, name: str, pieces: tuple[Piece, ...]) -> DocumentId:
    made = make_structured(name, pieces)
    made.save_in(store)
    index.replace(made.document.id, made.segments, made.embeddings)
    return made.document.id


def found(
    question: str, store: Store, index: SearchIndex, *, named: tuple[DocumentId, ...] = ()
) -> dict[str, float]:
    query = Query(question, structure_refs=find_structure_refs(question), document_ids=named)
    snapshot = index.snapshot()
    scores = structure_scores(query, snapshot, store)
    assert scores.shape == (snapshot.state.n_rows,)
    return {
        snapshot.state.segment_id(row): float(scores[row])
        for row in np.flatnonzero(scores).tolist()
    }


def test_each_function_fetches_its_kind_in_the_order_of_the_document(store, index):
    document_id = add(store, index, "QRX7001", DATASHEET)
    triage = Triage(store)

    def kinds(fits: dict[SegmentId, float]) -> list[SegmentKind]:
        assert list(fits) == sorted(fits)
        return [store.segment(key).kind for key, fit in fits.items() if fit >= 0.5]

    assert kinds(triage.fetch(document_id, PlaceKind.SECTION, "8")) == [
        SegmentKind.TEXT,
        SegmentKind.FIGURE,
    ]
    assert kinds(triage.fetch(document_id, PlaceKind.SECTION, words="soft start")) == [
        SegmentKind.TEXT
    ]
    assert kinds(triage.fetch(document_id, PlaceKind.TABLE, "7-2")) == [SegmentKind.TABLE]
    assert kinds(triage.fetch(document_id, PlaceKind.TABLE, words="maximum ratings")) == [
        SegmentKind.TABLE
    ]
    assert kinds(triage.fetch(document_id, PlaceKind.FIGURE, "8.1")) == [SegmentKind.FIGURE]
    assert kinds(triage.fetch(document_id, PlaceKind.FIGURE, words="block diagram")) == [
        SegmentKind.FIGURE
    ]


def test_pages_are_fetched_in_the_order_asked_for_and_from_the_end(store, index):
    document_id = add(store, index, "QRX7001", DATASHEET)
    triage = Triage(store)

    pages = triage.fetch_pages(document_id, [3, 1, -1, 3, 99])

    assert [page.page_no for page in pages] == [3, 1, 8]
    assert "Features" in pages[1].text


def test_only_the_document_named_is_looked_into(store, index):
    first = add(store, index, "QRX7001", DATASHEET)
    add(store, index, "QRX7002", DATASHEET)
    scores = found("What is in section 8.1?", store, index, named=(first,))
    assert [key.split(":")[0] for key in scores] == [first]


def test_without_a_document_all_fit(store, index):
    documents = {add(store, index, "QRX7001", DATASHEET), add(store, index, "QRX7002", CHARGER)}
    scores = found("What does section 8.1 of the battery charger say?", store, index)
    assert {key.split(":")[0] for key, value in scores.items() if value == 1.0} == documents


def test_in_a_large_library_only_the_likeliest_documents_are_read(store, index):
    for number in range(N_DOCUMENTS + 4):
        add(store, index, f"QRX{7100 + number}", DATASHEET)
    charger = add(store, index, "QRX8000", CHARGER)
    documents = {key.split(":")[0] for key in found("battery section 9", store, index)}
    assert documents == {charger}
    everywhere = {key.split(":")[0] for key in found("battery page 2", store, index)}
    assert len(everywhere) == N_DOCUMENTS
    assert charger in everywhere


def test_a_scope_is_kept_to(store, index):
    add(store, index, "QRX7001", DATASHEET)
    second = add(store, index, "QRX7002", DATASHEET)
    question = "page 2"
    query = Query(question, structure_refs=find_structure_refs(question), scope=(second,))
    snapshot = index.snapshot()
    rows = np.flatnonzero(structure_scores(query, snapshot, store)).tolist()
    assert {snapshot.state.segment_id(row).split(":")[0] for row in rows} == {second}


def test_an_empty_library_and_a_question_without_places_score_nothing(store, index):
    assert found("page 2", store, index) == {}
    add(store, index, "QRX7001", DATASHEET)
    assert found("What is the supply current?", store, index) == {}
