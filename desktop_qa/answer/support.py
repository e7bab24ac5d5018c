"""Whether a reply is carried by its evidence, or the question is better refused.

All that is looked at is absolute: cosines of the question with the very sentences that would be
given, and which of its words stand there. Nothing is scaled by the other segments of the library,
and a word that no document holds weighs as much in a library of five documents as in one of five
hundred.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from desktop_qa.answer.expected_kind import missing_code, missing_kind
from desktop_qa.answer.ranking import bare_meanings
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence, Route
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset
from desktop_qa.retrieve.places import MIN_PLACE

FEATURES = ("sentence", "words")
"""The names of what support is made of, in the order of `SupportFeatures.values`. What place the
sentence stands at, and whether the thing asked for is named, were tried beside them and decided
nothing better on libraries left out."""

RARE = math.log(100)
"""Inverse document frequency from which a word counts in full: one segment in a hundred. Without
this limit a word that stands nowhere would weigh more the larger the library is."""

_MAX_STATEMENTS = 3
"""Of a reply that are compared with the question; embedding one takes 2 ms."""

_MAX_NEARBY = 10


@dataclass(frozen=True, slots=True)
class SupportFeatures:
    """What tells whether statements answer a question; more is better for each of them.

    Attributes:
        sentence: Highest cosine of a statement and the question without the document's name.
        words: Share of the question's words in all that was found, 0 to 1; words of the trade that
            mean the same count in part.
        kind: The kind of answer, or the message by its code, that is asked for and not given; ""
            when none is missing.
        is_new: Something is said that the question does not say itself.
        is_at_place: Some statement stands at the very place that the question names.
    """

    sentence: float
    words: float
    kind: str = ""
    is_new: bool = True
    is_at_place: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers in the order of `FEATURES`."""
        return tuple(getattr(self, name) for name in FEATURES)


@dataclass(frozen=True, slots=True)
class SupportModel:
    """Logistic regression over the features.

    Attributes:
        weights: By feature, none negative: more support never refuses.
        threshold: Probability of an answer from which it is given.
    """

    bias: float
    weights: Mapping[str, float]
    threshold: float

    def probability(self, features: SupportFeatures) -> float:
        """Return how likely the statements answer the question, 0 to 1."""
        pairs = zip(FEATURES, features.values, strict=True)
        total = self.bias + sum(self.weights[name] * value for name, value in pairs)
        return 1.0 / (1.0 + math.exp(-total))

    def supports(self, features: SupportFeatures) -> bool:
        """Tell whether statements may be given as an answer."""
        if features.is_at_place:
            return True
        is_answer = features.is_new and not features.kind
        return is_answer and self.probability(features) >= self.threshold


@cache
def shipped_model() -> SupportModel:
    """Return the model that `desktop-qa tune --refusal` was used to fit."""
    content = tomllib.loads(asset("resources/support.toml").read_text(encoding="utf-8"))
    return SupportModel(content["bias"], content["weights"], content["threshold"])


_model: ContextVar[SupportModel | None] = ContextVar("model", default=None)


@contextmanager
def using_model(model: SupportModel) -> Iterator[None]:
    """Let another model than the shipped one judge replies meanwhile, in this thread."""
    token = _model.set(model)
    try:
        yield
    finally:
        _model.reset(token)


_recorded: ContextVar[list[SupportFeatures] | None] = ContextVar("recorded", default=None)


@contextmanager
def recorded_support() -> Iterator[list[SupportFeatures]]:
    """Collect the features of the replies that are judged meanwhile, in this thread."""
    found: list[SupportFeatures] = []
    token = _recorded.set(found)
    try:
        yield found
    finally:
        _recorded.reset(token)


def is_supported(task: AnswerTask, reply: Reply) -> bool:
    """Tell whether a reply that is not sure of itself may be given.

    A place that was named and found is an answer; anything else must be carried by words.
    """
    features = support_features(task, reply.statements)
    found = _recorded.get()
    if found is not None:
        found.append(features)
    return (_model.get() or shipped_model()).supports(features)


def support_features(task: AnswerTask, statements: Sequence[Statement]) -> SupportFeatures:
    """Measure how some statements carry an answer.

    Args:
        task: With the question and all that was found.
        statements: Those that would be given; their sources count, too, where they only derive.
    """
    quoted = _quoted(statements)
    texts = [statement.text for statement in quoted]
    cosines = bare_meanings(task, quoted, texts)
    nearby = {term for s in quoted for term in _terms_of_evidence(s.evidence)}
    nearby.update(term for text in texts for term in terms_of(text))
    nearby.update(t for item in task.usable[:_MAX_NEARBY] for t in _terms_of_evidence(item))
    same = {term for term, _weight in task.query.expansions}
    return SupportFeatures(
        sentence=max(cosines, default=0.0),
        words=_share(task, nearby, same),
        kind=_missing(task, [*texts, *(s.evidence.segment.text for s in quoted)]),
        is_new=not {term for text in texts for term in terms_of(text)} <= _terms_of_question(task),
        is_at_place=any(stands_there(statement.evidence) for statement in statements),
    )


def _missing(task: AnswerTask, texts: Sequence[str]) -> str:
    """Return what is asked for and not there: a kind of answer, or a message by its code."""
    code = missing_code(task.query.text, [*texts, *(e.segment.text for e in task.usable)])
    return code or missing_kind(task.query.text, texts)


def _terms_of_question(task: AnswerTask) -> set[str]:
    """Return all terms of a question, its part numbers included."""
    return set(terms_of(task.query.text))


def _quoted(statements: Sequence[Statement]) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        found += [statement] if statement.runs or not statement.rests_on else statement.rests_on
    return found[:_MAX_STATEMENTS]


def _terms_of_evidence(item: Evidence) -> list[str]:
    return terms_of(f"{item.segment.metadata.context_line()}\n{item.segment.text}")


_OTHER_NAME = 0.5
"""What a word of the trade counts that stands for a word of the question."""


def _share(task: AnswerTask, present: set[str], same: set[str]) -> float:
    """Return the share of the question's words that are present, each weighing at most 1."""
    weights = {term: min(idf, RARE) / RARE for term, idf in task.terms.weights.items()}
    total = sum(weights.values())
    if total <= 0.0:
        return 0.0
    found = sum(weight for term, weight in weights.items() if term in present)
    return min(1.0, (found + _OTHER_NAME * len(same & present)) / total)


def stands_there(item: Evidence) -> bool:
    """Tell whether the structure route found a segment at the named place itself, not only near."""
    return any(hit.route is Route.STRUCTURE and hit.score >= MIN_PLACE for hit in item.hits)
