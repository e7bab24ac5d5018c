"""The verb that fetches parts of documents by their names, as PDFTriage's functions do."""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.models import add_key_option, key_of, profile_named
from desktop_qa.cli.output import figure_json, table_json
from desktop_qa.cli.verbs import add_library, on_library, print_json, say, verb
from desktop_qa.core.answer import PlaceKind
from desktop_qa.core.document import Figure, Table
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.figure_description import FigureToDescribe
from desktop_qa.library.talk import last_of
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import ProfileStore

if TYPE_CHECKING:
    from desktop_qa.core.document import DocumentId
    from desktop_qa.library.facade import Library

_PAGES = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")
_LABEL = re.compile(r"(?:[A-Z][-.]?)?\d+(?:[-.]\d+)*[a-z]?", re.IGNORECASE)
_KINDS = (PlaceKind.SECTION, PlaceKind.TABLE, PlaceKind.FIGURE)
_MAX_NAMED = 5


def add_fetch(verbs: Any) -> None:
    """Add the verb `fetch`."""
    text = "print pages, a section, a table or a figure of one document, of several or of all"
    parser = verb(verbs, "fetch", on_library(fetch), text)
    parser.add_argument(
        "documents",
        nargs="*",
        metavar="DOC",
        help="file, its name, its id, or a pattern as --scope of ask has them; all without any",
    )
    parser.add_argument("--scope", nargs="+", default=(), metavar="DOC", help="more of them")
    add_library(parser)
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--pages", help='the text of pages: "5", "2,5-7" or "last"')
    place.add_argument("--section", help='number ("8.3.4") or words of its title')
    place.add_argument("--table", help='label ("7-2") or words of its caption or heading')
    place.add_argument(
        "--figure", help='label ("12") or words ("block diagram"); with its image and description'
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="a model that sees describes the figures (models)"
    )
    add_key_option(parser)


def fetch(options: argparse.Namespace, library: Library) -> int:
    """Print what stands at a place, document by document.

    Raises:
        QuestionError: When no document has such a place.
    """
    document_ids, notes = library.in_scope([*options.documents, *options.scope])
    for note in notes:
        say(note)
    find = _pages if options.pages is not None else _segments
    rows: list[dict[str, Any]] = []
    lacking: list[str] = []
    for document_id in document_ids:
        found = list(find(options, library, document_id))
        rows += found
        if not found:
            lacking.append(library.file_of(document_id))
    if lacking:
        more = f" and {len(lacking) - _MAX_NAMED} more" if len(lacking) > _MAX_NAMED else ""
        verb_ = "has" if len(lacking) == 1 else "have"
        said = f"{', '.join(lacking[:_MAX_NAMED])}{more} {verb_} no such place."
        if not rows:
            hint = "`desktop-qa structure FILE` lists the sections, tables and figures of a file."
            raise QuestionError(said, hint)
        say(said)
    if options.profile is not None:
        _describe(options, library, rows)
    if options.json:
        print_json(rows)
        return 0
    for row in rows:
        _print_row(row, with_file=len(document_ids) > 1)
    return 0


def _print_row(row: dict[str, Any], *, with_file: bool) -> None:
    where = f"page {row['pages'][0]}" if row["pages"] else "no page"
    where = f"{row['file']}, {where}" if with_file else where
    print(f"[{where}] {' > '.join(row.get('section_path', ()))}".rstrip())
    figure = row.get("figure")
    text = row["text"] if figure is None else f"{figure['description']}\n{figure['image']}"
    print(text.rstrip("\n"), end="\n\n")
    if by_model := row.get("by_model"):
        print(f"{by_model['text']}\n({by_model['byline']})\n")
    if row.get("problem"):
        say(f"{row['file']}, page {row['pages'][0]}: {row['problem']}")


def _describe(options: argparse.Namespace, library: Library, rows: list[dict[str, Any]]) -> None:
    """Have a model describe each figure; its words stand apart from the document's.

    Raises:
        QuestionError: When no figure was fetched.
        ModelError: For everything that can go wrong.
    """
    from desktop_qa.library.describing import described

    figures = [row for row in rows if "figure" in row]
    if not figures:
        raise QuestionError("Only figures are described by a model.", "Fetch one with --figure.")
    profile = profile_named(options.profile)
    key = key_of(profile, options.key_from_env, KeyStore())
    consent = ProfileStore().consent(library.folder, profile)
    for row in figures:
        shown = row["figure"]
        place = f"{row['file']}, page {row['pages'][0]}"
        say(f"{profile.model} looks at {place}.")
        figure = FigureToDescribe(shown["image"], shown["caption"], row["text"], place)
        steps = described(figure, profile, key, consent, on_notice=lambda one: say(one.text))
        said = asyncio.run(last_of(steps))
        library.keep_description(figure, said)
        row["by_model"] = {"text": said.text, "model": said.model, "byline": said.byline}


def _pages(
    options: argparse.Namespace, library: Library, document_id: DocumentId
) -> Iterator[dict[str, Any]]:
    for page in library.triage.fetch_pages(document_id, _page_numbers(options.pages)):
        yield {
            "file": library.file_of(document_id),
            "pages": [page.page_no],
            "text": page.text,
            "problem": page.problem,
        }


def _segments(
    options: argparse.Namespace, library: Library, document_id: DocumentId
) -> Iterator[dict[str, Any]]:
    kind = next(kind for kind in _KINDS if getattr(options, kind) is not None)
    asked = getattr(options, kind).strip()
    label, words = (asked, "") if _LABEL.fullmatch(asked) else ("", asked)
    fits = library.triage.fetch(document_id, kind, label, words)
    segments = library.segments_at(list(fits))
    elements = library.elements_of(segments)
    for fit, segment in zip(fits.values(), segments, strict=True):
        element = elements.get(segment.id)
        row = {
            "fit": round(fit, 4),
            "file": library.file_of(document_id),
            "pages": list(segment.metadata.page_nos),
            "kind": segment.kind.value,
            "section_path": list(segment.metadata.section_path),
            "text": segment.text,
        }
        if isinstance(element, Table):
            row["table"] = table_json(element, segment.element)
        elif isinstance(element, Figure):
            row["figure"] = figure_json(element, library.image_of)
        yield row


def _page_numbers(text: str) -> Iterator[int]:
    """Yield the pages of a list such as "2,5-7"; -1 is the last.

    Raises:
        QuestionError: When it is no such list.
    """
    for part in text.split(","):
        match = _PAGES.fullmatch(part.strip())
        if match is not None:
            yield from range(int(match[1]), int(match[2] or match[1]) + 1)
        elif part.strip().casefold() == "last":
            yield -1
        else:
            raise QuestionError(f"{text} names no pages.", 'Write "5", "2,5-7" or "last".')
