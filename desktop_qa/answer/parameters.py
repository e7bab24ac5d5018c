"""The parameters of a document: rows of its characteristic tables, read for a comparison.

A parameter has a name, a symbol, a condition, the kind of the section it stands in and one or more
amounts (minimum, typical, maximum). Values that hold for another part of the same sheet are left
out; those of a variant of the part are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.parameter_columns import ParameterColumns, read_parameter_columns
from desktop_qa.answer.parameter_names import name_key
from desktop_qa.answer.parameter_parts import AskedPart, Hold
from desktop_qa.answer.parameter_types import Parameter, SectionKind
from desktop_qa.answer.parameter_values import (
    Amount,
    base_unit,
    plain,
    read_amounts,
    without_footnote,
)
from desktop_qa.answer.plausible import MIN_CONFIDENCE
from desktop_qa.core.document import BOUNDS, ColumnRole, Table, TableCell
from desktop_qa.core.gaps import is_gap
from desktop_qa.core.segment import Segment, SegmentKind

_ABSOLUTE = re.compile(
    r"absolute\s+max|maximum\s+ratings?|limiting\s+values|stress\s+ratings", re.I
)
_OPERATING = re.compile(r"operating\s+(?:conditions|ratings|range)", re.I)
_THERMAL = re.compile(r"thermal", re.I)
_NOT_COMPARED = re.compile(
    r"\bpins?\b(?!.*(?:charact|specif|rating))|revision\s+history|tape|reel|package\s+materials"
    r"|mechanical\s+(?:data|draw|dimension|package|outline)|land\s+pattern|ordering|orderable|register|bit\s+field|soldering|reflow"
    r"|application\s+(?:information|example|circuit)|typical\s+application|design\s+(?:param|requir"
    r"|example|proced)|component|bill\s+of|checklist|acronym|glossary|document\s+history|marking"
    r"|external\s+components|device\s+nomenclature|truth\s+table|layout",
    re.I,
)
_ADDRESSES = re.compile(r"\baddress(?:es)?\b(?!\s+(?:pointer|register|map))", re.IGNORECASE)
_OF_A_BUS = re.compile(r"\bI\s?[2²]\s?C\b|\bslave\b|\bSMBus\b", re.IGNORECASE)
_SUBJECTS = re.compile(
    r"\b(?:gyroscope|accelerometer|magnetometer|humidity|pressure|temperature|acceleration|magnetic)",
    re.IGNORECASE,
)
_OF_A_SUBJECT = re.compile(
    r"accuracy|resolution|noise|full[- ]scale|output data rate|sensitivity|hysteresis|tolerance"
    r"|linearity|spectral|response|stability",
    re.IGNORECASE,
)
"""Names that say little without the quantity that is measured, which the table's title says."""

_MODES = re.compile(
    r"\b(?:dominant|recessive|standby|stand-by|sleep|shut-?\s?down|power-?\s?down|powered\s+down"
    r"|suspend|active|dc\s+accuracy|high-side|low-side|fast-mode|standard-mode)\b",
    re.I,
)
_SYMBOL = re.compile(r"[A-Za-zθΔ∆ψƒηλτΘΨΦδ][\w()/,+–.θΔ∆\-]{0,13}(?:\s[–-]\s\w{1,6})?")
_COUNT = frozenset(("",))
_REGISTER = re.compile(r"\b(?:bit|field)\b.*\b(?:reset|type|access|default)\b", re.IGNORECASE)
_NOTE_MARK = re.compile(r"(?:\(\d{1,2}\)|\[\d{1,2}\])\s*,?\s*")
_TO_GROUND = re.compile(r"([A-Z][\w+]{0,7}) (?:to|with respect to) (?:A?GND|VSS|ground)$", re.I)
_MAX_NAME = 110
_MAX_ADDRESSES = 16
_MAX_CONDITION = 140


