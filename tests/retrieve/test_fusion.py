import math

import numpy as np
import pytest

from desktop_qa.retrieve.fusion import (
    COLUMNS,
    Components,
    column_weights,
    combine,
    fuse,
    ranking,
    scale_to_unit,
)
from desktop_qa.settings import FusionWeights


def test_scores_are_scaled_to_the_unit_interval_and_equal_ones_say_nothing():
    assert scale_to_unit(np.array([2.0, 4.0, 3.0])).tolist() == [0.0, 1.0, 0.5]
    assert scale_to_unit(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]


def test_equation_two_by_hand():
    weights = FusionWeights(alpha=0.25, beta=0.5)
    fused = fuse(np.array([0.0, 1.0]), np.array([4.0, 0.0]), np.array([2.0, 0.0]), weights)
    assert fused[0] == pytest.approx(0.75 + 0.5 * math.log(3))
    assert fused[1] == pytest.approx(0.25)


def test_ties_are_ranked_by_row():
    assert ranking(np.array([1.0, 2.0, 1.0, 2.0])).tolist() == [1, 3, 0, 2]


def _components(n: int = 6) -> Components:
    generator = np.random.default_rng(3)
    return Components(**{name: generator.random(n) for name in COLUMNS})


def test_the_score_is_linear_in_the_weights():
    components = _components()
    weights = FusionWeights(alpha=0.3, beta=0.4, local=0.7, table=0.9)
    by_column = column_weights(weights)
    assert set(by_column) == set(COLUMNS)
    linear = components.matrix() @ np.array([by_column[name] for name in COLUMNS])
    assert combine(components, weights) == pytest.approx(linear)


def test_without_the_neighbours_the_score_is_equation_two_with_the_source_boost():
    components = _components()
    only = {name: 0.0 for name in COLUMNS if name in FusionWeights.__dataclass_fields__}
    weights = FusionWeights(**{**only, "alpha": 0.25, "beta": 0.5, "source": 0.2})
    expected = fuse(components.vector, components.lexical, components.n_keywords, weights)
    assert combine(components, weights) == pytest.approx(expected + 0.2 * components.source)


def test_a_fusion_of_nothing_is_empty():
    nothing = _components(0)
    assert combine(nothing, FusionWeights()).size == 0
