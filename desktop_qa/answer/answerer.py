"""The extractive answer: statements of the evidence, chosen and cited; refused when none holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_qa.answer.absent import (
    absent_text,
    evidence_of_codes,
    refusal_text,
    without_datasheet_text,
)
from desktop_qa.answer.cells import table_statements
from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.procedures import procedure_reply
from desktop_qa.answer.prose import (
    figure_statement,
    opening_statements,
    sentence_statements,
)
from desktop_qa.answer.relevance import QuestionTerms, question_terms
from desktop_qa.answer.reply import AnswerTask, LibrarySource, Reply
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.answer.structure_facts import clarifications, place_statement, structure_facts
from desktop_qa.core.answer import Answer, AnswerStatus, Evidence, Query, Route
from desktop_qa.core.segment import SegmentKind
from desktop_qa.retrieve.places import MIN_PLACE

WHICH_DOCUMENT = "Every document has such a place. Which one do you mean?"

_EVIDENCE_WEIGHT = 0.5
"""Of the retriever's score against the words of the statement itself."""

_SHARE_OF_BEST = 0.9
_MAX_STATEMENTS = 3
_MAX_ROWS = 5
_MAX_PLACE_STATEMENTS = 6


MIN_SUPPORT = 0.75
"""Coverage of the question's words plus the cosine of its best segment, below which the answer is
refused: both absolute, never scaled per query. Over the banks 0.93 of the negative questions fall
below it and 0.11 of the others; from 0.70 to 0.85 both change by less than 0.13."""


def answer_question(
    query: Query,
    evidence: Sequence[Evidence],
    source: LibrarySource,
    idf: Callable[[str], float],
    best_similarity: float,
    similarities: Callable[[Sequence[str]], Sequence[float]],
) -> Answer:
    """Answer from evidence without a language model.

    Args:
        query: The question, not composite.
        evidence: Ranked, best first.
        source: Tables and words of the segments.
        idf: Inverse document frequency of a term in the library.
        best_similarity: Highest cosine of the question and any segment.
        similarities: Cosines of the question with texts.

    Returns:
        An answer whose every statement carries a marker; CLARIFY with a question for each document
        that may be meant; or NOT_FOUND with the nearest sections.
    """
    started = time.perf_counter()
    task = AnswerTask(
        query=query,
        evidence=tuple(evidence),
        usable=tuple(evidence_of_codes(query, evidence)),
        terms=question_terms(query, idf),
        source=source,
        best_similarity=best_similarity,
        similarities=similarities,
    )
    answer = cited_answer(query, reply_to(task), evidence)
    return replace(answer, seconds=time.perf_counter() - started)


def reply_to(task: AnswerTask) -> Reply:
    """Answer in the first of the ways that fits the question, or refuse."""
    for way in _WAYS:
        reply = way(task)
        if reply is not None and (reply.is_sure or _is_supported(task, reply.statements)):
            return reply
    text = refusal_text(task.query, task.evidence)
    return Reply(text, status=AnswerStatus.NOT_FOUND, is_sure=True)


def _absent_codes(task: AnswerTask) -> Reply | None:
    if not task.query.absent or task.query.document_ids:
        return None
    text = absent_text(task.query, task.evidence)
    return Reply(text, status=AnswerStatus.NOT_FOUND, is_sure=True)


def _clarification(task: AnswerTask) -> Reply | None:
    readings = clarifications(task.query, task.evidence, task.source)
    if not readings:
        return None
    lead = "\n".join((WHICH_DOCUMENT, "", *(f"- {reading}" for reading in readings)))
    return Reply(lead, status=AnswerStatus.CLARIFY, readings=readings, is_sure=True)


def _structure(task: AnswerTask) -> Reply | None:
    facts = structure_facts(task.query, task.source)
    if facts is None:
        return None
    lead = facts.lead or "The document does not say."
    return Reply(lead, facts.statements, is_sure=True)


def _exact(task: AnswerTask) -> Reply | None:
    statements = _choose(task.query, task.terms, task.usable, task.source)
    if not statements:
        return None
    lead = without_datasheet_text(task.query, task.evidence)
    return Reply(lead, tuple(statements), readings=task.query.readings)


_WAYS: tuple[Callable[[AnswerTask], Reply | None], ...] = (
    _absent_codes,
    _clarification,
    _structure,
    procedure_reply,
    _exact,
)
"""Tried in this order: what is certain first, what quotes the best of the evidence last."""


