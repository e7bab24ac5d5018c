"""Language models in the terminal: profiles, keys, what was agreed, and whether they work."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.model_files import read_model_file
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore
from desktop_qa.paths import APP_NAME, DATABASE_NAME
from tests.helpers import command_line
from tests.llm.asking import KEY
from tests.llm.gguf import gguf_head
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
)
from tests.llm.test_keys import Backend, PlainBackend

CLOUD = Profile("Cloud", Dialect.CHAT_COMPLETIONS, "https://api.example.com/v1", "big")


@pytest.fixture(autouse=True)
def keyring_here(monkeypatch) -> Backend:
    backend = Backend()
    monkeypatch.setattr("keyring.get_keyring", lambda: backend)
    return backend


@pytest.fixture
def library(tmp_path) -> Path:
    (tmp_path / DATABASE_NAME).touch()
    return tmp_path


def models(*words: str | Path) -> CompletedProcess[str]:
    return command_line.run_here("models", *words)


def llama_cpp(request: Request) -> Reply:
    if request.path == "/v1/models":
        return page(200, {"data": [{"id": "small", "meta": {"n_ctx": 4096}}]})
    if request.path == "/v1/chat/completions":
        usage = event({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 41}})
        return [head(), delta(content="one "), 0.1, delta("stop", content="two"), usage, DONE]
    return page(404, {"error": {"message": "File Not Found"}})


def wants_key(request: Request) -> Reply:
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return page(401, {"error": "no key"})
    return llama_cpp(request)


def test_a_local_model_is_added_listed_tried_and_removed():
    with ScriptedServer(by=llama_cpp) as server:
        done = models(*("add", "lab", "--address", server.root, "--model", "small"))
        assert done.returncode == 0, done.stderr
        assert "stays on this machine" in done.stdout
        (listed,) = json.loads(models("list", "--json").stdout)
        assert listed == {
            "name": "lab",
            "model": "small",
            "address": f"{server.root}/v1",
            "dialect": "chat",
            "context": 4096,
            "host": "127.0.0.1",
            "leaves_machine": False,
        }
        tried = models("test", "lab")
    (profile,) = ProfileStore().profiles()
    assert (profile.calls_tools, profile.keeps_schema) == (False, False)
    assert tried.returncode == 0
    assert "lab: can be asked" in tried.stdout
    assert "It does not call the tool" in tried.stdout
    assert models().stdout.startswith("lab: small, text stays on this machine")
    assert models("remove", "lab").returncode == 0
    assert "No models yet" in models("list").stderr


def test_a_server_that_is_not_there_is_not_added_and_fails_the_test():
    words = ("add", "lab", "--address", "http://127.0.0.1:1", "--model", "small")
    done = models(*words)
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert ProfileStore().profiles() == ()
    assert models(*words, "--dialect", "chat").returncode == 0
    tried = models("test", "lab")
    assert tried.returncode == 1
    assert "cannot be asked" in tried.stdout
    assert json.loads(models("test", "lab", "--json").stdout)["usable"] is False


def test_a_model_that_the_server_does_not_list_is_told_with_those_it_has():
    with ScriptedServer(by=llama_cpp) as server:
        done = models("add", "lab", "--address", server.root, "--model", "smal")
    assert done.returncode == 0
    assert "It has: small" in done.stderr


def test_a_key_comes_from_the_environment_and_is_never_printed(monkeypatch, keyring_here):
    monkeypatch.setenv("LAB_KEY", KEY)
    with ScriptedServer(by=wants_key) as server:
        words = ("add", "lab", "--address", f"{server.root}/v1", "--model", "small")
        refused = models(*words)
        assert refused.returncode == 1
        assert "asks for a key" in refused.stderr
        done = models(*words, "--key-from-env", "LAB_KEY")
        assert done.returncode == 0, done.stderr
        assert "kept in the keyring" in done.stderr
        assert models("test", "lab").returncode == 0
        assert list(keyring_here.kept) == [(APP_NAME, server.root)]
    assert KEY not in done.stdout + done.stderr + models("list").stdout
    assert models("remove", "lab").returncode == 0
    assert keyring_here.kept == {}
    unset = models(*words, "--key-from-env", "NO_SUCH_KEY")
    assert unset.returncode == 1
    assert "NO_SUCH_KEY" in unset.stderr


def test_a_key_that_was_typed_is_kept_and_without_a_keyring_that_is_told(monkeypatch, keyring_here):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: KEY)
    words = ("add", "cloud", "--address", CLOUD.address, "--model", "big", "--dialect", "chat")
    done = models(*words)
    assert "kept in the keyring" in done.stderr
    assert "models agree cloud" in done.stderr
    assert KeyStore(keyring_here).key(CLOUD) == KEY
    monkeypatch.setattr("getpass.getpass", lambda prompt: "")
    assert "forgotten" in models("key", "cloud").stderr
    assert keyring_here.kept == {}
    monkeypatch.setattr("keyring.get_keyring", PlainBackend)
    monkeypatch.setattr("getpass.getpass", lambda prompt: KEY)
    assert "known to this run only" in models("key", "cloud").stderr


def test_a_key_is_not_asked_for_where_nobody_sits():
    ProfileStore().save(CLOUD)
    done = models("key", "Cloud")
    assert done.returncode == 1
    assert "--key-from-env" in done.stderr


def test_consent_names_host_model_and_what_leaves_and_can_be_taken_back(library):
    store = ProfileStore()
    store.save(CLOUD)
    store.save(Profile("Other", Dialect.OLLAMA, "https://llm.example.org", "large"))
    alone = models("agree", "Cloud", "--library", library)
    assert alone.returncode == 1
    assert store.consents() == ()
    for words in ("big at api.example.com", "the question", "sentences and rows of tables"):
        assert words in alone.stdout
    assert models("agree", "Cloud", "--library", library, "--yes").returncode == 0
    assert models("agree", "Other", "--library", library, "--yes").returncode == 0
    rows = json.loads(models("list", "--library", library, "--json").stdout)
    assert [row["may_be_asked"] for row in rows] == [True, True]
    assert "agreed on" in models("list", "--library", library).stderr
    assert models("withdraw", "Cloud", "--library", library).returncode == 0
    assert [consent.model for consent in store.consents()] == ["large"]
    assert models("withdraw", "--library", library).returncode == 0
    assert store.consents() == ()
    assert "not agreed to" in models("list", "--library", library).stderr


@pytest.mark.parametrize(("typed", "n_consents"), [("y", 1), ("", 0)])
def test_consent_is_given_by_saying_yes(typed, n_consents, library, monkeypatch):
    ProfileStore().save(CLOUD)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: typed)
    done = models("agree", "Cloud", "--library", library)
    assert done.returncode == 1 - n_consents
    assert len(ProfileStore().consents()) == n_consents


def test_a_model_on_this_machine_needs_no_consent(library):
    ProfileStore().save(Profile("lab", Dialect.OLLAMA, "http://127.0.0.1:11434", "small"))
    done = models("agree", "lab", "--library", library)
    assert done.returncode == 0
    assert "no text leaves it" in done.stderr
    assert ProfileStore().consents() == ()


@pytest.mark.parametrize(
    "words",
    [
        *[("models", "agree", "Cloud", "--yes"), ("ask", "Why?"), ("history",), ("folders",)],
        *[("remove", "a.pdf"), ("restore", "--all"), ("folders", "remove", "docs")],
    ],
)
def test_library_that_is_not_there_is_told_and_not_made(words, tmp_path):
    ProfileStore().save(CLOUD)
    done = command_line.run_here(*words, "--library", tmp_path / "mistyped")
    assert done.returncode == 1
    assert "no library" in done.stderr
    assert not (tmp_path / "mistyped").exists()


def test_a_local_server_that_sends_text_on_is_remembered_as_leaving():
    shown = {"remote_host": "https://ollama.com:443", "model_info": {}}

    def answer(request: Request) -> Reply:
        if request.path == "/api/show":
            return page(200, shown)
        if request.path == "/api/chat":
            said, last = {"message": {"content": "1"}}, {"done": True, "done_reason": "stop"}
            return [head(200, "application/x-ndjson"), row(said), row(last)]
        return page(200, {"models": [{"name": "small"}]})

    with ScriptedServer(by=answer) as server:
        models("add", "lab", "--address", server.root, "--model", "small")
        assert "text goes to ollama.com" in models("test", "lab").stdout
    (profile,) = ProfileStore().profiles()
    assert profile.dialect is Dialect.OLLAMA
    assert profile.is_remote


def test_servers_are_looked_for_on_this_machine_only(monkeypatch):
    async def found(**_: object) -> tuple[object, ...]:
        from desktop_qa.llm.local_servers import FoundServer

        address = "http://127.0.0.1:8080/v1"
        return (FoundServer("llama.cpp", Dialect.CHAT_COMPLETIONS, address, ("small",)),)

    monkeypatch.setattr("desktop_qa.llm.local_servers.find_servers", found)
    monkeypatch.setattr("desktop_qa.llm.model_files.found_files", lambda: ())
    done = models("find")
    assert done.stdout == "http://127.0.0.1:8080/v1 (llama.cpp): small\n"
    assert "models add NAME --address http://127.0.0.1:8080/v1 --model small" in done.stderr
    (row,) = json.loads(models("find", "--json").stdout)
    assert (row["program"], row["models"]) == ("llama.cpp", ["small"])


def test_a_model_file_is_found_and_becomes_a_profile(monkeypatch, tmp_path):
    async def none(**_: object) -> tuple[object, ...]:
        return ()

    path = tmp_path / "a small one.gguf"
    path.write_bytes(gguf_head())
    monkeypatch.setattr("desktop_qa.llm.local_servers.find_servers", none)
    file = read_model_file(path, "LM Studio")
    monkeypatch.setattr("desktop_qa.llm.model_files.found_files", lambda: (file,))
    done = models("find")
    assert f"{path} (LM Studio): a small one" in done.stdout
    assert f"models add NAME --file '{path}'" in done.stderr
    done = models("add", "mine", "--file", str(path))
    assert done.stdout == "mine: a small one, text stays on this machine\n"
    assert "it fits" in done.stderr
    (profile,) = ProfileStore().profiles()
    assert (profile.dialect, profile.address) == (Dialect.FILE, str(path))
    assert profile.n_context == 4096
    missing = models("add", "other", "--file", str(tmp_path / "none.gguf"))
    assert missing.returncode == 1
    assert "cannot be read" in missing.stderr


@pytest.mark.parametrize("words", [("test", "x"), ("agree", "x", "--library", "y"), ("key", "x")])
def test_a_name_that_no_model_has_is_told_with_those_there_are(words):
    assert "models add" in models(*words).stderr
    ProfileStore().save(CLOUD)
    done = models(*words)
    assert done.returncode == 1
    assert "There are: Cloud." in done.stderr
