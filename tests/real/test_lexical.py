"""BM25 over real datasheet pages against its definition, rank-bm25."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pymupdf
import pytest
from rank_bm25 import BM25Okapi

from desktop_qa.index.lexical import LexicalIndex, terms_of
from tests.helpers.index_states import part_of, rows_of_terms, state_of

pytestmark = pytest.mark.real

FILES = ("BOSCH_BME280.pdf", "ADI_ADUM1100.pdf")


def test_real_pages_score_as_in_rank_bm25(shared):
    corpus: list[list[str]] = []
    for name in FILES:
        with pymupdf.open(shared / "library" / name) as document:
            corpus += [terms_of(page.get_text()) for page in document]
    parts = [part_of(rows_of_terms(f"{i:016x}", [terms])) for i, terms in enumerate(corpus)]
    index = LexicalIndex(state_of(parts))
    oracle = BM25Okapi(corpus, k1=1.5, b=0.75, epsilon=0.25)
    bank = (shared / "eval" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    for line in bank[:60]:
        query = terms_of(json.loads(line)["question"])
        weights = {term: float(count) for term, count in Counter(query).items()}
        assert np.allclose(index.scores(weights), oracle.get_scores(query), atol=1e-4)
