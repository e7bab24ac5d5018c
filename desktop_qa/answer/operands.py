"""An operand is a question of its own: what it names is asked of the ranked statements.

It is searched for, and its statements are ordered, as those of a whole question are; its value is
read from the cell or sentence of the statement, with its unit, scale, sign, bound and period.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from desktop_qa.answer.amounts import without_footnote
from desktop_qa.answer.candidates import MAX_SOURCES, candidates, located
from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.labels import contradict, stems
from desktop_qa.answer.laws import relation_words
from desktop_qa.answer.measures import COUNTED, Measure, dimension, measures_in
from desktop_qa.answer.parameters import USUAL
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import StatedCell, Statement
from desktop_qa.answer.table_rows import TableRow, table_rows
from desktop_qa.augment.periods import is_year, length_of, of_length, without_periods
from desktop_qa.augment.quantities import find_values, plain_quantities, values_in_question
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import BOUNDS, ColumnRole, DocumentId, TableCell
from desktop_qa.core.segment import Segment
from desktop_qa.index.lexical import terms_of
from desktop_qa.parse.amounts import is_share, sign_of, value_of
from desktop_qa.retrieve.answer_kind import BOUND_NAMES, limits_in

_NUMBER = re.compile(r"[~≈<>≤≥±]?\s?([-+−–]?\s?\d[\d.,]*)")
IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_MAX_READ = 24
"""Statements, the best, that are read."""

NAMED = 0.99
"""Of `Reading.named`: the question says all words of the name."""

_OF_ALL_NAMED, _OF_CONDITION, _OF_OPPOSITE = 3.0, 2.0, -2.0
"""In log odds (see `ranking`): for a row whose whole name is said, one that holds where the
question says, and one that is called the opposite ("LS FET", where it says "high-side")."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that may be an operand.

    Attributes:
        name: What it is, as the document or the question names it.
        odds: What orders readings: of its statement, and of itself.
        bound: Which of the bounds it is; `None` for a value without bounds.
        is_as_asked: False when the bound or period asked for is not given and another stands in.
        statement: What it is cited from; `None` for a value of the question.
        named: Share of its own name's words that the question says, 0 to 1.
        called: The names of its row: by itself, and with its group, its head, its table's title.
    """

    measure: Measure
    name: str
    bound: ColumnRole | None = None
    is_as_asked: bool = True
    condition: str = ""
    statement: Statement | None = None
    named: float = 0.0
    odds: float = 0.0
    called: tuple[str, ...] = ()

    @property
    def segment(self) -> Segment:
        """Where a value of a document stands."""
        assert self.statement is not None
        return self.statement.evidence.segment

    @property
    def described(self) -> str:
        """Name with its bound: "maximum dropout voltage"."""
        bound = BOUND_NAMES.get(self.bound, "")
        return self.name if bound[:3] in self.name.casefold() else f"{bound} {self.name}"


def given_value(measure: Measure, name: str = "value of the question") -> Reading:
    """Return a value that the question gives."""
    return Reading(measure, name, named=1.0)


def weights_of(task: AnswerTask) -> QuestionTerms:
    """Return the words that operands are looked up by, with their weights."""
    done = set(terms_of(" ".join(relation_words().findall(task.query.text))))
    weights = task.terms.weights
    kept = {t: w for t, w in weights.items() if t not in done and t[:1].isalpha()}
    return QuestionTerms(kept or weights)


def look_up(
    task: AnswerTask,
    text: str,
    terms: QuestionTerms,
    kind: str = "",
    given: Sequence[Measure] = (),
    document_ids: tuple[DocumentId, ...] = (),
) -> list[Reading]:
    """Find the values of the documents that may be an operand, best first.

    Args:
        task: The question that it is an operand of.
        text: What is looked up, as a question or a phrase; the bounds that it names are wanted.
        terms: Its words with their weights.
        kind: Dimension it must have, "" for any.
        given: Values of the question, which are conditions unless they are operands themselves.
        document_ids: Documents it may stand in; empty for any.
    """
    query = replace(
        task.query, text=text, reformulated="", parts=(), readings=(), options=(),
        type=QuestionType.TABLE, topic=QuestionType.TABLE, structure_refs=(),
        values=values_in_question(text), document_ids=document_ids or task.query.document_ids,
    )  # fmt: skip
    allowed = set(document_ids or query.made_by)
    # What was found for the whole question is asked, too, and by what was found for the operand.
    found = {e.segment.id: e for e in (*task.usable[: MAX_SOURCES // 3], *task.search(query))}
    usable = [e for e in found.values() if not allowed or e.segment.document_id in allowed]
    asked = replace(task, query=query, terms=terms, usable=tuple(usable[:MAX_SOURCES]))
    order = ranked(asked, candidates(asked, asked.usable))
    readings = [
        _weighed(reading, text, given)
        for statement in order[:_MAX_READ]
        for reading in (
            cell_readings(asked, statement, text)
            if statement.cells
            else _sentence_readings(asked, statement)
        )
        if not kind or dimension(reading.measure.unit) == kind
    ]
    return sorted(readings, key=lambda r: -r.odds)


def _weighed(reading: Reading, text: str, given: Sequence[Measure]) -> Reading:
    odds = _OF_CONDITION * sum(condition_fit(reading.condition, one) for one in given)
    odds += _OF_OPPOSITE * contradict(frozenset(stems(reading.name)), frozenset(stems(text)))
    odds += _OF_ALL_NAMED * (reading.named >= NAMED and len(set(terms_of(reading.name))) > 1)
    return replace(reading, odds=reading.odds + odds)


def cell_readings(task: AnswerTask, statement: Statement, text: str) -> Iterator[Reading]:
    """Read the values of a row, under the bounds and periods that a text names."""
    table = task.source.table(statement.evidence.segment)
    if table is None:
        return
    columns = read_columns(table)
    (row,) = table_rows(table, columns, statement.row, statement.row + 1)
    printed = IN_BRACKETS.sub("", without_footnote(row.name or row.subject))
    name = printed[:1].lower() + printed[1:] if "a" <= printed[1:2] <= "z" else printed
    place = statement.evidence.segment.metadata.section_path[-1:]
    title = table.caption or next(iter(place), "")
    above = [cell.text for cell in table.headings()[statement.row] or ()][-1:]
    for column, is_as_asked in _value_columns(row, statement, text):
        measure, cell = cell_measure(row, column), row.cells[column]
        if measure is None or cell is None:
            continue
        role = columns.roles[column]
        head = "" if columns.has_bounds else cell.period or columns.headers[column]
        yield Reading(
            measure=measure,
            name=f"{name} ({head})" if name and head else name or head or statement.subject,
            odds=statement.score,
            bound=role if role in BOUNDS else None,
            is_as_asked=is_as_asked,
            condition=statement.about,
            statement=_quoting(task, statement, row, cell, StatedCell(head, str(measure))),
            named=_share_said(name, text),
            called=(
                name,
                *(f"{one} {printed}" for one in (*above, *_titles(columns.headers[column], title))),
            ),
        )


def _titles(*heads: str) -> list[str]:
    """Return the heads that say more than a period."""
    bare = map(without_periods, heads)
    return [one for one in bare if any(term.isalpha() for term in terms_of(one))]


def _share_said(name: str, question: str) -> float:
    """Return the share of a name's words that a question says."""
    own = {term for term in terms_of(name) if term[:1].isalpha() and len(term) > 1}
    return len(own & set(terms_of(question))) / len(own) if own else 0.0


