from __future__ import annotations

import contextlib

import numpy as np
import numpy.typing as npt

from desktop_qa.index.store import Store
from desktop_qa.index.vectors import FOLDER_NAME, VectorIndex
from desktop_qa.retrieve.search_index import SearchIndex
from tests.helpers.sample_documents import SampleDocument, make_sample

TERMS = {"current": 1.0, "dqa1": 2.0, "warranti": 1.0}
CODES = ["dqa1", "5"]


def _save(store: Store, index: SearchIndex, sample: SampleDocument) -> None:
    sample.save_in(store)
    index.replace(sample.document.id, sample.segments, sample.embeddings)


def _scores(index: SearchIndex, question: npt.NDArray[np.float32]) -> dict[str, list[float]]:
    """All routes of each segment, whatever row it is in."""
    snapshot = index.snapshot()
    routes = (
        snapshot.vector_scores(question),
        snapshot.lexical.scores(TERMS),
        snapshot.keyword_counts(CODES, ()),
    )
    return {
        segment_id: [round(float(scores[row]), 5) for scores in routes]
        for row, segment_id in enumerate(snapshot.state.segment_ids())
    }


def test_an_index_kept_up_to_date_equals_one_loaded_from_the_store(store, index):
    for name in ("A1", "B2", "C3"):
        _save(store, index, make_sample(name, (f"{name} current 5 mA", "warranty of DQA1", "pin")))
    _save(store, index, make_sample("B2", ("B2 was changed", "current of DQA1")))
    gone = make_sample("A1").document.id
    index.remove((gone,))
    store.remove_document(gone)

    question = make_sample("C3").embeddings[0]
    with contextlib.closing(SearchIndex(store)) as fresh:
        fresh.load()
        assert _scores(index, question) == _scores(fresh, question)
        assert dict.fromkeys(index.vocabulary) == dict.fromkeys(fresh.vocabulary)  # type: ignore[call-overload]
    assert index.n_segments == 5
    best = max(_scores(index, question).items(), key=lambda item: item[1][0])
    assert best[0] == make_sample("C3").segments[0].segment.id


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
        assert len(_scores(index, make_sample("A1").embeddings[0])) == 2
    assert not (store.folder / FOLDER_NAME).exists()
