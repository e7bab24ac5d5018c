"""Everything in the evidence that may be stated: rows of tables, sentences, captions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.cells import RowQuestion, row_statements
from desktop_qa.answer.part_mentions import part_mentions
from desktop_qa.answer.passages import first_of_tables
from desktop_qa.answer.prose import figure_statement, located_runs, sentence_pieces
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.row_tables import parts_of
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.segment import SegmentKind

MAX_SOURCES = 15
"""Segments whose statements are compared; behind them nothing was found that answers."""

_MAX_FIGURES = 120


def candidates(task: AnswerTask, evidence: Sequence[Evidence]) -> list[Statement]:
    """Return what the segments state, in their order.

    Sentences are not located on their page yet; see `located`. Those of contents pages and legal
    text are found by search and state nothing.
    """
    found: list[Statement] = []
    sources = evidence[:MAX_SOURCES]
    for item in (*sources, *_other_rows(task, sources), *_other_figures(task, evidence)):
        family = task.source.document(item.segment.document_id).part_numbers
        parts = part_mentions(task.query.keywords, family)
        said: Iterable[Statement | None] = ()
        if item.segment.kind is SegmentKind.TABLE:
            asked = RowQuestion(task.query.text, task.terms, parts)
            found += row_statements(asked, item, task.source)
        elif item.segment.kind is SegmentKind.FIGURE:
            said = [figure_statement(task.terms, item, task.source)]
        elif not item.segment.boilerplate:
            said = sentence_pieces(task.terms, item)
        found += [replace(one, mention=parts.of(one.text)) for one in said if one is not None]
    return found


def _other_rows(task: AnswerTask, sources: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield the segments that hold the other rows of the tables among some sources.

    Which of its row groups names most of a question says little of which row answers it.
    """
    known = {item.segment.id for item in sources}
    for item in first_of_tables(sources):
        parts = (part.segment for part in parts_of(item, task.source))
        yield from (replace(item, segment=part) for part in parts if part.id not in known)


def _other_figures(task: AnswerTask, evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """When a figure of a named document is asked for, yield all the others of it too.

    A caption is a few words, which the question may say in others; there are few to compare.
    """
    if task.query.type != QuestionType.FIGURE:
        return
    known = {item.segment.id for item in evidence[:MAX_SOURCES]}
    for document_id in task.query.document_ids:
        segments = task.source.segments_of(document_id)
        figures = [s for s in segments if s.kind is SegmentKind.FIGURE and s.id not in known]
        yield from (Evidence(len(evidence) + 1, s, 0.0, ()) for s in figures[:_MAX_FIGURES])


def located(statement: Statement, task: AnswerTask) -> Statement | None:
    """Find the words of a sentence on its page; `None` when they do not stand there."""
    if statement.runs or statement.rests_on:
        return statement
    runs = located_runs(statement.text, task.source.words(statement.evidence.segment))
    return replace(statement, runs=runs) if runs else None
