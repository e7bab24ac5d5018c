"""The extractive answer: statements of the evidence, chosen and cited; refused when none holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_qa.answer.absent import evidence_of_codes
from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.choice import choice
from desktop_qa.answer.compare import compare_way, comparison_of
from desktop_qa.answer.compute_expressions import calculation
from desktop_qa.answer.compute_tables import table_reckoning
from desktop_qa.answer.exact import exact
from desktop_qa.answer.fiscal_years import in_years_of_heads
from desktop_qa.answer.guard import refused_attempt
from desktop_qa.answer.illustrations import illustrated
from desktop_qa.answer.procedures import whole_reply
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.refusal import absent_part, refusal
from desktop_qa.answer.relevance import question_terms
from desktop_qa.answer.reply import AnswerTask, Meaning, Reply
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.structure_facts import place_reply, structure_facts
from desktop_qa.answer.summary import rewrite_reply, summary_reply
from desktop_qa.answer.trust import trust_in
from desktop_qa.answer.verdicts import verdict
from desktop_qa.answer.which_document import clarification
from desktop_qa.core.answer import STATED_FROM, Evidence, Query
from desktop_qa.core.segment import SegmentId

LIKELY = "Most likely:"
"""Stands before what is rather right than wrong, and not surely right."""

UNSURE = "Not sure. The closest that was found:"
"""Stands before what is rather wrong than right."""

_EVEN = 0.5


def task_of(
    query: Query,
    evidence: Sequence[Evidence],
    source: StoredEvidence,
    idf: Callable[[str], float],
    best_similarity: float,
    meaning: Meaning,
    search: Callable[[Query], Sequence[Evidence]],
) -> AnswerTask:
    """Put together what a question that is not composite is answered from; see `AnswerTask`."""
    query = in_years_of_heads(query, source)
    return AnswerTask(
        query=query,
        evidence=tuple(evidence),
        usable=tuple(
            evidence_of_codes(query, evidence, lambda d: bool(source.document(d).part_numbers))
        ),
        terms=question_terms(query, idf),
        source=source,
        best_similarity=best_similarity,
        meaning=meaning,
        idf=idf,
        search=search,
    )


def by_statements(task: AnswerTask) -> tuple[Evidence, ...]:
    """Order the evidence by the best statement of each segment; what states nothing is last."""
    best: dict[SegmentId, float] = {}
    for statement in ranked(task, candidates(task, task.evidence)):
        best.setdefault(statement.evidence.segment.id, statement.score)
    return tuple(sorted(task.evidence, key=lambda e: -best.get(e.segment.id, -math.inf)))


def reply_to(task: AnswerTask) -> Reply:
    """Answer from evidence without a language model, in the first of the ways that fits.

    Returns:
        A reply, to be cited; CLARIFY with a question for each document that may be meant; or
        NOT_FOUND with the nearest sections and, of several parts, their comparison.
    """
    for way in _WAYS:
        reply = way(task)
        if reply is None:
            continue
        if reply.is_sure:
            return illustrated(task, reply)
        probability, is_given = trust_in(task, reply)
        if is_given:
            return illustrated(task, with_reserve(reply, probability))
    return replace(refusal(task), tables=comparison_of(task, ()))


def with_reserve(reply: Reply, probability: float) -> Reply:
    """Let a reply lead with how sure it is; a verdict or a choice says so behind itself."""
    if probability >= STATED_FROM:
        return replace(reply, probability=probability)
    if reply.verdict or reply.chosen:
        reserve = ", most likely:" if probability >= _EVEN else ", but that is not sure:"
        first, *others = reply.statements
        said = replace(first, text=first.text.replace(":", reserve, 1))
        return replace(reply, probability=probability, statements=(said, *others))
    reserve = LIKELY if probability >= _EVEN else UNSURE
    lead = " ".join(filter(None, (reply.lead, reserve)))
    return replace(reply, probability=probability, lead=lead)


_WAYS: tuple[Callable[[AnswerTask], Reply | None], ...] = (
    refused_attempt,
    absent_part,
    clarification,
    table_reckoning,
    structure_facts,
    choice,
    verdict,
    compare_way,
    calculation,
    summary_reply,
    rewrite_reply,
    place_reply,
    whole_reply,
    exact,
)
"""Tried in this order: what is certain first, what quotes the best of the evidence last."""
