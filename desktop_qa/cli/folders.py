"""The verb for the folders of a library: list, add, remove, leave files out, watch."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.output import counts_json
from desktop_qa.cli.verbs import (
    add_library,
    fields_of,
    open_or_make,
    open_to_read,
    open_to_write,
    print_json,
    say,
    verb,
)
from desktop_qa.core.file_kinds import not_read_text, scans_text
from desktop_qa.core.folders import FolderChoices, FolderState, WatchMode
from desktop_qa.core.progress import IngestProgress

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library

_MODES = {
    WatchMode.NATIVE: "watched",
    WatchMode.POLLED: "looked at now and then",
    WatchMode.OFF: "not watched",
    WatchMode.AWAY: "not there",
}
_WRONG_USE = 2
_EPILOG = """
desktop-qa folders --library LIB                        list them
desktop-qa folders add FOLDER --library LIB             take a folder, or a single PDF, and read it
desktop-qa folders remove FOLDER --library LIB          take it out; its files are not touched
desktop-qa folders exclude FOLDER [PATTERN ...] ...     leave files out; no pattern takes them all
desktop-qa folders watch [FOLDER] [--off] ...           follow changes while a window is open
"""


def add_folders(verbs: Any) -> None:
    """Add the verb `folders`."""
    folders = verb(verbs, "folders", _run, "list and change the folders of a library")
    folders.epilog = _EPILOG
    folders.formatter_class = argparse.RawDescriptionHelpFormatter
    folders.add_argument("action", nargs="?", default="list", choices=tuple(_ACTIONS))
    folders.add_argument("folder", nargs="?", type=Path, help="of documents")
    folders.add_argument("patterns", nargs="*", help="as in a .gitignore, with exclude")
    folders.add_argument("--off", action="store_true", help="with watch: do not follow changes")
    add_library(folders)


def _run(options: argparse.Namespace) -> int:
    opened = {"list": open_to_read, "add": open_or_make}.get(options.action, open_to_write)
    with closing(opened(options.library)) as library:
        return run_folders(options, library)


def run_folders(options: argparse.Namespace, library: Library) -> int:
    """Do what is asked with an open library, then list its folders.

    Raises:
        FolderError: When a folder is not there, or is none of the library.
        LibraryError: When the library cannot be written.
    """
    _ACTIONS[options.action](options, library)
    rows = library.folders()
    if options.json:
        print_json([_json(row) for row in rows])
    else:
        for row in rows:
            say_folder(row)
        if not library.is_watching:
            say("The watching of all folders is switched off.")
    return 0


def say_folder(row: FolderState) -> None:
    """Print a folder in two lines: what it is, and what is the matter with it."""
    left_out = f", {row.n_excluded} left out" if row.n_excluded else ""
    print(f"{row.folder}  ({row.n_files} files{left_out}, {_MODES[row.mode]})")
    if row.choices.excluded:
        say(f"    without {'  '.join(row.choices.excluded)}")
    if row.n_scans:
        say(f"    {scans_text(row.n_scans)}")
    if row.not_read:
        say(f"    {not_read_text(row.not_read)}")
    if row.problem:
        say(f"    {row.problem}")


def _json(row: FolderState) -> dict[str, Any]:
    return {
        **fields_of(row, "folder exists"),
        "files": row.n_files,
        "needs_attention": row.n_attention,
        "left_out": row.n_excluded,
        "watched": row.choices.is_watched,
        "excluded": list(row.choices.excluded),
        "state": row.mode.value,
        "problem": row.problem,
        "scans": row.n_scans,
        "not_read": None if row.not_read is None else counts_json(row.not_read),
    }


def _add(options: argparse.Namespace, library: Library) -> None:
    folder = _needed(options)
    if folder.is_file():
        library.add_files([folder])
    else:
        library.add_source(folder)
    _sync(library)


def _remove(options: argparse.Namespace, library: Library) -> None:
    library.remove_source(_needed(options))
    _sync(library)


def _exclude(options: argparse.Namespace, library: Library) -> None:
    folder = _needed(options)
    patterns = tuple(options.patterns)
    library.set_folder_choices(folder, replace(_choices_of(library, folder), excluded=patterns))
    _sync(library)


def _watch(options: argparse.Namespace, library: Library) -> None:
    if options.folder is None:
        library.set_watching(not options.off)
        return
    folder = _needed(options)
    choices = replace(_choices_of(library, folder), is_watched=not options.off)
    library.set_folder_choices(folder, choices)


def _choices_of(library: Library, folder: Path) -> FolderChoices:
    absolute = str(folder.expanduser().resolve())
    rows = library.folders()
    return next((row.choices for row in rows if row.folder == absolute), FolderChoices())


def _needed(options: argparse.Namespace) -> Path:
    folder: Path | None = options.folder
    if folder is None:
        say(f"desktop-qa folders {options.action}: name the folder")
        raise SystemExit(_WRONG_USE)
    return folder


def _sync(library: Library) -> None:
    # The first progress names every document; what was so before is no news.
    told = {status.document_id: status for status in library.statuses()}

    def tell(progress: IngestProgress) -> None:
        for row in progress.changed:
            if row.state.is_final and told.get(row.document_id) != row:
                say(f"{row.file}: {row.reason or row.state.value}")
            told[row.document_id] = row
        for _ in progress.removed:
            say("1 document left the library")

    library.sync(tell)


_ACTIONS: dict[str, Callable[[argparse.Namespace, Library], None]] = {
    "list": lambda _options, _library: None,
    "add": _add,
    "remove": _remove,
    "exclude": _exclude,
    "watch": _watch,
}
