"""The exact answer: the row or sentence of the evidence that answers best, with its equals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.absent import without_datasheet_text
from desktop_qa.answer.candidates import candidates, located
from desktop_qa.answer.compare import comparison_of
from desktop_qa.answer.contradictions import reconciled
from desktop_qa.answer.financial_statements import item_statements
from desktop_qa.answer.part_mentions import Mention
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.row_tables import row_tables
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.which_document import capitalized, document_name, which_document
from desktop_qa.augment.periods import without_periods
from desktop_qa.augment.quantities import find_values, n_held
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.phrases import asked_for_several

MAX_ROWS = 5
"""Rows that state the same parameter under different conditions."""

MAX_SUBJECTS = 3
MARGIN = 2.0
"""Log odds (see `answer.ranking`) by which a statement about something else may be behind the best
one and still be given beside it."""

DRAWN = "It is drawn in a figure, whose values are not read."
"""Stands before a caption that answers what no text does."""

_MARGIN_OF_EQUALS = 4.0
_MAX_WORDS = 110


def exact(task: AnswerTask) -> Reply | None:
    """Answer with what the evidence states; `None` when it states nothing of the question."""
    known = item_statements(task)
    rows = set(map(_row_of, known))
    found = [one for one in candidates(task, task.usable) if _row_of(one) not in rows]
    return chosen_reply(task, ranked(task, [*known, *found]))


def _row_of(statement: Statement) -> tuple[SegmentId, int] | None:
    """Return the row of a table that a statement is of."""
    return (statement.evidence.segment.id, statement.row) if statement.cells else None


def chosen_reply(task: AnswerTask, order: Sequence[Statement]) -> Reply | None:
    """Make a reply of ranked statements: of each document named, else of that of the best.

    What is about something else than the best statement, and nearly as good, is set apart.
    """
    if not order:
        return None
    if len(task.query.document_ids) > 1:
        found = [_of_document(task, order, one, 1) for one in task.query.document_ids]
        main, also = [s for groups in found for group in groups for s in group], []
    else:
        first, *others = _of_document(
            task, order, order[0].evidence.segment.document_id, MAX_SUBJECTS
        ) or [[]]
        main = list(first)
        # Sentences that stand together answer together.
        prose = [g for g in others if not (g[0].cells or main[0].cells)]
        place = main[0].evidence.segment.id
        together = [g for g in prose if g[0].evidence.segment.id == place]
        main += [s for group in together for s in group]
        also = [s for group in others if group not in together for s in group]
    if not main:
        return None
    elsewhere = _of_other_documents(task, order)
    statements, disagreement = reconciled(main, task.source)
    is_drawn = main[0].evidence.segment.kind is SegmentKind.FIGURE
    drawn = DRAWN if is_drawn and task.query.type is not QuestionType.FIGURE else ""
    leads = (without_datasheet_text(task.query, task.evidence), disagreement, drawn)
    return Reply(
        lead=" ".join(filter(None, leads)),
        statements=statements,
        also=(*also, *elsewhere),
        tables=comparison_of(task, order, main) or row_tables(main, task.source),
        readings=task.query.readings
        or which_document(task, [one.evidence for one in (main[0], *elsewhere)]),
        ranked=tuple(order),
    )


def _of_other_documents(task: AnswerTask, order: Sequence[Statement]) -> list[Statement]:
    """Return what other documents say that is nearly as good, one each, where none is named."""
    if task.query.named_documents:
        return []
    best: dict[DocumentId, Statement] = {}
    for one in order:
        if one.score >= order[0].score - MARGIN:
            best.setdefault(one.evidence.segment.document_id, one)
    found = []
    for document_id, one in list(best.items())[1:MAX_SUBJECTS]:
        if (placed := located(one, task)) is not None:
            name = capitalized(document_name(document_id, task.source))
            found.append(replace(placed, text=f"{name}: {placed.text}"))
    return found


def exact_unless(task: AnswerTask, whole: Statement) -> Sequence[Statement] | None:
    """Return what would be stated if a procedure were not given whole.

    Returns:
        `None` when something that stands elsewhere is likelier to answer by `MARGIN`.
    """
    exactly = exact(task)
    stated = (*exactly.statements, *exactly.also) if exactly is not None else ()
    own = {line.evidence.segment.id for line in whole.rests_on}
    others = (one for one in stated if one.evidence.segment.id not in own)
    odds = [one.odds for one in others if one.odds is not None]
    is_behind = whole.odds is not None and max(odds, default=whole.odds) > whole.odds + MARGIN
    return None if is_behind else stated


def close_to_the_question(
    main: Sequence[Statement], stated: Sequence[Statement]
) -> list[Statement]:
    """Return what else would be stated, as far as a short answer has room for it."""
    said = " ".join(statement.text for statement in main)
    n_words = len(said.split())
    found: list[Statement] = []
    for statement in stated:
        if n_words >= _MAX_WORDS or len(found) == MAX_SUBJECTS:
            break
        if statement.text not in said:
            found.append(statement)
            n_words += len(statement.text.split())
    return found


def _of_document(
    task: AnswerTask, order: Sequence[Statement], document_id: DocumentId, max_subjects: int
) -> list[list[Statement]]:
    """Return the best statement with the rows equal to it, then the groups nearly as good."""
    own = [s for s in order if s.evidence.segment.document_id == document_id]
    groups: list[list[Statement]] = []
    n_words = 0
    for statement in own:
        if groups and statement.score < groups[0][0].score - MARGIN:
            break
        if len(groups) >= max_subjects or n_words >= _MAX_WORDS:
            break
        if any(_says_the_same(statement, other) for group in groups for other in group):
            continue
        equals = _with_equals(task, statement, own, is_first=not groups)
        placed = [located(equal, task) for equal in equals]
        if group := [one for one in placed if one is not None]:
            groups.append(group)
            n_words += sum(len(one.text.split()) for one in group)
    return groups


def _with_equals(
    task: AnswerTask, statement: Statement, own: Sequence[Statement], *, is_first: bool
) -> list[Statement]:
    """A row with those of its table that state the same parameter under other conditions.

    When the question names values, only the rows count in which as many of them stand; when it
    asks for a bound, those that give it, else all in the order of the table. Of a column that it
    asks for as a whole ("Which packages ...?") every row counts, where the best answer is one.
    """
    if not statement.cells or not statement.subject:
        return [statement]
    is_listed = is_first and _is_one_of(statement, task.query.text)
    n_asked = n_held(task.query.values, statement.values)
    equals = [
        other
        for other in own
        if (is_listed or other.subject == statement.subject)
        and other.evidence.segment.place == statement.evidence.segment.place
        and (other.mention is statement.mention or (is_listed and _is_kin(other)))
        and other.n_given == statement.n_given
        and n_held(task.query.values, other.values) == n_asked
        and (is_listed or other.score >= statement.score - _MARGIN_OF_EQUALS)
    ]
    distinct: dict[str, Statement] = {}
    for row in (statement, *equals):
        distinct.setdefault(row.text, row)
    rows = list(distinct.values())[: None if is_listed else MAX_ROWS]
    if not limits_in(task.query.text):
        return sorted(rows, key=lambda s: s.cells[0])
    return [s for s in rows if s.gives_bound] or rows


def _is_one_of(statement: Statement, question: str) -> bool:
    """Tell whether a row gives one of what is asked for as several: a thing, not an amount."""
    several = asked_for_several(without_periods(question))
    return any(
        one.bound is None and not several.isdisjoint(terms_of(one.head)) and _is_thing(one.text)
        for one in statement.stated
    )


def _is_thing(value: str) -> bool:
    """Tell whether a value begins with a name: "TSSOP24" and "16-pin DIP", but not "24 mA"."""
    first = value.partition(" ")[0]
    return any(map(str.isalpha, first)) and not find_values(first)


def _is_kin(statement: Statement) -> bool:
    """Tell whether a row may be of the part that is asked for."""
    return statement.mention not in (Mention.SIBLING, Mention.UNDER_VARIANT)


def _says_the_same(statement: Statement, other: Statement) -> bool:
    said, new = other.text.casefold(), statement.text.casefold()
    if said == new or (not statement.cells and (new in said or said in new)):
        return True
    place, others = statement.evidence.segment.place, other.evidence.segment.place
    return bool(statement.cells) and statement.subject == other.subject and place == others
