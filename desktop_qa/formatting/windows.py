"""The sliding window of HiQA's Algorithm 1: what the model is shown in each round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.core.errors import QuestionError
from desktop_qa.formatting.lines import PageLine
from desktop_qa.generate.passages import n_model_tokens
from desktop_qa.llm.messages import Message, MessageRole
from desktop_qa.paths import asset

_MAX_WINDOW = 3000
"""Tokens: of a longer stretch models leave out what stands in its middle."""

_MIN_WINDOW = 200
_PADDING_SHARE = 8
"""K is W over this."""

_ANSWER_SHARE = 1.5
"""Tokens of an answer for each of the input: a page of one table, with its bars."""

_FRAME_TOKENS = 60
"""What the templates of chats put around four messages, and the marks of pages."""

_NOTHING = "NONE"


@dataclass(frozen=True, slots=True)
class Window:
    """The input of a round.

    Attributes:
        lines: W tokens of the document and K on either side.
        first: Index in `lines` of the first one of W.
        end: Index behind the last one of W.
        n_padding: Tokens of K.
        n_answer: Tokens that the answer may have.
        n_prompt: Tokens of all that is sent, about.
    """

    lines: tuple[PageLine, ...]
    first: int
    end: int
    n_padding: int
    n_answer: int
    n_prompt: int

    @property
    def core(self) -> tuple[PageLine, ...]:
        """The lines of W: each line of a document is in the core of one window."""
        return self.lines[self.first : self.end]


def windows_of(
    lines: Sequence[PageLine], n_context: int, min_answer: int = 0
) -> tuple[Window, ...]:
    """Cut a document into windows of W tokens with a padding of K at either side.

    HiQA counts words and fixes W and K; here both follow from the model's context C, which holds
    the instructions I, the input, the part of the last round that overlaps (2 K, and what was
    written of it), and the answer: C = I + (W + 2K) + 4K + 1.5 (W + 2K), with K = W / 8.

    Args:
        lines: Of the whole document.
        n_context: Tokens of the model's context.
        min_answer: Tokens that an answer gets at least, for models that think.

    Raises:
        QuestionError: When there is nothing to read, or the context is too small.
    """
    if not lines:
        raise QuestionError("There are no words in this document that a model could read.")
    n_fixed = n_model_tokens(_instructions()) + _FRAME_TOKENS
    room = n_context - n_fixed
    padded = 1 + 2 / _PADDING_SHARE
    window = int(room / (padded * (1 + _ANSWER_SHARE) + 4 / _PADDING_SHARE))
    if min_answer > window * padded * _ANSWER_SHARE:
        window = int((room - min_answer) / (padded + 4 / _PADDING_SHARE))
    window = min(window, _MAX_WINDOW)
    if window < _MIN_WINDOW:
        raise QuestionError(
            f"A context of {n_context} tokens is too small to read a document with.",
            "Give the profile a larger context, 8192 if the model has it, or shorter answers.",
        )
    costs = [n_model_tokens(line.printed) + 1 for line in lines]
    padding = window // _PADDING_SHARE
    n_answer = max(int(window * padded * _ANSWER_SHARE), min_answer)
    windows: list[Window] = []
    start = 0
    while start < len(lines):
        end = _reach(costs, start, window)
        before = len(lines) - _reach(costs[::-1], len(lines) - start, padding, least=0)
        behind = _reach(costs, end, padding, least=0)
        n_prompt = n_fixed + sum(costs[before:behind]) + (4 * padding if windows else 0)
        window_lines = tuple(lines[before:behind])
        windows.append(
            Window(window_lines, start - before, end - before, padding, n_answer, n_prompt)
        )
        start = end
    return tuple(windows)


def _reach(costs: Sequence[int], start: int, budget: int, least: int = 1) -> int:
    """Return where the lines end that a budget holds; at least so many are taken."""
    end = start
    while end < len(costs) and (costs[end] <= budget or end - start < least):
        budget -= costs[end]
        end += 1
    return end


def messages_of(
    window: Window, previous: Window | None = None, written: str = ""
) -> tuple[Message, ...]:
    """Return what is sent in a round: D_M(t) = M(D_I(t), D_I(t-1), D_M(t-1))  (HiQA, Eq. 1).

    Deviations from the paper: headings keep their level, for cascading metadata needs it; running
    text is not written again, for the words stay those of the page; of the last round the part is
    shown that overlaps, with the end of what was written.

    Args:
        window: D_I(t).
        previous: D_I(t-1).
        written: D_M(t-1).
    """
    said: list[Message] = [Message(MessageRole.SYSTEM, _instructions())]
    if previous is not None:
        printed = [line.printed for line in previous.lines]
        overlap = previous.lines[_end_within(printed, 2 * previous.n_padding) :]
        said.append(Message(MessageRole.USER, _printed(overlap)))
        said.append(Message(MessageRole.ASSISTANT, _end_of(written, 2 * previous.n_padding)))
    said.append(Message(MessageRole.USER, _printed(window.lines)))
    return tuple(said)


def _instructions() -> str:
    return asset("resources/prompts/formatting.txt").read_text(encoding="utf-8").strip()


def _printed(lines: Sequence[PageLine]) -> str:
    page_no, printed = 0, []
    for line in lines:
        if line.page_no != page_no:
            page_no = line.page_no
            printed.append(f"[page {page_no}]")
        printed.append(line.printed)
    return "\n".join(printed)


def _end_of(written: str, budget: int) -> str:
    """Return the last lines of what was written, and the heading that they stand under."""
    lines = [line for line in written.splitlines() if line.strip()]
    start = _end_within(lines, budget)
    headings = [line for line in lines[:start] if line.startswith("#")]
    return "\n".join([*headings[-1:], *lines[start:]]) or _NOTHING


def _end_within(texts: Sequence[str], budget: int) -> int:
    """Return where the last lines begin that a budget holds."""
    costs = [n_model_tokens(text) + 1 for text in reversed(texts)]
    return len(texts) - _reach(costs, 0, budget, least=0)
