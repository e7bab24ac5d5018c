"""What a model is told: rules, the passages behind a delimiter that nobody can guess, the question.

The offline answer is not shown to the model. What it knows stands in the order of the passages and
of their rows already; a small model copies a draft where it is wrong, costs tokens that the window
of 2k needs for passages, and an answer that agrees with the offline one without having seen it says
more than one that has. Of a conversation the earlier questions are told, not their answers: the
offline reading of a follow-up needs no more, and what an earlier answer said is no source.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from string import Template

from desktop_qa.core.answer import QuestionType
from desktop_qa.core.errors import QuestionError
from desktop_qa.generate.passages import Passage, n_model_tokens
from desktop_qa.generate.visible import visible
from desktop_qa.llm.messages import Message, MessageRole
from desktop_qa.paths import asset

MIN_WINDOW = 2048
"""Tokens of the smallest window that holds the rules, an answer and the first passages."""

NOT_STATED = "The passages do not state this."
"""What a model is told to say when it finds nothing; `generate.grounding` knows it again."""

_MAX_EARLIER = 3
_MAX_QUESTION_TOKENS = 400
"""Of the question, or of the earlier ones together, so that passages have their room."""

_FRAME_TOKENS = 40
"""What the templates of chats put around two messages."""

_ANSWER_SHARE = 0.25
"""Of the window, at most `_MAX_ANSWER_TOKENS`, for what the model says."""

_MAX_ANSWER_TOKENS = 1024
_DELIMITER_BYTES = 9
_WIDEST = "9z" * _DELIMITER_BYTES
"""A token for each character: no delimiter takes more."""


class PromptKind(StrEnum):
    """What a model is asked for; each has its file in `resources/prompts`."""

    ANSWER = "answer"
    COMPARISON = "comparison"
    PROCEDURE = "procedure"
    SUMMARY = "summary"
    SUMMARY_MAP = "summary_map"
    SUMMARY_REDUCE = "summary_reduce"


_KINDS: Mapping[str, PromptKind] = {
    QuestionType.COMPARE: PromptKind.COMPARISON,
    QuestionType.ACROSS_DOCUMENTS: PromptKind.COMPARISON,
    QuestionType.PROCEDURE: PromptKind.PROCEDURE,
    QuestionType.SUMMARY: PromptKind.SUMMARY,
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What goes to a model, and what an answer is held against.

    Attributes:
        delimiter: Stands around what the model must not take for instructions.
        passages: That it may cite.
        max_answer_tokens: That are left in the window for its answer.
    """

    messages: tuple[Message, ...]
    delimiter: str
    passages: tuple[Passage, ...]
    max_answer_tokens: int

    @property
    def instructions(self) -> str:
        """Our own words in it: neither passages nor question."""
        return "\n".join(m.text for m in self.messages if m.role is MessageRole.SYSTEM)


def kind_of(question_type: str) -> PromptKind:
    """Return what is asked for by the type of an offline answer."""
    return _KINDS.get(question_type, PromptKind.ANSWER)


def answer_tokens(window: int) -> int:
    """Return how many tokens of a window are kept for the answer."""
    return min(int(window * _ANSWER_SHARE), _MAX_ANSWER_TOKENS)


def passage_budget(
    kind: PromptKind,
    window: int,
    question: str,
    earlier: Sequence[str] = (),
    trees: Sequence[str] = (),
) -> int:
    """Return how many tokens of a model passages may have (`passages.passages_of`).

    Args:
        kind: Of prompt.
        window: Tokens that the model holds, prompt and answer together.
        question: As `build_prompt` gets it.
        earlier: As `build_prompt` gets them.
        trees: As `build_prompt` gets them.

    Raises:
        QuestionError: When the window is under `MIN_WINDOW`.
    """
    if window < MIN_WINDOW:
        raise QuestionError(
            f"The model's window has {window} tokens.", f"Choose one of at least {MIN_WINDOW}."
        )
    empty = build_prompt(kind, window, question, (), earlier, trees=trees)
    # The prompt itself draws another delimiter, which may take more tokens than this one.
    texts = [message.text.replace(empty.delimiter, _WIDEST) for message in empty.messages]
    return window - sum(map(n_model_tokens, texts)) - answer_tokens(window) - _FRAME_TOKENS