def _value_columns(row: TableRow, statement: Statement, text: str) -> list[tuple[int, bool]]:
    """Return the columns to read, of those stated, each with whether it is what was asked for."""
    columns = row.columns
    labels = columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL, ColumnRole.UNIT)
    stated = [c for _row, c in statement.cells if c not in labels and cell_measure(row, c)]
    if columns.has_bounds:
        wanted = limits_in(text)
        asked = [c for role in wanted for c in stated if columns.roles[c] is role]
        if asked or not stated:
            return [(column, True) for column in asked]
        first = min(stated, key=lambda c: (*USUAL, columns.roles[c]).index(columns.roles[c]))
        return [(first, not wanted or columns.roles[first] is ColumnRole.VALUE)]
    cells = {c: cell for c in stated if (cell := row.cells[c]) is not None}
    amounts = [c for c, cell in cells.items() if not is_share(cell.text)] or stated
    years = set(filter(is_year, find_values(text)))
    heads = {c: f"{cells[c].period} {columns.headers[c]}" for c in amounts}
    held = [c for c in amounts if not years or years & set(find_values(heads[c]))]
    around = f"{row.group} {statement.evidence.segment.metadata.caption}"
    are_so = of_length([heads[c] if length_of(heads[c]) else around for c in held], text)
    return [(c, True) for c in compress(held, are_so)] or [(c, False) for c in amounts]


