"""A document read by a model in the library's process, at a server that the test writes."""

from __future__ import annotations

import pytest

from desktop_qa.core.errors import Cancelled
from desktop_qa.core.readings import ReadBy, ReadingProgress
from desktop_qa.service.messages import Failure, Progress
from tests.library.test_reading_by_model import GOOD
from tests.llm.asking import profile_of
from tests.llm.scripted_server import HOLD, ScriptedServer, delta, head, page
from tests.service.test_models import client, outcome  # noqa: F401 - a fixture

pytestmark = pytest.mark.process


def only(client):  # noqa: F811
    statuses, _ = outcome(client, client.request("statuses"))
    return statuses[0].document_id


def failure(client, request_id):  # noqa: F811
    while True:
        message = client.receive()
        if message.request_id == request_id and not isinstance(message, Progress):
            assert isinstance(message, Failure), message
            return message.error


def test_it_is_estimated_read_and_taken_back(client):  # noqa: F811
    document_id = only(client)
    with ScriptedServer(GOOD) as server:
        profile = profile_of(server)
        estimated = client.request("estimate_reading", (document_id,), profile)
        (ids, estimate), _ = outcome(client, estimated)
        assert ids == (document_id,)
        assert estimate.n_rounds == 1
        assert not server.requests
        (status, note), steps = outcome(
            client, client.request("read_by_model", document_id, profile)
        )
    assert status.document_id == document_id
    assert note.n_headings == 3
    assert [type(step) for step in steps] == [ReadingProgress, ReadingProgress]
    view, _ = outcome(client, client.request("structure", document_id))
    assert view.read_by is ReadBy.MODEL
    assert len(view.chapters) == 3
    offline, _ = outcome(client, client.request("structure", document_id, ReadBy.PROGRAM))
    assert len(offline.chapters) == 4
    outcome(client, client.request("use_reading", document_id, ReadBy.PROGRAM))
    view, _ = outcome(client, client.request("structure", document_id))
    assert view.read_by is ReadBy.PROGRAM
    assert view.model_reading is not None


def test_a_stopped_one_closes_its_connection_and_keeps_nothing(client):  # noqa: F811
    document_id = only(client)
    with ScriptedServer([head(), delta(content="# 1 Features\n"), HOLD]) as server:
        request = client.request("read_by_model", document_id, profile_of(server))
        while not isinstance(client.receive(), Progress):
            pass
        client.cancel(request)
        assert isinstance(failure(client, request), Cancelled)
        assert not server.requests or server.was_left.wait(2.0)
    view, _ = outcome(client, client.request("structure", document_id))
    assert view.model_reading is None


def test_what_fails_is_one_line(client):  # noqa: F811
    document_id = only(client)
    with ScriptedServer(by=lambda _request: page(404, {"error": "no model"})) as server:
        error = failure(client, client.request("read_by_model", document_id, profile_of(server)))
    assert error.message.endswith(".")
    view, _ = outcome(client, client.request("structure", document_id))
    assert len(view.chapters) == 4
