"""The numbers a calculation is made of: values of the question and of the documents.

What a document states is read with the same machinery as an exact answer, so an input is a cell or
a sentence that can be cited. The bound asked for (a maximum, a typical value) is the one read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.cells import table_statements
from desktop_qa.answer.columns import BOUNDS, ColumnRole, TableColumns, read_columns
from desktop_qa.answer.measures import (
    Measure,
    dimension,
    in_base,
    is_equal,
    measures_in,
    same_kind,
)
from desktop_qa.answer.prose import sentence_statements
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import DocumentId, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of

_BOUND_WORDS: tuple[tuple[ColumnRole, re.Pattern[str]], ...] = (
    (ColumnRole.MAX, re.compile(r"\b(max(imum)?|at most|worst|highest|up to)\b", re.I)),
    (ColumnRole.MIN, re.compile(r"\b(min(imum)?|at least|lowest)\b", re.I)),
    (ColumnRole.TYP, re.compile(r"\b(typ(ical(ly)?)?|nominal(ly)?|average)\b", re.I)),
)
BOUND_NAMES = {ColumnRole.MIN: "minimum", ColumnRole.TYP: "typical", ColumnRole.MAX: "maximum"}
_DEFAULT_BOUNDS = (ColumnRole.TYP, ColumnRole.VALUE, ColumnRole.MAX, ColumnRole.MIN)
_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_FOOTNOTE = re.compile(r"(?:\s*[(\[]\d{1,2}[)\]])+")
_RANGE = re.compile(
    r"(?P<low>[-+−–]?\s?[\d.]+\s?[a-zA-ZµμΩ°]{0,3})\s*(?P<first>[<≤])\s*[A-Za-z(][\w() ]{0,14}?"
    r"\s*(?P<second>[<≤])\s*(?P<high>[-+−–]?\s?[\d.]+\s?[a-zA-ZµμΩ°]{1,3})"
)
_ONE_SIDED = re.compile(r"(?P<sign>[<>≤≥])\s*(?P<value>[-+−–]?\s?[\d.]+\s?[a-zA-ZµμΩ°]{1,3})")
_NAMED_VALUE = re.compile(
    r"(?P<name>[A-Za-z][\w()]{0,12}(?:\s?=\s?[A-Za-z][\w()]{0,12})*)\s?[=@]\s?(?P<value>[-+−–±]?\s?[\d.]+"
    r"\s?[a-zA-ZµμΩ°%]{1,4})"
)
_OPERATION_WORDS = frozenset(
    terms_of(
        "total sum together combined altogether overall plus minus add added factor ratio times "
        "difference percent percentage share fraction calculate compute power lost loss lose using "
        "use run runs running right full plan must both need convert result results per budget "
        "going go get have assume assuming given"
    )
)
"""Words of a question that say what is done with the values; rows that hold them gain nothing."""

_MAX_SCANNED = 6
_OF_INITIALS = 0.2
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
    """

    text: str
    terms: QuestionTerms
    kind: str = ""
    given: tuple[Measure, ...] = ()
    document_ids: tuple[DocumentId, ...] = ()
    bounds: tuple[ColumnRole, ...] = ()


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
    kept = {t: w for t, w in weights.items() if t not in _OPERATION_WORDS and t[:1].isalpha()}
    return kept or dict(weights)


def bounds_in(text: str) -> tuple[ColumnRole, ...]:
    """Return the bounds that a text asks for."""
    return tuple(role for role, pattern in _BOUND_WORDS if pattern.search(text))


def look_up(task: AnswerTask, request: Request) -> list[Reading]:
    """Find the values of the documents that fit a request, best first.

    The evidence is read first; a document that is named, or that the best evidence is from, is then
    searched for tables that speak of the request.
    """
    allowed = set(request.document_ids)
    evidence = [e for e in task.usable if not allowed or e.segment.document_id in allowed]
    found = _read(task, request, evidence)
    if not found or found[0].score < 0.75:
        found = _sorted([*found, *_read(task, request, _elsewhere(task, request, evidence))])
    return [reading for reading in found if reading.score >= _MIN_SCORE]


def _read(task: AnswerTask, request: Request, evidence: Iterable[Evidence]) -> list[Reading]:
    readings: list[Reading] = []
    for item in evidence:
        for reading in _readings_of(task, request, item):
            if request.kind and dimension(reading.measure.unit) != request.kind:
                continue
            fit = sum(condition_fit(reading.condition, given) for given in request.given)
            score = reading.score + 0.15 * fit + (0.0 if reading.is_as_asked else -0.25)
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
        for statement in sentence_statements(request.text, request.terms, item, task.source):
            yield from _sentence_readings(request, statement)


def _cell_readings(task: AnswerTask, request: Request, item: Evidence) -> Iterator[Reading]:
    table = task.source.table(item.segment)
    if table is None:
        return
    grid = table.grid()
    columns = read_columns(table, grid)
    wanted = request.bounds or bounds_in(request.text)
    for statement in table_statements(request.text, request.terms, item, task.source):
        if not statement.cells:
            continue
        # A name that spans several rows stands in the first of them; the value is in its own.
        row = grid[max(row_index for row_index, _column in statement.cells)]
        stated = {column for _row, column in statement.cells}
        name, named = _name(row, columns, request.terms)
        condition = _join(row, columns.of(ColumnRole.CONDITION))
        for column, is_as_asked in _value_columns(row, columns, stated, wanted):
            measure = cell_measure(row, columns, column)
            if measure is not None:
                role = columns.roles[column]
                header = "" if columns.has_bounds else columns.headers[column]
                yield Reading(
                    measure=measure,
                    name=name or header or statement.subject,
                    score=statement.score + _OF_INITIALS * _has_initials(name, request.text),
                    bound=role if role in BOUNDS else None,
                    is_as_asked=is_as_asked,
                    condition=condition,
                    statement=statement,
                    named=named,
                )


