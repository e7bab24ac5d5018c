"""Questions to begin with: written for the sample library, else about a part that is there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from desktop_qa import paths
from desktop_qa.core.progress import DocumentStatus

SAMPLE_FOLDER = "resources/sample_library"

_MAX_EXAMPLES = 4
_ABOUT_A_PART = (
    "What is the supply voltage range of the {part}?",
    "What is the operating temperature range of the {part}?",
    "What are the absolute maximum ratings of the {part}?",
)


def example_questions(ready: Sequence[DocumentStatus]) -> tuple[str, ...]:
    """Return questions that the documents read so far can answer, none when there are none."""
    if not ready:
        return ()
    if _is_sample(ready[0]):
        file = paths.asset(f"{SAMPLE_FOLDER}/suggestions.json")
        questions: list[str] = json.loads(file.read_text(encoding="utf-8"))
        return tuple(questions[:_MAX_EXAMPLES])
    part = next((status.part_numbers[0] for status in ready if status.part_numbers), "")
    return tuple(text.format(part=part) for text in _ABOUT_A_PART) if part else ()


def _is_sample(status: DocumentStatus) -> bool:
    try:
        return Path(status.path).parent == paths.asset(SAMPLE_FOLDER)
    except FileNotFoundError:
        return False
