"""Notes of documents that stand beside their rows."""

from __future__ import annotations

import pytest

from desktop_qa.core.document import DocumentId
from desktop_qa.index.reading_notes import ReadingNote
from desktop_qa.index.records import FileRecord
from desktop_qa.index.store import Store

ONE, OTHER = DocumentId("1" * 16), DocumentId("2" * 16)


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "library")
    source = opened.add_source(tmp_path)
    opened.put_files(source.id, [FileRecord("a.pdf", 1, 1, ONE), FileRecord("b.pdf", 1, 1, OTHER)])
    yield opened
    opened.close()


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
