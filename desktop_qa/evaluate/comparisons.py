"""Measure comparisons: ask each question of a bank and judge the cells of its table.

How a gold cell is judged (a reader's rule, made strict enough for a machine):

- A gold name is read as words, a bound ("minimum", "typical", "maximum"), an end ("highest",
  "largest") and conditions ("at 25°C", "(VM = 5 V, 25°C)"). A bracket without numbers is another
  name ("Supply (quiescent) current" is also quiescent current).
- A row means the parameter when at least two thirds of the gold words stand in what the row shows:
  its label and what its cells note of how their documents call it; when nothing in the label says
  the opposite ("low-side" of "high-side"); and when no other row that states anything for the
  document is called much more like it. A gold name that speaks of absolute maximum ratings means
  their rows alone; any other may be answered by one of them, as limits of transistors and diodes
  are, but is no gap for it, nor is it the largest of anything.
- Rows that state another value of the same kind than the gold condition does (85 °C for 25 °C) do
  not count.
- The value is right when the document's cell in one of these rows states it under the right bound
  (a value without a bound counts for any, a bound counts for a gold name without one), after
  conversion of units, to 0.1 %. A text is right when it stands in the cell word by word.
- "Highest" and "largest" ask for the largest of all that these rows state for the document.
- A gap is right when the cells of the document in all rows that count are empty; rows in units of
  another kind than the gold values of the other documents have do not count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.answer.amounts import Amount, base_unit, plain, read_amounts
from desktop_qa.answer.labels import contradict, stems
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import as_text, markers_in
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import ColumnRole, DocumentId
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import BankError, read_lines

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library

FileOf = Callable[[DocumentId], str]
"""From a document to its file."""

_MIN_SHARE = 2.0 / 3.0
_MUCH_LESS_ALIKE = 0.25
_MAX_OTHER_NAME = 2
_TOLERANCE = 1e-3
_BOUNDS = (
    (ColumnRole.MIN, re.compile(r"\bmin(?:imum)?\b", re.IGNORECASE)),
    (ColumnRole.TYP, re.compile(r"\btyp(?:ical)?\b", re.IGNORECASE)),
    (ColumnRole.MAX, re.compile(r"\bmax(?:imum)?\b", re.IGNORECASE)),
)
_LARGEST = re.compile(r"\b(?:highest|largest|fastest)\b", re.IGNORECASE)
_ABSOLUTE = re.compile(r"\babsolute[\s-]+max(?:imum)?(?:\s+ratings?)?\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_AT = re.compile(r"\b(?:at|with)\s+(.+)$", re.IGNORECASE)
_CONDITION_VALUE = re.compile(r"[-±]?\d+(?:[.,]\d+)?\s?(?:°\s?C|[kMmµu]?(?:V|A|Hz|Ω|lux|lx)\b)")
_CONNECTED = re.compile(r"\d|\btied\b|\bconnected\b|\bGND\b")
_CALLED = re.compile(r"there: ([^;]+)")
_WORDLESS = frozenset(stems("where given one offered each rating rated guaranteed ensured must"))
"""Words of gold names that do not say which parameter it is."""


@dataclass(frozen=True, slots=True)
class GoldCell:
    """What a comparison should show for one document; `value` is `None` for a gap."""

    parameter: str
    document: str
    value: str | None = None
    unit: str | None = ""


@dataclass(frozen=True, slots=True)
class JudgedCell:
    """A gold cell with the verdict, and what the rows that mean its parameter show."""

    question_id: str
    gold: GoldCell
    is_right: bool
    shown: tuple[str, ...]


def units_of(parameter: str, cells: Sequence[GoldCell]) -> frozenset[str]:
    """Return the base units that the gold values of a parameter have."""
    return frozenset(
        base_unit(cell.unit or "")[1]
        for cell in cells
        if cell.parameter == parameter and cell.value is not None
    )


def judge(
    question_id: str,
    gold: GoldCell,
    tables: Sequence[AnswerTable],
    file_of: FileOf,
    units: frozenset[str],
) -> JudgedCell:
    """Judge a gold cell by the tables of an answer; see the head of this module."""
    cells = [
        cell
        for table in tables
        for column in _columns(table, gold.document, file_of)
        for cell in _cells_of(table, column, gold)
    ]
    cells = [cell for cell in cells if cell.text]
    shown = tuple(cell.text for cell in cells)
    if gold.value is None:
        same_kind = [c for c in cells if not units.isdisjoint(a.unit for a in amounts_in(c.text))]
        return JudgedCell(question_id, gold, not same_kind, shown)
    read = read_amounts(gold.value, gold.unit or "", ColumnRole.VALUE)
    if len(read) != 1 or read[0].value is None:
        is_right = any(_has_text(cell.text, gold.value) for cell in cells)
    elif _LARGEST.search(gold.parameter):
        is_right = _is_largest(cells, read[0], gold.value)
    else:
        is_right = any(_states(cell, read[0], gold) for cell in cells)
    return JudgedCell(question_id, gold, is_right, shown)


def _columns(table: AnswerTable, file: str, file_of: FileOf) -> list[int]:
    return [
        i
        for i, document_id in enumerate(table.document_ids)
        if document_id and file_of(document_id).rsplit("/", 1)[-1] == file.rsplit("/", 1)[-1]
    ]


def _cells_of(table: AnswerTable, column: int, gold: GoldCell) -> list[AnswerCell]:
    """Return the cells of a column in the rows that mean a parameter under its condition."""
    name = _read_name(gold)
    may_be_rating = gold.value is not None and not _LARGEST.search(gold.parameter)
    found = []
    for row in table.rows:
        label = row[0].text
        is_rating = bool(_ABSOLUTE.search(label))
        fits = is_rating is name.is_absolute or (is_rating and may_be_rating)
        likeness = max((_likeness(words, row) for words in name.alternatives), default=0.0)
        if fits and likeness > 0.0:
            said = plain(f"{label} {row[column].note}")
            if name.holds_under(said):
                found.append((likeness, row[column]))
    stated = [likeness for likeness, cell in found if cell.text]
    best = max((likeness for likeness, _cell in found), default=0.0)
    if gold.value is not None:
        best = max(stated, default=best)
    return [cell for likeness, cell in found if likeness >= best - _MUCH_LESS_ALIKE]


def _likeness(words: frozenset[str], row: Sequence[AnswerCell]) -> float:
    """Return how alike a row is called, 0 when it does not mean the parameter."""
    label = row[0].text
    said = frozenset(stems(" ".join((label, *(cell.note for cell in row)))))
    if not words or len(words & said) < _MIN_SHARE * len(words):
        return 0.0
    if contradict(words, frozenset(stems(label))):
        return 0.0
    names = [
        label,
        *_BRACKETS.findall(label),
        _BRACKETS.sub(" ", label),
        label.split(", ")[0],
        label.split(" (")[0],
    ]
    names += [m.group(1) for cell in row for m in _CALLED.finditer(cell.note)]
    keys = [frozenset(stems(name)) for name in names]
    return max(2.0 * len(words & key) / (len(words) + len(key)) for key in keys if key)


def _holds_under(condition: str, said: str) -> bool:
    """Tell whether a row states a condition's value, or none of its kind."""
    wanted = _kind_and_value(condition)
    stated = {_kind_and_value(value) for value in _CONDITION_VALUE.findall(said)}
    same_kind = {value for value in stated if value[0] == wanted[0]}
    return not same_kind or wanted in same_kind


