"""Tables of figures: Markdown for people, CSV for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop_qa.core.errors import ExportError
from desktop_qa.core.whole_files import write_whole
from desktop_qa.evaluate.metrics import rounded
from desktop_qa.evaluate.results import MEASURES, QuestionResult, Report

Cell = str | int | float | None


def show(value: float | None) -> str:
    """Return a figure with three decimals; a dash for one that is not there."""
    return "-" if value is None else f"{value:.3f}"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table that reads well as it stands: all columns but the first to the right.

    Args:
        head: Names of the columns.
        rows: Cells, as many as there are columns.
    """
    texts = [head, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    first, *others = (max(2, *map(len, column)) for column in zip(*texts, strict=True))
    lines = [[row[0].ljust(first), *map(str.rjust, row[1:], others)] for row in texts]
    lines.insert(1, ["-" * first, *("-" * (width - 1) + ":" for width in others)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def paragraphs(*parts: str) -> str:
    """Return a report of these parts, each apart from the next."""
    return "\n\n".join(parts) + "\n"


QUESTION_COLUMNS = (
    *("id", "type", "question", "ranks", "n_segments", "unlocated"),
    *MEASURES,
    *("log_rank_0.1", "log_rank_0.01", "refused", "answer_words", "context_tokens", "seconds"),
)
"""Of `question_rows`."""


def question_rows(report: Report) -> list[list[Cell]]:
    """Return one row for each question, in the columns of `QUESTION_COLUMNS`.

    `ranks` has the best rank of each evidence item, with ";" between them and "-" for an item
    that was not ranked. Questions that were left out for a missing file are not among them.
    """
    return [_question_row(result, report.n_segments) for result in report.results]


def _question_row(result: QuestionResult, n_segments: int) -> list[Cell]:
    question, ranking, answer = result.question, result.ranking, result.answer
    row: list[Cell] = [question.id, question.type, question.question]
    if ranking is None:
        row += [None, n_segments, None]
    else:
        shown = ";".join("-" if rank is None else str(rank) for rank in ranking.ranks)
        row += [shown, n_segments, ranking.n_unlocated]
    row += [rounded(measure(result), 6) for measure in MEASURES.values()]
    for gamma in (0.1, 0.01):
        row.append(None if ranking is None else rounded(ranking.log_rank_index(gamma), 6))
    if answer is None:
        return [*row, None, None, None, None]
    seconds = rounded(answer.seconds, 6)
    return [*row, int(answer.refused), answer.n_words, answer.context_tokens, seconds]


def write_csv(path: Path, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table for other programs; a figure that is not there is an empty field.

    Raises:
        ExportError: When the file cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows(rows)
    write_text(path, text.getvalue())


def write_text(path: Path, text: str) -> None:
    """Write a report for people, or a table.

    Raises:
        ExportError: When the file cannot be written.
    """
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise ExportError(
            f"{path} cannot be written ({error.strerror or error}).",
            "Choose another place, or change the permissions.",
        ) from error
