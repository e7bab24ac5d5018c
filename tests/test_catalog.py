from __future__ import annotations

import hashlib
import itertools
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_qa import catalog, patience
from desktop_qa.catalog import document_id_of, n_excluded, scan, survey
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, FolderError
from desktop_qa.core.file_kinds import PassedOver
from desktop_qa.core.folders import FileRecord


def write(folder: Path, name: str, content: bytes = b"%PDF-1.4 x") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def paths(folder: Path) -> list[str]:
    return [entry.path for entry in scan(folder, {}).entries]


def test_pdfs_are_found_at_every_depth_sorted_with_forward_slashes(tmp_path):
    for name in ("b.pdf", "sub/deep/c.PDF", "a.Pdf", "notes.txt", "pdf"):
        write(tmp_path, name)
    assert paths(tmp_path) == ["a.Pdf", "b.pdf", "sub/deep/c.PDF"]


def test_hidden_files_and_unfinished_downloads_are_passed_over(tmp_path):
    for name in (
        ".hidden.pdf",
        "._resource.pdf",
        "~$open.pdf",
        ".git/a.pdf",
        "x.pdf.crdownload",
        "loading.pdf",
        "loading.pdf.part",
        "kept.pdf",
    ):
        write(tmp_path, name)
    assert paths(tmp_path) == ["kept.pdf"]


def test_what_is_passed_over_is_counted_with_its_reason(tmp_path):
    for name in ("kept.pdf", "gone.pdf", "old/a.pdf", "old/b.html", "help/c.HTML", "help/d.md"):
        write(tmp_path, name)
    for name in (".git/config", "Thumbs.db", "~$d.docx", "x.pdf.part", "notes"):
        write(tmp_path, name)
    found = scan(tmp_path, {}, leaves_out=lambda path: path[:4] == "old/", removed={"gone.pdf"})
    assert [entry.path for entry in found.entries] == ["kept.pdf"]
    assert found.passed_over == {
        (PassedOver.KIND, ".html"): 1,
        (PassedOver.KIND, ".md"): 1,
        (PassedOver.KIND, ""): 1,
        (PassedOver.EXCLUDED, ".pdf"): 1,
        (PassedOver.EXCLUDED, ".html"): 1,
        (PassedOver.REMOVED, ".pdf"): 1,
        (PassedOver.UNFINISHED, ".part"): 1,
        # A hidden folder counts as one: nobody looks into it.
        (PassedOver.HIDDEN, ""): 1,
        (PassedOver.HIDDEN, ".db"): 1,
        (PassedOver.HIDDEN, ".docx"): 1,
    }
    assert n_excluded(found.passed_over) == 1


def test_a_survey_tells_what_a_scan_would_find_and_opens_nothing(tmp_path, monkeypatch):
    for name in ("b.pdf", "a.pdf", "old/c.pdf", "d.html"):
        write(tmp_path, name)
    scanned = scan(tmp_path, {}, leaves_out=lambda path: path[:4] == "old/")
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("a file was opened"))
    found = survey(tmp_path, lambda path: path[:4] == "old/")
    assert (found.taken, found.excluded) == (("a.pdf", "b.pdf"), ("old/c.pdf",))
    assert found.passed_over == scanned.passed_over


def test_the_id_is_the_hash_of_the_bytes(tmp_path):
    content = os.urandom(3_000_000)
    path = write(tmp_path, "a.pdf", content)
    assert document_id_of(path) == hashlib.sha256(content).hexdigest()[:16]
    (entry,) = scan(tmp_path, {}).entries
    assert entry.document_id == document_id_of(path)
    assert entry.size == len(content)


def test_an_unchanged_file_is_not_read_again(tmp_path, monkeypatch):
    write(tmp_path, "a.pdf")
    first = scan(tmp_path, {})
    known = {entry.path: entry for entry in first.entries}

    def fail(*_arguments: object) -> DocumentId:
        raise AssertionError("read again")

    monkeypatch.setattr(catalog, "document_id_of", fail)
    assert scan(tmp_path, known) == first


