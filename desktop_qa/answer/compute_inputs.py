"""The numbers a calculation is made of: values of the question and of the documents.

What a document states is read with the same machinery as an exact answer, so an input is a cell or
a sentence that can be cited. The bound asked for (a maximum, a typical value) is the one read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.candidates import located
from desktop_qa.answer.cells import cell_words, table_statements
from desktop_qa.answer.columns import TableColumns, read_columns
from desktop_qa.answer.compute_names import has_initials, row_name
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.measures import (
    Measure,
    dimension,
    measures_in,
)
from desktop_qa.answer.part_mentions import Mention, part_mentions
from desktop_qa.answer.prose import sentence_pieces
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import BOUNDS, ColumnRole, DocumentId, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

BOUND_NAMES = {ColumnRole.MIN: "minimum", ColumnRole.TYP: "typical", ColumnRole.MAX: "maximum"}
_DEFAULT_BOUNDS = (ColumnRole.TYP, ColumnRole.VALUE, ColumnRole.MAX, ColumnRole.MIN)
_FOOTNOTE = re.compile(r"(?:\s*[(\[]\d{1,2}[)\]])+")
_OPERATION_WORDS = frozenset(
    terms_of(
        "total sum together combined altogether overall plus minus add added factor ratio times "
        "difference percent percentage share fraction calculate compute power lost loss lose using "
        "use run runs running right full plan must both need convert result results per budget "
        "going go get have assume assuming given one two three four five six seven eight nine ten "
        "hang connect feed feeds nothing but cell coin battery last"
    )
)
"""Words of a question that say what is done with the values; rows that hold them gain nothing."""

_MAX_SCANNED = 6
_ALL_NAMED = 0.99
_OF_NAME = 0.2
"""For a row all words of whose name the question says."""

_RARE = 4.6
"""Inverse document frequency that no word exceeds: a word that stands nowhere tells nothing."""

_GOOD = 0.75
"""Score of a reading from which nothing better is looked for."""

_OF_INITIALS = 0.2
_OF_PART = 0.1
_OF_SIBLING = -0.3
"""For a row or table of the part asked for, and against one of its siblings."""

_OF_PROSE = 0.85
_MIN_SCORE = 0.3


@dataclass(frozen=True, slots=True)
class Request:
    """What is looked up for one input.

    Attributes:
        text: The question, or the part of it that speaks of this input.
        terms: Its words with their weights.
        kind: Dimension it must have, "" for any.
        given: Values of the question, which are conditions unless they are inputs themselves.
        document_ids: Documents it may stand in; empty for any.
        bounds: Wanted in order; those that `text` names by default.
        is_thorough: Look beyond the evidence even when a good reading stands in it.
    """

    text: str
    terms: QuestionTerms
    kind: str = ""
    given: tuple[Measure, ...] = ()
    document_ids: tuple[DocumentId, ...] = ()
    bounds: tuple[ColumnRole, ...] = ()
    is_thorough: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that may be an input.

    Attributes:
        name: What it is, as the document or the question names it.
        bound: Which of the bounds it is; `None` for a value without bounds.
        is_as_asked: False when the bound asked for is not given and another stands in.
        statement: What it is cited from; `None` for a value of the question.
        named: Share of its own name's words that the question says, 0 to 1.
    """

    measure: Measure
    name: str
    score: float
    bound: ColumnRole | None = None
    is_as_asked: bool = True
    condition: str = ""
    statement: Statement | None = None
    named: float = 0.0

    @property
    def described(self) -> str:
        """Name with its bound: "maximum dropout voltage"."""
        bound = BOUND_NAMES.get(self.bound, "") if self.bound is not None else ""
        has_it = bound and bound[:3] in self.name.casefold()
        return f"{bound} {self.name}" if bound and not has_it else self.name


def weights_of(task: AnswerTask) -> dict[str, float]:
    """Return the words that inputs are looked up by, with their weights."""
    weights = task.terms.weights
    kept = {
        t: min(w, _RARE)
        for t, w in weights.items()
        if t not in _OPERATION_WORDS and t[:1].isalpha()
    }
    return kept or dict(weights)


def look_up(task: AnswerTask, request: Request, least: float = _MIN_SCORE) -> list[Reading]:
    """Find the values of the documents that fit a request, best first.

    The evidence is read first; a document that is named, or that the best evidence is from, is then
    searched for tables that speak of the request.
    """
    allowed = set(request.document_ids)
    evidence = [e for e in task.usable if not allowed or e.segment.document_id in allowed]
    found = _read(task, request, evidence)
    is_of_family = len(allowed) == 1 and _names_one_of_many(task, request)
    if request.is_thorough or is_of_family or not found or found[0].score < _GOOD:
        found = _sorted([*found, *_read(task, request, _elsewhere(task, request, evidence))])
    return [reading for reading in found if reading.score >= least]


