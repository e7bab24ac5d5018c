"""Asks in a test and gathers what comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest

from desktop_qa.llm import limits
from desktop_qa.llm.client import stream
from desktop_qa.llm.errors import ModelError
from desktop_qa.llm.messages import Delta, Message, MessageRole, ModelQuestion, ServerNotice
from desktop_qa.llm.profile import Dialect, Profile
from tests.llm.scripted_server import Reply, Request, ScriptedServer

T = TypeVar("T")

KEY = "sk-geheim-123456"
QUESTION = (Message(MessageRole.USER, "How high is the input voltage?"),)
_HASTY = {
    "FIRST_TOKEN_S": 20.0, "NEXT_TOKEN_S": 20.0, "AFTER_END_S": 0.2, "BUSY_S": 1.0, "LOADING_S": 5.0
}  # fmt: skip


@contextmanager
def hasty(**seconds: float) -> Iterator[None]:
    """Wait for models no longer than a test may; `seconds` are limits by name."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**_HASTY, **seconds}.items():
            patch.setattr(limits, name, value)
        yield


def profile_of(
    server: ScriptedServer, dialect: Dialect = Dialect.CHAT_COMPLETIONS, **changes: Any
) -> Profile:
    path = "/v1" if dialect is Dialect.CHAT_COMPLETIONS else ""
    return replace(Profile("Test", dialect, f"{server.root}{path}", "small model 1.0"), **changes)


@dataclass
class Asked:
    """What came of a question."""

    deltas: list[Delta] = field(default_factory=list)
    notices: list[ServerNotice] = field(default_factory=list)
    error: ModelError | None = None
    server: ScriptedServer | None = None

    @property
    def text(self) -> str:
        text = ""
        for delta in self.deltas:
            text = delta.text if delta.voids_text else text + delta.text
        return text

    @property
    def thinking(self) -> str:
        return "".join(delta.thinking for delta in self.deltas)

    @property
    def last(self) -> Delta:
        assert self.error is None, self.error
        assert [delta.finish_reason is None for delta in self.deltas[:-1]].count(False) == 0
        assert self.deltas[-1].finish_reason is not None
        return self.deltas[-1]

    @property
    def failed(self) -> ModelError:
        assert self.error is not None, "no error was raised"
        assert self.error.message.endswith(".")
        assert self.error.hint.endswith(".")
        return self.error


def ask(
    profile: Profile,
    key: str = KEY,
    messages: tuple[Message, ...] = QUESTION,
    *,
    max_tokens: int = 200,
    seconds: Mapping[str, float] | None = None,
    **more: Any,
) -> Asked:
    asked = Asked()

    async def gather() -> None:
        question = ModelQuestion(messages, max_tokens, **more)
        deltas = stream(profile, key, question, asked.notices.append)
        async with aclosing(deltas):
            async for one in deltas:
                asked.deltas.append(one)

    try:
        with hasty(**(seconds or {})):
            asyncio.run(gather())
    except ModelError as error:
        asked.error = error
    return asked


def ask_scripted(
    *replies: Reply,
    by: Callable[[Request], Reply] | None = None,
    **more: Any,
) -> Asked:
    """Ask a server that gives these replies; it stays for a look at its requests."""
    with ScriptedServer(*replies, by=by) as server:
        asked = ask(profile_of(server), **more)
    asked.server = server
    return asked


def run(work: Coroutine[Any, Any, T]) -> T:
    with hasty():
        return asyncio.run(work)


def gathered(steps: AsyncGenerator[T, None]) -> list[T]:
    """All that comes of a stream to its end."""

    async def gather() -> list[T]:
        async with aclosing(steps):
            return [step async for step in steps]

    return run(gather())