def test_a_file_of_another_size_or_time_is_read_again(tmp_path):
    path = write(tmp_path, "a.pdf", b"old")
    (old,) = scan(tmp_path, {}).entries
    stale = FileRecord(path.name, 3, path.stat().st_mtime_ns - 1, DocumentId("0" * 16))
    assert scan(tmp_path, {"a.pdf": stale}).entries == (old,)
    path.write_bytes(b"newer")
    (new,) = scan(tmp_path, {old.path: old}).entries
    assert new.document_id == document_id_of(path) != old.document_id


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_links_in_a_circle_end_and_each_folder_is_walked_once(tmp_path):
    write(tmp_path, "sub/a.pdf")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "sub")
    (tmp_path / "self.pdf").symlink_to(tmp_path / "self.pdf")
    found = scan(tmp_path, {})
    assert [entry.path for entry in found.entries] == ["sub/a.pdf"]
    assert [error.path for error in found.errors] == ["self.pdf"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_linked_folder_outside_is_followed(tmp_path):
    write(tmp_path / "outside", "a.pdf")
    source = tmp_path / "source"
    source.mkdir()
    (source / "linked").symlink_to(tmp_path / "outside")
    assert paths(source) == ["linked/a.pdf"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_link_to_nothing_is_told_and_stops_nobody(tmp_path):
    write(tmp_path, "good.pdf")
    (tmp_path / "bad.pdf").symlink_to(tmp_path / "nowhere.pdf")
    found = scan(tmp_path, {})
    assert [entry.path for entry in found.entries] == ["good.pdf"]
    (error,) = found.errors
    assert error.path == "bad.pdf"
    assert "gone" in error.reason
    assert "Refresh" in error.hint


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_named_like_a_pdf_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.pdf")
    (error,) = scan(tmp_path, {}).errors
    assert "not an ordinary file" in error.reason


def test_a_file_without_permission_is_told_and_stops_nobody(tmp_path, monkeypatch):
    write(tmp_path, "a.pdf")
    write(tmp_path, "secret.pdf")
    original = Path.open

    def guarded(self: Path, mode: str = "r") -> object:
        if self.name == "secret.pdf":
            raise PermissionError(13, "Permission denied")
        return original(self, mode)

    monkeypatch.setattr(Path, "open", guarded)
    found = scan(tmp_path, {})
    assert [entry.path for entry in found.entries] == ["a.pdf"]
    assert found.errors[0].reason == "The file could not be read (permission denied)."


def test_what_lies_behind_an_unreadable_folder_may_still_be_there(tmp_path, monkeypatch):
    write(tmp_path, "locked/a.pdf")
    write(tmp_path, "b.pdf")
    original = os.scandir

    def guarded(path: Path) -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return original(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = scan(tmp_path, {})
    assert [entry.path for entry in found.entries] == ["b.pdf"]
    assert found.is_hidden_by_error("locked/a.pdf")
    assert not found.is_hidden_by_error("locked2/a.pdf")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text_is_told(tmp_path):
    write(tmp_path, "good.pdf")
    with open(os.fsencode(tmp_path) + b"/bad\xff.pdf", "wb") as file:  # noqa: PTH123 - bytes
        file.write(b"x")
    found = scan(tmp_path, {})
    assert [entry.path for entry in found.entries] == ["good.pdf"]
    found.errors[0].path.encode("utf-8")
    assert "Rename" in found.errors[0].hint


def test_a_folder_without_documents_is_an_empty_scan(tmp_path):
    found = scan(tmp_path, {})
    assert found.entries == ()
    assert found.errors == ()


def test_what_is_no_folder_says_so(tmp_path):
    with pytest.raises(FolderError, match="is not there"):
        scan(tmp_path / "nowhere", {})
    with pytest.raises(FolderError, match="not a folder"):
        scan(write(tmp_path, "a.pdf"), {})


def test_a_folder_without_permission_says_so(tmp_path, monkeypatch):
    def refuse(_path: Path) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(FolderError, match="cannot be read"):
        scan(tmp_path, {})


def test_a_scan_can_be_cancelled(tmp_path):
    write(tmp_path, "a.pdf")
    with pytest.raises(Cancelled):
        scan(tmp_path, {}, is_cancelled=lambda: True)


@pytest.fixture
def leaping_clock(monkeypatch) -> None:
    """Hours pass between any two looks at the clock."""
    ticks = itertools.count(step=3600.0)
    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    monkeypatch.setattr(patience, "_LOOK_S", 0.001)


def hang_on(monkeypatch: pytest.MonkeyPatch, *names: str) -> threading.Event:
    """Have the reading of some files wait for an event that is set at the end of the test."""
    answered = threading.Event()
    read = catalog.document_id_of

    def hang(path: Path, is_cancelled: Callable[[], bool]) -> DocumentId:
        if path.name in names:
            answered.wait()
        return read(path, is_cancelled)

    monkeypatch.setattr(catalog, "document_id_of", hang)
    return answered


@pytest.mark.parametrize(
    ("silent", "read", "reason"),
    [
        ("b", "ac", "The file could not be read (its drive did not answer for 10 minutes)."),
        ("bcd", "a", "The file was not read, for its drive did not answer for others."),
    ],
    ids=["one costs only itself", "after two no third is asked for"],
)
def test_a_drive_that_is_silent_costs_the_files_that_it_keeps(
    tmp_path, monkeypatch, leaping_clock,
    silent, read, reason
):  # fmt: skip
    for name in (*silent, *read):
        write(tmp_path, f"{name}.pdf")
    answered = hang_on(monkeypatch, *(f"{name}.pdf" for name in silent))
    found = scan(tmp_path, {})
    answered.set()
    assert [entry.path for entry in found.entries] == [f"{name}.pdf" for name in read]
    assert [error.path for error in found.errors] == [f"{name}.pdf" for name in silent]
    assert found.errors[-1].reason == reason
    assert "drive" in found.errors[-1].hint
    assert found.is_hidden_by_error("b.pdf")


def test_a_folder_that_is_silent_is_a_problem_of_the_folder(tmp_path, monkeypatch, leaping_clock):
    answered = threading.Event()
    monkeypatch.setattr(catalog, "check_folder", lambda _folder: answered.wait())
    with pytest.raises(FolderError, match="its drive did not answer for 10 minutes"):
        scan(tmp_path, {})
    answered.set()


def test_a_folder_that_is_silent_can_be_left(tmp_path, monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(catalog, "check_folder", lambda _folder: answered.wait())
    with pytest.raises(Cancelled):
        scan(tmp_path, {}, lambda: True)
    answered.set()
