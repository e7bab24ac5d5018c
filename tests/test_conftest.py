"""The guards of conftest.py guard."""

from __future__ import annotations

import logging
import socket
import threading
from pathlib import Path

import pytest

from desktop_qa import paths
from tests.conftest import NetworkGuard, _is_local, _lasting_threads, _LogFailHandler
from tests.helpers.pdf import datasheet


def test_connection_to_another_machine_is_refused_and_remembered(
    network_guard: NetworkGuard,
) -> None:
    with socket.socket() as connection, pytest.raises(AssertionError, match="network"):
        connection.connect(("192.0.2.1", 80))
    with pytest.raises(AssertionError, match="network"):
        socket.getaddrinfo("example.invalid", 443)
    assert len(network_guard.attempts) == 2
    network_guard.attempts.clear()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "", None])
def test_this_machine_is_not_the_network(host: str | None) -> None:
    assert _is_local((host, 80))


def test_warning_that_nobody_expects_is_collected(caplog: pytest.LogCaptureFixture) -> None:
    handler = _LogFailHandler(caplog)
    record = logging.LogRecord("desktop_qa", logging.WARNING, "", 0, "disk slow", None, None)
    handler.emit(record)
    with caplog.at_level(logging.WARNING):
        handler.emit(record)
    assert handler.unexpected == ["WARNING desktop_qa: disk slow"]


def test_thread_that_keeps_the_program_alive_is_seen_and_a_daemon_is_not() -> None:
    before = set(threading.enumerate())
    released = threading.Event()
    threads = [threading.Thread(target=released.wait, daemon=daemon) for daemon in (False, True)]
    for thread in threads:
        thread.start()
    assert _lasting_threads(before) == threads[:1]
    released.set()
    for thread in threads:
        thread.join()


def test_libraries_of_a_test_live_in_its_own_folder(fresh_folders: Path) -> None:
    assert paths.data_folder().is_relative_to(fresh_folders)
    assert paths.config_folder().is_relative_to(fresh_folders)


def test_written_datasheet_has_its_outline_and_words(tmp_path: Path) -> None:
    import pymupdf

    path = datasheet(tmp_path / "acme.pdf", n_chapters=4)
    with pymupdf.open(path) as document:
        outline = [(level, title) for level, title, _ in document.get_toc()]
        text = " ".join(word[4] for page in document for word in page.get_text("words"))
    assert outline[:3] == [
        (1, "1 Features"),
        (1, "2 Specifications"),
        (2, "2.1 Electrical Characteristics"),
    ]
    assert "Input offset voltage" in text
    assert "25" in text
