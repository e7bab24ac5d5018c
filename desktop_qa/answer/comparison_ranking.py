"""Rankings and filters: which part has the lowest of something, and which are under a limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.amounts import Amount, read_amounts
from desktop_qa.answer.claims import resting_on
from desktop_qa.answer.comparison_rows import ComparisonRow, asked_rows, compare_parameters
from desktop_qa.answer.comparison_table import Compared, amounts_text, behind, bounds_of
from desktop_qa.answer.labels import stems
from desktop_qa.answer.parameters import USUAL, Parameter
from desktop_qa.answer.reply import CitedCell, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import BOUNDS, ColumnRole
from desktop_qa.retrieve.answer_kind import BOUND_NAMES
from desktop_qa.retrieve.comparison import Comparison, Direction

_MAX_NAMED = 6


@dataclass(frozen=True, slots=True)
class _Place:
    """A document's place in a ranking, with what it cites."""

    column: int
    document: str
    parameter: Parameter
    amount: Amount
    value: float
    statement: Statement

    @property
    def said(self) -> str:
        bound = f"{self.amount.role} " if self.amount.role in BOUNDS else ""
        return f"{bound}{self.amount.text}{behind(self.parameter)}"


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Documents sorted by one parameter.

    Attributes:
        name: Of the parameter, as asked where its row is called so; else as the row is called.
        row: What each document states of it.
        places: The best first; at least one.
        notes: Who does not state it, or not in that unit.
    """

    name: str
    direction: Direction
    row: ComparisonRow
    places: tuple[_Place, ...]
    notes: tuple[str, ...]

    def statements(self) -> tuple[Statement, ...]:
        """State the best in a sentence, and the others in another."""
        best = [p for p in self.places if p.value == self.places[0].value]
        who = " and ".join(f"**{p.document}**" for p in best)
        verb = "has" if len(best) == 1 else "share"
        which = f"the {self.direction.value} {self.name} of those that state it"
        text = f"{who} {verb} {which}: **{best[0].said}**."
        first = resting_on(text, [p.statement for p in best])
        others = [p for p in self.places if p not in best][:_MAX_NAMED]
        return (first, _listed(others, "The others: {}.")) if others else (first,)

    def table(self, places: Sequence[_Place]) -> AnswerTable:
        """List documents with their values."""
        rows = tuple(
            (
                AnswerCell(p.document),
                CitedCell(
                    amounts_text(p.parameter),
                    is_stated=p is places[0],
                    value=p.value,
                    bounds=bounds_of(p.parameter),
                    statement=p.statement,
                ),
                AnswerCell(p.parameter.condition),
            )
            for p in places
        )
        title, headers = f"Documents by {self.name}", ("Part", self.name, "Condition")
        return AnswerTable(TableUse.LIST, title, headers, rows, notes=self.notes)


def _ranked(
    compared: Compared, rows: Sequence[ComparisonRow], asked: Comparison, unit: str = ""
) -> _Ranking | None:
    """Sort documents by the parameter asked for, with what can be shown on its page."""
    wanted = set(asked.condition)

    def order(row: ComparisonRow) -> tuple[int, int, bool]:
        under = [p for p in row.stated if wanted and wanted <= set(find_values(p.condition))]
        return -len(under), -len(_places(compared, row, asked)), not row.is_main

    found = sorted(asked_rows(rows, asked.parameter, compared.vectors, unit), key=order)
    if not found:
        return None
    # What one document calls otherwise is still its value; the row that most share says the unit.
    columns = zip(*(row.cells for row in found), strict=True)
    cells = tuple(next((cell for cell in own if cell is not None), None) for own in columns)
    row = replace(found[0], cells=cells)
    sign = -1.0 if asked.direction is Direction.HIGHEST else 1.0
    places = sorted(_places(compared, row, asked), key=lambda p: (sign * p.value, p.column))
    if not places:
        return None
    name, label = asked.parameter, row.lead.label
    is_called_so = set(stems(label)).issuperset(stems(name))
    name = f"{BOUND_NAMES.get(asked.bound, '')} {name}".lstrip() if is_called_so else label
    stating = {place.column for place in places}
    silent = [d.name for i, d in enumerate(compared.documents) if i not in stating]
    verb = "does" if len(silent) == 1 else "do"
    note = f"{', '.join(silent)} {verb} not state the {name} in a way that can be ranked."
    return _Ranking(name, asked.direction, row, tuple(places), (note,) if silent else ())


def _places(compared: Compared, row: ComparisonRow, asked: Comparison) -> list[_Place]:
    roles = (_role(row, asked), ColumnRole.VALUE, *(() if asked.bound else USUAL))
    found = []
    for column, parameter in enumerate(row.cells):
        if parameter is None or parameter.unit != row.lead.unit:
            continue
        amount, statement = parameter.amount(*roles), compared.statement(parameter)
        if amount is not None and amount.value is not None and statement is not None:
            low, high = parameter.amount(ColumnRole.MIN), parameter.amount(ColumnRole.MAX)
            is_symmetric = low and high and (low.value or 0.0) == -(high.value or 0.0)
            value = abs(amount.value) if is_symmetric else amount.value
            name = compared.documents[column].name
            found.append(_Place(column, name, parameter, amount, value, statement))
    return found


def _role(row: ComparisonRow, asked: Comparison) -> ColumnRole:
    """Return the bound that is ranked by: the one asked for, of a range the end, else the usual."""
    if asked.bound is not None:
        return asked.bound
    counts = {r: sum(p.amount(r) is not None for p in row.stated) for r in BOUNDS}
    if 2 * counts[ColumnRole.TYP] < min(counts[ColumnRole.MIN], counts[ColumnRole.MAX]):
        return ColumnRole.MAX if asked.direction is Direction.HIGHEST else ColumnRole.MIN
    return max((ColumnRole.TYP, ColumnRole.MAX, ColumnRole.MIN), key=lambda r: counts[r])


def ranking_reply(
    compared: Compared,
    rows: Sequence[ComparisonRow],
    about: Sequence[ComparisonRow],
    asked: Comparison,
) -> Reply | None:
    """Answer a ranking of named documents: the best in a sentence, then the whole comparison.

    What only one of them states is no ranking.

    Args:
        compared: The documents.
        rows: All of theirs, in the order to show.
        about: Those that were asked for.
        asked: What the documents are ranked by.
    """
    ranking = _ranked(compared, rows, asked)
    if ranking is None or len(ranking.places) < 2:
        return None
    shown = {id(cell) for cell in ranking.row.stated}

    def others(of: Sequence[ComparisonRow]) -> list[ComparisonRow]:
        return [row for row in of if any(id(cell) not in shown for cell in row.stated)]

    table = compared.table([ranking.row, *others(rows)], ranking.notes)
    said = (*ranking.statements(), *compared.values(others(about)))
    return Reply(statements=said, tables=(table,), is_sure=True)


def class_reply(compared: Compared, asked: Comparison) -> Reply | None:
    """Rank or filter the documents of a class by the one parameter asked for."""
    limit = next(iter(read_amounts(asked.limit, "", ColumnRole.VALUE)), None)
    unit = limit.unit if limit is not None else ""
    words = frozenset(stems(asked.parameter))
    # Of a class, only the meaning of what may be meant is compared.
    near = [
        [p for p in d.parameters if (p.unit == unit if unit else words & p.words)]
        for d in compared.documents
    ]
    ranking = _ranked(compared, compare_parameters(near, compared.vectors), asked, unit)
    if ranking is None:
        return None
    places = ranking.places
    if limit is None or limit.value is None:
        said = ranking.statements()
        return Reply(statements=said, tables=(ranking.table(places),), is_sure=True)
    is_upper = asked.direction is Direction.LOWEST
    sign, n = 1.0 if is_upper else -1.0, len(compared.documents)
    fitting = [p for p in places if sign * p.value <= sign * limit.value]
    shown = f"{'at most' if is_upper else 'at least'} {limit.text}"
    lead = f"{len(fitting) or 'None'} of {n} documents state {shown} ({ranking.name})."
    n_more = len(fitting) - _MAX_NAMED
    more = f"; and {n_more} more in the table" if n_more > 0 else ""
    named = [_listed(fitting[:_MAX_NAMED], "{}" + f"{more}.")] if fitting else []
    return Reply(lead, tuple(named), tables=(ranking.table(fitting or places),), is_sure=True)


def _listed(places: Sequence[_Place], sentence: str) -> Statement:
    text = "; ".join(f"{p.document} {p.said}" for p in places)
    return resting_on(sentence.format(text), [p.statement for p in places])
