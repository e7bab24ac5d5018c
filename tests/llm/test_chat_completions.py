from __future__ import annotations

import json

import pytest

from desktop_qa.llm.errors import ModelErrorKind
from desktop_qa.llm.messages import FinishReason, Message, MessageRole, ToolCall, ToolSpec, Usage
from tests.llm.asking import KEY, QUESTION, ask, ask_scripted, profile_of
from tests.llm.scripted_server import DONE, ScriptedServer, delta, event, head, page, says

TOOL = ToolSpec("find", "Finds.", {"type": "object", "properties": {}})


def test_text_comes_piece_by_piece_and_ends_with_reason_and_usage():
    usage = event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})
    said = [delta(role="assistant", content=""), delta(content="The in"), delta(content="put")]
    asked = ask_scripted([head(), *said, delta("stop"), usage, DONE])
    assert [one.text for one in asked.deltas] == ["The in", "put", ""]
    assert asked.last.finish_reason is FinishReason.STOP
    assert asked.last.usage == Usage(7, 3)


def test_request_has_what_the_profile_says_and_nothing_of_this_machine(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Own: 1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    asked = ask_scripted(says("Yes."))
    assert asked.text == "Yes."
    request = asked.server.requests[0]
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.json == {
        "model": "small model 1.0",
        "messages": [{"role": "user", "content": QUESTION[0].text}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
        "max_tokens": 200,
    }
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert set(request.headers) == {
        *("host", "connection", "accept", "accept-encoding", "content-type", "content-length"),
        *("user-agent", "authorization"),
    }
    assert request.headers["user-agent"].startswith("desktop-qa/")


def test_environment_counts_where_the_profile_trusts_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    with ScriptedServer(says("Yes.")) as server:
        ask(profile_of(server, trusts_environment=True), key="")
    headers = server.requests[0].headers
    assert headers["openai-organization"] == "org"
    assert "authorization" not in headers
    assert not [name for name in headers if name.startswith("x-stainless")]


def test_proxy_of_the_environment_is_used_only_where_it_is_trusted(monkeypatch):
    with ScriptedServer(says("By proxy.")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.root)
        monkeypatch.setenv("NO_PROXY", "")
        with ScriptedServer(says("Straight.")) as server:
            straight = ask(profile_of(server))
            around = ask(profile_of(server, trusts_environment=True))
    assert (straight.text, around.text) == ("Straight.", "By proxy.")


def test_empty_key_sends_no_key():
    asked = ask_scripted(says("Yes."), key="  ")
    assert asked.text == "Yes."
    assert "authorization" not in asked.server.requests[0].headers


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}


@pytest.mark.parametrize(
    "reply",
    [
        [head(), delta(reasoning_content="H"), delta(reasoning_content="m."), *says("5 V")[1:]],
        [head(), delta(reasoning="H"), delta(reasoning="m."), *says("5 V")[1:]],
        says("<th", "ink>Hm.</th", "ink>\n\n5", " V"),
        # As Mistral types what it says.
        [head(), delta("stop", content=[THOUGHT, {"type": "text", "text": "5 V"}]), DONE],
    ],
)
def test_thinking_is_no_text(reply):
    asked = ask_scripted(reply)
    assert (asked.text, asked.thinking) == ("5 V", "Hm.")


def test_tools_are_offered_and_their_calls_put_together():
    def called(index: int, **function: str) -> dict[str, object]:
        return {"index": index, "function": function}

    pieces = [
        delta(tool_calls=[{"id": "a", **called(0, name="find", arguments="")}]),
        delta(tool_calls=[called(0, arguments='{"na')]),
        delta(tool_calls=[called(0, arguments='me": "5 V"}')]),
        delta(tool_calls=[called(1, name="find", arguments="")]),
        delta("tool_calls"),
    ]
    asked = ask_scripted([head(), *pieces, DONE], tools=(TOOL,))
    assert asked.last.tool_calls == (
        ToolCall("a", "find", {"name": "5 V"}),
        ToolCall("call_1", "find", {}),
    )
    assert asked.last.finish_reason is FinishReason.TOOL_CALLS
    function = {"name": "find", "description": "Finds.", "parameters": TOOL.parameters}
    assert asked.server.requests[0].json["tools"] == [{"type": "function", "function": function}]


def test_tool_calls_without_index_are_one_each():
    calls = [{"function": {"name": name, "arguments": {"n": 1}}} for name in ("find", "read")]
    asked = ask_scripted([head(), delta("stop", tool_calls=calls), DONE], tools=(TOOL,))
    assert [(call.name, call.arguments) for call in asked.last.tool_calls] == [
        ("find", {"n": 1}),
        ("read", {"n": 1}),
    ]


@pytest.mark.parametrize("arguments", ['{"name": ', "[1]", "5 V"])
def test_tool_arguments_that_are_no_object_are_an_error(arguments):
    call = {"index": 0, "id": "a", "function": {"name": "find", "arguments": arguments}}
    asked = ask_scripted([head(), delta("length", tool_calls=[call]), DONE], tools=(TOOL,))
    assert asked.failed.kind is ModelErrorKind.BAD_TOOL_CALL


def test_result_of_a_tool_goes_back_with_its_call():
    call = ToolCall("a", "find", {"name": "5 V"})
    turns = (
        *QUESTION,
        Message(MessageRole.ASSISTANT, "", (call,)),
        Message(MessageRole.TOOL, "p. 3", (), "a"),
    )
    asked = ask_scripted(says("Yes."), messages=turns)
    function = {"name": "find", "arguments": json.dumps({"name": "5 V"})}
    assert asked.server.requests[0].json["messages"][1:] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "a", "type": "function", "function": function}],
        },
        {"role": "tool", "content": "p. 3", "tool_call_id": "a"},
    ]


def test_schema_is_sent_as_a_strict_one():
    schema = {"type": "object", "properties": {"v": {"type": "number"}}}
    asked = ask_scripted(says('{"v": 5}'), schema=schema)
    assert asked.server.requests[0].json["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": schema},
    }


def test_answer_that_is_not_streamed_is_taken_as_a_whole():
    message = {"role": "assistant", "content": "5 V", "reasoning_content": "Hm."}
    choice = {"index": 0, "message": message, "finish_reason": "length"}
    content = json.dumps({"choices": [choice]}, indent=2)
    asked = ask_scripted(page(200, content))
    assert (asked.text, asked.thinking) == ("5 V", "Hm.")
    assert asked.last.finish_reason is FinishReason.LENGTH


def test_done_without_a_reason_is_an_end():
    asked = ask_scripted([head(), delta(content="5 V"), DONE])
    assert asked.last.finish_reason is FinishReason.STOP


def test_reason_without_done_is_an_end_also_on_a_line_that_stays_open():
    asked = ask_scripted([head(), delta("stop", content="5 V"), 60.0])
    assert asked.text == "5 V"
    assert asked.last.finish_reason is FinishReason.STOP


def test_refusal_of_the_model_is_its_text():
    asked = ask_scripted([head(), delta("stop", refusal="I cannot help."), DONE])
    assert asked.text == "I cannot help."


def test_thinking_whose_start_the_server_swallowed_voids_the_text_before_its_end():
    asked = ask_scripted(says("Hm. ", "So.</th", "ink>\n5", " V"))
    assert asked.text == "5 V"
    assert [one.voids_text for one in asked.deltas] == [False, False, True, False, False]
