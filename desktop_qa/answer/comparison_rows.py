"""Rows of a comparison: parameters of several documents brought together.

Parameters are one row when they are called alike (by words, by meaning, by symbol), are of the same
kind of quantity, and are both limits that destroy or both not. Under that, values are paired by
their conditions: the same ones first, then the usual one of each document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from desktop_qa.answer.labels import contradict, shared, stems, symbol_key, telling_words
from desktop_qa.answer.parameters import Parameter
from desktop_qa.answer.part_mentions import Mention
from desktop_qa.answer.reply import Vectors
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.terms import terms_of

_MIN_ALIKE = 0.7
"""Mean of the words shared and the cosine from which two names mean the same."""

_CALLED_THE_SAME = 2.0
_MIN_ASKED = 0.6
_AS_GOOD = 0.15


@dataclass(slots=True)
class _Group:
    """All that one document states of one parameter."""

    column: int
    readings: list[Parameter] = field(default_factory=list)

    @property
    def first(self) -> Parameter:
        return self.readings[0]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A parameter under one condition.

    Attributes:
        cells: For each document what it states, `None` for a gap.
        lead: Whose name all rows of the parameter go by.
        is_main: True for the row of the usual condition of its parameter.
    """

    cells: tuple[Parameter | None, ...]
    lead: Parameter
    is_main: bool

    @property
    def stated(self) -> tuple[Parameter, ...]:
        """What the documents state, without gaps."""
        return tuple(cell for cell in self.cells if cell is not None)


def compare_parameters(
    documents: Sequence[Sequence[Parameter]], vectors: Vectors
) -> list[ComparisonRow]:
    """Bring the parameters of documents together.

    Args:
        documents: The parameters of each, in its own order.
        vectors: Of names, which tell whether names without the same words mean the same.

    Returns:
        Rows that several documents state first; among them in the order of the documents, which
        begin with their limits.
    """
    groups = [group for i, own in enumerate(documents) for group in _groups(i, own)]
    keyed: list[tuple[tuple[bool, int, int, int], ComparisonRow]] = []
    for cluster in _clusters(groups, vectors):
        paired = _paired(cluster, len(documents))
        lead = next(cell for cell in paired[0] if cell is not None)
        column, first = min((g.column, g.first.order) for g in cluster)
        for position, cells in enumerate(paired):
            row = ComparisonRow(cells, lead, position == 0)
            is_alone = len(row.stated) < 2 if position else len(cluster) < 2
            keyed.append(((is_alone, column, first, position), row))
    return [row for _key, row in sorted(keyed, key=lambda item: item[0])]


def _groups(column: int, parameters: Sequence[Parameter]) -> list[_Group]:
    groups: dict[tuple[object, ...], _Group] = {}
    for p in parameters:
        key = (p.words, p.symbol_key, p.unit, p.is_rating)
        groups.setdefault(key, _Group(column)).readings.append(p)
    for group in groups.values():
        own = [r for r in group.readings if r.mention is not Mention.VARIANT]
        own = own or [r for r in group.readings if r.variant == group.first.variant]
        # What repeats another reading under the same condition says nothing more.
        kept = {(r.condition, tuple(a.text for a in r.amounts)): r for r in reversed(own)}
        group.readings = list(kept.values())[::-1]
    return list(groups.values())


# Clusters of parameters over the documents


def _clusters(groups: Sequence[_Group], vectors: Vectors) -> list[list[_Group]]:
    """Join the pairs that are most alike first; each document has one place in a cluster."""
    buckets: dict[tuple[str, bool], list[_Group]] = defaultdict(list)
    for group in groups:
        buckets[group.first.unit, group.first.is_rating].append(group)
    shared_buckets = [b for b in buckets.values() if len({g.column for g in b}) > 1]
    labels = list(dict.fromkeys(g.first.label for bucket in shared_buckets for g in bucket))
    meaning = dict(zip(labels, vectors(labels), strict=True)) if labels else {}
    pairs = [pair for bucket in shared_buckets for pair in _alike(bucket, meaning)]
    # What is called the same and given in units of two kinds stands side by side all the same.
    named = [g for g in groups if len(g.first.words) > 1 and not g.first.is_rating]
    pairs += [(0.0, a, b) for a, b in combinations(named, 2) if a.first.words == b.first.words]
    cluster_of = {id(group): [group] for group in groups}
    for _score, a, b in sorted(pairs, key=lambda p: (-p[0], p[1].first.order + p[2].first.order)):
        one, other = cluster_of[id(a)], cluster_of[id(b)]
        if {g.column for g in one}.isdisjoint(g.column for g in other):
            one += other
            cluster_of.update({id(g): one for g in other})
    return list({id(own): own for own in cluster_of.values()}.values())


