"""Two other fusions of the routes, which the program's own is measured against."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from desktop_qa.retrieve.fusion import Components, FloatArray, ranking, scale_to_unit

_RANK_CONSTANT = 60
"""k of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""


_BM25_BOOST, _HOST_BOOST = 0.3, 0.1
"""The best of hybrid-retrieval (Tables 2 and 3)."""


def reciprocal_rank_fusion(*routes: FloatArray) -> FloatArray:
    """Fuse routes by their ranks alone.

    score = sum over routes of 1 / (60 + rank); a route that says nothing of a segment adds 0:
    those without any word of the question would else be ranked by their place in the corpus.

    Returns:
        Shape (n,).
    """
    score = np.zeros(len(routes[0]))
    for route in routes:
        ranks = np.empty(len(route), np.float64)
        ranks[ranking(route)] = np.arange(1, len(route) + 1)
        score += np.where(route != 0, 1 / (_RANK_CONSTANT + ranks), 0.0)
    return score


def best_chunk_of_document(
    components: Components, document_numbers: npt.NDArray[np.integer]
) -> FloatArray:
    """Score documents by hybrid-retrieval's Eq. 1 and put each one's segments at its score.

    score = max(cosine of the document's chunks) + 0.3 BM25 + 0.1 host_score

    with the best BM25 score of the document's segments, scaled to [0, 1]. The paper ranks
    documents; within one, the cosine orders its segments here and never lifts one over those of
    a better document by more than the documents differ.

    Args:
        components: Of the question.
        document_numbers: Document of each segment, shape (n,), from 0.

    Returns:
        Shape (n,).
    """
    if components.vector.size == 0:
        return components.vector
    n_documents = int(document_numbers.max()) + 1
    cosine = np.full(n_documents, -np.inf)
    np.maximum.at(cosine, document_numbers, components.vector)
    words = np.zeros(n_documents)
    np.maximum.at(words, document_numbers, scale_to_unit(components.lexical))
    of_document: FloatArray = (cosine + _BM25_BOOST * words)[document_numbers]
    # Within a document: less than any difference that matters between two of them.
    return of_document + _HOST_BOOST * components.source + 1e-3 * scale_to_unit(components.vector)
