"""The library in its own process, started for real and spoken with over the pipe."""

from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import Crashed, News, Progress, Result


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
