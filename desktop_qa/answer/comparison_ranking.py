"""Rankings and filters: which part has the lowest of something, and which are under a limit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.amounts import Amount
from desktop_qa.answer.comparison_rows import ComparisonRow, asked_rows, compare_parameters
from desktop_qa.answer.comparison_table import (
    Compared,
    amounts_text,
    behind,
    joined_statement,
)
from desktop_qa.answer.labels import stems
from desktop_qa.answer.parameters import USUAL, Parameter
from desktop_qa.answer.reply import DraftCell, DraftTable, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import BOUNDS, ColumnRole
from desktop_qa.retrieve.comparison import Comparison, ComparisonKind, Direction
from desktop_qa.retrieve.paraphrases import paraphrases

_SPELLED = {"min": "minimum ", "typ": "typical ", "max": "maximum "}
_LIMIT = re.compile(r"(-?[\d.]+)(.*)")
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
class Ranking:
    """Documents sorted by one parameter.

    Attributes:
        places: The best first; at least one.
        silent: Names of the documents that do not state it, or not in that unit.
    """

    asked: Comparison
    row: ComparisonRow
    places: tuple[_Place, ...]
    silent: tuple[str, ...]

    @property
    def name(self) -> str:
        """The parameter as asked, where its row is called so; else as the row is called."""
        label = set(stems(self.row.lead.label))
        if self.asked.parameters and label.issuperset(stems(self.asked.parameters[0])):
            return f"{_SPELLED.get(self.asked.bound, '')}{self.asked.parameters[0]}"
        return self.row.lead.label

    @property
    def notes(self) -> tuple[str, ...]:
        """Says who does not state it."""
        verb = "does" if len(self.silent) == 1 else "do"
        said = f"{verb} not state the {self.name} in a way that can be ranked."
        return (f"{', '.join(self.silent)} {said}",) if self.silent else ()

    def statements(self) -> tuple[Statement, ...]:
        """State the best in a sentence, and the others in another."""
        best = [p for p in self.places if p.value == self.places[0].value]
        who = " and ".join(f"**{p.document}**" for p in best)
        verb = "has" if len(best) == 1 else "share"
        which = f"the {self.asked.direction.value} {self.name} of those that state it"
        text = f"{who} {verb} {which}: **{best[0].said}**."
        first = joined_statement(text, [p.statement for p in best])
        others = [p for p in self.places if p not in best][:_MAX_NAMED]
        return (first, _listed(others, "The others: {}.")) if others else (first,)

    def table(self, places: Sequence[_Place]) -> DraftTable:
        """List documents with their values."""
        rows = [
            (
                DraftCell(p.document),
                DraftCell(
                    amounts_text(p.parameter),
                    p.statement,
                    is_stated=p is places[0],
                    value=p.value,
                ),
                DraftCell(p.parameter.condition),
            )
            for p in places
        ]
        title, headers = f"Documents by {self.name}", ("Part", self.name, "Condition")
        return DraftTable(TableUse.LIST, title, headers, tuple(rows), notes=self.notes)


def rank(
    compared: Compared, rows: Sequence[ComparisonRow], asked: Comparison, unit: str = ""
) -> Ranking | None:
    """Sort documents by the parameter asked for; `None` when none states it in a unit.

    Args:
        compared: The documents; what cannot be shown on its page is not ranked.
        rows: Of their comparison.
        asked: With the parameter, its bound and the direction.
        unit: Base unit of a limit; empty for any.
    """
    name = asked.parameters[0] if asked.parameters else ""
    found = asked_rows(rows, name, compared.vectors, unit)
    if not found:
        return None
    found.sort(
        key=lambda r: (-_n_under(r, asked), -len(_places(compared, r, asked)), not r.is_main)
    )
    # What one document calls otherwise is still its value; the row that most share says the unit.
    columns = zip(*(row.cells for row in found), strict=True)
    cells = tuple(next((cell for cell in own if cell is not None), None) for own in columns)
    row = replace(found[0], cells=cells)
    sign = -1.0 if asked.direction is Direction.HIGHEST else 1.0
    places = sorted(_places(compared, row, asked), key=lambda p: (sign * p.value, p.column))
    stating = {place.column for place in places}
    silent = (d.name for i, d in enumerate(compared.documents) if i not in stating)
    return Ranking(asked, row, tuple(places), tuple(silent)) if places else None


def _n_under(row: ComparisonRow, asked: Comparison) -> int:
    """Count the documents that state a row under the condition asked for."""
    wanted = set(asked.condition)
    return sum(wanted <= set(find_values(p.condition)) for p in row.stated) if wanted else 0


def _places(compared: Compared, row: ComparisonRow, asked: Comparison) -> list[_Place]:
    role = _role(row, asked)
    others = () if asked.bound else USUAL
    found = []
    for column, parameter in enumerate(row.cells):
        if parameter is None or parameter.unit != row.lead.unit:
            continue
        amount, statement = (
            parameter.amount(role, ColumnRole.VALUE, *others),
            compared.statement(parameter),
        )
        if amount is not None and amount.value is not None and statement is not None:
            low, high = parameter.amount(ColumnRole.MIN), parameter.amount(ColumnRole.MAX)
            is_symmetric = "±" in amount.text or (
                low is not None and high is not None and low.value == -(high.value or 0.0) != 0.0
            )
            value = abs(amount.value) if is_symmetric else amount.value
            name = compared.documents[column].name
            found.append(_Place(column, name, parameter, amount, value, statement))
    return found


def _role(row: ComparisonRow, asked: Comparison) -> ColumnRole:
    """Return the bound that is ranked by: the one asked for, of a range the end, else the usual."""
    if asked.bound:
        return ColumnRole(asked.bound)
    counts = {r: sum(p.amount(r) is not None for p in row.stated) for r in BOUNDS}
    if 2 * counts[ColumnRole.TYP] < min(counts[ColumnRole.MIN], counts[ColumnRole.MAX]):
        return ColumnRole.MAX if asked.direction is Direction.HIGHEST else ColumnRole.MIN
    return max((ColumnRole.TYP, ColumnRole.MAX, ColumnRole.MIN), key=lambda r: counts[r])


def ranking_reply(compared: Compared, asked: Comparison) -> Reply | None:
    """Answer a ranking of named documents: the best in a sentence, then the whole comparison."""
    ranking = rank(compared, compared.rows, asked)
    if ranking is None:
        return None
    shown = {id(cell) for cell in ranking.row.stated}
    others = [row for row in compared.rows if any(id(cell) not in shown for cell in row.stated)]
    table = compared.table([ranking.row, *others], ranking.notes)
    return Reply("", ranking.statements(), tables=(table,), is_sure=True)


def class_reply(compared: Compared, asked: Comparison) -> Reply | None:
    """Rank or filter the documents of a class by the one parameter asked for."""
    name = next(iter((*asked.parameters, *paraphrases(asked.rest))), asked.rest)
    match = _LIMIT.fullmatch(asked.limit) if asked.limit else None
    unit = match.group(2) if match else ""
    words = frozenset(stems(name))
    near = [[p for p in d.parameters if _is_near(p, words, unit)] for d in compared.documents]
    rows = compare_parameters(near, compared.vectors)
    ranking = rank(compared, rows, replace(asked, parameters=(name,)), unit)
    if ranking is None:
        return None
    places = ranking.places
    if asked.kind is ComparisonKind.RANKING or match is None:
        table = ranking.table(places)
        return Reply("", ranking.statements(), tables=(table,), is_sure=True)
    limit = float(match.group(1))
    is_upper = asked.direction is Direction.LOWEST
    fitting = [p for p in places if (p.value <= limit if is_upper else p.value >= limit)]
    shown = f"{'at most' if is_upper else 'at least'} {_limit_text(limit, unit)}"
    table, n = ranking.table(fitting or places), len(compared.documents)
    if not fitting:
        lead = f"None of {n} documents states a {ranking.name} of {shown}."
        return Reply(lead, tables=(table,), is_sure=True)
    n_more = len(fitting) - _MAX_NAMED
    more = f"; and {n_more} more in the table" if n_more > 0 else ""
    lead = f"{len(fitting)} of {n} documents state {shown} ({ranking.name})."
    named = _listed(fitting[:_MAX_NAMED], "{}" + f"{more}.")
    return Reply(lead, (named,), tables=(table,), is_sure=True)


def _listed(places: Sequence[_Place], sentence: str) -> Statement:
    text = "; ".join(f"{p.document} {p.said}" for p in places)
    return joined_statement(sentence.format(text), [p.statement for p in places])


def _is_near(parameter: Parameter, words: frozenset[str], unit: str) -> bool:
    """Tell whether a parameter may be meant: of a class, only the meaning of these is compared."""
    return parameter.unit == unit if unit else not words.isdisjoint(parameter.words)


def _limit_text(value: float, unit: str) -> str:
    shown = {"hz": "Hz", "ohm": "Ω", "degc": "°C"}.get(unit, unit.upper())
    if unit in ("a", "v", "hz", "ohm", "f", "w"):
        for exponent, prefix in ((6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"), (-9, "n")):
            if abs(value) >= 10.0**exponent:
                return f"{value / 10.0**exponent:g} {prefix}{shown}"
    return f"{value:g} {shown if len(shown) < 3 else unit}"
