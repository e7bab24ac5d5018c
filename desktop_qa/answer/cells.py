"""Statements from tables: the cells of the right rows under the right columns, with their unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

from desktop_qa.answer.amounts import is_no_unit
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.measures import COUNTED
from desktop_qa.answer.part_mentions import NO_PARTS, Mention, PartMentions
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import StatedCell, Statement
from desktop_qa.answer.table_rows import MIN_CONFIDENCE, TableRow, table_rows
from desktop_qa.augment.periods import of_length
from desktop_qa.augment.quantities import find_values
from desktop_qa.augment.table_values import head_unit, table_values
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import BOUNDS, ColumnRole, PageWords, TableCell
from desktop_qa.core.gaps import is_gap
from desktop_qa.core.word_places import PlacedWord, words_within
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

_MAX_CELL_CHARS = 240
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
    asked: RowQuestion, evidence: Evidence, source: StoredEvidence
) -> list[Statement]:
    """State every row of a table segment, in the order of the table."""
    segment = evidence.segment
    table = source.table(segment)
    if table is None or segment.element is None:
        return []
    columns = read_columns(table)
    values_of_heads = [frozenset(find_values(header)) for header in columns.headers]
    context = frozenset(terms_of(" ".join((segment.metadata.context_line(), *columns.headers))))
    place = asked.parts.of(table.caption) or asked.parts.of(
        " ".join(segment.metadata.section_path[-1:])
    )
    place = Mention.UNDER_VARIANT if place is Mention.VARIANT else place
    words = source.words(segment)
    first = segment.element.first_row
    statements = []
    for row in table_rows(table, columns, first, first + segment.element.n_rows):
        chosen, given = _chosen(row, asked)
        row = replace(row, condition=", ".join(filter(None, (row.condition, *given))))
        statement = _stated(row, chosen, evidence, words)
        if statement is None:
            continue
        heads = [columns.headers[i] for i in chosen]
        terms = frozenset(terms_of(row.text))
        whole = asked.terms.coverage(terms | context)
        mention = asked.parts.of(" ".join((row.label, row.condition, *heads)))
        # Compared with the meaning of the question is all but the values.
        about = [row.group, row.label, row.condition]
        about = about if columns.has_bounds else [table.caption, *about, *heads]
        statements.append(
            replace(
                statement,
                coverage=whole,
                score=whole,
                subject=row.subject.casefold(),
                group=row.group if row.group not in statement.text else "",
                about=", ".join(dict.fromkeys(filter(None, about))),
                terms=terms,
                values=table_values(table, row.index, 1).union(
                    find_values(row.text), *(values_of_heads[i] for i in chosen)
                ),
                mention=mention or asked.parts.of(row.group) or place,
                n_given=len(given),
                gives_bound=any(
                    any(map(str.isdecimal, _text(row.cells[i]))) for i in columns.of(*asked.wanted)
                ),
            )
        )
    return statements


def _chosen(row: TableRow, asked: RowQuestion) -> tuple[list[int], list[str]]:
    """Return the columns to state, those asked for first, and the cells that the question gives.

    Of a table without bounds those are stated that the question names, else all. What it gives
    itself and what tells the row from others, with its header, is the condition of the others.
    """
    columns, texts, given = row.columns, [_text(cell) for cell in row.cells], []
    if columns.has_bounds:
        present = [i for i in columns.of(*BOUNDS, ColumnRole.VALUE) if not is_gap(texts[i])]
        groups = columns.groups(columns.of_part(present, asked.parts))
        are_meant = _spoken_of([head for head, _own in groups], asked)
        present = [i for _head, own in compress(groups, are_meant) for i in own]
        chosen = sorted(present, key=lambda i: columns.roles[i] not in asked.wanted)
    else:
        labels = columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL)
        present = [i for i, text in enumerate(texts) if i not in labels and not is_gap(text)]
        present = present or [i for i, text in enumerate(texts) if text][-1:]
        present = columns.of_part(present, asked.parts)
        if len(present) > 1:
            present = [i for i in present if columns.roles[i] is not ColumnRole.UNIT]
        held = [i for i in present if _is_given(texts[i], columns.headers[i], asked)]
        present = [i for i in present if i not in held] or present
        chosen = list(compress(present, _spoken_of([columns.headers[i] for i in present], asked)))
        are_so = of_length([columns.headers[i] for i in chosen], asked.text)
        chosen = list(compress(chosen, are_so)) or chosen
        held = [i for i in (*columns.telling, *held) if not is_gap(texts[i])]
        values = (i for i in held if i not in chosen and columns.roles[i] is ColumnRole.VALUE)
        given = list(dict.fromkeys(f"{columns.headers[i]} {texts[i]}".strip() for i in values))
    # A cell over several columns is stated once.
    cells = [row.cells[i] for i in chosen]
    return [i for n, i in enumerate(chosen) if not any(cells[n] is c for c in cells[:n])], given


def _spoken_of(heads: Sequence[str], asked: RowQuestion) -> list[bool]:
    """Tell which heads a question speaks of, all when of none: those that no other says more than.

    Words and values are told apart: "organic growth in Q1 2023" speaks of "% Change Organic" and of
    "2023". A year is a value and no word: of two that are asked for the rarer is not the one meant.
    """
    fits = [
        (
            asked.terms.coverage(term for term in terms_of(head) if not term.isdigit()),
            # Of "Temperature (°C) 85" the value that a question gives is 85 °C.
            len(asked.values.intersection(find_values(f"{head} {head_unit(head)}"))),
        )
        for head in heads
    ]
    return [not any(o != (w, v) and o[0] >= w and o[1] >= v for o in fits) for w, v in fits]


def _is_given(text: str, header: str, asked: RowQuestion) -> bool:
    """Tell whether the question itself says what stands in a cell, so that it asks for another."""
    is_named = _NAME.fullmatch(text) and re.search(
        rf"(?<![\w-]){re.escape(text)}(?![\w-])", asked.text
    )
    held = asked.values.intersection(find_values(f"{text} {head_unit(header)}"))
    return bool(held or is_named)


def _stated(
    row: TableRow, chosen: Sequence[int], evidence: Evidence, words: Sequence[PlacedWord]
) -> Statement | None:
    """Say a row in a sentence; `None` when it has no value, or the value's words are not found."""
    cells, columns = row.cells, row.columns
    said, values = _said(row, chosen)
    if not said:
        return None
    labels = columns.of(ColumnRole.SUBJECT, ColumnRole.SYMBOL)
    subject = row.subject
    if _BARE_NUMBER.fullmatch(subject):
        # A number alone needs its header: "Data rate (SPS) 8".
        heads = (columns.headers[i] for i in labels if columns.roles[i] is ColumnRole.SUBJECT)
        subject = f"{next(heads, '')} {subject}".strip()
    if row.label:
        subject = ", ".join((*(cell.text.rstrip(": ") for cell in row.names_above), subject))
    subject = ", ".join(filter(None, (subject, row.numbers)))
    subject = " at ".join(filter(None, (subject, row.condition)))
    text = ": ".join(filter(None, (_unmarked(subject), said)))
    if any((cell := cells[i]) and cell.confidence < MIN_CONFIDENCE for i in chosen):
        printed = " | ".join(cell.text for cell in dict.fromkeys(cells) if cell and cell.text)
        text = f"{_unmarked(printed)} (the row as printed: its columns could not be read surely)"
        values = []
    # Of the row its label is quoted, then the values stated.
    named = (*row.names_above, *(cells[i] for i in (*labels, *chosen)))
    quoted = {(c.row, c.column): c for c in named if c and c.text}
    runs = {place: tuple(run) for place, c in quoted.items() if (run := cell_words(c, words))}
    if not any((c.row, c.column) in runs for i in chosen if (c := cells[i])):
        return None
    end = "" if text.endswith((".", "!", "?", ":")) else "."
    quotes = tuple(runs.values())
    return Statement(text + end, evidence, quotes, tuple(runs), 0.0, 0.0, stated=tuple(values))


