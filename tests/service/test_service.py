"""The library in its own process, spoken with over the pipe as the window does."""

import multiprocessing
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from desktop_qa.core.errors import (
    AlreadyThereError,
    HistoryError,
    LibraryError,
    NotReadError,
    QuestionError,
)
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView, LibraryView
from desktop_qa.index.library_lock import LibraryLock, is_free
from desktop_qa.index.store import Store
from desktop_qa.service.library_service import _await_free, _Service
from desktop_qa.service.messages import Crashed, Request
from tests.helpers.pdf import write_datasheet

pytestmark = pytest.mark.process

_OFFSET = Question("Typical offset voltage of the ACM4197?")


def test_a_folder_is_opened_read_and_asked_about(client, source_folder, tmp_path):
    write_datasheet(source_folder / "acm4197.pdf")
    opened = client.ask("open_library", str(tmp_path / "library"), str(source_folder))
    assert isinstance(opened, LibraryView)
    assert client.ask("sync").documents == 1
    assert client.steps[-1].n_done == client.steps[-1].n_documents == 1
    answered = client.ask("ask", _OFFSET)
    assert isinstance(answered, AnswerView)
    assert "25 µV" in answered.answer.text
    assert client.ask("history_page").total == 1


def test_the_history_is_reached_over_the_line(reader, tmp_path):
    answered = reader.ask("ask", replace(_OFFSET, prefer=("vendor:Nobody",), top_k=1))
    assert len(answered.answer.evidence) == 1
    number = answered.answer.history_id
    assert [item.id for item in reader.ask("history_page", "offset").items] == [number]
    entry = reader.ask("history_entry", number)
    assert entry.view.answer == answered.answer
    assert (entry.settings["prefer"], entry.settings["top_k"]) == (["vendor:Nobody"], 1)
    reader.ask("feedback", number, 1, "right")
    assert reader.ask("history_page", "").items[0].comment == "right"
    for name, what in (("export_history", (number,)), ("export_view", answered)):
        for form in ("md", "html", "pdf", "docx"):
            target = tmp_path / f"{name}.{form}"
            assert reader.ask(name, what, str(target)).file == str(target)
            assert target.stat().st_size > 300
    assert reader.ask("delete_history", (number,)) == 1
    assert reader.ask("history_page").total == 0
    assert reader.ask("restore_history", (number,)) == 1
    assert reader.ask("clear_history") == 1
    assert isinstance(reader.failure_of("history_entry", number), HistoryError)


def test_structure_text_and_export_come_over_the_line(reader, tmp_path):
    (status,) = reader.ask("statuses")
    document_id = status.document_id
    structure = reader.ask("structure", document_id)
    assert [chapter.number for chapter in structure.chapters] == ["1", "2", "2.1", "3"]
    assert [table.label for table in structure.tables] == ["Table 1"]
    text = reader.ask("markdown", document_id).text
    assert "Input offset voltage" in text
    target = tmp_path / "exported.md"
    export = ("export_markdown", document_id, str(target))
    assert reader.ask(*export).file == str(target)
    assert target.read_text(encoding="utf-8") == text
    assert isinstance(reader.failure_of(*export), AlreadyThereError)
    assert isinstance(reader.failure_of("structure", "0" * 16), NotReadError)
    opened = reader.ask("read_again", (document_id,))
    assert isinstance(opened, LibraryView)
    assert not opened.statuses[0].state.is_final


def test_failures_arrive_as_errors_for_the_user(client):
    failed = client.failure_of("ask", Question("What is the gain?"))
    assert isinstance(failed, QuestionError)
    assert failed.hint
    assert isinstance(client.failure_of("no_such_method"), LibraryError)


def test_a_service_that_dies_is_reported_and_started_anew(client):
    client._process.kill()
    assert isinstance(client.receive(), Crashed)
    client.start()
    assert isinstance(client.failure_of("history_page"), QuestionError)


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
