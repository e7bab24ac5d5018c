"""Tries a model out, so that the user knows before the first question what it can do."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from desktop_qa.llm import ollama
from desktop_qa.llm.client import models, stream
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import (
    Delta,
    ListedModel,
    Message,
    MessageRole,
    ModelQuestion,
    ToolCall,
    ToolSpec,
    Usage,
)
from desktop_qa.llm.profile import Dialect, Profile
from desktop_qa.llm.wire import Exchange

_MAX_TOKENS = 512
"""Of each trial; a model that thinks needs most of them for that."""

_COUNTING = "Write the numbers from 1 to 40 in words, one after the other. Nothing else."
_ASKING_FOR_TOOL = "Look up the page count of the document named manual-7. Use the tool."
_TOOL = ToolSpec(
    "page_count",
    "Returns how many pages a document has.",
    {
        "type": "object",
        "properties": {"document": {"type": "string"}},
        "required": ["document"],
    },
)
_ASKING_FOR_JSON = "Is 17 a prime number? Answer in JSON with the fields number and is_prime."
_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "is_prime": {"type": "boolean"}},
    "required": ["number", "is_prime"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried.

    Attributes:
        is_good: Whether it works; `None` when it was not tried or cannot be told.
        sentence: For the user.
    """

    is_good: bool | None
    sentence: str


_NOT_TRIED = Finding(None, "Not tried.")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a probe found.

    Attributes:
        reached: The server answers.
        model: It knows the model, and has it in memory.
        speed: How fast it writes.
        tools: Whether it calls the tool that it is told to call.
        schema: Whether its answer is the JSON object that it is told to give.
        context: What the server states, against what the profile wants to use.
        tokens_per_second: Of writing.
        n_context: Tokens of context that the server states.
        remote_host: Where a local server sends the text: belongs into the profile.
    """

    reached: Finding
    model: Finding = _NOT_TRIED
    speed: Finding = _NOT_TRIED
    tools: Finding = _NOT_TRIED
    schema: Finding = _NOT_TRIED
    context: Finding = _NOT_TRIED
    tokens_per_second: float | None = None
    n_context: int | None = None
    remote_host: str = ""

    @property
    def is_usable(self) -> bool:
        """Whether a question can be asked at all."""
        return self.reached.is_good is True and self.speed.is_good is True

    def known_of(self, profile: Profile) -> Profile:
        """Return a profile with what was found out about it, to be kept."""
        known = replace(profile, remote_host=self.remote_host or profile.remote_host)
        if not self.is_usable:
            return known
        return replace(known, calls_tools=self.tools.is_good, keeps_schema=self.schema.is_good)


@dataclass(frozen=True, slots=True)
class _Trial:
    """What came of a question."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tokens_per_second: float | None = None
    error: ModelError | None = None
    left_out: tuple[str, ...] = ()


async def probe(profile: Profile, key: str) -> Verdict:
    """Try a model; nothing of a library is sent. Its questions cost about 1500 tokens at most.

    Returns:
        What works and what does not; an error is a finding, too.
    """
    try:
        profile.check()
        listed = await models(profile, key)
        known = next((one for one in listed if _is_named(one, profile)), None)
        if profile.dialect is Dialect.OLLAMA:
            known = await _known_to_ollama(profile, key, known)
    except ModelError as error:
        if error.kind is ModelErrorKind.NO_MODEL:
            return Verdict(_reached(profile), Finding(False, str(error)))
        return Verdict(Finding(False, str(error)))
    remote_host = known.remote_host if known else ""
    if remote_host and not profile.is_remote:
        # Tried with what the profile is to be: only sentences of this module are sent.
        profile = replace(profile, remote_host=remote_host)
    counted = await _tried(profile, key, _COUNTING)
    called = await _tried(profile, key, _ASKING_FOR_TOOL, tools=(_TOOL,))
    formed = await _tried(profile, key, _ASKING_FOR_JSON, schema=_SCHEMA)
    return Verdict(
        reached=_reached(profile),
        model=_model_finding(profile, known, counted),
        speed=_speed_finding(counted),
        tools=_tools_finding(called),
        schema=_schema_finding(formed),
        context=_context_finding(profile, known),
        tokens_per_second=counted.tokens_per_second,
        n_context=known.n_context if known else None,
        remote_host=remote_host,
    )


def _reached(profile: Profile) -> Finding:
    is_file = profile.dialect is Dialect.FILE
    return Finding(True, "The file can be read." if is_file else f"{profile.host} answers.")


