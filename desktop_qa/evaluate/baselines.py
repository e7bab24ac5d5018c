"""What one would pick instead, over the same documents and with the same model.

- Page retrieval (PDFTriage, section 5.2): whole pages, by cosine. A page is longer than the model
  reads, so its vector is the mean of the vectors of its windows of 254 tokens, of length 1 again.
- Chunk retrieval (PDFTriage, section 5.2): 100 words, by cosine; what exceeds the model's limit
  is not embedded, as in sentence-transformers.
- Fixed chunks of 1000 characters with 100 of overlap that end at sentence delimiters
  (hybrid-retrieval, Table 1): by cosine (cut like the chunks above), by BM25 (rank-bm25 over
  lower-case words), and by the reciprocal ranks of both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from desktop_qa.augment.sentences import split_at_words
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.chunks import (
    Cutter,
    character_spans,
    chunk_document,
    page_spans,
    word_spans,
)
from desktop_qa.evaluate.corpus import CorpusDocument
from desktop_qa.evaluate.other_fusions import reciprocal_rank_fusion
from desktop_qa.evaluate.runner import evaluate_bank
from desktop_qa.evaluate.systems import System
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.retrieve.fusion import ranking
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens

FloatArray = npt.NDArray[np.float64]

_WORD = re.compile(r"\w+")


class _Chunks:
    """All chunks of a corpus, each with its file, and how a question is compared with them."""

    def __init__(
        self,
        segments: Sequence[tuple[Segment, str]],
        vectors: npt.NDArray[np.float32],
        embedder: Embedder,
    ) -> None:
        self.segments = segments
        self._vectors = vectors
        self._embedder = embedder

    @cached_property
    def _lexical(self) -> BM25Okapi:
        return BM25Okapi([_words(segment.text) for segment, _file in self.segments])

    def cosine(self, question: str) -> FloatArray:
        return np.asarray(self._vectors @ self._embedder.embed_query(question), np.float64)

    def bm25(self, question: str) -> FloatArray:
        return np.asarray(self._lexical.get_scores(_words(question)), np.float64)

    def reciprocal_ranks(self, question: str) -> FloatArray:
        return reciprocal_rank_fusion(self.cosine(question), self.bm25(question))

    def ranked(self, score: _Score, question: Question) -> Sequence[SegmentId]:
        return [self.segments[row][0].id for row in ranking(score(self, question.text))]


_Score = Callable[[_Chunks, str], FloatArray]


def run_baselines(
    bank: Sequence[GoldQuestion],
    store: Store,
    documents: Sequence[CorpusDocument],
    embedder: Embedder,
    say: Callable[[str], None],
) -> list[System]:
    """Measure every baseline on the questions that have evidence.

    Args:
        bank: All questions; those about files that are not there are left out.
        store: That holds the words of the documents.
        documents: The corpus.
        embedder: Of questions and chunks.
        say: Told what happens.

    Raises:
        BankError: When no file that the bank names is there.
        LibraryError: When there are no chunks.
    """
    files = {file: document.files[0] for document in documents for file in document.files}
    ranked = [question for question in bank if question.evidence]
    systems: list[System] = []
    for name, cut, embed, scores in _FAMILIES:
        say(f"Baseline: {name}")
        segments = [
            (segment, document.files[0])
            for document in documents
            for segment in chunk_document(document.id, document.page_words(store), cut)
        ]
        vectors = embed([segment for segment, _file in segments], embedder)
        chunks = _Chunks(segments, vectors, embedder)
        for label, score in scores.items():
            rank_all = partial(chunks.ranked, score)
            report = evaluate_bank(ranked, segments, rank_all, files=files)
            systems.append(System(label, report))
    return systems


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _embed_beginnings(segments: Sequence[Segment], embedder: Embedder) -> npt.NDArray[np.float32]:
    return embedder.embed_documents([segment.embedded_text for segment in segments])


def _embed_windows(segments: Sequence[Segment], embedder: Embedder) -> npt.NDArray[np.float32]:
    windows: list[str] = []
    owners: list[int] = []
    for number, segment in enumerate(segments):
        parts = split_at_words(segment.text, MAX_EMBEDDED_TOKENS, count_tokens)
        windows += parts
        owners += [number] * len(parts)
    vectors = embedder.embed_documents(windows)
    means = np.zeros((len(segments), vectors.shape[1]), np.float32)
    np.add.at(means, owners, vectors)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return np.asarray(means / np.where(lengths > 0, lengths, 1.0), np.float32)


_Embed = Callable[[Sequence[Segment], Embedder], npt.NDArray[np.float32]]

_FAMILIES: tuple[tuple[str, Cutter, _Embed, dict[str, _Score]], ...] = (
    ("pages", page_spans, _embed_windows, {"page retrieval": _Chunks.cosine}),
    ("100 words", word_spans, _embed_beginnings, {"100-word chunks": _Chunks.cosine}),
    (
        "1000 characters",
        character_spans,
        _embed_beginnings,
        {
            "1000/100 chunks, vector": _Chunks.cosine,
            "1000/100 chunks, BM25": _Chunks.bm25,
            "1000/100 chunks, RRF": _Chunks.reciprocal_ranks,
        },
    ),
)
