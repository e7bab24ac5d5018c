from __future__ import annotations

import numpy as np
import pytest

from desktop_qa.core.segment import SegmentId
from desktop_qa.index.index_state import IndexState, LivePart, best_mean, best_rows
from tests.helpers.index_states import part_of_sample, state_of
from tests.helpers.sample_documents import make_sample

A, B = make_sample("A1"), make_sample("B2", ("supply", "warranty", "pins"))


def _state() -> IndexState:
    return state_of([part_of_sample(A), part_of_sample(B)])


def test_a_row_tells_its_segment_document_and_boilerplate():
    table = _state()
    assert table.n_rows == 5
    row = table.row_of(B.segments[1].segment.id)
    assert row == 3
    assert table.document_of(row) == B.document.id
    assert table.boilerplate.tolist() == [False, True, False, True, False]
    assert table.kinds.tolist() == [0, 1, 0, 1, 0]
    assert table.ordinals.tolist() == [0, 1, 0, 1, 2]
    assert table.row_of(SegmentId("unknown:00000")) is None


def test_rows_of_documents_are_found():
    table = _state()
    assert table.rows_of(B.document.id).tolist() == [2, 3, 4]
    assert table.mask_of((A.document.id,)).tolist() == [True, True, False, False, False]
    assert not table.mask_of(()).any()


def test_rows_move_up_when_a_document_leaves_and_it_may_come_back():
    table = _state().without((A.document.id,))
    assert list(table.segment_ids()) == [s.segment.id for s in B.segments]
    assert table.row_of(B.segments[1].segment.id) == 1
    assert table.row_of(A.segments[0].segment.id) is None
    assert table.rows_of(A.document.id).tolist() == []
    assert table.document_of(0) == B.document.id

    table = table.added(LivePart.whole(part_of_sample(A)))
    assert table.rows_of(A.document.id).tolist() == [3, 4]
    assert table.boilerplate.tolist() == [False, True, False, False, True]
    assert table.document_numbers.tolist() == [0, 0, 0, 1, 1]


def test_an_empty_table_has_no_rows():
    table = IndexState()
    assert table.n_rows == 0
    assert table.mask_of((A.document.id,)).shape == (0,)
    assert list(table.segment_ids()) == []


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_best_rows_of_each_document_are_averaged(k, kind):
    generator = np.random.default_rng(k)
    sizes = generator.integers(0, 7, 200)
    numbers = np.repeat(np.arange(200), sizes)
    # Few different scores: the best ones are often equal.
    scores = generator.integers(-4, 5, len(numbers)).astype(kind)
    found = best_mean(scores, numbers, k)
    missing = float(scores.min())
    for number in range(numbers[-1] + 1):
        best = sorted(scores[numbers == number].tolist(), reverse=True)[:k]
        expected = sum(best + [missing] * (k - len(best))) / k
        assert found[number] == pytest.approx(expected)


@pytest.mark.parametrize("k", [1, 7, 199, 200, 500])
def test_the_best_rows_are_those_of_a_stable_sort(k):
    generator = np.random.default_rng(k)
    for scores in (generator.normal(size=200), generator.integers(0, 4, 200), np.zeros(200)):
        expected = np.argsort(-scores, kind="stable")[:k]
        assert best_rows(scores.astype(np.float32), k).tolist() == expected.tolist()
    assert best_rows(np.zeros(0), k).shape == (0,)


def test_no_rows_have_no_best():
    assert best_mean(np.zeros(0), np.zeros(0, np.int32), 3).shape == (0,)
