"""The verb for the reader's marks: list, search, export."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.verbs import add_library, fields_of, on_library, print_json, say, verb
from desktop_qa.core.mark import MarkColour, MarkStanding

if TYPE_CHECKING:
    from desktop_qa.core.mark import PlacedMark
    from desktop_qa.library.facade import Library

_NOTES = {
    MarkStanding.HERE: "",
    MarkStanding.FOUND_AGAIN: "",
    MarkStanding.EARLIER: "  (of an earlier version)",
    MarkStanding.GONE: "  (not in the library any more)",
}


def add_marks(verbs: Any) -> None:
    """Add the verb `marks`."""
    marks = verb(verbs, "marks", on_library(_marks), "list and export your highlights and notes")
    add_library(marks)
    marks.add_argument("--search", metavar="WORDS", default="", help="only those with all words")
    marks.add_argument(
        "--colour",
        action="append",
        choices=[colour.value for colour in MarkColour],
        help="only of this colour; may be given again",
    )
    marks.add_argument("--document", metavar="FILE", default="", help="only those of this file")
    marks.add_argument("--export", type=Path, metavar="FILE", help="write them to FILE (.md, .csv)")
    marks.add_argument("--replace", action="store_true", help="write over an earlier export")


def _marks(options: argparse.Namespace, library: Library) -> int:
    colours = tuple(MarkColour(name) for name in options.colour or ())
    found = library.marks(options.search, colours, options.document)
    if options.export is not None:
        ids = [placed.mark.id for placed in found]
        n_marks = library.export_marks(ids, options.export, replace=options.replace)
        say(f"{options.export.absolute()} ({n_marks} marks)")
        if options.json:
            print_json({"file": str(options.export.absolute()), "marks": n_marks})
        return 0
    if options.json:
        print_json({"marks": [_as_json(placed) for placed in found]})
        return 0
    for placed in found:
        quote = " ".join(placed.mark.quote.split())
        print(f"{placed.mark.file}, page {placed.page_no}: {quote}{_NOTES[placed.standing]}")
        if placed.mark.cell is not None:
            print(f"    {placed.mark.cell.sentence} ({placed.mark.cell.place})")
        for line in placed.mark.note.strip().splitlines():
            print(f"    {line}")
    if not found:
        say("Nothing was marked that is like this." if _is_filtered(options) else "No marks yet.")
    return 0


def _is_filtered(options: argparse.Namespace) -> bool:
    return bool(options.search or options.colour or options.document)


def _as_json(placed: PlacedMark) -> dict[str, Any]:
    mark = placed.mark
    return {
        "id": mark.id,
        "document_id": placed.document_id,
        "file": mark.file,
        "path": placed.path,
        "page": placed.page_no,
        **fields_of(mark, "quote note colour made_at changed_at"),
        "state": placed.standing,
        "wrong_cell": None if mark.cell is None else asdict(mark.cell),
        "places": [
            {
                "page": place.page_no,
                "box": [place.bbox.left, place.bbox.top, place.bbox.right, place.bbox.bottom],
            }
            for place in placed.places
        ],
    }
