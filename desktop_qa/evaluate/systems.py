"""Several ways to rank the same questions, side by side (the shape of HiQA, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desktop_qa.evaluate.metrics import bootstrap_interval, mean
from desktop_qa.evaluate.report import MAX_SEGMENT_TOKENS, doubts_of, report_json
from desktop_qa.evaluate.results import MEASURES, Report
from desktop_qa.evaluate.tables import Cell, markdown_table, paragraphs, question_rows, show

COMPARED = (
    *("log_rank_index", "hit@1", "hit@3", "hit@5", "mrr", "ndcg@3", "recall_1500"),
    "answer_score",
)
"""Measures whose difference to the first system is given."""


@dataclass(frozen=True, slots=True)
class System:
    """A way to rank, with what it reached.

    Attributes:
        name: For the table.
        report: Over the same questions as those of its neighbours.
        paper: What the paper calls it; empty when it is not in there.
    """

    name: str
    report: Report
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of a measure's differences, question by question, with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """True when the interval does not hold 0."""
        return self.low > 0 or self.high < 0


def difference(first: Report, second: Report, measure: str) -> Difference | None:
    """Compare two systems by the paired bootstrap over the questions that both have.

    Pairing takes out what makes one question harder than another, which is most of the spread.

    Returns:
        Of `second` less `first`; `None` when no question has the measure in both.
    """
    before = _by_question(first, measure)
    after = _by_question(second, measure)
    changes = [after[key] - before[key] for key in before if key in after]
    interval = bootstrap_interval(changes)
    value = mean(changes)
    return None if interval is None or value is None else Difference(value, *interval)


def _by_question(report: Report, measure: str) -> dict[str, float]:
    values = {}
    for result in report.results:
        value = MEASURES[measure](result)
        if value is not None:
            values[result.question.id] = value
    return values


def systems_json(systems: Sequence[System]) -> list[dict[str, Any]]:
    """Return each system's whole report, and its differences to the first of them."""
    rows = []
    for system in systems:
        row: dict[str, Any] = {"name": system.name, "paper": system.paper}
        row |= {"n_segments": system.report.n_segments, **report_json(system.report)}
        if system is not systems[0]:
            row["difference"] = {
                measure: {
                    "mean": round(found.mean, 4),
                    "interval": [round(found.low, 4), round(found.high, 4)],
                }
                for measure in COMPARED
                if (found := difference(systems[0].report, system.report, measure)) is not None
            }
        rows.append(row)
    return rows


_HEAD = (
    *("system", "N", "log rank", "95 %", "max", "min", "std", "hit@1", "95 %", "hit@3", "95 %"),
    *("hit@5", "nDCG@3", "95 %", "recall_1500", "95 %", "score", "95 %"),
)


def _cells(system: System) -> list[str]:
    figures = report_json(system.report)
    spread = figures["log_rank_index"]["1"] or {}
    intervals = figures["interval"]

    def interval(measure: str) -> str:
        low, high = intervals.get(measure, (None, None))
        return "-" if low is None else f"{show(low)}-{show(high)}"

    cells = [system.name, str(system.report.n_segments), show(spread.get("mean"))]
    cells += [interval("log_rank_index"), *(show(spread.get(k)) for k in ("max", "min", "std"))]
    for measure in ("hit@1", "hit@3"):
        cells += [show(figures[measure]), interval(measure)]
    cells.append(show(figures["hit@5"]))
    for measure in ("ndcg@3", "recall_1500", "answer_score"):
        cells += [show(figures[measure]), interval(measure)]
    return cells


def _difference_rows(systems: Sequence[System]) -> list[list[str]]:
    rows = []
    for system in systems[1:]:
        row = [system.name]
        for measure in COMPARED:
            found = difference(systems[0].report, system.report, measure)
            if found is None:
                row.append("-")
                continue
            mark = " *" if found.is_clear else ""
            row.append(f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f}){mark}")
        rows.append(row)
    return rows


def systems_markdown(systems: Sequence[System]) -> str:
    """Return the table of the systems, their differences to the first, and what is doubtful."""
    parts = [markdown_table(_HEAD, [_cells(system) for system in systems])]
    if len(systems) > 1:
        parts += [
            f'Difference to "{systems[0].name}", question by question (95 % by the paired'
            " bootstrap; * where 0 is not in it):",
            markdown_table(("system", *COMPARED), _difference_rows(systems)),
        ]
    return paragraphs(*parts, *_doubts(systems))


def _doubts(systems: Sequence[System]) -> list[str]:
    """Say what is wrong with each system; files that are missing are missing from all of them."""
    doubts = [f"{systems[0].name}: {doubt}" for doubt in doubts_of(systems[0].report)]
    for system in systems[1:]:
        tokens = system.report.segment_tokens
        n_long = sum(n > MAX_SEGMENT_TOKENS for n in tokens)
        if n_long:
            doubts.append(
                f"{system.name}: hit@k is not valid: {n_long} of {len(tokens)} segments have more"
                f" than {MAX_SEGMENT_TOKENS} tokens (the longest {max(tokens)})."
            )
        n_unlocated = sum(
            r.ranking.n_unlocated for r in system.report.results if r.ranking is not None
        )
        if n_unlocated:
            doubts.append(f"{system.name}: no segment holds the passage of {n_unlocated} items.")
    return doubts


def systems_rows(systems: Sequence[System]) -> list[list[Cell]]:
    """Return one row for each system and question: the system, then `QUESTION_COLUMNS`."""
    return [[system.name, *row] for system in systems for row in question_rows(system.report)]
