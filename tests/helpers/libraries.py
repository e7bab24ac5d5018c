"""Libraries that tests open, with the quick model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from desktop_qa.core.view import PastQuestion
from desktop_qa.library.facade import Library
from tests.helpers.hashing_embedder import HashingEmbedder


@contextmanager
def open_library(folder: Path, source: Path | None = None, **how: Any) -> Iterator[Library]:
    """Open a library; where there is a folder of documents, it has read them."""
    with closing(Library.open(folder, **{"embedder": HashingEmbedder(), **how})) as library:
        if source is not None:
            library.add_source(source)
            library.sync()
        yield library


def past_answers(library: Library) -> list[PastQuestion]:
    """The questions of the history with their answers, newest first."""
    return [library.history_entry(item.id) for item in library.history().items]
