"""A library on a medium that may only be read: it is asked all the same, and says what it is."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from desktop_qa import libraries
from desktop_qa.cli.verbs import open_to_read
from desktop_qa.core.errors import LibraryError, LibraryProtectedError
from desktop_qa.core.question import Question
from desktop_qa.core.search_view import SearchRequest
from desktop_qa.index.store import Store
from desktop_qa.library.facade import Library
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet
from tests.helpers.protection import protect


@pytest.fixture
def folder(source_folder, tmp_path, monkeypatch) -> Path:
    """A library of one datasheet on a drive that cannot be written any more."""
    write_datasheet(source_folder / "acm4197.pdf")
    with open_library(tmp_path / "library", source_folder):
        pass
    protect(monkeypatch, tmp_path)
    return tmp_path / "library"


def test_it_is_asked_and_searched_and_refuses_what_would_be_written(folder):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with open_library(folder, fall_back_to_reading=True) as library:
        assert library.read_only
        answer = library.ask(Question("Typical input offset voltage of the ACM4197?"))
        assert "25 µV" in answer.text
        assert not answer.history_id
        assert library.search(SearchRequest("offset voltage")).n_found
        view = library.view()
        assert (view.read_only, view.is_protected) == (True, True)
        assert str(folder) in view.writing_hint
        for change in (library.sync, lambda _tell: library.rename("Amplifiers")):
            with pytest.raises(LibraryProtectedError, match="cannot be written"):
                change(lambda progress: None)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_without_leave_to_read_only_it_is_not_opened(folder):
    with pytest.raises(LibraryProtectedError, match="protected"):
        Library.open(folder, embedder=HashingEmbedder())


def test_where_no_library_is_none_can_be_made(folder):
    with pytest.raises(LibraryError, match="cannot be used") as caught:
        Library.open(folder.parent, fall_back_to_reading=True, embedder=HashingEmbedder())
    assert not isinstance(caught.value, LibraryProtectedError)


def test_the_command_line_says_that_nothing_is_kept(folder, capsys):
    open_to_read(folder).close()
    said = capsys.readouterr()
    assert "nothing is kept" in said.err
    assert "protected" in said.err
    assert not said.out


def test_a_list_of_libraries_tells_it_from_one_that_is_in_use(folder):
    facts = libraries.describe(folder)
    assert (facts.n_documents, facts.is_busy, facts.is_protected) == (1, False, True)


@pytest.mark.process
def test_what_a_killed_process_left_in_the_journal_is_read(tmp_path, monkeypatch):
    folder = tmp_path / "library"
    Store.open(folder).close()
    # The journal is copied without its shared memory file, as onto a stick by hand.
    words = (
        "import os, sys; from pathlib import Path; from desktop_qa.index.store import Store;"
        " store = Store.open(Path(sys.argv[1])); store.set_meta('name', 'Kept'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", words, str(folder)], check=False)
    assert (folder / "library.sqlite3-wal").stat().st_size
    (folder / "library.sqlite3-shm").unlink()
    protect(monkeypatch, tmp_path)
    with closing(Store.open(folder, fall_back_to_reading=True)) as store:
        assert store.meta("name") == "Kept"


def test_a_database_file_alone_that_may_not_be_written_counts_too(tmp_path, monkeypatch):
    folder = tmp_path / "library"
    Store.open(folder).close()

    def refuse(_store: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY
        raise error

    monkeypatch.setattr("desktop_qa.index.database.migrate", refuse)
    with pytest.raises(LibraryProtectedError, match="protected"):
        Store.open(folder)
    assert os.access(folder, os.W_OK)
