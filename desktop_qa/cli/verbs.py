"""How the verbs of the command line are made, and where they print."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any


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


def positive(text: str) -> int:
    """Read a number from 1 on, as argparse wants it."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def say(text: str) -> None:
    """Print a line of progress or of trouble on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Print a result on stdout."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
