"""A document read by a model in the library's process, at a server that the test writes."""

import pytest

from desktop_qa.core.errors import Cancelled
from desktop_qa.core.readings import ReadBy, ReadingProgress
from desktop_qa.service.messages import Progress
from tests.library.test_reading_by_model import GOOD
from tests.llm.asking import profile_of
from tests.llm.scripted_server import HOLD, ScriptedServer, delta, head, page

pytestmark = pytest.mark.process


def only(reader):
    return reader.ask("statuses")[0].document_id


def test_it_is_estimated_read_and_taken_back(reader):
    document_id = only(reader)
    with ScriptedServer(GOOD) as server:
        profile = profile_of(server)
        ids, estimate = reader.ask("estimate_reading", (document_id,), profile)
        assert ids == (document_id,)
        assert estimate.n_rounds == 1
        assert not server.requests
        status, note = reader.ask("read_by_model", document_id, profile)
    assert status.document_id == document_id
    assert note.n_headings == 3
    assert [type(step) for step in reader.steps] == [ReadingProgress, ReadingProgress]
    view = reader.ask("structure", document_id)
    assert view.read_by is ReadBy.MODEL
    assert len(view.chapters) == 3
    offline = reader.ask("structure", document_id, ReadBy.PROGRAM)
    assert len(offline.chapters) == 4
    reader.ask("use_reading", document_id, ReadBy.PROGRAM)
    view = reader.ask("structure", document_id)
    assert view.read_by is ReadBy.PROGRAM
    assert view.model_reading is not None


def test_a_stopped_one_closes_its_connection_and_keeps_nothing(reader):
    document_id = only(reader)
    with ScriptedServer([head(), delta(content="# 1 Features\n"), HOLD]) as server:
        request = reader.request("read_by_model", document_id, profile_of(server))
        while not isinstance(reader.receive(), Progress):
            pass
        reader.cancel(request)
        assert isinstance(reader.end_of(request).error, Cancelled)
        assert not server.requests or server.was_left.wait(2.0)
    view = reader.ask("structure", document_id)
    assert view.model_reading is None


def test_what_fails_is_one_line(reader):
    document_id = only(reader)
    with ScriptedServer(by=lambda _request: page(404, {"error": "no model"})) as server:
        error = reader.failure_of("read_by_model", document_id, profile_of(server))
    assert error.message.endswith(".")
    view = reader.ask("structure", document_id)
    assert len(view.chapters) == 4
