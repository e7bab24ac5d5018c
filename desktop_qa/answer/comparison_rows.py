"""Rows of a comparison: parameters of several documents brought together.

Parameters are one row when they mean the same (by name, symbol and the vocabulary), are of the same
kind of quantity, and are both limits that destroy or both not. Under that, values are paired by
their conditions: the same ones first, then the usual one of each document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from desktop_qa.answer.comparison_conditions import condition_values, same_condition
from desktop_qa.answer.parameter_names import KnownParameter, NameKey, likeness
from desktop_qa.answer.parameter_parts import Hold
from desktop_qa.answer.parameter_values import Amount
from desktop_qa.answer.parameters import Parameter, SectionKind
from desktop_qa.core.document import ColumnRole, TableCell

_PACKAGE = "Package"
_MIN_LIKENESS = 0.6
_MIN_SAME_CONDITION = 0.5
_ROOM = re.compile(r"(?<![\d.–-])25\s?°\s?C|room temperature", re.IGNORECASE)
_OVER_RANGE = re.compile(
    r"[-–−]\s?\d{2}\s?°?\s?C?\s*(?:to|~|≤|\.\.\.|…|<)|T[A-Z]*MAX|over temp", re.I
)
_RATED_ANYWHERE = re.compile(r"^(?:ESD,|Storage temperature)")


@dataclass(slots=True)
class _Group:
    """All that one document states of one parameter."""

    column: int
    key: NameKey
    unit: str
    is_rating: bool
    readings: list[Parameter] = field(default_factory=list)

    @property
    def order(self) -> int:
        return self.readings[0].order


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A parameter under one condition.

    Attributes:
        cells: For each document what it states, `None` for a gap.
        lead: Whose name all rows of the parameter go by.
        known: The entry of the vocabulary; `None` for none.
        is_main: True for the row of the usual condition of its parameter.
    """

    cells: tuple[Parameter | None, ...]
    lead: Parameter
    known: KnownParameter | None
    is_rating: bool
    is_main: bool

    @property
    def stated(self) -> tuple[Parameter, ...]:
        """What the documents state, without gaps."""
        return tuple(cell for cell in self.cells if cell is not None)


def compare_parameters(documents: Sequence[Sequence[Parameter]]) -> list[ComparisonRow]:
    """Bring the parameters of documents together.

    Args:
        documents: The parameters of each, in its own order.

    Returns:
        Rows with values in most documents first; among those, what people look for first, then in
        the order of the documents.
    """
    groups = [group for i, own in enumerate(documents) for group in _groups(i, own)]
    clusters = _clusters(groups)
    keyed: list[tuple[tuple[float, ...], ComparisonRow]] = []
    for cluster in clusters:
        known = next((g.key.known for g in cluster if g.key.known), None)
        first = min((g.column, g.order) for g in cluster)
        n_documents = len({g.column for g in cluster})
        paired = _paired(cluster, len(documents))
        lead = next(cell for cell in paired[0] if cell is not None)
        for position, cells in enumerate(paired):
            row = ComparisonRow(cells, lead, known, cluster[0].is_rating, position == 0)
            n_stated = len(row.stated)
            rank = known.rank if known else 1000
            several = n_stated > 1 if position else n_documents > 1
            keyed.append(
                (
                    (
                        float(not several),
                        float(rank),
                        float(row.is_rating),
                        *map(float, first),
                        position,
                    ),
                    row,
                )
            )
    return [row for _key, row in sorted(keyed, key=lambda item: item[0])]


# The parameters of one document


def _groups(column: int, parameters: Sequence[Parameter]) -> list[_Group]:
    groups: dict[tuple[object, ...], _Group] = {}
    tabular = [p for p in parameters if not p.quote]
    for parameter in tabular:
        key, is_rating = parameter.key, _is_rating(parameter)
        printed = (key.words, key.symbol, key.told_apart, parameter.unit, is_rating)
        group = groups.setdefault(printed, _Group(column, key, parameter.unit, is_rating))
        group.readings.append(parameter)
    kept = _of_the_part(list(groups.values()))
    return kept + _from_prose(column, [p for p in parameters if p.quote], kept)


def _from_prose(
    column: int, parameters: Sequence[Parameter], groups: Sequence[_Group]
) -> list[_Group]:
    """Add what stands in sentences to the groups it belongs to, unless a table states it."""
    of_known: dict[tuple[str, bool, str], _Group] = {}
    for group in groups:
        if group.key.known is not None:
            key = (group.key.known.name, group.is_rating, group.unit)
            of_known.setdefault(key, group)
    added = []
    for parameter in sorted(parameters, key=lambda p: (-p.hold, p.order)):
        if parameter.key.known is None:
            continue
        key = (parameter.key.known.name, _is_rating(parameter), parameter.unit)
        if key not in of_known:
            group = _Group(column, parameter.key, parameter.unit, key[1], [parameter])
            of_known[key] = group
            added.append(group)
        elif not _is_repeated(parameter, of_known[key].readings):
            of_known[key].readings.append(parameter)
    return added


