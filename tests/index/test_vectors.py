from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, LibraryError
from desktop_qa.core.segment import make_segment_id
from desktop_qa.index.index_state import IndexState, LivePart
from desktop_qa.index.part import Part
from desktop_qa.index.records import IndexRow
from desktop_qa.index.vectors import FOLDER_NAME, VectorIndex, exact_similarities
from tests.helpers.index_states import state_of

N = 1200
"""More than Chroma keeps in its log before it writes vector files."""

IDS = [make_segment_id(DocumentId(f"{i // 100:016x}"), i % 100) for i in range(N)]


def _unit_vectors(n: int) -> npt.NDArray[np.float32]:
    vectors = np.random.default_rng(7).normal(size=(n, 384)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


VECTORS = _unit_vectors(N)


@pytest.fixture
def index(tmp_path) -> Iterator[VectorIndex]:
    opened = VectorIndex(tmp_path)
    yield opened
    opened.close()


def _cosine(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    a, b = one.astype(np.float64), other.astype(np.float64)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def _part(number: int, vectors: npt.NDArray[np.float32]) -> Part:
    document = DocumentId(f"d{number}")
    empty = np.zeros(0, np.uint16)
    rows = [IndexRow(document, i, (), empty, ()) for i in range(len(vectors))]
    return Part.of_rows({document: 1}, rows, vectors)


def test_exact_scores_are_cosines_while_rows_come_and_go():
    pieces = np.array_split(VECTORS[:257], 9)
    state = state_of([_part(n, piece) for n, piece in enumerate(pieces)])
    query = VECTORS[3]
    expected = np.array([_cosine(vector, query) for vector in VECTORS[:257]])
    assert np.allclose(exact_similarities(state, query), expected, atol=1e-5)

    state = state.without([DocumentId("d0"), DocumentId("d4")])
    state = state.added(LivePart.whole(_part(9, VECTORS[:2])))
    left = np.concatenate(
        [*(np.array_split(np.arange(257), 9)[n] for n in (1, 2, 3, 5, 6, 7, 8)), [0, 1]]
    )
    assert np.allclose(exact_similarities(state, query), expected[left], atol=1e-5)
    some = np.array([0, 5, len(left) - 1])
    assert np.array_equal(state.vectors(some), VECTORS[left[some]])


def test_a_row_without_a_vector_is_similar_to_nothing():
    vectors = VECTORS[:4].copy()
    vectors[2] = 0
    state = state_of([_part(0, vectors)])
    assert state.has_vectors().tolist() == [True, True, False, True]
    assert exact_similarities(state, VECTORS[2])[2] == 0.0


def test_an_empty_state_gives_no_scores():
    assert exact_similarities(IndexState(), VECTORS[0]).shape == (0,)


def test_chroma_finds_what_brute_force_finds(index):
    index.add(IDS[:300], VECTORS[:300])
    query = VECTORS[17]
    best = np.argsort(-(VECTORS[:300] @ query))[:5]
    found = index.nearest(query, 5)
    assert [segment_id for segment_id, _ in found] == [IDS[i] for i in best]
    for (_, similarity), i in zip(found, best, strict=True):
        assert similarity == pytest.approx(_cosine(VECTORS[i], query), abs=1e-4)


def test_vectors_are_replaced_not_doubled(index):
    index.add(IDS[:2], VECTORS[:2])
    index.add(IDS[:2], VECTORS[5:7])
    assert index.count() == 2
    assert index.nearest(VECTORS[6], 1)[0][0] == IDS[1]
    index.remove([IDS[1], IDS[9]])
    assert index.ids() == {IDS[0]}
    index.remove([IDS[0]])
    assert index.nearest(VECTORS[0], 5) == []


def test_vectors_survive_closing(index):
    index.add(IDS[:3], VECTORS[:3])
    index.close()
    assert index.ids() == set(IDS[:3])
    assert index.ids() != set(IDS[1:4])


def test_missing_and_surplus_vectors_are_repaired(index):
    index.add(IDS[:10], VECTORS[:10])
    wanted = slice(4, 16)
    assert index.repair(IDS[wanted], VECTORS[wanted].__getitem__) == 10
    assert index.ids() == set(IDS[wanted])
    assert index.repair(IDS[wanted], VECTORS[wanted].__getitem__) == 0
    assert index.nearest(VECTORS[15], 1)[0][0] == IDS[15]


def test_a_repair_that_is_stopped_goes_on_where_it_was(index):
    told: list[tuple[int, int]] = []

    def stop(n_done: int, n_missing: int) -> None:
        told.append((n_done, n_missing))
        if n_done:
            raise Cancelled

    with pytest.raises(Cancelled):
        index.repair(IDS, VECTORS.__getitem__, stop)
    assert told == [(0, N), (500, N)]
    assert index.count() == 500
    told.clear()
    index.repair(IDS, VECTORS.__getitem__, lambda *news: told.append(news))
    assert told == [(0, 700), (500, 700), (700, 700)]
    assert index.ids() == set(IDS)


@pytest.mark.parametrize("broken", ["chroma.sqlite3", "data_level0.bin", "folder"])
def test_a_broken_chroma_folder_is_made_anew(index, tmp_path, broken, caplog):
    index.add(IDS, VECTORS)
    index.close()
    folder = tmp_path / FOLDER_NAME
    if broken == "folder":
        shutil.rmtree(folder)
    else:
        damaged = list(folder.rglob(broken))
        assert damaged
        for path in damaged:
            path.write_bytes(b"garbage" * 100)
    with caplog.at_level(logging.WARNING):
        assert index.repair(IDS, VECTORS.__getitem__) == N
    assert index.ids() == set(IDS)
    assert index.nearest(VECTORS[1100], 1)[0][0] == IDS[1100]


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / FOLDER_NAME).write_text("in the way")
    with pytest.raises(LibraryError, match="cannot be used"):
        VectorIndex(tmp_path).count()


def test_nothing_is_opened_before_it_is_used(tmp_path):
    VectorIndex(tmp_path).close()
    assert list(tmp_path.iterdir()) == []
