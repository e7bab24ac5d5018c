"""Chooses the weights of the fusion by cross-validation with the log-rank index as objective.

HiQA (section 4.1) offers the index as a target of optimization. A score is affine in the weights,
so candidates are judged on arrays kept from one retrieval of each question: the rank of an
evidence item is one more than the number of segments that outscore the best of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import Rank, log_rank_index
from desktop_qa.evaluate.report import report_json, report_markdown
from desktop_qa.evaluate.results import QuestionResult, Report
from desktop_qa.evaluate.runner import RelevanceIndex, evaluate_bank, listed_files
from desktop_qa.evaluate.systems import System, systems_json, systems_markdown
from desktop_qa.evaluate.tables import markdown_table, paragraphs
from desktop_qa.index.embedder import Embedder
from desktop_qa.library.facade import Library
from desktop_qa.retrieve.fusion import COLUMNS, column_weights
from desktop_qa.settings import FusionWeights, Settings

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

SHARES = frozenset({"alpha"})
"""Weights that lie in [0, 1]."""

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
    """

    names: tuple[str, ...]
    prior: tuple[float, ...]

    def named(self, weights: Iterable[float]) -> dict[str, float]:
        """Return weights by name."""
        return dict(zip(self.names, map(float, weights), strict=True))

    def candidates(self, index: int) -> list[float]:
        """Return the values that one weight may take, the shipped one first."""
        prior = self.prior[index]
        if self.names[index] in SHARES:
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
        if self.names[index] in SHARES:
            return (value - prior) / _SHARE_STEP
        if value == prior:
            return 0.0
        if prior == 0.0:
            return 1.0 + math.log2(value / _FROM_ZERO[0]) / 2
        return math.log2(value / prior) if value > 0.0 else _OFF_STEPS


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
    reached = np.zeros((len(values), len(questions)))
    for column, one in enumerate(questions):
        rest = one.scores(weights) - weights[index] * one.features[index]
        for number, value in enumerate(values):
            scores = rest + value * one.features[index]
            reached[number, column] = log_rank_index(one.ranks(scores), len(scores))
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


def make_folds(questions: Sequence[GoldQuestion], n_folds: int) -> list[list[int]]:
    """Deal questions into folds so that each has its share of every type.

    Args:
        questions: In any order.
        n_folds: From 2 to the number of questions.

    Returns:
        Indices into `questions`, each in one fold, ascending.
    """
    generator = np.random.default_rng(SEED)
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
        final: Chosen on all questions: to be used, and not to be measured on them.
    """

    fold_weights: tuple[Mapping[str, float], ...]
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
    fold_weights = []
    for fold in folds:
        held_out = set(fold)
        chosen = fit([q for i, q in enumerate(questions) if i not in held_out], space)
        fold_weights.append(space.named(chosen))
    final = space.named(fit(questions, space))
    return Tuning(tuple(fold_weights), final)


WEIGHT_NAMES = tuple(field.name for field in fields(FusionWeights) if field.name != "source")
"""What is chosen; the boost of sources is the wish of a person and no matter of fit."""


def weight_space(shipped: FusionWeights) -> WeightSpace:
    """Return the weights of the fusion around the shipped ones."""
    prior = tuple(float(getattr(shipped, name)) for name in WEIGHT_NAMES)
    return WeightSpace(WEIGHT_NAMES, prior)


def _column_changes() -> tuple[FloatArray, FloatArray]:
    """Return the weights of the columns at weights of 0, and what a weight of 1 adds to them.

    The score is linear in the weights of the columns, and those are affine in the weights: alpha
    is the share of one column and leaves the rest to another.

    Returns:
        Shapes (n_columns,) and (n_weights, n_columns).
    """
    off = dict.fromkeys((*WEIGHT_NAMES, "source"), 0.0)
    constant = _in_order(column_weights(FusionWeights(**off)))
    ones = [column_weights(FusionWeights(**off | {name: 1.0})) for name in WEIGHT_NAMES]
    return constant, np.stack([_in_order(one) for one in ones]) - constant


def _in_order(weights: Mapping[str, float]) -> FloatArray:
    return np.asarray([weights[name] for name in COLUMNS], np.float64)


def collect_features(bank: Sequence[GoldQuestion], library: Library) -> list[QuestionFeatures]:
    """Ask a library once for the features of each question.

    Args:
        bank: All with evidence, whose files are all in the library.
        library: Open with the shipped weights: the evidence for a document is made by them.
    """
    relevance = RelevanceIndex(library.segments())
    row_of = {segment_id: row for row, segment_id in enumerate(library.retriever.segment_ids())}
    constant, of_weights = _column_changes()
    source_column = COLUMNS.index("source")
    collected = []
    for question in bank:
        query = library.read_question(Question(question.question)).query
        columns = library.retriever.components(query).matrix().T
        constant[source_column] = query.source_boost or 0.0
        relevant = [relevance.relevant(item).segment_ids for item in question.evidence]
        rows = [sorted(row_of[key] for key in found if key in row_of) for found in relevant]
        collected.append(
            QuestionFeatures(
                constant @ columns,
                of_weights @ columns,
                tuple(np.asarray(found, np.intp) for found in rows),
            )
        )
    return collected


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What tuning found, and how the found weights do on questions they were not chosen on.

    Attributes:
        shipped: Weights as they are.
        systems: The program with the shipped weights, then with those of the folds, each question
            with the weights that were chosen without it.
    """

    shipped: Mapping[str, float]
    tuning: Tuning
    systems: tuple[System, System]


