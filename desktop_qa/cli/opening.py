"""How a verb opens a library that it need not write to: for reading where it must, and said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop_qa.cli.verbs import say

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


def open_to_read(folder: Path) -> Library:
    """Open a library for writing if that can be, else for reading, and say on stderr which.

    What is asked of a library open for reading is answered, and not kept in its history.

    Raises:
        LibraryError: When it cannot be read either.
    """
    from desktop_qa.library.facade import Library

    library = Library.open(folder, fall_back_to_reading=True)
    if library.barrier is not None:
        say(f"Open for reading only, so nothing is kept in it. {library.barrier.message}")
    return library
