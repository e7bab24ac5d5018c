from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest

from desktop_qa.core.document import DocumentId, PageFailure
from desktop_qa.core.errors import DiskFullError, LibraryError, LibraryLockedError
from desktop_qa.core.folders import FileRecord
from desktop_qa.core.progress import DocumentState
from desktop_qa.index.records import TABLE_NUMBER, TEXT_NUMBER, IndexRow
from desktop_qa.index.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION
from desktop_qa.index.store import Store
from desktop_qa.paths import DATABASE_NAME
from tests.helpers.sample_documents import make_sample

A, B, C = DocumentId("a" * 16), DocumentId("b" * 16), DocumentId("c" * 16)


def index_rows(store: Store) -> list[IndexRow]:
    return [row for rows, _ in store.iter_index_parts() for row in rows]


def test_a_document_comes_back_as_it_was_saved(store):
    sample = make_sample("DQA1")
    sample.save_in(store)

    document_id = sample.document.id
    assert store.document(document_id) == sample.document
    assert store.page_words(document_id, 1) == sample.page_words[0]
    assert store.page_words(document_id, 2).words == ()
    assert store.page_words(document_id, 99).words == ()
    assert store.segments_of(document_id) == tuple(s.segment for s in sample.segments)
    ids, matrix = store.embeddings()
    assert ids == tuple(s.segment.id for s in sample.segments)
    assert np.array_equal(matrix, sample.embeddings)


def test_saving_twice_doubles_nothing_and_replaces_what_changed(store):
    make_sample("DQA1", ("one", "two", "three")).save_in(store)
    again = make_sample("DQA1", ("one", "zwei"))
    again.save_in(store)

    assert [s.text for s in store.segments_of(again.document.id)] == ["one", "zwei"]
    assert len(index_rows(store)) == 2
    assert [status.n_segments for status in store.statuses()] == [2]


def test_a_save_that_fails_in_the_middle_leaves_the_old_document_whole(store):
    make_sample("DQA1", ("one", "two")).save_in(store)
    broken = make_sample("DQA1", ("three", "four"))
    doubled = (broken.segments[0], broken.segments[0])
    with pytest.raises(sqlite3.IntegrityError):
        store.save_document(
            broken.document, (), doubled, broken.embeddings, DocumentState.READY, "f1"
        )
    assert [s.text for s in store.segments_of(broken.document.id)] == ["one", "two"]
    assert store.embeddings()[1].shape == (2, 384)


def test_index_rows_carry_terms_counts_and_keywords(store):
    sample = make_sample("DQA1", ("current current ADS1115", "warranty terms"))
    sample.save_in(store)
    first, second = index_rows(store)
    assert dict(zip(first.terms, first.counts.tolist(), strict=True)) == dict(
        sample.segments[0].terms
    )
    assert list(first.keywords) == ["ads1115"]
    assert not first.boilerplate
    assert second.boilerplate
    assert list(second.keywords) == []
    assert (first.kind, second.kind) == (TEXT_NUMBER, TABLE_NUMBER)
    assert (first.segment_id, second.ordinal) == (sample.segments[0].segment.id, 1)


def test_the_stamp_of_a_document_changes_with_what_is_stored_of_it(store):
    sample = make_sample("DQA1")
    assert store.index_stamps() == {}
    sample.save_in(store)
    make_sample("DQA2").save_in(store)
    first = store.index_stamps()
    assert list(first) == [sample.document.id, make_sample("DQA2").document.id]
    sample.save_in(store)
    second = store.index_stamps()
    assert [first[key] == second[key] for key in first] == [False, True]
    store.set_state(sample.document.id, DocumentState.FAILED, "It hangs.")
    store.remove_document(make_sample("DQA2").document.id)
    assert store.index_stamps() == {}


def test_a_library_of_the_first_version_learns_the_kinds_of_its_segments(tmp_path):
    sample = make_sample("DQA1", ("one", "two", "three"))
    with contextlib.closing(Store.open(tmp_path / "new")) as store:
        sample.save_in(store)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("ATTACH ? AS new", (str(tmp_path / "new" / DATABASE_NAME),))
        for table in ("documents", "segments", "segment_indexes"):
            columns = ", ".join(
                row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")
            )
            connection.execute(
                f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}"
            )
        connection.commit()
    with pytest.raises(LibraryError, match="older version"):
        Store.open(tmp_path, read_only=True)
    with contextlib.closing(Store.open(tmp_path)) as store:
        assert [row.kind for row in index_rows(store)] == [0, 1, 0]
        assert [row.ordinal for row in index_rows(store)] == [0, 1, 2]
        assert list(store.index_stamps()) == [sample.document.id]
        assert np.array_equal(store.embeddings()[1], sample.embeddings)