def tune(
    bank: Sequence[GoldQuestion],
    folder: Path,
    settings: Settings,
    embedder: Embedder,
    n_folds: int,
    say: Callable[[str], None],
) -> HeldOut:
    """Choose weights by cross-validation.

    Args:
        bank: Questions; those without evidence have no ranking and are passed over.
        folder: Of the library.
        settings: With the shipped weights.
        embedder: Its `close` is called more than once.
        n_folds: From 2 to the number of questions.
        say: Told what happens.

    Raises:
        BankError: When no file that the bank names is in the library.
        LibraryError: When the library cannot be read, or is empty.
        QuestionError: When there are fewer questions than folds.
    """
    ranked = [question for question in bank if question.evidence]
    shipped = _measured(ranked, folder, settings, embedder)
    questions = [result.question for result in shipped.results]
    if len(questions) < n_folds:
        raise QuestionError(
            f"{len(questions)} questions cannot be cut into {n_folds} folds.",
            "Give more questions, or fewer folds.",
        )
    say(f"Features of {len(questions)} questions")
    with closing(
        Library.open(folder, read_only=True, settings=settings, embedder=embedder)
    ) as library:
        features = collect_features(questions, library)
    space = weight_space(settings.retrieval)
    folds = make_folds(questions, n_folds)
    say(f"Choosing weights on {n_folds} folds")
    tuning = cross_validate(features, space, folds)
    results: dict[str, QuestionResult] = {}
    for number, (fold, weights) in enumerate(zip(folds, tuning.fold_weights, strict=True), 1):
        say(f"Measuring fold {number} of {n_folds}")
        retrieval = replace(settings.retrieval, **weights)  # type: ignore[arg-type]
        changed = replace(settings, retrieval=retrieval)
        report = _measured([questions[i] for i in fold], folder, changed, embedder)
        results |= {result.question.id: result for result in report.results}
    held_out = replace(shipped, results=tuple(results[q.id] for q in questions))
    systems = (System("shipped weights", shipped), System("tuned, held out", held_out))
    return HeldOut(space.named(space.prior), tuning, systems)


def _measured(
    bank: Sequence[GoldQuestion], folder: Path, settings: Settings, embedder: Embedder
) -> Report:
    with closing(
        Library.open(folder, read_only=True, settings=settings, embedder=embedder)
    ) as library:
        files = listed_files(library.statuses())
        return evaluate_bank(bank, library.segments(), library.rank_all, files=files)


def settings_lines(weights: Mapping[str, float]) -> str:
    """Return weights as the lines of settings.toml that set them."""
    return "\n".join(["[retrieval]", *(f"{name} = {weights[name]:.4g}" for name in weights)])


def held_out_json(found: HeldOut, pools: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
    """Return everything; the measures are those of the held-out questions."""
    shipped, tuned = found.systems
    return {
        "held_out": report_json(tuned.report, pools),
        "shipped": report_json(shipped.report, pools),
        "difference": systems_json(found.systems)[1]["difference"],
        "weights": {
            "shipped": dict(found.shipped),
            "folds": [dict(weights) for weights in found.tuning.fold_weights],
            "all": dict(found.tuning.final),
        },
    }


def held_out_markdown(found: HeldOut, pools: Sequence[Sequence[str]] = ()) -> str:
    """Return the comparison, the held-out measures by type, and the weights."""
    columns = (found.shipped, *found.tuning.fold_weights, found.tuning.final)
    folds = (f"fold {n}" for n in range(1, len(found.tuning.fold_weights) + 1))
    rows = [[name, *(f"{column[name]:.4g}" for column in columns)] for name in found.shipped]
    return paragraphs(
        systems_markdown(found.systems).rstrip(),
        "Held out, by type:",
        report_markdown(found.systems[1].report, pools).rstrip(),
        markdown_table(("weight", "shipped", *folds, "all"), rows),
        "Chosen on all questions, for settings.toml:",
        f"```toml\n{settings_lines(found.tuning.final)}\n```",
    )
