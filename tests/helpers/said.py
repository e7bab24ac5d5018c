"""What an answer says, written as people read it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from desktop_qa.core.answer_blocks import AnswerBlock
from desktop_qa.index.stored_answers import blocks_of_text


def said(
    text: str, markers: Collection[int] = range(1, 100), readings: Sequence[str] = ()
) -> tuple[AnswerBlock, ...]:
    """Return the blocks of a text with [n] markers, lists and steps.

    Args:
        text: As answers are printed.
        markers: Those that point at a citation; another [n] is the document's own.
        readings: The questions that it offers.
    """
    return blocks_of_text(text, markers, readings)