def _is_named(model: ListedModel, profile: Profile) -> bool:
    # Ollama's default tag need not be written.
    return model.name in (profile.model, f"{profile.model}:latest")


async def _known_to_ollama(profile: Profile, key: str, listed: ListedModel | None) -> ListedModel:
    shown = await ollama.shown(Exchange.to(profile, key))
    if listed is None:
        return shown
    return ListedModel(
        shown.name,
        # What the model was made for: how it is loaded, the question itself says.
        shown.n_context or listed.n_context,
        shown.remote_host or listed.remote_host,
        listed.is_loaded,
    )


async def _tried(
    profile: Profile,
    key: str,
    asked: str,
    *,
    tools: Sequence[ToolSpec] = (),
    schema: Mapping[str, object] | None = None,
) -> _Trial:
    text = ""
    left_out: list[str] = []
    n_deltas = 0
    first_s: float | None = None
    error: ModelError | None = None
    last = Delta()
    question = ModelQuestion([Message(MessageRole.USER, asked)], _MAX_TOKENS, tools, schema)
    deltas = stream(profile, key, question, lambda notice: left_out.append(notice.left_out))
    try:
        async with aclosing(deltas):
            async for delta in deltas:
                first_s = time.monotonic() if first_s is None else first_s
                text = delta.text if delta.voids_text else text + delta.text
                n_deltas += bool(delta.text or delta.thinking)
                last = delta
    except ModelError as raised:
        error = raised
    took_s = time.monotonic() - first_s if first_s is not None else 0.0
    return _Trial(
        text, last.tool_calls, _speed(last.usage, n_deltas, took_s), error, tuple(left_out)
    )


def _speed(usage: Usage | None, n_deltas: int, took_s: float) -> float | None:
    """Return tokens a second after the first; a delta is a token where nothing is counted."""
    if usage is not None and usage.output_s:
        return usage.n_output / usage.output_s
    n_tokens = usage.n_output if usage is not None else n_deltas
    return (n_tokens - 1) / took_s if n_tokens > 1 and took_s > 0 else None


def _model_finding(profile: Profile, known: ListedModel | None, counted: _Trial) -> Finding:
    if counted.error is not None and counted.error.kind is ModelErrorKind.NO_MODEL:
        return Finding(False, str(counted.error))
    if known is None and counted.error is None:
        return Finding(True, f"The server does not list {profile.model}, yet it answers.")
    if known is None:
        return Finding(None, f"The server does not list {profile.model}.")
    if known.is_loaded is False:
        return Finding(True, f"{profile.model} is there; it was loaded for this test.")
    return Finding(True, f"{profile.model} is there.")


def _speed_finding(counted: _Trial) -> Finding:
    # A model that thinks too long for a trial still writes.
    if counted.error is not None and counted.tokens_per_second is None:
        return Finding(False, str(counted.error))
    if counted.tokens_per_second is None:
        return Finding(True, "It answers; the answer came too fast to tell its speed.")
    return Finding(True, f"It writes {counted.tokens_per_second:.0f} tokens a second.")


def _tools_finding(called: _Trial) -> Finding:
    if called.error is not None:
        return Finding(False, str(called.error))
    is_right = any(
        call.name == _TOOL.name and isinstance(call.arguments.get("document"), str)
        for call in called.tool_calls
    )
    if is_right:
        return Finding(True, "It calls tools.")
    return Finding(False, "It does not call the tool that it was told to call.")


def _schema_finding(formed: _Trial) -> Finding:
    if formed.error is not None:
        return Finding(False, str(formed.error))
    try:
        content = json.loads(formed.text)
    except ValueError:
        content = None
    is_right = (
        isinstance(content, dict)
        and set(content) == {"number", "is_prime"}
        and type(content["number"]) is int
        and type(content["is_prime"]) is bool
    )
    if "response_format" in formed.left_out:
        return Finding(False, "The server does not know JSON schemas.")
    if is_right:
        return Finding(True, "It keeps to a JSON schema.")
    return Finding(False, "It does not keep to a JSON schema.")


def _context_finding(profile: Profile, known: ListedModel | None) -> Finding:
    if known is None or known.n_context is None:
        return Finding(None, "The server does not say how much context the model has.")
    stated = f"The server states a context of {known.n_context} tokens"
    if known.n_context < profile.n_context:
        return Finding(False, f"{stated}; the profile wants to use {profile.n_context}.")
    return Finding(True, f"{stated}.")
