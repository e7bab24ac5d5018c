import math

import numpy as np
import pytest

from desktop_qa.retrieve.fusion import FusionWeights, fuse, ranking, scale_to_unit


def test_scores_are_scaled_to_the_unit_interval():
    assert scale_to_unit(np.array([2.0, 4.0, 3.0])).tolist() == [0.0, 1.0, 0.5]


def test_equal_scores_say_nothing():
    assert scale_to_unit(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]


def test_equation_two_by_hand():
    weights = FusionWeights(alpha=0.25, beta=0.5)
    fused = fuse(np.array([0.0, 1.0]), np.array([4.0, 0.0]), np.array([2.0, 0.0]), weights)
    assert fused[0] == pytest.approx(0.75 + 0.5 * math.log(3))
    assert fused[1] == pytest.approx(0.25)


def test_ties_are_ranked_by_row():
    assert ranking(np.array([1.0, 2.0, 1.0, 2.0])).tolist() == [1, 3, 0, 2]
