"""The verb that compares documents, and how tables of answers are printed."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.answer_export.table_csv import write_csv
from desktop_qa.cli.output import answer_json
from desktop_qa.cli.verbs import add_library, on_library, print_json, say, verb
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_table import AnswerTable, CellSource, TableUse
from desktop_qa.core.errors import QuestionError

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library

_MIN_WIDTH = 12
_GAP = "–"


def add_compare(verbs: Any) -> None:
    """Add the verb `compare`."""
    parser = verb(
        verbs, "compare", on_library(compare), "compare documents, parameter by parameter"
    )
    parser.add_argument(
        "documents", nargs="+", metavar="DOC", help="part number, file, its name, or its id"
    )
    add_library(parser)
    parser.add_argument(
        "--on", nargs="+", default=(), metavar="PARAMETER", help="only these parameters"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table there")
    parser.add_argument("--only-differences", action="store_true", help="leave out rows that agree")


def compare(options: argparse.Namespace, library: Library) -> int:
    """Compare documents of a library, print the table and write it where asked.

    Raises:
        QuestionError: See `Library.compare`.
        ExportError: When the file cannot be written.
    """
    answer = library.compare(options.documents, options.on)
    table = next((t for t in answer.tables if t.use is TableUse.COMPARISON), None)
    if options.csv is not None:
        if table is None:
            raise QuestionError("There is no table to write.", answer.text)
        sources = sources_of(answer, library)
        write_csv(table, sources, options.csv, only_differences=options.only_differences)
        say(f"{options.csv} written.")
    if options.json:
        print_json(answer_json(answer, library, only_differences=options.only_differences))
        return 0
    print(answer.text)
    print_tables(answer.tables, only_differences=options.only_differences)
    return 0


def sources_of(answer: Answer, library: Library) -> dict[int, CellSource]:
    """Return where the evidence of each marker stands."""
    statuses = {status.document_id: status for status in library.statuses()}
    sources: dict[int, CellSource] = {}
    for piece in answer.evidence:
        status = statuses[piece.segment.document_id]
        page_no = piece.segment.metadata.page_nos[0]
        sources[piece.marker] = CellSource(status.file, page_no, page_starts=status.page_starts)
    return sources


def print_tables(tables: Sequence[AnswerTable], *, only_differences: bool = False) -> None:
    """Print tables as columns of text, as wide as the terminal."""
    width = max(shutil.get_terminal_size().columns, 80)
    for table in tables:
        print(f"\n{table.title}" if table.title else "")
        for line in table_lines(table, width, only_differences=only_differences):
            print(line)
        for note in table.notes:
            print(f"Note: {note}")


def table_lines(table: AnswerTable, width: int, *, only_differences: bool = False) -> list[str]:
    """Return a table as lines of text.

    Args:
        table: Of an answer.
        width: Of a line, in characters.
        only_differences: Leave out the rows of a comparison that agree.
    """
    is_comparison = table.use is TableUse.COMPARISON
    rows = [list(table.headers)] if any(table.headers) else []
    for index, cells in enumerate(table.rows):
        if only_differences and is_comparison and not table.differs[index]:
            continue
        gap = _GAP if is_comparison else ""
        rows.append([f"{c.text} [{c.marker}]" if c.marker else c.text or gap for c in cells])
    widths = _widths(rows, width)
    lines: list[str] = []
    for number, row in enumerate(rows):
        lines += _wrapped(row, widths)
        if number == 0 and any(table.headers):
            lines.append("-+-".join("-" * w for w in widths))
    return lines


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    if not rows:
        return []
    wanted = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    room = width - 3 * (len(wanted) - 1)
    while sum(wanted) > room and max(wanted) > _MIN_WIDTH:
        wanted[wanted.index(max(wanted))] -= 1
    return wanted


def _wrapped(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    pieces = [textwrap.wrap(text, w) or [""] for text, w in zip(row, widths, strict=True)]
    n_lines = max(len(piece) for piece in pieces)
    return [
        " | ".join(
            (piece[i] if i < len(piece) else "").ljust(w)
            for piece, w in zip(pieces, widths, strict=True)
        ).rstrip()
        for i in range(n_lines)
    ]
