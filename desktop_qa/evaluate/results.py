"""What is measured of each question, and each measure by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import (
    Rank,
    hit_share,
    log_rank_index,
    ndcg,
    reciprocal_rank,
)


@dataclass(frozen=True, slots=True)
class RankMeasures:
    """How a question's evidence items were ranked.

    Attributes:
        ranks: Best rank of each evidence item.
        n_unlocated: Items whose words no segment of their page holds.
        n_in_context: Segments from the top that fit into 1500 tokens.
        n_segments: N of the ranking.
    """

    ranks: tuple[Rank, ...]
    n_unlocated: int
    n_in_context: int
    n_segments: int

    def log_rank_index(self, gamma: float = 1.0) -> float:
        """Return the measure of this name (`metrics`)."""
        return log_rank_index(self.ranks, self.n_segments, gamma)


@dataclass(frozen=True, slots=True)
class AnswerMeasures:
    """How a question was answered; `None` where the question has no gold for it.

    Attributes:
        first: Score of the block alone that leads; of a procedure its `step_recall`.
        probability: As the answer has it; `None` for one that says nothing of it.
        is_stated: Without reserve.
    """

    refused: bool
    score: float | None
    first: float | None
    step_recall: float | None
    n_words: int
    context_tokens: int
    seconds: float
    probability: float | None = None
    is_stated: bool = False


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question with its measures; `None` where a part was not measured.

    Attributes:
        of_gold: How it was answered from its gold passages alone.
    """

    question: GoldQuestion
    ranking: RankMeasures | None
    answer: AnswerMeasures | None
    of_gold: AnswerMeasures | None = None


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A file that a question's evidence names and the library does not have."""

    question_id: str
    file: str


@dataclass(frozen=True, slots=True)
class Report:
    """All results of a library.

    Attributes:
        segment_tokens: Lengths of all N segments.
        missing: Of the questions that were left out of the results.
    """

    results: tuple[QuestionResult, ...]
    segment_tokens: tuple[int, ...]
    missing: tuple[MissingFile, ...] = ()

    @property
    def n_segments(self) -> int:
        """N of the rankings."""
        return len(self.segment_tokens)


_Measure = Callable[[QuestionResult], float | None]


def _of_ranking(measure: Callable[[RankMeasures], float]) -> _Measure:
    def of_result(result: QuestionResult) -> float | None:
        return None if result.ranking is None else measure(result.ranking)

    return of_result


def _of_answer(measure: Callable[[AnswerMeasures], float | None]) -> _Measure:
    def of_result(result: QuestionResult) -> float | None:
        return None if result.answer is None else measure(result.answer)

    return of_result


RANK_MEASURES: dict[str, _Measure] = {
    "hit@1": _of_ranking(lambda ranking: hit_share(ranking.ranks, 1)),
    "hit@3": _of_ranking(lambda ranking: hit_share(ranking.ranks, 3)),
    "hit@5": _of_ranking(lambda ranking: hit_share(ranking.ranks, 5)),
    "mrr": _of_ranking(lambda ranking: reciprocal_rank(ranking.ranks)),
    "ndcg@3": _of_ranking(lambda ranking: ndcg(ranking.ranks, 3)),
    "recall_1500": _of_ranking(lambda ranking: hit_share(ranking.ranks, ranking.n_in_context)),
}
ANSWER_MEASURES: dict[str, _Measure] = {
    "answer_score": _of_answer(lambda answer: answer.score),
    "answer_first": _of_answer(lambda answer: answer.first),
    "answer_recall": _of_answer(lambda a: None if a.score is None else float(a.score == 1.0)),
    "step_recall": _of_answer(lambda answer: answer.step_recall),
}
MEASURES: dict[str, _Measure] = {
    **RANK_MEASURES,
    "log_rank_index": _of_ranking(RankMeasures.log_rank_index),
    **ANSWER_MEASURES,
}
"""By name: the measure of a result; `None` where it has none."""


RANKS_OF_GOLD: dict[str, tuple[int, float]] = {
    "1": (1, 1),
    "2-3": (2, 3),
    "4-15": (4, 15),
    "16-": (16, float("inf")),
}
"""Ranks of the first gold passage that answers are reported by; the first 15 segments are read."""


def scores_by_rank(results: Sequence[QuestionResult]) -> dict[str, list[float]]:
    """Return the answer scores by the rank of the first gold passage (KaPQA, 7.4)."""
    found: dict[str, list[float]] = {name: [] for name in RANKS_OF_GOLD}
    for result in results:
        if result.ranking is None or result.answer is None or result.answer.score is None:
            continue
        rank = min((r for r in result.ranking.ranks if r is not None), default=float("inf"))
        for name, (first, last) in RANKS_OF_GOLD.items():
            if first <= rank <= last:
                found[name].append(result.answer.score)
    return found


def values_of(results: Sequence[QuestionResult], name: str) -> list[float]:
    """Return a measure of each question that has it, in their order."""
    measured = map(MEASURES[name], results)
    return [value for value in measured if value is not None]