def build_prompt(
    kind: PromptKind,
    window: int,
    question: str,
    passages: Sequence[Passage],
    earlier: Sequence[str] = (),
    notes: Sequence[str] = (),
    trees: Sequence[str] = (),
) -> Prompt:
    """Return the messages for a question over some passages.

    Args:
        kind: Of prompt.
        window: Tokens that the model holds.
        question: Complete in itself: a follow-up as it was read.
        passages: That the model sees; of SUMMARY_REDUCE those that the notes cite, which it does
            not see.
        earlier: Questions of the conversation, oldest first; the last few are told.
        notes: Of SUMMARY_REDUCE: what SUMMARY_MAP made of each batch.
        trees: Of the documents that the model may look up more in (`structure_tree`); it is told
            how. Empty when it may not.
    """
    is_reduce = kind is PromptKind.SUMMARY_REDUCE
    content = notes if is_reduce else [passage.printed for passage in passages]
    shown = [visible(text) for text in content]
    # Their lines are indented, and are visible text already.
    shown += trees
    asked = _cut(visible(question))
    before = _latest(earlier)
    delimiter = secrets.token_hex(_DELIMITER_BYTES)
    while any(delimiter in text for text in (*shown, asked, *before)):
        delimiter = secrets.token_hex(_DELIMITER_BYTES)
    rules = _template("rules").substitute(delimiter=delimiter, not_stated=NOT_STATED)
    task = _template(kind).substitute(not_stated=NOT_STATED)
    if trees:
        task = f"{task.strip()}\n\n{_template('tools').substitute()}"
    sections = [f"Question: {asked}"]
    if before:
        sections.insert(0, "\n- ".join(("Asked before in this conversation:", *before)))
    if shown:
        sections.insert(0, "\n\n".join((f"<{delimiter}>", *shown, f"</{delimiter}>")))
    return Prompt(
        (
            Message(MessageRole.SYSTEM, f"{rules.strip()}\n\n{task.strip()}"),
            Message(MessageRole.USER, "\n\n".join(sections)),
        ),
        delimiter,
        tuple(passages),
        answer_tokens(window),
    )


def batches(passages: Sequence[Passage], budget: int) -> Iterator[tuple[Passage, ...]]:
    """Yield passages in rows of at most `budget` tokens each, in order: the maps of a summary.

    A passage that alone is over it makes a batch of its own.
    """
    own: list[Passage] = []
    left = budget
    for passage in passages:
        cost = n_model_tokens(passage.printed)
        if own and cost > left:
            yield tuple(own)
            own, left = [], budget
        own.append(passage)
        left -= cost
    if own:
        yield tuple(own)


def _latest(earlier: Sequence[str]) -> list[str]:
    kept: list[str] = []
    left = _MAX_QUESTION_TOKENS
    for question in reversed(earlier[-_MAX_EARLIER:]):
        text = _one_line(question)
        left -= n_model_tokens(text)
        if left < 0:
            break
        kept.insert(0, text)
    return kept


def _cut(question: str) -> str:
    """Return a question, its middle left out when it is too long: what is asked ends it often."""
    text = _one_line(question)
    while n_model_tokens(text) > _MAX_QUESTION_TOKENS:
        keep = int(len(text) * 0.4)
        text = f"{text[:keep]} … {text[-keep:]}"
    return text


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", visible(text))


@cache
def _template(name: str) -> Template:
    return Template(asset(f"resources/prompts/{name}.txt").read_text(encoding="utf-8"))
