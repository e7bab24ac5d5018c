"""True or false: a claim held against the passage that decides it, or against a table's value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.claims import (
    Passage,
    claim_terms,
    contradictions,
    is_against_obligation,
    limits_to_another_mode,
    names_another_object,
    opposites,
    passages,
    predicate_of,
    quoted,
    speaks_of_another_mode,
    values_agree,
)
from desktop_qa.answer.measures import (
    Measure,
    PlacedMeasure,
    dimension,
    in_base,
    is_equal,
    measures_in,
)
from desktop_qa.answer.operands import Reading, Request, look_up
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import QuestionType
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.task_words import strip_task_words

_CONDITION = re.compile(
    r"(?:\b(?:at|with|when|if|under|for|using|and|between|from|than|on)\b|[=@,])\s*(?:an?\s+|the\s+)?"
    r"(?:[A-Z]\w*\s*(?:of|=|is|at)\s*)?$",
    re.IGNORECASE,
)
_COMPARATORS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (-1, re.compile(r"\b(?:less|lower|smaller|fewer|below|under|shorter|no\s+more|not\s+more"
                    r"|within|at\s+most|up\s+to|as\s+(?:low|little)\s+as)\b[^.]{0,14}$", re.I)),
    (1, re.compile(r"\b(?:more|higher|greater|larger|above|over|exceed\w*|longer|no\s+less"
                   r"|not\s+less|at\s+least|beyond)\b[^.]{0,14}$", re.I)),
)  # fmt: skip
_SURE_READING = 0.72
_SURE = 0.55
_LIKELY = 0.42
_COVERED = 0.55
_BORNE_OUT = 0.7
_OF_PREDICATE = 0.4
_SHARE_OF_BEST = 0.6
_ALIKE = 0.35
"""Cosine of a claim and a passage on the same matter."""

_MAX_TRIED = 3


def judgement(task: AnswerTask) -> Reply | None:
    """Say whether a claim is true by the documents, or that they do not decide it."""
    if task.query.type != QuestionType.JUDGEMENT:
        return None
    reply = _judged(task)
    if reply is None:
        return None
    quoted_from = [s for s in (*reply.statements, *reply.statements[0].rests_on) if s.runs]
    return replace(reply, is_sure=any(_is_borne_out(task, s) for s in quoted_from))


def _judged(task: AnswerTask) -> Reply | None:
    claim = strip_task_words(task.query.text).strip(" \"'“”?")
    terms = claim_terms(task, claim)
    found = passages(task, terms)
    by_value = _by_value(task, claim, terms)
    best = found[0] if found else None
    if by_value is not None and (best is None or not _is_clear(claim, best)):
        return by_value
    return _by_passage(task, claim, terms, found) or by_value


def _is_clear(claim: str, passage: Passage) -> bool:
    """Tell whether a sentence settles the claim better than a value of a table would."""
    return passage.coverage >= 0.8 and values_agree(claim, passage.text) is not None


def _by_value(task: AnswerTask, claim: str, terms: QuestionTerms) -> Reply | None:
    """Compare the quantity that is claimed with the one that a table states."""
    plain = plain_quantities(claim)
    placed = measures_in(claim)
    claimed = [
        p for p in placed if not _CONDITION.search(plain[: p.start]) or _comparator(plain, p)
    ]
    if len(claimed) != 1 or claimed[0].in_range:
        return None
    target = claimed[0]
    words = {t: w for t, w in terms.weights.items() if t[:1].isalpha()}
    request = Request(
        text=claim,
        terms=QuestionTerms(words or terms.weights),
        kind=dimension(target.measure.unit),
        given=tuple(p.measure for p in placed if p is not target),
        document_ids=task.query.document_ids,
    )
    readings = [r for r in look_up(task, request) if r.statement is not None]
    if not readings or readings[0].score < _SURE_READING:
        return None
    tied = [
        r for r in readings if r.score >= readings[0].score - 0.05 and r.name == readings[0].name
    ]
    holds = [_holds(r.measure, target.measure, _comparator(plain, target)) for r in tied]
    if any(holds) != all(holds):
        return None  # it depends on a condition that the claim does not name
    decided = tied[0]
    is_true = holds[0]
    return _reply(is_true, _said_of(decided), decided.statement, is_sure=decided.named >= 0.6)


def _said_of(reading: Reading) -> str:
    name = reading.described
    at = f" at {reading.condition}" if reading.condition and len(reading.condition) < 60 else ""
    if reading.statement is not None and not reading.statement.cells:
        return ""
    return f"the documents state {reading.measure} as the {name}{at}."


def _comparator(plain: str, placed: PlacedMeasure) -> int:
    before = plain[: placed.start]
    return next((sign for sign, pattern in _COMPARATORS if pattern.search(before)), 0)


def _holds(stated: Measure, claimed: Measure, comparator: int) -> bool:
    if comparator == 0:
        return is_equal(stated, claimed, 1e-3)
    difference = in_base(stated) - in_base(claimed)
    return difference * comparator > 0 or is_equal(stated, claimed, 1e-6)


def _by_passage(
    task: AnswerTask, claim: str, terms: QuestionTerms, found: Sequence[Passage]
) -> Reply | None:
    if against := _against(task, claim, terms, found):
        return against
    for passage in found[:_MAX_TRIED]:
        statement = quoted(task, terms, passage)
        if statement is None:
            continue
        if passage.relevance < _LIKELY or statement.coverage < 0.3:
            break
        if opposites(claim, passage.text) > 1:
            continue  # it speaks of another case: high where the claim says low, write for read
        turns = contradictions(claim, passage.text)
        agree = values_agree(claim, passage.text)
        is_covered = passage.coverage >= _COVERED
        if agree is False:
            return _reply(False, "", statement, is_sure=is_covered)
        if turns % 2 == 1:
            return _reply(False, "", statement, is_sure=is_covered and passage.relevance >= _SURE)
        if limits_to_another_mode(claim, passage.text) and _says_it(claim, passage):
            return _reply(False, "", statement, is_sure=False)
        if is_covered and names_another_object(claim, passage.text):
            return _reply(False, "", statement, is_sure=False)
        if not _says_it(claim, passage) or speaks_of_another_mode(claim, passage.text):
            continue  # it speaks of the thing, not of what is claimed of it
        if is_covered or passage.relevance >= _SURE or agree:
            return _reply(True, "", statement, is_sure=is_covered and passage.relevance >= _SURE)
    return _undecided(task, terms, found)


def _says_it(claim: str, passage: Passage) -> bool:
    told = set(predicate_of(claim))
    return not told or len(told & set(terms_of(passage.text))) >= _OF_PREDICATE * len(told)


def _against(
    task: AnswerTask, claim: str, terms: QuestionTerms, found: Sequence[Passage]
) -> Reply | None:
    """Find the passage that requires what the claim says may be left out, or the other way round.

    Such a passage seldom shares many words with the claim: what is omitted is described by what it
    does.
    """
    near = [p for p in found if p.relevance >= _SHARE_OF_BEST * found[0].relevance]
    for passage in near:
        if passage.cosine >= _ALIKE and is_against_obligation(claim, passage.text):
            statement = quoted(task, terms, passage)
            if statement is not None:
                return _reply(False, "", statement, is_sure=passage.coverage >= _COVERED)
    return None


def _undecided(task: AnswerTask, terms: QuestionTerms, found: Sequence[Passage]) -> Reply | None:
    """Say that the nearest passage does not decide the claim; None when none is near."""
    near = next((s for p in found[:_MAX_TRIED] if (s := quoted(task, terms, p)) is not None), None)
    if near is None or near.coverage < 0.4:
        return None
    sentence = "The documents do not decide this; the nearest passage is quoted."
    main = Statement(sentence, near.evidence, (), (), near.coverage, near.score, rests_on=(near,))
    return Reply(statements=(main, near))


def _is_borne_out(task: AnswerTask, statement: Statement) -> bool:
    """Tell whether a verdict needs no further support: a named document says the claim's words."""
    document_id = statement.evidence.segment.document_id
    return statement.coverage >= _BORNE_OUT and document_id in task.query.document_ids


def _reply(is_true: bool, said: str, statement: Statement | None, *, is_sure: bool) -> Reply | None:
    if statement is None:
        return None
    verdict = "True" if is_true else "False"
    hedge = "" if is_sure else ", most likely"
    text = f"{verdict}{hedge}: {said}" if said else f"{verdict}{hedge}:"
    if not said:
        text = f"{verdict}{hedge}: {statement.text}"
        whole = Statement(
            text, statement.evidence, statement.runs, statement.cells, statement.coverage,
            statement.score,
        )  # fmt: skip
        return Reply(statements=(whole,), verdict=verdict.casefold())
    main = Statement(
        text, statement.evidence, (), (), statement.coverage, statement.score, rests_on=(statement,)
    )
    return Reply(statements=(main, statement), verdict=verdict.casefold())