def table_parameters(
    table: Table, segments: Sequence[Segment], part: AskedPart, start: int
) -> list[Parameter]:
    """Read the rows of a table as parameters.

    Args:
        table: Of the document.
        segments: The TABLE segments that show it.
        part: What is asked for.
        start: Order of its first row.
    """
    if not segments or segments[0].boilerplate:
        return []
    metadata = segments[0].metadata
    titles = (metadata.caption or table.caption, *reversed(metadata.section_path))
    is_address = any(_ADDRESSES.search(title) for title in titles[:2])
    if not is_address and any(_NOT_COMPARED.search(title) for title in titles[:2] if title):
        return []
    if addresses := _addresses(table, segments, part, start):
        return addresses
    columns = read_parameter_columns(table, part)
    if columns is None or _REGISTER.search(" ".join(columns.headers)):
        return []
    hold = min((part.holds(title) for title in titles[:2]), default=Hold.YES)
    if hold is Hold.NO:
        return []
    variant = titles[0] if hold is Hold.VARIANT else ""
    kind = SectionKind.CHARACTERISTIC if columns.names_in_header else kind_of_titles(titles)
    found: list[Parameter] = []
    subject = next((m.group() for title in titles[:2] if (m := _SUBJECTS.search(title))), "")
    for row in _rows(table, columns):
        segment = _segment_of(row.index, segments)
        for parameter in _read_row(row, columns, kind, segment, part, subject):
            marked = replace(parameter, order=start + len(found))
            if hold is Hold.VARIANT:
                marked = replace(marked, hold=Hold.VARIANT, variant=marked.variant or variant)
            found.append(marked)
    return found


def _addresses(
    table: Table, segments: Sequence[Segment], part: AskedPart, start: int
) -> list[Parameter]:
    """Read a table of bus addresses: one column of addresses, the others say when each holds."""
    grid = table.grid()[table.n_header_rows :]
    headers = table.grid()[: table.n_header_rows]
    if not 0 < len(grid) <= _MAX_ADDRESSES:
        return []
    for column in range(table.n_columns):
        read = [_address(row[column]) for row in grid]
        heads = " ".join(c.text for row in headers if (c := row[column]) is not None)
        if sum(a is not None for a in read) < 0.6 * len(grid) or not _ADDRESSES.search(heads):
            continue
        if not _OF_A_BUS.search(f"{heads} {segments[0].metadata.context_line()}"):
            continue
        found: list[Parameter] = []
        for index, (row, amount) in enumerate(zip(grid, read, strict=True)):
            cell = row[column]
            if amount is None or cell is None:
                continue
            others = _unique([c for i, c in enumerate(row) if i != column])
            segment = _segment_of(index + table.n_header_rows, segments)
            found.append(
                Parameter(
                    document_id=segment.document_id,
                    name="I2C address",
                    symbol="",
                    heading="",
                    condition=", ".join(others)[:_MAX_CONDITION],
                    kind=SectionKind.CHARACTERISTIC,
                    amounts=(amount,),
                    key=name_key("I2C address", "", "", "address"),
                    segment=segment,
                    cells=(cell,),
                    order=start + len(found),
                    hold=part.holds(" ".join(others)),
                )
            )
        return [p for p in found if p.hold is not Hold.NO]
    return []


def _address(cell: TableCell | None) -> Amount | None:
    amounts = read_amounts(cell.text, "", ColumnRole.VALUE) if cell is not None else ()
    return next((a for a in amounts if a.unit == "address" and "0x" not in a.text), None)


def kind_of_titles(titles: Sequence[str]) -> SectionKind:
    """Tell what the values of a section are good for from its titles, the nearest first."""
    for title in titles:
        for kind, pattern in (
            (SectionKind.ABSOLUTE, _ABSOLUTE),
            (SectionKind.OPERATING, _OPERATING),
            (SectionKind.THERMAL, _THERMAL),
        ):
            if title and pattern.search(title):
                return kind
    return SectionKind.CHARACTERISTIC


