from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from desktop_qa.llm.client import models
from desktop_qa.llm.errors import ModelErrorKind
from desktop_qa.llm.messages import (
    FinishReason,
    ListedModel,
    Message,
    MessageRole,
    ToolCall,
    ToolSpec,
    Usage,
)
from desktop_qa.llm.profile import Dialect, Profile
from tests.llm.asking import QUESTION, Asked, ask, profile_of, run
from tests.llm.scripted_server import Reply, Request, ScriptedServer, head, page, row

Answerer = Callable[[Request], Reply]

NDJSON = "application/x-ndjson"
TOOL = ToolSpec("find", "Finds.", {"type": "object", "properties": {}})
SHOWN = {
    "capabilities": ["completion"],
    "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960},
}
DONE = {
    "message": {"role": "assistant", "content": ""},
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 26,
    "eval_count": 10,
    "eval_duration": 2_000_000_000,
}


def said(content: str = "", **more: object) -> bytes:
    return row({"message": {"role": "assistant", "content": content, **more}, "done": False})


def served(*steps: object, shown: object = SHOWN) -> Answerer:
    def by(request: Request) -> Reply:
        return page(200, shown) if request.path == "/api/show" else [head(200, NDJSON), *steps]

    return by


def ask_ollama(*steps: object, **more: Any) -> tuple[Asked, ScriptedServer]:
    with ScriptedServer(by=served(*steps)) as server:
        asked = ask(profile_of(server, Dialect.OLLAMA, n_context=4096), **more)
    return asked, server


def test_text_comes_line_by_line_and_ends_with_reason_and_usage():
    asked, _ = ask_ollama(said("The in"), said("put"), row(DONE))
    assert [one.text for one in asked.deltas] == ["The in", "put", ""]
    assert asked.last.finish_reason is FinishReason.STOP
    assert asked.last.usage == Usage(26, 10, 2.0)


def test_request_sets_the_context_and_forbids_to_drop_what_does_not_fit():
    schema = {"type": "object"}
    _, server = ask_ollama(said("5 V"), row(DONE), tools=(TOOL,), schema=schema)
    assert [request.path for request in server.requests] == ["/api/show", "/api/chat"]
    function = {"name": "find", "description": "Finds.", "parameters": TOOL.parameters}
    assert server.requests[1].json == {
        "model": "small model 1.0",
        "messages": [{"role": "user", "content": QUESTION[0].text}],
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": {"num_ctx": 4096, "num_predict": 200, "temperature": 0.0},
        "tools": [{"type": "function", "function": function}],
        "format": schema,
    }


def test_thinking_is_no_text():
    asked, _ = ask_ollama(said(thinking="Hm. "), said(thinking="So."), said("5 V"), row(DONE))
    assert (asked.text, asked.thinking) == ("5 V", "Hm. So.")


def test_tool_calls_come_with_the_last_delta():
    call = {"function": {"name": "find", "arguments": {"name": "5 V"}}}
    asked, _ = ask_ollama(said(tool_calls=[call]), row(DONE), tools=(TOOL,))
    assert asked.last.tool_calls == (ToolCall("call_0", "find", {"name": "5 V"}),)
    assert asked.last.finish_reason is FinishReason.TOOL_CALLS


def test_result_of_a_tool_goes_back_under_the_tools_name():
    call = ToolCall("call_0", "find", {"name": "5 V"})
    turns = (
        *QUESTION,
        Message(MessageRole.ASSISTANT, "", (call,)),
        Message(MessageRole.TOOL, "p. 3", (), "call_0"),
    )
    _, server = ask_ollama(said("Yes."), row(DONE), messages=turns)
    assert server.requests[1].json["messages"][1:] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "find", "arguments": {"name": "5 V"}}}],
        },
        {"role": "tool", "content": "p. 3", "tool_name": "find"},
    ]


def test_answer_cut_for_its_length_says_so():
    asked, _ = ask_ollama(said("5"), row({**DONE, "done_reason": "length"}))
    assert asked.last.finish_reason is FinishReason.LENGTH


def test_missing_counts_and_reason_are_no_error():
    asked, _ = ask_ollama(row({"message": {"content": "5 V"}, "done": True}))
    assert asked.text == "5 V"
    assert asked.last.usage is None


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([said("5"), row({"error": "an error was encountered: CUDA error"})], "SERVER_FAILED"),
        ([said("5")], "BROKEN"),
        ([said("5"), row({**DONE, "done_reason": ""})], "BROKEN"),
        ([said("5"), b'{"message": {"content": "5 V'], "BROKEN"),
        ([row(DONE)], "EMPTY_ANSWER"),
        ([said(thinking="Hm."), row({**DONE, "done_reason": "length"})], "ENDLESS_THINKING"),
        ([said(tool_calls=[{"function": {"name": "find", "arguments": 5}}])], "BAD_TOOL_CALL"),
    ],
)
def test_fault_within_an_answer_is_told(steps, kind):
    asked, _ = ask_ollama(*steps)
    assert asked.failed.kind is ModelErrorKind[kind]


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (404, "model 'small model 1.0' not found", "NO_MODEL"),
        (400, "small model 1.0 does not support tools", "NO_TOOLS"),
        (
            400,
            "the prompt is longer than the context length currently available to the model; "
            "shorten the prompt, adjust the context length in settings, or use a model with a "
            "longer context length",
            "CONTEXT_OVERFLOW",
        ),
        (500, "llama runner process has terminated: exit status 2", "SERVER_FAILED"),
        (401, "unauthorized", "KEY_REFUSED"),
    ],
)
def test_refusal_is_told(status, error, kind):
    with ScriptedServer(page(200, SHOWN), page(status, {"error": error})) as server:
        asked = ask(profile_of(server, Dialect.OLLAMA))
    assert asked.failed.kind is ModelErrorKind[kind]


def test_model_of_another_machine_is_sent_nothing_unless_the_profile_says_so():
    shown = {**SHOWN, "remote_host": "https://ollama.com:443", "remote_model": "gpt-oss:120b"}
    with ScriptedServer(by=served(said("5 V"), row(DONE), shown=shown)) as server:
        profile = profile_of(server, Dialect.OLLAMA)
        refused = ask(profile)
        assert refused.failed.kind is ModelErrorKind.LEAVES_MACHINE
        assert [request.path for request in server.requests] == ["/api/show"]
        agreed = ask(profile_of(server, Dialect.OLLAMA, remote_host="https://ollama.com:443"))
    assert agreed.text == "5 V"


def test_models_are_listed_with_what_is_in_memory_and_what_is_elsewhere():
    tags = {
        "models": [
            {"name": "qwen3:4b", "size": 1},
            {"name": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com"},
        ]
    }
    running = {"models": [{"name": "qwen3:4b", "context_length": 8192}]}

    def by(request: Request) -> Reply:
        return page(200, tags if request.path == "/api/tags" else running)

    with ScriptedServer(by=by) as server:
        profile = Profile("Test", Dialect.OLLAMA, server.root, "")
        listed = run(models(profile, ""))
    assert listed == (
        ListedModel("qwen3:4b", 8192, "", is_loaded=True),
        ListedModel("gpt-oss:120b-cloud", None, "https://ollama.com", is_loaded=False),
    )
    assert [request.path for request in server.requests] == ["/api/tags", "/api/ps"]
    assert {request.method for request in server.requests} == {"GET"}
