"""Documents that the user takes out of a library: hidden, passed over, brought back."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest

from desktop_qa.cli.command_line import main
from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.errors import LibraryError, NotReadError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.question import Question
from desktop_qa.library.facade import Library
from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import Result
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.library.test_library import write_datasheet

QUESTION = "What is the typical input offset voltage of the ACM4198?"


def quiet(_progress):
    pass


@pytest.fixture
def embedder():
    return HashingEmbedder()


@pytest.fixture
def library(tmp_path, source_folder, embedder):
    opened = Library.open(tmp_path / "library", embedder=embedder)
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="60")
    opened.add_source(source_folder)
    opened.sync(quiet)
    yield opened
    opened.close()


def files(library) -> list[str]:
    return [status.file for status in library.statuses()]


def id_of(library, file):
    return next(s.document_id for s in library.statuses() if file in s.files)


def test_a_removed_document_leaves_lists_and_answers_at_once(library, source_folder):
    gone = id_of(library, "acm4198.pdf")
    assert library.remove([gone]) == (gone,)
    assert files(library) == ["acm4197.pdf"]
    answer = library.ask(Question(QUESTION))
    assert all(citation.document_id != gone for citation in answer.citations)
    assert all(item.segment.document_id != gone for item in answer.evidence)
    assert "60" not in answer.text
    assert (source_folder / "acm4198.pdf").is_file()


def test_undo_brings_it_back_without_reading_it_again(library, embedder):
    before = next(s for s in library.statuses() if s.file == "acm4198.pdf")
    library.remove([before.document_id])
    n_embedded = embedder.n_embedded
    (back,) = library.restore([before.document_id])
    assert back == before
    changed: list[str] = []
    library.sync(lambda progress: changed.extend(s.state.value for s in progress.changed))
    assert "reading" not in changed
    assert embedder.n_embedded == n_embedded
    answer = library.ask(Question(QUESTION))
    assert answer.status is AnswerStatus.ANSWERED
    assert "**60 µV**" in answer.text
    assert library.removed() == ()


def test_sync_passes_it_over_also_after_it_changed(library, source_folder):
    library.remove([id_of(library, "acm4198.pdf")])
    library.sync(quiet)
    assert files(library) == ["acm4197.pdf"]
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="75")
    library.sync(quiet)
    assert files(library) == ["acm4197.pdf"]


def test_it_stays_removed_when_the_library_is_opened_again(library, tmp_path, embedder):
    gone = id_of(library, "acm4198.pdf")
    library.remove([gone])
    library.close()
    again = Library.open(tmp_path / "library", embedder=embedder)
    try:
        assert files(again) == ["acm4197.pdf"]
        (row,) = again.removed()
        assert (row.files, row.is_kept) == (("acm4198.pdf",), False)
        again.sync(quiet)
        assert files(again) == ["acm4197.pdf"]
        assert again.restore([gone]) == ()
        again.sync(quiet)
        assert files(again) == ["acm4197.pdf", "acm4198.pdf"]
        assert "**60 µV**" in again.ask(Question(QUESTION)).text
    finally:
        again.close()


def test_what_a_killed_process_hid_is_deleted_by_the_next(library, tmp_path, embedder):
    gone = id_of(library, "acm4198.pdf")
    library.remove([gone])
    library._store.close()  # as when the process is killed: nothing is tidied
    again = Library.open(tmp_path / "library", embedder=embedder)
    try:
        assert not again.removed()[0].is_kept
        assert files(again) == ["acm4197.pdf"]
        assert not (tmp_path / "library" / "markdown" / f"{gone}.md").exists()
        assert all(e.segment.document_id != gone for e in again.retrieve(Question(QUESTION)))
    finally:
        again.close()


def test_both_places_of_the_same_bytes_are_removed_and_come_back(library, source_folder):
    shutil.copy(source_folder / "acm4198.pdf", source_folder / "copy.pdf")
    library.sync(quiet)
    gone = id_of(library, "copy.pdf")
    library.remove([gone])
    library.sync(quiet)
    assert files(library) == ["acm4197.pdf"]
    (back,) = library.restore([gone])
    assert set(back.files) == {"acm4198.pdf", "copy.pdf"}


def test_a_copy_put_elsewhere_by_hand_brings_it_back(library, source_folder):
    library.remove([id_of(library, "acm4198.pdf")])
    shutil.copy(source_folder / "acm4198.pdf", source_folder / "again.pdf")
    library.sync(quiet)
    assert files(library) == ["acm4197.pdf", "again.pdf"]
    assert "**60 µV**" in library.ask(Question(QUESTION)).text


def test_a_file_added_by_hand_returns(library, source_folder):
    library.remove([id_of(library, name) for name in ("acm4197.pdf", "acm4198.pdf")])
    (found,) = library.removed_among([source_folder / "acm4198.pdf"])
    assert found.files == ("acm4198.pdf",)
    (back,) = library.restore([found.document_id])
    assert back.file == "acm4198.pdf"
    assert len(library.removed_among([source_folder])) == 1
    assert library.removed_among([source_folder / "acm4198.pdf"]) == ()


def test_a_document_that_is_being_read_leaves_too(library, source_folder):
    write_datasheet(source_folder / "acm5000.pdf", "ACM5000", notes="Much to read. " * 400)
    removed = threading.Event()

    def remove_it(progress):
        for status in progress.changed:
            if status.file == "acm5000.pdf" and not removed.is_set():
                removed.set()
                library.remove([status.document_id])

    library.sync(remove_it)
    assert removed.is_set()
    assert files(library) == ["acm4197.pdf", "acm4198.pdf"]
    assert all("ACM5000" not in e.segment.text for e in library.retrieve(Question("ACM5000")))
    (row,) = library.removed()
    library.restore([row.document_id])
    library.sync(quiet)
    assert library.statuses()[2].state is DocumentState.READY


def test_an_unreadable_file_is_passed_over(library, source_folder):
    (source_folder / "gone.pdf").symlink_to(source_folder / "nowhere.pdf")
    library.sync(quiet)
    error = next(s for s in library.statuses() if s.file == "gone.pdf")
    assert library.remove([error.document_id]) == (error.document_id,)
    assert "gone.pdf" not in files(library)
    library.sync(quiet)
    assert "gone.pdf" not in files(library)


def test_a_library_open_for_reading_says_why_nothing_is_removed(library, tmp_path, embedder):
    gone = id_of(library, "acm4198.pdf")
    reader = Library.open(tmp_path / "library", read_only=True, embedder=embedder)
    try:
        with pytest.raises(LibraryError, match="reading only"):
            reader.remove([gone])
        library.remove([gone])
        assert files(reader) == ["acm4197.pdf"]
    finally:
        reader.close()


def test_details_tell_what_is_known(library, source_folder):
    status = next(s for s in library.statuses() if s.file == "acm4198.pdf")
    details = library.details(status.document_id)
    assert details.status == status
    assert details.places[0].path == str(source_folder / "acm4198.pdf")
    assert details.places[0].size_bytes == (source_folder / "acm4198.pdf").stat().st_size
    assert details.n_words > 50
    assert details.pages_without_text == ()
    assert details.seconds > 0
    assert details.kept_bytes > 0
    with pytest.raises(NotReadError):
        library.details("nothing")


def test_the_command_line_removes_restores_and_informs(
    library, tmp_path, capsys, monkeypatch, embedder
):
    library.close()
    monkeypatch.setattr("desktop_qa.library.facade.ModelProcess", lambda: HashingEmbedder())
    place = ["--library", str(tmp_path / "library"), "--json"]
    assert main(["info", "acm4198.pdf", *place]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "ready"
    assert main(["remove", "acm4198.pdf", *place]) == 0
    (row,) = json.loads(capsys.readouterr().out)["removed"]
    assert row["files"] == ["acm4198.pdf"]
    assert main(["info", "acm4198.pdf", *place]) == 1
    assert main(["restore", *place]) == 0
    assert len(json.loads(capsys.readouterr().out)["removed"]) == 1
    assert main(["restore", "acm4198", *place]) == 0
    assert json.loads(capsys.readouterr().out)["restored"][0]["files"] == ["acm4198.pdf"]
    assert main(["info", "acm4198.pdf", *place[:2]]) == 0
    assert "state: ready" in capsys.readouterr().out


@pytest.mark.process
def test_the_window_reaches_them_through_the_service(library, tmp_path):
    gone = id_of(library, "acm4198.pdf")
    library.close()
    client = ServiceClient()
    client.start()

    def ask(method, *arguments):
        number = client.request(method, *arguments)
        while True:
            message = client.receive()
            if getattr(message, "request_id", None) == number:
                assert isinstance(message, Result), message
                return message.value

    try:
        ask("open_library", str(tmp_path / "library"))
        assert ask("details", gone).n_words > 50
        assert ask("remove_documents", (gone,)) == (gone,)
        assert [row.document_id for row in ask("removed_documents")] == [gone]
        assert [s.document_id for s in ask("restore_documents", (gone,))] == [gone]
        assert ask("removed_among", (str(Path("/nowhere")),)) == ()
    finally:
        client.close()
