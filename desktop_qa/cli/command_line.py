"""The command line: the same library without a window.

JSON goes to stdout, progress to stderr. Exit codes: 0 done (files that failed are listed), 1 the
request failed, 2 wrong use.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
import uuid
from collections.abc import Container, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from desktop_qa import __version__
from desktop_qa.answer_export.files import form_of
from desktop_qa.cli.compare import add_compare, print_tables
from desktop_qa.cli.documents import add_documents, one_document
from desktop_qa.cli.evaluate import add_evaluation_verbs
from desktop_qa.cli.fetch import add_fetch
from desktop_qa.cli.folders import add_folders
from desktop_qa.cli.format import add_format
from desktop_qa.cli.history import add_export, add_history, say_export
from desktop_qa.cli.marks import add_marks
from desktop_qa.cli.models import add_models, add_profile
from desktop_qa.cli.output import (
    answer_json,
    citation_line,
    evidence_json,
    export_json,
    markdown_json,
    model_answer_json,
    renewal_lines,
    report_json,
    structure_json,
)
from desktop_qa.cli.search import add_search, add_similar
from desktop_qa.cli.verbs import (
    add_library,
    on_library,
    open_or_make,
    open_to_read,
    positive,
    print_json,
    say,
    verb,
)
from desktop_qa.core.answer import Answer
from desktop_qa.core.errors import Cancelled, DesktopQaError, FolderError, QuestionError
from desktop_qa.core.file_kinds import not_read_text, scans_text
from desktop_qa.core.progress import IngestProgress, IngestReport
from desktop_qa.core.question import Question
from desktop_qa.core.readings import ReadBy
from desktop_qa.core.viewed import Viewed

if TYPE_CHECKING:
    from desktop_qa.cli.model_answers import AskedModel
    from desktop_qa.core.view import ExportReport
    from desktop_qa.library.facade import Library


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; without a verb the window opens.

    Returns:
        The exit code.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser, verbs = _parser()
    if not words or (words[0] not in verbs and not words[0].startswith("-")):
        words = ["window", *words]
    options = parser.parse_args(words)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
    )
    try:
        return int(options.run(options))
    except Cancelled:
        say("Stopped. What is finished is kept; run the command again to go on.")
        return 1
    except DesktopQaError as error:
        say(f"{error.message} {error.hint}".strip())
        return 1
    except KeyboardInterrupt:
        say("Stopped.")
        return 1
    except BrokenPipeError:
        return 1


def _parser() -> tuple[argparse.ArgumentParser, Container[str]]:
    """Return the parser of the program and the names of its verbs."""
    parser = argparse.ArgumentParser(
        prog="desktop-qa",
        description="Cited answers from a folder of datasheets and manuals, offline.",
        epilog="Without a verb: desktop-qa [FOLDER] opens the window and indexes FOLDER.",
    )
    parser.add_argument("--version", action="version", version=f"desktop-qa {__version__}")
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    window = verb(verbs, "window", _open_window, "open the window (the default)")
    window.add_argument("folder", nargs="?", type=Path, help="folder of documents to index")
    window.add_argument("--library", type=Path, help="where its library lives")
    twice = "open a second window on the same library, for reading"
    window.add_argument("--new-window", action="store_true", help=twice)

    ingest = verb(verbs, "ingest", on_library(_ingest, open_or_make), "read and index a folder")
    ingest.add_argument("folder", type=Path)
    add_library(ingest)

    ask = verb(verbs, "ask", _ask, "answer a question with citations")
    ask.add_argument("question", nargs="+", help="several are asked one after the other")
    add_library(ask)
    ask.add_argument(
        "--conversation", default="", metavar="NAME", help="go on from its earlier questions"
    )
    ask.add_argument(
        "--here",
        metavar="FILE:PAGE",
        help='what "this page", "this table", "this document" and "here" mean',
    )
    ask.add_argument("--top-k", type=positive, default=None, help="pieces of evidence (8)")
    add_export(ask)
    add_profile(ask)
    _add_sources(ask)

    retrieve = verb(verbs, "retrieve", on_library(_retrieve), "rank segments without an answer")
    retrieve.add_argument("question")
    add_library(retrieve)
    retrieve.add_argument("--top-k", type=positive, default=10)
    _add_sources(retrieve)

    structure = verb(verbs, "structure", _structure, "print the structure of one file")
    structure.add_argument("file", type=Path)
    structure.add_argument("--ignore-outline", action="store_true", help="headings by typography")
    structure.add_argument(
        "--images", type=Path, metavar="FOLDER", help="draw the figures there; --json names them"
    )
    structure.add_argument("--json", action="store_true")
    structure.add_argument(
        "--library", type=Path, metavar="LIB", help="print what this library has of the file"
    )
    structure.add_argument(
        "--reading",
        choices=tuple(one.value for one in ReadBy),
        help="with --library: whose reading; the one that is searched when left out",
    )

    markdown = verb(
        verbs, "markdown", on_library(_markdown), "print or export documents as Markdown"
    )
    markdown.add_argument("documents", nargs="+", metavar="DOC", help="file, its name, or its id")
    add_library(markdown)
    markdown.add_argument("--to", type=Path, metavar="FOLDER", help="write files with images there")
    markdown.add_argument("--replace", action="store_true", help="write over an earlier export")

    add_compare(verbs)
    add_search(verbs)
    add_fetch(verbs)
    add_documents(verbs)
    add_folders(verbs)
    add_history(verbs)
    add_similar(verbs)
    add_marks(verbs)
    add_models(verbs)
    add_format(verbs)
    add_evaluation_verbs(verbs)
    return parser, verbs.choices


def _add_sources(parser: argparse.ArgumentParser) -> None:
    kinds = "file, /folder, 'TI_*.pdf', 'vendor:Texas Instruments', part number or id"
    parser.add_argument(
        "--scope", nargs="+", default=(), metavar="PATTERN", help=f"search only these: {kinds}"
    )
    parser.add_argument(
        "--prefer", nargs="+", default=(), metavar="PATTERN", help="prefer these, likewise"
    )


def _open_window(options: argparse.Namespace) -> int:
    import gc

    # The collector finds nothing while modules are read, and took a tenth of the start; the window
    # lets it work when its first picture is painted.
    gc.disable()
    from desktop_qa.gui.application import run

    return run(options.folder, options.library, new_window=options.new_window)


def _ingest(options: argparse.Namespace, library: Library) -> int:
    library.add_source(options.folder)
    stale = [status for status in library.stale() if status.is_indexed]
    for line in renewal_lines([library.needs_vectors_only(status) for status in stale]):
        say(line)
    report = library.sync(_ProgressPrinter(), read_stale=True)
    if options.json:
        print_json(report_json(report))
    else:
        _print_report(report)
    if report.documents + len(report.failed) == 0:
        raise FolderError(
            f"No PDF was found in {options.folder}.",
            not_read_text(report.not_read) or "Choose a folder that holds documents.",
        )
    return 0


class _ProgressPrinter:
    """One line on stderr, twice a second at most."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, progress: IngestProgress) -> None:
        """Print where the ingest stands."""
        for row in progress.changed:
            if row.reason and row.state.is_final:
                say(f"{row.file}: {row.reason} {row.hint}".strip())
        now = time.monotonic()
        if now - self._last < 2.0 and progress.n_done < progress.n_documents:
            return
        self._last = now
        left = f", {progress.seconds_left:.0f} s left" if progress.seconds_left else ""
        say(
            f"{progress.n_done} of {progress.n_documents} documents, {progress.n_pages_done} pages,"
            f" {progress.pages_per_second:.1f} pages/s{left}  {progress.activity}"
        )


