"""The details of a document in words, to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale

from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import PageFailure
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.library.library_words import first_of, moment, state_text

_SECONDS_PER_MINUTE = 60
_MAX_PAGES_LISTED = 20

Line = tuple[str, str]
"""What it is, and what it is here."""


def known_lines(status: DocumentStatus) -> list[Line]:
    """Return what the list of documents tells by itself."""
    lines = [
        ("Title", status.title),
        ("Vendor", status.vendor),
        ("Part numbers", ", ".join(status.part_numbers)),
        ("Revision", status.revision),
        ("Date", status.date),
        ("State", _state(status)),
        ("Pages", _number(status.n_pages)),
    ]
    return [(name, value) for name, value in lines if value]


def detail_lines(details: DocumentDetails) -> list[Line]:
    """Return all that is known, beside the files and the problems of single pages."""
    status = details.status
    lines = known_lines(status)
    if status.has_content:
        lines += [
            ("Kind", details.kind.capitalize()),
            ("Segments", _number(status.n_segments) or "0"),
            ("Tables", _number(status.n_tables) or "0"),
            ("Figures", _number(status.n_figures) or "0"),
            ("Words", _number(details.n_words) or "0"),
            ("Pages without text", _pages(details.pages_without_text)),
            ("Read", moment(status.read_at)),
            ("Read by", _version(status)),
            ("Reading score", f"{status.reading.score:.2f}" if status.reading else ""),
            ("Reading took", duration(details.seconds) if details.seconds else "not noted"),
        ]
    lines.append(("Kept of it", f"{size_text(details.kept_bytes)} beside the index"))
    return [(name, value) for name, value in lines if value]


def place_line(place: FilePlace) -> str:
    """Return the size and age of a file, or that it is not there."""
    if place.size_bytes is None:
        return "not there now"
    return f"{size_text(place.size_bytes)}, changed {moment(place.changed_at)}"


def problem_line(problem: PageFailure) -> str:
    """Return what ails a page, or the document as a whole."""
    where = f"Page {problem.page_no}" if problem.page_no else "Document"
    error = f", {problem.stage}: {problem.error}" if problem.stage else ""
    lost = "its text is searched" if problem.has_text else "not searched"
    return f"{where}: {problem.reason} ({lost}{error})"


def problem_lines(details: DocumentDetails) -> list[tuple[int, str]]:
    """Return page and words of all that ails a document, and of what is in doubt of it."""
    reading = details.status.reading
    doubts = reading.doubts if reading is not None else ()
    return [(one.page_no, problem_line(one)) for one in details.problems] + [
        (doubt.page_no, doubt.line) for doubt in doubts
    ]


def as_text(details: DocumentDetails) -> str:
    """Return everything as plain text, a line each."""
    lines = [f"{name}: {value}" for name, value in detail_lines(details)]
    lines += [f"File: {place.path} ({place_line(place)})" for place in details.places]
    lines += [line for _, line in problem_lines(details)]
    return "\n".join(lines)


def size_text(n_bytes: int) -> str:
    """Return "3.4 MB"; a kB is 1000 bytes."""
    si = QLocale.DataSizeFormat.DataSizeSIFormat
    return QLocale.c().formattedDataSize(n_bytes, 1, si)


def duration(seconds: float) -> str:
    """Return "12 s" or "2 min 5 s"."""
    if seconds < _SECONDS_PER_MINUTE:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), _SECONDS_PER_MINUTE)
    return f"{minutes} min {rest} s"


def _number(value: int) -> str:
    return f"{value:,}" if value else ""


def _state(status: DocumentStatus) -> str:
    words = state_text(status)
    state = "ready, read by an earlier version" if words == "earlier" else words
    why = f"{status.reason} {status.hint}".strip()
    return f"{state}: {why}" if why else state


def _version(status: DocumentStatus) -> str:
    return ", ".join(part.strip() for part in status.read_by.split(";") if part.strip())


def _pages(page_nos: Sequence[int]) -> str:
    return f"{len(page_nos)} ({first_of(page_nos, _MAX_PAGES_LISTED)})" if page_nos else "none"
