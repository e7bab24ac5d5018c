from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from desktop_qa.evaluate.bank import EvidenceItem, GoldQuestion
from desktop_qa.evaluate.baselines import run_baselines
from desktop_qa.evaluate.corpus import indexed_documents
from desktop_qa.evaluate.report import report_json
from desktop_qa.evaluate.systems import System, systems_json, systems_markdown
from desktop_qa.index.store import Store
from tests.helpers.hashing_embedder import HashingEmbedder


def _question(name: str, text: str, file: str, contains: str) -> GoldQuestion:
    return GoldQuestion(
        name, text, "fact", answer_any=("x",), evidence=(EvidenceItem(file, 1, contains),)
    )


_BANK = (
    _question("Q1", "How to calibrate the amplifier: short both inputs?", "acm4197.pdf", "short"),
    _question("Q2", "Quiescent current with no load", "acm4198.pdf", "Quiescent current"),
    _question("Q3", "What?", "gone.pdf", "x"),
    GoldQuestion("N1", "weather", "negative", negative=True),
)


@pytest.fixture
def systems(sheets_library) -> Iterator[list[System]]:
    store = Store.open(sheets_library, read_only=True)
    said: list[str] = []
    documents = indexed_documents(store.statuses())
    yield run_baselines(_BANK, store, documents, HashingEmbedder(), said.append)
    store.close()
    assert len(said) == 3


def test_every_baseline_ranks_the_same_questions(systems):
    assert [system.name for system in systems] == [
        "page retrieval",
        "100-word chunks",
        "1000/100 chunks, vector",
        "1000/100 chunks, BM25",
        "1000/100 chunks, RRF",
    ]
    for system in systems:
        figures = report_json(system.report)
        assert figures["n"] == 2
        assert figures["unlocated"] == 0.0
        assert figures["answer_score"] is None
        assert figures["missing_files"] == [{"id": "Q3", "file": "gone.pdf"}]
        # Each of the two sheets is a page, and every chunk of it names the other's words too.
        assert figures["hit@5"] == 1.0


def test_page_that_is_longer_than_the_model_reads_counts_as_a_whole(sheets_library):
    class Recording(HashingEmbedder):
        def embed_documents(self, texts, is_cancelled=lambda: False):
            self.lengths.append(len(texts))
            vectors = super().embed_documents(texts, is_cancelled)
            assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
            return vectors

        def __init__(self) -> None:
            super().__init__()
            self.lengths: list[int] = []

    store = Store.open(sheets_library, read_only=True)
    embedder = Recording()
    documents = indexed_documents(store.statuses())
    pages, *_ = run_baselines(_BANK[:2], store, documents, embedder, lambda text: None)
    store.close()
    assert embedder.lengths[0] >= pages.report.n_segments == 2


def test_table_shows_each_baseline_and_its_difference(systems):
    text = systems_markdown(systems)
    assert text.count("1000/100 chunks, RRF") == 2
    rows = systems_json(systems)
    assert "difference" not in rows[0]
    assert set(rows[1]["difference"]["hit@1"]) == {"mean", "interval"}
