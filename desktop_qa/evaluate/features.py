"""What the retriever measures of a question and each segment, before any weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields

import numpy as np
import numpy.typing as npt

from desktop_qa.core.answer import Answer
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.relevance import RelevanceIndex
from desktop_qa.evaluate.tuning import QuestionFeatures, WeightSpace
from desktop_qa.library.facade import Library
from desktop_qa.retrieve.fusion import (
    COLUMNS,
    Components,
    best_chunk_of_document,
    column_weights,
    ranking,
    reciprocal_rank_fusion,
)
from desktop_qa.settings import FusionWeights

FloatArray = npt.NDArray[np.float64]

Scorer = Callable[[Components, npt.NDArray[np.intp]], FloatArray]
"""Scores all segments by their components and the numbers of their documents."""

WEIGHT_NAMES = tuple(field.name for field in fields(FusionWeights) if field.name != "source")
"""What is chosen; the boost of sources is the wish of a person and no matter of fit."""

SHARES = frozenset({"alpha"})
"""Weights that lie in [0, 1]."""


def weight_space(shipped: FusionWeights) -> WeightSpace:
    """Return the weights of the fusion around the shipped ones."""
    prior = tuple(float(getattr(shipped, name)) for name in WEIGHT_NAMES)
    return WeightSpace(WEIGHT_NAMES, prior, SHARES)


def by_reciprocal_ranks(components: Components, _documents: npt.NDArray[np.intp]) -> FloatArray:
    """Score by reciprocal rank fusion."""
    return reciprocal_rank_fusion(components)


def by_best_chunk(components: Components, documents: npt.NDArray[np.intp]) -> FloatArray:
    """Score by hybrid-retrieval's Eq. 1."""
    return best_chunk_of_document(components, documents)


class Rescored:
    """A library whose segments are ranked by another fusion of the same components."""

    def __init__(self, library: Library, scorer: Scorer) -> None:
        self._library = library
        self._scorer = scorer
        self._segment_ids = library.retriever.segment_ids()
        documents = [segment_id.rpartition(":")[0] for segment_id in self._segment_ids]
        self._documents = np.unique(documents, return_inverse=True)[1].astype(np.intp)

    def segments(self) -> Sequence[tuple[Segment, str]]:
        """Every segment with its file."""
        return self._library.segments()

    def rank_all(self, question: Question) -> Sequence[SegmentId]:
        """All segments, best first."""
        query = self._library.read_question(question).query
        scores = self._scorer(self._library.retriever.components(query), self._documents)
        return [self._segment_ids[row] for row in ranking(scores)]

    def ask(self, question: Question) -> Answer:
        """Answer by the library's own ranking."""
        return self._library.ask(question)


def _column_changes() -> tuple[FloatArray, FloatArray]:
    """Return the weights of the columns at weights of 0, and what a weight of 1 adds to them.

    The score is linear in the weights of the columns, and those are affine in the weights: alpha
    is the share of one column and leaves the rest to another.

    Returns:
        Shapes (n_columns,) and (n_weights, n_columns).
    """
    off = dict.fromkeys((*WEIGHT_NAMES, "source"), 0.0)
    constant = _in_order(column_weights(FusionWeights(**off)))
    ones = [column_weights(FusionWeights(**off | {name: 1.0})) for name in WEIGHT_NAMES]
    return constant, np.stack([_in_order(one) for one in ones]) - constant


def _in_order(weights: Mapping[str, float]) -> FloatArray:
    return np.asarray([weights[name] for name in COLUMNS], np.float64)


def collect_features(bank: Sequence[GoldQuestion], library: Library) -> list[QuestionFeatures]:
    """Ask a library once for the features of each question that has evidence.

    Args:
        bank: Their files are all in the library.
        library: Open with the shipped weights: the evidence for a document is made by them.
    """
    relevance = RelevanceIndex(library.segments())
    row_of = {segment_id: row for row, segment_id in enumerate(library.retriever.segment_ids())}
    questions = [question for question in bank if question.evidence]
    constant, of_weights = _column_changes()
    source_column = COLUMNS.index("source")
    collected = []
    for question in questions:
        query = library.read_question(Question(question.question)).query
        columns = library.retriever.components(query).matrix().T
        constant[source_column] = query.source_boost or 0.0
        relevant = [relevance.relevant(item).segment_ids for item in question.evidence]
        rows = [sorted(row_of[key] for key in found if key in row_of) for found in relevant]
        collected.append(
            QuestionFeatures(
                question,
                constant @ columns,
                of_weights @ columns,
                tuple(np.asarray(found, np.intp) for found in rows),
            )
        )
    return collected
