"""A table of an answer as CSV, with the file and page of each cell, safe to open in a spreadsheet.

Spreadsheets run what begins like a formula: such a text gets an apostrophe in front of it, which
they show as plain text. A number keeps its sign.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.core.errors import ExportError
from desktop_qa.core.whole_files import write_whole

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DIFFERENCES = "Differs"


def table_as_csv(
    table: AnswerTable, sources: Mapping[int, CellSource], *, only_differences: bool = False
) -> str:
    """Return a table as CSV (RFC 4180, lines end with CR LF).

    Beside each column that cites places stand its notes, its file and the pages it was read from;
    units are in the text of a cell, and its value in the base unit in a column of its own.

    Args:
        table: Of an answer.
        sources: Of each marker of the answer.
        only_differences: Leave out the rows in which the documents of a comparison agree.
    """
    is_comparison = table.use is TableUse.COMPARISON
    cited = [i for i in range(len(table.headers)) if any(row[i].marker for row in table.rows)]
    rows = [_headers(table, cited, is_comparison)]
    for index, row in enumerate(table.rows):
        is_different = table.differs[index] if index < len(table.differs) else True
        if only_differences and is_comparison and not is_different:
            continue
        cells = [text for i, cell in enumerate(row) for text in _cells(cell, i in cited, sources)]
        if is_comparison:
            cells.append("yes" if is_different else "no")
        rows.append(cells)
    rows += [[note] for note in table.notes]
    return _csv_text(map(safe_text, row) for row in rows)


def write_csv(
    table: AnswerTable,
    sources: Mapping[int, CellSource],
    path: Path,
    *,
    only_differences: bool = False,
) -> None:
    """Write a table as CSV, marked as UTF-8 so that spreadsheets read units right.

    Raises:
        ExportError: When it cannot be written.
    """
    text = table_as_csv(table, sources, only_differences=only_differences)
    _write(text.encode("utf-8-sig"), path)


def write_cells(rows: Sequence[Sequence[str]], path: Path, *, for_excel: bool) -> None:
    """Write the cells of a document's table as CSV (RFC 4180), row by row.

    Args:
        rows: The texts as printed.
        path: Where to; what is there is written over.
        for_excel: Mark the file as UTF-8, which Excel needs to read units right, and keep texts
            from being run as formulas; else the texts stand as printed, for other programs.

    Raises:
        ExportError: When it cannot be written.
    """

    def shown(text: str) -> str:
        line = " ".join(text.split())
        return safe_text(line) if for_excel else line

    text = _csv_text(map(shown, row) for row in rows)
    _write(text.encode("utf-8-sig" if for_excel else "utf-8"), path)


def _csv_text(rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def _write(content: bytes, path: Path) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise ExportError(
            f"{path} cannot be written ({error.strerror or error}).",
            "Choose another place, or close the program that has it open.",
        ) from error


def safe_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    if text.startswith(_STARTS_A_FORMULA) and _NUMBER.fullmatch(text) is None:
        return f"'{text}"
    return text


def _headers(table: AnswerTable, cited: Sequence[int], is_comparison: bool) -> list[str]:
    names = []
    for index, header in enumerate(table.headers):
        names.append(header)
        if index in cited:
            names += [
                f"{header}: {what}" for what in ("value in base unit", "note", "file", "page")
            ]
    return [*names, _DIFFERENCES] if is_comparison else names


def _cells(cell: AnswerCell, is_cited: bool, sources: Mapping[int, CellSource]) -> list[str]:
    if not is_cited:
        return [cell.text]
    value = "" if cell.value is None else f"{cell.value:g}"
    source = sources.get(cell.marker)
    place = ["", ""] if source is None else [source.file, source.pages_of(cell)]
    return [cell.text, value, cell.note, *place]
