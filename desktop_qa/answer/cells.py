"""Statements from tables: the cells of the right rows under the right columns, with their unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.part_mentions import NO_PARTS, Mention, PartMentions
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.answer.table_rows import MIN_CONFIDENCE, TableRow, table_rows
from desktop_qa.augment.quantities import find_values
from desktop_qa.augment.table_values import head_unit, table_values
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import BOUNDS, ColumnRole, PageWords, TableCell
from desktop_qa.core.gaps import is_gap
from desktop_qa.core.word_places import PlacedWord, words_within
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

_MAX_GENERIC_CELLS = 6
_MAX_CELL_CHARS = 240
_SCALES = {10**3: "thousand", 10**6: "million", 10**9: "billion"}
_DIGIT = re.compile(r"\d")
_BARE_NUMBER = re.compile(r"[\d.,+\-–−x/ ]+[bh]?")
_NAME = re.compile(r"[A-Za-z][\w/+-]{1,20}")


@dataclass(frozen=True)
class RowQuestion:
    """What decides which cells of a row are stated.

    Attributes:
        text: The question as asked.
        parts: Part numbers asked for.
    """

    text: str
    terms: QuestionTerms
    parts: PartMentions = NO_PARTS

    @cached_property
    def wanted(self) -> tuple[ColumnRole, ...]:
        """Bounds asked for."""
        return limits_in(self.text)

    @cached_property
    def values(self) -> frozenset[str]:
        """Values in the question, in normal form without the mark of the keyword index."""
        return frozenset(find_values(self.text))


def row_statements(
    asked: RowQuestion, evidence: Evidence, source: EvidenceSource
) -> list[Statement]:
    """State every row of a table segment, in the order of the table."""
    segment = evidence.segment
    table = source.table(segment)
    if table is None or segment.element is None:
        return []
    columns = read_columns(table)
    headers = " ".join(columns.headers)
    values_of_heads = [frozenset(find_values(header)) for header in columns.headers]
    context = frozenset(terms_of(f"{segment.metadata.context_line()} {headers}"))
    words = source.words(segment)
    first = segment.element.first_row
    statements = []
    for row in table_rows(table, columns, first, first + segment.element.n_rows):
        chosen = _choose_columns(row, asked)
        given = _given_texts(row, chosen, asked)
        row = replace(row, condition=", ".join(filter(None, (row.condition, *given))))
        stated = _stated(row, chosen, words)
        if stated is None:
            continue
        text, runs, cells = stated
        terms = frozenset(terms_of(row.text))
        gives_bound = _gives_bound(row, asked.wanted)
        whole = asked.terms.coverage(terms | context)
        statement = Statement(text, evidence, runs, cells, whole, whole)
        statements.append(
            replace(
                statement,
                subject=row.subject.casefold(),
                group=row.group if row.group not in text else "",
                about=_about(table.caption, row, chosen),
                terms=terms,
                values=table_values(table, row.index, 1).union(
                    find_values(row.text), *(values_of_heads[i] for i in chosen)
                ),
                mention=_mention(row, chosen, asked.parts),
                lacks_bound=gives_bound is False,
                n_given=len(given),
                gives_bound=gives_bound is True,
            )
        )
    return statements


def _given_texts(row: TableRow, chosen: Sequence[int], asked: RowQuestion) -> list[str]:
    """Cells that the question itself gives, with their headers: conditions of the others."""
    if row.columns.has_bounds:
        return []
    texts: dict[str, None] = {}
    for index in row.columns.of(ColumnRole.VALUE):
        text, header = _text(row.cells[index]), row.columns.headers[index]
        if index not in chosen and not is_gap(text) and _is_given(text, header, asked):
            texts[f"{header} {text}".strip()] = None
    return list(texts)


def _about(caption: str, row: TableRow, chosen: Sequence[int]) -> str:
    """What the row says without its values: its title, label and condition."""
    parts = [row.group, row.label, row.condition]
    if not row.columns.has_bounds:
        parts = [caption, *parts, *(row.columns.headers[i] for i in chosen)]
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _mention(row: TableRow, chosen: Sequence[int], parts: PartMentions) -> Mention:
    heads = (row.columns.headers[i] for i in chosen)
    own = parts.of(" ".join((row.label, row.condition, *heads)))
    return own if own is not Mention.NONE else parts.of(row.group)


def _gives_bound(row: TableRow, wanted: tuple[ColumnRole, ...]) -> bool | None:
    """Tell whether a row gives a bound asked for; `None` when none is, or no column is for it."""
    if not wanted or not row.columns.has_bounds:
        return None
    return any(_DIGIT.search(_text(row.cells[i])) for i in row.columns.of(*wanted))


def _choose_columns(row: TableRow, asked: RowQuestion) -> list[int]:
    """Return the columns to state, those asked for first; spanning cells once."""
    columns, cells = row.columns, row.cells
    if columns.has_bounds:
        values = columns.of(*BOUNDS, ColumnRole.VALUE)
        present = [i for i in values if not is_gap(_text(cells[i]))]
        present = columns.of_part(present, asked.parts)
        wanted = [i for i in present if columns.roles[i] in asked.wanted]
        ordered = [*wanted, *(i for i in present if i not in wanted)]
    else:
        ordered = _other_columns(row, asked)
    seen: dict[int, int] = {}
    for index in ordered:
        seen.setdefault(id(cells[index]), index)
    return list(seen.values())


def _other_columns(row: TableRow, asked: RowQuestion) -> list[int]:
    """Columns of a table without bounds: those that the question names, else all."""
    columns, cells = row.columns, row.cells
    labels = set(columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL))
    candidates = [i for i in range(len(cells)) if i not in labels and not is_gap(_text(cells[i]))]
    if not candidates:
        candidates = [i for i in range(len(cells)) if _text(cells[i])][-1:]
    candidates = columns.of_part(candidates, asked.parts)
    if len(candidates) > 1:
        candidates = [i for i in candidates if columns.roles[i] is not ColumnRole.UNIT]
    given = [i for i in candidates if _is_given(_text(cells[i]), columns.headers[i], asked)]
    candidates = [i for i in candidates if i not in given] or candidates
    fits = {i: _header_fit(columns.headers[i], asked) for i in candidates}
    best = max(fits.values(), default=0.0)
    chosen = [i for i in candidates if best > 0.0 and fits[i] >= 0.99 * best]
    return chosen or candidates[:_MAX_GENERIC_CELLS]


def _is_given(text: str, header: str, asked: RowQuestion) -> bool:
    """Tell whether the question itself says what stands in a cell, so that it asks for another."""
    if asked.values & frozenset(find_values(f"{text} {head_unit(header)}")):
        return True
    if not _NAME.fullmatch(text):
        return False
    return re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", asked.text) is not None


def _header_fit(header: str, asked: RowQuestion) -> float:
    """How much of the question a header names: its words, and a value of it.

    Of two years that are asked for the rarer is not the one that is meant.
    """
    holds_value = bool(asked.values & frozenset(find_values(header)))
    words = (term for term in terms_of(header) if not term.isdigit())
    return asked.terms.coverage(words) + (1.0 if holds_value else 0.0)


def _stated(
    row: TableRow,
    chosen: Sequence[int],
    words: Sequence[PlacedWord],
) -> tuple[str, tuple[tuple[PlacedWord, ...], ...], tuple[tuple[int, int], ...]] | None:
    """Say a row in a sentence; `None` when it has no value, or the value's words are not found."""
    cells = row.cells
    said = _said(row, chosen)
    if not said:
        return None
    subject = _named(row)
    if row.condition:
        subject = f"{subject} at {row.condition}" if subject else row.condition
    text = f"{subject}: {said}" if subject else said
    if any((cell := cells[i]) and cell.confidence < MIN_CONFIDENCE for i in chosen):
        printed = " | ".join(cell.text for cell in dict.fromkeys(cells) if cell and cell.text)
        text = f"{printed} (the row as printed: its columns could not be read surely)"
    runs, positions = [], []
    for cell in _quoted_cells(row, chosen):
        run = cell_words(cell, words)
        if run:
            runs.append(tuple(run))
            positions.append((cell.row, cell.column))
    value_cells = {(c.row, c.column) for i in chosen if (c := cells[i]) is not None}
    if not value_cells & set(positions):
        return None
    return _end(text), tuple(runs), tuple(positions)


