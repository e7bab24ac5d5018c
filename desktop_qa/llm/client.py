"""Asks a language model, whatever its server speaks; imported only where one is asked.

The openai package costs half a second, so that nothing which the window needs at its start may
import this module.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from desktop_qa.llm import chat_completions, ollama
from desktop_qa.llm.answer_text import LoopWatch, Parted, Surrogates, ThinkingSplitter
from desktop_qa.llm.errors import ModelError, ModelErrorKind, wrong_address
from desktop_qa.llm.limits import CHARACTERS_PER_TOKEN
from desktop_qa.llm.local_model import served
from desktop_qa.llm.messages import Delta, FinishReason, ListedModel, ModelQuestion
from desktop_qa.llm.model_files import read_model_file
from desktop_qa.llm.profile import Dialect, Profile
from desktop_qa.llm.wire import Exchange, OnNotice

_PIECES = {Dialect.CHAT_COMPLETIONS: chat_completions.pieces, Dialect.OLLAMA: ollama.pieces}
_MODELS = {Dialect.CHAT_COMPLETIONS: chat_completions.models, Dialect.OLLAMA: ollama.models}

_API_PATH = "/v1"
_ANOTHER_MAY_FIT = frozenset(
    {ModelErrorKind.NO_MODEL_SERVER, ModelErrorKind.BROKEN, ModelErrorKind.REDIRECTED}
)
"""What a server says at an address that it does not serve; all else would be the same at others."""


async def stream(
    profile: Profile,
    key: str,
    question: ModelQuestion,
    on_notice: OnNotice = lambda _notice: None,
) -> AsyncGenerator[Delta, None]:
    """Yield an answer as it comes; its connection closes with the generator (`aclosing`).

    Args:
        profile: Whom to ask; whether the user agreed to send text there is the caller's to know.
        key: Of the server; may be empty.
        question: A server that does not know schemas is asked without (`on_notice`).
        on_notice: Is told of pauses, and of what the server refused and is asked without.

    Yields:
        Deltas; the last one, and no other, has a finish reason.

    Raises:
        ModelError: For everything that can go wrong, also in the middle of an answer.
    """
    profile.check()
    async with served(profile, key, on_notice) as (reached, own_key):
        exchange = Exchange.to(reached, own_key, on_notice)
        watch = _AnswerWatch(exchange, question.max_tokens)
        pieces = _PIECES[reached.dialect](exchange, question)
        async with aclosing(pieces):
            async for piece in pieces:
                for delta in watch.deltas(piece):
                    yield delta


async def models(profile: Profile, key: str) -> tuple[ListedModel, ...]:
    """Return the models that the server of a profile offers; its own model need not be one.

    A model file offers itself, and is not loaded for that.

    Raises:
        ModelError: For everything that can go wrong.
    """
    if profile.dialect is Dialect.FILE:
        file = read_model_file(Path(profile.base_url))
        return (ListedModel(profile.model or file.name, file.n_context),)
    return await _MODELS[profile.dialect](Exchange.to(profile, key))


async def spoken(profile: Profile, key: str) -> tuple[Profile, tuple[ListedModel, ...]]:
    """Return a profile with the dialect and base URL that its server answers to, and its models.

    Ollama is tried first: it speaks chat completions as well, where the size of the context cannot
    be said and what does not fit is dropped silently.

    Raises:
        ModelError: For everything that can go wrong; NO_MODEL_SERVER when no dialect is answered.
    """
    if profile.dialect is Dialect.FILE:
        return profile, await models(profile, key)
    for candidate in _candidates(profile):
        try:
            return candidate, await models(candidate, key)
        except ModelError as error:
            if error.kind not in _ANOTHER_MAY_FIT:
                raise
    raise wrong_address(profile.host)


def _candidates(profile: Profile) -> Iterator[Profile]:
    root = profile.base_url.removesuffix(_API_PATH)
    yield replace(profile, dialect=Dialect.OLLAMA, address=root)
    yield replace(profile, dialect=Dialect.CHAT_COMPLETIONS, address=profile.base_url)
    if root == profile.base_url:
        address = f"{root}{_API_PATH}"
        yield replace(profile, dialect=Dialect.CHAT_COMPLETIONS, address=address)


class _AnswerWatch:
    """Takes thinking apart from text, and ends an answer that leads nowhere."""

    def __init__(self, exchange: Exchange, max_tokens: int) -> None:
        self._exchange = exchange
        self._max_tokens = max_tokens
        self._splitter = ThinkingSplitter()
        self._surrogates = Surrogates()
        self._text_loop = LoopWatch()
        self._thinking_loop = LoopWatch()
        self._n_characters = 0
        self._has_text = self._has_thinking = False

    def deltas(self, piece: Delta) -> list[Delta]:
        """Return what a piece of the dialect makes known.

        Raises:
            ModelError: REPEATED_TEXT, ENDLESS_ANSWER, ENDLESS_THINKING or EMPTY_ANSWER.
        """
        self._exchange.timer.progressed()
        found: list[Delta] = []
        parted = self._splitter.feed(self._surrogates.joined(piece.text))
        self._keep(parted, piece.thinking, found)
        if piece.finish_reason is not None:
            self._keep(self._splitter.end(), "", found)
            self._check_end(piece)
            found.append(
                Delta(
                    tool_calls=piece.tool_calls,
                    usage=piece.usage,
                    finish_reason=piece.finish_reason,
                )
            )
        return found

    def _keep(self, parted: Parted, thinking: str, found: list[Delta]) -> None:
        delta = Delta(parted.text, thinking + parted.thinking, parted.voids_text)
        if not (delta.text or delta.thinking or delta.voids_text):
            return
        self._n_characters += len(delta.text) + len(delta.thinking)
        self._has_text = (self._has_text and not delta.voids_text) or bool(delta.text.strip())
        self._has_thinking = self._has_thinking or bool(delta.thinking.strip())
        if self._text_loop.goes_round(delta.text) or self._thinking_loop.goes_round(delta.thinking):
            raise ModelError(
                ModelErrorKind.REPEATED_TEXT,
                f"{self._exchange.profile.model} repeats the same text again and again.",
                "Ask again with other words, or choose a larger model.",
            )
        if self._n_characters > self._max_tokens * CHARACTERS_PER_TOKEN:
            raise self._endless()
        found.append(delta)

    def _check_end(self, piece: Delta) -> None:
        if self._has_text or piece.tool_calls:
            return
        if self._has_thinking and piece.finish_reason is FinishReason.LENGTH:
            raise self._endless()
        raise ModelError(
            ModelErrorKind.EMPTY_ANSWER,
            f"{self._exchange.profile.model} gave an empty answer.",
            "Ask again; if it stays so, look whether the question fits into the model's context.",
        )

    def _endless(self) -> ModelError:
        model = self._exchange.profile.model
        if self._has_text:
            return ModelError(
                ModelErrorKind.ENDLESS_ANSWER,
                f"{model} does not come to an end.",
                "Ask again with other words, or choose another model.",
            )
        return ModelError(
            ModelErrorKind.ENDLESS_THINKING,
            f"{model} thought for all of its {self._max_tokens} tokens and gave no answer.",
            "Allow longer answers, or choose a model that thinks less.",
        )
