"""What is said to a model in one of the rounds until its answer, and how its steps are heard."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from desktop_qa.llm.messages import Message, ToolSpec

T = TypeVar("T")


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


async def last_of(
    steps: AsyncGenerator[T, None], tell: Callable[[T], object] = lambda _step: None
) -> T:
    """Return the last of the steps in which a model's work comes; `tell` is given each.

    The connection closes with the generator, whatever ends it.

    Args:
        steps: At least one.
        tell: Called in the thread of the model.
    """
    async with aclosing(steps):
        async for step in steps:
            tell(step)
    return step
