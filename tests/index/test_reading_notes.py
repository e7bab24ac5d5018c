"""Notes of documents that stand beside their rows."""

from dataclasses import replace

import pytest

from desktop_qa.core.document import DocumentId, Doubt, ReadingScore
from desktop_qa.core.folders import FileRecord
from desktop_qa.index.reading_notes import ReadingNote
from tests.helpers.sample_documents import make_sample

ONE, OTHER = DocumentId("1" * 16), DocumentId("2" * 16)


@pytest.fixture
def store(store, tmp_path):
    source = store.add_source(tmp_path)
    store.put_files(source.id, [FileRecord("a.pdf", 1, 1, ONE), FileRecord("b.pdf", 1, 1, OTHER)])
    return store


def test_a_note_gives_the_list_its_date(store):
    store.note_reading(ONE, ReadingNote("2018-03", 4.5))
    assert store.reading_note(ONE) == ReadingNote("2018-03", 4.5)
    assert store.reading_note(OTHER) == ReadingNote()
    assert [status.date for status in store.statuses()] == ["2018-03", ""]
    assert store.status(ONE).date == "2018-03"


def test_a_note_leaves_with_its_document(store):
    store.note_reading(ONE, ReadingNote("2018-03"))
    store.remove_document(ONE)
    assert store.reading_notes() == {}


def test_other_notes_of_the_library_are_no_notes_of_documents(store):
    store.set_meta("read_later", "x")
    store.set_meta("reading", "y")
    assert store.reading_notes() == {}


def test_a_note_of_another_version_is_as_good_as_none(store):
    store.set_meta(f"read:{ONE}", "[1, 2")
    assert store.reading_note(ONE) == ReadingNote()
    assert store.statuses()[0].date == ""


def test_hidden_documents_are_in_no_list_and_come_back_whole(store):
    before = store.statuses()
    assert store.hide_documents([ONE, DocumentId("unknown")]) == (ONE,)
    assert [status.document_id for status in store.statuses()] == [OTHER]
    assert store.status(ONE) is None
    assert store.documents_without_files() == ()
    assert [row.document_id for row in store.pending()] == [OTHER]
    (removed,) = store.removed_documents()
    assert (removed.name, removed.is_kept) == ("a.pdf", True)
    assert store.unhide_documents([ONE]) == (ONE,)
    assert store.statuses() == before
    assert store.removed_documents() == ()


def test_the_list_says_how_well_a_document_was_read_and_where_it_was_not(store):
    doubts = (Doubt(3, "Table 1: 9 of 12 cells may stand elsewhere"),)
    for document_id, score in ((ONE, 0.4), (OTHER, 0.97)):
        document = replace(make_sample("one").document, reading=ReadingScore(score, doubts))
        store.note_reading(document_id, ReadingNote.of(document))
    readings = [status.reading for status in store.statuses()]
    # Doubts of what was read well would make the list of a large library slow.
    assert readings == [ReadingScore(0.4, doubts), ReadingScore(0.97)]
    assert store.status(ONE).reading.doubtful_pages == [3]


def test_a_note_without_a_score_is_of_an_earlier_version(store):
    store.set_meta(f"read:{ONE}", '{"date": "2018-03", "seconds": 1.5}')
    assert store.reading_note(ONE) == ReadingNote("2018-03", 1.5)
    assert not store.status(ONE).is_doubtful
