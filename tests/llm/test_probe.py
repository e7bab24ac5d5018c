from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from desktop_qa.llm.probe import Finding, Verdict, probe
from desktop_qa.llm.profile import Dialect, Profile
from tests.llm.asking import KEY, profile_of, run
from tests.llm.scripted_server import (
    DONE,
    Reply,
    Request,
    ScriptedServer,
    delta,
    event,
    head,
    page,
    row,
    says,
)

LISTED = {"data": [{"id": "small model 1.0", "max_model_len": 4096}]}
COUNTED = [
    head(),
    delta(content="one "),
    0.1,
    delta("stop", content="two"),
    event({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 41}}),
    DONE,
]
FORMED = says('{"number": 17, "is_prime": true}')
CALL = {"index": 0, "function": {"name": "page_count", "arguments": '{"document": "manual-7"}'}}


def by(
    tools: Reply, schema: Reply, counted: Reply = COUNTED, listed: object = LISTED
) -> Callable[[Request], Reply]:
    def answer(request: Request) -> Reply:
        if request.path == "/v1/models":
            return page(200, listed)
        if "tools" in request.json:
            return tools
        return schema if "response_format" in request.json else counted

    return answer


def probed(answer: Callable[[Request], Reply]) -> Verdict:
    with ScriptedServer(by=answer) as server:
        return run(probe(profile_of(server), KEY))


def test_everything_that_works_is_told():
    called = [head(), delta("tool_calls", tool_calls=[CALL]), DONE]
    verdict = probed(by(called, FORMED))
    assert verdict.is_usable
    assert verdict.reached == Finding(True, "127.0.0.1 answers.")
    assert verdict.model == Finding(True, "small model 1.0 is there.")
    assert verdict.tools == Finding(True, "It calls tools.")
    assert verdict.schema == Finding(True, "It keeps to a JSON schema.")
    assert verdict.speed.is_good
    assert 0 < verdict.tokens_per_second < 400
    assert verdict.n_context == 4096
    assert verdict.context.is_good is False
    assert "8192" in verdict.context.sentence


def test_everything_that_does_not_work_is_told():
    text = says("Yes, it is.")
    verdict = probed(by(page(400, {"error": "no tools here"}), text, listed={"data": []}))
    assert verdict.is_usable
    assert verdict.model.sentence == "The server does not list small model 1.0, yet it answers."
    assert (verdict.tools.is_good, verdict.schema.is_good) == (False, False)
    assert verdict.context.is_good is None


def test_tool_that_is_talked_about_and_not_called_is_told():
    text = says("I would call page_count.")
    assert probed(by(text, text)).tools.is_good is False


def test_schema_that_the_server_refuses_is_told_though_the_answer_happens_to_fit():
    refused = page(400, {"error": "response_format is not supported"})
    verdict = probed(by(FORMED, refused, counted=FORMED))
    assert verdict.schema == Finding(False, "The server does not know JSON schemas.")


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/v1", "nonsense"])
def test_server_that_is_not_there_is_a_finding(address):
    verdict = run(probe(Profile("Test", Dialect.CHAT_COMPLETIONS, address, "m"), ""))
    assert verdict.reached.is_good is False
    assert not verdict.is_usable
    assert verdict.speed.is_good is None


def test_model_that_ollama_does_not_have_is_a_finding():
    def answer(request: Request) -> Reply:
        if request.path == "/api/show":
            return page(404, {"error": "model 'small model 1.0' not found"})
        return page(200, {"models": []})

    with ScriptedServer(by=answer) as server:
        verdict = run(probe(profile_of(server, Dialect.OLLAMA), ""))
    assert verdict.reached.is_good
    assert verdict.model.is_good is False
    assert not verdict.is_usable


def test_model_of_ollamas_cloud_is_found_to_be_elsewhere():
    shown = {
        "remote_host": "https://ollama.com:443",
        "model_info": {"general.architecture": "gptoss", "gptoss.context_length": 131072},
    }
    last = {"done": True, "done_reason": "stop", "eval_count": 20, "eval_duration": 10**9}

    def answer(request: Request) -> Reply:
        if request.path == "/api/show":
            return page(200, shown)
        if request.path == "/api/chat":
            return [
                head(200, "application/x-ndjson"),
                row({"message": {"content": "1"}}),
                row(last),
            ]
        names = [{"name": "small model 1.0:latest"}] if request.path == "/api/tags" else []
        return page(200, {"models": names})

    with ScriptedServer(by=answer) as server:
        profile = profile_of(server, Dialect.OLLAMA)
        verdict = run(probe(profile, ""))
    assert verdict.remote_host == "https://ollama.com:443"
    assert replace(profile, remote_host=verdict.remote_host).host == "ollama.com"
    assert verdict.tokens_per_second == 20.0
    assert verdict.n_context == 131072
    assert verdict.context.is_good
    assert verdict.model.sentence == "small model 1.0 is there; it was loaded for this test."
