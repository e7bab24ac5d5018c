"""What is remembered of the open conversations of each library until the next start.

Their answers are in the history of the library; kept here is which were open, what they are called
and what was not finished in them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSettings

from desktop_qa.gui.conversations.conversation_model import (
    MOST_OPEN,
    Conversation,
    OpenConversations,
)
from desktop_qa.gui.library.scope_model import ScopeEntry

logger = logging.getLogger(__name__)

_GROUP = "conversations"
_MOST_LIBRARIES = 30
_MOST_CHARACTERS = 10_000
_MOST_TITLE = 200
_MOST_SCOPE = 200
_MOST_ID = 64


class ConversationMemory:
    """Keeps them in the QSettings; what is damaged there is as good as nothing."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def keep(self, folder: str, conversations: OpenConversations) -> None:
        """Remember the open conversations of a library."""
        shown = conversations.active
        kept = [
            one for one in conversations.all if not one.is_blank or (one is shown and one.scope)
        ]
        if not kept:
            self._settings.remove(_key(folder))
            return
        active = kept.index(shown) if shown in kept else -1
        value = {"at": time.time(), "active": active, "open": [_as_data(one) for one in kept]}
        self._settings.setValue(_key(folder), json.dumps(value))
        self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._settings.beginGroup(_GROUP)
        keys = self._settings.childKeys()
        if len(keys) > _MOST_LIBRARIES:
            ages = {key: self._at(key) for key in keys}
            for key in sorted(keys, key=lambda key: ages[key])[: len(keys) - _MOST_LIBRARIES]:
                self._settings.remove(key)
        self._settings.endGroup()

    def _at(self, key: str) -> float:
        try:
            return float(json.loads(str(self._settings.value(key, "{}")))["at"])
        except (ValueError, TypeError, KeyError):
            return 0.0

    def remembered(self, folder: str) -> tuple[list[Conversation], int]:
        """Return the conversations of a library as they were, and which was shown.

        The second value is past the end when none of them was.
        """
        text = self._settings.value(_key(folder), "")
        if not text:
            return [], 0
        try:
            value = json.loads(str(text))
            found = [_from_data(one) for one in value["open"][:MOST_OPEN]]
            active = int(value["active"])
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            logger.info("The open conversations of %s cannot be read: %s", folder, error)
            return [], 0
        unique = list({one.id: one for one in found}.values())
        return unique, active if active >= 0 else len(unique)


def _key(folder: str) -> str:
    # The folder's name would be a path of keys to QSettings.
    return f"{_GROUP}/{hashlib.sha256(folder.encode()).hexdigest()[:16]}"


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
