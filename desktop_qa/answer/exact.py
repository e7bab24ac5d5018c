"""The exact answer: the row or sentence of the evidence that answers best, with its equals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_qa.answer.absent import without_datasheet_text
from desktop_qa.answer.candidates import candidates, located
from desktop_qa.answer.cells import wanted_bounds
from desktop_qa.answer.contradictions import reconciled
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.row_tables import row_tables
from desktop_qa.answer.statement import Statement
from desktop_qa.core.document import DocumentId

MAX_ROWS = 5
"""Rows that state the same parameter under different conditions."""

MAX_SUBJECTS = 3
MARGIN = 2.0
"""Log odds (see `answer.ranking`) by which a statement about something else may be behind the best
one and still be given beside it."""

_MARGIN_OF_EQUALS = 4.0
_MAX_WORDS = 110


def exact(task: AnswerTask) -> Reply | None:
    """Answer with what the evidence states; `None` when it states nothing of the question."""
    order = ranked(task, candidates(task, task.usable))
    chosen = list(choose(task, order))
    if not chosen:
        return None
    said = reconciled(chosen, task.source)
    lead = " ".join(filter(None, (without_datasheet_text(task.query, task.evidence), said.lead)))
    return Reply(
        lead=lead,
        statements=said.statements,
        tables=row_tables(chosen, task.source),
        readings=task.query.readings,
    )


def choose(task: AnswerTask, order: Sequence[Statement]) -> Iterator[Statement]:
    """Choose from ranked statements: of each document named, else of the document of the best."""
    if len(task.query.document_ids) > 1:
        for document_id in task.query.document_ids:
            yield from _of_document(task, order, document_id, max_subjects=1)
    elif order:
        best = order[0].evidence.segment.document_id
        yield from _of_document(task, order, best, max_subjects=MAX_SUBJECTS)


def _of_document(
    task: AnswerTask, order: Sequence[Statement], document_id: DocumentId, max_subjects: int
) -> Iterator[Statement]:
    """Yield the best statement, the rows equal to it, and what is nearly as good."""
    own = [s for s in order if s.evidence.segment.document_id == document_id]
    said: list[Statement] = []
    n_subjects = 0
    n_words = 0
    for statement in own:
        if said and statement.score < said[0].score - MARGIN:
            break
        if n_subjects >= max_subjects or n_words >= _MAX_WORDS:
            break
        if any(_says_the_same(statement, other) for other in said):
            continue
        for equal in _with_equals(task, statement, own):
            placed = located(equal, task)
            if placed is not None:
                said.append(placed)
                n_words += len(placed.text.split())
                yield placed
        n_subjects += 1


def _with_equals(
    task: AnswerTask, statement: Statement, own: Sequence[Statement]
) -> list[Statement]:
    """A row with those of its table that state the same parameter under other conditions.

    When the question names values, only the rows count in which as many of them stand.
    """
    if not statement.cells or not statement.subject:
        return [statement]
    asked = frozenset(value.lstrip("=") for value in task.query.values)
    n_held = len(asked & statement.values)
    equals = [
        other
        for other in own
        if other is not statement
        and other.subject == statement.subject
        and _table_of(other) == _table_of(statement)
        and other.mention is statement.mention
        and len(asked & other.values) == n_held
        and other.score >= statement.score - _MARGIN_OF_EQUALS
    ]
    return _worst_first(task, [statement, *equals[: MAX_ROWS - 1]])


def _worst_first(task: AnswerTask, rows: list[Statement]) -> list[Statement]:
    """Put rows that give the bound asked for first; else keep the order of the table."""
    if not wanted_bounds(task.query.text):
        return sorted(rows, key=lambda s: s.cells[0])
    return [s for s in rows if not s.lacks_bound] or rows


def _table_of(statement: Statement) -> tuple[DocumentId, int]:
    segment = statement.evidence.segment
    return segment.document_id, segment.element.index if segment.element is not None else -1


def _says_the_same(statement: Statement, other: Statement) -> bool:
    if statement.text.casefold() == other.text.casefold():
        return True
    return bool(statement.cells) and (
        statement.subject == other.subject and _table_of(statement) == _table_of(other)
    )
