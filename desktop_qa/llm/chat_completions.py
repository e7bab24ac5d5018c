"""The dialect of OpenAI and of nearly every server: /chat/completions, streamed as events.

Servers differ in what they leave out and add; each reading below names who does it so.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import openai

from desktop_qa.llm.errors import ModelError, ModelErrorKind, broken
from desktop_qa.llm.messages import (
    Delta,
    FinishReason,
    ListedModel,
    Message,
    MessageRole,
    ModelQuestion,
    ToolCall,
    ToolSpec,
    Usage,
)
from desktop_qa.llm.wire import (
    Body,
    Exchange,
    JsonStream,
    Refusal,
    client,
    json_at,
    mapping,
    objects,
    opened,
)

_FINISH_REASONS = {
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.FILTERED,
}

_CONTEXT_FIELDS = (
    "loaded_context_length",  # LM Studio
    "max_model_len",  # vLLM
    "n_ctx",  # llama.cpp, under "meta"
    "context_length",  # OpenRouter
    "context_window",  # Groq
    "max_context_length",  # Mistral, LM Studio
    "n_ctx_train",  # llama.cpp
)


class _QuietClient(openai.AsyncOpenAI):
    """The package's client, which tells nothing of this machine."""

    def platform_headers(self) -> dict[str, str]:
        return {}


async def pieces(exchange: Exchange, question: ModelQuestion) -> AsyncGenerator[Delta, None]:
    """Yield an answer as it comes, thinking in the text not yet taken out.

    The last piece has the finish reason.

    Raises:
        ModelError: For everything that can go wrong.
    """
    body = _body(exchange, question)
    finish: FinishReason | None = None
    usage: Usage | None = None
    calls = _ToolCallParts(exchange)

    @asynccontextmanager
    async def ask(body: Body) -> AsyncIterator[httpx2.Response]:
        request: dict[str, Any] = dict(body)
        cause: BaseException | None = None
        async with client(exchange) as http:
            sdk = _QuietClient(
                api_key=exchange.key or "none",
                base_url=exchange.profile.base_url,
                http_client=http,
                max_retries=0,
            )
            sdk._platform = "Unknown"  # or it starts a thread and `uname` to find out
            try:
                events = await sdk.chat.completions.create(**request)
            except openai.APIStatusError as error:
                raise Refusal(error.response, exchange.key) from None
            except openai.APIConnectionError as error:
                cause = error.__cause__ or error
            else:
                # Read here and not by the package: it takes whole objects only, and forgets
                # whether the answer came to its end.
                async with aclosing(events):
                    yield events.response
        if cause is not None:
            raise cause

    async with opened(ask, body, exchange) as response:
        stream = JsonStream(response, exchange)
        try:
            async for content in stream:
                usage = _usage(content) or usage
                choice = _choice(content)
                said = mapping(choice.get("delta")) or mapping(choice.get("message"))
                calls.add(said.get("tool_calls"))
                text, thinking = _texts(said)
                if text or thinking or said.get("tool_calls"):
                    yield Delta(text=text, thinking=thinking)
                reason = choice.get("finish_reason")
                if isinstance(reason, str) and reason:
                    finish = _FINISH_REASONS.get(reason, FinishReason.STOP)
                    exchange.timer.has_all()
        except ModelError as error:
            # Some servers keep the line open after the end.
            if finish is None or error.kind is not ModelErrorKind.STALLED:
                raise
    if finish is None and not stream.is_ended:
        raise broken(exchange.profile.host, "it has no end")
    yield Delta(
        tool_calls=calls.whole(),
        usage=usage,
        finish_reason=finish or FinishReason.STOP,
    )


async def models(exchange: Exchange) -> tuple[ListedModel, ...]:
    """Return the models that a server offers, as it lists them.

    Raises:
        ModelError: For everything that can go wrong.
    """
    content = await json_at(exchange, "/models")
    listed = content.get("data", content.get("models"))
    if not isinstance(listed, list):
        raise broken(exchange.profile.host, "its list of models cannot be read")
    names = []
    for entry in objects(listed):
        name = entry.get("id") or entry.get("name")
        if isinstance(name, str) and name:
            names.append(ListedModel(name, n_context=_n_context(entry)))
    return tuple(names)


