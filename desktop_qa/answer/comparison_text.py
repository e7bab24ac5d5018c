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
)
from desktop_qa.answer.parameters import USUAL
from desktop_qa.answer.statement import Statement
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
    return value_statements([row for row in different if row in best], documents, quoter)


def value_statements(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
) -> tuple[Statement, ...]:
    """State the values of rows, in at most 80 words, one row at the least.

    "Supply voltage: DRV8833 min 2.7 V, max 10.8 V; LM35 min 4 V, max 30 V."
    """
    statements: list[Statement] = []
    n_words = 0
    for row in rows:
        cited = []
        for document, parameter in zip(documents, row.cells, strict=True):
            statement = quoter.statement(parameter) if parameter is not None else None
            if parameter is not None and statement is not None:
                condition = parameter.condition
                behind = f" ({condition})" if 0 < len(condition) <= _MAX_CONDITION else ""
                text = f"{document.name} **{amounts_text(parameter)}**{behind}"
                cited.append((text, statement))
        text = f"{row.lead.label}: {'; '.join(said for said, _statement in cited)}."
        n_words += len(text.split()) + 2
        if statements and n_words > MAX_WORDS:
            break
        if cited:
            statements.append(joined_statement(text, [statement for _said, statement in cited]))
    return tuple(statements)


def joined_statement(text: str, cited: Sequence[Statement]) -> Statement:
    """Return a sentence that rests on others and quotes nothing itself."""
    return Statement(text, cited[0].evidence, (), (), 1.0, 1.0, rests_on=tuple(cited))


def _weight(row: ComparisonRow) -> float:
    """How much a difference tells: the largest ratio of two values, in decades, at most two."""
    if len({p.unit for p in row.stated}) > 1:
        return 0.0
    ratios = [0.0]
    for roles in (USUAL, (ColumnRole.MIN,), (ColumnRole.MAX,)):
        amounts = [p.amount(*roles) for p in row.stated]
        ends = [abs(a.value) for a in amounts if a is not None and a.value]
        if ends and len(ends) == len(row.stated):
            ratios.append(math.log10(max(ends) / min(ends)))
    return min(max(ratios), _LARGEST_RATIO) * len(row.stated) / len(row.cells)
