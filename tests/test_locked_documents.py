"""Protected documents: read with the password of a session, and kept when it is forgotten."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from desktop_qa.core.errors import FolderError
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.library.facade import Library
from desktop_qa.library.reader import ReadJob
from tests.helpers.libraries import open_library
from tests.helpers.pdf import PdfWriter

PASSWORD = "öffne dich"
METHODS = ("PDF_ENCRYPT_AES_128", "PDF_ENCRYPT_AES_256")


def write_locked(path: Path, method: str = METHODS[1]) -> None:
    writer = PdfWriter()
    writer.title("ACM4197 Precision Amplifier")
    writer.heading("1 Features")
    writer.paragraph("The ACM4197 has a typical input offset voltage of 25 µV at room temperature.")
    writer.save(path.with_suffix(".open"))
    with pymupdf.open(path.with_suffix(".open"), filetype="pdf") as document:
        document.save(
            path, encryption=getattr(pymupdf, method), user_pw=PASSWORD, owner_pw="the owner's"
        )
    path.with_suffix(".open").unlink()


def only(library: Library) -> DocumentStatus:
    (status,) = library.statuses()
    return status


def ingested(library: Library, folder: Path, method: str = METHODS[1]) -> DocumentStatus:
    write_locked(folder / "locked.pdf", method)
    library.add_source(folder)
    library.sync()
    return only(library)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("password", [PASSWORD, "the owner's"])
def test_a_locked_document_becomes_ready_with_either_password(
    library, source_folder, method, password
):
    status = ingested(library, source_folder, method)
    assert status.state is DocumentState.FAILED
    assert status.reason == "The PDF needs a password."
    assert "password" in status.hint
    library.unlock(status.document_id, password)
    library.sync()
    assert only(library).state is DocumentState.READY
    answer = library.ask(Question("What is the input offset voltage of the ACM4197?"))
    assert "25 µV" in answer.text


def test_a_wrong_password_leaves_it_as_it_was(library, source_folder):
    status = ingested(library, source_folder)
    library.unlock(status.document_id, "wrong")
    library.sync()
    assert only(library).state is DocumentState.FAILED


def test_what_was_read_stays_when_the_password_is_forgotten(library, source_folder, tmp_path):
    status = ingested(library, source_folder)
    library.unlock(status.document_id, PASSWORD)
    library.sync()
    library.close()
    with open_library(tmp_path / "library") as again:
        again.sync()
        assert only(again).state is DocumentState.READY
        again.read_again([status.document_id])
        again.sync()
        kept = only(again)
        assert kept.state is DocumentState.READY
        assert "password" in kept.reason
        asked = Question("What is the input offset voltage of the ACM4197?")
        assert "25 µV" in again.ask(asked).text
        again.unlock(status.document_id, PASSWORD)
        again.sync()
        assert only(again).reason == ""


def test_the_password_is_written_nowhere(library, source_folder, tmp_path, caplog):
    status = ingested(library, source_folder)
    with caplog.at_level(0):
        library.unlock(status.document_id, PASSWORD)
        library.sync()
    assert PASSWORD not in caplog.text
    written = [file for file in (tmp_path / "library").rglob("*") if file.is_file()]
    assert written
    assert all(PASSWORD.encode() not in file.read_bytes() for file in written)
    job = ReadJob(source_folder, status.document_id, (), None, password=PASSWORD)
    assert PASSWORD not in repr(job)


def test_a_document_that_is_not_there_is_not_unlocked(library):
    with pytest.raises(FolderError):
        library.unlock("0" * 16, PASSWORD)
