"""Whether a reply is given, and how likely it is right: two regressions over the same grounds.

A reply is given when the library is likely to hold an answer at all; how likely it is the right
one, it says. The order of statements (`answer.ranking`) is a conditional logit, so what the one
given has of the whole mass is the probability that it is the right one, if any is. Whether any is,
tell the height of its score, the place it was found at, and how near statement and evidence are to
the question. What was computed, and what was not chosen among ranked statements (steps, lists,
places), has regressions of its own, without share and score. The weights lie in
`resources/trust.toml`; `make left-out` fits them on all libraries but one, and measures on that
one, in turn.

All that is looked at is absolute: nothing is scaled by the other segments of the library, and a
word that no document holds weighs as much in a library of five documents as in one of five hundred.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from desktop_qa.answer.absent import missing_code
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.trial import current_trial
from desktop_qa.core.answer import Evidence, Route
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.terms import terms_of
from desktop_qa.paths import asset
from desktop_qa.retrieve.places import MIN_PLACE

FEATURES: Mapping[str, str] = {
    "any": "log odds that any of the statements that were read answers (see `answer.ranking`)",
    "relevance": "highest log odds that one of those given does",
    "words": "share of the question's words in all that was found",
    "evidence": "score of the segment that the first statement stands in",
    "share": "log odds of the given statements' share in the mass of all that were ranked",
    "score": "score of the first, in log odds (see `answer.ranking`)",
    "named": "how surely what was computed rests on what the question names (see `Reply`)",
}
OF_ANSWERABLE = ("any", "words", "evidence")
OF_RIGHT = ("relevance", "words", "evidence")
"""Features that tell the one and the other; each better than those of the other would."""

OF_SORT: Mapping[str, tuple[str, ...]] = {
    "ranked": ("share", "score"), "computed": ("named",), "told": ()
}  # fmt: skip
"""Those that only what was chosen among ranked statements has besides, and what was computed has
alone: its words are those of a formula, and how near they are to the question tells nothing."""

GIVEN_FROM = 0.3
"""Probability that there is an answer from which a reply is given, where questions with and without
an answer are as many. Below 0.5, because to withhold an answer is worse than to give a weak one
that says so."""

RARE = math.log(100)
"""Inverse document frequency from which a word counts in full: one segment in a hundred. Without
this limit a word that stands nowhere would weigh more the larger the library is."""

_MAX_LOG_ODDS = 7.0
"""Where one statement alone could be said, its share is no evidence."""

_MAX_STATEMENTS = 3
"""Of a reply that are read with the question; one takes 10 ms."""

_NO_RELEVANCE = -5.0

_MAX_NEARBY = 10


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a reply is trusted on; more of a feature is better.

    Attributes:
        features: By the names of `FEATURES`; without share and score for what was not ranked.
        is_new: Something was asked, and something is said that the question does not say itself;
            of a message asked for by its code, with that code.
        is_at_place: Some statement stands at the very place that the question names.
    """

    features: Mapping[str, float]
    is_new: bool = True
    is_at_place: bool = False

    @property
    def sort(self) -> str:
        """How it was come by, of `OF_SORT`: by its own features."""
        return next(sort for sort, own in OF_SORT.items() if self.features.keys() >= {*own})


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression: weights by feature, none of them negative."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability of the class, 0 to 1."""
        total = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-total))


Sorts = Mapping[str, Regression]
"""The regression of each sort of reply."""


@dataclass(frozen=True, slots=True)
class TrustModel:
    """What grounds tell.

    Attributes:
        answerable: Whether the library holds an answer.
        right: Whether what is given first is it.
    """

    answerable: Sorts
    right: Sorts

    def gives(self, grounds: Grounds) -> bool:
        """Tell whether a reply may be given as an answer.

        A place that was named and found is an answer; anything else must be likely.
        """
        if grounds.is_at_place:
            return True
        return grounds.is_new and probability(self.answerable, grounds) >= GIVEN_FROM