def _segment_of(row: int, segments: Sequence[Segment]) -> Segment:
    for segment in segments:
        element = segment.element
        if element and element.first_row <= row < element.first_row + element.n_rows:
            return segment
    return segments[0]


@dataclass(slots=True)
class _Row:
    index: int
    cells: Sequence[TableCell | None]
    name: str
    symbol: str
    heading: str
    unit: str


def _rows(table: Table, columns: ParameterColumns) -> Iterator[_Row]:
    """Read names, headings and units down the rows; an empty label is that of the row above."""
    name, symbol, unit = "", "", ""
    for index, (cells, above) in enumerate(zip(table.grid(), table.headings(), strict=True)):
        if above is None:
            name, symbol = "", ""
            continue
        heading = " ".join(above)
        own_name, own_symbol = _label(cells, columns)
        has_values = any(
            (cell := cells[i]) is not None and not is_gap(cell.text) for i in columns.values
        )
        if not has_values:
            if own_name:
                name, symbol = own_name, own_symbol
            continue
        if own_name or own_symbol:
            if own_name != name or own_symbol != symbol:
                unit = ""
            name, symbol = own_name, own_symbol
        own_unit = _unit(cells, columns)
        unit = own_unit or unit
        yield _Row(index, cells, name, symbol, heading, unit)


def _label(cells: Sequence[TableCell | None], columns: ParameterColumns) -> tuple[str, str]:
    names = _unique([cells[i] for i in columns.labels])
    symbols = [t for t in _unique([cells[i] for i in columns.symbols]) if t not in names]
    if len(names) >= 2 and not symbols and _is_symbol(names[0]):
        symbols, names = [names[0]], names[1:]
    names = [n for n in names if not is_gap(n)]
    name = without_footnote(" ".join(names))
    symbol = " ".join(symbols)
    if not symbol and (measured := _TO_GROUND.match(name)):
        symbol = measured.group(1)
    if name and not symbol and _is_symbol(name) and not name.islower() and len(name) <= 10:
        digits_or_upper = sum(c.isupper() or c.isdigit() for c in name)
        if digits_or_upper >= 2:
            return "", name
    return name[:_MAX_NAME], symbol


def _is_symbol(text: str) -> bool:
    return len(text) <= 16 and _SYMBOL.fullmatch(without_footnote(text)) is not None


def _unique(cells: Sequence[TableCell | None]) -> list[str]:
    texts = (cell.text.strip() for cell in cells if cell is not None)
    return list(dict.fromkeys(text for text in texts if text.strip(" .")))


def _unit(cells: Sequence[TableCell | None], columns: ParameterColumns) -> str:
    for index in columns.units:
        cell = cells[index]
        if cell is not None and not is_gap(cell.text):
            return without_footnote(cell.text)
    return ""


