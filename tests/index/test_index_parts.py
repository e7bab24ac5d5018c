"""The indexes on disk mirror the store, whatever happened to them meanwhile."""

from __future__ import annotations

import contextlib
import logging
import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentState
from desktop_qa.index import index_parts
from desktop_qa.index.index_parts import IndexParts
from desktop_qa.index.index_state import IndexState
from desktop_qa.index.keywords import KeywordIndex
from desktop_qa.index.lexical import LexicalIndex
from desktop_qa.index.part_files import FOLDER_NAME
from desktop_qa.index.records import IndexRow
from desktop_qa.index.store import Store
from desktop_qa.index.vectors import exact_similarities
from tests.helpers.sample_documents import SampleDocument, make_sample

TERMS = {"current": 1.0, "dqa1": 2.0, "warranti": 1.0, "pin": 1.0}
QUESTION = make_sample("B2").embeddings[0]

Answers = dict[str, tuple[float, ...]]


def _samples(n: int) -> list[SampleDocument]:
    return [
        make_sample(f"D{i}", tuple(f"current {i} pin {j * i} C{j} DQA1" for j in range(3 + i % 4)))
        for i in range(n)
    ]


def _save(store: Store, parts: IndexParts, sample: SampleDocument) -> None:
    sample.save_in(store)
    rows = [IndexRow.of(indexed) for indexed in sample.segments]
    parts.replace(sample.document.id, rows, sample.embeddings)