def test_rows_stand_in_the_order_of_files_and_ordinals(store):
    late, early = make_sample("ZZ9"), make_sample("AA1")
    late.save_in(store)
    early.save_in(store)
    source = store.add_source(Path("/manuals"))
    # The file names contradict the order of the ids.
    store.put_files(
        source.id,
        [
            FileRecord("a.pdf", 1, 1, late.document.id),
            FileRecord("b.pdf", 1, 1, early.document.id),
        ],
    )
    documents = [row.document_id for row in index_rows(store)]
    assert documents == [late.document.id] * 2 + [early.document.id] * 2
    assert store.embeddings()[0] == tuple(row.segment_id for row in index_rows(store))


def test_parts_hold_whole_documents_with_their_vectors(store):
    samples = [make_sample(name, ("one", "two", "three")) for name in ("A1", "B2", "C3")]
    for sample in samples:
        sample.save_in(store)
    parts = list(store.iter_index_parts(n_rows=4))
    assert [len(rows) for rows, _ in parts] == [6, 3]
    rows = [row for rows, _ in parts for row in rows]
    assert rows[4].document_id == samples[1].document.id
    vectors = np.concatenate([vectors for _, vectors in parts])
    assert np.array_equal(vectors, np.concatenate([s.embeddings for s in samples]))
    assert [row.segment_id for row in rows] == list(store.embeddings()[0])


def test_segments_are_returned_in_the_order_asked_for(store):
    sample = make_sample("DQA1", ("zero", "one", "two"))
    sample.save_in(store)
    ids = [s.segment.id for s in sample.segments]
    assert [s.text for s in store.segments((ids[2], ids[0]))] == ["two", "zero"]
    with pytest.raises(KeyError):
        store.segment(ids[0].__class__("unknown:00000"))


def test_the_same_bytes_in_two_places_are_one_document_with_two_files(store):
    source = store.add_source(Path("/manuals"))
    store.put_files(source.id, [FileRecord("x/b.pdf", 9, 1, A), FileRecord("a.pdf", 9, 2, A)])
    (status,) = store.statuses()
    assert status.files == ("a.pdf", "x/b.pdf")
    assert status.file == "a.pdf"
    assert status.path == str(Path("/manuals/a.pdf"))
    assert status.state is DocumentState.WAITING
    (pending,) = store.pending()
    assert pending.files == ("a.pdf", "x/b.pdf")
    assert pending.paths[1] == Path("/manuals/x/b.pdf")


def test_files_of_a_source_follow_the_folder(store):
    source = store.add_source(Path("/manuals"))
    assert store.add_source(Path("/manuals")) == source
    store.put_files(source.id, [FileRecord("b.pdf", 1, 1, B), FileRecord("a.pdf", 1, 1, A)])
    assert list(store.files(source.id)) == ["a.pdf", "b.pdf"]

    store.put_files(source.id, [FileRecord("a.pdf", 2, 2, C)])
    store.remove_files(source.id, ["b.pdf"])
    assert store.files(source.id) == {"a.pdf": FileRecord("a.pdf", 2, 2, C)}
    assert store.documents_without_files() == (A, B)
    for document_id in store.documents_without_files():
        store.remove_document(document_id)
    assert [s.document_id for s in store.statuses()] == [C]

    store.relocate_source(source.id, Path("/moved"))
    assert store.statuses()[0].path == str(Path("/moved/a.pdf"))


def test_unfinished_documents_wait_again_after_a_restart(store):
    source = store.add_source(Path("/manuals"))
    store.put_files(
        source.id,
        [FileRecord("3.pdf", 1, 1, A), FileRecord("2.pdf", 1, 1, B), FileRecord("1.pdf", 1, 1, C)],
    )
    store.set_state(A, DocumentState.READING)
    store.set_state(B, DocumentState.INDEXING)
    store.set_state(C, DocumentState.FAILED, "It is empty.", "Replace it.")
    assert store.pending() == ()
    store.reset_unfinished()
    assert [p.document_id for p in store.pending()] == [B, A]
    failed = store.statuses()[0]
    assert (failed.state, failed.reason, failed.hint) == (
        DocumentState.FAILED,
        "It is empty.",
        "Replace it.",
    )


def test_a_document_that_fails_is_found_no_longer(store):
    sample = make_sample("DQA1")
    sample.save_in(store)
    store.set_state(sample.document.id, DocumentState.FAILED, "It hangs.")
    assert store.embeddings()[0] == ()
    assert store.statuses()[0].n_segments == 0
    with pytest.raises(KeyError):
        store.document(sample.document.id)


def test_documents_made_by_another_parser_are_stale(store):
    make_sample("DQA1").save_in(store, "old")
    make_sample("DQA2").save_in(store, "new")
    assert [s.stale for s in store.statuses("new")] == [True, False]
    assert [s.stale for s in store.statuses()] == [False, False]


def test_status_tells_what_was_read(store):
    make_sample("DQA1").save_in(store)
    (status,) = store.statuses()
    assert (status.title, status.part_numbers, status.n_pages) == ("DQA1 Sensor", ("DQA1",), 2)
    assert status.page_failures == (PageFailure(2, "no text"),)
    assert (status.n_segments, status.n_tables, status.n_figures) == (2, 1, 0)


