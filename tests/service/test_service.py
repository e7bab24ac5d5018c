"""The library in its own process, spoken with over the pipe as the window does."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from desktop_qa.core.errors import (
    AlreadyThereError,
    Cancelled,
    HistoryError,
    LibraryError,
    NotReadError,
    QuestionError,
)
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView, LibraryView
from desktop_qa.index.library_lock import LibraryLock, is_free
from desktop_qa.index.store import Store
from desktop_qa.service.client import ServiceClient
from desktop_qa.service.library_service import _await_free, _Service
from desktop_qa.service.messages import Crashed, Failure, Progress, Request, Result
from tests.helpers.pdf import write_datasheet

pytestmark = pytest.mark.process

_OFFSET = Question("Typical offset voltage of the ACM4197?")


@pytest.fixture
def client():
    made = ServiceClient()
    made.start()
    yield made
    made.close()


def outcome(client, request_id):
    """Read until the request ends; return its end and the progress before it."""
    progress = []
    while True:
        message = client.receive()
        assert not isinstance(message, Crashed), message
        if message is None or message.request_id != request_id:
            continue
        if isinstance(message, Progress):
            progress.append(message.progress)
            continue
        return message, progress


def test_a_folder_is_opened_read_and_asked_about(client, source_folder, tmp_path):
    write_datasheet(source_folder / "acm4197.pdf")
    library = str(tmp_path / "library")
    opened, _ = outcome(client, client.request("open_library", library, str(source_folder)))
    assert isinstance(opened, Result)
    assert isinstance(opened.value, LibraryView)
    report, progress = outcome(client, client.request("sync"))
    assert isinstance(report, Result)
    assert report.value.documents == 1
    assert progress[-1].n_done == progress[-1].n_documents == 1
    answered, _ = outcome(client, client.request("ask", _OFFSET))
    assert isinstance(answered, Result)
    assert isinstance(answered.value, AnswerView)
    assert "25 µV" in answered.value.answer.text
    history, _ = outcome(client, client.request("history_page"))
    assert isinstance(history, Result)
    assert history.value.total == 1


def test_the_history_is_reached_over_the_line(client, source_folder, tmp_path):
    write_datasheet(source_folder / "acm4197.pdf")
    library = str(tmp_path / "library")
    outcome(client, client.request("open_library", library, str(source_folder)))
    outcome(client, client.request("sync"))
    asked = replace(_OFFSET, prefer=("vendor:Nobody",), top_k=1)
    answered, _ = outcome(client, client.request("ask", asked))
    assert len(answered.value.answer.evidence) == 1
    number = answered.value.answer.history_id

    def value_of(*request):
        done, _ = outcome(client, client.request(*request))
        assert isinstance(done, Result), done
        return done.value

    assert [item.id for item in value_of("history_page", "offset").items] == [number]
    entry = value_of("history_entry", number)
    assert entry.view.answer == answered.value.answer
    assert (entry.settings["prefer"], entry.settings["top_k"]) == (["vendor:Nobody"], 1)
    value_of("feedback", number, 1, "right")
    assert value_of("history_page", "").items[0].comment == "right"
    for name, what in (("export_history", (number,)), ("export_view", answered.value)):
        for form in ("md", "html", "pdf", "docx"):
            target = tmp_path / f"{name}.{form}"
            assert value_of(name, what, str(target)).file == str(target)
            assert target.stat().st_size > 300
    assert value_of("delete_history", (number,)) == 1
    assert value_of("history_page").total == 0
    assert value_of("restore_history", (number,)) == 1
    assert value_of("clear_history") == 1
    failed, _ = outcome(client, client.request("history_entry", number))
    assert isinstance(failed.error, HistoryError)


def test_structure_text_and_export_come_over_the_line(client, source_folder, tmp_path):
    write_datasheet(source_folder / "acm4197.pdf")
    outcome(client, client.request("open_library", str(tmp_path / "library"), str(source_folder)))
    outcome(client, client.request("sync"))
    statuses, _ = outcome(client, client.request("statuses"))
    document_id = statuses.value[0].document_id
    structure, _ = outcome(client, client.request("structure", document_id))
    assert [chapter.number for chapter in structure.value.chapters] == ["1", "2", "2.1", "3"]
    assert [table.label for table in structure.value.tables] == ["Table 1"]
    text, _ = outcome(client, client.request("markdown", document_id))
    assert "Input offset voltage" in text.value.text
    target = tmp_path / "exported.md"
    exported, _ = outcome(client, client.request("export_markdown", document_id, str(target)))
    assert exported.value.file == str(target)
    assert target.read_text(encoding="utf-8") == text.value.text
    again, _ = outcome(client, client.request("export_markdown", document_id, str(target)))
    assert isinstance(again, Failure)
    assert isinstance(again.error, AlreadyThereError)
    unknown, _ = outcome(client, client.request("structure", "0" * 16))
    assert isinstance(unknown.error, NotReadError)
    opened, _ = outcome(client, client.request("read_again", (document_id,)))
    assert isinstance(opened.value, LibraryView)
    assert not opened.value.statuses[0].state.is_final


def test_failures_arrive_as_errors_for_the_user(client, tmp_path):
    failed, _ = outcome(client, client.request("ask", Question("What is the gain?")))
    assert isinstance(failed, Failure)
    assert isinstance(failed.error, QuestionError)
    assert failed.error.hint
    unknown, _ = outcome(client, client.request("no_such_method"))
    assert isinstance(unknown, Failure)
    assert isinstance(unknown.error, LibraryError)


def test_a_cancelled_question_fails_with_cancelled(client, source_folder, tmp_path):
    write_datasheet(source_folder / "acm4197.pdf")
    outcome(client, client.request("open_library", str(tmp_path / "library"), str(source_folder)))
    outcome(client, client.request("sync"))
    request_id = client.request("ask", _OFFSET)
    client.cancel(request_id)
    ended, _ = outcome(client, request_id)
    # The answer may have been quicker than the cancel.
    assert isinstance(ended, Result) or isinstance(ended.error, Cancelled)


def test_a_service_that_dies_is_reported_and_started_anew(client):
    client._process.kill()
    assert isinstance(client.receive(), Crashed)
    client.start()
    failed, _ = outcome(client, client.request("history_page"))
    assert isinstance(failed, Failure)


_WINDOW = """
import sys
from desktop_qa.core.question import Question
from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import Result

