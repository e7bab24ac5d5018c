"""What is remembered of the open conversations of each library until the next start.

Their answers are in the history of the library; kept here is which were open, what they are called
and what was not finished in them.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSettings

from desktop_qa.gui.conversations.conversation_model import (
    MOST_OPEN,
    Conversation,
    OpenConversations,
)
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.library.scope_model import ScopeEntry

logger = logging.getLogger(__name__)

KEY = "conversations/open"
_MOST_CHARACTERS = 10_000
_MOST_TITLE = 200
_MOST_SCOPE = 200
_MOST_ID = 64


def keep(settings: QSettings, folder: str, conversations: OpenConversations) -> None:
    """Remember the open conversations of a library."""
    shown = conversations.active
    kept = [one for one in conversations.all if not one.is_blank or (one is shown and one.scope)]
    active = kept.index(shown) if shown in kept else -1
    keep_in(settings, KEY, folder, {"active": active, "open": [_as_data(one) for one in kept]})


def remembered(settings: QSettings, folder: str) -> tuple[list[Conversation], int]:
    """Return the conversations of a library as they were, and which was shown.

    The second value is past the end when none of them was; what is damaged is as good as nothing.
    """
    value = kept_in(settings, KEY).get(folder)
    if value is None:
        return [], 0
    try:
        found = [_from_data(one) for one in value["open"][:MOST_OPEN]]
        active = int(value["active"])
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        logger.info("The open conversations of %s cannot be read: %s", folder, error)
        return [], 0
    unique = list({one.id: one for one in found}.values())
    return unique, active if active >= 0 else len(unique)


def _as_data(conversation: Conversation) -> dict[str, Any]:
    asking, current = conversation.asking, conversation.current
    draft = conversation.draft
    if asking is not None and not draft.strip():
        draft = asking.question.text
    shown = current.history_id if current is not None else conversation.wanted
    is_last = bool(conversation.turns) and current is conversation.turns[-1]
    return {
        "id": conversation.id,
        "name": conversation.name[:_MOST_TITLE],
        "first": conversation.whole_first_question[:_MOST_TITLE],
        "draft": draft[:_MOST_CHARACTERS],
        "scope": [[entry.pattern, entry.label] for entry in conversation.scope[:_MOST_SCOPE]],
        "shown": 0 if is_last else shown,
    }


def _from_data(data: Mapping[str, Any]) -> Conversation:
    """Return a conversation whose turns are to be fetched.

    Raises:
        ValueError: When it has no name, or one that no conversation has.
        TypeError: When the value is no mapping.
        KeyError: When something lacks.
    """
    conversation_id = _text(data["id"], _MOST_ID)
    if not conversation_id:
        raise ValueError("a conversation without a name")
    scope = [ScopeEntry(str(pattern), str(label)) for pattern, label in data["scope"]]
    return Conversation(
        id=conversation_id,
        name=_text(data["name"], _MOST_TITLE),
        first_question=_text(data["first"], _MOST_TITLE),
        draft=_text(data["draft"], _MOST_CHARACTERS),
        scope=tuple(scope[:_MOST_SCOPE]),
        wanted=max(int(data["shown"]), 0),
        is_loaded=not data["first"],
    )


def _text(value: object, most: int) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} is no text")
    return value[:most]
