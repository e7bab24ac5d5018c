from __future__ import annotations

import numpy as np
import pytest

from desktop_qa.core.errors import Cancelled, LibraryError
from desktop_qa.evaluate import embedding_cache
from desktop_qa.evaluate.embedding_cache import CachedEmbedder
from tests.helpers.hashing_embedder import HashingEmbedder

_TEXTS = ["supply current", "offset voltage", "supply current", ""]


def test_text_is_embedded_once_and_comes_back_the_same_in_the_next_run(tmp_path):
    model = HashingEmbedder()
    expected = model.embed_documents(_TEXTS)
    model.n_embedded = 0
    first = CachedEmbedder(tmp_path / "v.sqlite3", model)
    assert np.array_equal(first.embed_documents(_TEXTS), expected)
    assert model.n_embedded == first.n_embedded == 3
    first.end()
    second = CachedEmbedder(tmp_path / "v.sqlite3", model)
    assert np.array_equal(second.embed_documents(_TEXTS[::-1]), expected[::-1])
    assert np.array_equal(second.embed_query("offset voltage"), expected[1])
    assert model.n_embedded == 3
    second.end()


def test_vectors_of_another_model_are_not_taken(tmp_path, monkeypatch):
    model = HashingEmbedder()
    for name in ("one", "two"):
        monkeypatch.setattr(embedding_cache, "MODEL_FINGERPRINT", name)
        cache = CachedEmbedder(tmp_path / "v.sqlite3", model)
        cache.embed_documents(["supply current"])
        cache.end()
    assert model.n_embedded == 2


def test_known_vectors_are_kept_without_embedding(tmp_path):
    model = HashingEmbedder()
    cache = CachedEmbedder(tmp_path / "v.sqlite3", model)
    vectors = np.eye(2, 384, dtype=np.float32)
    cache.keep(["a", "b"], vectors)
    assert np.array_equal(cache.embed_documents(["b", "a"]), vectors[::-1])
    assert model.n_embedded == 0
    cache.end()


def test_what_was_embedded_before_a_cancel_is_kept(tmp_path):
    class Stopping(HashingEmbedder):
        def embed_documents(self, texts, is_cancelled=lambda: False):
            if self.n_embedded:
                raise Cancelled
            return super().embed_documents(texts, is_cancelled)

    texts = [f"text {number:03}" for number in range(100)]
    cache = CachedEmbedder(tmp_path / "v.sqlite3", Stopping())
    with pytest.raises(Cancelled):
        cache.embed_documents(texts)
    n_kept = cache.n_embedded
    cache.end()
    seen: list[tuple[int, int]] = []
    model = HashingEmbedder()
    again = CachedEmbedder(tmp_path / "v.sqlite3", model, lambda *at: seen.append(at))
    again.embed_documents(texts)
    assert 0 < n_kept < 100
    assert model.n_embedded == 100 - n_kept
    assert seen[-1] == (100 - n_kept, 100 - n_kept)
    again.end()


def test_library_that_closes_its_embedder_leaves_the_cache_open(tmp_path):
    cache = CachedEmbedder(tmp_path / "v.sqlite3", HashingEmbedder())
    cache.close()
    assert cache.embed_documents([]).shape == (0, 384)
    assert cache.embed_query("x").shape == (384,)
    cache.end()


def test_cache_that_cannot_be_opened_says_so(tmp_path):
    (tmp_path / "v.sqlite3").write_text("no database at all, and long enough to be looked at" * 9)
    with pytest.raises(LibraryError, match="Delete it"):
        CachedEmbedder(tmp_path / "v.sqlite3", HashingEmbedder())
