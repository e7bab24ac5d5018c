"""The report of an evaluation: means over questions, by type, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_qa.evaluate.metrics import (
    bootstrap_interval,
    calibration_error,
    mean,
    percentile,
    risk_coverage,
    rounded,
    spread,
)
from desktop_qa.evaluate.results import (
    ANSWER_MEASURES,
    MEASURES,
    RANK_MEASURES,
    QuestionResult,
    RankMeasures,
    Report,
    scores_by_rank,
    values_of,
)
from desktop_qa.evaluate.tables import markdown_table, paragraphs, show

GAMMAS = (1.0, 0.1, 0.01)
"""Of the log-rank index; HiQA does not give its value. Bars of acceptance use 1."""

MAX_SEGMENT_TOKENS = 400
"""hit@k is comparable only while no segment is longer."""

_MAX_NAMED = 10
"""Missing files in the report for people."""


def report_json(report: Report, pools: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
    """Return the report as the command line prints it; a measure without questions is null.

    Args:
        report: All results.
        pools: Types that are also reported together, under "type+type".
    """
    results = report.results
    rankings = [result.ranking for result in results if result.ranking is not None]
    n_items = sum(len(ranking.ranks) for ranking in rankings)
    answers = [result.answer for result in results if result.answer is not None]
    values = {name: values_of(results, name) for name in MEASURES}
    of_kind: dict[str, list[QuestionResult]] = {}
    for result in results:
        if result.question.kind:
            of_kind.setdefault(result.question.kind, []).append(result)
    return {
        "n": len(results),
        "unlocated": rounded(
            sum(ranking.n_unlocated for ranking in rankings) / n_items if n_items else None
        ),
        **{name: rounded(mean(values[name])) for name in RANK_MEASURES},
        "log_rank_index": {f"{gamma:g}": _log_rank(rankings, gamma) for gamma in GAMMAS},
        **{name: rounded(mean(values[name])) for name in ANSWER_MEASURES},
        "answer_score_by_rank": {
            name: {"n": len(scores), "score": rounded(mean(scores))}
            for name, scores in scores_by_rank(results).items()
        },
        "answer_score_of_gold": rounded(mean(_scores_of_gold(results))),
        **_trusted(results),
        "refusal": {
            "on_negatives": rounded(_refused(results, negative=True)),
            "on_positives": rounded(_refused(results, negative=False)),
            "by_kind": {
                kind: rounded(_refused(own, negative=True)) for kind, own in of_kind.items()
            },
        },
        "answer_words": _p50_p95([answer.n_words for answer in answers]),
        "context_tokens": rounded(mean([answer.context_tokens for answer in answers])),
        "segment_tokens": {
            "mean": rounded(mean(report.segment_tokens)),
            "max": max(report.segment_tokens, default=None),
        },
        "by_type": _by_type(results, pools),
        "interval": _intervals(values),
        "seconds": _p50_p95([answer.seconds for answer in answers]),
        "missing_files": [
            {"id": missing.question_id, "file": missing.file} for missing in report.missing
        ],
    }


def report_markdown(report: Report, pools: Sequence[Sequence[str]] = ()) -> str:
    """Return the report for people: all measures, those of each type, and what is doubtful."""
    figures = report_json(report, pools)
    measures = []
    for name in MEASURES:
        value = figures[name]
        if name == "log_rank_index":
            value = value["1"] and value["1"]["mean"]
        measures.append((name, show(value), _range(figures, name)))
    by_rank = (
        f"{name}: {show(of_rank['score'])} of {of_rank['n']}"
        for name, of_rank in figures["answer_score_by_rank"].items()
    )
    refusal, words, seconds = figures["refusal"], figures["answer_words"], figures["seconds"]
    others = {
        "score by rank of gold": ", ".join(by_rank),
        "score from gold alone": show(figures["answer_score_of_gold"]),
        "stated": f"{show(figures['sure'])}, {show(figures['sure_right'])} of them right;"
        f" calibration error {show(figures['calibration_error'])}",
        "wrong of the surest": ", ".join(f"{c:.0%}: {r:.2f}" for c, r in figures["risk_coverage"]),
        "refused": f"{show(refusal['on_negatives'])} of negatives,"
        f" {show(refusal['on_positives'])} of positives",
        **{f"refused, {kind}": show(share) for kind, share in refusal["by_kind"].items()},
        "words": f"{show(words['p50'])} (p95 {show(words['p95'])})",
        "seconds": f"{show(seconds['p50'])} (p95 {show(seconds['p95'])})",
    }
    shown = ("hit@1", "hit@3", "ndcg@3", "recall_1500", "log_rank_index", "answer_score", "refused")
    of_types = []
    for name, of_type in figures["by_type"].items():
        cells = [name, str(of_type["n"])]
        for measure in shown:
            cells.append(f"{show(of_type[measure])} {_range(of_type, measure)}".strip())
        of_types.append(cells)
    return paragraphs(
        f"{figures['n']} questions over {report.n_segments} segments",
        markdown_table(("measure", "value", "95 %"), measures),
        "\n".join(f"- {name}: {text}" for name, text in others.items()),
        markdown_table(("type", "n", *shown), of_types),
        *doubts_of(report),
    )


def _range(figures: Mapping[str, Any], measure: str) -> str:
    low, high = figures["interval"].get(measure, (None, None))
    return "" if low is None else f"({show(low)} to {show(high)})"


def doubts_of(report: Report) -> list[str]:
    """Return what makes the figures doubtful, a sentence each."""
    doubts = []
    longest = max(report.segment_tokens, default=0)
    if longest > MAX_SEGMENT_TOKENS:
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
        n_items = sum(len(r.ranking.ranks) for r in report.results if r.ranking is not None)
        n_unlocated = sum(r.ranking.n_unlocated for r in report.results if r.ranking is not None)
        doubts.append(
            f"unlocated {n_unlocated / n_items:.3f}: no segment holds the passage of"
            f" {', '.join(unlocated)}."
        )
    if report.missing:
        named = [f"{m.file} ({m.question_id})" for m in report.missing[:_MAX_NAMED]]
        if len(report.missing) > _MAX_NAMED:
            named.append(f"and {len(report.missing) - _MAX_NAMED} more, all of them in the JSON")
        lacking = ", ".join(named)
        n_left_out = len({m.question_id for m in report.missing})
        noun = "question was" if n_left_out == 1 else "questions were"
        doubts.append(f"{n_left_out} {noun} left out, because the library lacks files: {lacking}.")
    return doubts


def _trusted(results: Sequence[QuestionResult]) -> dict[str, Any]:
    """Return what a reader may rely on: an answer to a negative is wrong."""
    answers = [(r.question.negative, r.answer) for r in results if r.answer is not None]
    stated = [a for _negative, a in answers if a.is_stated]
    given = [a for _negative, a in answers if a.probability is not None]
    promised = [a.probability for a in given if a.probability is not None]
    right = [a.first == 1.0 for a in given]
    return {
        "sure": rounded(mean([float(a.is_stated) for negative, a in answers if not negative])),
        "sure_right": rounded(mean([float(a.first == 1.0) for a in stated])),
        "calibration_error": rounded(calibration_error(promised, right)),
        "risk_coverage": [[round(c, 3), round(r, 3)] for c, r in risk_coverage(promised, right)],
    }


def _scores_of_gold(results: Sequence[QuestionResult]) -> list[float]:
    answers = (result.of_gold for result in results if result.of_gold is not None)
    return [answer.score for answer in answers if answer.score is not None]


def _log_rank(rankings: Sequence[RankMeasures], gamma: float) -> dict[str, float | None] | None:
    of_questions = spread([ranking.log_rank_index(gamma) for ranking in rankings])
    if of_questions is None:
        return None
    return {name: rounded(value) for name, value in of_questions.items()}


def _refused(results: Sequence[QuestionResult], *, negative: bool) -> float | None:
    return mean(
        [
            float(result.answer.refused)
            for result in results
            if result.answer is not None and result.question.negative is negative
        ]
    )


def _by_type(
    results: Sequence[QuestionResult], pools: Sequence[Sequence[str]]
) -> dict[str, dict[str, Any]]:
    """Return the measures of each type, then of each pool of types under "type+type"."""
    types = dict.fromkeys(result.question.type for result in results)
    groups: list[tuple[str, tuple[str, ...]]] = [(name, (name,)) for name in types]
    groups += [("+".join(pool), tuple(pool)) for pool in pools]
    by_type = {}
    for name, members in groups:
        of_type = [result for result in results if result.question.type in members]
        if not of_type:
            continue
        values = {key: values_of(of_type, key) for key in MEASURES}
        refused = [float(r.answer.refused) for r in of_type if r.answer is not None]
        by_type[name] = {
            "n": len(of_type),
            **{key: rounded(mean(values[key])) for key in MEASURES},
            "refused": rounded(mean(refused)),
            "interval": _intervals(values),
        }
    return by_type


def _intervals(values: Mapping[str, Sequence[float]]) -> dict[str, list[float | None]]:
    return {
        name: [rounded(end) for end in interval]
        for name in values
        if (interval := bootstrap_interval(values[name])) is not None
    }


def _p50_p95(values: Sequence[float]) -> dict[str, float | None]:
    return {"p50": rounded(percentile(values, 50)), "p95": rounded(percentile(values, 95))}