def _said(row: TableRow, chosen: Sequence[int]) -> tuple[str, list[StatedCell]]:
    """Say the values in bold, each with its unit, its scale and the name of its column."""
    columns = row.columns
    groups = columns.groups(columns.of(*BOUNDS))
    # With more than one limit of a kind each is told with what heads it: "25 °C".
    heads = {i: _unmarked(head) for head, own in groups for i in own} if groups[1:] else {}
    said: dict[str, list[str]] = {}
    values: list[StatedCell] = []
    for index in chosen:
        if value := _value_said(row, index):
            cell, role = row.cells[index], columns.roles[index]
            bound = role if role in BOUNDS else None
            name = _unmarked(bound or columns.headers[index])
            # A value that spans the columns of several bounds is none of them.
            if len(chosen) == 1 and columns.has_bounds and cell and cell.column_span > 1:
                name, bound = "", None
            values.append(StatedCell(name, value, bound))
            said.setdefault(heads.get(index, ""), []).append(f"{name} **{value}**".strip())
    between = ", " if columns.has_bounds else "; "
    led = (": ".join(filter(None, (head, between.join(own)))) for head, own in said.items())
    return "; ".join(led), values


def _value_said(row: TableRow, index: int) -> str:
    """Say one value; "" for what the condition says already."""
    columns, cell, text = row.columns, row.cells[index], _text(row.cells[index])
    if len(text) > _MAX_CELL_CHARS:
        text = text[:_MAX_CELL_CHARS].rsplit(" ", 1)[0] + " …"
    # "5" stands in "25°C" as well: only words can be said already.
    if text in row.condition and not text[:1].isdigit():
        return ""
    role = columns.roles[index]
    has_unit = role in BOUNDS or role is ColumnRole.VALUE
    is_said = is_no_unit(row.unit) or text.casefold().endswith(row.unit.casefold())
    unit = row.unit if has_unit and not is_said else ""
    counted = COUNTED.get(cell.scale) if cell is not None else None
    return " ".join(filter(None, (_unmarked(text), unit, counted)))


def _unmarked(text: str) -> str:
    """Keep the marks of footnotes from being read as the begin or the end of what is stated."""
    return text.replace("**", "∗∗")


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else cell.text


def cell_words(cell: TableCell, words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """Return the words of the page that stand in a cell, in reading order."""
    found: list[PlacedWord] = []
    for place in cell.provenances:
        own = tuple(word for page_no, word in words if page_no == place.page_no)
        found += words_within([PageWords(place.page_no, own)], [place])
    return list(dict.fromkeys(found))
