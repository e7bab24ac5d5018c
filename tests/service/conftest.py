"""The library in its own process, started for real and spoken with over the pipe."""

from __future__ import annotations

import pytest

from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import Crashed, News, Progress, Result
from tests.helpers.pdf import write_datasheet


class Line(ServiceClient):
    """Waits for what it asks.

    Attributes:
        news: (topic, value) of what was told unasked.
        steps: The progress of what was asked last.
    """

    def __init__(self):
        super().__init__()
        self.news = []
        self.steps = []

    def end_of(self, request_id):
        """Return the `Result` or the `Failure` that a request ends with."""
        self.steps = []
        while True:
            message = self.receive()
            assert not isinstance(message, Crashed), message
            if isinstance(message, News):
                self.news.append((message.topic, message.value))
            elif message.request_id != request_id:
                continue
            elif isinstance(message, Progress):
                self.steps.append(message.progress)
            else:
                return message

    def ask(self, *request):
        ended = self.end_of(self.request(*request))
        assert isinstance(ended, Result), ended.error
        return ended.value

    def failure_of(self, *request):
        return self.end_of(self.request(*request)).error


@pytest.fixture
def client():
    made = Line()
    made.start()
    yield made
    made.close()


@pytest.fixture
def reader(client, source_folder, tmp_path):
    """A process with a library of one document that is read."""
    write_datasheet(source_folder / "acm4197.pdf")
    client.ask("open_library", str(tmp_path / "library"), str(source_folder))
    client.ask("sync")
    return client
