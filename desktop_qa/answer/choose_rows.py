"""Options that are names of rows: what the question requires is looked for in each one's cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.cells import table_statements
from desktop_qa.answer.columns import TableColumns, read_columns
from desktop_qa.answer.measures import Measure, in_base, is_equal, measures_in, same_kind
from desktop_qa.answer.options import ChoiceTask, Judged, Option, stands_as_name
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of

_YES = re.compile(
    r"^(?:yes|y|✓|✔|√|x|•|●|supported|available|allowed|enabled|on|ok)(?!\w)\W*$", re.I
)
_NO = re.compile(r"^(?:no|n|n/?a|-|–|—|✗|✘|×|not\s+\w+|none|disabled|off)?\W*$", re.IGNORECASE)
_STATE = re.compile(
    r"\b(off|on|yes|no|enabled|disabled|high|low|active|inactive|open|closed|read[- ]only"
    r"|set|cleared|supported|required|optional)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\b(?:while|still|but|yet)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:lowest|smallest|shortest|least|slowest|fewest|lightest)\b", re.I)
_MOST = re.compile(r"\b(?:highest|largest|longest|most|fastest|greatest|widest|biggest)\b", re.I)
_HELD = 0.95
_MAX_TABLES = 6

Row = Sequence[TableCell | None]


@dataclass(frozen=True, slots=True)
class _Named:
    """A row that bears an option as its name."""

    option: Option
    cells: Row
    statement: Statement


def judged_by_rows(asked: ChoiceTask) -> list[Judged]:
    """Judge options that name rows of one table; empty when they do not."""
    for table, items in _tables(asked):
        grid = table.grid()
        columns = read_columns(table)
        rows = _rows_of_options(asked, items, grid)
        if len({row.option.letter for row in rows}) < max(2, (len(asked.options) + 1) // 2):
            continue
        held = _held(asked, table, columns, rows)
        if held is not None:
            return _judged(asked, rows, held)
    return []


def _tables(asked: ChoiceTask) -> Iterator[tuple[Table, list[Evidence]]]:
    """Yield the tables of the evidence, each with all the segments that show rows of it."""
    source = asked.task.source
    seen: set[tuple[str, int]] = set()
    for item in asked.task.usable:
        segment = item.segment
        if segment.kind is not SegmentKind.TABLE or segment.element is None:
            continue
        key = (segment.document_id, segment.element.index)
        table = source.table(segment)
        if key in seen or table is None:
            continue
        seen.add(key)
        parts = [
            Evidence(0, other, item.score, ())
            for other in source.segments_of(segment.document_id)
            if other.kind is SegmentKind.TABLE
            and other.element is not None
            and other.element.index == segment.element.index
            and other.id != segment.id
        ]
        yield table, [item, *parts]
        if len(seen) >= _MAX_TABLES:
            return


def _rows_of_options(
    asked: ChoiceTask,
    items: Sequence[Evidence],
    grid: list[list[TableCell | None]],
) -> list[_Named]:
    rows: dict[str, _Named] = {}
    for option in asked.options:
        weights = dict.fromkeys(option.terms, 3.0) | dict.fromkeys(asked.terms.weights, 1.0)
        for item in items:
            for statement in table_statements(
                f"{asked.stem} {option.text}", QuestionTerms(weights), item, asked.task.source
            ):
                if not statement.cells or option.letter in rows:
                    continue
                cells = grid[max(row for row, _column in statement.cells)]
                if _is_named(option, cells):
                    rows[option.letter] = _Named(option, cells, statement)
    return list(rows.values())


def _is_named(option: Option, cells: Row) -> bool:
    """Tell whether one of the first cells of a row is the option, or holds it as a name."""
    names = [cell.text for cell in cells[:3] if cell is not None and cell.text]
    return any(stands_as_name(option.text, name) and len(name) < 4 * len(option.text) + 40
               for name in names)  # fmt: skip


def _held(
    asked: ChoiceTask, table: Table, columns: TableColumns, rows: Sequence[_Named]
) -> dict[str, float] | None:
    """Return how far each row meets what the question requires, None when it cannot be told."""
    for way in (_by_value, _by_extreme, _by_state, _by_yes_and_no):
        held = way(asked, table, columns, rows)
        if held is not None and any(score > 0 for score in held.values()):
            return held
    return None


def _by_value(
    asked: ChoiceTask, table: Table, columns: TableColumns, rows: Sequence[_Named]
) -> dict[str, float] | None:
    """A value of the question stands in a cell: "regulates the battery at 4.1 V"."""
    values = [placed.measure for placed in measures_in(asked.stem)]
    if not values:
        return None
    held = {}
    for row in rows:
        stated = [m for cell in row.cells if (m := _measure(cell)) is not None]
        n_met = sum(any(is_equal(v, m, 1e-4) for m in stated) for v in values)
        held[row.option.letter] = _HELD * n_met / len(values)
    return held


def _by_extreme(
    asked: ChoiceTask, table: Table, columns: TableColumns, rows: Sequence[_Named]
) -> dict[str, float] | None:
    """The row with the highest or lowest value of the column that the question names."""
    sign = -1.0 if _LEAST.search(asked.stem) else 1.0 if _MOST.search(asked.stem) else 0.0
    column = columns.asked_for(asked.terms)
    if not sign or column is None:
        return None
    unit = head_unit(columns.headers[column])
    measured: dict[str, Measure] = {}
    for row in rows:
        measure = _measure(row.cells[column], unit)
        if measure is not None:
            measured[row.option.letter] = measure
    values = list(measured.values())
    if len(values) < len(asked.options) or not all(same_kind(values[0], v) for v in values):
        return None
    best = max(sign * in_base(v) for v in values)
    return {letter: _HELD * (sign * in_base(v) == best) for letter, v in measured.items()}


def _by_state(
    asked: ChoiceTask, table: Table, columns: TableColumns, rows: Sequence[_Named]
) -> dict[str, float] | None:
    """A state that the question names stands in the cell under the column that it names.

    What it says of another column behind "while" must not be the opposite: "the gyro is off while
    the accelerometer still delivers data".
    """
    required: list[tuple[int, str]] = []
    clauses = [clause for clause in _WITHOUT.split(asked.stem) if clause.strip()]
    for clause in clauses:
        state = _STATE.search(clause)
        named = [
            (len(set(terms_of(header)) & set(terms_of(clause))), index)
            for index, header in enumerate(columns.headers)
            if _column_is_named(header, clause)
        ]
        if named:
            required.append((max(named)[1], state[1].casefold() if state else ""))
    if not any(state for _column, state in required):
        return None
    held = {}
    for row in rows:
        met = [_meets(_text(row.cells[column]), state) for column, state in required]
        held[row.option.letter] = _HELD * float(all(met))
    return held


def _column_is_named(header: str, clause: str) -> bool:
    """Tell whether a clause names a column, also by the whole word of which it is the beginning."""
    words = re.findall(r"[A-Za-z]{3,}", header)
    said = re.findall(r"[A-Za-z]{3,}", clause)
    return any(s.casefold().startswith(w.casefold()) for w in words for s in said)


def _meets(cell: str, state: str) -> bool:
    if not state:
        return not _NO.match(cell)
    return cell.casefold().strip(" .") == state


def _by_yes_and_no(
    asked: ChoiceTask, table: Table, columns: TableColumns, rows: Sequence[_Named]
) -> dict[str, float] | None:
    """A column of yes and no, or of marks: the one that the question's words name best."""
    candidates = []
    for column, header in enumerate(columns.headers):
        texts = [_text(row.cells[column]) for row in rows]
        if all(_YES.match(t) or _NO.match(t) for t in texts) and any(_YES.match(t) for t in texts):
            near = f"{header} {table.caption}"
            is_named = _column_is_named(header, asked.stem)
            candidates.append((asked.terms.coverage(terms_of(near)) + 0.5 * is_named, column))
    if not candidates:
        return None
    coverage, column = max(candidates)
    if coverage <= 0 and len(candidates) > 1:
        return None
    return {
        row.option.letter: _HELD * float(bool(_YES.match(_text(row.cells[column])))) for row in rows
    }


def _judged(asked: ChoiceTask, rows: Sequence[_Named], held: dict[str, float]) -> list[Judged]:
    statements = {row.option.letter: row.statement for row in rows}
    judged = []
    for option in asked.options:
        statement = statements.get(option.letter)
        if statement is not None:
            context = statement.evidence.segment.lexical_text
            coverage = max(asked.terms.coverage(terms_of(context)), statement.coverage)
            statement = replace(statement, coverage=coverage)
        judged.append(Judged(option.letter, option.text, held.get(option.letter, 0.0), statement))
    return judged


def _measure(cell: TableCell | None, unit: str = "") -> Measure | None:
    text = _text(cell)
    placed = measures_in(text) or (measures_in(f"{text} {unit}") if unit else [])
    return placed[0].measure if placed else None


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else " ".join(cell.text.split())
