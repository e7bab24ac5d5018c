"""Offline is complete: with every socket but local pipes refused nothing is missing or tried."""

import json
import subprocess
import sys

import pytest

from tests.helpers import command_line
from tests.helpers.socket_guard import SocketGuard

pytestmark = [pytest.mark.process, pytest.mark.timeout(700)]


@pytest.mark.parametrize(
    "attempt",
    [
        "import urllib.request as r; r.urlopen('http://192.0.2.1/', timeout=1)",
        "import socket; socket.socket()",
        "import socket; socket.getaddrinfo('example.invalid', 80)",
        "import subprocess as s, sys; s.run([sys.executable, '-c', 'import socket; "
        "socket.socket()'], check=True)",
    ],
)
def test_guard_sees_and_refuses_what_a_process_attempts(attempt, tmp_path):
    guard = SocketGuard(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", attempt],
        env=command_line.environment(guard.environment),
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert "socket." in guard.attempts


def test_ingest_opens_no_socket(sample_ingest, sample_library):
    assert sample_ingest.report["failed"] == []
    assert sample_ingest.report["documents"] == len(list(sample_library.rglob("*.pdf")))
    # The command itself, a reading child and the model process at least were guarded.
    assert sample_ingest.guard.n_processes >= 3
    assert sample_ingest.guard.attempts == ""


def test_question_opens_no_socket_and_is_searched_by_meaning(sample_ingest):
    done = command_line.run(
        *("ask", "What is the supply voltage?", "--library", sample_ingest.library, "--json"),
        extra=sample_ingest.guard.environment,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert any(hit["routes"]["vector"] is not None for hit in answer["evidence"])
    assert sample_ingest.guard.attempts == ""
