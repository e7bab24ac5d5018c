"""True or false, yes or no: the ranked statement that decides a claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.candidates import located
from desktop_qa.answer.claims import (
    Stance,
    asks_how,
    by_state,
    by_trend,
    cells_of,
    claim_of,
    claim_terms,
    is_claim,
    is_yes_or_no,
    resting_on,
    stance,
    statements_for,
)
from desktop_qa.answer.part_mentions import Mention, part_mentions
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import QuestionType

_MAX_TRIED = 24
_MARGIN = 6.0
"""Log odds (see `answer.ranking`) by which a statement may be behind the best one and decide."""

_OF_WORDS = 0.6
"""What the words that a claim and a statement share count; the rest is their cosine."""

_OF_ORDER = 0.05
"""What a log odd in the order counts beside them."""

_LEAST = 0.28
_LEAST_EXPLICIT = 0.2

_NEAR = 0.4
_SURE = 0.7


def verdict(task: AnswerTask) -> Reply | None:
    """Say whether a claim holds by the documents.

    Returns:
        For a judgement that nothing decides, that and the nearest passage; for a question of yes or
        no `None`, so that it is answered by what is stated.
    """
    question = task.query.text
    is_judgement = task.query.type == QuestionType.JUDGEMENT and is_claim(question)
    is_asked = is_yes_or_no(question) and task.query.type != QuestionType.PROCEDURE
    if not is_judgement and not is_asked:
        return None
    claim = claim_of(question)
    order = statements_for(task, claim)[:_MAX_TRIED]
    stances = _stances(task, claim, order)
    if not is_judgement and asks_how(question):
        stances = (pair for pair in stances if pair[0].is_explicit)
    decided = sorted(stances, key=lambda pair: -pair[0].strength - _OF_ORDER * pair[1].score)
    for said, statement in decided:
        placed = located(statement, task)
        if placed is not None:
            return _reply(task, said, placed, as_yes_or_no=is_asked)
    return _undecided(task, order) if is_judgement else None


def _stances(
    task: AnswerTask, claim: str, order: Sequence[Statement]
) -> Iterator[tuple[Stance, Statement]]:
    """Yield the statements that decide a claim, each with its stance."""
    terms = claim_terms(task, claim)
    near = [s for s in order if s.score >= order[0].score - _MARGIN]
    cosines = task.similarities([s.text for s in near], claim) if near else ()
    for statement, cosine in zip(near, cosines, strict=True):
        said = stance(claim, terms, statement)
        cells = cells_of(task, statement)
        shown = [h for way in (by_trend, by_state) if (h := way(claim, cells)) is not None]
        if shown:
            said = replace(said, holds=shown[0], is_explicit=True)
        said = replace(said, strength=_OF_WORDS * said.strength + (1 - _OF_WORDS) * cosine)
        is_about = said.strength >= (_LEAST_EXPLICIT if said.is_explicit else _LEAST)
        is_of_part = _mention(task, statement) is not Mention.SIBLING
        if said.holds is not None and is_about and is_of_part:
            yield said, statement


def _mention(task: AnswerTask, statement: Statement) -> Mention:
    family = task.source.document(statement.evidence.segment.document_id).part_numbers
    return part_mentions(task.query.keywords, family).of(statement.text)


def _reply(task: AnswerTask, said: Stance, statement: Statement, *, as_yes_or_no: bool) -> Reply:
    words = ("Yes", "No") if as_yes_or_no else ("True", "False")
    hedge = "" if said.strength >= _SURE else ", most likely"
    text = f"{words[not said.holds]}{hedge}: {statement.text}"
    is_named = statement.evidence.segment.document_id in task.query.document_ids
    return Reply(
        statements=(replace(statement, text=text),),
        verdict="true" if said.holds else "false",
        is_sure=is_named and said.strength >= _SURE,
    )


def _undecided(task: AnswerTask, order: Sequence[Statement]) -> Reply | None:
    """Say that the nearest statement does not decide the claim; `None` when none is near."""
    near = next((s for one in order if (s := located(one, task)) is not None), None)
    if near is None or near.coverage < _NEAR:
        return None
    sentence = "The documents do not decide this; the nearest passage is quoted."
    return Reply(statements=(resting_on(sentence, [near], near.score), near))