def _is_rating(parameter: Parameter) -> bool:
    known = parameter.key.known
    if known is not None and _RATED_ANYWHERE.match(known.name):
        return False
    return parameter.kind is SectionKind.ABSOLUTE


def _is_repeated(parameter: Parameter, readings: Iterable[Parameter]) -> bool:
    """Tell whether the front page only repeats what a table states."""
    values = {a.value for r in readings for a in r.amounts if a.value is not None}
    texts = {a.text for r in readings for a in r.amounts}
    return all(a.value in values or a.text in texts for a in parameter.amounts)


def _of_the_part(groups: list[_Group]) -> list[_Group]:
    """Leave out variants of the part where the part itself is stated, else keep one variant."""
    sure = {g.key.known.name for g in groups if g.key.known and _is_sure(g)}
    kept = []
    for group in groups:
        if group.key.known is not None and group.key.known.name == _PACKAGE:
            group.readings = [_all_offered(group.readings)]
            kept.append(group)
            continue
        readings = [r for r in group.readings if r.hold is Hold.YES]
        if not readings:
            if group.key.known is not None and group.key.known.name in sure:
                continue
            variant = group.readings[0].variant
            readings = [r for r in group.readings if r.variant == variant]
        group.readings = _joined_texts(readings)
        kept.append(group)
    return kept


def _all_offered(readings: Sequence[Parameter]) -> Parameter:
    """Join the packages that a part comes in, whatever order code each has."""
    first: dict[str, tuple[TableCell, ...]] = {}
    for reading in readings:
        if reading.segment.id == readings[0].segment.id:
            first.setdefault(reading.amounts[0].text, reading.cells)
    amount = Amount(ColumnRole.VALUE, ", ".join(first), None, "")
    cells = tuple(cell for own in first.values() for cell in own)
    return replace(readings[0], amounts=(amount,), cells=cells, condition="", hold=Hold.YES)


def _is_sure(group: _Group) -> bool:
    return any(r.hold is Hold.YES for r in group.readings)


def _joined_texts(readings: list[Parameter]) -> list[Parameter]:
    """Leave out readings that repeat another one: the same amounts under the same condition."""
    kept: dict[tuple[object, ...], Parameter] = {}
    for reading in readings:
        kept.setdefault((reading.condition, tuple(a.text for a in reading.amounts)), reading)
    return list(kept.values())


# Clusters of parameters over the documents


def _clusters(groups: Sequence[_Group]) -> list[list[_Group]]:
    """Join the pairs that are most alike first; each document has one place in a cluster."""
    buckets: dict[tuple[str, bool], list[int]] = {}
    for index, group in enumerate(groups):
        buckets.setdefault((group.unit, group.is_rating), []).append(index)
    pairs = [pair for bucket in buckets.values() for pair in _pairs(groups, bucket)]
    cluster_of = list(range(len(groups)))
    members: dict[int, list[int]] = {i: [i] for i in range(len(groups))}
    for _score, _order, a, b in sorted(pairs):
        _join(groups, cluster_of, members, a, b)
    for a, b in _same_in_other_units(groups):
        _join(groups, cluster_of, members, a, b)
    return [[groups[i] for i in sorted(own)] for own in members.values()]


def _pairs(
    groups: Sequence[_Group], bucket: Sequence[int]
) -> Iterable[tuple[float, int, int, int]]:
    for position, a in enumerate(bucket):
        for b in bucket[position + 1 :]:
            if groups[a].column == groups[b].column:
                continue
            score = _likeness(groups[a], groups[b])
            if score >= _MIN_LIKENESS:
                yield -score, groups[a].order + groups[b].order, a, b


def _likeness(one: _Group, other: _Group) -> float:
    score = likeness(one.key, other.key)
    same_kind = one.readings[0].kind is other.readings[0].kind
    return score + (0.03 if score and same_kind else 0.0)


def _join(
    groups: Sequence[_Group],
    cluster_of: list[int],
    members: dict[int, list[int]],
    a: int,
    b: int,
) -> None:
    one, other = cluster_of[a], cluster_of[b]
    if one == other:
        return
    columns = {groups[i].column for i in members[one]}
    if not columns.isdisjoint(groups[i].column for i in members[other]):
        return
    for i in members.pop(other):
        cluster_of[i] = one
        members[one].append(i)


