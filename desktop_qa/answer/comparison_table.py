"""A comparison as a table of the answer and in a few sentences, each value with its place."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.claims import resting_on
from desktop_qa.answer.comparison_rows import ComparisonRow, compare_parameters
from desktop_qa.answer.parameters import USUAL, Parameter
from desktop_qa.answer.part_mentions import Mention, PartMentions
from desktop_qa.answer.reply import CitedCell, Vectors
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer import Evidence
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import BOUNDS, ColumnRole, DocumentId
from desktop_qa.core.word_places import QuoteLocator

MAX_ROWS = 300
MAX_WORDS = 80
_MAX_TELLING = 4
_MAX_CONDITION = 40
_LARGEST_RATIO = 2.0
_ORDER = (ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX, ColumnRole.VALUE)


@dataclass(frozen=True, slots=True)
class ComparedDocument:
    """A column of the comparison.

    Attributes:
        name: As people call it: the part asked for, else the document's own, else its file.
    """

    id: DocumentId
    name: str
    parts: PartMentions
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Compared:
    """Documents side by side; made for one comparison.

    Attributes:
        vectors: See `compare_parameters`.
        notes: What is to be said of documents that are not among them, or state nothing.
    """

    documents: tuple[ComparedDocument, ...]
    source: StoredEvidence
    vectors: Vectors
    notes: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> list[ComparisonRow]:
        """All that they state."""
        return compare_parameters([d.parameters for d in self.documents], self.vectors)

    @property
    def names(self) -> str:
        """The documents, listed."""
        names = [d.name for d in self.documents]
        return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))

    def statement(self, parameter: Parameter) -> Statement | None:
        """Return what a cell cites; `None` when its words are not found on the page."""
        words = self.source.words(parameter.segment)
        if parameter.quote:
            found = [QuoteLocator(words).find(parameter.quote)]
        else:
            found = [cell_words(cell, words) for cell in parameter.cells]
        runs = tuple(tuple(run) for run in found if run)
        if not runs:
            return None
        evidence = Evidence(0, parameter.segment, 0.0, ())
        cells = tuple((cell.row, cell.column) for cell in parameter.cells)
        text = f"{parameter.name}: {amounts_text(parameter)}"
        return Statement(text, evidence, runs, cells, 1.0, 1.0, subject=parameter.name)

    def table(self, rows: Sequence[ComparisonRow], notes: Sequence[str] = ()) -> AnswerTable:
        """Draw rows as a table of the answer."""
        drawn = [(row, self._cells(row)) for row in rows[:MAX_ROWS]]
        drawn = [
            (row, cells) for row, cells in drawn if any(isinstance(c, CitedCell) for c in cells)
        ]
        more = [*self.notes, *_unit_notes(rows), *notes]
        if len(rows) > MAX_ROWS:
            more.append(f"{len(rows) - MAX_ROWS} further rows are left out; ask for the parameter.")
        return AnswerTable(
            use=TableUse.COMPARISON,
            title=f"Comparison of {self.names}",
            headers=("Parameter", *(d.name for d in self.documents)),
            rows=tuple(cells for _row, cells in drawn),
            document_ids=(DocumentId(""), *(d.id for d in self.documents)),
            differs=tuple(differs(row) for row, _cells in drawn),
            notes=tuple(more),
        )

    def _cells(self, row: ComparisonRow) -> tuple[AnswerCell, ...]:
        """Draw a row: its name, then what each document states and can be shown on its page."""
        cells = [AnswerCell(_label(row))]
        for document, parameter in zip(self.documents, row.cells, strict=True):
            if parameter is None or (statement := self.statement(parameter)) is None:
                cells.append(AnswerCell(""))
                continue
            usual = parameter.amount(*USUAL)
            value = usual.value if usual is not None else None
            cells.append(
                CitedCell(
                    amounts_text(parameter),
                    value=value,
                    note=_note(parameter, document, row),
                    bounds=bounds_of(parameter),
                    statement=statement,
                )
            )
        return tuple(cells)

    def telling(self) -> tuple[Statement, ...]:
        """State the differences that tell most, in the order of the table, in at most 80 words."""
        different = [r for r in self.rows if r.is_main and len(r.stated) > 1 and differs(r)]
        different = [row for row in different if not row.lead.is_rating] or different
        best = sorted(different, key=lambda row: -_weight(row))[:_MAX_TELLING]
        return self.values([row for row in different if row in best])

    def values(self, rows: Sequence[ComparisonRow]) -> tuple[Statement, ...]:
        """State the values of rows, in at most 80 words, one row at the least.

        "Supply voltage: DRV8833 min 2.7 V, max 10.8 V; LM35 min 4 V, max 30 V."
        """
        statements: list[Statement] = []
        n_words = 0
        for row in rows:
            cited = {
                f"{document.name} **{amounts_text(parameter)}**{behind(parameter)}": statement
                for document, parameter in zip(self.documents, row.cells, strict=True)
                if parameter is not None and (statement := self.statement(parameter)) is not None
            }
            text = f"{row.lead.label}: {'; '.join(cited)}."
            n_words += len(text.split()) + 2
            if statements and n_words > MAX_WORDS:
                break
            if cited:
                statements.append(resting_on(text, list(cited.values())))
        return tuple(statements)


def amounts_text(parameter: Parameter) -> str:
    """Return what a document states with the bounds named: "min 2.7 V, max 10.8 V"."""
    bounds = bounds_of(parameter)
    return ", ".join(f"{role} {text}" if role in BOUNDS else text for role, text in bounds)


def bounds_of(parameter: Parameter) -> tuple[tuple[ColumnRole, str], ...]:
    """Return what a document states by role, in the order in which it is said."""
    ordered = sorted(parameter.amounts, key=lambda a: _ORDER.index(a.role))
    return tuple((amount.role, amount.text) for amount in ordered)


def behind(parameter: Parameter) -> str:
    """Return a condition that is short enough for a sentence, in brackets."""
    return f" ({parameter.condition})" if 0 < len(parameter.condition) <= _MAX_CONDITION else ""


def differs(row: ComparisonRow) -> bool:
    """Tell whether the documents of a row differ; a gap beside a value is a difference."""
    stated = [
        {a.role: (a.text.casefold() if a.value is None else (a.value, a.unit)) for a in p.amounts}
        for p in row.stated
    ]
    return None in row.cells or any(one != stated[0] for one in stated[1:])


def _label(row: ComparisonRow) -> str:
    """Return the name of a row: the printed one, with the condition that all share."""
    lead = row.lead
    symbol = lead.symbol if lead.symbol not in lead.label else ""
    rating = "absolute maximum rating" if lead.is_rating else ""
    first, *others = dict.fromkeys(p.condition for p in row.stated)
    held = [set(find_values(condition)) for condition in others]
    shared = [first]
    if held:
        pieces = [(piece, set(find_values(piece))) for piece in re.split(r"[,;]\s+", first)]
        shared = [piece for piece, own in pieces if own and all(own <= one for one in held)]
    return ", ".join(filter(None, (lead.label, symbol, rating, *shared)))


def _note(parameter: Parameter, document: ComparedDocument, row: ComparisonRow) -> str:
    notes = []
    if parameter.name.casefold() != row.lead.name.casefold() and not parameter.quote:
        notes.append(f"there: {parameter.name}")
    if len({p.condition for p in row.stated}) > 1:
        notes.append(f"at {parameter.condition}" if parameter.condition else "no condition given")
    if parameter.mention is Mention.VARIANT:
        codes = dict.fromkeys(document.parts.codes_in(parameter.variant))
        notes.append(f"of {', '.join(codes) or parameter.variant}")
    if parameter.quote:
        notes.append("from the text")
    return "; ".join(notes)


def _unit_notes(rows: Sequence[ComparisonRow]) -> list[str]:
    """Say which rows are given in units of different kinds."""
    notes = {}
    for row in rows:
        amounts = [next((a for a in p.amounts if a.unit), None) for p in row.stated]
        units = {a.unit: a.text.lstrip("+-–±<>≤≥ 0123456789.,") or a.unit for a in amounts if a}
        if len(units) > 1:
            said = f"{row.lead.name} is given in {' and '.join(units.values())}"
            notes[f"{said}, which cannot be converted into each other."] = True
    return list(notes)


def _weight(row: ComparisonRow) -> float:
    """How much a difference tells: the largest ratio of two values, in decades, at most two."""
    ratios = [0.0]
    for roles in (USUAL, (ColumnRole.MIN,), (ColumnRole.MAX,)):
        ends = [abs(a.value) for p in row.stated if (a := p.amount(*roles)) and a.value]
        if len(ends) == len(row.stated) and len({p.unit for p in row.stated}) == 1:
            ratios.append(math.log10(max(ends) / min(ends)))
    return min(max(ratios), _LARGEST_RATIO) * len(row.stated) / len(row.cells)
