"""Measures variants of the program on the same documents and questions (HiQA, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_qa.augment.context import AugmentVariant
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentId
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.corpus import Corpus
from desktop_qa.evaluate.embedding_cache import CachedEmbedder
from desktop_qa.evaluate.other_fusions import best_chunk_of_document, reciprocal_rank_fusion
from desktop_qa.evaluate.runner import RankAll, evaluate_bank, present_questions
from desktop_qa.evaluate.systems import System
from desktop_qa.evaluate.variant_library import Cutting, keep_known_vectors, make_library
from desktop_qa.library.facade import Library
from desktop_qa.retrieve.fusion import Components, ranking
from desktop_qa.settings import FusionWeights, Settings

Scorer = Callable[[Components, npt.NDArray[np.intp]], npt.NDArray[np.float64]]
"""Scores all segments by their components and the numbers of their documents."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A program to measure.

    Attributes:
        key: As it is chosen on the command line.
        name: As it stands in the table.
        cutting: How documents become segments.
        weights: Settings of the retriever that differ from the user's.
        source_boost: Of preferred sources and of older revisions; the user's when `None`.
        scorer: Ranks in place of the program's fusion; such a variant has no answers.
        paper: Its name in HiQA, Table 2.
    """

    key: str
    name: str
    cutting: Cutting = field(default_factory=Cutting)
    weights: Mapping[str, float] = field(default_factory=dict)
    source_boost: float | None = None
    scorer: Scorer | None = None
    paper: str = ""

    def settings(self, own: Settings) -> Settings:
        """Return the settings of the program, the user's where the variant says nothing."""
        retrieval = replace(own.retrieval, **self.weights)  # type: ignore[arg-type]
        boost = self.source_boost
        sources = own.sources if boost is None else replace(own.sources, boost=boost)
        return replace(own, retrieval=retrieval, sources=sources)


_NOTHING = {**{f.name: 0.0 for f in fields(FusionWeights)}, "reads_statements": False}

_EQ_2_ALONE = {name: off for name, off in _NOTHING.items() if name not in ("alpha", "beta")}
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
    Variant(
        "vector_only",
        "vectors only",
        weights={**_NOTHING, "alpha": 1.0},
        source_boost=0.0,
        paper="Vec retrieval",
    ),
    Variant("no_vector", "without vectors", weights={"alpha": 0.0}),
    Variant("no_lexical", "without BM25", weights={"alpha": 1.0, "local": 0.0}),
    Variant("no_local", "without rarity within a document", weights={"local": 0.0}),
    Variant("no_keywords", "without keywords", weights={"beta": 0.0}),
    Variant("no_structure", "without structure", weights={"structure": 0.0}),
    Variant("no_document", "without document evidence", weights={"document": 0.0}),
    Variant(
        "no_statements", "without the order of statements", weights={"reads_statements": False}
    ),
    Variant("no_kind", "without the kind of answer", weights={"table": 0.0, "figure": 0.0}),
    Variant("eq2", "vectors, BM25, keywords (HiQA, Eq. 2)", weights=_EQ_2_ALONE, source_boost=0.0),
    Variant(
        "rrf",
        "reciprocal rank fusion",
        weights=_WHOLE,
        scorer=lambda components, _documents: reciprocal_rank_fusion(
            components.vector, components.lexical, components.n_keywords
        ),
    ),
    Variant(
        "eq1",
        "best chunk of a document (hybrid-retrieval, Eq. 1)",
        weights=_WHOLE,
        scorer=best_chunk_of_document,
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


WEIGHTS: Mapping[str, tuple[float, ...]] = {
    "alpha": tuple(n / 10 for n in range(11)),
    "beta": (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 2.0),
    "source": (0.0, 0.1, 0.3, 0.6, 1.0),
    "document": (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.5),
}
"""Values by setting; those of the source boost are hybrid-retrieval's (Table 3)."""

SIZES = (100, 150, 200, 254)
"""Tokens of what is embedded, context line included; the last is all that the model reads."""

STUDIES = (*WEIGHTS, "size")


def study_variants(name: str, settings: Settings) -> tuple[Variant, ...]:
    """Return the program as it is, then with each value of a parameter.

    Args:
        name: Of `STUDIES`.
        settings: The user's; a value that is set already is not measured twice.

    Raises:
        QuestionError: When there is no study of this name.
    """
    if name == "size":
        smaller = [size for size in SIZES if size != Cutting().max_tokens]
        return (
            Variant("full", f"size {Cutting().max_tokens} (shipped)"),
            *(Variant(f"size-{n}", f"size {n}", Cutting(max_tokens=n)) for n in smaller),
        )
    if name not in WEIGHTS:
        raise QuestionError(f"There is no study {name}.", f"Studies are {', '.join(STUDIES)}.")
    is_source = name == "source"
    shipped = settings.sources.boost if is_source else float(getattr(settings.retrieval, name))
    return (
        Variant("full", f"{name} {shipped:g} (shipped)"),
        *(
            Variant(
                f"{name}-{value:g}",
                f"{name} {value:g}",
                weights={} if is_source else {name: value},
                source_boost=value if is_source else None,
            )
            for value in WEIGHTS[name]
            if value != shipped
        ),
    )


def rescored(library: Library, scorer: Scorer) -> RankAll:
    """Return what ranks the segments of a library by another fusion of the same components."""
    segment_ids = library.retriever.segment_ids()
    documents = [segment_id.rpartition(":")[0] for segment_id in segment_ids]
    numbers = np.unique(documents, return_inverse=True)[1].astype(np.intp)

    def rank_all(question: Question) -> Sequence[SegmentId]:
        query = library.read_question(question).query
        scores = scorer(library.retriever.components(query), numbers)
        return [segment_ids[row] for row in ranking(scores)]

    return rank_all


def run_variants(
    variants: Sequence[Variant],
    settings: Settings,
    bank: Sequence[GoldQuestion],
    corpus: Corpus,
    folder: Path,
    embedder: CachedEmbedder,
    say: Callable[[str], None],
    *,
    with_answers: bool = True,
) -> list[System]:
    """Measure variants, each on the library of its way of cutting, which is made once.

    Args:
        variants: To measure.
        settings: The user's, where a variant says nothing.
        bank: All questions.
        corpus: Of the documents.
        folder: That takes the libraries of the variants, one folder each.
        embedder: Shared by all of them.
        say: Told what happens.
        with_answers: False for rankings only.

    Raises:
        BankError: When no file that the bank names is in the corpus.
        LibraryError: When a library cannot be made.
    """
    files = corpus.files()
    # Before minutes are spent on libraries that no question is about.
    present_questions(bank, files)
    keep_known_vectors(corpus.library, embedder)
    made: set[Cutting] = set()
    systems = []
    for variant in variants:
        cutting, scorer = variant.cutting, variant.scorer
        own = folder / cutting.name
        if cutting not in made:
            make_library(corpus, cutting, own, embedder, say)
            made.add(cutting)
        say(f"Measuring: {variant.name}")
        changed = variant.settings(settings)
        with closing(
            Library.open(own, read_only=True, settings=changed, embedder=embedder)
        ) as library:
            rank_all = library.rank_all if scorer is None else rescored(library, scorer)
            # Answers are made from the program's own ranking.
            ask = library.ask if with_answers and scorer is None else None
            report = evaluate_bank(bank, library.segments(), rank_all, ask, files=files)
        systems.append(System(variant.name, report, variant.paper))
    return systems
