"""Offline is complete: with every socket but local pipes refused nothing is missing or tried."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import command_line
from tests.helpers.socket_guard import SocketGuard

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def guard(tmp_path: Path) -> SocketGuard:
    folder = tmp_path / "guard"
    folder.mkdir()
    return SocketGuard(folder)


def test_guard_sees_and_refuses_what_a_process_attempts(guard: SocketGuard) -> None:
    attempt = "import urllib.request as r\nr.urlopen('http://192.0.2.1/', timeout=1)"
    done = subprocess.run(
        [sys.executable, "-c", attempt],
        env=command_line.environment({"PYTHONPATH": str(guard.folder)}),
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert "socket." in guard.attempts
    assert guard.n_processes == 1


def test_ingest_and_questions_attempt_no_connection(
    guard: SocketGuard, tmp_path: Path, sample_library: Path
) -> None:
    offline = {"PYTHONPATH": str(guard.folder)}
    library = tmp_path / "library"
    ingest = command_line.run(
        "ingest", sample_library, "--library", library, "--json", timeout_s=500, extra=offline
    )
    assert ingest.returncode == 0, ingest.stderr
    report = json.loads(ingest.stdout)
    assert report["failed"] == []
    assert report["documents"] == len(list(sample_library.rglob("*.pdf")))
    # The command itself, a reading child and the model process at least were guarded.
    assert guard.n_processes >= 3
    ask = command_line.run(
        "ask", "What is the supply voltage?", "--library", library, "--json", extra=offline
    )
    assert ask.returncode == 0, ask.stderr
    answer = json.loads(ask.stdout)
    assert answer["evidence"]
    assert all(hit["routes"]["vector"] is not None for hit in answer["evidence"][:1])
    assert guard.attempts == ""
