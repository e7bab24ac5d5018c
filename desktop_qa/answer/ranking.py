"""The order of the statements that may answer: a linear score of what each has and lacks.

The features are absolute or relative to the evidence of one question. Their weights are those of a
multinomial logistic regression (the chosen statement among all of a question), rounded, over the
125 questions of three banks whose answer stands in one statement; held out in five folds the first
statement is right for 0.56 of them, one of the first three for 0.74.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.extremes import at_extreme, extremes_in
from desktop_qa.answer.part_mentions import Mention
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.instructions import points_elsewhere
from desktop_qa.augment.quantities import is_year
from desktop_qa.augment.value_kinds import dimensions_in
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import answer_kind, asked_dimensions, limits_in

_STATED = re.compile(r"\*\*(.*?)\*\*")
_DIGIT = re.compile(r"\d")
_OHM_SIGN = str.maketrans({"\u2126": "Ω"})
_FIGURE_ASKED = 3.0
_N_COMPARED = 24
_COMPARED_WITHIN = 4.0
_N_CAPTIONS = 100
_MAX_GIVEN = 3
_PLACE_NAMES = re.compile(
    r"\b(?:figures?|fig\.|tables?|equations?|eq\.|sections?|chapters?|notes?|pages?|step)\s*"
    r"\d+(?:[-.]\d+)*",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(r"absolute\W+max|maximum ratings|limiting values", re.IGNORECASE)
_ASKS_ABSOLUTE = re.compile(
    r"\babsolute|\bratings?\b|surviv|damage|withstand|destroy|stress|tolerate|without harm|\bESD\b"
    r"|storage|burn(?:s|ing)? out|safely|kill",
    re.IGNORECASE,
)
_EXPLICIT = re.compile(
    r"\bhow (?:long|short|fast|soon|quickly|hot|cold)\b"
    r"|\bhow many (?:\w*(?:seconds?|volts?|amps?|amperes?|hertz|ohms?|watts?|farads?|decibels?"
    r"|degrees)|[munpkMGµ]?(?:s|V|A|Hz|Ω|W|F|dB))\b"
    r"|\bhow much (?:\w+ )?(?:current|voltage|power|time|capacitance|resistance)\b",
)
_BOUND_WORDS = frozenset(terms_of("minimum maximum typical min max typ nominal"))
_ACRONYM_WEIGHT = 0.5
"""Of a term that the documents themselves give for the words of the question."""


@dataclass(frozen=True, slots=True)
class StatementWeights:
    """What each feature adds to the score of a statement, in log odds.

    Attributes:
        evidence: Of the segment's score, as share of the best segment's.
        rank: Of 1 / the segment's rank.
        log_rank: Of 1 / log2(1 + the segment's rank).
        words: Of the share of the question's words that the statement and its place carry.
        own_words: Of the same without the words of the document's title, in the statement alone.
        learned: Of the share of words learned to mean the same.
        dimension: It gives a value of the dimension asked for.
        other_dimension: It gives none of it.
        unit_missed: The question names the unit or says "how long", and it gives no such value.
        elsewhere: It only says where to read on.
        no_number: A value is asked for, and it has no digit.
        values: Of the share of the question's values that stand in it.
        sibling: It is about a sibling of the part only.
        no_bound: Its row does not give the bound asked for.
        description: It is prose of the first page, and a value is asked for.
        table: It is a row.
        figure: It is the caption of a figure that was not asked for.
        bound: Its row gives the bound asked for.
        absolute: It stands among absolute maximum ratings, which were not asked for.
        given: Of the cells of its row that the question itself gives, at most three.
        extreme: It holds the condition that the question names by its extreme.
        meaning: Of the cosine of the question and what the statement is about; measured for the
            best by the other features only.
    """

    evidence: float = 2.2
    rank: float = 1.5
    log_rank: float = 1.7
    words: float = 2.2
    own_words: float = 2.6
    learned: float = 2.3
    dimension: float = 2.5
    other_dimension: float = -0.9
    unit_missed: float = -0.8
    elsewhere: float = -3.0
    no_number: float = -0.8
    values: float = 2.3
    sibling: float = -6.0
    no_bound: float = -0.3
    description: float = -1.4
    table: float = -0.4
    figure: float = -1.0
    bound: float = 1.6
    absolute: float = -3.0
    given: float = 0.8
    extreme: float = 3.0
    meaning: float = 5.0


WEIGHTS = StatementWeights()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of a question the features look at."""

    dimensions: frozenset[str]
    asks_value: bool
    values: frozenset[str]
    learned: dict[str, float]
    asks_figure: bool
    asks_bound: bool
    asks_absolute: bool
    is_explicit: bool


def ranked(
    task: AnswerTask, candidates: Sequence[Statement], weights: StatementWeights = WEIGHTS
) -> list[Statement]:
    """Order statements by how well they answer, best first, with their scores.

    Statements that share nothing with the question are left out.
    """
    query = task.query
    kind = answer_kind(query.text)
    asked = _Asked(
        dimensions=asked_dimensions(query.text),
        asks_value=bool(kind.limits or kind.dimensions),
        # A year counts as a word of the question; the weight of values is fitted on quantities.
        values=frozenset(v.lstrip("=") for v in query.values if not is_year(v)),
        learned={t: w for t, w in query.expansions if t not in _BOUND_WORDS},
        asks_figure=query.type == QuestionType.FIGURE,
        asks_bound=bool(limits_in(query.text)),
        asks_absolute=bool(_ASKS_ABSOLUTE.search(query.text)),
        is_explicit=bool(_EXPLICIT.search(query.text)),
    )
    top = max((s.evidence.score for s in candidates), default=1.0) or 1.0
    extremes = [at_extreme(candidates, e) for e in extremes_in(query.text, asked.dimensions)]
    scored = []
    for index, statement in enumerate(candidates):
        features = _features(task, statement, asked, top)
        features["extreme"] = float(sum(index in held for held in extremes))
        score = sum(getattr(weights, name) * value for name, value in features.items())
        scored.append(replace(statement, score=score))
    scored.sort(key=lambda s: -s.score)
    return _by_meaning(task, scored, weights.meaning)


def _by_meaning(task: AnswerTask, order: list[Statement], weight: float) -> list[Statement]:
    """Add how near the first statements are in meaning; it orders those that words do not."""
    if not order:
        return order
    if task.query.type == QuestionType.FIGURE:
        first = order[:_N_CAPTIONS]
    else:
        first = [s for s in order[:_N_COMPARED] if s.score >= order[0].score - _COMPARED_WITHIN]
    cosines = task.similarities([s.about or s.text for s in first])
    moved = [
        replace(s, score=s.score + weight * cosine)
        for s, cosine in zip(first, cosines, strict=True)
    ]
    return sorted(moved, key=lambda s: -s.score) + order[len(first) :]


def _features(
    task: AnswerTask, statement: Statement, asked: _Asked, top_score: float
) -> dict[str, float]:
    """Measure a statement; names are those of `StatementWeights`."""
    segment = statement.evidence.segment
    is_figure = segment.kind is SegmentKind.FIGURE
    has_number = bool(_DIGIT.search(_PLACE_NAMES.sub("", statement.text)))
    in_text = segment.kind is SegmentKind.TEXT
    features = {
        "evidence": statement.evidence.score / top_score,
        "rank": 1.0 / max(statement.evidence.marker, 1),
        "log_rank": 1.0 / math.log2(1 + max(statement.evidence.marker, 1)),
        "words": statement.coverage,
        "own_words": _own_words(task, statement),
        "learned": _learned(statement, asked),
        "elsewhere": float(points_elsewhere(statement.text)),
        "no_number": float(asked.asks_value and not has_number),
        "given": float(min(statement.n_given, _MAX_GIVEN)),
        "sibling": float(statement.mention is Mention.SIBLING),
        "no_bound": float(statement.lacks_bound),
        "description": float(
            asked.asks_value and in_text and segment.metadata.page_nos[:1] == (1,)
        ),
        "table": float(segment.kind is SegmentKind.TABLE),
        "bound": float(asked.asks_bound and statement.gives_bound),
        "absolute": float(not asked.asks_absolute and _is_absolute(statement)),
        "figure": float(is_figure) if not asked.asks_figure else -_FIGURE_ASKED * is_figure,
    }
    if asked.dimensions:
        gives = bool(asked.dimensions & _stated_dimensions(statement))
        features["dimension" if gives else "other_dimension"] = 1.0
        features["unit_missed"] = float(asked.is_explicit and not gives)
    if asked.values:
        features["values"] = len(asked.values & statement.values) / len(asked.values)
    return features


def _own_words(task: AnswerTask, statement: Statement) -> float:
    """Share of the question's weight in the statement, without the words of the title.

    In the document that is asked about, the words it is named by tell nothing.
    """
    metadata = statement.evidence.segment.metadata
    title = set(terms_of(f"{metadata.document_title} {metadata.vendor}"))
    weights = {t: w for t, w in task.terms.weights.items() if t not in title}
    total = sum(weights.values())
    return sum(w for t, w in weights.items() if t in statement.terms) / total if total else 0.0


def _learned(statement: Statement, asked: _Asked) -> float:
    """How much of what was learned it holds: 1 for an acronym of the question's words."""
    found = sum(w for t, w in asked.learned.items() if t in statement.terms)
    return min(found / _ACRONYM_WEIGHT, 1.0)


def _is_absolute(statement: Statement) -> bool:
    metadata = statement.evidence.segment.metadata
    place = " ".join((*metadata.section_path[-1:], metadata.caption))
    return bool(_ABSOLUTE.search(place))


def _stated_dimensions(statement: Statement) -> frozenset[str]:
    """Dimensions of the values stated: of a row those under the columns chosen."""
    text = statement.text.translate(_OHM_SIGN)
    if statement.cells:
        text = " ; ".join(_STATED.findall(text))
    return dimensions_in(text, at_line_ends=True)
