"""Vectors of another model: never compared, and made anew without reading a file."""

import contextlib
import logging
import shutil

import numpy as np
import pytest

from desktop_qa.core.answer import Route
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.question import Question
from desktop_qa.index.embedder import MODEL_FINGERPRINT, differs_in_model_only, embedding_model
from desktop_qa.index.part_files import FOLDER_NAME as INDEX_FOLDER
from desktop_qa.index.vectors import FOLDER_NAME as CHROMA_FOLDER
from desktop_qa.index.vectors import VectorIndex
from desktop_qa.library.ingest import IngestControl
from desktop_qa.library.sync import fingerprint
from desktop_qa.retrieve import search_index
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet

QUESTION = "What is the typical input offset voltage of the ACM4197?"


class _OtherEmbedder(HashingEmbedder):
    """A model with other dimensions in another order."""

    def embed_query(self, text, is_cancelled=lambda: False):
        return super().embed_query(text)[::-1].copy()


@pytest.fixture
def folder(tmp_path, source_folder):
    """A library whose first document was embedded by another model."""
    folder = tmp_path / "library"
    write_datasheet(source_folder / "acm4197.pdf")
    with open_library(folder, source_folder, embedder=_OtherEmbedder()):
        pass
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="60")
    with open_library(folder) as library:
        library.sync()
        old = fingerprint().replace(MODEL_FINGERPRINT, "another/1.0")
        with library._store._database.write() as connection:
            connection.execute(
                "UPDATE documents SET fingerprint = ? WHERE id ="
                " (SELECT document_id FROM files WHERE path = 'acm4197.pdf')",
                (old,),
            )
    # The index of a program with another model has another version.
    shutil.rmtree(folder / INDEX_FOLDER)
    return folder


@pytest.fixture
def library(folder):
    with open_library(folder) as opened:
        yield opened


def similarities(library, file):
    (document_id,) = (s.document_id for s in library.statuses() if s.file == file)
    snapshot = library._loaded_index().snapshot()
    scores = snapshot.vector_scores(library._embedder.embed_query(QUESTION))
    return scores[snapshot.state.mask_of((document_id,))]


def test_fingerprints_tell_the_model_apart():
    assert embedding_model(fingerprint()) == MODEL_FINGERPRINT
    assert embedding_model("f1") == ""
    assert differs_in_model_only("parser 1; model a", f"parser 1; model {MODEL_FINGERPRINT}")
    assert not differs_in_model_only("parser 0; model a", f"parser 1; model {MODEL_FINGERPRINT}")
    assert not differs_in_model_only(fingerprint(), fingerprint())


def test_vectors_of_another_model_are_found_by_words_alone(library):
    assert not similarities(library, "acm4197.pdf").any()
    assert similarities(library, "acm4198.pdf").any()
    assert [s.other_model for s in library.statuses()] == [True, False]
    best = library.retrieve(Question(QUESTION))[0]
    assert best.segment.document_id == library.statuses()[0].document_id
    assert {hit.score for hit in best.hits if hit.route is Route.VECTOR} == {0.0}
    assert "**25 µV**" in library.ask(Question(QUESTION)).text


def test_embedding_again_reads_no_file(library, source_folder):
    before = library.statuses()[0]
    elsewhere = source_folder.with_name("elsewhere")
    source_folder.rename(elsewhere)
    assert [s.file for s in library.stale()] == ["acm4197.pdf"]
    library.read_again((before.document_id,))
    assert library.statuses()[0].state is DocumentState.WAITING
    assert "**25 µV**" in library.ask(Question(QUESTION)).text
    elsewhere.rename(source_folder)
    told = []
    library.sync(lambda progress: told.append(progress.activity))
    assert not any("Reading" in activity for activity in told)
    n = before.n_segments
    assert f"Embedding 0 of {n} segments of acm4197.pdf again" in told
    after = library.statuses()[0]
    assert (after.state, after.stale, after.other_model) == (before.state, False, False)
    assert (after.read_by, after.reason) == (fingerprint(), before.reason)
    expected = [
        HashingEmbedder().embed_query(text)
        for text in library._store.embedded_texts(after.document_id)
    ]
    question = HashingEmbedder().embed_query(QUESTION)
    assert np.allclose(similarities(library, "acm4197.pdf"), expected @ question, atol=1e-5)


