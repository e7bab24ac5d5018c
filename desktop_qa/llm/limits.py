"""How long a model is waited for, and how much of it is taken."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from desktop_qa.llm.errors import ModelError, ModelErrorKind

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """What a question may take.

    Attributes:
        first_token_s: Until anything comes; a model may have to be loaded, and a long prompt read
            by a processor takes minutes (8000 tokens at 30 a second).
        next_token_s: From one piece of an answer to the next.
        after_end_s: For the usage, once the answer has ended.
        busy_s: All waiting for a server that said for how long (429 with Retry-After).
        loading_s: All waiting for a server that is loading its model (503).
        characters_per_token: An answer with more of them for each token allowed is from a server
            that does not keep to the limit; German and English have 3 to 5.
    """

    first_token_s: float = 300.0
    next_token_s: float = 60.0
    after_end_s: float = 5.0
    busy_s: float = 20.0
    loading_s: float = 180.0
    characters_per_token: int = 10


class ProgressTimer:
    """Seconds without progress, by a clock that never goes back; only waiting counts."""

    def __init__(self, limits: AnswerLimits, host: str) -> None:
        self._limits = limits
        self._host = host
        self._allowed_s = self._left_s = limits.first_token_s

    def progressed(self) -> None:
        """Begin anew: a piece of the answer came."""
        self._allowed_s = self._left_s = self._limits.next_token_s

    def has_all(self) -> None:
        """Wait little for what may follow the end of an answer."""
        self._left_s = min(self._left_s, self._limits.after_end_s)

    async def wait_for(self, awaitable: Awaitable[T]) -> T:
        """Wait for something of the server.

        Raises:
            ModelError: STALLED, when the seconds are used up.
        """
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._left_s):
                return await awaitable
        except TimeoutError:
            raise ModelError(
                ModelErrorKind.STALLED,
                f"{self._host} sent nothing of an answer for {self._allowed_s:.0f} seconds.",
                "Look whether the server is at work, or choose a smaller model.",
            ) from None
        finally:
            self._left_s = max(0.0, self._left_s - (time.monotonic() - began))