def _alike(
    bucket: Sequence[_Group], meaning: Mapping[str, npt.NDArray[np.float32]]
) -> Iterator[tuple[float, _Group, _Group]]:
    """Score the pairs that may mean the same: those called the same by words and symbol most.

    What both documents give one parameter of a unit for is that parameter, whatever they call it:
    fT is one maker's transition frequency and another's bandwidth product.
    """
    n_of_symbol = Counter((g.column, g.first.symbol_key) for g in bucket)
    for a, b in combinations(bucket, 2):
        one, other = a.first, b.first
        if a.column == b.column or contradict(one.words, other.words):
            continue
        is_one_symbol = one.symbol_key == other.symbol_key
        cosine = float(meaning[one.label] @ meaning[other.label])
        score = (shared(one.words, other.words) + cosine) / 2
        if one.words and one.words == other.words:
            score = _CALLED_THE_SAME + is_one_symbol
        elif is_one_symbol and len(one.symbol_key) > 1:
            is_bare = one.symbol == one.name or other.symbol == other.name
            is_sole = all(n_of_symbol[g.column, g.first.symbol_key] == 1 for g in (a, b))
            score = max(score, float(is_bare or is_sole))
        if score >= _MIN_ALIKE:
            yield score, a, b


def asked_rows(
    rows: Sequence[ComparisonRow], name: str, vectors: Vectors, unit: str = ""
) -> list[ComparisonRow]:
    """Return the rows that a person means by a name, the likest first; else none.

    Args:
        rows: Of a comparison.
        name: Of a parameter, as typed.
        vectors: See `compare_parameters`.
        unit: That all rows have, so that the likest of them is meant; empty for any.
    """
    labels = list(dict.fromkeys(p.label for row in rows for p in row.stated))
    if not labels or not name:
        return []
    asked, *found = vectors([name, *labels])
    meaning = dict(zip(labels, found, strict=True))
    words, symbol = frozenset(stems(name)), symbol_key(name)

    def fit(parameter: Parameter) -> float:
        said = telling_words(parameter.label)
        if symbol == parameter.symbol_key:
            return 1.0
        cosine = float(asked @ meaning[parameter.label])
        return 0.0 if contradict(words, said) else (shared(words, said) + cosine) / 2

    scored = [(max(map(fit, row.stated)), row) for row in rows]
    best = max(s for s, _row in scored)
    near = [(s, row) for s, row in scored if s >= max(0.0 if unit else _MIN_ASKED, best - _AS_GOOD)]
    near.sort(
        key=lambda x: (
            len(x[1].stated) < 2,
            x[1].lead.is_rating,
            -round(x[0], 1),
            -len(x[1].stated),
            -x[0],
        )
    )
    return [row for _score, row in near if row.lead.is_rating == near[0][1].lead.is_rating]


# Conditions


@lru_cache(maxsize=16384)
def _condition_key(text: str) -> frozenset[str]:
    """What makes conditions the same: their values, else their words."""
    return frozenset(find_values(text)) or frozenset(terms_of(text))


def _paired(cluster: Sequence[_Group], n_columns: int) -> list[tuple[Parameter | None, ...]]:
    """Bring the readings of a parameter together by condition; the usual ones come first."""
    by_column = sorted(cluster, key=lambda g: g.column)
    usual = [max(g.readings, key=lambda r: _usualness(r, cluster)) for g in by_column]
    # The usual values of all documents stand side by side, whatever else they fit.
    shared = _condition_key(usual[0].condition)
    main = {by_column[0].column: usual[0]}
    for group, one in zip(by_column[1:], usual[1:], strict=True):
        same = (r for r in group.readings if _condition_key(r.condition) == shared)
        main[group.column] = next(same, one)
    rows: dict[tuple[frozenset[str], int], dict[int, Parameter]] = {(shared, -1): main}
    for group in by_column:
        n_under: Counter[frozenset[str]] = Counter()
        for reading in group.readings:
            if reading is not main[group.column]:
                terms = _condition_key(reading.condition)
                rows.setdefault((terms, n_under[terms]), {})[group.column] = reading
                n_under[terms] += 1
    return [tuple(row.get(i) for i in range(n_columns)) for row in rows.values()]


def _usualness(reading: Parameter, cluster: Sequence[_Group]) -> tuple[bool, int, bool, int]:
    """What tells the reading that people mean: a table's, under shared values, with a TYP."""
    own = _condition_key(reading.condition)
    n_sharing = sum(
        any(not own.isdisjoint(_condition_key(other.condition)) for other in group.readings)
        for group in cluster
        if reading not in group.readings
    )
    return not reading.quote, n_sharing, reading.amount(ColumnRole.TYP) is not None, -reading.order
