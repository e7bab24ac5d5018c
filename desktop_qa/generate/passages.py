"""The evidence of an answer as numbered passages for a language model.

A passage has the marker of its evidence: what the model cites is the same segment, with the same
cells and rectangles, as what the program cites itself. Tables are rows whose cells stand behind
their heads, the rows that matter before the others.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from desktop_qa.answer.amounts import is_no_unit
from desktop_qa.answer.columns import TableColumns, read_columns
from desktop_qa.answer.prose import body
from desktop_qa.answer.source import shared_area
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.augment.table_segments import table_title
from desktop_qa.core.answer import Answer, Evidence
from desktop_qa.core.document import ColumnRole, Provenance, Table, TableCell
from desktop_qa.core.errors import NotStoredError
from desktop_qa.core.segment import PATH_SEPARATOR, Segment
from desktop_qa.generate.visible import visible
from desktop_qa.index.terms import terms_of
from desktop_qa.tokens import count_tokens

TOKEN_FACTOR = 1.35
"""Tokens of a model for each that is counted here.

The tokenizer that ships folds case and takes "2000" as one token. Of passages read digit by digit,
as models do, with a token more for each sign beyond ASCII, a table has 1.11 times as many in the
middle and 1.31 times at worst (48 tables, 50 texts of datasheets, manuals and reports).
"""

_MAX_ROWS_THAT_MATTER = 8
_SHARE_THAT_MATTERS = 0.6
"""Of the score of the best row of a table: what reaches it may be meant as well."""

_LIKE_MARKER = re.compile(r"(?<!\w)\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\]")
"""References of a document to its own sources; "spi3w_en[0]" is a bit and stays."""

CELL_BREAK = " | "


class TableSource(Protocol):
    """What is asked about a segment: the table that it shows a part of, if it shows one."""

    def table(self, segment: Segment) -> Table | None:
        """Return the table of a TABLE segment."""


@dataclass(frozen=True, slots=True)
class PassageCell:
    """A filled cell of a row.

    Attributes:
        head: Of its column; empty where it has none.
        scale: What an amount is counted in: 1000000 under "in millions".
    """

    head: str
    text: str
    role: ColumnRole = ColumnRole.VALUE
    scale: int = 1

    @property
    def printed(self) -> str:
        """Text behind its head."""
        return f"{self.head}: {self.text}" if self.head else self.text


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A row of a table.

    Attributes:
        group: What heads it from rows above; empty for nothing.
        places: Of its cells on the page.
    """

    cells: tuple[PassageCell, ...]
    group: str = ""
    places: tuple[Provenance, ...] = ()

    @property
    def printed(self) -> str:
        """One line that says everything by itself."""
        return CELL_BREAK.join(filter(None, (self.group, *(cell.printed for cell in self.cells))))


@dataclass(frozen=True, slots=True)
class Passage:
    """What a model may read of one segment.

    Attributes:
        marker: Of the evidence.
        document: Its title, with the maker's name.
        parts: Part numbers that the document is about.
        path: Headings from the outermost in.
        page_no: 1-based; 0 when it is not known.
        title: Of a table, with the conditions that all its values hold under; empty for text.
        rows: Of a table; empty for text.
        text: Of what is no table.
    """

    marker: int
    document: str
    parts: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    page_no: int = 0
    title: str = ""
    rows: tuple[PassageRow, ...] = ()
    text: str = ""

    @property
    def head(self) -> str:
        """Marker, document and place, in one line."""
        parts = ", ".join(part for part in self.parts if part not in self.document)
        document = f"{self.document} ({parts})" if parts else self.document
        place = PATH_SEPARATOR.join((document, *self.path))
        return f"[{self.marker}] {place}{f', page {self.page_no}' if self.page_no else ''}"

    @property
    def content(self) -> str:
        """All it says, a line for each row."""
        return "\n".join(filter(None, (self.title, *(r.printed for r in self.rows), self.text)))

    @property
    def printed(self) -> str:
        """As the model reads it."""
        return f"{self.head}\n{self.content}"


def n_model_tokens(text: str) -> int:
    """Count the tokens that a model may need for a text, rather too many than too few."""
    return math.ceil(count_tokens(text) * TOKEN_FACTOR)


def passages_of(answer: Answer, source: TableSource, budget: int) -> tuple[Passage, ...]:
    """Return the evidence of an answer, best first, in at most `budget` tokens of a model.

    First each segment gets the rows that matter, or its text; what is left over goes to the other
    rows. Those rows matter that the answer cites, and those that say most of the question.
    """
    cited: dict[int, tuple[Provenance, ...]] = {c.marker: c.places for c in answer.citations}
    return passages_within(answer.evidence, source, answer.question, budget, cited)


