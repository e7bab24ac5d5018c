"""Marks as a file: Markdown to read, CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path

from desktop_qa.answer_export.content import moment
from desktop_qa.answer_export.files import write_file
from desktop_qa.answer_export.table_csv import safe_text
from desktop_qa.core.errors import AlreadyThereError, ExportError
from desktop_qa.core.mark import MarkStanding, PlacedMark, WrongCell

_HEADERS = (
    *("Document", "Page", "Quote", "Note", "Colour", "Made", "Changed", "State"),
    *("Kind", "Table", "Row", "Column", "Says instead"),
)
_HIGHLIGHT = ("Highlight", "", "", "", "")
_REPORT = "Cell read wrongly"
_STATES = {
    MarkStanding.HERE: "",
    MarkStanding.FOUND_AGAIN: "made in an earlier version, found again",
    MarkStanding.EARLIER: "of an earlier version",
    MarkStanding.GONE: "the document is not in the library any more",
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~])")


def export_marks(
    marks: Sequence[PlacedMark], target: Path, library_folder: Path, *, replace: bool
) -> None:
    """Write marks in the form that the target's ending asks for, all of it or nothing.

    Raises:
        AlreadyThereError: When there is such a file and `replace` is false.
        ExportError: When it cannot be written, or has no ending that is known.
    """
    ending = target.suffix.lower()
    if ending not in (".md", ".csv"):
        raise ExportError(
            f"{target.name} has no ending that says which form to write.",
            "End the name with .md or .csv.",
        )
    if not target.parent.is_dir():
        raise ExportError(f"There is no folder {target.parent}.", "Choose a folder that is there.")
    if target.parent.resolve().is_relative_to(library_folder.resolve()):
        raise ExportError(
            "This folder belongs to the library itself.", "Choose a folder outside of it."
        )
    if target.is_dir():
        raise ExportError(f"{target.name} is a folder.", "Choose another name.")
    if target.exists() and not replace:
        raise AlreadyThereError(
            f"{target.name} is already in {target.parent}.",
            "Replace what is there, or choose another name.",
        )
    # Spreadsheets read units right only when the file says that it is UTF-8.
    content = as_csv(marks).encode("utf-8-sig") if ending == ".csv" else as_markdown(marks).encode()
    write_file(content, target)


def as_csv(marks: Sequence[PlacedMark]) -> str:
    """Return marks as CSV (RFC 4180, lines end with CR LF), one in a row."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(_HEADERS)
    for placed in marks:
        mark, cell = placed.mark, placed.mark.cell
        cells = (
            *(mark.file, str(placed.page_no), _one_line(mark.quote), mark.note, mark.colour.label),
            *(_when(mark.made_at), _when(mark.changed_at), _STATES[placed.standing]),
            *(_HIGHLIGHT if cell is None else (_REPORT, *_parts(cell))),
        )
        writer.writerow([safe_text(cell) for cell in cells])
    return out.getvalue()


def as_markdown(marks: Sequence[PlacedMark]) -> str:
    """Return marks as Markdown: a heading for each document, quote, place and note for each mark.

    What stands in documents and notes is escaped: it is text, whatever signs it has.
    """
    lines = ["# Marks", ""]
    for file, of_file in groupby(marks, key=lambda placed: placed.mark.file):
        lines += [f"## {_escaped(file)}", ""]
        for placed in of_file:
            mark = placed.mark
            state = _STATES[placed.standing]
            place = f"{_escaped(placed.name)}, page {placed.page_no}"
            lines += [f"> {_escaped(_one_line(mark.quote))}", ">"]
            lines += [f"> — {place}{f' ({state})' if state else ''}", ""]
            if mark.cell is not None:
                lines += [_escaped(f"{mark.cell.sentence} ({mark.cell.place})."), ""]
            if mark.note.strip():
                lines += [_escaped(mark.note.strip()).replace("\n", "  \n"), ""]
    return "\n".join(lines)


def _parts(cell: WrongCell) -> tuple[str, str, str, str]:
    return cell.table, cell.row, cell.column, cell.instead


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _when(seconds: float) -> str:
    return moment(datetime.fromtimestamp(seconds).astimezone())