def _answers(state: IndexState) -> Answers:
    """Everything the state says of each segment, whatever row it is in."""
    columns = (
        LexicalIndex(state).scores(TERMS).round(4),
        KeywordIndex(state).matches(["c1", "dqa1"]),
        exact_similarities(state, QUESTION).round(5),
        state.kinds,
        state.ordinals,
        state.boilerplate,
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return dict(zip(state.segment_ids(), rows, strict=True))


def _from_the_store_alone(store: Store, tmp_path: Path) -> Answers:
    """What an index says that was never on a disk."""
    copy = tmp_path / "copy"
    shutil.copytree(store.folder, copy, ignore=shutil.ignore_patterns(FOLDER_NAME))
    with contextlib.closing(Store.open(copy, read_only=True)) as copied:
        parts = IndexParts(copied)
        parts.load()
        assert not (copy / FOLDER_NAME).exists()
        found = _answers(parts.state)
    shutil.rmtree(copy)
    return found


def _reopened(store: Store) -> IndexState:
    parts = IndexParts(store)
    parts.load()
    return parts.state


def _files(store: Store) -> list[Path]:
    return sorted((store.folder / FOLDER_NAME).iterdir())


@pytest.fixture
def filled(store) -> tuple[Store, IndexParts]:
    parts = IndexParts(store)
    parts.load()
    for sample in _samples(14):
        _save(store, parts, sample)
    return store, parts


def test_what_is_reopened_answers_as_what_was_closed(filled, tmp_path):
    store, parts = filled
    _save(store, parts, make_sample("D3", ("current changed", "pin DQA1 C1")))
    for name in ("D5", "D0"):
        gone = make_sample(name).document.id
        parts.remove((gone,))
        store.remove_document(gone)
    expected = _from_the_store_alone(store, tmp_path)
    assert _answers(parts.state) == expected
    files = _files(store)
    assert _answers(_reopened(store)) == expected
    assert _files(store) == files
    assert len(files) == len(parts.state.parts) < 6


def test_only_what_changed_meanwhile_is_built(filled, tmp_path, caplog):
    store, _ = filled
    before = set(_files(store))
    make_sample("D4", ("quite another text",)).save_in(store)
    make_sample("X1", ("a new document", "DQA1")).save_in(store)
    store.remove_document(make_sample("D2").document.id)
    with caplog.at_level(logging.INFO, "desktop_qa.index.index_parts"):
        state = _reopened(store)
    assert caplog.messages == ["The indexes of 2 documents are built"]
    assert _answers(state) == _from_the_store_alone(store, tmp_path)
    assert len(set(_files(store)) - before) == 1
    assert state.stamps() == store.index_stamps()


def test_what_the_store_was_told_behind_the_back_of_the_index_is_caught_up_with(filled, tmp_path):
    store, parts = filled
    make_sample("D4", ("quite another text",)).save_in(store)
    store.set_state(make_sample("D1").document.id, DocumentState.FAILED, "It hangs.")
    parts.catch_up()
    assert _answers(parts.state) == _from_the_store_alone(store, tmp_path)
    state = parts.state
    parts.catch_up()
    assert parts.state is state


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "deleted", "foreign"])
def test_a_damaged_file_is_built_anew(filled, tmp_path, damage):
    store, parts = filled
    expected = _answers(parts.state)
    for path in _files(store)[::2]:
        content = bytearray(path.read_bytes())
        if damage == "cut":
            path.write_bytes(content[: len(content) // 2])
        elif damage == "flipped":
            content[len(content) // 2] ^= 0xFF
            path.write_bytes(content)
        elif damage == "emptied":
            path.write_bytes(b"")
        elif damage == "deleted":
            path.unlink()
        else:
            path.write_bytes(b"of another program " * 100)
    (store.folder / FOLDER_NAME / "00000099-x.writing").write_bytes(b"half")
    assert _answers(_reopened(store)) == expected == _from_the_store_alone(store, tmp_path)
    assert all(path.suffix == ".part" for path in _files(store))
    assert _answers(_reopened(store)) == expected


def test_a_kill_between_two_files_doubles_nothing(filled):
    store, parts = filled
    expected = _answers(parts.state)
    first = _files(store)[0]
    shutil.copy(first, first.with_name(first.name.replace("-", "-a")))
    assert _answers(_reopened(store)) == expected
    assert len(_files(store)) == len(parts.state.parts)


def test_another_process_reads_the_same_files_and_writes_none(filled):
    store, parts = filled
    expected = _answers(parts.state)
    with contextlib.closing(Store.open(store.folder, read_only=True)) as reading:
        files = _files(store)
        state = _reopened(reading)
        assert [one.path for one in state.parts] == files
        # The writer goes on: the reader keeps what it has mapped, and finds the new when it looks.
        for sample in _samples(14):
            _save(store, parts, make_sample(sample.document.title.split()[0], ("all new",)))
        assert _answers(state) == expected
        assert not set(files) & set(_files(store))
        assert _answers(_reopened(reading)) == _answers(parts.state)


def test_large_parts_are_never_joined(store, tmp_path, monkeypatch):
    monkeypatch.setattr(index_parts, "MAX_PART_ROWS", 12)
    parts = IndexParts(store)
    parts.load()
    for sample in _samples(16):
        _save(store, parts, sample)
    assert max(one.n_rows for one in parts.state.parts) <= 12
    expected = _from_the_store_alone(store, tmp_path)
    assert _answers(parts.state) == expected
    shutil.rmtree(store.folder / FOLDER_NAME)
    state = _reopened(store)
    assert len(state.parts) > 3
    assert _answers(state) == expected


def test_a_part_that_lost_many_rows_is_written_anew(filled):
    store, parts = filled
    for sample in _samples(14)[:9]:
        parts.remove((sample.document.id,))
        store.remove_document(sample.document.id)
    assert all(4 * one.n_rows >= 3 * len(one.part) for one in parts.state.parts)
    for sample in _samples(14)[9:]:
        parts.remove((sample.document.id,))
    assert parts.state.parts == ()
    assert _files(store) == []


def test_a_folder_that_cannot_be_written_costs_only_the_next_start(store, tmp_path, caplog):
    parts = IndexParts(store)
    parts.load()
    (store.folder / FOLDER_NAME).write_text("in the way")
    with caplog.at_level(logging.WARNING):
        _save(store, parts, make_sample("D1"))
    assert "not kept on disk" in caplog.text
    assert _answers(parts.state) == _from_the_store_alone(store, tmp_path)


def test_vectors_of_another_model_are_compared_with_nothing(store):
    old, new = make_sample("D1"), make_sample("D2")
    old.save_in(store, "parser 1; segmenter 1; model another/2.0")
    new.save_in(store)
    make_sample("D3", ("one", "two", "three")).save_in(store)
    state = _reopened(store)
    assert state.has_vectors().tolist() == [False, False, *[True] * 5]
    assert exact_similarities(state, old.embeddings[0])[:2].tolist() == [0.0, 0.0]
    assert LexicalIndex(state).scores({"current": 1.0})[0] > 0
    assert store.documents_of_other_models() == {old.document.id}


def test_vectors_of_another_length_are_compared_with_nothing(store):
    sample = make_sample("D1")
    store.save_document(
        sample.document,
        (),
        sample.segments,
        np.ones((2, 100), np.float32),
        DocumentState.READY,
        "f1",
    )
    assert not _reopened(store).has_vectors().any()


def test_a_store_that_cannot_be_read_says_so(store):
    store.close()
    with pytest.raises(LibraryError, match="closed"):
        IndexParts(store).load()
