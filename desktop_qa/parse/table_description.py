"""A table in one sentence: what it is about, by which columns, in which units, in which chapter."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from desktop_qa.core.document import ColumnRole, Table, TableCell, split_heading_number
from desktop_qa.core.folding import fold
from desktop_qa.parse.table_roles import is_unit
from desktop_qa.parse.table_text import is_value

_MAX_COLUMNS = 10
_MAX_UNITS = 8
_MAX_ROWS_NAMED = 4
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")


def describe_table(table: Table, heading: str) -> str:
    """Describe a table by its title, headers, units and chapter.

    Args:
        table: With its header rows marked.
        heading: Of the chapter it stands in, with its number; empty before the first.
    """
    number, chapter = split_heading_number(heading)
    subject = table.caption or table.label or chapter or "Table"
    parts = [subject.rstrip(" .:")]
    if chapter and fold(chapter) not in fold(subject):
        parts.append(f'in chapter "{f"{number} {chapter}".strip()}"')
    headers = _headers(table)
    if headers:
        parts.append("by " + ", ".join(headers[:_MAX_COLUMNS]))
    if rows := _row_names(table):
        parts.append("with rows such as " + ", ".join(rows))
    if units := _units(table):
        parts.append("in " + ", ".join(units[:_MAX_UNITS]))
    return "; ".join(parts) + "."


def _headers(table: Table) -> list[str]:
    cells = [cell for cell in table.cells if cell.is_header and _clean(cell.text)]
    return list(dict.fromkeys(_clean(cell.text) for cell in cells))


def _row_names(table: Table) -> list[str]:
    """Return what the first rows are about."""
    names = (_clean(cell.text) for cell in _body(table, ColumnRole.SUBJECT))
    kept = (name for name in names if 2 <= len(name) <= 60 and not is_value(name))
    return list(itertools.islice(dict.fromkeys(kept), _MAX_ROWS_NAMED))


def _body(table: Table, role: ColumnRole) -> Iterator[TableCell]:
    """Yield the filled cells of the columns of a role, from the top."""
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        if cell.text and not cell.is_header and table.columns[cell.column].role is role:
            yield cell


def _units(table: Table) -> list[str]:
    found = [_clean(cell.text) for cell in _body(table, ColumnRole.UNIT)]
    heads = (_IN_BRACKETS.search(cell.text) for cell in table.cells if cell.is_header)
    named = (match[1] for match in heads if match is not None and is_unit(match[1]))
    return list(dict.fromkeys((*(unit for unit in found if not is_value(unit)), *named)))


def _clean(text: str) -> str:
    return " ".join(text.split())
