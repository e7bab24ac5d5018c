"""What "this page" and "here" mean on the command line: `ask --here FILE:PAGE`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.viewed import Viewed

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


def add_here(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--here",
        metavar="FILE:PAGE",
        help='what "this page", "this table", "this document" and "here" mean',
    )


def viewed_of(text: str | None, library: Library) -> Viewed | None:
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
