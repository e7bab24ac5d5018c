from __future__ import annotations

import numpy as np
import pytest

from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import log_rank_index
from desktop_qa.evaluate.tuning import (
    QuestionFeatures,
    WeightSpace,
    cross_validate,
    fit,
    make_folds,
)

_N = 200


def _question(number: int, kind: str = "fact") -> GoldQuestion:
    return GoldQuestion(f"Q{number}", f"q{number}", kind)


def _problem(n_questions: int, signal: tuple[float, ...]) -> list[QuestionFeatures]:
    """Make features of noise in [0, 1]; the relevant row has `signal` more of each."""
    generator = np.random.default_rng(3)
    problem = []
    for _ in range(n_questions):
        features = generator.random((len(signal), _N))
        row = int(generator.integers(_N))
        features[:, row] += signal
        rows = (np.array([row]),)
        problem.append(QuestionFeatures(np.zeros(_N), features, rows))
    return problem


def _one(features: list[list[float]], *relevant: list[int]) -> QuestionFeatures:
    array = np.asarray(features, np.float64)
    rows = tuple(np.asarray(r, np.intp) for r in relevant)
    return QuestionFeatures(np.zeros(array.shape[1]), array, rows)


def test_rank_counts_what_outscores_the_best_relevant_row_and_ties_go_by_row():
    one = _one([[0.5, 0.9, 0.5, 0.1, 0.5]], [2, 3], [3], [])
    scores = one.scores(np.array([1.0]))
    order = list(np.argsort(-scores, kind="stable"))
    assert one.ranks(scores) == (1 + order.index(2), 1 + order.index(3), None)
    assert one.ranks(scores) == (3, 5, None)


def test_ranks_are_those_of_a_sorted_ranking():
    generator = np.random.default_rng(1)
    for _ in range(50):
        features = np.round(generator.random((2, 30)), 1)
        rows = generator.choice(30, size=3, replace=False)
        one = _one(features.tolist(), rows.tolist())
        scores = one.scores(np.array([1.0, 0.5]))
        order = np.argsort(-scores.round(9), kind="stable").tolist()
        assert one.ranks(scores) == (1 + min(order.index(row) for row in rows),)


def test_constant_part_of_the_score_is_kept():
    one = QuestionFeatures(np.array([0.0, 2.0]), np.array([[1.0, 0.0]]), ())
    assert one.scores(np.array([0.5])).tolist() == [0.5, 2.0]


def test_weight_of_a_telling_feature_grows_and_of_noise_shrinks():
    problem = _problem(60, signal=(0.5, 0.0))
    space = WeightSpace(("telling", "noise"), (0.2, 1.0))
    weights = fit(problem, space)
    # Only the proportion of the weights matters to a ranking.
    assert weights[0] > 4 * 0.2 * weights[1]
    fitted, shipped = (
        np.mean([log_rank_index(one.ranks(one.scores(chosen)), _N) for one in problem])
        for chosen in (weights, np.array(space.prior))
    )
    assert fitted > shipped + 0.05


def test_weights_stay_where_nothing_is_gained():
    space = WeightSpace(("a", "b"), (0.3, 0.0))
    perfect = [_one([[0.1, 0.9, 0.2], [0.3, 0.3, 0.3]], [1]) for _ in range(5)]
    assert fit(perfect, space).tolist() == [0.3, 0.0]


def test_a_single_lucky_question_does_not_move_a_weight_far():
    """Of a hundred questions one gains a rank by four times the weight: too little for it."""
    generator = np.random.default_rng(5)
    features = generator.random((2, _N)) * 0.1
    features[0, 7] = 1.0
    sure = QuestionFeatures(np.zeros(_N), features, (np.array([7]),))
    lucky_features = np.zeros((2, _N))
    lucky_features[:, 3] = (0.9, 0.0)
    lucky_features[:, 5] = (0.0, 0.25)
    lucky = QuestionFeatures(np.zeros(_N), lucky_features, (np.array([5]),))
    weights = fit([sure] * 99 + [lucky], WeightSpace(("a", "b"), (1.0, 1.0)))
    assert weights.tolist() == [1.0, 1.0]


def test_a_share_stays_between_its_ends():
    problem = _problem(30, signal=(0.8,))
    space = WeightSpace(("alpha",), (0.5,))
    assert set(space.candidates(0)) == {n / 10 for n in range(11)}
    assert 0.0 <= fit(problem, space)[0] <= 1.0


def test_being_away_from_the_shipped_weight_costs_more_the_further_it_is():
    space = WeightSpace(("a", "zero"), (0.4, 0.0))
    costs = [space.penalty(0, value) for value in (0.4, 0.8, 1.6)]
    assert costs[0] == 0.0
    assert costs[2] == pytest.approx(4 * costs[1])
    assert space.penalty(0, 0.2) == pytest.approx(costs[1])
    assert space.penalty(0, 0.0) > costs[2]
    assert space.penalty(1, 0.0) == 0.0 < space.penalty(1, 0.05) < space.penalty(1, 0.1)


def test_folds_hold_every_question_once_and_each_type_evenly():
    questions = [_question(i, "table" if i % 3 else "figure") for i in range(53)]
    folds = make_folds(questions, 5)
    assert sorted(index for fold in folds for index in fold) == list(range(53))
    for kind in ("table", "figure"):
        counts = [sum(questions[i].type == kind for i in fold) for fold in folds]
        assert max(counts) - min(counts) <= 1
    assert make_folds(questions, 5) == folds


def test_weights_of_a_question_are_chosen_without_it():
    problem = _problem(40, signal=(0.4, 0.0))
    space = WeightSpace(("telling", "noise"), (0.2, 1.0))
    folds = make_folds([_question(number) for number in range(len(problem))], 4)
    tuning = cross_validate(problem, space, folds)
    for weights, fold in zip(tuning.fold_weights, folds, strict=True):
        rest = [one for i, one in enumerate(problem) if i not in fold]
        assert weights == space.named(fit(rest, space))
    assert tuning.final == space.named(fit(problem, space))
