from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from desktop_qa.answer_export.table_csv import write_cells
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DiskFullError, ExportError
from desktop_qa.core.whole_files import write_whole
from desktop_qa.library.document_folders import DocumentFolders


@pytest.fixture
def full_disk(monkeypatch) -> None:
    """A disk that has no space left once the file is there."""

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def write_half(path: Path, content: bytes | str, *_more: object, **_named: object) -> None:
        with path.open("wb") as file:
            file.write(content[:1] if isinstance(content, bytes) else content[:1].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr(Path, "write_bytes", write_half)
    monkeypatch.setattr(Path, "write_text", write_half)


def test_a_file_is_replaced_and_nothing_lies_beside_it(tmp_path):
    path = tmp_path / "file.txt"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_table_that_cannot_be_written_leaves_the_one_before(tmp_path, full_disk):
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("before")
    with pytest.raises(ExportError):
        write_cells([["a", "b"]], path, for_excel=False)
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_that_cannot_be_written_leaves_the_one_before(tmp_path, full_disk):
    folders = DocumentFolders(tmp_path)
    path = folders.markdown(DocumentId("a"))
    path.parent.mkdir()
    with path.open("w", encoding="utf-8") as file:
        file.write("before")
    with pytest.raises(DiskFullError):
        folders.write_text(DocumentId("a"), "after")
    assert path.read_text(encoding="utf-8") == "before"
    assert list(path.parent.iterdir()) == [path]