def _print_report(report: IngestReport) -> None:
    print(
        f"{report.documents} documents, {report.pages} pages, {report.segments} segments, "
        f"{report.tables} tables, {report.figures} figures in {report.seconds:.1f} s"
    )
    for row in report.partial:
        pages = ", ".join(str(failure.page_no) for failure in row.page_failures if failure.is_lack)
        print(f"partly: {row.file}, pages {pages}: {row.reason}")
    for row in report.doubtful:
        pages = ", ".join(map(str, row.reading.doubtful_pages if row.reading else ()))
        print(f"read with doubts: {row.file}, pages {pages}")
    for row in report.failed:
        print(f"failed: {row.file}: {row.reason} {row.hint}")
    if report.scans:
        print(scans_text(sum(len(row.files) for row in report.scans)))
    if report.not_read:
        print(not_read_text(report.not_read))


def _ask(options: argparse.Namespace) -> int:
    if options.export is not None:
        form_of(options.export)  # told before the question is asked, not after
    model = _asked_model(options)
    with closing(open_to_read(options.library)) as library:
        # Questions in one call are a conversation, be it without a name to go on with.
        several = len(options.question) > 1
        conversation = options.conversation or (uuid.uuid4().hex if several else "")
        rows, seen = [], _viewed(options.here, library)
        for text in options.question:
            question = _question(options, text, conversation=conversation, looks_at=seen)
            answer = library.ask(question)
            rows.append(answer_json(answer, library))
            if not options.json:
                _print_answer(answer, library)
            if model is not None:
                said = model.answer(answer, library, options.scope, is_shown=not options.json)
                rows[-1]["model_answer"] = model_answer_json(said, model.profile, library)
        if options.json:
            print_json(rows if several else rows[0])
        if options.export is not None:
            view = library.drawn(answer)
            say_export(library.export_view(view, options.export, replace=options.replace))
    return 0


def _asked_model(options: argparse.Namespace) -> AskedModel | None:
    """Return the model that is asked as well; reading what goes to it takes modules of its own."""
    if options.profile is None:
        return None
    from desktop_qa.cli.model_answers import AskedModel

    return AskedModel(options.profile, options.key_from_env)


