"""Statements from tables: the cells of the right rows under the right columns, with their unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.columns import (
    BOUNDS,
    ColumnRole,
    TableColumns,
    read_columns,
    unique_texts,
)
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import PageWords, Table, TableCell
from desktop_qa.core.word_places import PlacedWord, words_within
from desktop_qa.index.lexical import terms_of

_MAX_GENERIC_CELLS = 6
_MAX_CELL_CHARS = 240
_WITHOUT_THE_BOUND = 0.8
_DIGIT = re.compile(r"\d")
_FORMULA = re.compile("[\u239b-\u23b3]")
"""Pieces of tall brackets: a formula that was set like a table reads as nonsense in a sentence."""

_WANTED: tuple[tuple[ColumnRole, re.Pattern[str]], ...] = (
    (ColumnRole.MAX, re.compile(r"\b(max(imum)?|at most|worst|upper|highest|up to)\b", re.I)),
    (ColumnRole.MIN, re.compile(r"\b(min(imum)?|at least|lower|lowest)\b", re.I)),
    (ColumnRole.TYP, re.compile(r"\b(typ(ical(ly)?)?|nominal)\b", re.I)),
)
_BOUND_NAMES = {ColumnRole.MIN: "min", ColumnRole.TYP: "typ", ColumnRole.MAX: "max"}

Grid = list[list[TableCell | None]]


@dataclass(frozen=True, slots=True)
class _Row:
    """A body row read by the roles of its columns."""

    index: int
    label: str
    group: str
    condition: str
    terms: frozenset[str]


def table_statements(
    question: str, terms: QuestionTerms, evidence: Evidence, source: EvidenceSource
) -> list[Statement]:
    """State the rows of a table segment that speak of what the question asks.

    Returns:
        One statement for each row with any overlap, best first; empty when none has.
    """
    segment = evidence.segment
    table = source.table(segment)
    if table is None or segment.element is None:
        return []
    grid = table.grid()
    columns = read_columns(table, grid)
    wanted = tuple(role for role, pattern in _WANTED if pattern.search(question))
    context = set(terms_of(segment.metadata.context_line())) | set(
        terms_of(" ".join(columns.headers))
    )
    first = segment.element.first_row
    words = source.words(segment)
    statements = []
    for row in _rows(grid, columns, first, first + segment.element.n_rows):
        own = terms.coverage(row.terms)
        if own <= 0.0 and terms.weights:
            continue
        whole = terms.coverage(row.terms | context)
        statement = _state(table, grid, columns, row, wanted, terms, evidence, words)
        if statement is not None:
            text, runs, cells = statement
            score = 0.65 * own + 0.35 * whole
            if (
                wanted
                and columns.has_bounds
                and not _states_bound(grid[row.index], columns, wanted)
            ):
                score *= _WITHOUT_THE_BOUND
            subject = (row.label or row.group).casefold()
            statements.append(Statement(text, evidence, runs, cells, whole, score, subject))
    return sorted(statements, key=lambda s: -s.score)


def _states_bound(
    cells: Sequence[TableCell | None], columns: TableColumns, wanted: tuple[ColumnRole, ...]
) -> bool:
    """Tell whether the row has a number under one of the bounds asked for."""
    return any(_DIGIT.search(_text(cells[i])) for i in columns.of(*wanted))


def _rows(grid: Grid, columns: TableColumns, first: int, end: int) -> list[_Row]:
    rows = []
    group = ""
    for index, cells in enumerate(grid[:end]):
        texts = unique_texts(cells)
        if not texts or all(cell is None or cell.is_header for cell in cells):
            continue
        if len(texts) == 1 and len(cells) > 1:
            group = texts[0]
            continue
        if any(_FORMULA.search(text) for text in texts):
            continue
        if index < first:
            continue
        label = _label(cells, columns)
        condition = ", ".join(
            text
            for text in unique_texts([cells[i] for i in columns.of(ColumnRole.CONDITION)])
            if text not in label
        )
        row_terms = frozenset(terms_of(" ".join((group, *texts))))
        rows.append(_Row(index, label, group, condition, row_terms))
    return rows


def _label(cells: Sequence[TableCell | None], columns: TableColumns) -> str:
    names = unique_texts([cells[i] for i in columns.of(ColumnRole.LABEL)])
    symbols = [
        text
        for text in unique_texts([cells[i] for i in columns.of(ColumnRole.SYMBOL)])
        if text not in names
    ]
    # A symbol in an unnamed first column ("VOS | Input offset voltage") is the shorter text.
    if len(names) >= 2 and len(names[0]) <= 12 and " " not in names[0]:
        symbols, names = [names[0], *symbols], names[1:]
    label = " ".join(names)
    return f"{label} ({', '.join(symbols)})" if symbols and label else label or " ".join(symbols)


def _state(
    table: Table,
    grid: Grid,
    columns: TableColumns,
    row: _Row,
    wanted: tuple[ColumnRole, ...],
    terms: QuestionTerms,
    evidence: Evidence,
    words: Sequence[PlacedWord],
) -> tuple[str, tuple[tuple[PlacedWord, ...], ...], tuple[tuple[int, int], ...]] | None:
    cells = grid[row.index]
    if columns.has_bounds:
        values, said = _bounds(cells, columns, wanted)
    else:
        values, said = _generic(cells, columns, terms)
    if not said:
        return None
    subject = row.label or row.group
    if row.condition:
        subject = f"{subject} at {row.condition}" if subject else row.condition
    text = f"{subject}: {said}" if subject else said
    quoted = _quoted_cells(cells, columns, values)
    runs, positions = [], []
    for cell in quoted:
        run = _cell_words(cell, words)
        if run:
            runs.append(tuple(run))
            positions.append((cell.row, cell.column))
    value_cells = {(c.row, c.column) for i in values if (c := cells[i]) is not None}
    if not value_cells & set(positions):
        return None
    return _end(text), tuple(runs), tuple(positions)


def _end(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def _bounds(
    cells: Sequence[TableCell | None], columns: TableColumns, wanted: tuple[ColumnRole, ...]
) -> tuple[list[int], str]:
    """State MIN, TYP and MAX with the unit; the bound asked for stands first and in bold."""
    unit = next(
        (cell.text for i in columns.of(ColumnRole.UNIT) if (cell := cells[i]) and cell.text), ""
    )
    present = [i for i in columns.of(*BOUNDS, ColumnRole.VALUE) if _text(cells[i])]
    distinct = {id(cells[i]) for i in present}
    if len(distinct) == 1 and len(present) > 1:
        return present[:1], f"**{_with_unit(_text(cells[present[0]]), unit)}**"
    asked = [i for i in present if columns.roles[i] in wanted]
    parts = []
    for index in (*asked, *(i for i in present if i not in asked)):
        role = columns.roles[index]
        value = _with_unit(_text(cells[index]), unit)
        name = _BOUND_NAMES.get(role, columns.headers[index])
        strong = index in asked or not asked
        value = _shortened(value)
        parts.append(f"{name} **{value}**" if strong else f"{name} {value}")
    return present, ", ".join(parts)


def _with_unit(value: str, unit: str) -> str:
    if not unit or unit in ("-", "–", "—") or value.casefold().endswith(unit.casefold()):
        return value
    return f"{value} {unit}"


def _generic(
    cells: Sequence[TableCell | None], columns: TableColumns, terms: QuestionTerms
) -> tuple[list[int], str]:
    """State a row of a table of another kind: the columns the question names, else all."""
    labels = set(columns.of(ColumnRole.LABEL, ColumnRole.SYMBOL))
    candidates = [i for i in range(len(cells)) if i not in labels and _text(cells[i])]
    if not candidates:
        candidates = [i for i in range(len(cells)) if _text(cells[i])][-1:]
    covered = {i: terms.coverage(terms_of(columns.headers[i])) for i in candidates}
    best = max(covered.values(), default=0.0)
    chosen = [i for i in candidates if best > 0.0 and covered[i] >= 0.99 * best]
    chosen = chosen or candidates[:_MAX_GENERIC_CELLS]
    seen: dict[int, int] = {}
    for index in chosen:
        seen.setdefault(id(cells[index]), index)
    kept = list(seen.values())
    unit = next((_text(cells[i]) for i in columns.of(ColumnRole.UNIT)), "")
    parts = []
    for index in kept:
        if columns.roles[index] is ColumnRole.UNIT and len(kept) > 1:
            continue
        header = columns.headers[index]
        value = _shortened(_text(cells[index]))
        if columns.roles[index] is ColumnRole.VALUE:
            value = _with_unit(value, unit)
        parts.append(f"{header} **{value}**" if header else f"**{value}**")
    return kept, "; ".join(parts)


def _shortened(text: str) -> str:
    if len(text) <= _MAX_CELL_CHARS:
        return text
    return text[:_MAX_CELL_CHARS].rsplit(" ", 1)[0] + " …"


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else cell.text


def _quoted_cells(
    cells: Sequence[TableCell | None], columns: TableColumns, values: list[int]
) -> list[TableCell]:
    """The label of the row, then the values stated."""
    labels = columns.of(ColumnRole.LABEL, ColumnRole.SYMBOL)
    quoted: dict[tuple[int, int], TableCell] = {}
    for index in (*labels, *values):
        cell = cells[index]
        if cell is not None and cell.text:
            quoted.setdefault((cell.row, cell.column), cell)
    return list(quoted.values())


def _cell_words(cell: TableCell, words: Sequence[PlacedWord]) -> list[PlacedWord]:
    pages: dict[int, list[PlacedWord]] = {}
    for placed in words:
        pages.setdefault(placed[0], []).append(placed)
    found: list[PlacedWord] = []
    for place in cell.provenances:
        page = PageWords(place.page_no, tuple(w for _no, w in pages.get(place.page_no, ())))
        found += words_within([page], [place])
    return list(dict.fromkeys(found))
