from __future__ import annotations

import numpy as np

from desktop_qa.core.segment import SegmentId
from desktop_qa.index.records import IndexRow
from desktop_qa.index.rows import SegmentTable
from tests.helpers.sample_documents import make_sample

A, B = make_sample("A1"), make_sample("B2", ("supply", "warranty", "pins"))


def _table() -> SegmentTable:
    table = SegmentTable()
    for sample in (A, B):
        table.append([IndexRow.of(indexed) for indexed in sample.segments])
    return table


def test_a_row_tells_its_segment_document_and_boilerplate() -> None:
    table = _table()
    assert len(table) == 5
    row = table.row_of(B.segments[1].segment.id)
    assert row == 3
    assert table.document_of(row) == B.document.id
    assert table.boilerplate.tolist() == [False, True, False, True, False]
    assert table.kinds.tolist() == [0, 1, 0, 1, 0]
    assert table.ordinals.tolist() == [0, 1, 0, 1, 2]
    assert table.row_of(SegmentId("unknown:00000")) is None


def test_rows_of_documents_are_found() -> None:
    table = _table()
    assert table.rows_of(B.document.id).tolist() == [2, 3, 4]
    assert table.mask_of((A.document.id,)).tolist() == [True, True, False, False, False]
    assert not table.mask_of(()).any()
    assert table.document_ids_at(np.array([4, 0, 3])) == (A.document.id, B.document.id)


def test_rows_move_up_when_a_document_leaves_and_it_may_come_back() -> None:
    table = _table()
    table.keep(~table.mask_of((A.document.id,)))
    assert table.segment_ids == [s.segment.id for s in B.segments]
    assert table.row_of(B.segments[1].segment.id) == 1
    assert table.row_of(A.segments[0].segment.id) is None
    assert table.rows_of(A.document.id).tolist() == []
    assert table.document_of(0) == B.document.id

    table.append([IndexRow.of(indexed) for indexed in A.segments])
    assert table.rows_of(A.document.id).tolist() == [3, 4]
    assert table.boilerplate.tolist() == [False, True, False, False, True]


def test_an_empty_table_has_no_rows() -> None:
    table = SegmentTable()
    assert len(table) == 0
    assert table.mask_of((A.document.id,)).shape == (0,)
    assert table.document_ids_at(np.zeros(0, np.int32)) == ()
