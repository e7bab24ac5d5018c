"""What is said to a model in one of the rounds until its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_qa.llm.messages import Message, ToolSpec


@dataclass(frozen=True, slots=True)
class Round:
    """One request to the model.

    Attributes:
        tools: That it may call.
        schema: Of the JSON object that it shall give instead of an answer.
        is_heard: Its text is the answer, or may be; else it is for the next round only.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: Mapping[str, object] | None = None
    is_heard: bool = True