def _same_in_other_units(groups: Sequence[_Group]) -> list[tuple[int, int]]:
    """Pair what the vocabulary knows as one and two documents give in units of two kinds."""
    found = []
    by_known: dict[tuple[int, bool], list[int]] = {}
    for index, group in enumerate(groups):
        if group.key.known is not None and not group.key.known.units:
            by_known.setdefault((group.key.known.rank, group.is_rating), []).append(index)
    for indices in by_known.values():
        found += [
            (a, b)
            for position, a in enumerate(indices)
            for b in indices[position + 1 :]
            if groups[a].column != groups[b].column and likeness(groups[a].key, groups[b].key) > 0
        ]
    return found


# Conditions


def _paired(cluster: Sequence[_Group], n_columns: int) -> list[tuple[Parameter | None, ...]]:
    """Bring the readings of a parameter together by condition; the usual ones come first."""
    rows: list[list[Parameter | None]] = []
    candidates = []
    for i, one in enumerate(cluster):
        for other in cluster[i + 1 :]:
            for a in one.readings:
                for b in other.readings:
                    score = same_condition(a, b)
                    if score >= _MIN_SAME_CONDITION:
                        candidates.append(
                            (-score, a.order + b.order, one.column, a, other.column, b)
                        )
    for _score, _order, column_a, a, column_b, b in sorted(candidates, key=lambda c: c[:3]):
        _place(rows, column_a, a, column_b, b, n_columns)
    main: list[Parameter | None] | None = None
    for group in sorted(cluster, key=lambda g: g.column):
        usual = max(group.readings, key=lambda r: _usualness(r, _shared_values(r, cluster)))
        own = next((row for row in rows if row[group.column] is usual), None)
        if main is None:
            main = own if own is not None else _new_row(rows, group.column, usual, n_columns)
        elif own is None and main[group.column] is None:
            main[group.column] = usual
        elif own is not None and own is not main and main[group.column] is None:
            # The usual values of all documents stand side by side, whatever else they fit.
            own[group.column] = None
            main[group.column] = usual
    rows = [row for row in rows if any(cell is not None for cell in row)]
    for group in cluster:
        for reading in group.readings:
            if not any(row[group.column] is reading for row in rows):
                _new_row(rows, group.column, reading, n_columns)
    if main is not None:
        rows = [main, *(row for row in rows if row is not main)]
    return [tuple(row) for row in rows]


def _new_row(
    rows: list[list[Parameter | None]], column: int, reading: Parameter, n_columns: int
) -> list[Parameter | None]:
    row: list[Parameter | None] = [None] * n_columns
    row[column] = reading
    rows.append(row)
    return row


def _place(
    rows: list[list[Parameter | None]],
    column_a: int,
    a: Parameter,
    column_b: int,
    b: Parameter,
    n_columns: int,
) -> None:
    row_a = next((row for row in rows if row[column_a] is a), None)
    row_b = next((row for row in rows if row[column_b] is b), None)
    if row_a is None and row_b is None:
        row_a = _new_row(rows, column_a, a, n_columns)
        row_a[column_b] = b
    elif row_a is not None and row_b is None and row_a[column_b] is None:
        row_a[column_b] = b
    elif row_b is not None and row_a is None and row_b[column_a] is None:
        row_b[column_a] = a
    elif row_a is not None and row_b is not None and row_a is not row_b:
        _merge(rows, row_a, row_b)


def _merge(
    rows: list[list[Parameter | None]],
    into: list[Parameter | None],
    other: list[Parameter | None],
) -> None:
    """Join two rows where no document would have two values."""
    if any(a is not None and b is not None for a, b in zip(into, other, strict=True)):
        return
    for column, cell in enumerate(other):
        if cell is not None:
            into[column] = cell
    rows[:] = [row for row in rows if row is not other]


def _shared_values(reading: Parameter, cluster: Sequence[_Group]) -> int:
    """Count the other documents that state the parameter under one of the same values."""
    own = condition_values(reading.condition)
    return sum(
        any(not own.isdisjoint(condition_values(other.condition)) for other in group.readings)
        for group in cluster
        if reading not in group.readings
    )


def _usualness(reading: Parameter, n_sharing: int) -> tuple[float, int]:
    text = reading.condition
    score = 0.7 * min(n_sharing, 2)
    if _ROOM.search(text):
        score += 1.0
    if _OVER_RANGE.search(text):
        score -= 0.6
    score += 0.3 if reading.amount(ColumnRole.TYP) else 0.0
    score += 0.2 if reading.kind is SectionKind.OPERATING else 0.0
    score -= 2.0 if reading.quote else 0.0
    score -= 0.5 if all(a.value is None for a in reading.amounts) else 0.0
    return score, -reading.order
