"""A comparison as a table of the answer: a row for each parameter, a column for each document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.comparison_rows import ComparisonRow
from desktop_qa.answer.parameters import USUAL, Parameter
from desktop_qa.answer.part_mentions import Mention, PartMentions
from desktop_qa.answer.reply import DraftCell, DraftTable, LibrarySource
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer import Evidence
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import BOUNDS, ColumnRole, DocumentId
from desktop_qa.core.segment import Segment
from desktop_qa.core.word_places import PlacedWord, QuoteLocator

GAP = ""
MAX_ROWS = 300

_PIECE = re.compile(r"[,;]\s+")
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


class CellQuoter:
    """Finds the words of cells and sentences on the pages; made for one comparison."""

    def __init__(self, source: LibrarySource) -> None:
        self._source = source
        self._words: dict[str, Sequence[PlacedWord]] = {}

    def statement(self, parameter: Parameter) -> Statement | None:
        """Return what a cell cites; `None` when its words are not found on the page."""
        words = self._words_of(parameter.segment)
        if parameter.quote:
            found = QuoteLocator(words).find(parameter.quote)
            runs = [tuple(found)] if found else []
        else:
            runs = [tuple(run) for cell in parameter.cells if (run := cell_words(cell, words))]
        if not runs:
            return None
        return Statement(
            text=f"{parameter.name}: {amounts_text(parameter)}",
            evidence=Evidence(0, parameter.segment, 0.0, ()),
            runs=tuple(runs),
            cells=tuple((cell.row, cell.column) for cell in parameter.cells),
            coverage=1.0,
            score=1.0,
            subject=parameter.name,
        )

    def _words_of(self, segment: Segment) -> Sequence[PlacedWord]:
        if segment.id not in self._words:
            self._words[segment.id] = self._source.words(segment)
        return self._words[segment.id]


def amounts_text(parameter: Parameter) -> str:
    """Return what a document states with the bounds named: "min 2.7 V, max 10.8 V"."""
    ordered = sorted(parameter.amounts, key=lambda a: _ORDER.index(a.role))
    return ", ".join(f"{a.role} {a.text}" if a.role in BOUNDS else a.text for a in ordered)


def row_label(row: ComparisonRow) -> str:
    """Return the name of a row: the printed one, with the condition that all share."""
    lead = row.lead
    symbol = lead.symbol if lead.symbol not in lead.label else ""
    rating = "absolute maximum rating" if row.is_rating else ""
    condition = _shared_condition([p.condition for p in row.stated])
    return ", ".join(filter(None, (lead.label, symbol, rating, condition)))


def _shared_condition(conditions: Sequence[str]) -> str:
    """Return what the conditions of all documents say, in the words of the first."""
    if len(set(conditions)) == 1:
        return conditions[0]
    others = [_flat(condition) for condition in conditions[1:]]
    pieces = [piece.strip() for piece in _PIECE.split(conditions[0])]
    shared = []
    for piece in pieces:
        values = find_values(piece)
        if (values and all(set(values) <= set(find_values(o)) for o in conditions[1:])) or (
            not values and len(piece) > 2 and all(_flat(piece) in other for other in others)
        ):
            shared.append(piece)
    return ", ".join(shared)


def _flat(text: str) -> str:
    return "".join(text.split()).casefold()


def row_cells(
    row: ComparisonRow, documents: Sequence[ComparedDocument], quoter: CellQuoter
) -> tuple[DraftCell, ...]:
    """Draw a row: its name, then what each document states."""
    conditions = {p.condition for p in row.stated}
    cells = [DraftCell(row_label(row))]
    for document, parameter in zip(documents, row.cells, strict=True):
        if parameter is None:
            cells.append(DraftCell(GAP))
            continue
        statement = quoter.statement(parameter)
        if statement is None:
            # A value that cannot be shown on its page is not stated.
            cells.append(DraftCell(GAP))
            continue
        cells.append(
            DraftCell(
                amounts_text(parameter),
                statement,
                value=usual.value if (usual := parameter.amount(*USUAL)) else None,
                note=_note(parameter, document, row, len(conditions) > 1),
            )
        )
    return tuple(cells)


def _note(
    parameter: Parameter, document: ComparedDocument, row: ComparisonRow, conditions_differ: bool
) -> str:
    notes = []
    if parameter.name.casefold() != row.lead.name.casefold() and not parameter.quote:
        notes.append(f"there: {parameter.name}")
    if conditions_differ:
        notes.append(f"at {parameter.condition}" if parameter.condition else "no condition given")
    if parameter.mention is Mention.VARIANT:
        codes = dict.fromkeys(document.parts.codes_in(parameter.variant))
        notes.append(f"of {', '.join(codes) or parameter.variant}")
    if parameter.quote:
        notes.append("from the text")
    return "; ".join(notes)


def differs(row: ComparisonRow) -> bool:
    """Tell whether the documents of a row differ; a gap beside a value is a difference."""
    if any(cell is None for cell in row.cells):
        return True
    stated = [_compared(p) for p in row.stated]
    return any(one != stated[0] for one in stated[1:])


def _compared(parameter: Parameter) -> dict[ColumnRole, object]:
    return {
        a.role: (a.value, a.unit) if a.value is not None else a.text.casefold()
        for a in parameter.amounts
    }


def unit_notes(rows: Sequence[ComparisonRow]) -> list[str]:
    """Say which rows are given in units of different kinds."""
    notes = []
    for row in rows:
        units = list(dict.fromkeys(_unit_shown(p) for p in row.stated if p.unit))
        kinds = {p.unit for p in row.stated if p.unit}
        if len(kinds) > 1:
            notes.append(
                f"{row.lead.name} is given in {' and '.join(units)}, which cannot be converted into"
                " each other."
            )
    return list(dict.fromkeys(notes))


def _unit_shown(parameter: Parameter) -> str:
    amount = next(a for a in parameter.amounts if a.unit)
    text = amount.text.lstrip("+-–±<>≤≥ ").lstrip("0123456789., ")
    return text or amount.unit


def comparison_table(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
    notes: Sequence[str],
    title: str,
) -> DraftTable:
    """Draw a comparison as a table of the answer."""
    shown = list(rows[:MAX_ROWS])
    drawn = [(row, row_cells(row, documents, quoter)) for row in shown]
    drawn = [(row, cells) for row, cells in drawn if any(c.statement for c in cells)]
    more = list(notes)
    if len(rows) > MAX_ROWS:
        more.append(f"{len(rows) - MAX_ROWS} further rows are left out; ask for the parameter.")
    return DraftTable(
        use=TableUse.COMPARISON,
        title=title,
        headers=("Parameter", *(d.name for d in documents)),
        rows=tuple(cells for _row, cells in drawn),
        document_ids=(DocumentId(""), *(d.id for d in documents)),
        differs=tuple(differs(row) for row, _cells in drawn),
        notes=tuple(more),
    )