def _is_supported(task: AnswerTask, statements: Sequence[Statement]) -> bool:
    """A place that was named and found is an answer; anything else must be carried by words."""
    if any(_stands_there(statement.evidence) for statement in statements):
        return True
    coverage = max((statement.coverage for statement in statements), default=0.0)
    return coverage + task.best_similarity >= MIN_SUPPORT


def _choose(
    query: Query, terms: QuestionTerms, evidence: Sequence[Evidence], source: EvidenceSource
) -> list[Statement]:
    if query.structure_refs and (placed := _place_statements(query, terms, evidence, source)):
        return placed
    candidates = _candidates(query, terms, evidence, source)
    if not candidates:
        return []
    if len(query.document_ids) > 1:
        return _best_of_each_document(query, candidates)
    return _with_its_equals(candidates)


def _candidates(
    query: Query, terms: QuestionTerms, evidence: Sequence[Evidence], source: EvidenceSource
) -> list[Statement]:
    top = max((item.score for item in evidence), default=1.0) or 1.0
    found: list[Statement] = []
    for item in evidence:
        if item.segment.kind is SegmentKind.TABLE:
            statements = table_statements(query.text, terms, item, source)[:_MAX_ROWS]
        elif item.segment.kind is SegmentKind.FIGURE:
            statements = [s for s in [figure_statement(terms, item, source)] if s]
        else:
            statements = sentence_statements(query.text, terms, item, source)[:_MAX_STATEMENTS]
        bonus = _EVIDENCE_WEIGHT * item.score / top + _kind_bonus(query, item)
        found += [replace(s, score=s.score + bonus) for s in statements]
    return sorted(found, key=lambda s: -s.score)


def _kind_bonus(query: Query, item: Evidence) -> float:
    """A caption answers "which figure", and hardly anything else."""
    is_figure = item.segment.kind is SegmentKind.FIGURE
    if query.type == "figure":
        return 0.4 if is_figure else 0.0
    return -0.4 if is_figure else 0.0


def _with_its_equals(candidates: Sequence[Statement]) -> list[Statement]:
    """The best statement, the rows that state the same under other conditions, and its peers."""
    best = candidates[0]
    document_id = best.evidence.segment.document_id
    peers = [
        s
        for s in candidates[1:]
        if s.evidence.segment.document_id == document_id and s.score >= _SHARE_OF_BEST * best.score
    ]
    if best.cells:
        # A row is exact: other parameters that share its words would only cloud it.
        return _distinct([best, *(s for s in peers if s.subject == best.subject)][:_MAX_ROWS])
    chosen = [best]
    for statement in peers:
        if len(chosen) >= _MAX_STATEMENTS:
            break
        if statement not in chosen:
            chosen.append(statement)
    return _distinct(chosen)


def _distinct(statements: Sequence[Statement]) -> list[Statement]:
    kept: dict[str, Statement] = {}
    for statement in statements:
        kept.setdefault(statement.text.casefold(), statement)
    return list(kept.values())


def _best_of_each_document(query: Query, candidates: Sequence[Statement]) -> list[Statement]:
    """One statement for each document the question names, in the order it names them."""
    chosen = []
    for document_id in query.document_ids:
        own = [s for s in candidates if s.evidence.segment.document_id == document_id]
        chosen += _with_its_equals(own)[:2] if own else []
    return chosen or _with_its_equals(candidates)


def _place_statements(
    query: Query, terms: QuestionTerms, evidence: Sequence[Evidence], source: EvidenceSource
) -> list[Statement]:
    """What stands at the place that the question names."""
    placed = [item for item in evidence if _stands_there(item)]
    if not placed:
        return []
    specific = [s for s in _candidates(query, terms, placed, source) if s.coverage >= 0.6]
    if terms.weights and specific:
        return _with_its_equals(specific)
    statements: list[Statement] = []
    named_kinds = {ref.kind for ref in query.structure_refs}
    for item in placed:
        if item.segment.kind is not SegmentKind.TEXT:
            caption = figure_statement(terms, item, source)
            is_named = item.segment.kind in named_kinds or bool(item.segment.metadata.caption)
            if caption is None and is_named:
                caption = place_statement(item, source)
            statements += [caption] if caption is not None else []
    statements += opening_statements(placed, terms, source, _MAX_PLACE_STATEMENTS)
    return _distinct(statements)[:_MAX_PLACE_STATEMENTS]


def _stands_there(item: Evidence) -> bool:
    """True when the structure route found a segment at the place itself, not only near it."""
    return any(hit.route is Route.STRUCTURE and hit.score >= MIN_PLACE for hit in item.hits)
