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


def telling_statements(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
) -> tuple[Statement, ...]:
    """State the differences that tell most, in the order of the table, in at most 80 words."""
    different = [row for row in rows if row.is_main and len(row.stated) > 1 and differs(row)]
    different = [row for row in different if not row.is_rating] or different
    best = sorted(different, key=lambda row: -_weight(row))[:_MAX_TELLING]
    return _within_words([row for row in different if row in best], documents, quoter)


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
    text = f"{row.lead.name}: {'; '.join(parts)}."
    return joined_statement(text, cited)


def joined_statement(text: str, cited: Sequence[Statement]) -> Statement:
    """Return a sentence that rests on others and quotes nothing itself."""
    evidence: Evidence = cited[0].evidence
    return Statement(text, evidence, (), (), 1.0, 1.0, rests_on=tuple(cited))


def _is_short(parameter: Parameter) -> bool:
    return 0 < len(parameter.condition) <= _MAX_CONDITION


def _weight(row: ComparisonRow) -> float:
    """How much a difference tells: the largest ratio of two values, in decades, at most two."""
    if len({p.unit for p in row.stated}) > 1:
        return 0.0
    ratios = [0.0]
    for role in (None, ColumnRole.MIN, ColumnRole.MAX):
        amounts = [sort_value(p) if role is None else _value(p, role) for p in row.stated]
        ends = [abs(value) for value in amounts if value]
        if ends and len(ends) == len(row.stated):
            ratios.append(math.log10(max(ends) / min(ends)))
    return min(max(ratios), _LARGEST_RATIO) * len(row.stated) / len(row.cells)


def _value(parameter: Parameter, role: ColumnRole) -> float | None:
    amount = parameter.amount(role)
    return amount.value if amount is not None else None
