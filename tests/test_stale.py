"""What an earlier version read: searched as it is, and read again when that is asked for."""

import subprocess

import psutil
import pytest

from desktop_qa.core.errors import FolderError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.question import Question
from desktop_qa.library.ingest import IngestControl
from desktop_qa.library.sync import fingerprint
from tests.helpers import command_line
from tests.helpers.libraries import open_library, past_answers
from tests.helpers.pdf import datasheet, write_datasheet
from tests.library.test_library import id_of

QUESTION = "What is the typical input offset voltage of the ACM4197?"


def age(library):
    """Make all documents look as if another version had read them."""
    with library._store._database.write() as connection:
        connection.execute("UPDATE documents SET fingerprint = 'parser 0; segmenter 0; model old'")


@pytest.fixture
def aged(synced):
    age(synced)
    return synced


def test_stale_documents_stay_as_they_are_and_are_searched(aged, embedder):
    before = embedder.n_embedded
    report = aged.sync()
    assert embedder.n_embedded == before
    assert report.documents == 2
    statuses = aged.statuses()
    assert all(s.stale and s.state is DocumentState.READY for s in statuses)
    assert all(s.read_by.startswith("parser 0;") and s.read_at > 0 for s in statuses)
    assert "**25 µV**" in aged.ask(Question(QUESTION)).text
    assert aged.view().version == fingerprint()


def test_reading_stale_documents_again_is_a_request_of_its_own(aged, embedder):
    before = embedder.n_embedded
    assert len(aged.stale()) == 2
    aged.sync(read_stale=True)
    assert embedder.n_embedded == 2 * before
    assert not any(s.stale for s in aged.statuses())
    assert {s.read_by for s in aged.statuses()} == {fingerprint()}


def test_the_old_segments_answer_until_the_new_ones_are_there(aged, embedder):
    answers = []
    embedder.on_documents = lambda: answers.append(aged.ask(Question(QUESTION)).text)
    aged.sync(read_stale=True)
    assert len(answers) == 2
    assert all("**25 µV**" in text for text in answers)


def test_history_survives_reading_again(aged, source_folder):
    aged.ask(Question(QUESTION))
    before = past_answers(aged)[0].view
    aged.sync(read_stale=True)
    after = past_answers(aged)[0].view
    assert after.answer == before.answer
    assert [e.text for e in after.evidence] == [e.text for e in before.evidence]
    assert after.evidence[0].table == before.evidence[0].table


def test_history_is_told_from_its_own_words_when_the_tables_of_then_are_gone(aged):
    aged.ask(Question(QUESTION))
    before = past_answers(aged)[0].view.evidence[0]
    with aged._store._database.write() as connection:
        connection.execute("UPDATE documents SET document = NULL")
    after = past_answers(aged)[0].view.evidence[0]
    assert before.table is not None
    assert after.table is None
    assert after.text == before.text


def test_one_document_is_read_again_although_it_is_up_to_date(aged, embedder):
    aged.sync(read_stale=True)
    before = embedder.n_embedded
    aged.read_again((id_of(aged, "acm4197.pdf"),))
    assert "**25 µV**" in aged.ask(Question(QUESTION)).text
    aged.sync()
    assert before < embedder.n_embedded < 2 * before
    assert aged.sync().documents == 2


def test_a_document_whose_file_is_gone_is_kept_as_it_is(aged, source_folder, embedder):
    document_id = id_of(aged, "acm4197.pdf")
    moved = source_folder.with_name("elsewhere")
    source_folder.rename(moved)
    with pytest.raises(FolderError, match=r"acm4197\.pdf is not where it was"):
        aged.read_again((document_id,))
    assert aged.stale() == ()
    assert "**25 µV**" in aged.ask(Question(QUESTION)).text


def test_a_document_that_cannot_be_read_again_is_found_as_before(aged, monkeypatch):
    monkeypatch.setattr(aged._sync, "is_unchanged", lambda _path: False)
    report = aged.sync(read_stale=True)
    assert report.failed == ()
    assert all(s.state is DocumentState.READY and s.stale for s in aged.statuses())
    assert all("Reading it again failed." in s.reason for s in aged.statuses())
    assert "**25 µV**" in aged.ask(Question(QUESTION)).text


def test_cancelled_in_the_middle_it_goes_on_at_the_next_sync(aged):
    control = IngestControl()

    def cancel_after_one(progress):
        if progress.n_done >= 1:
            control.cancel()

    assert aged.sync(cancel_after_one, control, read_stale=True).cancelled
    states = {s.state for s in aged.statuses()}
    assert DocumentState.WAITING in states
    assert "**25 µV**" in aged.ask(Question(QUESTION)).text
    aged.sync()
    assert not any(s.stale for s in aged.statuses())


def test_figures_of_before_stay_until_the_new_ones_are_drawn(tmp_path, source_folder, embedder):
    datasheet(source_folder / "acme.pdf")
    with open_library(tmp_path / "library", source_folder, embedder=embedder) as library:
        document_id = library.statuses()[0].document_id
        (figure,) = library.structure(document_id).figures
        seen = []

        def look(_progress):
            with open(figure.image_path, "rb") as image:  # noqa: PTH123 - must raise when gone
                seen.append(len(image.read()))

        library.read_again((document_id,))
        library.sync(look)
    assert seen
    assert min(seen) > 0
    assert not list((tmp_path / "library" / "figures").glob("*.reading"))


@pytest.mark.process
def test_ingest_reads_stale_documents_again_and_goes_on_after_a_kill(tmp_path, source_folder):
    for number in range(4):
        write_datasheet(source_folder / f"acm500{number}.pdf", f"ACM500{number}")
    folder = tmp_path / "library"
    words = ("ingest", source_folder, "--library", folder)
    assert command_line.run(*words).returncode == 0
    with open_library(folder) as library:
        age(library)
    assert "Reading 4 documents again: they were read by an earlier version" in killed(words)
    with open_library(folder) as library:
        assert [s.is_indexed for s in library.statuses()] == [True] * 4
    assert command_line.run(*words).returncode == 0
    with open_library(folder) as library:
        statuses = library.statuses()
    assert [(s.state, s.stale) for s in statuses] == [(DocumentState.READY, False)] * 4


def killed(words):
    """Start a command, kill it when it has told what it is reading, and return what it said."""
    process = subprocess.Popen(
        command_line.command(*words),
        env=command_line.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    children = []
    said = ""
    for line in process.stderr:
        said += line
        if "4 documents," in line:
            children = psutil.Process(process.pid).children(recursive=True)
            process.kill()
            break
    process.stderr.close()
    process.wait()
    psutil.wait_procs(children, timeout=60)
    return said
