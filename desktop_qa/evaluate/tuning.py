"""Chooses the weights of the fusion by cross-validation with the log-rank index as objective.

HiQA (section 4.1) offers the index as a target of optimization. A score is affine in the weights,
so candidates are judged on arrays kept from one retrieval of each question: the rank of an
evidence item is one more than the number of segments that outscore the best of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import Rank, log_rank_index

FloatArray = npt.NDArray[np.float64]
RowArray = npt.NDArray[np.intp]

SEED = 20240917
"""Of the folds: the same bank is always cut the same way."""

PENALTY = 0.0005
"""What a weight of twice or half the shipped one must gain on the mean log-rank index.

Four times costs four times as much: a hundred questions can always be fitted better by some far
corner, and it never holds on the next hundred.
"""

MIN_GAIN = 0.0002
"""Of the penalised objective; less keeps the weight as it is. Ties keep it, too."""

STANDARD_ERRORS = 1.0
"""Of the gain, question by question, that it must exceed."""

MAX_SWEEPS = 8

_STEPS = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
"""Doublings of a weight that are tried."""

_OFF_STEPS = 3.0
"""Doublings that leaving a weight out counts as."""

_FROM_ZERO = (0.05, 0.1, 0.2, 0.4, 0.8)
"""What is tried where the shipped weight is 0."""

_SHARES = tuple(n / 10 for n in range(11))
_SHARE_STEP = 0.2
"""Of a share in [0, 1], what a doubling is of other weights."""

_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class QuestionFeatures:
    """What every segment has of each feature, for one question.

    Attributes:
        constant: Score of each segment at weights of 0, shape (n,).
        features: What a weight of 1 adds, shape (n_weights, n).
        relevant: Rows of the segments that are relevant to each evidence item; may be empty.
    """

    question: GoldQuestion
    constant: FloatArray
    features: FloatArray
    relevant: tuple[RowArray, ...]

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return the score of each segment, shape (n,)."""
        return self.constant + weights @ self.features

    def ranks(self, scores: FloatArray) -> tuple[Rank, ...]:
        """Return the best rank of each evidence item; ties are ranked by row."""
        return tuple(_best_rank(scores, rows) for rows in self.relevant)


def _best_rank(scores: FloatArray, rows: RowArray) -> Rank:
    if rows.size == 0:
        return None
    own = scores[rows]
    best = float(own.max())
    first = int(rows[own >= best - _EQUAL].min())
    n_above = int((scores > best + _EQUAL).sum())
    n_tied = int((np.abs(scores[:first] - best) <= _EQUAL).sum())
    return 1 + n_above + n_tied


@dataclass(frozen=True, slots=True)
class WeightSpace:
    """The weights that are chosen.

    Attributes:
        prior: The shipped ones.
        shares: Names of those that lie in [0, 1].
    """

    names: tuple[str, ...]
    prior: tuple[float, ...]
    shares: frozenset[str] = frozenset()

    def named(self, weights: FloatArray) -> dict[str, float]:
        """Return weights by name."""
        return dict(zip(self.names, map(float, weights), strict=True))

    def named_prior(self) -> dict[str, float]:
        """Return the shipped weights by name."""
        return dict(zip(self.names, self.prior, strict=True))

    def candidates(self, index: int) -> list[float]:
        """Return the values that one weight may take, the shipped one first."""
        prior = self.prior[index]
        if self.names[index] in self.shares:
            others: Sequence[float] = _SHARES
        elif prior == 0.0:
            others = _FROM_ZERO
        else:
            others = (0.0, *(prior * 2.0**step for step in _STEPS))
        return list(dict.fromkeys((prior, *others)))

    def penalty(self, index: int, value: float) -> float:
        """Return what a value costs for being away from the shipped one."""
        return PENALTY * self._distance(index, value) ** 2

    def _distance(self, index: int, value: float) -> float:
        """Return the doublings, or what counts as such, between a value and the shipped one."""
        prior = self.prior[index]
        if self.names[index] in self.shares:
            return (value - prior) / _SHARE_STEP
        if value == prior:
            return 0.0
        if prior == 0.0:
            return 1.0 + math.log2(value / _FROM_ZERO[0]) / 2
        return math.log2(value / prior) if value > 0.0 else _OFF_STEPS