def _kind_and_value(text: str) -> tuple[str, float | None]:
    amounts = read_amounts(text, "", ColumnRole.VALUE)
    return (amounts[0].unit, amounts[0].value) if amounts else ("", None)


@dataclass(frozen=True, slots=True)
class _GoldName:
    alternatives: tuple[frozenset[str], ...]
    conditions: tuple[str, ...]
    is_any_condition: bool
    is_absolute: bool

    def holds_under(self, said: str) -> bool:
        """Tell whether a row is stated under the conditions: all, or one of those given with or."""
        if not self.conditions:
            return True
        held = [_holds_under(condition, said) for condition in self.conditions]
        return any(held) if self.is_any_condition else all(held)


def _read_name(gold: GoldCell) -> _GoldName:
    """Read a gold name as words, values of its conditions, and whether it is a rating."""
    name = gold.parameter
    brackets = _BRACKETS.findall(name)
    plainly = _BRACKETS.sub(" ", name)
    is_absolute = bool(_ABSOLUTE.search(plainly)) or any(
        _ABSOLUTE.search(b) and _names_file(b, gold.document) for b in brackets
    )
    at = _AT.search(plainly)
    stated = " ".join((*brackets, at.group(1) if at else ""))
    conditions = tuple(_CONDITION_VALUE.findall(plain(stated)))
    if any(_names_file(b, gold.document) for b in brackets):
        # "LM35 at 25°C, TMP102 at –25°C to 85°C": each document under its own.
        conditions = ()
    if at and (_CONDITION_VALUE.search(at.group(1)) or _CONNECTED.search(at.group(1))):
        plainly = plainly[: at.start()]
    words = [_words(plainly)]
    for bracket in brackets:
        if not re.search(r"\d", bracket) and len(bracket.split()) <= _MAX_OTHER_NAME:
            words.append(_words(f"{bracket} {plainly.split()[-1]}"))
    is_any = re.search(r"\bor\b|;", stated) is not None
    return _GoldName(tuple(dict.fromkeys(words)), conditions, is_any, is_absolute)


