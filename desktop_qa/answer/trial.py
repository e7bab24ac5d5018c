"""What is fitted and measured from outside: other weights for the answers, and what they rest on.

`make left-out` asks questions with weights that were fitted without their library, and collects
the features that answers were chosen and trusted on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_qa.answer.ranking import Measured
    from desktop_qa.answer.trust import Grounds, TrustModel


@dataclass(slots=True)
class Trial:
    """What replaces the shipped weights, and what was met meanwhile.

    Attributes:
        weights: Of statements; `None` for the shipped ones.
        trust: `None` for the shipped model.
        measured: The statements that each answer was chosen from; the meaning of all is compared.
        grounds: What each reply that is not sure of itself was trusted on, the last one given.
    """

    weights: Mapping[str, float] | None = None
    trust: TrustModel | None = None
    measured: list[Measured] = field(default_factory=list)
    grounds: list[Grounds] = field(default_factory=list)


_trial: ContextVar[Trial | None] = ContextVar("trial", default=None)


def current_trial() -> Trial | None:
    """Return the trial that this thread answers in, if any."""
    return _trial.get()


@contextmanager
def trial(
    weights: Mapping[str, float] | None = None, trust: TrustModel | None = None
) -> Iterator[Trial]:
    """Answer with other weights meanwhile, in this thread, and collect what answers rest on."""
    own = Trial(weights, trust)
    token = _trial.set(own)
    try:
        yield own
    finally:
        _trial.reset(token)
