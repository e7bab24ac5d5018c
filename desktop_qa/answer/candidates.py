"""Everything in the evidence that may be stated: rows of tables, sentences, captions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.cells import row_question, row_statements
from desktop_qa.answer.part_mentions import part_mentions
from desktop_qa.answer.prose import figure_statement, located_runs, sentence_pieces
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import SegmentKind

MAX_SOURCES = 12
"""Segments whose statements are compared; behind them nothing was found that answers."""


def candidates(task: AnswerTask, evidence: Sequence[Evidence]) -> list[Statement]:
    """Return what the segments state, in their order.

    Sentences are not located on their page yet; see `located`.
    """
    found: list[Statement] = []
    for item in evidence[:MAX_SOURCES]:
        if item.segment.kind is SegmentKind.TABLE:
            found += _rows(task, item)
        elif item.segment.kind is SegmentKind.FIGURE:
            found += [s for s in [figure_statement(task.terms, item, task.source)] if s]
        else:
            found += sentence_pieces(task.terms, item)
    return found


def _rows(task: AnswerTask, item: Evidence) -> Iterator[Statement]:
    family = task.source.document(item.segment.document_id).part_numbers
    parts = part_mentions(task.query.keywords, family)
    asked = row_question(task.query.text, task.terms, parts)
    yield from row_statements(asked, item, task.source)


def located(statement: Statement, task: AnswerTask) -> Statement | None:
    """Find the words of a sentence on its page; `None` when they do not stand there."""
    if statement.runs or statement.rests_on:
        return statement
    runs = located_runs(statement.text, task.source.words(statement.evidence.segment))
    return replace(statement, runs=runs) if runs else None