def _words(name: str) -> frozenset[str]:
    name = re.sub(r"\b\d+-bit\b", " ", _ABSOLUTE.sub(" ", name))
    for pattern in (*(pattern for _role, pattern in _BOUNDS), _LARGEST):
        name = pattern.sub(" ", name)
    return frozenset(stems(name)) - _WORDLESS


def _names_file(text: str, file: str) -> bool:
    """Tell whether a text names the part that a file is called after."""
    stem = re.sub(r"[^a-z0-9]", "", file.rsplit(".", 1)[0].casefold())
    codes = re.findall(r"[A-Za-z]{1,6}-?\d[\w-]*", text)
    return any(re.sub(r"[^a-z0-9]", "", c.casefold()) in stem for c in codes)


def _states(cell: AnswerCell, expected: Amount, gold: GoldCell) -> bool:
    """Tell whether a cell states a gold value under the bound of its name."""
    name = _ABSOLUTE.sub(" ", gold.parameter)
    role = next((r for r, pattern in _BOUNDS if pattern.search(name)), None)
    stated = amounts_in(cell.text)
    wanted = [a for a in stated if role is None or a.role in (role, ColumnRole.VALUE)]
    return any(_is_equal(a, expected, gold.value or "") for a in wanted)


def _is_largest(cells: Sequence[AnswerCell], expected: Amount, gold_text: str) -> bool:
    stated = [
        a
        for cell in cells
        for a in amounts_in(cell.text)
        if a.value is not None and a.unit == expected.unit
    ]
    largest = max(stated, key=lambda a: abs(a.value or 0.0), default=None)
    return largest is not None and _is_equal(largest, expected, gold_text)


_STATED = re.compile(r"(?:(?P<role>min|typ|max) )?(?P<value>[^,]+(?:,\d{3}\b[^,]*)*)(?:, |$)")


def amounts_in(text: str) -> list[Amount]:
    """Read a cell of a comparison back: "min 2.7 V, max 10.8 V"."""
    roles = {"min": ColumnRole.MIN, "typ": ColumnRole.TYP, "max": ColumnRole.MAX}
    found: list[Amount] = []
    for match in _STATED.finditer(text):
        role = roles.get(match["role"] or "", ColumnRole.VALUE)
        found += read_amounts(match["value"], "", role)
    units = [a.unit for a in found if a.unit]
    # "8, 16, 32 SPS": a list has its unit at the end.
    factor = base_unit(text.split()[-1])[0] if units and len(text.split()) > 1 else 1.0
    return [
        a
        if a.unit or a.value is None or not units
        else Amount(a.role, a.text, a.value * factor, units[-1])
        for a in found
    ]


def _is_equal(stated: Amount, expected: Amount, gold_text: str) -> bool:
    if stated.value is None or expected.value is None or stated.unit != expected.unit:
        return False
    one, other = stated.value, expected.value
    if "±" in gold_text or "±" in stated.text:
        one, other = abs(one), abs(other)
    return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other), 1e-15)


def _has_text(cell: str, value: str) -> bool:
    """Tell whether a text stands in a cell word by word; addresses are compared as numbers."""
    if wanted := _addresses(value):
        return not wanted.isdisjoint(_addresses(cell))
    folded, needle = _folded(cell), _folded(value)
    return re.search(rf"(?<![a-z0-9]){re.escape(needle)}(?![a-z0-9])", folded) is not None


def _addresses(text: str) -> set[int]:
    return {
        int(t, 16) if t.lower().startswith("0x") else int(t.rstrip("b"), 2)
        for t in re.findall(r"\b(?:0x[0-9A-Fa-f]{2}|[01]{7}b?)\b", text)
    }


def _folded(text: str) -> str:
    return re.sub(r"\s+", "", plain(text).casefold().replace("×", "x"))


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """A question with the cells that its table should have; `best` is a file, "" for none."""

    id: str
    question: str
    cells: tuple[GoldCell, ...]
    documents: tuple[str, ...] = ()
    best: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """What `desktop-qa evaluate` prints for a bank of comparisons.

    Attributes:
        n_wrong_document: Cells of tables that cite another document than their column's.
        n_cells: Cells of tables that cite anything.
        best: Verdict on each ranking by question id.
    """

    judged: tuple[JudgedCell, ...]
    n_wrong_document: int
    n_cells: int
    best: tuple[tuple[str, bool], ...]
    n_words: tuple[int, ...]
    seconds: tuple[float, ...]