def test_meta_is_kept(store):
    assert store.meta("model") is None
    store.set_meta("model", "minilm")
    store.set_meta("model", "other")
    assert store.meta("model") == "other"


def test_the_library_survives_closing(tmp_path):
    store = Store.open(tmp_path)
    sample = make_sample("DQA1")
    sample.save_in(store)
    store.close()
    store.close()
    with pytest.raises(LibraryError, match="closed"):
        store.statuses()
    reopened = Store.open(tmp_path)
    assert reopened.document(sample.document.id) == sample.document
    reopened.close()


def test_many_threads_read_while_one_writes(store):
    samples = [make_sample(f"D{i}") for i in range(12)]
    done = threading.Event()

    def read() -> int:
        n_seen = 0
        while not done.is_set():
            for status in store.statuses():
                assert len(store.segments_of(status.document_id)) == 2
                n_seen += 1
        return n_seen

    with ThreadPoolExecutor(3) as readers:
        results = [readers.submit(read) for _ in range(3)]
        for sample in samples:
            sample.save_in(store)
        done.set()
    assert all(result.result() >= 0 for result in results)
    assert len(store.statuses()) == 12


_HOLD = """
import sys
from pathlib import Path
from desktop_qa.index.store import Store
store = Store.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_a_thousand_short_threads_leave_the_descriptors_where_they_were(store):
    make_sample("DQA1").save_in(store)
    store.statuses()
    process = psutil.Process()
    n_open = process.num_handles if sys.platform == "win32" else process.num_fds
    before = n_open()
    for _ in range(1000):
        thread = threading.Thread(target=store.statuses)
        thread.start()
        thread.join()

    assert n_open() <= before + 3


def test_a_read_within_a_read_has_a_connection_of_its_own(store):
    make_sample("DQA1").save_in(store)
    with store._database.read() as outer:
        assert outer.execute("SELECT 1").fetchone() == (1,)
        assert len(store.statuses()) == 1
        store.close()

    with pytest.raises(LibraryError, match="closed"):
        store.statuses()


@pytest.mark.process
def test_a_library_held_by_another_process_opens_for_reading_and_is_free_when_that_dies(tmp_path):
    first = Store.open(tmp_path)
    sample = make_sample("DQA1")
    sample.save_in(first)
    first.close()
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with holder:
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(LibraryLockedError) as caught:
            Store.open(tmp_path)
        assert caught.value.hint
        reading = Store.open(tmp_path, read_only=True)
        assert reading.read_only
        assert reading.document(sample.document.id) == sample.document
        with pytest.raises(LibraryLockedError, match="reading only"):
            reading.set_meta("a", "b")
        reading.close()
        holder.kill()
    Store.open(tmp_path).close()


def test_a_library_of_a_newer_version_is_refused_and_not_touched(tmp_path):
    Store.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / DATABASE_NAME)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    for read_only in (False, True):
        with pytest.raises(LibraryError, match="newer version") as caught:
            Store.open(tmp_path, read_only=read_only)
        assert caught.value.hint == "Update Desktop QA or make a new library."


@pytest.mark.parametrize("read_only", [False, True])
def test_a_damaged_library_says_so(tmp_path, read_only):
    (tmp_path / DATABASE_NAME).write_bytes(b"this is no database, " * 1000)
    with pytest.raises(LibraryError, match="damaged") as caught:
        Store.open(tmp_path, read_only=read_only)
    assert "backup" in caught.value.hint


def test_a_truncated_library_says_so(tmp_path):
    store = Store.open(tmp_path)
    make_sample("DQA1").save_in(store)
    store.close()
    path = tmp_path / DATABASE_NAME
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(LibraryError, match="damaged"):
        Store.open(tmp_path).statuses()


def test_the_database_of_another_program_is_left_alone(tmp_path):
    connection = sqlite3.connect(tmp_path / DATABASE_NAME)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(LibraryError, match="another program"):
        Store.open(tmp_path)


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryError, match="cannot be used") as caught:
        Store.open(tmp_path / "file" / "library")
    assert caught.value.hint


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_to_write_says_so(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(LibraryError, match="cannot be"):
        Store.open(tmp_path)


def test_reading_where_no_library_is_says_so(tmp_path):
    with pytest.raises(LibraryError, match="There is no library"):
        Store.open(tmp_path / "nothing", read_only=True)
    assert not (tmp_path / "nothing").exists()


def test_a_full_disk_is_told_and_loses_nothing(store):
    make_sample("DQA1").save_in(store)
    with store._database.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    store._database._writer.execute(f"PRAGMA max_page_count = {pages}")
    big = make_sample("DQA2", tuple(f"word{i} " * 2000 for i in range(30)))
    with pytest.raises(DiskFullError) as caught:
        big.save_in(store)
    assert "space" in caught.value.hint
    assert [s.title for s in store.statuses()] == ["DQA1 Sensor"]

    store._database._writer.execute("PRAGMA max_page_count = 1000000")
    big.save_in(store)
    assert sum(status.n_segments for status in store.statuses()) == 32