def objective(questions: Sequence[QuestionFeatures], weights: FloatArray) -> float:
    """Return the mean log-rank index (gamma 1) of some questions."""
    return float(np.mean([_log_rank(one, one.scores(weights)) for one in questions]))


def _log_rank(one: QuestionFeatures, scores: FloatArray) -> float:
    return log_rank_index(one.ranks(scores), len(scores))


def fit(questions: Sequence[QuestionFeatures], space: WeightSpace) -> FloatArray:
    """Choose weights by coordinate descent from the shipped ones.

    Args:
        questions: At least one, all with evidence.
        space: The weights.

    Returns:
        In the order of `space.names`, never worse than the shipped ones on these questions.
    """
    weights = np.asarray(space.prior, np.float64)
    for _ in range(MAX_SWEEPS):
        moved = [_move(questions, space, weights, index) for index in range(len(weights))]
        if not any(moved):
            break
    return weights


def _move(
    questions: Sequence[QuestionFeatures], space: WeightSpace, weights: FloatArray, index: int
) -> bool:
    """Give one weight its best value, in place; return whether it changed."""
    values = space.candidates(index)
    if weights[index] not in values:
        values.append(float(weights[index]))
    reached = np.zeros((len(values), len(questions)))
    for column, one in enumerate(questions):
        rest = one.scores(weights) - weights[index] * one.features[index]
        for number, value in enumerate(values):
            reached[number, column] = _log_rank(one, rest + value * one.features[index])
    current = values.index(float(weights[index]))
    penalties = np.array([space.penalty(index, value) for value in values])
    judged = reached.mean(axis=1) - penalties
    gains = reached - reached[current]
    errors = gains.std(axis=1) / math.sqrt(len(questions))
    is_enough = judged - judged[current] > np.maximum(STANDARD_ERRORS * errors, MIN_GAIN)
    if not is_enough.any():
        return False
    best = int(np.where(is_enough, judged, -np.inf).argmax())
    weights[index] = values[best]
    return True


def make_folds(
    questions: Sequence[GoldQuestion], n_folds: int, seed: int = SEED
) -> list[list[int]]:
    """Deal questions into folds so that each has its share of every type.

    Args:
        questions: In any order.
        n_folds: From 2 to the number of questions.
        seed: Of the order within a type.

    Returns:
        Indices into `questions`, each in one fold, ascending.
    """
    generator = np.random.default_rng(seed)
    by_type: dict[str, list[int]] = {}
    for index, question in enumerate(questions):
        by_type.setdefault(question.type, []).append(index)
    dealt: list[int] = []
    for name in sorted(by_type):
        members = by_type[name]
        dealt += [members[i] for i in generator.permutation(len(members))]
    folds: list[list[int]] = [[] for _ in range(n_folds)]
    for position, index in enumerate(dealt):
        folds[position % n_folds].append(index)
    return [sorted(fold) for fold in folds]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What cross-validation found.

    Attributes:
        fold_weights: Chosen without the questions of each fold.
        weights_of: For each question, the weights chosen without it.
        final: Chosen on all questions: to be used, and not to be measured on them.
    """

    fold_weights: tuple[Mapping[str, float], ...]
    weights_of: tuple[FloatArray, ...]
    final: Mapping[str, float]


def cross_validate(
    questions: Sequence[QuestionFeatures], space: WeightSpace, folds: Sequence[Sequence[int]]
) -> Tuning:
    """Choose weights for each fold on the other folds, then on everything.

    Args:
        questions: All with evidence.
        space: The weights.
        folds: From `make_folds`.
    """
    weights_of: list[FloatArray] = [np.zeros(0)] * len(questions)
    fold_weights = []
    for fold in folds:
        held_out = set(fold)
        chosen = fit([q for i, q in enumerate(questions) if i not in held_out], space)
        fold_weights.append(space.named(chosen))
        for index in fold:
            weights_of[index] = chosen
    final = space.named(fit(questions, space))
    return Tuning(tuple(fold_weights), tuple(weights_of), final)