def _n_context(entry: Mapping[str, object]) -> int | None:
    told = {**mapping(entry.get("meta")), **entry}
    sizes = (told.get(name) for name in _CONTEXT_FIELDS)
    return next((size for size in sizes if type(size) is int and size > 0), None)


def _body(exchange: Exchange, question: ModelQuestion) -> Body:
    body: dict[str, object] = {
        "model": exchange.profile.model,
        "messages": [_message(message) for message in question.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": exchange.profile.temperature,
        "max_tokens": question.max_tokens,
    }
    if question.tools:
        body["tools"] = [tool_content(tool) for tool in question.tools]
    if question.schema is not None:
        named = {"name": "answer", "strict": True, "schema": question.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def tool_content(tool: ToolSpec) -> dict[str, object]:
    """Return a tool as both dialects write it."""
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _message(message: Message) -> dict[str, object]:
    content: dict[str, object] = {"role": message.role.value, "content": message.sendable_text}
    if message.images:
        shown = (f"data:image/png;base64,{image}" for image in message.encoded_images)
        content["content"] = [
            {"type": "text", "text": message.sendable_text},
            *({"type": "image_url", "image_url": {"url": url}} for url in shown),
        ]
    if message.tool_calls:
        content["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if message.role is MessageRole.TOOL:
        content["tool_call_id"] = message.tool_call_id
    return content


def _choice(content: Mapping[str, object]) -> Mapping[str, object]:
    return next(iter(objects(content.get("choices"))), {})


def _texts(said: Mapping[str, object]) -> tuple[str, str]:
    """Return what is said and what is thought.

    DeepSeek, llama.cpp and vLLM think in `reasoning_content`, OpenRouter, Groq and newer vLLM in
    `reasoning`, Mistral in a list of typed contents; OpenAI refuses in `refusal`.
    """
    content = said.get("content") or said.get("refusal") or ""
    thinking = said.get("reasoning_content") or said.get("reasoning") or ""
    text = content if isinstance(content, str) else ""
    thought = thinking if isinstance(thinking, str) else ""
    for part in objects(content):
        inner = part.get("thinking")
        if isinstance(inner, list):
            thought += "".join(str(one.get("text") or "") for one in objects(inner))
        elif isinstance(part.get("text"), str):
            text += str(part["text"])
    return text, thought


def _usage(content: Mapping[str, object]) -> Usage | None:
    usage = mapping(content.get("usage"))
    n_input, n_output = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(n_input) is not int or type(n_output) is not int:
        return None
    return Usage(n_input, n_output)


@dataclass(slots=True)
class _Part:
    id: str = ""
    name: str = ""
    arguments: str = ""


class _ToolCallParts:
    """Tool calls as they come in pieces; Google's server gives no index, and each call whole."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._parts: dict[int, _Part] = {}

    def add(self, pieces: object) -> None:
        for piece in objects(pieces):
            function = mapping(piece.get("function"))
            index = piece.get("index")
            if type(index) is not int:
                is_new = bool(piece.get("id") or function.get("name")) or not self._parts
                index = len(self._parts) - (not is_new)
            part = self._parts.setdefault(index, _Part())
            part.id = str(piece.get("id") or part.id)
            part.name = str(function.get("name") or part.name)
            arguments = function.get("arguments")
            # Written as text, and by some servers as the object that it stands for.
            is_object = isinstance(arguments, Mapping)
            part.arguments += json.dumps(arguments) if is_object else str(arguments or "")

    def whole(self) -> tuple[ToolCall, ...]:
        calls = []
        for index, part in sorted(self._parts.items()):
            arguments = arguments_of(part.name, part.arguments, self._exchange)
            calls.append(ToolCall(part.id or f"call_{index}", part.name, arguments))
        return tuple(calls)


def arguments_of(name: str, arguments: object, exchange: Exchange) -> Mapping[str, object]:
    """Return the arguments of a tool call.

    Raises:
        ModelError: BAD_TOOL_CALL, when they are no JSON object or nothing is named.
    """
    decoded: object = arguments
    if isinstance(arguments, str):
        try:
            decoded = json.loads(arguments) if arguments.strip() else {}
        except ValueError:
            decoded = None
    if not isinstance(decoded, Mapping) or not name:
        raise ModelError(
            ModelErrorKind.BAD_TOOL_CALL,
            f"{exchange.profile.model} called a tool in a way that cannot be read.",
            "Ask again; if it stays so, choose a model that can use tools.",
        )
    return decoded
