"""A question as somebody asks it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.viewed import Viewed


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of what, and after what.

    Attributes:
        text: As it was typed.
        scope: Patterns of the documents, folders and vendors to search, and of places in them;
            empty is the whole library. See `retrieve.scope`.
        prefer: Patterns of sources preferred for it, beside those of the library.
        top_k: Pieces of evidence, at least 1; the user's setting when `None`.
        conversation: Whose earlier questions complete a follow-up; any name, empty for none.
        goes_on_from: Number in the history of the answer that a follow-up goes on from; 0 is the
            latest of the conversation.
        looks_at: What "this page" and "here" mean; nothing when `None`.
        alone: It is asked as it stands, also when it looks like a follow-up.
    """

    text: str
    scope: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()
    top_k: int | None = None
    conversation: str = ""
    goes_on_from: int = 0
    looks_at: Viewed | None = None
    alone: bool = False
