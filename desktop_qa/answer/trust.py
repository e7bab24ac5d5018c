"""How likely an answer is right: a logistic regression over what its choice was made on.

The order of statements (`answer.ranking`) is a conditional logit, so what the one given has of the
whole mass is the probability that it is the right one, if any is. Whether any is, the height of its
score and the place it was found at tell. The weights lie in `resources/trust.toml`; `make left-out`
fits them on all libraries but one, and measures on that one, in turn.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from desktop_qa.answer.statement import Statement
from desktop_qa.paths import asset

FEATURES: Mapping[str, str] = {
    "share": "log odds of the given statements' share in the mass of all",
    "score": "score of the first, in log odds (see `answer.ranking`)",
    "evidence": "score of the segment that it stands in",
}

_MAX_LOG_ODDS = 7.0
"""Where one statement alone could be said, its share is no evidence."""


@dataclass(frozen=True, slots=True)
class TrustModel:
    """Weights of the regression, by feature."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability that what is given first answers the question."""
        total = self.bias + sum(self.weights[name] * features[name] for name in FEATURES)
        return 1.0 / (1.0 + math.exp(-total))


@cache
def shipped_trust() -> TrustModel:
    """Return the model fitted on all open libraries."""
    content = tomllib.loads(asset("resources/trust.toml").read_text(encoding="utf-8"))
    return TrustModel(content["bias"], content["weights"])


_recorded: ContextVar[list[Mapping[str, float]] | None] = ContextVar("recorded", default=None)


@contextmanager
def recorded_trust() -> Iterator[list[Mapping[str, float]]]:
    """Collect the features of the answers that are made meanwhile, in this thread."""
    found: list[Mapping[str, float]] = []
    token = _recorded.set(found)
    try:
        yield found
    finally:
        _recorded.reset(token)


def trust_in(given: Sequence[Statement], order: Sequence[Statement]) -> float:
    """Return how likely statements are the right ones, 0 to 1.

    Args:
        given: What is stated first; their scores are those of `order`.
        order: All that could have been stated, best first.
    """
    top = order[0].score
    mass = math.fsum(math.exp(one.score - top) for one in order)
    held = math.fsum(math.exp(one.score - top) for one in given)
    features = {
        "share": _log_odds(held / mass),
        "score": given[0].score,
        "evidence": given[0].evidence.score,
    }
    if (found := _recorded.get()) is not None:
        found.append(features)
    return shipped_trust().probability(features)


def _log_odds(share: float) -> float:
    if share >= 1.0:
        return _MAX_LOG_ODDS
    return min(math.log(share / (1.0 - share)), _MAX_LOG_ODDS)
