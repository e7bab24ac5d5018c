"""Ollama's own dialect, a JSON object a line: it alone lets the question set the context.

Over its /v1 the context is the server's default, and what does not fit is dropped without a word.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence

from desktop_qa.llm.chat_completions import arguments_of, tool_content
from desktop_qa.llm.errors import ModelError, ModelErrorKind, broken, count_of
from desktop_qa.llm.messages import (
    Delta,
    FinishReason,
    ListedModel,
    Message,
    MessageRole,
    ModelQuestion,
    ToolCall,
    Usage,
)
from desktop_qa.llm.wire import Body, Exchange, JsonStream, json_at, mapping, objects, opened, plain


async def pieces(exchange: Exchange, question: ModelQuestion) -> AsyncGenerator[Delta, None]:
    """Yield an answer as it comes, thinking in the text not yet taken out.

    The last piece has the finish reason.

    Raises:
        ModelError: For everything that can go wrong; LEAVES_MACHINE when the model is one of
            another machine and the profile does not say so: nothing has been sent then.
    """
    if not exchange.profile.is_remote:
        await _stays_here(exchange)
    body = _body(exchange, question)
    calls: list[ToolCall] = []
    async with opened(plain(exchange, "/api/chat"), body, exchange) as response:
        async for content in JsonStream(response, exchange):
            said = mapping(content.get("message"))
            text, thinking = _text(said.get("content")), _text(said.get("thinking"))
            called = said.get("tool_calls")
            for call in objects(called):
                function = mapping(call.get("function"))
                name = _text(function.get("name"))
                arguments = arguments_of(name, function.get("arguments") or {}, exchange)
                calls.append(
                    ToolCall(_text(call.get("id")) or f"call_{len(calls)}", name, arguments)
                )
            if text or thinking or called:
                yield Delta(text=text, thinking=thinking)
            if content.get("done") is True:
                # An empty reason is that of a model whose own process went away.
                if content.get("done_reason") == "":
                    raise broken(exchange.profile.host, "the model stopped")
                yield Delta(
                    tool_calls=tuple(calls),
                    usage=_usage(content),
                    finish_reason=_finish(content.get("done_reason"), calls),
                )
                return
    raise broken(exchange.profile.host, "it has no end")


async def models(exchange: Exchange) -> tuple[ListedModel, ...]:
    """Return the models that an Ollama server has, and which of them are in memory.

    Raises:
        ModelError: For everything that can go wrong.
    """
    tags = await json_at(exchange, "/api/tags")
    running = await json_at(exchange, "/api/ps")
    loaded = {_text(entry.get("name")): entry for entry in objects(running.get("models"))}
    listed = []
    for entry in objects(tags.get("models")):
        name = _text(entry.get("name"))
        listed.append(
            ListedModel(
                name,
                n_context=count_of(mapping(loaded.get(name)).get("context_length")),
                remote_host=_text(entry.get("remote_host")),
                is_loaded=name in loaded,
            )
        )
    return tuple(listed)


async def shown(exchange: Exchange) -> ListedModel:
    """Return what an Ollama server knows of the profile's model.

    Raises:
        ModelError: For everything that can go wrong; NO_MODEL when it has none of that name.
    """
    content = await json_at(exchange, "/api/show", {"model": exchange.profile.model})
    info = mapping(content.get("model_info"))
    trained = info.get(f"{info.get('general.architecture')}.context_length")
    return ListedModel(
        exchange.profile.model,
        n_context=count_of(trained),
        remote_host=_text(content.get("remote_host")),
    )


async def _stays_here(exchange: Exchange) -> None:
    model = await shown(exchange)
    if model.remote_host:
        raise ModelError(
            ModelErrorKind.LEAVES_MACHINE,
            f"{model.name} runs at {model.remote_host}, not on this machine; nothing was sent.",
            "Choose another model, or test the profile anew and agree to send text there.",
        )


def _body(exchange: Exchange, question: ModelQuestion) -> Body:
    profile = exchange.profile
    body: dict[str, object] = {
        "model": profile.model,
        "messages": [_message(message, question.messages) for message in question.messages],
        "stream": True,
        # What does not fit is an error: left alone, the server drops the evidence silently.
        "truncate": False,
        "shift": False,
        "options": {
            "num_ctx": profile.n_context,
            "num_predict": question.max_tokens,
            "temperature": profile.temperature,
        },
    }
    if question.tools:
        body["tools"] = [tool_content(tool) for tool in question.tools]
    if question.schema is not None:
        body["format"] = question.schema
    return body


def _message(message: Message, all_messages: Sequence[Message]) -> dict[str, object]:
    content: dict[str, object] = {"role": message.role.value, "content": message.sendable_text}
    if message.images:
        content["images"] = message.encoded_images
    if message.tool_calls:
        content["tool_calls"] = [
            {"function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role is MessageRole.TOOL:
        calls = (call for one in all_messages for call in one.tool_calls)
        names = [call.name for call in calls if call.id == message.tool_call_id]
        content["tool_name"] = names[0] if names else message.tool_call_id
    return content


def _finish(reason: object, calls: Sequence[ToolCall]) -> FinishReason:
    if reason == "length":
        return FinishReason.LENGTH
    return FinishReason.TOOL_CALLS if calls else FinishReason.STOP


def _usage(content: Mapping[str, object]) -> Usage | None:
    n_output = count_of(content.get("eval_count"))
    if n_output is None:
        return None
    # Left out when the whole prompt was in the server's cache.
    n_input = count_of(content.get("prompt_eval_count")) or 0
    nanoseconds = count_of(content.get("eval_duration"))
    return Usage(n_input, n_output, nanoseconds / 1e9 if nanoseconds else None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
