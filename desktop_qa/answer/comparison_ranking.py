"""Rankings and filters: which part has the lowest of something, and which are under a limit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.amounts import Amount
from desktop_qa.answer.comparison_rows import ComparisonRow, asked_rows, compare_parameters
from desktop_qa.answer.comparison_table import (
    CellQuoter,
    ComparedDocument,
    amounts_text,
    comparison_table,
    unit_notes,
)
from desktop_qa.answer.comparison_text import joined_statement
from desktop_qa.answer.labels import stems
from desktop_qa.answer.parameters import USUAL, Parameter
from desktop_qa.answer.reply import DraftCell, DraftTable, Reply, Vectors
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import ColumnRole
from desktop_qa.retrieve.comparison import Comparison, ComparisonKind, Direction
from desktop_qa.retrieve.paraphrases import paraphrases

_ROLES = {"min": ColumnRole.MIN, "typ": ColumnRole.TYP, "max": ColumnRole.MAX}
_SPELLED = {"min": "minimum ", "typ": "typical ", "max": "maximum "}
_LIMIT = re.compile(r"(-?[\d.]+)(.*)")
_MAX_NAMED = 6


@dataclass(frozen=True, slots=True)
class _Place:
    """A document's place in a ranking."""

    column: int
    parameter: Parameter
    amount: Amount
    value: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Documents sorted by one parameter.

    Attributes:
        places: The best first.
        without: Columns of the documents that do not state it, or not in that unit.
    """

    asked: Comparison
    row: ComparisonRow
    places: tuple[_Place, ...]
    without: tuple[int, ...]

    @property
    def name(self) -> str:
        """The parameter as asked, where its row is called so; else as the row is called."""
        label = set(stems(self.row.lead.label))
        if self.asked.parameters and label.issuperset(stems(self.asked.parameters[0])):
            return f"{_SPELLED.get(self.asked.bound, '')}{self.asked.parameters[0]}"
        return self.row.lead.label


def rank(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    asked: Comparison,
    quoter: CellQuoter,
    vectors: Vectors,
    unit: str = "",
) -> Ranking | None:
    """Sort documents by the parameter asked for; `None` when fewer than two state it in a unit.

    Args:
        rows: Of their comparison.
        documents: In the order of the cells of a row.
        asked: With the parameter, its bound and the direction.
        quoter: What cannot be shown on its page is not ranked.
        vectors: See `compare_parameters`.
        unit: Base unit of a limit; empty for any.
    """
    name = asked.parameters[0] if asked.parameters else ""
    found = asked_rows(rows, name, vectors, unit)
    if not found:
        return None
    found.sort(key=lambda r: (-_n_under(r, asked), -len(_places(r, asked, quoter)), not r.is_main))
    # What one document calls otherwise is still its value; the row that most share says the unit.
    cells = [
        next((row.cells[i] for row in found if row.cells[i] is not None), None)
        for i in range(len(documents))
    ]
    row = replace(found[0], cells=tuple(cells))
    is_high = asked.direction is Direction.HIGHEST
    places = sorted(
        _places(row, asked, quoter), key=lambda p: (-p.value if is_high else p.value, p.column)
    )
    ranked = {place.column for place in places}
    without = tuple(i for i in range(len(documents)) if i not in ranked)
    return Ranking(asked, row, tuple(places), without) if places else None


def _n_under(row: ComparisonRow, asked: Comparison) -> int:
    """Count the documents that state a row under the condition asked for."""
    wanted = set(asked.condition)
    return sum(wanted <= set(find_values(p.condition)) for p in row.stated) if wanted else 0


def _places(row: ComparisonRow, asked: Comparison, quoter: CellQuoter) -> list[_Place]:
    role = _role(row, asked)
    others = () if asked.bound else USUAL
    found = []
    for column, parameter in enumerate(row.cells):
        is_of_unit = parameter is not None and parameter.unit == row.lead.unit
        if parameter is None or not is_of_unit or quoter.statement(parameter) is None:
            continue
        amount = parameter.amount(role, ColumnRole.VALUE, *others)
        if amount is not None and amount.value is not None:
            low, high = parameter.amount(ColumnRole.MIN), parameter.amount(ColumnRole.MAX)
            is_symmetric = "±" in amount.text or (
                low is not None and high is not None and low.value == -(high.value or 0.0) != 0.0
            )
            value = abs(amount.value) if is_symmetric else amount.value
            found.append(_Place(column, parameter, amount, value))
    return found


def _role(row: ComparisonRow, asked: Comparison) -> ColumnRole:
    """Return the bound that is ranked by: the one asked for, of a range the end, else the usual."""
    if asked.bound:
        return _ROLES[asked.bound]
    counts = {r: sum(p.amount(r) is not None for p in row.stated) for r in _ROLES.values()}
    if 2 * counts[ColumnRole.TYP] < min(counts[ColumnRole.MIN], counts[ColumnRole.MAX]):
        return ColumnRole.MAX if asked.direction is Direction.HIGHEST else ColumnRole.MIN
    return max((ColumnRole.TYP, ColumnRole.MAX, ColumnRole.MIN), key=lambda r: counts[r])


def ranking_reply(
    ranking: Ranking,
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
    notes: Sequence[str],
) -> Reply:
    """Answer a ranking of named documents: the best in a sentence, then the whole comparison."""
    names = ", ".join(d.name for d in documents)
    shown = {id(cell) for cell in ranking.row.stated}
    others = [row for row in rows if any(id(cell) not in shown for cell in row.stated)]
    own = [ranking.row, *others]
    more = [*notes, *unit_notes(own), *_silent(ranking, documents)]
    table = comparison_table(own, documents, quoter, more, f"Comparison of {names}")
    return Reply("", _ranking_statements(ranking, documents, quoter), tables=(table,), is_sure=True)


def _ranking_statements(
    ranking: Ranking, documents: Sequence[ComparedDocument], quoter: CellQuoter
) -> tuple[Statement, ...]:
    statements = []
    best = [p for p in ranking.places if p.value == ranking.places[0].value]
    word = ranking.asked.direction.value
    cited = [s for p in best if (s := quoter.statement(p.parameter)) is not None]
    who = " and ".join(f"**{documents[p.column].name}**" for p in best)
    verb = "has" if len(best) == 1 else "share"
    value = _value_said(best[0])
    text = f"{who} {verb} the {word} {ranking.name} of those that state it: **{value}**."
    statements.append(joined_statement(text, cited))
    others = [p for p in ranking.places if p not in best][:_MAX_NAMED]
    if others:
        text = "; ".join(f"{documents[p.column].name} {_value_said(p)}" for p in others)
        cited = [s for p in others if (s := quoter.statement(p.parameter)) is not None]
        statements.append(joined_statement(f"The others: {text}.", cited))
    return tuple(statements)


def _value_said(place: _Place) -> str:
    name = {ColumnRole.MIN: "min ", ColumnRole.TYP: "typ ", ColumnRole.MAX: "max "}
    condition = place.parameter.condition
    behind = f" ({condition})" if condition and len(condition) <= 40 else ""
    return f"{name.get(place.amount.role, '')}{place.amount.text}{behind}"


def _silent(ranking: Ranking, documents: Sequence[ComparedDocument]) -> list[str]:
    if not ranking.without:
        return []
    names = ", ".join(documents[i].name for i in ranking.without)
    verb = "does" if len(ranking.without) == 1 else "do"
    return [f"{names} {verb} not state the {ranking.name} in a way that can be ranked."]


# Classes of devices


def class_reply(
    documents: Sequence[ComparedDocument],
    asked: Comparison,
    quoter: CellQuoter,
    vectors: Vectors,
) -> Reply | None:
    """Rank or filter the documents of a class by the one parameter asked for."""
    name = next(iter((*asked.parameters, *paraphrases(asked.rest))), asked.rest)
    match = _LIMIT.fullmatch(asked.limit) if asked.limit else None
    unit = match.group(2) if match else ""
    words = frozenset(stems(name))
    near = [[p for p in d.parameters if _is_near(p, words, unit)] for d in documents]
    rows = compare_parameters(near, vectors)
    ranking = rank(rows, documents, replace(asked, parameters=(name,)), quoter, vectors, unit)
    if ranking is None:
        return None
    if asked.kind is ComparisonKind.RANKING or match is None:
        statements = _ranking_statements(ranking, documents, quoter)
        table = _list_table(ranking, ranking.places, documents, quoter)
        return Reply("", statements, tables=(table,), is_sure=True)
    limit = float(match.group(1))
    is_upper = asked.direction is Direction.LOWEST
    fitting = [p for p in ranking.places if (p.value <= limit if is_upper else p.value >= limit)]
    shown = f"{'at most' if is_upper else 'at least'} {_limit_text(limit, unit)}"
    table = _list_table(ranking, fitting or ranking.places, documents, quoter)
    if not fitting:
        lead = f"None of {len(documents)} documents states a {ranking.name} of {shown}."
        return Reply(lead, tables=(table,), is_sure=True)
    named = fitting[:_MAX_NAMED]
    text = "; ".join(f"{documents[p.column].name} {_value_said(p)}" for p in named)
    n_more = len(fitting) - len(named)
    more = f"; and {n_more} more in the table" if n_more else ""
    cited = [s for p in named if (s := quoter.statement(p.parameter)) is not None]
    lead = f"{len(fitting)} of {len(documents)} documents state {shown} ({ranking.name})."
    return Reply(lead, (joined_statement(f"{text}{more}.", cited),), tables=(table,), is_sure=True)


def _is_near(parameter: Parameter, words: frozenset[str], unit: str) -> bool:
    """Tell whether a parameter may be meant: of a class, only the meaning of these is compared."""
    return parameter.unit == unit if unit else not words.isdisjoint(parameter.words)


def _limit_text(value: float, unit: str) -> str:
    shown = {"hz": "Hz", "ohm": "Ω", "degc": "°C"}.get(unit, unit.upper())
    if unit in ("a", "v", "hz", "ohm", "f", "w"):
        for factor, prefix in (
            (1e6, "M"),
            (1e3, "k"),
            (1, ""),
            (1e-3, "m"),
            (1e-6, "µ"),
            (1e-9, "n"),
        ):
            if abs(value) >= factor:
                return f"{value / factor:g} {prefix}{shown}"
    return f"{value:g} {shown if len(shown) < 3 else unit}"


def _list_table(
    ranking: Ranking,
    places: Sequence[_Place],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
) -> DraftTable:
    rows = [
        (
            DraftCell(documents[p.column].name),
            DraftCell(
                amounts_text(p.parameter),
                quoter.statement(p.parameter),
                is_stated=p is places[0],
                value=p.value,
            ),
            DraftCell(p.parameter.condition),
        )
        for p in places
    ]
    return DraftTable(
        use=TableUse.LIST,
        title=f"Documents by {ranking.name}",
        headers=("Part", ranking.name, "Condition"),
        rows=tuple(rows),
        document_ids=(),
        notes=tuple(_silent(ranking, documents)),
    )
