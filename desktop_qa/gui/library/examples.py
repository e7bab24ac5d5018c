"""Questions to begin with: written for the sample library, else about a part that is there."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from desktop_qa import paths
from desktop_qa.core.progress import DocumentStatus

SAMPLE_FOLDER = "resources/sample_library"

_MAX_EXAMPLES = 4
_MAX_TITLES = 2
_PART = re.compile(r"\b[A-Z]{2,}\d{2,}[A-Z0-9]*\b")
_ABOUT_A_TITLE = "What is “{title}” about?"
_ABOUT_A_PART = (
    "What is the {part}?",
    "What is the operating temperature range of the {part}?",
    "What are the absolute maximum ratings of the {part}?",
)


def example_questions(
    ready: Sequence[DocumentStatus], *, is_all_read: bool = True
) -> tuple[str, ...]:
    """Return questions that the documents read so far can answer, none when there are none.

    Args:
        ready: The documents that can be asked about.
        is_all_read: No other document waits to be read.
    """
    if not ready:
        return ()
    if _is_sample(ready[0]):
        return _of_sample(ready, is_all_read)
    parts = _first_parts(ready, len(_ABOUT_A_PART))
    if parts:
        # Of several parts each question names another, so that the library shows in them.
        return tuple(
            text.format(part=parts[min(index, len(parts) - 1)])
            for index, text in enumerate(_ABOUT_A_PART)
        )
    titles = tuple(dict.fromkeys(s.title for s in ready if s.title))
    return tuple(_ABOUT_A_TITLE.format(title=title) for title in titles[:_MAX_TITLES])


def _first_parts(ready: Sequence[DocumentStatus], n_most: int) -> tuple[str, ...]:
    """Return the parts of the first documents, each once; the other thousands are not looked at."""
    parts: dict[str, None] = {}
    for status in ready:
        if status.part_numbers:
            parts[status.part_numbers[0]] = None
            if len(parts) == n_most:
                break
    return tuple(parts)


def _of_sample(ready: Sequence[DocumentStatus], is_all_read: bool) -> tuple[str, ...]:
    """Return the sample's questions about documents that are read already."""
    file = paths.asset(f"{SAMPLE_FOLDER}/suggestions.json")
    questions: list[str] = json.loads(file.read_text(encoding="utf-8"))
    known = {part for status in ready for part in status.part_numbers}
    fitting = (
        question
        for question in questions
        if is_all_read or (_parts_of(question) and _parts_of(question) <= known)
    )
    return tuple(fitting)[:_MAX_EXAMPLES]


def _parts_of(question: str) -> set[str]:
    return set(_PART.findall(question))


def _is_sample(status: DocumentStatus) -> bool:
    try:
        return Path(status.path).parent == paths.asset(SAMPLE_FOLDER)
    except FileNotFoundError:
        return False
