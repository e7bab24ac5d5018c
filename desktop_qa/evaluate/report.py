"""The report of an evaluation: means over questions, by type, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_qa.evaluate.bank import Question
from desktop_qa.evaluate.metrics import (
    Rank,
    bootstrap_interval,
    hit_share,
    log_rank_index,
    mean,
    ndcg,
    percentile,
    reciprocal_rank,
    spread,
)

GAMMAS = (1.0, 0.1, 0.01)
"""Of the log-rank index; HiQA does not give its value. Bars of acceptance use 1."""

MAX_SEGMENT_TOKENS = 400
"""hit@k is comparable only while no segment is longer."""


@dataclass(frozen=True, slots=True)
class RankMeasures:
    """How a question's evidence items were ranked.

    Attributes:
        ranks: Best rank of each evidence item.
        n_unlocated: Items whose words no segment of their page holds.
        n_in_context: Segments from the top that fit into 1500 tokens.
    """

    ranks: tuple[Rank, ...]
    n_unlocated: int
    n_in_context: int


@dataclass(frozen=True, slots=True)
class AnswerMeasures:
    """How a question was answered; `None` where the question has no gold for it."""

    refused: bool
    score: float | None
    recall: float | None
    step_recall: float | None
    n_words: int
    context_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question with its measures; `ranking` is `None` where there is no evidence."""

    question: Question
    ranking: RankMeasures | None
    answer: AnswerMeasures


@dataclass(frozen=True, slots=True)
class Report:
    """All results, and the lengths of all N segments of the library in tokens."""

    results: tuple[QuestionResult, ...]
    segment_tokens: tuple[int, ...]


_Measure = Callable[[QuestionResult, int], float | None]


def _of_ranking(measure: Callable[[RankMeasures, int], float]) -> _Measure:
    def of_result(result: QuestionResult, n_segments: int) -> float | None:
        return None if result.ranking is None else measure(result.ranking, n_segments)

    return of_result


