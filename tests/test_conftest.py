"""The guards of conftest.py guard."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
from multiprocessing import get_context
from pathlib import Path

import pytest

from desktop_qa import paths
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled
from desktop_qa.library import reader
from desktop_qa.library.reader import ReadingChild, ReadJob
from tests.conftest import TIERS, _is_local, _lasting_threads, _LogFailHandler
from tests.helpers.pdf import datasheet


def test_connection_to_another_machine_is_refused_and_remembered(network_guard):
    with socket.socket() as connection, pytest.raises(AssertionError, match="network"):
        connection.connect(("192.0.2.1", 80))
    with pytest.raises(AssertionError, match="network"):
        socket.getaddrinfo("example.invalid", 443)
    assert len(network_guard.attempts) == 2
    network_guard.attempts.clear()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "", None])
def test_this_machine_is_not_the_network(host):
    assert _is_local((host, 80))


def test_warning_that_nobody_expects_is_collected(caplog):
    handler = _LogFailHandler(caplog)
    record = logging.LogRecord("desktop_qa", logging.WARNING, "", 0, "disk slow", None, None)
    handler.emit(record)
    with caplog.at_level(logging.WARNING):
        handler.emit(record)
    assert handler.unexpected == ["WARNING desktop_qa: disk slow"]


def test_thread_that_keeps_the_program_alive_is_seen_and_a_daemon_is_not():
    before = set(threading.enumerate())
    released = threading.Event()
    threads = [threading.Thread(target=released.wait, daemon=daemon) for daemon in (False, True)]
    for thread in threads:
        thread.start()
    assert _lasting_threads(before) == threads[:1]
    released.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    "start",
    [
        lambda: subprocess.run([sys.executable, "--version"], check=True),
        lambda: get_context("spawn").Process(target=print).start(),
    ],
)
def test_a_child_is_refused_and_remembered(start, own_process):
    with pytest.raises(AssertionError, match="marked `process`"):
        start()
    assert len(own_process.attempts) == 1
    own_process.attempts.clear()


def test_documents_are_read_in_this_process_until_it_is_cancelled(tmp_path, monkeypatch):
    path = datasheet(tmp_path / "acme.pdf", n_chapters=4)
    job = ReadJob(path, DocumentId("0" * 16), (path.name,), None)
    monkeypatch.setattr(reader, "_child_main", None)
    pages = []

    def read(is_cancelled: bool) -> reader.ReadDocument:
        return ReadingChild().read(
            *(job, lambda page_no, n_pages: pages.append((page_no, n_pages))),
            is_paused=lambda: False,
            is_cancelled=lambda: is_cancelled,
        )

    assert read(is_cancelled=False).segments
    assert pages[0] == (1, 2)
    with pytest.raises(Cancelled):
        read(is_cancelled=True)


def test_each_test_has_one_tier_which_is_its_own_word_or_its_folder(request):
    for item in request.session.items:
        (tier,) = {mark.name for mark in item.iter_markers() if mark.name in TIERS}
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        assert tier in ("real", "process") or (tier == "gui") == (folder == "gui")


def test_libraries_of_a_test_live_in_its_own_folder(fresh_folders):
    assert paths.data_folder().is_relative_to(fresh_folders)
    assert paths.config_folder().is_relative_to(fresh_folders)
