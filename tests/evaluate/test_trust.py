from __future__ import annotations

import pytest

from desktop_qa.answer.trust import FEATURES
from desktop_qa.evaluate.trust import calibration_error, fit_trust, trust_toml

FAR = dict.fromkeys(FEATURES, 2.0)
NEAR = dict.fromkeys(FEATURES, -2.0)


def test_the_fit_tells_right_answers_from_wrong_ones_and_ships_as_toml() -> None:
    answers = [(FAR, True)] * 9 + [(FAR, False)] + [(NEAR, False)] * 9 + [(NEAR, True)]
    model = fit_trust([answers, answers[::-1]])
    assert model.probability(FAR) == pytest.approx(0.9, abs=0.06)
    assert model.probability(NEAR) == pytest.approx(0.1, abs=0.06)
    assert trust_toml(model).startswith("bias = ")


def test_answers_that_are_all_right_teach_nothing() -> None:
    with pytest.raises(ValueError, match="others that are wrong"):
        fit_trust([[(FAR, True)]])


def test_the_calibration_error_is_the_mean_distance_of_promise_and_share() -> None:
    assert calibration_error([], []) is None
    assert calibration_error([0.95] * 10, [True] * 10) == pytest.approx(0.05)
    assert calibration_error([0.9, 0.9, 0.1, 0.1], [True, False, False, False]) == pytest.approx(
        (0.8 + 0.2) / 4
    )
