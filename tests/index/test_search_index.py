from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_qa.index.search_index import SearchIndex
from desktop_qa.index.store import Store
from desktop_qa.index.vectors import FOLDER_NAME, VectorIndex, VectorMatrix

Make = Callable[..., Any]


@pytest.fixture
def index(store: Store) -> Iterator[SearchIndex]:
    opened = SearchIndex(store)
    yield opened
    opened.close()


def _save(store: Store, index: SearchIndex, sample: Any) -> None:
    index.remove_document(sample.document.id)
    sample.save_in(store)
    index.add_document(sample.segments, sample.embeddings)


def _assert_same(one: SearchIndex, other: SearchIndex, query: np.ndarray[Any, Any]) -> None:
    """Both give each segment the same scores, in whatever order their rows are."""
    assert sorted(one.table.segment_ids) == sorted(other.table.segment_ids)
    order = [other.table.row_of(segment_id) for segment_id in one.table.segment_ids]
    for scores in (
        lambda index: index.vector_scores(query),
        lambda index: index.lexical.scores({"current": 1.0, "dqa1": 2.0, "warranti": 1.0}),
        lambda index: index.keywords.matches(["dqa1", "5"]),
    ):
        assert np.allclose(scores(one), scores(other)[order], atol=1e-6)
    assert one.keywords.vocabulary() == other.keywords.vocabulary()


def test_an_index_kept_up_to_date_equals_one_loaded_from_the_store(
    store: Store, index: SearchIndex, make_sample: Make
) -> None:
    for name in ("A1", "B2", "C3"):
        _save(store, index, make_sample(name, (f"{name} current 5 mA", "warranty of DQA1", "pin")))
    _save(store, index, make_sample("B2", ("B2 was changed", "current of DQA1")))
    gone = make_sample("A1").document.id
    index.remove_document(gone)
    store.remove_document(gone)

    assert len(index) == 5
    query = make_sample("C3").embeddings[0]
    fresh = SearchIndex(store)
    _assert_same(index, fresh, query)
    fresh.close()
    best = int(np.argmax(index.vector_scores(query)))
    assert index.table.segment_ids[best] == make_sample("C3").segments[0].segment.id


def test_rows_tell_segment_document_and_boilerplate(
    store: Store, index: SearchIndex, make_sample: Make
) -> None:
    a, b = make_sample("A1"), make_sample("B2")
    _save(store, index, a)
    _save(store, index, b)
    row = index.table.row_of(b.segments[1].segment.id)
    assert row == 3
    assert index.table.document_of(row) == b.document.id
    assert index.table.rows_of(b.document.id).tolist() == [2, 3]
    assert index.table.mask_of((a.document.id,)).tolist() == [True, True, False, False]
    assert index.table.mask_of(()).tolist() == [False] * 4
    assert index.table.boilerplate.tolist() == [False, True, False, True]
    index.remove_document(a.document.id)
    assert index.table.row_of(b.segments[1].segment.id) == 1
    assert index.table.row_of(a.segments[0].segment.id) is None
    assert index.table.document_of(1) == b.document.id


def test_keywords_tell_which_documents_hold_them(
    store: Store, index: SearchIndex, make_sample: Make
) -> None:
    a = make_sample("A1", ("ADS1115 gain", "ADS1115 and LM358", "none"))
    b = make_sample("B2", ("LM358 only",))
    _save(store, index, a)
    _save(store, index, b)
    assert index.keywords.matches(["ads1115", "lm358", "lm358", "xyz9"]).tolist() == [1, 2, 0, 1]
    assert index.keywords.vocabulary() == {"ads1115": 1, "lm358": 2}
    assert index.keywords.documents_with("lm358") == (a.document.id, b.document.id)
    assert index.keywords.documents_with("ads1015") == ()
    index.remove_document(b.document.id)
    assert index.keywords.vocabulary() == {"ads1115": 1, "lm358": 1}
    index.remove_document(a.document.id)
    assert index.keywords.vocabulary() == {}
    assert index.keywords.matches(["lm358"]).shape == (0,)


