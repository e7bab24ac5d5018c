"""A comparison in a few sentences: what tells most, each value with the place it was read."""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop_qa.answer.comparison_rows import ComparisonRow
from desktop_qa.answer.comparison_table import (
    CellQuoter,
    ComparedDocument,
    amounts_text,
    differs,
    sort_value,
)
from desktop_qa.answer.parameters import Parameter
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import ColumnRole

MAX_WORDS = 80
_MAX_TELLING = 4
_MAX_CONDITION = 40
_LARGEST_RATIO = 2.0
_PER_RANK = 0.04


def telling_statements(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
) -> tuple[Statement, ...]:
    """State the differences that tell most, in the order of the table, in at most 80 words."""
    candidates = [
        (_weight(row), position, row)
        for position, row in enumerate(rows)
        if row.known is not None
        and row.is_main
        and not row.is_rating
        and differs(row)
        and len(row.stated) > 1
    ]
    first_of = {row.known: position for _weight, position, row in reversed(candidates)}
    candidates = [c for c in candidates if first_of[c[2].known] == c[1]]
    best = sorted(candidates, key=lambda item: (-item[0], item[1]))[:_MAX_TELLING]
    chosen = [
        row for weight, _position, row in sorted(best, key=lambda item: item[1]) if weight > 0
    ]
    return _within_words(chosen, documents, quoter)


def value_statements(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
) -> tuple[Statement, ...]:
    """State the values of rows that were asked for, in at most 80 words, one row at the least."""
    return _within_words(rows, documents, quoter, with_condition=True)


def _within_words(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
    *,
    with_condition: bool = False,
) -> tuple[Statement, ...]:
    statements: list[Statement] = []
    n_words = 0
    for row in rows:
        statement = row_statement(row, documents, quoter, with_condition=with_condition)
        if statement is None:
            continue
        n_words += len(statement.text.split()) + 2
        if statements and n_words > MAX_WORDS:
            break
        statements.append(statement)
    return tuple(statements)


def row_statement(
    row: ComparisonRow,
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
    *,
    with_condition: bool = False,
) -> Statement | None:
    """State a row: "Supply voltage: DRV8833 min 2.7 V, max 10.8 V; LM35 min 4 V, max 30 V."."""
    parts, cited = [], []
    for document, parameter in zip(documents, row.cells, strict=True):
        statement = quoter.statement(parameter) if parameter is not None else None
        if parameter is None or statement is None:
            continue
        condition = f" ({parameter.condition})" if with_condition and _is_short(parameter) else ""
        parts.append(f"{document.name} **{amounts_text(parameter)}**{condition}")
        cited.append(statement)
    if not cited:
        return None
    text = f"{_name(row)}: {'; '.join(parts)}."
    return joined_statement(text, cited)


def joined_statement(text: str, cited: Sequence[Statement]) -> Statement:
    """Return a sentence that rests on others and quotes nothing itself."""
    evidence: Evidence = cited[0].evidence
    return Statement(text, evidence, (), (), 1.0, 1.0, rests_on=tuple(cited))


def _is_short(parameter: Parameter) -> bool:
    return 0 < len(parameter.condition) <= _MAX_CONDITION


def _name(row: ComparisonRow) -> str:
    names = {p.name.casefold() for p in row.stated}
    return row.lead.name if len(names) == 1 or row.known is None else row.known.name


def _weight(row: ComparisonRow) -> float:
    """How much a difference tells: the ratio of its ends, less for what people look for last."""
    values = [abs(v) for p in row.stated if (v := sort_value(p)) is not None]
    rank = row.known.rank if row.known else 100
    if len({p.unit for p in row.stated}) > 1 or len(values) < 2:
        return 0.0
    ratios = [math.log10(max(values) / min(values))] if min(values) > 0 else []
    for role in (ColumnRole.MIN, ColumnRole.MAX):
        ends = [abs(a.value) for p in row.stated if (a := p.amount(role)) and a.value]
        if len(ends) == len(row.stated):
            ratios.append(math.log10(max(ends) / min(ends)))
    ratio = min(max(ratios, default=0.0), _LARGEST_RATIO)
    share = len(row.stated) / len(row.cells)
    return share * ratio / (1.0 + _PER_RANK * rank) if ratio > 0 else 0.0
