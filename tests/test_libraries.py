"""Whole libraries on a real disk: described, moved, deleted, and killed in the middle."""

import json
import shutil
import subprocess
import sys
import textwrap
import threading

import pytest

from desktop_qa import libraries, library_journal
from desktop_qa.core.errors import Cancelled, DiskFullError, LibraryError, LibraryLockedError
from desktop_qa.core.libraries import LibraryPresence
from desktop_qa.core.question import Question
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet


@pytest.fixture
def folder(tmp_path, source_folder):
    """A closed library of one document."""
    write_datasheet(source_folder / "acm4197.pdf")
    made = tmp_path / "lib"
    with open_library(made, source_folder) as library:
        library.rename("Amplifiers")
    return made


def answers(folder):
    with open_library(folder) as library:
        return "25 µV" in library.ask(Question("Typical input offset voltage of the ACM4197?")).text


def test_a_library_is_described_without_being_opened_for_writing(folder, source_folder):
    facts = libraries.describe(folder)
    assert (facts.presence, facts.name) == (LibraryPresence.THERE, "Amplifiers")
    assert (facts.sources, facts.n_documents) == ((str(source_folder),), 1)
    assert not facts.is_busy
    with open_library(folder):
        assert libraries.describe(folder).is_busy


def test_what_is_gone_or_broken_says_so(folder, tmp_path):
    assert libraries.describe(tmp_path / "nowhere").presence is LibraryPresence.GONE
    (folder / "library.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    broken = libraries.describe(folder)
    assert broken.presence is LibraryPresence.BROKEN
    assert broken.problem


def test_sizes_add_up_to_what_lies_on_disk(folder):
    size = libraries.measure(folder)
    assert size.text > 10_000
    assert size.index > 0
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size.total == total


def test_libraries_in_the_usual_place_are_found_unless_forgotten(folder, fresh_folders):
    usual = libraries.data_folder() / "libraries" / "amplifiers-1"
    usual.parent.mkdir(parents=True)
    shutil.copytree(folder, usual)
    assert [f.folder for f in libraries.overview([str(folder)])] == [str(folder), str(usual)]
    assert [f.folder for f in libraries.overview([], [str(usual)])] == []


def test_a_moved_library_answers_at_its_new_place_and_the_old_is_gone(folder, tmp_path):
    new = tmp_path / "drive" / "amplifiers"
    seen = []
    libraries.move_library(folder, new, seen.append)
    assert not folder.exists()
    assert (seen[-1].n_done, seen[0].n_done > 0) == (seen[-1].n_total, True)
    assert [entry.step for entry in library_journal.unfinished()] == ["moved"]
    assert answers(new)
    assert not [path for path in tmp_path.rglob(".*") if path.is_dir()]


def test_a_cancelled_move_leaves_the_library_where_it_was(folder, tmp_path):
    seen = []
    with pytest.raises(Cancelled):
        libraries.move_library(
            folder, tmp_path / "drive" / "new", seen.append, lambda: len(seen) >= 2
        )
    assert list((tmp_path / "drive").iterdir()) == []
    assert library_journal.unfinished() == ()
    assert answers(folder)


def test_a_library_that_is_open_is_not_moved_or_deleted(folder, tmp_path):
    with open_library(folder):
        for change in (libraries.set_aside, lambda f: libraries.move_library(f, tmp_path / "new")):
            with pytest.raises(LibraryLockedError):
                change(folder)
    assert answers(folder)


def test_what_is_no_library_of_ours_is_never_deleted(folder, tmp_path, source_folder):
    with pytest.raises(LibraryError, match="no library"):
        libraries.set_aside(source_folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "library.sqlite3").write_bytes(b"another program's")
    with pytest.raises(LibraryError, match="no library"):
        libraries.set_aside(other)
    (folder / "thesis.docx").write_text("mine")
    with pytest.raises(LibraryError, match=r"thesis\.docx"):
        libraries.set_aside(folder)
    assert (folder / "thesis.docx").exists()


def test_a_place_that_does_not_suit_is_refused(folder, tmp_path, monkeypatch):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    for place in (folder, folder / "inside", tmp_path / "full"):
        with pytest.raises(LibraryError):
            libraries.move_library(folder, place)
    monkeypatch.setattr(libraries, "_SPARE_BYTES", 1 << 60)
    with pytest.raises(DiskFullError):
        libraries.move_library(folder, tmp_path / "new")
    assert answers(folder)


def test_a_deleted_library_is_put_back_whole_or_purged(folder):
    deleted = libraries.set_aside(folder)
    assert not folder.exists()
    libraries.put_back(deleted)
    assert answers(folder)
    again = libraries.set_aside(folder)
    libraries.recover()
    assert library_journal.unfinished() != ()
    libraries.purge(again)
    assert library_journal.unfinished() == ()
    with pytest.raises(LibraryError):
        libraries.put_back(again)


_KILLED = """
import os, sys
from pathlib import Path
from desktop_qa import libraries
stop_at = sys.argv[3]
def stop(*_):
    os._exit(9)
if stop_at == "copying":
    seen = []
    libraries.move_library(Path(sys.argv[1]), Path(sys.argv[2]),
                           lambda p: (seen.append(p), len(seen) > 3 and stop()))
elif stop_at == "copied":
    libraries._check_copy = stop
    libraries.move_library(Path(sys.argv[1]), Path(sys.argv[2]))
elif stop_at == "moved":
    libraries._remove = stop
    libraries.move_library(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.parametrize(
    ("stop_at", "is_moved"), [("copying", False), ("copied", False), ("moved", True)]
)
@pytest.mark.process
def test_a_kill_during_a_move_loses_nothing(folder, tmp_path, stop_at, is_moved):
    new = tmp_path / "drive" / "new"
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_KILLED), str(folder), str(new), stop_at],
        check=False,
    )
    assert killed.returncode == 9
    assert len(json.loads(library_journal._file().read_text())) == 1
    libraries.recover()
    assert library_journal.unfinished() == ()
    assert (new.exists(), folder.exists()) == (is_moved, not is_moved)
    assert answers(new if is_moved else folder)
    assert not [path for path in tmp_path.rglob(".*") if path.is_dir()]


def test_two_windows_that_write_to_the_journal_lose_nothing_of_each_other():
    def note_many(window):
        for number in range(20):
            entry = library_journal.Unfinished(library_journal.Step.MOVED, f"{window}-{number}", "")
            library_journal.note(entry)

    windows = [threading.Thread(target=note_many, args=(name,)) for name in ("one", "other")]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    assert len(library_journal.unfinished()) == 40
