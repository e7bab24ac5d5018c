"""A model asked by the library's process, at a server that the test writes."""

from __future__ import annotations

import time

import pytest

from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.question import Question
from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import Crashed, Progress, Result
from tests.library.test_library import write_datasheet
from tests.llm.asking import profile_of
from tests.llm.scripted_server import CUT, DONE, HOLD, ScriptedServer, delta, head, page

pytestmark = pytest.mark.process

_BEGINNING = [head(), delta(content="The typical offset "), delta(content="voltage is 25 µV [1].")]


@pytest.fixture
def client(source_folder, tmp_path):
    made = ServiceClient()
    made.start()
    write_datasheet(source_folder / "acm4197.pdf")
    outcome(made, made.request("open_library", str(tmp_path / "library"), str(source_folder)))
    outcome(made, made.request("sync"))
    yield made
    made.close()


def outcome(client, request_id):
    steps = []
    while True:
        message = client.receive()
        assert not isinstance(message, Crashed), message
        if message is None or message.request_id != request_id:
            continue
        if not isinstance(message, Progress):
            assert isinstance(message, Result), message
            return message.value, steps
        steps.append(message.progress)


def offline(client):
    return outcome(client, client.request("ask", Question("Typical offset voltage?")))[0].answer


def test_the_answer_comes_in_steps_and_is_kept(client):
    answer = offline(client)
    with ScriptedServer([*_BEGINNING, 0.2, delta(finish="stop"), DONE]) as server:
        request = client.request("ask_model", answer, profile_of(server))
        said, steps = outcome(client, request)
    assert isinstance(said, ModelSaid)
    assert said.is_over
    assert not said.error
    assert steps
    assert not steps[0].is_over
    kept, _ = outcome(client, client.request("history_entry", answer.history_id))
    assert kept.view.said == said


def test_a_stopped_one_closes_its_connection_and_keeps_what_was_said(client):
    answer = offline(client)
    with ScriptedServer([*_BEGINNING, HOLD]) as server:
        request = client.request("ask_model", answer, profile_of(server))
        while not isinstance(message := client.receive(), Progress):
            assert message is not None
        client.cancel(request)
        began = time.monotonic()
        said, _ = outcome(client, request)
        assert time.monotonic() - began < 1.0
        assert server.was_left.wait(2.0)
    assert said.was_stopped
    assert said.blocks
    assert not said.error


@pytest.mark.parametrize(
    "reply",
    [[CUT], [*_BEGINNING, CUT], page(401, {"error": "no"}), page(404, {"error": "no model"})],
    ids=["before", "during", "401", "404"],
)
def test_what_fails_ends_in_one_line(client, reply):
    with ScriptedServer(by=lambda _request: reply) as server:
        request = client.request("ask_model", offline(client), profile_of(server))
        said, _ = outcome(client, request)
    assert said.is_over
    assert said.error
    assert "Traceback" not in said.error
