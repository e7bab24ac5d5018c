"""Whether a reply is carried by its evidence, or the question is better refused."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence, Route
from desktop_qa.retrieve.places import MIN_PLACE

MIN_SUPPORT = 0.75
"""Coverage of the question's words plus the cosine of its best segment, below which the answer is
refused: both absolute, never scaled per query. Over the banks 0.93 of the negative questions fall
below it and 0.11 of the others; from 0.70 to 0.85 both change by less than 0.13."""


def is_supported(task: AnswerTask, reply: Reply) -> bool:
    """Tell whether a reply that is not sure of itself may be given.

    A place that was named and found is an answer; anything else must be carried by words.
    """
    statements: Sequence[Statement] = reply.statements
    if any(stands_there(statement.evidence) for statement in statements):
        return True
    coverage = max((statement.coverage for statement in statements), default=0.0)
    return coverage + task.best_similarity >= MIN_SUPPORT


def stands_there(item: Evidence) -> bool:
    """Tell whether the structure route found a segment at the named place itself, not only near."""
    return any(hit.route is Route.STRUCTURE and hit.score >= MIN_PLACE for hit in item.hits)
