"""A document read by a language model: what it takes, how far it is, and both readings at the end.

`ReadingByModel` opens no connection; `read_by_model` asks the model, window by window. Whatever
ends it early leaves the library as it was: the reading is stored only when it is whole.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from desktop_qa.core.document import ParseResult
from desktop_qa.core.errors import Cancelled
from desktop_qa.core.readings import (
    KeptReadings,
    ModelReading,
    ReadingEstimate,
    ReadingProgress,
)
from desktop_qa.formatting.formatter import Formatter, Written
from desktop_qa.formatting.windows import Window
from desktop_qa.library.reasoning import require_consent
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import FinishReason, Message, ModelQuestion, ServerNotice, Usage
from desktop_qa.llm.profile import Consent, Profile

_WRITTEN_SHARE = 0.4
"""Tokens written for each of the input, guessed: headings are few, tables are most of it."""


class ReadingByModel:
    """One document to be read by a model; for one run in one thread."""

    def __init__(
        self,
        offline: ParseResult,
        file: str,
        read_at: float,
        profile: Profile,
        seconds_per_token: float | None,
    ) -> None:
        """Cut the document into windows.

        Args:
            offline: As the program read it.
            file: Its name.
            read_at: When what the library has of it was stored.
            profile: Who reads it.
            seconds_per_token: Of the input, as measured before; `None` when it was not.

        Raises:
            QuestionError: When there is nothing to read, or the context is too small.
        """
        self.profile = profile
        self.read_at = read_at
        self.file = file
        self._offline = offline
        self.formatter = Formatter(offline, profile.n_context, profile.max_answer_tokens)
        self._seconds_per_token = seconds_per_token
        self._n_input = sum(window.n_prompt for window in self.formatter.windows)
        self._n_done = 0
        self._usage = Usage(0, 0)
        self._began = time.monotonic()

    @property
    def estimate(self) -> ReadingEstimate:
        """What it takes."""
        windows = self.formatter.windows
        n_output = int(_WRITTEN_SHARE * self._n_input)
        per_token = self._seconds_per_token
        return ReadingEstimate(
            n_documents=1,
            n_pages=self._n_pages,
            n_rounds=len(windows),
            n_input=self._n_input,
            n_output=n_output,
            price=self.profile.cost(Usage(self._n_input, n_output)),
            seconds=None if per_token is None else per_token * self._n_input,
        )

    @property
    def _n_pages(self) -> int:
        return len(self._offline.document.page_sizes)

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began

    @property
    def seconds_per_token(self) -> float:
        """Of the input, as this run took."""
        return self.seconds / self._n_input

    def began(self) -> ReadingProgress:
        """Start the clock."""
        self._began = time.monotonic()
        return self._progress(0, None)

    def count(self, usage: Usage | None) -> None:
        """Add what a round took, where the server tells it."""
        if usage is not None:
            n_input = self._usage.n_input + usage.n_input
            self._usage = Usage(n_input, self._usage.n_output + usage.n_output)

    def took(self, window: Window) -> ReadingProgress:
        """Count a round that is done."""
        self._n_done += 1
        windows = self.formatter.windows
        done, left = windows[: self._n_done], windows[self._n_done :]
        n_left = sum(one.n_prompt for one in left)
        seconds_left = self.seconds * n_left / sum(one.n_prompt for one in done)
        last = window.core[-1].page_no
        n_pages_done = self._n_pages if not left else last - (left[0].core[0].page_no == last)
        return self._progress(n_pages_done, seconds_left)

    def _progress(self, n_pages_done: int, seconds_left: float | None) -> ReadingProgress:
        n_tokens = self._usage.n_input + self._usage.n_output
        return ReadingProgress(
            self.file, n_pages_done, self._n_pages, n_tokens, self.seconds, seconds_left
        )

    def result(self) -> KeptReadings:
        """Return both readings.

        Raises:
            Cancelled: When not all rounds were done.
            QuestionError: When nothing that the model wrote stands on the pages.
        """
        if self._n_done < len(self.formatter.windows):
            raise Cancelled
        rebuilt, n_unplaced = self.formatter.result()
        note = ModelReading(
            self.profile.model,
            self.profile.host,
            time.time(),
            self.seconds,
            rebuilt.n_headings,
            rebuilt.n_tables,
            n_unplaced,
            self.formatter.n_cut,
        )
        return KeptReadings(self._offline.document, rebuilt.document, note)


async def read_by_model(
    reading: ReadingByModel,
    key: str,
    consent: Consent | None,
    *,
    on_notice: Callable[[ServerNotice], None] = lambda _notice: None,
) -> AsyncGenerator[ReadingProgress, None]:
    """Have a document read; the connection closes with the generator (`aclosing`).

    Args:
        reading: Of the document.
        key: Of the server; may be empty.
        consent: As for `require_consent`, which is asked before anything is sent.
        on_notice: Is told of pauses, and of what the server is asked without.

    Yields:
        How far it is: once before the first round and once behind each.

    Raises:
        ModelError: For everything that can go wrong.
    """
    require_consent(reading.profile, consent)
    # The first import takes half a second, and only a question to a model needs it.
    from desktop_qa.llm import client

    async def complete(messages: Sequence[Message], n_tokens: int) -> Written:
        question = ModelQuestion(messages, n_tokens)
        deltas = client.stream(reading.profile, key, question, on_notice)
        text, reason = "", FinishReason.STOP
        try:
            async with aclosing(deltas):
                async for delta in deltas:
                    text = delta.text if delta.voids_text else text + delta.text
                    reason = delta.finish_reason or reason
                    reading.count(delta.usage)
        except ModelError as error:
            # A stretch of running text may well be answered by nothing.
            if error.kind is not ModelErrorKind.EMPTY_ANSWER:
                raise
        return Written(text, reason is FinishReason.STOP)

    yield reading.began()
    rounds = reading.formatter.run(complete)
    async with aclosing(rounds):
        async for window in rounds:
            yield reading.took(window)
