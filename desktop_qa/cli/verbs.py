"""How the verbs of the command line are made, open their library, and print."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.core.errors import LibraryError
from desktop_qa.paths import holds_library

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


def verb(verbs: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    """Add a verb.

    Args:
        verbs: The subparsers of the program.
        name: As it is typed.
        run: Called with the parsed options; returns the exit code.
        text: What it does, in a line.
    """
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    parser.add_argument("--verbose", action="store_true", help="log to stderr")
    parser.set_defaults(run=run)
    return parser


def add_library(parser: argparse.ArgumentParser) -> None:
    """Add the options of a verb that works on a library."""
    parser.add_argument("--library", type=Path, required=True, help="folder of the library")
    parser.add_argument("--json", action="store_true", help="JSON on stdout")


def existing_library(folder: Path) -> Path:
    """Return a folder that holds a library, so that a mistyped one does not become a new one.

    Raises:
        LibraryError: When it holds none.
    """
    if not holds_library(folder):
        raise LibraryError(
            f"There is no library in {folder}.", "Check the path, or make one by ingest."
        )
    return folder


def open_to_read(folder: Path) -> Library:
    """Open a library for writing if that can be, else for reading, and say on stderr which.

    What is asked of a library open for reading is answered, and not kept in its history.

    Raises:
        LibraryError: When there is none, or it cannot be read either.
    """
    from desktop_qa.library.facade import Library

    library = Library.open(existing_library(folder), fall_back_to_reading=True)
    if library.barrier is not None:
        say(f"Open for reading only, so nothing is kept in it. {library.barrier.message}")
    return library


def open_to_write(folder: Path) -> Library:
    """Open a library for writing.

    Raises:
        LibraryError: When there is none, or it cannot be written.
    """
    return open_or_make(existing_library(folder))


def open_or_make(folder: Path) -> Library:
    """Open a library for writing, which makes it where there is none.

    Raises:
        LibraryError: When it cannot be written.
    """
    from desktop_qa.library.facade import Library

    return Library.open(folder)


def on_library(
    work: Callable[[argparse.Namespace, Library], int],
    opened: Callable[[Path], Library] = open_to_read,
) -> Callable[[argparse.Namespace], int]:
    """Return a verb that works on the library that its options name.

    Args:
        work: Takes the options and the library; returns the exit code.
        opened: Opens the library.
    """

    def run(options: argparse.Namespace) -> int:
        with closing(opened(options.library)) as library:
            return work(options, library)

    return run


def positive(text: str) -> int:
    """Read a number from 1 on, as argparse wants it."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def say(text: str) -> None:
    """Print a line of progress or of trouble on stderr."""
    print(text, file=sys.stderr, flush=True)


def fields_of(thing: object, names: str) -> dict[str, Any]:
    """Return fields for `print_json` by their names, which blanks part."""
    values = ((name, getattr(thing, name)) for name in names.split())
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def print_json(value: Any) -> None:
    """Print a result on stdout."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
