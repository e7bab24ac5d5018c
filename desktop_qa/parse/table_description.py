"""A table in one sentence: what it is about, by which columns, in which units, in which chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from desktop_qa.core.document import Table, TableCell, split_heading_number
from desktop_qa.core.folding import fold

_MAX_COLUMNS = 10
_MAX_UNITS = 8
_MAX_ROWS_NAMED = 4
_UNIT_HEADER = re.compile(r"^(?:units?|unit\(s\))$", re.IGNORECASE)
_UNIT = (
    r"(?:[kMGTmµμnpf]?(?:V|A|W|Hz|Ω|ohms?|s|F|H|m|g|bps|B|Pa|J|K|C|LSB|SPS|Vpp|Vrms|bits?)"
    r"|°C?|%|ppm|dB\w?|min|mm|cm|inch|in|lx|lux|dps|baud)"
)
_UNIT_IN_HEADER = re.compile(rf"[(\[]({_UNIT}(?:/(?:√)?{_UNIT})?)[)\]]\s*$")
_VALUE = re.compile(r"^[\s\d.,+\-–−±≤≥<>xX*/…—]*$")


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
    """Return what the first rows are about: the first cell of each that is no value."""
    names: dict[str, None] = {}
    for row in _body(table):
        name = next(
            (text for cell in row if (text := _clean(cell.text)) and not _VALUE.match(text)), ""
        )
        if 2 <= len(name) <= 60:
            names.setdefault(name)
        if len(names) == _MAX_ROWS_NAMED:
            break
    return list(names)


def _body(table: Table) -> Iterable[list[TableCell]]:
    rows: dict[int, list[TableCell]] = {}
    for cell in table.cells:
        if not cell.is_header:
            rows.setdefault(cell.row, []).append(cell)
    return (sorted(of, key=lambda cell: cell.column) for _row, of in sorted(rows.items()))


def _units(table: Table) -> list[str]:
    headers = [cell for cell in table.cells if cell.is_header]
    unit_columns = {
        cell.column for cell in headers if _UNIT_HEADER.match(" ".join(cell.text.split()))
    }
    found = [
        text
        for cell in table.cells
        if cell.column in unit_columns
        and not cell.is_header
        and (text := _clean(cell.text))
        and len(text) <= 12
        and not _VALUE.match(text)
    ]
    found += _units_in_headers(headers)
    return list(dict.fromkeys(found))


def _units_in_headers(headers: Sequence[TableCell]) -> Iterable[str]:
    for cell in headers:
        if match := _UNIT_IN_HEADER.search(" ".join(cell.text.split())):
            yield match[1]


def _clean(text: str) -> str:
    return " ".join(text.split())
