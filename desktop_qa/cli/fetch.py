"""The verb that fetches a part of a document by its name, as PDFTriage's functions do."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.verbs import add_library, print_json, verb
from desktop_qa.core.errors import QuestionError

if TYPE_CHECKING:
    from desktop_qa.core.document import DocumentId
    from desktop_qa.library.facade import Library
    from desktop_qa.retrieve.triage import Fit

_PAGES = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")
_LABEL = re.compile(r"(?:[A-Z][-.]?)?\d+(?:[-.]\d+)*[a-z]?", re.IGNORECASE)


def add_fetch(verbs: Any, run: Any) -> None:
    """Add the verb `fetch`."""
    fetch = verb(verbs, "fetch", run, "print pages, a section, a table or a figure of a document")
    fetch.add_argument("document", metavar="DOC", help="file, its name, or its id")
    add_library(fetch)
    place = fetch.add_mutually_exclusive_group(required=True)
    place.add_argument("--pages", help='"5", "5-7" or "last"')
    place.add_argument("--section", help='number ("8.3.4") or words of its title')
    place.add_argument("--table", help='label ("7-2") or words of its caption or heading')
    place.add_argument("--figure", help='label ("12") or words ("block diagram")')


def fetch(options: argparse.Namespace, library: Library, document_id: DocumentId) -> int:
    """Print what stands at a place, in the order of the document.

    Raises:
        QuestionError: When the document has no such place.
    """
    fits = _fits(options, library, document_id)
    if not fits:
        raise QuestionError(
            f"{library.file_of(document_id)} has no such place.",
            "`desktop-qa structure FILE` lists its sections, tables and figures.",
        )
    segments = library.segments_at([fit.segment_id for fit in fits])
    if options.json:
        print_json(
            [
                {
                    "fit": round(fit.score, 4),
                    "pages": list(segment.metadata.page_nos),
                    "kind": segment.kind.value,
                    "section_path": list(segment.metadata.section_path),
                    "text": segment.text,
                }
                for fit, segment in zip(fits, segments, strict=True)
            ]
        )
        return 0
    for segment in segments:
        pages = segment.metadata.page_nos
        where = f"page {pages[0]}" if pages else "no page"
        print(f"[{where}] {' > '.join(segment.metadata.section_path)}\n{segment.text}\n")
    return 0


def _fits(
    options: argparse.Namespace, library: Library, document_id: DocumentId
) -> tuple[Fit, ...]:
    triage = library.triage
    if options.pages is not None:
        return triage.fetch_pages(document_id, *_page_range(options.pages))
    if options.section is not None:
        return triage.fetch_sections(document_id, *_label_or_words(options.section))
    if options.table is not None:
        return triage.fetch_table(document_id, *_label_or_words(options.table))
    return triage.fetch_figure(document_id, *_label_or_words(options.figure))


def _page_range(text: str) -> tuple[int, int]:
    if text.strip().casefold() == "last":
        return -1, -1
    match = _PAGES.fullmatch(text.strip())
    if match is None:
        raise QuestionError(f"{text} names no pages.", 'Write "5", "5-7" or "last".')
    return int(match[1]), int(match[2] or match[1])


def _label_or_words(text: str) -> tuple[str, str]:
    text = text.strip()
    return (text, "") if _LABEL.fullmatch(text) else ("", text)