def _read_row(
    row: _Row,
    columns: ParameterColumns,
    kind: SectionKind,
    segment: Segment,
    part: AskedPart,
    subject: str,
) -> Iterator[Parameter]:
    condition = _condition(row.cells, columns)
    label = " ".join((row.name, row.symbol))
    hold = min(part.holds(label), part.holds(condition), part.holds(row.heading))
    is_other = columns.names_in_header and part.is_other_part(row.name or row.symbol)
    if hold is Hold.NO or is_other:
        return
    variant = ""
    if hold is Hold.VARIANT:
        variant = next(t for t in (label, condition, row.heading) if part.holds(t) is hold)
    if columns.has_bounds:
        groups: list[tuple[str, tuple[int, ...]]] = columns.bound_groups()
    else:
        groups = [
            (columns.leaves[i] if columns.names_in_header else columns.headers[i], (i,))
            for i in columns.values
        ]
    for leaf, indices in groups:
        amounts, cells = _amounts(row, columns, indices, kind)
        header = columns.headers[indices[0]]
        column_hold = min(hold, part.holds(header))
        if not amounts or column_hold is Hold.NO:
            continue
        name, symbol, heading, where = row.name, row.symbol, row.heading, condition
        if leaf and columns.names_in_header:
            name, symbol = leaf, ""
            where = ", ".join(dict.fromkeys(t for t in (row.name, condition) if t))
        elif leaf and len(groups) > 1:
            where = ", ".join(t for t in (leaf, condition) if t)
        if not name and heading:
            name, heading = heading, ""
        unit = next((a.unit for a in amounts if a.unit), "")
        modes = " ".join(_MODES.findall(where))
        if subject and _OF_A_SUBJECT.search(name) and not _SUBJECTS.search(name):
            name = f"{subject.capitalize()}: {name}"
        key = name_key(name, symbol, " ".join((heading, modes)).strip(), unit)
        if key.known is not None and key.known.units == _COUNT and not _is_count(amounts):
            key = replace(key, known=None)
        is_loose = not columns.has_bounds and not columns.units and key.known is None
        if is_loose and not any(a.value is not None and a.unit for a in amounts):
            continue
        yield Parameter(
            document_id=segment.document_id,
            name=name or symbol,
            symbol=symbol if name else "",
            heading=heading,
            condition=where[:_MAX_CONDITION],
            kind=kind,
            amounts=amounts,
            key=key,
            segment=segment,
            cells=cells,
            hold=column_hold,
            variant=variant if column_hold is hold else header,
        )


def _is_count(amounts: Sequence[Amount]) -> bool:
    """Tell whether amounts are whole numbers: a count, and not a value whose unit is missing."""
    return all(a.value is not None and a.value >= 1 and a.value % 1 == 0 for a in amounts)


def _condition(cells: Sequence[TableCell | None], columns: ParameterColumns) -> str:
    texts = [without_footnote(t) for t in _unique([cells[i] for i in columns.conditions])]
    texts = [_NOTE_MARK.sub("", t).strip(" ,") for t in texts]
    return ", ".join(t for t in texts if t and not is_gap(t))


def _amounts(
    row: _Row, columns: ParameterColumns, indices: Sequence[int], kind: SectionKind
) -> tuple[tuple[Amount, ...], tuple[TableCell, ...]]:
    """Read the amounts of a row; a cell over several columns is one value and no bound."""
    by_cell: dict[int, list[int]] = {}
    for index in indices:
        cell = row.cells[index]
        if cell is not None and cell.confidence >= MIN_CONFIDENCE and not is_gap(cell.text):
            by_cell.setdefault(id(cell), []).append(index)
    amounts: list[Amount] = []
    kept: list[TableCell] = []
    for own in by_cell.values():
        cell = row.cells[own[0]]
        assert cell is not None
        role = columns.role_of(own)
        unit = row.unit or columns.header_units[own[0]]
        read = read_amounts(cell.text, unit, role, is_pair=columns.is_pair(own[0]))
        pair = columns.pair(own[0]) if columns.is_pair(own[0]) else ()
        if len(read) == len(pair) == 2:
            read = tuple(replace(a, role=role) for a, role in zip(read, pair, strict=True))
        if read:
            amounts += read
            kept.append(cell)
    roles = {a.role for a in amounts}
    if len(amounts) > 1 and len(roles) == 1:
        amounts = amounts[:1]
        kept = kept[:1]
    elif (
        kind is SectionKind.OPERATING
        and roles == {ColumnRole.VALUE, ColumnRole.MAX}
        and columns.is_pair(columns.values[0])
    ):
        # Of a condition to operate under, a number under "MIN NOM" beside a maximum is the minimum.
        amounts[0] = replace(amounts[0], role=ColumnRole.MIN)
    return tuple(amounts), tuple(kept)


def is_table(segment: Segment) -> bool:
    """Tell whether a segment shows rows of a table."""
    return segment.kind is SegmentKind.TABLE and segment.element is not None


__all__ = [
    "BOUNDS",
    "Parameter",
    "SectionKind",
    "base_unit",
    "is_table",
    "plain",
    "table_parameters",
]
