"""The verb for earlier questions: list, search, show, delete, thumbs, export."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.answer_export.content import moment
from desktop_qa.cli.output import answer_json
from desktop_qa.cli.verbs import add_library, fields_of, on_library, positive, print_json, say, verb
from desktop_qa.core.errors import HistoryError

if TYPE_CHECKING:
    from desktop_qa.core.history import HistoryItem
    from desktop_qa.core.view import ExportReport, PastQuestion
    from desktop_qa.library.facade import Library

_VERDICTS = {"up": 1, "down": -1, "none": 0}
_MARKS = {1: "+", -1: "-", 0: " "}


def add_history(verbs: Any) -> None:
    """Add the verb `history`."""
    history = verb(
        verbs, "history", on_library(_history), "list, search and export earlier questions"
    )
    add_library(history)
    history.add_argument("--search", metavar="WORDS", default="", help="only those with all words")
    history.add_argument("--limit", type=positive, default=50, metavar="N", help="at most (50)")
    history.add_argument("--offset", type=int, default=0, metavar="N", help="leave out the first")
    what = history.add_mutually_exclusive_group()
    what.add_argument("--show", type=int, metavar="ID", help="print a question with its answer")
    what.add_argument("--delete", type=int, nargs="+", metavar="ID", help="delete for good")
    what.add_argument("--clear", action="store_true", help="delete every question for good")
    what.add_argument(
        "--feedback", nargs=2, metavar=("ID", "VERDICT"), help="up, down or none for an answer"
    )
    what.add_argument(
        "--export",
        nargs="+",
        metavar=("ID", "FILE"),
        help="write answers to a file .md, .html, .pdf or .docx: ID ... FILE",
    )
    what.add_argument(
        "--conversation", nargs=2, metavar=("ID", "FILE"), help="write a whole conversation"
    )
    what.add_argument(
        "--export-feedback", type=Path, metavar="FILE", help="write all thumbs as JSON lines"
    )
    history.add_argument("--comment", default="", metavar="TEXT", help="goes with --feedback")
    history.add_argument("--replace", action="store_true", help="write over an earlier export")


def add_export(ask: argparse.ArgumentParser) -> None:
    """Add the options by which `ask` writes its answer to a file."""
    ask.add_argument(
        "--export", type=Path, metavar="FILE", help="also write to FILE (.md, .html, .pdf, .docx)"
    )
    ask.add_argument("--replace", action="store_true", help="write over an earlier export")


def say_export(report: ExportReport) -> None:
    """Tell what was written."""
    say(report.file)
    if report.images_folder:
        say(f"Images are in {report.images_folder}")
    if report.missing:
        say(f"Images that are not in the library any more: {'; '.join(report.missing)}")


def _history(options: argparse.Namespace, library: Library) -> int:
    if options.show is not None:
        _show(options, library)
    elif options.delete or options.clear:
        _delete(options, library)
    elif options.feedback:
        _feedback(options, library)
    elif options.export or options.conversation:
        _export(options, library)
    elif options.export_feedback is not None:
        n_lines = library.export_feedback(options.export_feedback)
        say(f"{options.export_feedback} ({n_lines} lines)")
    else:
        _list(options, library)
    return 0


def _list(options: argparse.Namespace, library: Library) -> None:
    page = library.history(options.search, options.limit, options.offset)
    if options.json:
        print_json({"total": page.total, "questions": [_item_json(item) for item in page.items]})
        return
    for item in page.items:
        at = moment(datetime.fromtimestamp(item.asked_at).astimezone())
        state = "" if item.state.value == "answered" else f"  ({item.state.value})"
        print(f"{item.id:6}  {at}  {_MARKS[item.verdict]} {' '.join(item.question.split())}{state}")
    shown = len(page.items)
    if page.total > shown:
        say(f"{shown} of {page.total}; --limit and --offset show others")
    elif not page.total:
        say("Nothing found." if options.search else "Nothing was asked yet.")


def _item_json(item: HistoryItem) -> dict[str, Any]:
    return {
        **fields_of(item, "id asked_at question"),
        "status": item.state,
        "excerpt": item.excerpt,
        "seconds": round(item.seconds, 3),
        **fields_of(item, "conversation verdict comment"),
    }


def _show(options: argparse.Namespace, library: Library) -> None:
    past = library.history_entry(options.show)
    if options.json:
        print_json(_past_json(past, library))
        return
    print(past.question)
    at = moment(datetime.fromtimestamp(past.asked_at).astimezone())
    print(f"asked {at}, {past.seconds:.1f} s, {past.state.value}")
    if past.since.sentence:
        print(past.since.sentence)
    print()
    if past.view is None:
        print(past.error)
        return
    print(past.view.answer.text)
    print()
    for item in (item for item in past.view.evidence if item.is_cited):
        print(f"[{item.marker}] {item.file}, page {item.page}: {' > '.join(item.section_path)}")


def _past_json(past: PastQuestion, library: Library) -> dict[str, Any]:
    since = past.since
    answer = answer_json(past.view.answer, library) if past.view is not None else None
    if answer is not None and past.view is not None:
        # Of a document that is gone, the library itself knows the file no more.
        files = {item.marker: item.file for item in past.view.evidence}
        for citation in answer["citations"]:
            citation["file"] = citation["file"] or files.get(citation["marker"], "")
    return {
        **fields_of(past, "id asked_at question"),
        "status": past.state,
        "error": past.error,
        "answer": answer,
        "since": {
            "cited": since.n_cited,
            **fields_of(since, "changed gone read_again"),
            "read_differently": list(since.differs),
        },
        **fields_of(past, "settings timings seconds conversation verdict comment"),
    }


def _delete(options: argparse.Namespace, library: Library) -> None:
    if options.clear:
        n_deleted = library.clear_history()
    else:
        n_deleted = library.delete_history(options.delete)
        library.purge_history()
    if options.json:
        print_json({"deleted": n_deleted})
    say(f"{n_deleted} deleted.")
    if options.delete and not n_deleted:
        raise HistoryError("None of these questions is in the history.")


def _feedback(options: argparse.Namespace, library: Library) -> None:
    number, verdict = options.feedback
    if verdict not in _VERDICTS:
        raise HistoryError(f"{verdict} is no verdict.", "Say up, down or none.")
    library.feedback(_number(number), _VERDICTS[verdict], options.comment)
    say("Kept.")


def _export(options: argparse.Namespace, library: Library) -> None:
    if options.conversation:
        name, file = options.conversation
        report = library.export_conversation(name, Path(file), replace=options.replace)
    else:
        *numbers, file = options.export
        if not numbers:
            raise HistoryError("There is nothing to export.", "Write --export ID ... FILE.")
        ids = [_number(number) for number in numbers]
        report = library.export_history(ids, Path(file), replace=options.replace)
    say_export(report)
    if options.json:
        print_json(fields_of(report, "file images_folder missing"))


def _number(text: str) -> int:
    if not text.isdigit():
        raise HistoryError(
            f"{text} is no number of a question.", "`desktop-qa history` lists the numbers."
        )
    return int(text)
