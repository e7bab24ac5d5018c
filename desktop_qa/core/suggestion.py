"""What is offered while a question is typed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_SUGGESTIONS = 8


class SuggestionKind(StrEnum):
    """What a suggestion is, in the order in which the kinds are listed."""

    PART = "part"
    SECTION = "section"
    TABLE = "table"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to go on.

    Attributes:
        text: What takes the place of the characters `start` to `end` of what was typed.
        detail: Where it is from: the title of a part, the document of a heading.
        spans: (first, one past the last) characters of `text` that match what was typed.
    """

    kind: SuggestionKind
    text: str
    detail: str
    start: int
    end: int
    spans: tuple[tuple[int, int], ...] = ()