def _has_initials(name: str, question: str) -> bool:
    """Tell whether a name shortens words of the question: "HS FET" and "high-side FET"."""
    words = [word for word in re.findall(r"[A-Za-z]+", question) if word]
    initials = "".join(word[0] for word in words).casefold()
    short = re.findall(r"\b[A-Z]{2,4}\b", name)
    return any(s.casefold() in initials and s not in words for s in short)


def _value_columns(
    row: Sequence[TableCell | None],
    columns: TableColumns,
    stated: set[int],
    wanted: tuple[ColumnRole, ...],
) -> Iterator[tuple[int, bool]]:
    """Yield the columns to read with whether they are what was asked for."""
    if not columns.has_bounds:
        for column in sorted(stated):
            if columns.roles[column] not in (ColumnRole.LABEL, ColumnRole.SYMBOL):
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
    units = [*(_text(row[c]) for c in columns.of(ColumnRole.UNIT))]
    header = re.findall(r"[(\[]([^()\[\]]{1,12})[)\]]", columns.headers[column])
    for unit in (*units, *header):
        for candidate in (unit, *unit.split()):
            found = measures_in(f"{number[1]} {candidate}")
            if len(found) == 1:
                return found[0].measure
    return None


def _name(
    row: Sequence[TableCell | None], columns: TableColumns, terms: QuestionTerms
) -> tuple[str, float]:
    """Return the row's name without symbols and notes, and the share of it that was asked for."""
    texts = [_text(row[c]) for c in columns.of(ColumnRole.LABEL)]
    names = list(dict.fromkeys(_IN_BRACKETS.sub("", text).strip() for text in texts))
    words = [n for n in names if " " in n or (n.isalpha() and not n.isupper() and len(n) > 5)]
    name = " ".join(words or names[-1:])
    own = set(terms_of(name))
    said = sum(term in terms.weights for term in own) / len(own) if own else 0.0
    return name[:1].lower() + name[1:] if name[1:2].islower() else name, said


def _sentence_readings(request: Request, statement: Statement) -> Iterator[Reading]:
    """Read the values of a sentence; the one behind the bound asked for counts most."""
    plain = plain_quantities(statement.text)
    placed = measures_in(statement.text)
    of_kind = [p for p in placed if not request.kind or dimension(p.measure.unit) == request.kind]
    wanted = request.bounds or bounds_in(request.text)
    for at in of_kind:
        near = plain[max(0, at.start - 30) : at.end + 18]
        bounds = bounds_in(near)
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


def condition_fit(condition: str, given: Measure) -> float:
    """Tell how a value of the question fits the condition of a row: 1, 0 (says nothing) or -1."""
    if not condition:
        return 0.0
    for match in _RANGE.finditer(condition):
        fit = _within(match, given)
        if fit is not None:
            return fit
    for match in _ONE_SIDED.finditer(condition):
        bound = _first(match["value"])
        if bound is not None and same_kind(bound, given):
            difference = in_base(given) - in_base(bound)
            return 1.0 if difference == 0 or (difference > 0) == (match["sign"] in ">≥") else -1.0
    measures = [p.measure for p in measures_in(condition) if same_kind(p.measure, given)]
    if any(is_equal(measure, given) for measure in measures):
        return 1.0
    return -0.3 if measures else 0.0


def _within(match: re.Match[str], given: Measure) -> float | None:
    high = _first(match["high"])
    low = _first(match["low"])
    if low is None and high is not None and high.text:
        low = _first(f"{match['low']} {high.text.split()[-1]}")
    if high is None or low is None or not (same_kind(high, given) and same_kind(low, given)):
        return None
    value, least, most = in_base(given), in_base(low), in_base(high)
    is_above = value >= least if match["first"] == "≤" else value > least
    is_below = value <= most if match["second"] == "≤" else value < most
    return 1.0 if is_above and is_below else -1.0


def differing_conditions(one: str, other: str) -> list[str]:
    """Return what two conditions set to different values: "VM = 5 V and VM = 2.7 V"."""
    values = _named_values(other)
    found = []
    for name, measure in _named_values(one).items():
        against = values.get(name)
        if against is not None and same_kind(measure, against) and not is_equal(measure, against):
            found.append(f"{name} = {measure} and {name} = {against}")
    return found


def _named_values(condition: str) -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for match in _NAMED_VALUE.finditer(plain_quantities(condition)):
        measure = _first(match["value"])
        if measure is not None:
            for name in match["name"].split("="):
                found.setdefault(name.strip(), measure)
    return found


def _first(text: str) -> Measure | None:
    placed = measures_in(text)
    return placed[0].measure if placed else None


def _join(row: Sequence[TableCell | None], columns: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(text for c in columns if (text := _text(row[c]))))


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else cell.text
