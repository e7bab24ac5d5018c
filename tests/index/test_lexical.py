"""BM25 against its definition: rank-bm25."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from desktop_qa.core.document import DocumentId
from desktop_qa.index.lexical import LexicalIndex, terms_of
from desktop_qa.index.records import IndexRow


def _rows(corpus: Sequence[Sequence[str]]) -> list[IndexRow]:
    document_id = DocumentId("d" * 16)
    rows = []
    for i, terms in enumerate(corpus):
        counted = sorted(Counter(terms).items())
        counts = np.array([count for _, count in counted], np.uint16)
        terms = [term for term, _ in counted]
        rows.append(IndexRow(document_id, i, terms, counts, ()))
    return rows


def _index(corpus: Sequence[Sequence[str]]) -> LexicalIndex:
    index = LexicalIndex()
    index.append(_rows(corpus))
    return index


def _random_corpus(seed: int, n: int, vocabulary: int) -> list[list[str]]:
    generator = random.Random(seed)
    # A few terms in more than half of the segments, so that the floor of the idf matters.
    return [
        [f"t{int(vocabulary * generator.random() ** 4)}" for _ in range(generator.randint(5, 80))]
        for _ in range(n)
    ]


@pytest.mark.parametrize(("seed", "n", "vocabulary"), [(1, 400, 3000), (2, 50, 20), (3, 3, 5)])
def test_scores_are_those_of_rank_bm25(seed: int, n: int, vocabulary: int) -> None:
    corpus = _random_corpus(seed, n, vocabulary)
    oracle = BM25Okapi(corpus, k1=1.5, b=0.75, epsilon=0.25)
    index = _index(corpus)
    for query in (["t0"], ["t1", "t7"], ["t0", "t0", "t3", "unknown"], ["t2", "t11", "t19"]):
        expected = oracle.get_scores(query)
        weights = {term: float(count) for term, count in Counter(query).items()}
        assert np.allclose(index.scores(weights), expected, atol=1e-4, rtol=0)


def test_the_floor_of_the_idf_is_that_of_rank_bm25() -> None:
    corpus = [["the", "a"], ["the", "b"], ["the", "c"], ["the", "d"], ["e"]]
    oracle = BM25Okapi(corpus)
    index = _index(corpus)
    assert oracle.idf["the"] == pytest.approx(0.25 * oracle.average_idf)
    assert index.idf("the") == pytest.approx(oracle.idf["the"])
    assert index.idf("e") == pytest.approx(oracle.idf["e"])
    assert index.idf("unknown") == 0.0
    assert index.document_frequency("the") == 4


def test_scores_on_prose_are_those_of_rank_bm25() -> None:
    texts = [
        "The supply current of the ADS1115 is 150 µA in continuous mode.",
        "In power-down mode the supply current drops to 0.5 µA typically.",
        "The I²C bus address is set by the ADDR pin; see Table 7-2.",
        "Absolute maximum ratings: supply voltage −0.3 V to 7 V, current 10 mA.",
        "The comparator's ALERT/RDY pin is open-drain and needs a pull-up.",
    ]
    corpus = [terms_of(text) for text in texts]
    oracle = BM25Okapi(corpus)
    index = _index(corpus)
    for question in (
        "What is the supply current in power-down?",
        "Which pin sets the I2C address?",
    ):
        query = terms_of(question)
        weights = {term: float(count) for term, count in Counter(query).items()}
        assert np.allclose(index.scores(weights), oracle.get_scores(query), atol=1e-4)
    assert int(np.argmax(index.scores({"addr": 1.0, "pin": 1.0}))) == 2


def test_documents_may_come_one_by_one_and_leave_again() -> None:
    corpus = _random_corpus(4, 300, 500)
    index = LexicalIndex()
    for start in range(0, 300, 7):
        index.append(_rows(corpus[start : start + 7]))
        if start % 49 == 0:
            index.scores({"t0": 1.0})
    query = {"t0": 1.0, "t5": 1.0, "t40": 1.0}
    assert np.allclose(index.scores(query), BM25Okapi(corpus).get_scores(list(query)), atol=1e-4)

    keep = np.arange(300) % 3 != 1
    index.keep(keep)
    left = [terms for terms, kept in zip(corpus, keep, strict=True) if kept]
    assert np.allclose(index.scores(query), BM25Okapi(left).get_scores(list(query)), atol=1e-4)

    index.append(_rows(corpus[:11]))
    both = left + corpus[:11]
    assert np.allclose(index.scores(query), BM25Okapi(both).get_scores(list(query)), atol=1e-4)


def test_weights_multiply_a_terms_share() -> None:
    index = _index(_random_corpus(5, 60, 100))
    one = index.scores({"t9": 1.0})
    assert one.any()
    assert np.allclose(index.scores({"t9": 2.5}), 2.5 * one)
    assert np.allclose(index.scores({"t9": 1.0, "t3": 0.0}), one)


def test_an_empty_index_gives_no_scores() -> None:
    index = LexicalIndex()
    assert index.scores({"voltage": 1.0}).shape == (0,)
    index.append(_rows([["voltag"], []]))
    index.keep(np.zeros(2, np.bool_))
    assert index.scores({"voltag": 1.0}).shape == (0,)


def test_segments_without_terms_score_zero() -> None:
    corpus: list[list[str]] = [[], ["a", "b"], []]
    scores = _index(corpus).scores({"a": 1.0})
    assert scores[0] == scores[2] == 0.0


def _smooth(n: int, n_holding: int) -> float:
    return math.log1p((n - n_holding + 0.5) / (n_holding + 0.5))


def test_local_scores_take_the_lower_of_two_rarities() -> None:
    corpus = _random_corpus(4, 90, 60)
    numbers = np.array([i // 30 for i in range(90)], np.int32)
    scores = _index(corpus).local_scores({"t0": 1.0, "t3": 0.5, "none": 1.0}, numbers)
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
        assert scores[i] == pytest.approx(expected)


def test_a_word_in_every_segment_of_a_document_says_little_there() -> None:
    corpus = [["motor", "driver"], ["motor", "delay"], ["motor", "pins"]] + [["other"]] * 9
    numbers = np.array([0, 0, 0, *[1] * 9], np.int32)
    index = _index(corpus)
    weights = {"motor": 1.0, "delay": 1.0}
    overall, local = index.scores(weights), index.local_scores(weights, numbers)
    assert local[0] / local[1] < overall[0] / overall[1]