def probability(sorts: Sorts, grounds: Grounds) -> float:
    """Return the probability of the class for a reply, 0 to 1."""
    return sorts[grounds.sort].probability(grounds.features)


@cache
def shipped_trust() -> TrustModel:
    """Return the model fitted on all open libraries."""
    content = tomllib.loads(asset("resources/trust.toml").read_text(encoding="utf-8"))
    return TrustModel(*(_sorts(content[name]) for name in ("answerable", "right")))


def _sorts(content: Mapping[str, dict[str, float]]) -> Sorts:
    return {sort: Regression(content[sort].pop("bias"), content[sort]) for sort in OF_SORT}


def trust_in(task: AnswerTask, reply: Reply) -> tuple[float, bool]:
    """Return how likely a reply is right, 0 to 1, and whether it is given."""
    grounds = grounds_of(task, reply)
    trial = current_trial()
    if trial is not None:
        trial.grounds.append(grounds)
    model = (trial and trial.trust) or shipped_trust()
    return probability(model.right, grounds), model.gives(grounds)


def grounds_of(task: AnswerTask, reply: Reply) -> Grounds:
    """Measure what a reply rests on; the sources of its statements count where they only derive."""
    quoted = _quoted(reply.statements)
    texts = [statement.text for statement in quoted]
    odds = [one.odds for one in quoted if one.odds is not None]
    odds += task.relevances([one for one in quoted if one.odds is None])
    odds = odds or [_NO_RELEVANCE]
    said = {term for text in texts for term in terms_of(text)}
    nearby = said.union(*(_terms_of_evidence(s.evidence) for s in quoted))
    nearby.update(t for item in task.usable[:_MAX_NEARBY] for t in _terms_of_evidence(item))
    weights = {term: min(idf, RARE) / RARE for term, idf in task.terms.weights.items()}
    return Grounds(
        features={
            "any": _log_mass([o for one in reply.ranked if (o := one.odds) is not None] or odds),
            "relevance": max(odds),
            "words": QuestionTerms(weights).coverage(nearby),
            "evidence": quoted[0].evidence.score if quoted else 0.0,
            **_standing(reply),
        },
        is_new=bool(task.terms.weights)
        and (_says_more(reply) or not said <= set(terms_of(task.query.text)))
        and not missing_code(task.query.text, [*texts, *(e.segment.text for e in task.usable)]),
        is_at_place=any(stands_there(statement.evidence) for statement in reply.statements),
    )


def _log_mass(odds: Sequence[float]) -> float:
    """Return log(sum(exp)): each is against none of them, so the sum is any against none."""
    top = max(odds)
    return top + math.log(math.fsum(math.exp(one - top) for one in odds))


def _says_more(reply: Reply) -> bool:
    """Tell whether what is given first says more than its words, as a figure or a verdict does."""
    first = reply.statements[:1]
    shows = any(one.evidence.segment.kind is SegmentKind.FIGURE for one in first)
    return shows or bool(reply.verdict)


def _standing(reply: Reply) -> dict[str, float]:
    """Measure how the given statements stand among those that were ranked."""
    if reply.named is not None:
        return {"named": reply.named}
    if not reply.ranked:
        return {}
    mass = _log_mass([one.score for one in reply.ranked])
    held = _log_mass([one.score for one in reply.statements])
    share = math.exp(held - mass)
    odds = math.log(share / (1.0 - share)) if share < 1.0 else _MAX_LOG_ODDS
    return {"share": min(odds, _MAX_LOG_ODDS), "score": reply.statements[0].score}


def _quoted(statements: Sequence[Statement]) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        found += [statement] if statement.runs or not statement.rests_on else statement.rests_on
    return found[:_MAX_STATEMENTS]


def _terms_of_evidence(item: Evidence) -> list[str]:
    return terms_of(f"{item.segment.metadata.context_line()}\n{item.segment.text}")


def stands_there(item: Evidence) -> bool:
    """Tell whether the structure route found a segment at the named place itself, not only near."""
    return any(hit.route is Route.STRUCTURE and hit.score >= MIN_PLACE for hit in item.hits)
