"""Which dialect a server is spoken to in is found by asking it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.llm.client import spoken
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.profile import Dialect, Profile
from tests.llm.asking import KEY, profile_of, run
from tests.llm.scripted_server import Reply, Request, ScriptedServer, page

LISTED = {"data": [{"id": "small"}], "models": [{"name": "small"}]}


def llama_cpp(request: Request) -> Reply:
    """It answers at Ollama's list of models, too, and has no list of running ones."""
    known = request.path in ("/v1/models", "/api/tags")
    return page(200, LISTED) if known else page(404, {"error": {"message": "File Not Found"}})


def ollama(request: Request) -> Reply:
    """It speaks chat completions as well."""
    return page(200, LISTED)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_a_server_of_chat_completions_is_found_with_and_without_its_path(path):
    with ScriptedServer(by=llama_cpp) as server:
        profile = replace(profile_of(server), address=server.root + path)
        found, models = run(spoken(profile, ""))
        assert (found.dialect, found.base_url) == (Dialect.CHAT_COMPLETIONS, f"{server.root}/v1")
    assert [model.name for model in models] == ["small"]


@pytest.mark.parametrize("path", ["", "/v1"])
def test_ollama_is_spoken_to_in_its_own_dialect(path):
    with ScriptedServer(by=ollama) as server:
        profile = replace(profile_of(server), address=server.root + path)
        found, _models = run(spoken(profile, ""))
        assert (found.dialect, found.base_url) == (Dialect.OLLAMA, server.root)


def test_a_server_that_wants_a_key_says_so_and_is_asked_no_more():
    with ScriptedServer(by=lambda _: page(401, {"error": "no key"})) as server:
        with pytest.raises(ModelError) as raised:
            run(spoken(profile_of(server), ""))
        assert raised.value.kind is ModelErrorKind.KEY_MISSING
        assert len(server.requests) == 1


def test_what_is_no_model_server_is_told():
    no_server = page(200, "<html></html>", kind="text/html")
    with ScriptedServer(by=lambda _: no_server) as server, pytest.raises(ModelError) as raised:
        run(spoken(profile_of(server), KEY))
    assert raised.value.kind is ModelErrorKind.NO_MODEL_SERVER


def test_no_server_is_told_as_such():
    profile = Profile("Test", Dialect.CHAT_COMPLETIONS, "http://127.0.0.1:1/v1", "m")
    with pytest.raises(ModelError) as raised:
        run(spoken(profile, ""))
    assert raised.value.kind is ModelErrorKind.UNREACHABLE
