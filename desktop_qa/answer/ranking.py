"""The order of the statements that may answer: a linear score of what each has and lacks.

The weights lie in `resources/statements.toml`. They are those of a conditional logistic regression
(a right statement among all of a question) over the open libraries; `make left-out` fits them on
all libraries but one, measures on that one, in turn, and can write them anew.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from desktop_qa.answer.part_mentions import Mention
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.trial import current_trial
from desktop_qa.augment.periods import is_of_period, without_periods
from desktop_qa.augment.quantities import n_held
from desktop_qa.augment.value_kinds import dimensions_in
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of
from desktop_qa.paths import asset
from desktop_qa.retrieve.answer_kind import asked_dimensions, limits_in

FEATURES: Mapping[str, str] = {
    "evidence": "the segment's score, as share of the best segment's",
    "words": "share of the question's words that the statement and its place carry",
    "pairs": "share of the question's words beside each other that stand so in it, too",
    "dimension": "it gives a value of the dimension asked for",
    "values": "share of the question's quantities that stand in it",
    "bound": "its row gives the bound asked for",
    "figure": "it is the caption of a figure that was not asked for",
    "rating": "it stands among absolute maximum ratings that were not asked for",
    "relevance": "log odds that it answers, by the model that reads question and statement as one",
}
"""What a score is the sum of. Others were tried and brought nothing on libraries left out: rank and
kind of the segment, page, references elsewhere, years and conditions given, likeness of the row's
label, a number where one is asked for, a bound that is lacking, the words of the title left out."""

_OF_ANOTHER = {Mention.SIBLING: 6.0, Mention.UNDER_VARIANT: 3.0}
"""What a statement loses that is about a sibling of the part alone, or stands under the title of a
grade of it. Not fitted: neither may answer for the part where its own value stands, however few
questions of a bank fall for it. Of a list of order codes each row is a grade, and answers."""

_OHM_SIGN = str.maketrans({"\u2126": "Ω"})
_FIGURE_ASKED = 3.0
_N_READ = 40
"""Statements, the best by all else, that are read with the question: one takes 10 ms."""

_N_CAPTIONS = 100
_ABSOLUTE = re.compile(r"absolute\W+max|maximum ratings|limiting values", re.IGNORECASE)
_ASKS_ABSOLUTE = re.compile(
    r"\babsolute|\bratings?\b|surviv|damage|withstand|destroy|stress|tolerate|without harm|\bESD\b"
    r"|storage|burn(?:s|ing)? out|safely|kill",
    re.IGNORECASE,
)


@cache
def shipped_weights() -> Mapping[str, float]:
    """Return the weight of each of `FEATURES`, in log odds."""
    content = tomllib.loads(asset("resources/statements.toml").read_text(encoding="utf-8"))
    weights = content["weights"]
    return {name: float(weights[name]) for name in FEATURES}


def weights_in_use() -> Mapping[str, float]:
    """Return the weights that order statements in this thread, a trial's or the shipped ones."""
    trial = current_trial()
    return (trial and trial.weights) or shipped_weights()


@dataclass(frozen=True, slots=True)
class Measured:
    """The statements that one question could be answered by, as they were ordered.

    Attributes:
        statements: Those that were read with the question, the best by all else first.
        texts: Of each, as the model of relevance reads it.
        features: Of each; the names are those of `FEATURES`.
    """

    statements: tuple[Statement, ...]
    texts: tuple[str, ...]
    features: tuple[Mapping[str, float], ...]


def ranked(task: AnswerTask, candidates: Sequence[Statement]) -> list[Statement]:
    """Order statements by how well they answer, best first, with their scores."""
    trial = current_trial()
    weights = weights_in_use()
    measured = []
    for one, own in zip(candidates, _features(task, candidates), strict=True):
        score = sum(weights[name] * value for name, value in own.items())
        score -= _OF_ANOTHER.get(one.mention, 0.0)
        measured.append((replace(one, score=score), own))
    measured.sort(key=lambda m: -m[0].score)
    n_read = _N_CAPTIONS if task.query.type == QuestionType.FIGURE else _N_READ
    read, others = measured[:n_read], [one for one, _own in measured[n_read:]]
    weight = weights["relevance"]
    odds = task.relevances([one for one, _own in read]) if weight else [0.0] * len(read)
    if trial is not None:
        whole = [own | {"relevance": o} for (_one, own), o in zip(read, odds, strict=True)]
        statements = tuple(one for one, _own in read)
        texts = tuple(map(task.in_place, statements))
        trial.measured.append(Measured(statements, texts, tuple(whole)))
    first = [
        replace(one, score=one.score + weight * o, odds=o)
        for (one, _own), o in zip(read, odds, strict=True)
    ]
    # The others are taken for no better than the least of those that were read.
    least = weight * min(odds, default=0.0)
    first.sort(key=lambda s: -s.score)
    return [*first, *(replace(one, score=one.score + least) for one in others)]


@lru_cache(maxsize=256)
def _pairs_asked(question: str, title: frozenset[str]) -> frozenset[tuple[str, str]]:
    """Return the words beside each other of what is asked of a document with a title.

    Its name and the period stand in every statement of a report, or in none.
    """
    words = without_periods(question).split()
    bare = " ".join(w for w in words if not (own := set(terms_of(w))) or not own <= title)
    return frozenset(pairwise(terms_of(bare)))


def _features(task: AnswerTask, statements: Sequence[Statement]) -> Iterator[dict[str, float]]:
    """Measure statements; names are those of `FEATURES`, but for their relevance."""
    query = task.query
    dimensions, asks_bound = asked_dimensions(query.text), bool(limits_in(query.text))
    values = frozenset(value for value in query.values if not is_of_period(value))
    of_figure = -_FIGURE_ASKED if query.type == QuestionType.FIGURE else 1.0
    asks_absolute = _ASKS_ABSOLUTE.search(query.text) is not None
    top_score = max((s.evidence.score for s in statements), default=1.0) or 1.0
    for one in statements:
        metadata = one.evidence.segment.metadata
        is_absolute = _ABSOLUTE.search(" ".join((*metadata.section_path[-1:], metadata.caption)))
        yield {
            "evidence": one.evidence.score / top_score,
            "words": one.coverage,
            "pairs": _pairs(task, one),
            "dimension": float(bool(dimensions & _stated_dimensions(one))),
            "values": n_held(values, one.values) / max(len(values), 1),
            "bound": float(asks_bound and one.gives_bound),
            "figure": of_figure * (one.evidence.segment.kind is SegmentKind.FIGURE),
            "rating": float(not asks_absolute and is_absolute is not None),
        }


def _pairs(task: AnswerTask, statement: Statement) -> float:
    """Tell "net income" from "income, net": whose words are the same."""
    asked = _pairs_asked(task.query.text, title_terms(statement.evidence))
    stated = set(pairwise(terms_of(f"{statement.text} {statement.about}")))
    return len(asked & stated) / max(len(asked), 1)


def title_terms(evidence: Evidence) -> frozenset[str]:
    """Return the terms of the title and the maker of a segment's document."""
    metadata = evidence.segment.metadata
    return _terms_in(f"{metadata.document_title} {metadata.vendor}")


@lru_cache(maxsize=256)
def _terms_in(title: str) -> frozenset[str]:
    return frozenset(terms_of(title))


def _stated_dimensions(statement: Statement) -> frozenset[str]:
    """Dimensions of the values stated: of a row those under the columns chosen."""
    values = " ; ".join(one.text for one in statement.stated)
    text = values if statement.cells else statement.text
    return dimensions_in(text.translate(_OHM_SIGN), at_line_ends=True)
