from __future__ import annotations

import contextlib

from desktop_qa.index.store import Store
from desktop_qa.index.vectors import FOLDER_NAME, VectorIndex
from desktop_qa.retrieve.search_index import SearchIndex
from tests.helpers.sample_documents import SampleDocument, make_sample


def _save(store: Store, index: SearchIndex, sample: SampleDocument) -> None:
    sample.save_in(store)
    index.replace(sample.document.id, sample.segments, sample.embeddings)


def test_a_kill_between_store_and_chroma_is_repaired(store, index):
    _save(store, index, make_sample("A1"))
    _save(store, index, make_sample("B2"))
    make_sample("C3").save_in(store)  # killed before the vectors were added
    store.remove_document(make_sample("A1").document.id)  # killed before they were removed
    index.check_chroma()
    index.close()
    with contextlib.closing(VectorIndex(store.folder)) as vectors:
        assert vectors.ids() == set(store.embeddings()[0])


def test_a_library_opened_for_questions_does_not_touch_chroma(store):
    make_sample("A1").save_in(store)
    with contextlib.closing(SearchIndex(store)) as index:
        index.load()
        assert len(index.snapshot().vector_scores(make_sample("A1").embeddings[0])) == 2
    assert not (store.folder / FOLDER_NAME).exists()