def _viewed(text: str | None, library: Library) -> Viewed | None:
    """Return what is looked at; `None` when the option was not given.

    Raises:
        QuestionError: When there is no such document or page.
    """
    if text is None:
        return None
    name, _, page = text.rpartition(":")
    if not name or not page.isdigit():
        name, page = text, "1"
    found = library.named(name)
    if len(found) != 1:
        what = "No document of this library is" if not found else "More than one document is"
        raise QuestionError(
            f"{what} called {name}.", "Write --here FILE:PAGE, such as --here TI_OPA4197.pdf:12."
        )
    status, page_no = found[0], int(page)
    if not 1 <= page_no <= max(status.n_pages, 1):
        raise QuestionError(
            f"{status.file} has no page {page_no}.", f"Its pages are 1 to {status.n_pages}."
        )
    return Viewed(status.document_id, page_no)


def _question(options: argparse.Namespace, text: str, **more: Any) -> Question:
    scope, prefer = tuple(options.scope), tuple(options.prefer)
    return Question(text, scope=scope, prefer=prefer, top_k=options.top_k, **more)


def _print_answer(answer: Answer, library: Library) -> None:
    for said in filter(None, (answer.here, answer.read_as and f"Read as: {answer.read_as}")):
        print(said)
    print(answer.text)
    print_tables(answer.tables)
    print()
    for citation in answer.citations:
        print(citation_line(citation, answer, library))
    if not answer.citations:
        for item in answer.evidence[:3]:
            document_id = item.segment.document_id
            page = library.page_name(document_id, item.segment.metadata.page_nos[0])
            where = f"{library.file_of(document_id)}, page {page}"
            print(f"    {where}: {' > '.join(item.segment.metadata.section_path)}")
    for note in answer.notes:
        say(note)
    if answer.n_documents_searched < answer.n_documents:
        say(f"{answer.n_documents_searched} of {answer.n_documents} documents searched.")


def _retrieve(options: argparse.Namespace, library: Library) -> int:
    question = _question(options, options.question)
    for note in library.read_question(question).notes:
        say(note)
    rows = evidence_json(library.retrieve(question), library)
    if options.json:
        print_json(rows)
        return 0
    for row in rows:
        path = " > ".join(row["section_path"])
        print(f"{row['rank']:3}  {row['score']:.3f}  {row['file']}, page {row['page']}  {path}")
    return 0


def _structure(options: argparse.Namespace) -> int:
    if options.library is not None:
        with closing(open_to_read(options.library)) as library:
            chosen = one_document(library, str(options.file))
            by = ReadBy(options.reading) if options.reading is not None else None
            document = library.document_read_by(chosen, by)
            return _print_structure(structure_json(document, library.image_of), options.json)
    from desktop_qa.library.reader import read_file

    images: Path | None = options.images.absolute() if options.images is not None else None
    if images is not None:
        _make_folder(images)
    document = read_file(options.file, ignore_outline=options.ignore_outline, images_folder=images)

    def image_of(link: str) -> str:
        return str(images / PurePosixPath(link).name) if images is not None and link else ""

    return _print_structure(structure_json(document, image_of), options.json)


def _print_structure(structure: dict[str, Any], is_json: bool) -> int:
    if is_json:
        print_json(structure)
        return 0
    print(f"{structure['title']}  ({structure['pages']} pages)")
    for heading in structure["headings"]:
        indent = "  " * heading["level"]
        print(f"{indent}{heading['number']} {heading['title']}  [{heading['page']}]")
    for table in structure["tables"]:
        size = f"{table['n_rows']} x {table['n_columns']}"
        print(f"table  {table['label']} {table['caption']}  {size}, pages {table['pages']}")
    for figure in structure["figures"]:
        print(f"figure {figure['label']} {figure['caption']}  page {figure['page']}")
    return 0


def _markdown(options: argparse.Namespace, library: Library) -> int:
    chosen = [one_document(library, name) for name in options.documents]
    if options.to is None:
        texts = [library.markdown(one) for one in chosen]
        if options.json:
            print_json([markdown_json(text, library) for text in texts])
        else:
            print("\n\n".join(view.text.rstrip("\n") for view in texts))
        return 0
    _make_folder(options.to)
    reports = []
    for one in chosen:
        reports.append(library.export_markdown(one, options.to, replace=options.replace))
        _say_export(reports[-1])
    if options.json:
        print_json([export_json(report) for report in reports])
    return 0


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(
            f"The folder {folder} cannot be made ({error.strerror or error}).",
            "Choose another place, or change the permissions.",
        ) from error


def _say_export(report: ExportReport) -> None:
    noun = "image" if report.n_images == 1 else "images"
    say(f"{report.file} ({report.n_images} {noun})")
    if report.missing:
        say(f"Not in the library any more: {', '.join(report.missing)}")
