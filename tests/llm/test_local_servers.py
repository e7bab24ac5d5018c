from __future__ import annotations

import pytest

from desktop_qa.llm import local_servers
from desktop_qa.llm.local_servers import FoundServer, find_servers
from desktop_qa.llm.profile import Dialect
from tests.llm.asking import run
from tests.llm.scripted_server import HOLD, Reply, Request, ScriptedServer, page

UNKNOWN = page(404, {"error": "not found"})


def serving(replies: dict[str, Reply], other: Reply = UNKNOWN) -> ScriptedServer:
    def by(request: Request) -> Reply:
        assert request.method == "GET"
        return replies.get(request.path, other)

    return ScriptedServer(by=by)


def found_at(server: ScriptedServer) -> tuple[FoundServer, ...]:
    return run(find_servers({"Whose port it is": server.port}))


def listed(*owners: str) -> dict[str, object]:
    return {"data": [{"id": f"model {owner}", "owned_by": owner} for owner in owners]}


def test_ollama_is_known_by_its_version_and_asked_in_its_own_dialect():
    replies = {
        "/api/version": page(200, {"version": "0.33.2"}),
        "/api/tags": page(200, {"models": [{"name": "qwen3:4b"}]}),
        "/v1/models": page(200, listed("library")),
    }
    with serving(replies) as server:
        assert found_at(server) == (
            FoundServer("Ollama", Dialect.OLLAMA, server.root, ("qwen3:4b",)),
        )


@pytest.mark.parametrize(
    ("name", "models", "headers"),
    [
        ("llama.cpp", listed("llamacpp"), ()),
        ("llama.cpp", listed("someone"), ("Server: llama.cpp",)),
        ("llamafile", listed("llamacpp"), ("Server: llamafile/0.9.3",)),
        ("vLLM", listed("vllm"), ("Server: uvicorn",)),
        ("GPT4All", listed("humanity"), ()),
        ("LocalAI", listed("localai"), ()),
    ],
)
def test_others_are_known_by_header_or_owner(name, models, headers):
    # llama.cpp answers at Ollama's path, too.
    tags = page(200, {**models, "models": [{"name": "x"}]})
    with serving({"/v1/models": page(200, models, *headers), "/api/tags": tags}) as server:
        (found,) = found_at(server)
    assert (found.name, found.dialect) == (name, Dialect.CHAT_COMPLETIONS)
    assert found.address == f"{server.root}/v1"
    assert found.models == (models["data"][0]["id"],)  # type: ignore[index]
    assert found.is_sure


def test_lm_studio_is_known_by_its_greeting_though_it_answers_everything():
    replies = {
        "/v1/models": page(200, listed("organization_owner")),
        "/lmstudio-greeting": page(200, {"lmstudio": True}),
    }
    with serving(replies, page(200, {"error": "Unexpected endpoint or method."})) as server:
        (found,) = found_at(server)
    assert found.name == "LM Studio"


def test_server_that_does_not_tell_is_named_after_its_port():
    with serving({"/v1/models": page(200, {"data": []})}) as server:
        (found,) = found_at(server)
    assert (found.name, found.is_sure, found.models) == ("Whose port it is", False, ())


def test_server_that_asks_for_a_key_is_found():
    with serving({"/v1/models": page(401, {"error": "no key"})}) as server:
        (found,) = found_at(server)
    assert found.asks_for_key


@pytest.mark.parametrize(
    "reply",
    [
        page(200, "<html>Jenkins</html>", kind="text/html"),
        page(200, {"jobs": []}),
        page(200, [1]),
        page(302, "", "Location: http://example.com/"),
        [b"SSH-2.0-OpenSSH\r\n"],
        [HOLD],
    ],
)
def test_something_else_at_the_port_is_none(reply):
    with serving({}, reply) as server:
        assert found_at(server) == ()


def test_empty_port_is_none_and_others_are_asked_at_the_same_time():
    with serving({"/v1/models": page(200, listed("vllm"))}) as server:
        known = {"Nobody": 1, "Here": server.port}
        (found,) = run(find_servers(known))
    assert found.name == "vLLM"


def test_ports_are_the_known_ones_and_each_is_asked_once(monkeypatch):
    asked: list[str] = []

    async def answer(_client: object, url: str) -> object:
        asked.append(url)
        return local_servers._Answer()

    monkeypatch.setattr(local_servers, "_answer", answer)
    assert run(find_servers()) == ()
    assert {url.rsplit("/v1", 1)[0] for url in asked if url.endswith("/v1/models")} == {
        f"http://127.0.0.1:{port}" for port in (11434, 1234, 8080, 8000, 1337, 5000, 4891)
    }
    assert len(asked) == len(set(asked))
