"""BM25 against its definition: rank-bm25."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from desktop_qa.core.document import DocumentId
from desktop_qa.index.index_state import IndexState, LivePart
from desktop_qa.index.lexical import LexicalIndex
from desktop_qa.index.part import Part
from desktop_qa.index.part_files import PartFiles
from tests.helpers.index_states import part_of, rows_of_terms, state_of


def _index(corpus: Sequence[Sequence[str]]) -> LexicalIndex:
    return LexicalIndex(state_of([part_of(rows_of_terms("d" * 16, corpus))]))


def _random_corpus(seed: int, n: int, vocabulary: int) -> list[list[str]]:
    generator = random.Random(seed)
    # A few terms in more than half of the segments, so that the floor of the idf matters.
    return [
        [f"t{int(vocabulary * generator.random() ** 4)}" for _ in range(generator.randint(5, 80))]
        for _ in range(n)
    ]


@pytest.mark.parametrize(("seed", "n", "vocabulary"), [(1, 400, 3000), (2, 50, 20), (3, 3, 5)])
def test_scores_are_those_of_rank_bm25(seed, n, vocabulary):
    corpus = _random_corpus(seed, n, vocabulary)
    oracle = BM25Okapi(corpus, k1=1.5, b=0.75, epsilon=0.25)
    index = _index(corpus)
    for query in (["t0"], ["t1", "t7"], ["t0", "t0", "t3", "unknown"], ["t2", "t11", "t19"]):
        expected = oracle.get_scores(query)
        weights = {term: float(count) for term, count in Counter(query).items()}
        assert np.allclose(index.scores(weights), expected, atol=1e-4, rtol=0)


def test_the_floor_of_the_idf_is_that_of_rank_bm25():
    corpus = [["the", "a"], ["the", "b"], ["the", "c"], ["the", "d"], ["e"]]
    oracle = BM25Okapi(corpus)
    index = _index(corpus)
    assert oracle.idf["the"] == pytest.approx(0.25 * oracle.average_idf)
    assert index.idf("the") == pytest.approx(oracle.idf["the"])
    assert index.idf("e") == pytest.approx(oracle.idf["e"])
    assert index.idf("unknown") == 0.0
    assert index.document_frequency("the") == 4


QUERY = {"t0": 1.0, "t5": 1.0, "t40": 1.0}


def _assert_scores(state: IndexState, corpus: list[list[str]]) -> None:
    index, oracle = LexicalIndex(state), BM25Okapi(corpus, k1=1.5, b=0.75, epsilon=0.25)
    assert len(index) == len(corpus)
    assert np.allclose(index.scores(QUERY), oracle.get_scores(list(QUERY)), atol=1e-4, rtol=0)
    for term in ("t0", "t3", "t40"):
        assert index.idf(term) == pytest.approx(oracle.idf.get(term, 0.0), abs=1e-9)


def _documents(corpus: list[list[str]], size: int) -> dict[str, list[list[str]]]:
    return {f"d{start:04d}": corpus[start : start + size] for start in range(0, len(corpus), size)}


def test_documents_may_come_one_by_one_and_leave_again():
    documents = _documents(_random_corpus(4, 300, 500), 7)
    state = IndexState()
    for n, (name, corpus) in enumerate(documents.items()):
        state = state.added(LivePart.whole(part_of(rows_of_terms(name, corpus))))
        if n % 10 == 0:
            so_far = list(documents)[: n + 1]
            _assert_scores(state, [terms for name in so_far for terms in documents[name]])

    gone = list(documents)[::3]
    state = state.without([DocumentId(name) for name in gone])
    for name in gone:
        del documents[name]
    _assert_scores(state, [terms for corpus in documents.values() for terms in corpus])

    documents["new"] = _random_corpus(9, 11, 600)
    state = state.added(LivePart.whole(part_of(rows_of_terms("new", documents["new"]))))
    _assert_scores(state, [terms for corpus in documents.values() for terms in corpus])


def test_joined_parts_score_as_if_they_had_been_one_from_the_start(tmp_path):
    documents = _documents(_random_corpus(6, 240, 400), 8)
    parts = [part_of(rows_of_terms(name, corpus)) for name, corpus in documents.items()]
    kept = [None if n % 4 else np.zeros(1, np.bool_) for n in range(len(parts))]
    left = [
        terms
        for mask, corpus in zip(kept, documents.values(), strict=True)
        if mask is None
        for terms in corpus
    ]
    merged = Part.merge(parts, kept)
    _assert_scores(state_of([merged]), left)
    thinned = np.arange(len(merged.documents)) % 2 == 0
    again = Part.merge([merged, parts[0]], [thinned, None])
    bounds = zip(merged.bounds[:-1][thinned], merged.bounds[1:][thinned], strict=True)
    left = [terms for start, end in bounds for terms in left[start:end]]
    _assert_scores(state_of([again]), left + documents["d0000"])

    files = PartFiles(tmp_path, "1")
    path, mapped = files.write(again)
    _assert_scores(state_of([mapped]), left + documents["d0000"])
    reopened = files.read(path)
    assert reopened is not None
    _assert_scores(state_of([reopened]), left + documents["d0000"])


def test_weights_multiply_a_terms_share():
    index = _index(_random_corpus(5, 60, 100))
    one = index.scores({"t9": 1.0})
    assert one.any()
    assert np.allclose(index.scores({"t9": 2.5}), 2.5 * one)
    assert np.allclose(index.scores({"t9": 1.0, "t3": 0.0}), one)


def test_an_empty_index_gives_no_scores():
    assert LexicalIndex(IndexState()).scores({"voltage": 1.0}).shape == (0,)
    state = state_of([part_of(rows_of_terms("d1", [["voltag"], []]))])
    emptied = LexicalIndex(state.without((DocumentId("d1"),)))
    assert emptied.scores({"voltag": 1.0}).shape == (0,)
    assert emptied.idf("voltag") == 0.0


def test_segments_without_terms_score_zero():
    corpus: list[list[str]] = [[], ["a", "b"], []]
    scores = _index(corpus).scores({"a": 1.0})
    assert scores[0] == scores[2] == 0.0


def _of_documents(*parts: Sequence[Sequence[Sequence[str]]]) -> LexicalIndex:
    """Index documents, given as the terms of their segments, in parts."""
    numbers = itertools.count()
    return LexicalIndex(
        state_of(
            [
                part_of(
                    [
                        row
                        for document in part
                        for row in rows_of_terms(f"{next(numbers):016d}", document)
                    ]
                )
                for part in parts
            ]
        )
    )


def _smooth(n: int, n_holding: int) -> float:
    return math.log1p((n - n_holding + 0.5) / (n_holding + 0.5))


def test_local_scores_take_the_lower_of_two_rarities():
    corpus = _random_corpus(4, 90, 60)
    numbers = np.array([i // 30 for i in range(90)], np.int32)
    index = _of_documents([corpus[:30], corpus[30:60]], [corpus[60:]])
    scores = index.local_scores({"t0": 1.0, "t3": 0.5, "none": 1.0})
    for i, terms in enumerate(corpus):
        own = [other for other, number in zip(corpus, numbers, strict=True) if number == i // 30]
        mean_length = sum(map(len, own)) / len(own)
        expected = 0.0
        for term, weight in (("t0", 1.0), ("t3", 0.5)):
            within = _smooth(len(own), sum(term in other for other in own))
            overall = _smooth(len(corpus), sum(term in other for other in corpus))
            frequency = terms.count(term)
            saturation = 1.5 * (0.25 + 0.75 * len(terms) / mean_length)
            part = frequency * 2.5 / (frequency + saturation)
            expected += weight * min(within, overall) * part
        assert scores[i] == pytest.approx(expected, rel=1e-5)


def test_a_word_in_every_segment_of_a_document_says_little_there():
    motors = [["motor", "driver"], ["motor", "delay"], ["motor", "pins"]]
    index = _of_documents([motors, [["other"]] * 9])
    weights = {"motor": 1.0, "delay": 1.0}
    overall, local = index.scores(weights), index.local_scores(weights)
    assert local[0] / local[1] < overall[0] / overall[1]