def has_comparisons(path: Path) -> bool:
    """Tell whether a bank is one of comparisons: its rows have cells.

    Raises:
        BankError: When it cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            first = next((line for line in lines if line.strip()), "{}")
        row = json.loads(first)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BankError(f"{path} cannot be read: {error}.") from error
    return isinstance(row, dict) and "cells" in row


def read_comparisons(path: Path) -> tuple[GoldComparison, ...]:
    """Read a bank of comparisons.

    Raises:
        BankError: When it cannot be read or a row is not one; the message names the line.
    """
    hint = "Each line is a JSON object with id, question and cells (parameter, document)."
    return tuple(one for _where, one in read_lines(path, GoldComparison, hint))


def evaluate_comparisons(
    bank: Sequence[GoldComparison],
    library: Library,
    on_question: Callable[[int, int], None] | None = None,
) -> ComparisonReport:
    """Ask each question of a bank and judge its table."""
    judged: list[JudgedCell] = []
    best, words, seconds = [], [], []
    n_wrong = n_cells = 0
    for number, gold in enumerate(bank, start=1):
        answer = library.ask(Question(gold.question))
        tables = [t for t in answer.tables if t.use is TableUse.COMPARISON]
        judged += [
            judge(gold.id, cell, tables, library.file_of, units_of(cell.parameter, gold.cells))
            for cell in gold.cells
        ]
        for table in tables:
            wrong, cited = _misplaced(table, answer)
            n_wrong += wrong
            n_cells += cited
        if gold.best:
            best.append((gold.id, _first_cited(answer, library) == gold.best))
        words.append(len(as_text(answer.blocks, with_markers=False).split()))
        seconds.append(answer.seconds)
        if on_question is not None:
            on_question(number, len(bank))
    return ComparisonReport(
        tuple(judged), n_wrong, n_cells, tuple(best), tuple(words), tuple(seconds)
    )


def _misplaced(table: AnswerTable, answer: Answer) -> tuple[int, int]:
    """Count cells that cite another document than their column's, and all that cite."""
    document_of = {e.marker: e.segment.document_id for e in answer.evidence}
    cited = [
        (document_id, cell)
        for row in table.rows
        for document_id, cell in zip(table.document_ids, row, strict=True)
        if cell.marker
    ]
    wrong = sum(document_of.get(cell.marker) != document_id for document_id, cell in cited)
    return wrong, len(cited)


def _first_cited(answer: Answer, library: Library) -> str:
    first = next(iter(markers_in(answer.blocks)), 0)
    document_of = {c.marker: c.document_id for c in answer.citations}
    document_id = document_of.get(first)
    return library.file_of(document_id).rsplit("/", 1)[-1] if document_id else ""


# Reporting


def comparison_json(report: ComparisonReport) -> dict[str, Any]:
    """What `evaluate` prints for comparisons."""
    values = [j for j in report.judged if j.gold.value is not None]
    gaps = [j for j in report.judged if j.gold.value is None]
    return {
        "n": len({j.question_id for j in report.judged}),
        "cells": len(report.judged),
        "cells_right": _share(report.judged),
        "values_right": _share(values),
        "gaps": len(gaps),
        "gaps_right": _share(gaps),
        "cells_cited": report.n_cells,
        "cells_from_wrong_document": report.n_wrong_document,
        "best": dict(report.best),
        "answer_words": {"max": max(report.n_words, default=0)},
        "seconds": {"max": round(max(report.seconds, default=0.0), 3)},
        "by_question": {
            question_id: _share([j for j in report.judged if j.question_id == question_id])
            for question_id in dict.fromkeys(j.question_id for j in report.judged)
        },
        "misses": [
            {
                "id": j.question_id,
                "parameter": j.gold.parameter,
                "document": j.gold.document,
                "gold": None
                if j.gold.value is None
                else f"{j.gold.value} {j.gold.unit or ''}".strip(),
                "shown": list(j.shown[:6]),
            }
            for j in report.judged
            if not j.is_right
        ],
    }


def _share(judged: Sequence[JudgedCell]) -> float | None:
    return round(sum(j.is_right for j in judged) / len(judged), 4) if judged else None


def format_comparisons(report: ComparisonReport) -> str:
    """Return the report as people read it."""
    found = comparison_json(report)
    lines = [
        f"{found['n']} comparisons, {found['cells']} gold cells: {found['cells_right']} right"
        f" (values {found['values_right']}, gaps {found['gaps_right']} of {found['gaps']})",
        f"{found['cells_cited']} cells cite a place,"
        f" {found['cells_from_wrong_document']} of the wrong document",
        *(f"{question}: {share}" for question, share in found["by_question"].items()),
        *(f"best of {question}: {'right' if ok else 'wrong'}" for question, ok in report.best),
    ]
    for miss in found["misses"]:
        lines.append(
            f"  missed {miss['id']} {miss['document']}: {miss['parameter']} = {miss['gold']};"
            f" shown {miss['shown']}"
        )
    return "\n".join(lines)
