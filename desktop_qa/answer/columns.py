"""The columns of a table as its reading tells them: what they are called and what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.core.document import BOUNDS, IDENTITY, ColumnRole, Table, TableCell
from desktop_qa.index.lexical import terms_of
from desktop_qa.parse.table_reading import read_table
from desktop_qa.parse.table_roles import head_roles


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table read by column.

    Attributes:
        headers: Text of the header of each column, several header rows joined.
        roles: Role of each column.
    """

    headers: tuple[str, ...]
    roles: tuple[ColumnRole, ...]

    @property
    def has_bounds(self) -> bool:
        """True for a table of characteristics: with MIN, TYP or MAX."""
        return any(role in BOUNDS for role in self.roles)

    def of(self, *roles: ColumnRole) -> tuple[int, ...]:
        """Indices of the columns with one of the roles."""
        return tuple(i for i, role in enumerate(self.roles) if role in roles)

    def asked_for(self, terms: QuestionTerms) -> int | None:
        """Index of the column whose header says most of a question; `None` when none says any."""
        covered = [terms.coverage(terms_of(header)) for header in self.headers]
        return covered.index(max(covered)) if any(covered) else None


def as_read(table: Table) -> Table:
    """Return a table with roles and paths; one that was stored before there were any is read."""
    return table if table.columns else read_table(table)


def read_columns(table: Table) -> TableColumns:
    """Return the columns of a table that was read.

    Where no column holds limits, codes and inputs that tell the rows apart are asked for like any
    value, unless their head calls them a symbol or a condition.
    """
    headers = [" ".join(dict.fromkeys(table.texts(heads))) for heads in table.heads()]
    roles = [column.role for column in table.columns]
    if not any(role in BOUNDS for role in roles):
        for index, role in enumerate(roles):
            if role not in head_roles(headers[index]) and role in IDENTITY[1:]:
                roles[index] = ColumnRole.VALUE
    return TableColumns(tuple(headers), tuple(roles))


def unique_texts(cells: Iterable[TableCell | None]) -> list[str]:
    """Texts of cells in order, each spanning cell and each repeated text once."""
    return list(dict.fromkeys(cell.text for cell in cells if cell is not None and cell.text))