def test_exact_scores_are_cosines(make_sample: Make) -> None:
    generator = np.random.default_rng(7)
    vectors = generator.normal(size=(257, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = VectorMatrix(384)
    for part in np.array_split(vectors, 9):
        matrix.append(part)
    query = vectors[3]
    expected = [
        float(v.astype(float) @ query.astype(float) / np.linalg.norm(v) / np.linalg.norm(query))
        for v in vectors
    ]
    assert np.allclose(matrix.scores(query), expected, atol=1e-5)
    keep = generator.random(257) > 0.5
    matrix.keep(keep)
    matrix.append(vectors[:2])
    assert len(matrix) == keep.sum() + 2
    assert np.allclose(
        matrix.scores(query), np.append(np.array(expected)[keep], expected[:2]), atol=1e-5
    )


def test_chroma_holds_what_the_store_holds(
    store: Store, index: SearchIndex, make_sample: Make
) -> None:
    for name in ("A1", "B2"):
        _save(store, index, make_sample(name))
    assert index.vectors.check(store.embeddings()[0])
    assert index.repair_vectors() == 0
    sample = make_sample("A1")
    (nearest, similarity), *_ = index.vectors.nearest(sample.embeddings[1], 2)
    assert nearest == sample.segments[1].segment.id
    assert similarity == pytest.approx(1.0, abs=1e-4)


def test_a_kill_between_store_and_chroma_is_repaired(
    store: Store, index: SearchIndex, make_sample: Make
) -> None:
    _save(store, index, make_sample("A1"))
    _save(store, index, make_sample("B2"))
    make_sample("C3").save_in(store)  # killed before the vectors were added
    store.remove_document(make_sample("A1").document.id)  # killed before they were removed
    assert index.repair_vectors() == 4
    assert index.vectors.check(store.embeddings()[0])


@pytest.mark.parametrize("broken", ["chroma.sqlite3", "data_level0.bin", "folder"])
def test_a_broken_chroma_folder_is_made_anew(
    store: Store, make_sample: Make, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    samples = [make_sample(name, tuple(f"{name} {i}" for i in range(600))) for name in ("A1", "B2")]
    first = SearchIndex(store)
    for sample in samples:
        _save(store, first, sample)
    first.close()
    folder = store.folder / FOLDER_NAME
    if broken == "folder":
        shutil.rmtree(folder)
    else:
        damaged = list(folder.rglob(broken))
        assert damaged
        for path in damaged:
            path.write_bytes(b"garbage" * 100)
    with caplog.at_level(logging.WARNING):
        index = SearchIndex(store)
        assert index.repair_vectors() == 1200
        assert index.vectors.check(store.embeddings()[0])
        index.close()


def test_beyond_the_limit_chroma_ranks_the_nearest_as_the_matrix_would(
    store: Store, make_sample: Make
) -> None:
    exact = SearchIndex(store)
    for name in ("A1", "B2", "C3"):
        _save(store, exact, make_sample(name, tuple(f"{name} {i}" for i in range(40))))
    large = SearchIndex(store, exact_limit=50)
    query = make_sample("B2", tuple(str(i) for i in range(40))).embeddings[7]
    assert np.allclose(large.vector_scores(query), exact.vector_scores(query), atol=1e-4)
    exact.close()
    large.close()


def test_opening_a_library_for_questions_does_not_touch_chroma(
    store: Store, index: SearchIndex, make_sample: Make
) -> None:
    make_sample("A1").save_in(store)
    reading = SearchIndex(store)
    assert reading.vector_scores(make_sample("A1").embeddings[0]).shape == (2,)
    reading.close()
    assert not (store.folder / FOLDER_NAME).exists()


def test_vectors_are_replaced_not_doubled(tmp_path: Path) -> None:
    vectors = VectorIndex(tmp_path)
    eye = np.eye(3, 384, dtype=np.float32)
    ids = ["d:00000", "d:00001"]
    vectors.add(ids, eye[:2])  # type: ignore[arg-type]
    vectors.add(ids, eye[1:])  # type: ignore[arg-type]
    assert vectors.count() == 2
    assert vectors.nearest(eye[2], 1)[0][0] == "d:00001"
    vectors.remove(["d:00001", "unknown"])  # type: ignore[list-item]
    assert vectors.ids() == {"d:00000"}
    vectors.rebuild(ids, eye[:2])  # type: ignore[arg-type]
    assert vectors.check(ids)  # type: ignore[arg-type]
    vectors.remove(ids)  # type: ignore[arg-type]
    assert vectors.nearest(eye[0], 5) == []
    vectors.close()