def _names_one_of_many(task: AnswerTask, request: Request) -> bool:
    """Tell whether the document covers several parts: another table may hold for the one asked."""
    return any(len(task.source.document(d).part_numbers) > 1 for d in request.document_ids)


def _read(task: AnswerTask, request: Request, evidence: Iterable[Evidence]) -> list[Reading]:
    readings: list[Reading] = []
    for item in evidence:
        for reading in _readings_of(task, request, item):
            if request.kind and dimension(reading.measure.unit) != request.kind:
                continue
            fit = sum(condition_fit(reading.condition, given) for given in request.given)
            score = reading.score + 0.15 * fit + (0.0 if reading.is_as_asked else -0.25)
            if reading.named >= _ALL_NAMED and len(set(terms_of(reading.name))) > 1:
                score += _OF_NAME
            readings.append(replace(reading, score=score))
    return _sorted(readings)


def _sorted(readings: Iterable[Reading]) -> list[Reading]:
    return sorted(readings, key=lambda r: -r.score)


def _elsewhere(task: AnswerTask, request: Request, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the tables of the documents in question that share most words with the request."""
    known = {item.segment.id for item in evidence}
    documents = request.document_ids or tuple(
        dict.fromkeys(item.segment.document_id for item in evidence[:1])
    )
    ranked = []
    for document_id in documents:
        for segment in task.source.segments_of(document_id):
            if segment.kind is SegmentKind.TABLE and segment.id not in known:
                coverage = request.terms.coverage(terms_of(segment.lexical_text))
                if coverage >= 0.4:
                    ranked.append((coverage, Evidence(0, segment, 0.0, ())))
    ranked.sort(key=lambda pair: -pair[0])
    return [item for _coverage, item in ranked[:_MAX_SCANNED]]


def _readings_of(task: AnswerTask, request: Request, item: Evidence) -> Iterator[Reading]:
    if item.segment.kind is SegmentKind.TABLE:
        yield from _cell_readings(task, request, item)
    elif item.segment.kind is SegmentKind.TEXT:
        for piece in sentence_pieces(request.terms, item):
            own = request.terms.coverage(piece.terms)
            statement = located(piece, task) if own > 0.0 else None
            if statement is not None:
                score = 0.7 * own + 0.3 * statement.coverage
                yield from _sentence_readings(request, replace(statement, score=score))


def _cell_readings(task: AnswerTask, request: Request, item: Evidence) -> Iterator[Reading]:
    table = task.source.table(item.segment)
    if table is None:
        return
    grid = table.grid()
    columns = read_columns(table)
    wanted = request.bounds or limits_in(request.text)
    family = task.source.document(item.segment.document_id).part_numbers
    parts = part_mentions(task.query.keywords, family)
    captioned = parts.of(f"{table.label} {table.caption} {item.segment.metadata.section_path[-1:]}")
    for statement in table_statements(request.text, request.terms, item, task.source, parts):
        if not statement.cells:
            continue
        # A name that spans several rows stands in the first of them; the value is in its own.
        row = grid[max(row_index for row_index, _column in statement.cells)]
        best = _best_headers(row, columns, request)
        name, named = row_name(row, columns, request.text, request.terms)
        condition = statement.about or _join(row, columns.of(ColumnRole.CONDITION))
        for column, is_as_asked in _value_columns(row, columns, best, wanted):
            measure = cell_measure(row, columns, column)
            if measure is not None:
                role = columns.roles[column]
                header = "" if columns.has_bounds else columns.headers[column]
                told = f"{name} ({header})" if name and header and len(best) > 1 else name
                yield Reading(
                    measure=measure,
                    name=told or header or statement.subject,
                    score=statement.score
                    + _OF_INITIALS * has_initials(name, request.text)
                    + _of_part(max(statement.mention, captioned, key=abs)),
                    bound=role if role in BOUNDS else None,
                    is_as_asked=is_as_asked,
                    condition=condition,
                    statement=_quoting(task, statement, row, columns, column),
                    named=named,
                )


def _quoting(
    task: AnswerTask,
    statement: Statement,
    row: Sequence[TableCell | None],
    columns: TableColumns,
    column: int,
) -> Statement:
    """Return a statement of a row that quotes the cell which is read, whatever it quoted before."""
    cell = row[column]
    if cell is None or (cell.row, cell.column) in statement.cells:
        return statement
    words = task.source.words(statement.evidence.segment)
    quoted = [c for i in (0, column) if (c := row[i]) is not None]
    placed = [(c, tuple(run)) for c in quoted if (run := cell_words(c, words))]
    if (cell.row, cell.column) not in [(c.row, c.column) for c, _run in placed]:
        return statement
    unit = next((_text(row[c]) for c in columns.of(ColumnRole.UNIT)), "")
    value = cell.text if measures_in(cell.text) else f"{cell.text} {unit}".strip()
    header = columns.headers[column]
    said = f"{header} **{value}**" if header else f"**{value}**"
    return replace(
        statement,
        text=f"{_text(row[0])}: {said}.",
        runs=tuple(run for _cell, run in placed),
        cells=tuple((c.row, c.column) for c, _run in placed),
    )


def _of_part(mention: Mention) -> float:
    return {Mention.PART: _OF_PART, Mention.SIBLING: _OF_SIBLING}.get(mention, 0.0)


def _best_headers(
    row: Sequence[TableCell | None], columns: TableColumns, request: Request
) -> list[int]:
    """Return the columns with a value whose header says most of what is asked for.

    In a table without bounds the columns are packages, parts or modes.
    """
    if columns.has_bounds:
        return []
    labels = columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL, ColumnRole.UNIT)
    valued = [
        c for c in range(len(row))
        if c not in labels and cell_measure(row, columns, c) is not None
    ]  # fmt: skip
    said = set(terms_of(request.text))
    fits = {c: len(said & set(terms_of(columns.headers[c]))) for c in valued}
    most = max(fits.values(), default=0)
    return [c for c in valued if fits[c] == most]


def _value_columns(
    row: Sequence[TableCell | None],
    columns: TableColumns,
    best: Sequence[int],
    wanted: tuple[ColumnRole, ...],
) -> Iterator[tuple[int, bool]]:
    """Yield the columns to read with whether they are what was asked for."""
    if not columns.has_bounds:
        for column in best:
            yield column, True
        return
    filled = [c for c in columns.of(*BOUNDS, ColumnRole.VALUE) if _text(row[c]).strip("-–— ")]
    asked = [c for role in wanted for c in filled if columns.roles[c] is role]
    if asked:
        for column in asked:
            yield column, True
        return
    for role in _DEFAULT_BOUNDS:
        for column in filled:
            if columns.roles[column] is role:
                yield column, not wanted or columns.roles[column] is ColumnRole.VALUE
                return


def cell_measure(
    row: Sequence[TableCell | None], columns: TableColumns, column: int
) -> Measure | None:
    """Read the number of a cell; its unit stands in it, in its row or in its header."""
    text = _FOOTNOTE.sub("", _text(row[column])).strip()
    placed = measures_in(text)
    if len(placed) == 1:
        return placed[0].measure
    number = re.fullmatch(r"[~≈<>≤≥±]?\s?([-+−–]?\s?\d[\d.,]*)", text)
    if placed or number is None:
        return None
    units = [_text(row[c]) for c in columns.of(ColumnRole.UNIT)]
    for unit in (*units, head_unit(columns.headers[column])):
        for candidate in (unit, *unit.split()):
            found = measures_in(f"{number[1]} {candidate}")
            if len(found) == 1:
                return found[0].measure
    return None


def _sentence_readings(request: Request, statement: Statement) -> Iterator[Reading]:
    """Read the values of a sentence; the one behind the bound asked for counts most."""
    plain = plain_quantities(statement.text)
    placed = measures_in(statement.text)
    of_kind = [p for p in placed if not request.kind or dimension(p.measure.unit) == request.kind]
    wanted = request.bounds or limits_in(request.text)
    for at in of_kind:
        near = plain[max(0, at.start - 30) : at.end + 18]
        bounds = limits_in(near)
        yield Reading(
            measure=at.measure,
            name=_words_before(plain[: at.start]),
            score=_OF_PROSE * statement.score - 0.05 * (len(of_kind) - 1) - 0.05 * at.in_range,
            bound=bounds[0] if bounds else None,
            is_as_asked=not wanted or not bounds or bool(set(bounds) & set(wanted)),
            condition=plain,
            statement=statement,
            named=statement.score if len(of_kind) == 1 else 0.5 * statement.score,
        )


def _words_before(text: str) -> str:
    words = re.findall(r"[A-Za-z][\w-]*", text)[-4:]
    return " ".join(words) or "the value"


def _join(row: Sequence[TableCell | None], columns: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(text for c in columns if (text := _text(row[c]))))


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else cell.text
