"""How long a model is waited for, and how much of it is taken."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TypeVar

from desktop_qa.llm.errors import ModelError, ModelErrorKind

T = TypeVar("T")


FIRST_TOKEN_S = 300.0
"""Until anything comes; a model may have to be loaded, and a long prompt read by a processor takes
minutes (8000 tokens at 30 a second)."""

NEXT_TOKEN_S = 60.0
"""From one piece of an answer to the next."""

AFTER_END_S = 5.0
"""For the usage, once the answer has ended."""

BUSY_S = 20.0
"""All waiting for a server that said for how long (429 with Retry-After)."""

LOADING_S = 180.0
"""All waiting for a server that is loading its model (503)."""

CHARACTERS_PER_TOKEN = 10
"""An answer with more of them for each token allowed is from a server that does not keep to the
limit; German and English have 3 to 5."""


class ProgressTimer:
    """Seconds without progress, by a clock that never goes back; only waiting counts."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._allowed_s = self._left_s = FIRST_TOKEN_S

    def progressed(self) -> None:
        """Begin anew: a piece of the answer came."""
        self._allowed_s = self._left_s = NEXT_TOKEN_S

    def has_all(self) -> None:
        """Wait little for what may follow the end of an answer."""
        self._left_s = min(self._left_s, AFTER_END_S)

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
