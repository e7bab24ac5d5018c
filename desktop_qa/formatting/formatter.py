"""The loop of HiQA's Algorithm 1 over one document, and what comes of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import ParseResult
from desktop_qa.core.errors import QuestionError
from desktop_qa.formatting.lines import lines_of
from desktop_qa.formatting.markdown_reader import read_markdown
from desktop_qa.formatting.placing import Placed, place
from desktop_qa.formatting.rebuilding import Rebuilding, Rebuilt, WordPlace
from desktop_qa.formatting.windows import Window, messages_of, windows_of
from desktop_qa.llm.messages import Message


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote in one round; not whole when it was cut off."""

    text: str
    is_whole: bool = True


Complete = Callable[[Sequence[Message], int], Awaitable[Written]]
"""Asks the model: messages, and the tokens that its answer may have."""


class Formatter:
    """One document on its way through the windows; for one run."""

    def __init__(self, offline: ParseResult, n_context: int, min_answer: int = 0) -> None:
        """Cut the document into windows.

        Args:
            offline: The document as the program read it, with its words.
            n_context: Tokens of the model's context.
            min_answer: Tokens that an answer gets at least.

        Raises:
            QuestionError: When there is nothing to read, or the context is too small.
        """
        self._offline = offline
        self._pages = {page.page_no: page for page in offline.page_words}
        self.windows = windows_of(lines_of(offline.page_words), n_context, min_answer)
        self._placed: list[Placed] = []
        self._unread: set[WordPlace] = set()
        self._n_unplaced = 0
        self.n_cut = 0
        """Rounds whose answer was cut off."""

    async def run(self, complete: Complete) -> AsyncGenerator[Window, None]:
        """Ask for each window in turn, and yield it when what was written of it is placed.

        HiQA, Algorithm 1, lines 2 to 6; what `complete` raises ends the run.
        """
        previous: Window | None = None
        written = Written("")
        for window in self.windows:
            messages = messages_of(window, previous, written.text)
            written = await complete(messages, window.n_answer)
            self._take(window, written)
            previous = window
            yield window

    def _take(self, window: Window, written: Written) -> None:
        """Place what was written; of the padding other windows tell.

        Where nothing has a place, or the answer was cut off, the offline headings stay.
        """
        own = {(line.page_no, index) for line in window.core for index in line.indices}
        placed, n_unplaced = place(read_markdown(written.text), window.lines, self._pages)
        self._n_unplaced += n_unplaced
        mine = [one for one in placed if _first_word(one) in own]
        self.n_cut += not written.is_whole
        if mine and written.is_whole:
            self._placed += mine
        else:
            self._unread |= own

    def result(self) -> tuple[Rebuilt, int]:
        """Return the document as the model reads it, and how much of what it wrote has no place.

        HiQA, Algorithm 1, line 7.

        Raises:
            QuestionError: When nothing has a place.
        """
        rebuilding = Rebuilding(self._offline.document, self._pages, self._unread)
        rebuilt = rebuilding.result(self._placed)
        if not rebuilt.n_headings and not rebuilt.n_tables:
            raise QuestionError(
                "Nothing of what the model wrote stands on the pages.",
                "Choose a larger model; this one does not keep to what it is asked for.",
            )
        return rebuilt, self._n_unplaced + rebuilt.n_refused


def _first_word(placed: Placed) -> WordPlace:
    return placed.page_no, min(placed.indices)
