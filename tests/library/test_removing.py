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
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet
from tests.library.test_library import files, id_of

QUESTION = "What is the typical input offset voltage of the ACM4198?"


def test_a_removed_document_leaves_lists_and_answers_at_once(synced, source_folder):
    gone = id_of(synced, "acm4198.pdf")
    assert synced.remove([gone]) == (gone,)
    assert files(synced) == ["acm4197.pdf"]
    answer = synced.ask(Question(QUESTION))
    assert all(citation.document_id != gone for citation in answer.citations)
    assert all(item.segment.document_id != gone for item in answer.evidence)
    assert "60" not in answer.text
    assert (source_folder / "acm4198.pdf").is_file()


def test_undo_brings_it_back_without_reading_it_again(synced, embedder):
    before = next(s for s in synced.statuses() if s.file == "acm4198.pdf")
    synced.remove([before.document_id])
    n_embedded = embedder.n_embedded
    (back,) = synced.restore([before.document_id])
    assert back == before
    changed: list[str] = []
    synced.sync(lambda progress: changed.extend(s.state.value for s in progress.changed))
    assert "reading" not in changed
    assert embedder.n_embedded == n_embedded
    answer = synced.ask(Question(QUESTION))
    assert answer.status is AnswerStatus.ANSWERED
    assert "**60 µV**" in answer.text
    assert synced.removed() == ()


def test_sync_passes_it_over_also_after_it_changed(synced, source_folder):
    synced.remove([id_of(synced, "acm4198.pdf")])
    synced.sync()
    assert files(synced) == ["acm4197.pdf"]
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="75")
    synced.sync()
    assert files(synced) == ["acm4197.pdf"]


def test_it_stays_removed_when_the_library_is_opened_again(synced, tmp_path):
    gone = id_of(synced, "acm4198.pdf")
    synced.remove([gone])
    synced.close()
    with open_library(tmp_path / "library") as again:
        assert files(again) == ["acm4197.pdf"]
        (row,) = again.removed()
        assert (row.files, row.is_kept) == (("acm4198.pdf",), False)
        again.sync()
        assert files(again) == ["acm4197.pdf"]
        assert again.restore([gone]) == ()
        again.sync()
        assert files(again) == ["acm4197.pdf", "acm4198.pdf"]
        assert "**60 µV**" in again.ask(Question(QUESTION)).text


def test_what_a_killed_process_hid_is_deleted_by_the_next(synced, tmp_path):
    gone = id_of(synced, "acm4198.pdf")
    synced.remove([gone])
    synced._store.close()  # as when the process is killed: nothing is tidied
    with open_library(tmp_path / "library") as again:
        assert not again.removed()[0].is_kept
        assert files(again) == ["acm4197.pdf"]
        assert not (tmp_path / "library" / "markdown" / f"{gone}.md").exists()
        assert all(e.segment.document_id != gone for e in again.retrieve(Question(QUESTION)))


def test_both_places_of_the_same_bytes_are_removed_and_come_back(synced, source_folder):
    shutil.copy(source_folder / "acm4198.pdf", source_folder / "copy.pdf")
    synced.sync()
    gone = id_of(synced, "copy.pdf")
    synced.remove([gone])
    synced.sync()
    assert files(synced) == ["acm4197.pdf"]
    (back,) = synced.restore([gone])
    assert set(back.files) == {"acm4198.pdf", "copy.pdf"}


def test_a_copy_put_elsewhere_by_hand_brings_it_back(synced, source_folder):
    synced.remove([id_of(synced, "acm4198.pdf")])
    shutil.copy(source_folder / "acm4198.pdf", source_folder / "again.pdf")
    synced.sync()
    assert files(synced) == ["acm4197.pdf", "again.pdf"]
    assert "**60 µV**" in synced.ask(Question(QUESTION)).text


def test_a_file_added_by_hand_returns(synced, source_folder):
    synced.remove([id_of(synced, name) for name in ("acm4197.pdf", "acm4198.pdf")])
    (found,) = synced.removed_among([source_folder / "acm4198.pdf"])
    assert found.files == ("acm4198.pdf",)
    (back,) = synced.restore([found.document_id])
    assert back.file == "acm4198.pdf"
    assert len(synced.removed_among([source_folder])) == 1
    assert synced.removed_among([source_folder / "acm4198.pdf"]) == ()


def test_a_document_that_is_being_read_leaves_too(synced, source_folder):
    write_datasheet(source_folder / "acm5000.pdf", "ACM5000", notes="Much to read. " * 400)
    removed = threading.Event()

    def remove_it(progress):
        for status in progress.changed:
            if status.file == "acm5000.pdf" and not removed.is_set():
                removed.set()
                synced.remove([status.document_id])

    synced.sync(remove_it)
    assert removed.is_set()
    assert files(synced) == ["acm4197.pdf", "acm4198.pdf"]
    assert all("ACM5000" not in e.segment.text for e in synced.retrieve(Question("ACM5000")))
    (row,) = synced.removed()
    synced.restore([row.document_id])
    synced.sync()
    assert synced.statuses()[2].state is DocumentState.READY


def test_an_unreadable_file_is_passed_over(synced, source_folder):
    (source_folder / "gone.pdf").symlink_to(source_folder / "nowhere.pdf")
    synced.sync()
    error = next(s for s in synced.statuses() if s.file == "gone.pdf")
    assert synced.remove([error.document_id]) == (error.document_id,)
    assert "gone.pdf" not in files(synced)
    synced.sync()
    assert "gone.pdf" not in files(synced)


def test_a_library_open_for_reading_says_why_nothing_is_removed(synced, tmp_path):
    gone = id_of(synced, "acm4198.pdf")
    with open_library(tmp_path / "library", read_only=True) as reader:
        with pytest.raises(LibraryError, match="reading only"):
            reader.remove([gone])
        synced.remove([gone])
        assert files(reader) == ["acm4197.pdf"]


def test_details_tell_what_is_known(synced, source_folder):
    status = next(s for s in synced.statuses() if s.file == "acm4198.pdf")
    details = synced.details(status.document_id)
    assert details.status == status
    assert details.places[0].path == str(source_folder / "acm4198.pdf")
    assert details.places[0].size_bytes == (source_folder / "acm4198.pdf").stat().st_size
    assert details.n_words > 50
    assert details.pages_without_text == ()
    assert details.seconds > 0
    assert details.kept_bytes > 0
    with pytest.raises(NotReadError):
        synced.details("nothing")


def test_the_command_line_removes_restores_and_informs(
    synced, tmp_path, capsys, monkeypatch, embedder
):
    synced.close()
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
def test_the_window_reaches_them_through_the_service(synced, tmp_path, client):
    gone = id_of(synced, "acm4198.pdf")
    synced.close()
    client.ask("open_library", str(tmp_path / "library"))
    assert client.ask("details", gone).n_words > 50
    assert client.ask("remove_documents", (gone,)) == (gone,)
    assert [row.document_id for row in client.ask("removed_documents")] == [gone]
    assert [s.document_id for s in client.ask("restore_documents", (gone,))] == [gone]
    assert client.ask("removed_among", (str(Path("/nowhere")),)) == ()
