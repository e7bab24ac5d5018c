"""The variants of the ablation: what is left out of the program, or put in place of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from desktop_qa.augment.context import AugmentVariant
from desktop_qa.core.errors import QuestionError
from desktop_qa.evaluate.features import Scorer, by_best_chunk, by_reciprocal_ranks
from desktop_qa.evaluate.variant_library import Cutting
from desktop_qa.settings import FusionWeights, Settings


@dataclass(frozen=True, slots=True)
class Variant:
    """A program to measure.

    Attributes:
        key: As it is chosen on the command line.
        name: As it stands in the table.
        cutting: How documents become segments.
        weights: Settings of the retriever that differ from the user's.
        source_boost: Of preferred sources and of older revisions; the user's when `None`.
        is_vector_only: True when every weight but that of the vectors is 0.
        scorer: Ranks in place of the program's fusion; such a variant has no answers.
        paper: Its name in HiQA, Table 2.
    """

    key: str
    name: str
    cutting: Cutting = field(default_factory=Cutting)
    weights: Mapping[str, float] = field(default_factory=dict)
    source_boost: float | None = None
    is_vector_only: bool = False
    scorer: Scorer | None = None
    paper: str = ""

    def settings(self, own: Settings) -> Settings:
        """Return the settings of the program, the user's where the variant says nothing."""
        changes, boost = dict(self.weights), self.source_boost
        if self.is_vector_only:
            changes = {**dict.fromkeys((f.name for f in fields(FusionWeights)), 0.0), "alpha": 1.0}
            changes["reads_statements"] = False
            boost = 0.0
        retrieval = replace(own.retrieval, **changes)  # type: ignore[arg-type]
        sources = own.sources if boost is None else replace(own.sources, boost=boost)
        return replace(own, retrieval=retrieval, sources=sources)


_OF_KIND = ("table", "figure", "dimension", "limit", "value")
"""Weights of what fits the kind of answer that a question wants."""

_EQ_2_ALONE = {
    **{f.name: 0.0 for f in fields(FusionWeights) if f.name not in ("alpha", "beta")},
    "reads_statements": False,
}
"""Nothing but the three routes of Eq. 2: what other fusions of the same routes compare with."""

_WHOLE = {"document": 0.0}
"""What has no evidence for documents is asked the question with its part numbers."""

VARIANTS: tuple[Variant, ...] = (
    Variant("full", "whole program", paper="HCA"),
    Variant(
        "own_heading",
        "own heading only",
        Cutting(AugmentVariant.OWN_HEADING),
        paper="Original",
    ),
    Variant("none", "no metadata", Cutting(AugmentVariant.NONE), paper="Without HCA"),
    Variant(
        "none_unnamed",
        "no metadata, no document evidence",
        Cutting(AugmentVariant.NONE),
        {"document": 0.0},
    ),
    Variant("fixed_chunk", "1000/100 chunks, all routes", Cutting(None), paper="Fixed Chunk"),
    Variant("table_data", "table data embedded", Cutting(AugmentVariant.TABLE_DATA_EMBEDDED)),
    Variant("vector_only", "vectors only", is_vector_only=True, paper="Vec retrieval"),
    Variant("no_vector", "without vectors", weights={"alpha": 0.0}),
    Variant("no_lexical", "without BM25", weights={"alpha": 1.0, "local": 0.0}),
    Variant("no_local", "without rarity within a document", weights={"local": 0.0}),
    Variant("no_keywords", "without keywords", weights={"beta": 0.0}),
    Variant("no_structure", "without structure", weights={"structure": 0.0}),
    Variant("no_document", "without document evidence", weights={"document": 0.0}),
    Variant(
        "no_statements", "without the order of statements", weights={"reads_statements": False}
    ),
    Variant("no_kind", "without the kind of answer", weights=dict.fromkeys(_OF_KIND, 0.0)),
    Variant("eq2", "vectors, BM25, keywords (HiQA, Eq. 2)", weights=_EQ_2_ALONE, source_boost=0.0),
    Variant("rrf", "reciprocal rank fusion", weights=_WHOLE, scorer=by_reciprocal_ranks),
    Variant(
        "eq1",
        "best chunk of a document (hybrid-retrieval, Eq. 1)",
        weights=_WHOLE,
        scorer=by_best_chunk,
    ),
)


def chosen_variants(keys: Sequence[str] | None) -> tuple[Variant, ...]:
    """Return variants by key in the order of the table; all of them when none is chosen.

    The whole program is always the first, because the others are compared with it.

    Raises:
        QuestionError: When a key is unknown.
    """
    known = {variant.key for variant in VARIANTS}
    unknown = [key for key in keys or () if key not in known]
    if unknown:
        raise QuestionError(
            f"There is no variant {unknown[0]}.", f"The variants are {', '.join(sorted(known))}."
        )
    first, *others = VARIANTS
    return (first, *(v for v in others if keys is None or v.key in keys))
