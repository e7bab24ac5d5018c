"""Earlier questions as a library keeps them."""

from __future__ import annotations

from desktop_qa.core.view import PastQuestion
from desktop_qa.library.facade import Library


def past_answers(library: Library) -> list[PastQuestion]:
    """Return the questions of the history with their answers, newest first."""
    return [library.history_entry(item.id) for item in library.history().items]