_RANK_MEASURES: dict[str, _Measure] = {
    "hit@1": _of_ranking(lambda ranking, _: hit_share(ranking.ranks, 1)),
    "hit@3": _of_ranking(lambda ranking, _: hit_share(ranking.ranks, 3)),
    "hit@5": _of_ranking(lambda ranking, _: hit_share(ranking.ranks, 5)),
    "mrr": _of_ranking(lambda ranking, _: reciprocal_rank(ranking.ranks)),
    "ndcg@3": _of_ranking(lambda ranking, _: ndcg(ranking.ranks, 3)),
    "recall_1500": _of_ranking(lambda ranking, _: hit_share(ranking.ranks, ranking.n_in_context)),
}
_LOG_RANK: dict[str, _Measure] = {
    "log_rank_index": _of_ranking(lambda ranking, n: log_rank_index(ranking.ranks, n)),
}
_ANSWER_MEASURES: dict[str, _Measure] = {
    "answer_score": lambda result, _: result.answer.score,
    "answer_recall": lambda result, _: result.answer.recall,
    "step_recall": lambda result, _: result.answer.step_recall,
}
_MEASURES = {**_RANK_MEASURES, **_LOG_RANK, **_ANSWER_MEASURES}


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as the command line prints it; a measure without questions is null."""
    results = report.results
    n_segments = len(report.segment_tokens)
    rankings = [result.ranking for result in results if result.ranking is not None]
    n_items = sum(len(ranking.ranks) for ranking in rankings)
    answers = [result.answer for result in results]
    values = {name: _values(results, n_segments, name) for name in _MEASURES}
    return {
        "n": len(results),
        "unlocated": _round(
            sum(ranking.n_unlocated for ranking in rankings) / n_items if n_items else None
        ),
        **{name: _round(mean(values[name])) for name in _RANK_MEASURES},
        "log_rank_index": {f"{gamma:g}": _log_rank(report, gamma) for gamma in GAMMAS},
        **{name: _round(mean(values[name])) for name in _ANSWER_MEASURES},
        "refusal": {
            "on_negatives": _round(_refused(results, negative=True)),
            "on_positives": _round(_refused(results, negative=False)),
        },
        "answer_words": _p50_p95([answer.n_words for answer in answers]),
        "context_tokens": _round(mean([answer.context_tokens for answer in answers])),
        "segment_tokens": {
            "mean": _round(mean(report.segment_tokens)),
            "max": max(report.segment_tokens, default=None),
        },
        "by_type": _by_type(results, n_segments),
        "interval": {
            name: [_round(end) for end in interval]
            for name in _MEASURES
            if (interval := bootstrap_interval(values[name])) is not None
        },
        "seconds": _p50_p95([answer.seconds for answer in answers]),
    }


def format_report(report: Report) -> str:
    """Return the report as a table for people, with what makes its figures doubtful."""
    figures = report_json(report)
    lines = [f"{figures['n']} questions over {len(report.segment_tokens)} segments", ""]
    for name in _MEASURES:
        value = figures[name]
        if name == "log_rank_index":
            value = value["1"] and value["1"]["mean"]
        low, high = figures["interval"].get(name, (None, None))
        lines.append(f"{name:<16}{_show(value)}   {_show(low)} to {_show(high)}")
    refusal = figures["refusal"]
    lines += [
        f"{'refused':<16}{_show(refusal['on_negatives'])} of negatives,"
        f" {_show(refusal['on_positives'])} of positives",
        f"{'words':<16}{_show(figures['answer_words']['p50'])} (p95"
        f" {_show(figures['answer_words']['p95'])})",
        f"{'seconds':<16}{_show(figures['seconds']['p50'])} (p95"
        f" {_show(figures['seconds']['p95'])})",
        "",
        f"{'type':<16}{'n':>4}  {'hit@3':>6}  {'log rank':>8}  {'score':>6}  {'refused':>7}",
    ]
    for name, of_type in figures["by_type"].items():
        lines.append(
            f"{name:<16}{of_type['n']:>4}  {_show(of_type['hit@3'])}"
            f"  {_show(of_type['log_rank_index'], 8)}  {_show(of_type['answer_score'])}"
            f"  {_show(of_type['refused'], 7)}"
        )
    return "\n".join([*lines, *_doubts(report, figures)])


def _doubts(report: Report, figures: dict[str, Any]) -> list[str]:
    doubts = []
    longest = figures["segment_tokens"]["max"]
    if longest is not None and longest > MAX_SEGMENT_TOKENS:
        doubts.append(
            f"hit@k is not valid: the longest segment has {longest} tokens,"
            f" more than {MAX_SEGMENT_TOKENS}."
        )
    unlocated = [
        result.question.id
        for result in report.results
        if result.ranking is not None and result.ranking.n_unlocated
    ]
    if unlocated:
        doubts.append(
            f"unlocated {figures['unlocated']:.3f}: no segment holds the passage of"
            f" {', '.join(unlocated)}."
        )
    return ["", *doubts] if doubts else []


def _values(results: Sequence[QuestionResult], n_segments: int, name: str) -> list[float]:
    measured = (_MEASURES[name](result, n_segments) for result in results)
    return [value for value in measured if value is not None]


def _log_rank(report: Report, gamma: float) -> dict[str, float | None] | None:
    n_segments = len(report.segment_tokens)
    of_questions = spread(
        [
            log_rank_index(result.ranking.ranks, n_segments, gamma)
            for result in report.results
            if result.ranking is not None
        ]
    )
    if of_questions is None:
        return None
    return {
        "mean": _round(of_questions.mean),
        "max": _round(of_questions.max),
        "min": _round(of_questions.min),
        "std": _round(of_questions.std),
    }


def _refused(results: Sequence[QuestionResult], *, negative: bool) -> float | None:
    return mean([float(r.answer.refused) for r in results if r.question.negative is negative])


def _by_type(results: Sequence[QuestionResult], n_segments: int) -> dict[str, dict[str, Any]]:
    types = dict.fromkeys(result.question.type for result in results)
    by_type = {}
    for name in types:
        of_type = [result for result in results if result.question.type == name]
        by_type[name] = {
            "n": len(of_type),
            **{key: _round(mean(_values(of_type, n_segments, key))) for key in _MEASURES},
            "refused": _round(mean([float(result.answer.refused) for result in of_type])),
        }
    return by_type


def _p50_p95(values: Sequence[float]) -> dict[str, float | None]:
    return {"p50": _round(percentile(values, 50)), "p95": _round(percentile(values, 95))}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _show(value: float | None, width: int = 6) -> str:
    return f"{'-' if value is None else f'{value:.3f}':>{width}}"
