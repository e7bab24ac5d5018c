"""Folders followed by the library's real process, with the pauses that users have."""

from __future__ import annotations

import shutil

import pytest

from desktop_qa.core.folders import FolderChoices, WatchMode
from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import Failure, News, Progress, Result
from tests.library.test_library import write_datasheet


@pytest.fixture
def client():
    made = ServiceClient()
    made.start()
    yield made
    made.close()


class Line:
    """Asks, and keeps the news that come in between."""

    def __init__(self, client):
        self._client = client
        self.news = []

    def ask(self, *request):
        wanted = self._client.request(*request)
        while True:
            message = self._client.receive()
            if isinstance(message, News):
                self.news.append((message.topic, message.value))
            elif message.request_id == wanted and not isinstance(message, Progress):
                assert isinstance(message, Result | Failure)
                assert isinstance(message, Result), message.error
                return message.value

    def wait_for_news(self, topic):
        """Return the first news of a kind; a copy that takes its time may be told of twice."""
        while True:
            while not self.news:
                message = self._client.receive()
                if isinstance(message, News):
                    self.news.append((message.topic, message.value))
            told, value = self.news.pop(0)
            if told == topic:
                return value
            assert told == "folder changed"


def test_what_happens_to_a_folder_is_told_taken_up_and_not_told_when_switched_off(
    client, source_folder, tmp_path
):
    line = Line(client)
    write_datasheet(source_folder / "acm4197.pdf")
    line.ask("open_library", str(tmp_path / "library"), str(source_folder))
    line.ask("sync")
    (row,) = line.ask("folders")
    assert (row.mode, row.n_files) == (WatchMode.NATIVE, 1)

    shutil.copy(write_datasheet(tmp_path / "more.pdf", "ACM4198"), source_folder / "acm4198.pdf")
    assert line.wait_for_news("folder changed") == str(source_folder)
    assert line.ask("sync").documents == 2

    view = line.ask("set_folder_choices", str(source_folder), FolderChoices(False, ("*98*",)))
    assert view.sources[0].choices == FolderChoices(False, ("*98*",))
    assert line.ask("sync").documents == 1
    assert line.ask("folders")[0].mode is WatchMode.OFF
    assert line.ask("count_exclusions", str(source_folder), ("*",)).n_excluded == 2

    line.ask("set_folder_choices", str(source_folder), FolderChoices())
    line.ask("sync")
    source_folder.rename(tmp_path / "aside")
    assert line.wait_for_news("folder away") == str(source_folder)
    assert line.ask("folders")[0].mode is WatchMode.AWAY
    assert len(line.ask("statuses")) == 2
    (tmp_path / "aside").rename(source_folder)
    assert line.wait_for_news("folder back") == str(source_folder)

    dropped = line.ask("sort_dropped", (str(source_folder / "acm4197.pdf"),), ("https://x.y/z",))
    assert (dropped.n_known, len(dropped.left_out)) == (1, 1)
    assert line.ask("remove_source", str(source_folder)).sources == ()
    assert line.ask("sync").documents == 0
