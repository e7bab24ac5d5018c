"""Measure comparisons: ask each question of a bank and judge the cells of its table.

The rules by which a cell is right head `evaluate.comparison_judge`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import as_text, markers_in
from desktop_qa.core.answer_table import AnswerTable, TableUse
from desktop_qa.core.document import DocumentId
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import BankError
from desktop_qa.evaluate.comparison_judge import GoldCell, JudgedCell, judge, units_of


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """A question with the cells that its table should have; `best` is a file, "" for none."""

    id: str
    question: str
    documents: tuple[str, ...]
    cells: tuple[GoldCell, ...]
    best: str


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """What `desktop-qa evaluate` prints for a bank of comparisons.

    Attributes:
        n_wrong_document: Cells of tables that cite another document than their column's.
        n_cells: Cells of tables that cite anything.
        best: Verdict on each ranking by question id.
    """

    judged: tuple[JudgedCell, ...]
    n_wrong_document: int
    n_cells: int
    best: tuple[tuple[str, bool], ...]
    n_words: tuple[int, ...]
    seconds: tuple[float, ...]


class ComparingLibrary(Protocol):
    """What is measured."""

    def ask(self, question: Question) -> Answer:
        """Answer a question."""

    def file_of(self, document_id: DocumentId) -> str:
        """Path of a document relative to its source folder."""


def has_comparisons(path: Path) -> bool:
    """Tell whether a bank is one of comparisons: its rows have cells.

    Raises:
        BankError: When it cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            first = next((line for line in lines if line.strip()), "{}")
        row = json.loads(first)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BankError(f"{path} cannot be read: {error}.") from error
    return isinstance(row, dict) and "cells" in row


def read_comparisons(path: Path) -> tuple[GoldComparison, ...]:
    """Read a bank of comparisons.

    Raises:
        BankError: When it cannot be read or a row is not one; the message names the line.
    """
    found = []
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip():
                found.append(_comparison(json.loads(line), f"{path}, line {number}"))
    except (OSError, UnicodeDecodeError) as error:
        raise BankError(f"{path} cannot be read: {error}.") from error
    except json.JSONDecodeError as error:
        raise BankError(f"{path} is no JSONL: {error}.") from error
    return tuple(found)


def _comparison(row: Any, where: str) -> GoldComparison:
    try:
        return GoldComparison(
            id=str(row["id"]),
            question=str(row["question"]),
            documents=tuple(map(str, row.get("documents", ()))),
            cells=tuple(
                GoldCell(
                    parameter=str(cell["parameter"]),
                    document=str(cell["document"]),
                    value=None if cell.get("value") is None else str(cell["value"]),
                    unit=str(cell.get("unit") or ""),
                )
                for cell in row["cells"]
            ),
            best=str(row.get("best") or ""),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise BankError(f"{where}: no comparison ({error} is missing or wrong).") from error


def evaluate_comparisons(
    bank: Sequence[GoldComparison],
    library: ComparingLibrary,
    on_question: Callable[[int, int], None] | None = None,
) -> ComparisonReport:
    """Ask each question of a bank and judge its table."""
    judged: list[JudgedCell] = []
    best, words, seconds = [], [], []
    n_wrong = n_cells = 0
    for number, gold in enumerate(bank, start=1):
        answer = library.ask(Question(gold.question))
        tables = [t for t in answer.tables if t.use is TableUse.COMPARISON]
        judged += [
            judge(gold.id, cell, tables, library.file_of, units_of(cell.parameter, gold.cells))
            for cell in gold.cells
        ]
        for table in tables:
            wrong, cited = _misplaced(table, answer)
            n_wrong += wrong
            n_cells += cited
        if gold.best:
            best.append((gold.id, _first_cited(answer, library) == gold.best))
        words.append(len(as_text(answer.blocks, with_markers=False).split()))
        seconds.append(answer.seconds)
        if on_question is not None:
            on_question(number, len(bank))
    return ComparisonReport(
        tuple(judged), n_wrong, n_cells, tuple(best), tuple(words), tuple(seconds)
    )


def _misplaced(table: AnswerTable, answer: Answer) -> tuple[int, int]:
    """Count cells that cite another document than their column's, and all that cite."""
    document_of = {e.marker: e.segment.document_id for e in answer.evidence}
    cited = [
        (document_id, cell)
        for row in table.rows
        for document_id, cell in zip(table.document_ids, row, strict=True)
        if cell.marker
    ]
    wrong = sum(document_of.get(cell.marker) != document_id for document_id, cell in cited)
    return wrong, len(cited)


def _first_cited(answer: Answer, library: ComparingLibrary) -> str:
    first = next(iter(markers_in(answer.blocks)), 0)
    document_of = {c.marker: c.document_id for c in answer.citations}
    document_id = document_of.get(first)
    return library.file_of(document_id).rsplit("/", 1)[-1] if document_id else ""


# Reporting


def comparison_json(report: ComparisonReport) -> dict[str, Any]:
    """What `evaluate` prints for comparisons."""
    values = [j for j in report.judged if j.gold.value is not None]
    gaps = [j for j in report.judged if j.gold.value is None]
    return {
        "n": len({j.question_id for j in report.judged}),
        "cells": len(report.judged),
        "cells_right": _share(report.judged),
        "values_right": _share(values),
        "gaps": len(gaps),
        "gaps_right": _share(gaps),
        "cells_cited": report.n_cells,
        "cells_from_wrong_document": report.n_wrong_document,
        "best": dict(report.best),
        "answer_words": {"max": max(report.n_words, default=0)},
        "seconds": {"max": round(max(report.seconds, default=0.0), 3)},
        "by_question": {
            question_id: _share([j for j in report.judged if j.question_id == question_id])
            for question_id in dict.fromkeys(j.question_id for j in report.judged)
        },
        "misses": [
            {
                "id": j.question_id,
                "parameter": j.gold.parameter,
                "document": j.gold.document,
                "gold": None if j.gold.value is None else f"{j.gold.value} {j.gold.unit}".strip(),
                "shown": list(j.shown[:6]),
            }
            for j in report.judged
            if not j.is_right
        ],
    }


def _share(judged: Sequence[JudgedCell]) -> float | None:
    return round(sum(j.is_right for j in judged) / len(judged), 4) if judged else None


def format_comparisons(report: ComparisonReport) -> str:
    """Return the report as people read it."""
    found = comparison_json(report)
    lines = [
        f"{found['n']} comparisons, {found['cells']} gold cells: {found['cells_right']} right"
        f" (values {found['values_right']}, gaps {found['gaps_right']} of {found['gaps']})",
        f"{found['cells_cited']} cells cite a place,"
        f" {found['cells_from_wrong_document']} of the wrong document",
        *(f"{question}: {share}" for question, share in found["by_question"].items()),
        *(f"best of {question}: {'right' if ok else 'wrong'}" for question, ok in report.best),
    ]
    for miss in found["misses"]:
        lines.append(
            f"  missed {miss['id']} {miss['document']}: {miss['parameter']} = {miss['gold']};"
            f" shown {miss['shown']}"
        )
    return "\n".join(lines)