def main():
    client = ServiceClient()
    client.start()
    client.request("open_library", *sys.argv[1:])
    while not isinstance(client.receive(), Result):
        pass
    client.request("sync")
    client.request("ask", Question("What is the offset voltage?"))
    for number in range(100):
        client.request("rename", f"Name {number}")
    client.close(timeout_s=0)

if __name__ == "__main__":
    main()
"""


@pytest.mark.timeout(180)
def test_a_window_that_is_gone_loses_nothing_that_was_to_be_written(source_folder, tmp_path):
    for name in ("ACM4197", "ACM4198", "ACM4199"):
        write_datasheet(source_folder / f"{name}.pdf", name)
    script, folder = tmp_path / "window.py", tmp_path / "library"
    script.write_text(_WINDOW, encoding="utf-8")
    subprocess.run([sys.executable, script, folder, source_folder], check=True, timeout=120)
    while not is_free(folder):
        time.sleep(0.01)
    store = Store.open(folder)
    assert store.meta("name") == "Name 99"
    store.close()


def test_a_library_that_is_free_in_a_moment_is_waited_for(tmp_path):
    lock = LibraryLock(tmp_path)
    release = threading.Timer(0.1, lock.release)
    release.start()
    _await_free(tmp_path)
    assert is_free(tmp_path)
    release.join()


class _RecordingLibrary:
    """Notes on which threads it is written to."""

    def __init__(self, folder):
        self.folder = folder
        self.writers = []

    def remove_source(self, _folder):
        self.writers.append(threading.current_thread())

    def close(self):
        pass


def test_the_thread_that_reads_the_pipe_writes_to_no_library(tmp_path):
    ours, theirs = multiprocessing.Pipe()
    service, library = _Service(theirs), _RecordingLibrary(tmp_path)
    service._library = library
    ours.send(Request(1, "leave_sources", (str(tmp_path), ("/documents",))))
    ours.send(Request(0, "shutdown", ()))
    service.run()
    assert len(library.writers) == 1
    assert library.writers[0] is not threading.current_thread()