def test_an_ingest_embeds_again_and_nothing_else(library):
    n_segments = library.statuses()[0].n_segments
    library.sync()
    assert library._embedder.n_embedded == 0
    library.sync(read_stale=True)
    assert library._embedder.n_embedded == n_segments
    assert library.stale() == ()
    library._index.check_chroma()
    ids, _ = library._store.embeddings()
    assert library._index._chroma.ids() == set(ids)
    library.close()
    with open_library(library.folder) as again:
        assert similarities(again, "acm4197.pdf").any()


def test_embedding_again_is_stopped_and_goes_on(library, monkeypatch):
    monkeypatch.setattr("desktop_qa.library.sync.EMBEDDING_STEP", 2)
    control = IngestControl()
    library._embedder.on_documents = control.cancel
    report = library.sync(control=control, read_stale=True)
    assert report.cancelled
    assert library.statuses()[0].state is DocumentState.WAITING
    library._embedder.on_documents = lambda: None
    library.sync()
    assert library.statuses()[0].state is DocumentState.READY
    assert not any(s.stale for s in library.statuses())


def test_chroma_holds_no_vector_of_another_model(library):
    library.sync()
    foreign, own = (s.document_id for s in library.statuses())
    held = {key.split(":")[0] for key in library._index._chroma.ids()}
    assert held == {own}
    assert foreign not in held


@pytest.mark.parametrize("damage", ["missing", "garbage"])
def test_the_vector_index_is_rebuilt_with_progress_while_questions_are_answered(
    folder, monkeypatch, damage, caplog
):
    monkeypatch.setattr("desktop_qa.index.vectors.REPAIR_STEP", 2)
    monkeypatch.setattr(search_index, "MAX_EXACT_SEGMENTS", 0)
    with open_library(folder) as library:
        library.sync(read_stale=True)
    if damage == "missing":
        shutil.rmtree(folder / CHROMA_FOLDER)
    else:
        (folder / CHROMA_FOLDER / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with open_library(folder) as library:
        expected = similarities(library, "acm4197.pdf")
        seen = []

        def look(progress):
            if progress.activity.startswith("Rebuilding"):
                seen.append(progress.activity)
                assert np.array_equal(similarities(library, "acm4197.pdf"), expected)
                assert "**25 µV**" in library.ask(Question(QUESTION)).text

        with caplog.at_level(logging.WARNING):
            library.sync(look)
        n = len(library._store.embeddings()[0])
        assert seen[0] == "Rebuilding the vector index, 0 %"
        assert seen[1] == f"Rebuilding the vector index, {200 // n} %"
        assert seen[-1] == "Rebuilding the vector index, 100 %"
        assert library._index.nearest(library._embedder.embed_query(QUESTION))
        library.sync(seen.append)
    with contextlib.closing(VectorIndex(folder)) as vectors:
        assert vectors.count() == n


def test_a_rebuild_of_the_vector_index_is_stopped_and_goes_on(folder, monkeypatch):
    monkeypatch.setattr("desktop_qa.index.vectors.REPAIR_STEP", 1)
    shutil.rmtree(folder / CHROMA_FOLDER)
    with open_library(folder) as library:
        control = IngestControl()
        report = library.sync(lambda _: control.cancel(), control)
        assert report.cancelled
        assert library._index.nearest(library._embedder.embed_query(QUESTION)) is None
        assert "**25 µV**" in library.ask(Question(QUESTION)).text
        library.sync()
        assert library._index.nearest(library._embedder.embed_query(QUESTION))