def passages_within(
    evidence: Sequence[Evidence],
    source: TableSource,
    question: str,
    budget: int,
    cited: Mapping[int, Sequence[Provenance]] | None = None,
) -> tuple[Passage, ...]:
    """Return some evidence as passages, in its order; what does not fit is left out.

    Args:
        evidence: Best first, with its markers.
        source: Of the tables.
        question: That tells which rows matter; empty when all do.
        budget: Tokens of a model for all passages together.
        cited: By marker, the places that are cited.
    """
    left = budget
    chosen: list[Passage] = []
    others: dict[int, tuple[PassageRow, ...]] = {}
    for item in evidence:
        whole, n_first = _whole_passage(item, source, question, (cited or {}).get(item.marker, ()))
        first = replace(whole, rows=whole.rows[:n_first])
        fitted = _fitted(first, left)
        if fitted is None:
            continue
        left -= n_model_tokens(fitted.printed)
        chosen.append(fitted)
        if fitted == first:
            others[item.marker] = whole.rows[n_first:]
    filled = []
    for passage in chosen:
        more = tuple(_within(others.get(passage.marker, ()), left))
        left -= sum(n_model_tokens(row.printed) for row in more)
        filled.append(replace(passage, rows=(*passage.rows, *more)))
    return tuple(filled)


def _fitted(passage: Passage, budget: int) -> Passage | None:
    """Return a passage with as many rows or sentences as fit, from the first; None for none."""
    if n_model_tokens(passage.printed) <= budget:
        return passage
    left = budget - n_model_tokens(f"{passage.head}\n{passage.title}")
    if passage.rows:
        rows = tuple(_within(passage.rows, left))
        return replace(passage, rows=rows) if rows else None
    text = ""
    for sentence in split_sentences(passage.text):
        at = passage.text.index(sentence, len(text)) + len(sentence)
        if n_model_tokens(passage.text[:at]) > left:
            break
        text = passage.text[:at]
    return replace(passage, text=text) if text else None


def _within(rows: Iterable[PassageRow], left: int) -> Iterator[PassageRow]:
    for row in rows:
        left -= n_model_tokens(row.printed)
        if left < 0:
            return
        yield row


def _whole_passage(
    item: Evidence, source: TableSource, question: str, cited: Sequence[Provenance]
) -> tuple[Passage, int]:
    """Return all of a segment, the rows that matter first, and how many these are."""
    segment = item.segment
    metadata = segment.metadata
    title = metadata.document_title
    if metadata.vendor.casefold() not in title.casefold():
        title = f"{metadata.vendor} {title}"
    passage = Passage(
        item.marker,
        shown_line(title),
        tuple(map(shown_line, metadata.part_numbers)),
        tuple(map(shown_line, metadata.section_path)),
        metadata.page_nos[0] if metadata.page_nos else 0,
    )
    try:
        table = source.table(segment)
    except NotStoredError:
        table = None  # read anew since: the segment's own text is what was found
    if table is None or segment.element is None:
        return replace(passage, text=_shown(body(segment) or segment.text)), 0
    shown = range(segment.element.first_row, segment.element.first_row + segment.element.n_rows)
    rows = list(_rows(table, shown))
    order, n_first = _by_weight(rows, question, cited)
    described = (table_title(table.label, table.caption), *table.conditions, table.scale_note)
    title = ", ".join(dict.fromkeys(filter(None, map(shown_line, described))))
    return replace(passage, title=title, rows=tuple(rows[i] for i in order)), n_first


def _rows(table: Table, shown: range) -> Iterator[PassageRow]:
    """Yield the body rows that a segment shows."""
    columns = read_columns(table)
    for index, (cells, above) in enumerate(zip(table.grid(), table.headings(), strict=True)):
        if above is None or index not in shown:
            continue
        filled = tuple(_cells(cells, columns))
        if filled:
            places = dict.fromkeys(p for c in cells if c is not None for p in c.provenances)
            heading = shown_line(CELL_BREAK.join(cell.text for cell in above))
            yield PassageRow(filled, heading, tuple(places))


def _cells(cells: Sequence[TableCell | None], columns: TableColumns) -> Iterator[PassageCell]:
    """Yield the filled cells of a row; one over several columns stands once, under its first."""
    before: TableCell | None = None
    for index, cell in enumerate(cells):
        if cell is not None and cell is not before and not is_no_unit(cell.text):
            head = shown_line(columns.headers[index])
            yield PassageCell(head, shown_line(cell.text), columns.roles[index], cell.scale)
        before = cell


def _by_weight(
    rows: Sequence[PassageRow], question: str, cited: Sequence[Provenance]
) -> tuple[list[int], int]:
    """Return the order of rows, and how many of them matter: cited ones, then the nearest ones.

    A term weighs the more the fewer rows of the table have it; what all have tells none apart.
    """
    terms = [frozenset(terms_of(row.printed)) for row in rows]
    n_with = Counter(term for own in terms for term in own)
    asked = frozenset(terms_of(question))
    weights = [sum(math.log(len(rows) / n_with[t]) for t in asked & own) for own in terms]
    is_cited = [shared_area(row.places, cited) > 0 for row in rows]
    order = sorted(range(len(rows)), key=lambda i: (not is_cited[i], -weights[i], i))
    least = max(weights, default=0.0) * _SHARE_THAT_MATTERS
    n_first = sum(is_cited[i] or weights[i] >= least for i in order)
    return order, max(sum(is_cited), min(n_first, _MAX_ROWS_THAT_MATTER))


def shown_line(text: str) -> str:
    """Return a text as a model sees it, in one line."""
    return " ".join(_shown(text).split())


def _shown(text: str) -> str:
    """Return what a model sees of a text: nothing in it looks like the marker of a passage."""
    return _LIKE_MARKER.sub(r"(\1)", visible(text))
