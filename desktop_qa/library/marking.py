"""The part of the library that keeps what the reader marked, and finds it in changed documents."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from functools import cached_property, lru_cache, partial
from itertools import groupby
from pathlib import Path

from desktop_qa.answer_export.content import moment
from desktop_qa.answer_export.files import write_file
from desktop_qa.answer_export.table_csv import safe_text
from desktop_qa.core.document import Provenance
from desktop_qa.core.errors import ExportError, MarkError
from desktop_qa.core.mark import (
    Mark,
    MarkColour,
    MarkStanding,
    PlacedMark,
    reading_order,
)
from desktop_qa.core.mark_places import find_again
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.export import check_target
from desktop_qa.index.store import Store

_MAX_REMEMBERED = 5_000


class Marking:
    """Marks of a library; usable from several threads."""

    _store: Store

    def marks(
        self, words: str = "", colours: Sequence[MarkColour] = (), file: str = ""
    ) -> tuple[PlacedMark, ...]:
        """List marks by file and down the pages, each where it stands now.

        Args:
            words: That note, quote or file name hold, all of them; empty for all.
            colours: Only these; empty for all.
            file: Only those of this file, by its path in the source folder or its name.
        """
        kept = self._store.marks()
        if not kept:
            return ()
        by_id: dict[str, DocumentStatus] = {}
        by_file: dict[str, DocumentStatus] = {}
        for status in self._store.statuses():
            if status.files:
                by_id[status.document_id] = status
            for name in status.files:
                by_file.setdefault(name, status)
        placed = (self._placed(mark, by_id, by_file) for mark in kept)
        found = (
            one
            for one in placed
            if one.holds(words)
            and (not colours or one.mark.colour in colours)
            and file in ("", one.mark.file, one.name)
        )
        return tuple(sorted(found, key=reading_order))

    def reports(self) -> tuple[PlacedMark, ...]:
        """List the reports of cells that were read wrongly, as `marks` does."""
        if all(mark.cell is None for mark in self._store.marks()):
            return ()
        return tuple(placed for placed in self.marks() if placed.mark.cell is not None)

    def save_mark(self, mark: Mark) -> None:
        """Keep a mark, or what was changed of it.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        self._store.save_mark(mark)

    def delete_marks(self, ids: Sequence[str]) -> int:
        """Delete marks and return how many; `restore_marks` takes it back until the end.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        return self._store.delete_marks(ids)

    def restore_marks(self, ids: Sequence[str]) -> int:
        """Take a deletion back and return how many marks are there again."""
        return self._store.restore_marks(ids)

    def purge_marks(self) -> None:
        """End what `restore_marks` could take back; does nothing for a reader."""
        if not self._store.read_only:
            self._store.purge_marks()

    def export_marks(
        self, ids: Sequence[str] | None, target: Path, *, replace: bool = False
    ) -> int:
        """Write marks to a file with document, page, quote and note; return how many.

        Args:
            ids: Only these; all when `None`.
            target: Ends in .md or .csv.
            replace: Write over what is there.

        Raises:
            MarkError: When there is nothing to write.
            AlreadyThereError: When there is such a file and `replace` is false.
            ExportError: When it cannot be written, or has no ending that is known.
        """
        wanted = None if ids is None else set(ids)
        found = [one for one in self.marks() if wanted is None or one.mark.id in wanted]
        if not found:
            raise MarkError("There are no marks to export.", "Mark something in a document first.")
        export_marks(found, target.absolute(), self._store.folder, replace=replace)
        return len(found)

    # Where a mark stands now

    def _placed(
        self,
        mark: Mark,
        by_id: Mapping[str, DocumentStatus],
        by_file: Mapping[str, DocumentStatus],
    ) -> PlacedMark:
        status = by_id.get(mark.document_id)
        if status is not None:
            # The file may have been renamed: the list says what it is called now.
            now = mark if mark.file in status.files else replace(mark, file=status.file)
            standing, page_no, places = MarkStanding.HERE, mark.page_no, mark.places
            return PlacedMark(now, standing, mark.document_id, status.path, page_no, places)
        status = by_file.get(mark.file)
        if status is None:
            return PlacedMark(mark, MarkStanding.GONE, mark.document_id, "", mark.page_no, ())
        places = self._found_again(mark, status)
        standing = MarkStanding.FOUND_AGAIN if places else MarkStanding.EARLIER
        page_no = places[0].page_no if places else mark.page_no
        return PlacedMark(mark, standing, status.document_id, status.path, page_no, places)

    @cached_property
    def _found_again(self) -> Callable[[Mark, DocumentStatus], tuple[Provenance, ...]]:
        """Looks a mark up in the words of a newer version, once for each reading of it."""
        return lru_cache(_MAX_REMEMBERED)(self._look_up)

    def _look_up(self, mark: Mark, status: DocumentStatus) -> tuple[Provenance, ...]:
        words_of = partial(self._store.page_words, status.document_id)
        return find_again(mark.quote, mark.page_no, status.n_pages, words_of)


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
    check_target(target, (target,), library_folder, replace=replace)
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
            *(_HIGHLIGHT if cell is None else (_REPORT, *astuple(cell))),
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


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _when(seconds: float) -> str:
    return moment(datetime.fromtimestamp(seconds).astimezone())