def _named(row: TableRow) -> str:
    """What the row is about; a bare number with its header: "Data rate (SPS) 8"."""
    columns = row.columns
    labels = columns.of(ColumnRole.SUBJECT)
    if labels and _BARE_NUMBER.fullmatch(row.subject) and columns.headers[labels[0]]:
        return f"{columns.headers[labels[0]]} {row.subject}"
    return row.subject


def _end(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def _said(row: TableRow, chosen: Sequence[int]) -> str:
    """The values in bold, with their unit and the name of their column."""
    columns, cells = row.columns, row.cells
    parts = []
    for index in chosen:
        role, text = columns.roles[index], _shortened(_text(cells[index]))
        # "5" stands in "25°C" as well: only words can be said already.
        if text in row.condition and not text[:1].isdigit():
            continue
        has_unit = role in BOUNDS or role is ColumnRole.VALUE
        value = f"**{_with_scale(_with_unit(text, row.unit) if has_unit else text, cells[index])}**"
        name = role.value if role in BOUNDS else columns.headers[index]
        is_alone = len(chosen) == 1 and columns.has_bounds and _spans(cells[index])
        parts.append(value if is_alone or not name else f"{name} {value}")
    return (", " if columns.has_bounds else "; ").join(parts)


def _spans(cell: TableCell | None) -> bool:
    """True for a value that spans the columns of several bounds."""
    return cell is not None and cell.column_span > 1


def _with_unit(value: str, unit: str) -> str:
    if not unit or unit in ("-", "–", "—") or value.casefold().endswith(unit.casefold()):
        return value
    return f"{value} {unit}"


def _with_scale(value: str, cell: TableCell | None) -> str:
    """Say what an amount is counted in: "$ 16,525 million" under "in millions"."""
    counted = _SCALES.get(cell.scale) if cell is not None else None
    return f"{value} {counted}" if counted else value


def _shortened(text: str) -> str:
    if len(text) <= _MAX_CELL_CHARS:
        return text
    return text[:_MAX_CELL_CHARS].rsplit(" ", 1)[0] + " …"


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else cell.text


def _quoted_cells(row: TableRow, values: Sequence[int]) -> list[TableCell]:
    """The label of the row, then the values stated."""
    labels = row.columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL)
    quoted: dict[tuple[int, int], TableCell] = {}
    for index in (*labels, *values):
        cell = row.cells[index]
        if cell is not None and cell.text:
            quoted.setdefault((cell.row, cell.column), cell)
    return list(quoted.values())


def cell_words(cell: TableCell, words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """Return the words of the page that stand in a cell, in reading order."""
    pages: dict[int, list[PlacedWord]] = {}
    for placed in words:
        pages.setdefault(placed[0], []).append(placed)
    found: list[PlacedWord] = []
    for place in cell.provenances:
        page = PageWords(place.page_no, tuple(w for _no, w in pages.get(place.page_no, ())))
        found += words_within([page], [place])
    return list(dict.fromkeys(found))
