"""The verbs for single documents: what is known of them, taking them out, bringing them back."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.output import reading_json
from desktop_qa.cli.verbs import (
    add_library,
    fields_of,
    on_library,
    open_to_read,
    open_to_write,
    print_json,
    say,
    verb,
)
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.progress import names_of_files

if TYPE_CHECKING:
    from desktop_qa.core.details import DocumentDetails
    from desktop_qa.core.document import DocumentId
    from desktop_qa.core.removed import RemovedDocument
    from desktop_qa.library.facade import Library


def add_documents(verbs: Any) -> None:
    """Add the verbs `info`, `remove` and `restore`."""
    info = verb(verbs, "info", on_library(_info), "tell all that is known of a document")
    info.add_argument("document", metavar="FILE", help="file, its name, or its id")
    add_library(info)
    remove = verb(
        verbs,
        "remove",
        on_library(_remove, open_to_write),
        "take documents out of a library; files stay",
    )
    remove.add_argument("documents", nargs="+", metavar="FILE", help="file, its name, or its id")
    add_library(remove)
    restore = verb(verbs, "restore", _restore, "list or bring back what was removed")
    restore.add_argument("documents", nargs="*", metavar="FILE", help="none lists them")
    restore.add_argument("--all", action="store_true", help="bring all of them back")
    add_library(restore)


def _info(options: argparse.Namespace, library: Library) -> int:
    details = library.details(one_document(library, options.document))
    row, status = details_json(details), details.status
    if options.json:
        print_json(row)
        return 0
    for name, value in row.items():
        if name in ("places", "problems", "reading") or value in ("", [], None):
            continue
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        print(f"{name.replace('_', ' ')}: {shown}")
    for place in row["places"]:
        size = "not there" if place["size_bytes"] is None else f"{place['size_bytes']} bytes"
        print(f"{place['path']} ({size})")
    if status.reading is not None:
        print(f"reading score: {status.reading.score}")
        print("".join(f"{doubt.line}\n" for doubt in status.reading.doubts), end="")
    for problem in row["problems"]:
        where = f"page {problem['page']}" if problem["page"] else "document"
        error = f" ({problem['stage']}: {problem['error']})" if problem["stage"] else ""
        print(f"{where}: {problem['reason']}{error}")
    return 0


def details_json(details: DocumentDetails) -> dict[str, Any]:
    """Return the details of a document as JSON."""
    status = details.status
    return {
        "id": status.document_id,
        **fields_of(status, "file title vendor part_numbers revision date state"),
        "reading": reading_json(status.reading),
        **fields_of(status, "reason hint"),
        "pages": status.n_pages,
        "segments": status.n_segments,
        "tables": status.n_tables,
        "figures": status.n_figures,
        "words": details.n_words,
        "pages_without_text": list(details.pages_without_text),
        "problems": [
            {"page": one.page_no or None, **fields_of(one, "reason has_text stage error")}
            for one in details.problems
        ],
        "read_at": status.read_at if status.has_content else None,
        **fields_of(status, "read_by stale"),
        "seconds": round(details.seconds, 3) or None,
        "kept_bytes": details.kept_bytes,
        "places": [
            {
                **fields_of(place, "path source size_bytes"),
                "changed_at": place.changed_at or None,
            }
            for place in details.places
        ],
    }


def one_document(library: Library, name: str) -> DocumentId:
    """Return the one document of a name.

    Raises:
        QuestionError: When there is none of this name, or more than one.
    """
    found = library.named(name) or tuple(
        status for status in library.statuses() if name in (status.path, status.file)
    )
    if not found:
        raise QuestionError(
            f"No document of this library is called {name}.",
            "Give its file as it was ingested, its name, or its id.",
        )
    if len(found) > 1:
        files = ", ".join(status.file for status in found)
        raise QuestionError(f"{name} may be any of {files}.", "Give the whole path.")
    return found[0].document_id


def _remove(options: argparse.Namespace, library: Library) -> int:
    removed = library.remove([one_document(library, name) for name in options.documents])
    rows = [one for one in library.removed() if one.document_id in removed]
    if options.json:
        print_json({"removed": [_as_json(row) for row in rows]})
    for row in rows:
        say(f"{', '.join(row.files)} is not in the library any more; the file is untouched.")
    return 0


def _restore(options: argparse.Namespace) -> int:
    brings_back = bool(options.documents or options.all)
    opened = open_to_write if brings_back else open_to_read
    with closing(opened(options.library)) as library:
        removed = library.removed()
        if not brings_back:
            _print_removed(removed, options.json)
            return 0
        wanted = removed if options.all else [_named(removed, n) for n in options.documents]
        library.restore([row.document_id for row in wanted])
        if wanted:
            library.sync(lambda _progress: None)
        present = {status.document_id for status in library.statuses()}
    back = [row for row in wanted if row.document_id in present]
    if options.json:
        print_json({"restored": [_as_json(row) for row in back]})
    for row in back:
        say(f"{', '.join(row.files)} is in the library again.")
    for row in wanted:
        if row not in back:
            say(f"{', '.join(row.files)} is not in its folder any more, or has changed.")
    return 0


def _print_removed(removed: tuple[RemovedDocument, ...], is_json: bool) -> None:
    if is_json:
        print_json({"removed": [_as_json(row) for row in removed]})
        return
    for row in removed:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.removed_at))
        print(f"{when}  {', '.join(row.files)}")
    if not removed:
        say("Nothing was removed from this library.")


def _named(removed: tuple[RemovedDocument, ...], name: str) -> RemovedDocument:
    wanted = name.replace("\\", "/")
    for row in removed:
        if wanted in {row.document_id, *row.paths, *names_of_files(row.files)}:
            return row
    raise QuestionError(
        f"Nothing that is called {name} was removed from this library.",
        "Call restore without a name for a list of what was.",
    )


def _as_json(row: RemovedDocument) -> dict[str, Any]:
    return {"id": row.document_id, **fields_of(row, "files paths removed_at")}
