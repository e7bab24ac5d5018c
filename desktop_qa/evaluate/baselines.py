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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from desktop_qa.augment.sentences import split_at_words
from desktop_qa.core.segment import Segment
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
from desktop_qa.evaluate.results import QuestionResult, Report
from desktop_qa.evaluate.runner import RelevanceIndex, measure_ranking, present_questions
from desktop_qa.evaluate.systems import System
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens

FloatArray = npt.NDArray[np.float64]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Chunks:
    """All chunks of a corpus with what questions are compared with."""

    segments: tuple[Segment, ...]
    vectors: npt.NDArray[np.float32]
    lexical: BM25Okapi | None


_Score = Callable[[_Chunks, str, npt.NDArray[np.float32]], FloatArray]


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
    """
    files = {file: document.files[0] for document in documents for file in document.files}
    systems: list[System] = []
    for name, cut, embed, scores in _FAMILIES:
        say(f"Baseline: {name}")
        segments = _segments(store, documents, cut)
        needs_words = any(score is not _cosine for score in scores.values())
        lexical = BM25Okapi([_words(s.text) for s in segments]) if needs_words else None
        chunks = _Chunks(segments, embed(segments, embedder), lexical)
        for label, score in scores.items():
            report = _report(bank, files, documents, chunks, score, embedder)
            systems.append(System(label, report))
    return systems


def _segments(
    store: Store, documents: Sequence[CorpusDocument], cut: Cutter
) -> tuple[Segment, ...]:
    return tuple(
        segment
        for document in documents
        for segment in chunk_document(document.id, document.page_words(store), cut)
    )


def _report(
    bank: Sequence[GoldQuestion],
    files: Mapping[str, str],
    documents: Sequence[CorpusDocument],
    chunks: _Chunks,
    score: _Score,
    embedder: Embedder,
) -> Report:
    file_of = {document.id: document.files[0] for document in documents}
    relevance = RelevanceIndex((s, file_of[s.document_id]) for s in chunks.segments)
    n_tokens = {segment.id: segment.n_tokens for segment in chunks.segments}
    questions, missing = present_questions(bank, files)
    results = []
    for question in questions:
        if not question.evidence:
            continue
        vector = embedder.embed_query(question.question)
        scores = score(chunks, question.question, vector)
        ranking = [chunks.segments[row].id for row in np.argsort(-scores, kind="stable")]
        measured = measure_ranking(question, ranking, relevance, n_tokens)
        results.append(QuestionResult(question, measured, None))
    return Report(tuple(results), tuple(n_tokens.values()), missing)


def _cosine(chunks: _Chunks, _question: str, vector: npt.NDArray[np.float32]) -> FloatArray:
    return np.asarray(chunks.vectors @ vector, np.float64)


def _bm25(chunks: _Chunks, question: str, _vector: npt.NDArray[np.float32]) -> FloatArray:
    if chunks.lexical is None:
        return np.zeros(len(chunks.segments))
    return np.asarray(chunks.lexical.get_scores(_words(question)), np.float64)


def _reciprocal_ranks(
    chunks: _Chunks, question: str, vector: npt.NDArray[np.float32]
) -> FloatArray:
    return reciprocal_rank_fusion(
        _cosine(chunks, question, vector), _bm25(chunks, question, vector)
    )


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
    ("pages", page_spans, _embed_windows, {"page retrieval": _cosine}),
    ("100 words", word_spans, _embed_beginnings, {"100-word chunks": _cosine}),
    (
        "1000 characters",
        character_spans,
        _embed_beginnings,
        {
            "1000/100 chunks, vector": _cosine,
            "1000/100 chunks, BM25": _bm25,
            "1000/100 chunks, RRF": _reciprocal_ranks,
        },
    ),
)
