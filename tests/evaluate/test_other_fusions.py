import numpy as np
import pytest

from desktop_qa.evaluate.other_fusions import best_chunk_of_document, reciprocal_rank_fusion
from desktop_qa.retrieve.fusion import COLUMNS, Components, ranking


def test_reciprocal_ranks_add_up_over_the_routes_that_found_a_segment():
    fused = reciprocal_rank_fusion(np.array([0.9, 0.5, 0.1]), np.array([0.0, 3.0, 4.0]))
    assert fused == pytest.approx([1 / 61, 1 / 62 + 1 / 62, 1 / 63 + 1 / 61])


def test_the_best_chunk_ranks_its_document():
    parts = {name: np.zeros(4) for name in COLUMNS}
    components = Components(
        **{
            **parts,
            "vector": np.array([0.2, 0.8, 0.6, 0.7]),
            "lexical": np.array([0.0, 0.0, 2.0, 0.0]),
        }
    )
    scores = best_chunk_of_document(components, np.array([0, 0, 1, 1]))
    # 0.8 for the first document, 0.7 + 0.3 for the second; within each by cosine.
    assert ranking(scores).tolist() == [3, 2, 1, 0]


def test_the_best_chunk_of_nothing_is_nothing():
    nothing = Components(**{name: np.zeros(0) for name in COLUMNS})
    assert best_chunk_of_document(nothing, np.zeros(0, np.int32)).size == 0