def cell_measure(row: TableRow, column: int) -> Measure | None:
    """Read the number of a cell; its unit stands in it, in its row or in its header."""
    cell = row.cells[column]
    if cell is None:
        return None
    text = without_footnote(cell.text)
    text = text if re.search(r"\d", text) else cell.text  # "$ (12)" is an amount
    unit = row.unit or head_unit(row.columns.headers[column])
    number = _NUMBER.fullmatch(text)
    placed = measures_in(f"{number[1]} {unit}" if number is not None else text)
    amount = value_of(text)
    if len(placed) == 1:
        measure = placed[0].measure
        is_negative = is_share(text) and sign_of(text) < 0 < measure.amount
        return Measure(-measure.amount, measure.unit, f"-{measure}") if is_negative else measure
    if placed or amount is None:
        return None
    digits = re.sub(r"[^\d.,]", "", text).strip(".,")
    scale = COUNTED.get(cell.scale, "")
    return Measure(amount, scale, f"{'-' * (sign_of(text) < 0)}{digits} {scale}".strip())


def _quoting(
    task: AnswerTask, statement: Statement, row: TableRow, cell: TableCell, value: StatedCell
) -> Statement:
    """Return a statement of a row without bounds that quotes its label and one cell only."""
    labels = row.columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL)
    kept = [i for i, (_row, column) in enumerate(statement.cells) if column in labels]
    run = tuple(cell_words(cell, task.source.words(statement.evidence.segment)))
    if row.columns.has_bounds or not run:
        return statement
    at = statement.text.find(row.subject)
    named = statement.text[: at + len(row.subject)] if at >= 0 else row.subject
    return replace(
        statement,
        text=": ".join(filter(None, (named, f"{value.head} **{value.text}**.".strip()))),
        stated=(value,),
        runs=(*(statement.runs[i] for i in kept), run),
        cells=(*(statement.cells[i] for i in kept), (cell.row, cell.column)),
    )


def _sentence_readings(task: AnswerTask, statement: Statement) -> Iterator[Reading]:
    """Read the values of a sentence; the one behind the bound asked for counts most."""
    placed = measures_in(statement.text)
    quoted = located(statement, task) if placed else None
    if quoted is None:
        return
    plain = plain_quantities(statement.text)
    wanted = limits_in(task.query.text)
    for at in placed:
        bounds = limits_in(plain[max(0, at.start - 30) : at.end + 18])
        yield Reading(
            measure=at.measure,
            name=" ".join(re.findall(r"[A-Za-z][\w-]*", plain[: at.start])[-4:]) or "the value",
            odds=statement.score,
            bound=bounds[0] if bounds else None,
            is_as_asked=not wanted or not bounds or bool(set(bounds) & set(wanted)),
            condition=plain,
            statement=quoted,
        )
