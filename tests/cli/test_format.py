"""`format`: the estimate first, then progress, and a fault that leaves the offline reading."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from desktop_qa.library import facade
from desktop_qa.llm.profile import ProfileStore
from tests.helpers import command_line
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet
from tests.llm.asking import profile_of
from tests.llm.scripted_server import Reply, ScriptedServer, page, says
from tests.llm.test_keys import Backend

SAID = "# 1 Features\n# 2 Specifications\n# 2.1 Electrical Characteristics\n# 7 Made up"
GOOD = says(SAID)


@pytest.fixture
def library(tmp_path, source_folder, monkeypatch) -> Path:
    monkeypatch.setattr("keyring.get_keyring", Backend)
    monkeypatch.setattr(facade, "ModelProcess", HashingEmbedder)
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198")
    with open_library(tmp_path / "library", source_folder) as opened:
        return Path(opened.folder)


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str
    n_requests: int


def run(library: Path, reply: Reply, *words: str, **changes: Any) -> Done:
    with ScriptedServer(by=lambda _request: reply) as server:
        ProfileStore().save(profile_of(server, name="lab", **changes))
        done = command_line.run_here("format", "--library", library, "--profile", "lab", *words)
        return Done(done.returncode, done.stdout, done.stderr, len(server.requests))


def levels(library: Path, *more: str) -> list[int]:
    words = ("structure", "acm4197.pdf", "--library", library, "--json", *more)
    return [one["level"] for one in command_line.run_json_here(*words)["headings"]]


def test_documents_are_read_with_an_estimate_before_and_both_readings_are_printed(library):
    done = run(library, GOOD, "acm4197.pdf", "--yes", input_price=1.0, output_price=1.0)
    assert done.returncode == 0, done.stderr
    assert done.n_requests == 1
    lines = done.stderr.splitlines()
    assert lines[0].startswith("small model 1.0 on this machine reads 1 of 1 documents: 1 page in")
    assert "price about 0.00" in lines[0]
    assert lines[-1] == (
        "acm4197.pdf: 3 headings and 0 tables placed, 1 not found on the pages and left out."
    )
    assert levels(library) == levels(library, "--reading", "model") == [1, 1, 1]
    assert levels(library, "--reading", "offline") == [1, 1, 2, 1]
    back = command_line.run_here("format", "--library", library, "acm4197", "--offline")
    assert back.returncode == 0, back.stderr
    assert levels(library) == [1, 1, 2, 1]
    again = command_line.run_here("format", "--library", library, "--model")
    assert "acm4198" not in again.stderr
    assert levels(library) == [1, 1, 1]


def test_a_folder_is_read_and_told_as_json(library):
    done = run(library, GOOD, "--yes", "--json")
    assert done.n_requests == 2
    assert '"n_headings": 3' in done.stdout
    assert '"file": "acm4198.pdf"' in done.stdout


def test_nothing_is_sent_before_it_is_agreed_to(library, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    done = run(library, GOOD)
    assert (done.returncode, done.n_requests) == (1, 0)
    assert "Say --yes" in done.stderr
    cloud = run(library, GOOD, "--yes", address="https://api.example.com/v1")
    assert (cloud.returncode, cloud.n_requests) == (1, 0)
    assert "may not go to small model 1.0 at api.example.com" in cloud.stderr


def test_a_fault_is_one_line_and_the_offline_reading_stays(library):
    before = levels(library)
    done = run(library, page(404, {"error": {"message": "no such model"}}), "--yes")
    assert done.returncode == 1
    assert "acm4197.pdf: The offline reading stays." in done.stderr
    assert len(done.stderr.splitlines()) == 4
    assert levels(library) == before
    none = command_line.run_here("format", "--library", library, "acm4197", "--model")
    assert none.returncode == 1
    assert "No model has read this document." in none.stderr
