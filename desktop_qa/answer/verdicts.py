"""True or false, yes or no: the ranked statement that decides a claim.

What is claimed is a judgement, or a question that begins with its verb. Trends, states and values
are compared; else the words of a statement bear it out, unless one of the two denies what the other
says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.candidates import located
from desktop_qa.answer.claims import (
    StatedValue,
    by_state,
    cells_of,
    claim_terms,
    resting_on,
    stated_values,
    statements_for,
    subject_share,
)
from desktop_qa.answer.measures import (
    PlacedMeasure,
    in_base,
    is_equal,
    measures_in,
    same_kind,
)
from desktop_qa.answer.part_mentions import Mention, part_mentions
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.grammar import parse
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.lexical import terms_of
from desktop_qa.parse.amounts import value_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.phrases import FINITE, words_of
from desktop_qa.retrieve.task_words import strip_task_words


def _any_of(words: str) -> re.Pattern[str]:
    """Match any of some words; "_" is the space of a phrase."""
    alternatives = "|".join(words.replace("_", r"\s+").split())
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


_QUESTION_VERB = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|may|might|must|should"
    r"|shall)(?:n['’]t)?\s+(?!you\b)(?=\S)",
    re.IGNORECASE,
)
_ASKS_HOW = re.compile(r"\s*(?:(?:can|could|may|should) (?:i|we|one)|is there an?y? way)\b", re.I)
_ASKS_MORE = _any_of("or how what why")
_NEGATION = _any_of(
    r"not no(?!\.) never cannot neither nor none without impossible unable prohibited avoid\w*"
    r" lacks? fails?_to except unless unnecessary optional\w* omit\w* \w+n['’]t"
    r" (?:leave|left)_(?:\w+_){0,3}(?:off|out|unconnected|floating|open)"
)
"""What is left unconnected may be, or must not be: the words count the same."""

_UP = frozenset(terms_of("increase improve grow grew rise rose"))
_DOWN = frozenset(terms_of("decrease decline fall fell drop worsen"))
_ENDURES = _any_of(
    r"surviv\w* withstand\w* tolera\w* handles? accepts? works? operate[ds]? runs? supplied powered"
    r" driven? drives? suitable allowed rated used connected stored takes? reach deliver\w*"
)
_MODE = re.compile(r"\b([\w-]+)\s+(?:mode|state)\b", re.IGNORECASE)
_OBJECT = re.compile(
    r"\b([A-Za-z]{3,})\s+(to|at|by|with|from|after|before|during|into|via|per)\s+"
    r"(?:the\s+|an?\s+|its\s+)?([\w-]{2,})",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:\b(?:at|with|when|if|under|for|using|and|between|from|than|on)\b|[=@,])\s*(?:an?\s+|the\s+)?"
    r"(?:[A-Z]\w*\s*(?:of|=|is|at)\s*)?$",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?P<denied>\b(?:no|not|never|cannot)\s+)?\b(?:(?P<less>less|lower|smaller|fewer|below|under"
    r"|shorter|within|at\s+most|up\s+to|as\s+low\s+as)|more|higher|greater|larger|above|over"
    r"|exceed\w*|longer|at\s+least|beyond)\b[^.]{0,14}$",
    re.IGNORECASE,
)
_NOT_TOLD = ("advcl", "nsubj", "nsubjpass")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ACRONYM = re.compile(r"\b(?=[A-Z0-9_]*[A-Z])[A-Z0-9_]{2,}\b")
_MAX_TRIED = 24
_MARGIN = 6.0
"""Log odds (see `answer.ranking`) by which a statement may be behind the best one and decide."""

_OF_WORDS = 0.6
"""What the words that a claim and a statement share count; the rest is their cosine."""

_OF_ORDER = 0.05
"""What a log odd in the order counts beside them."""

_LEAST, _NEAR, _SURE = 0.2, 0.4, 0.7


@dataclass(frozen=True, slots=True)
class _Stance:
    """What a statement says of a claim.

    Attributes:
        strength: How far it speaks of the claim's subject, 0 to 1.
        is_explicit: Whether values or states were compared, not words alone.
    """

    statement: Statement
    holds: bool
    strength: float
    is_explicit: bool


def verdict(task: AnswerTask) -> Reply | None:
    """Say whether a claim holds by the documents.

    Returns:
        For a judgement that nothing decides, that and the nearest passage; for a question of yes or
        no `None`, so that it is answered by what is stated.
    """
    text = task.query.text
    asked = strip_task_words(text)
    first = asked.split("? ")[0]
    is_question = bool(_QUESTION_VERB.match(first)) and not _ASKS_MORE.search(first)
    is_asked = is_question and task.query.type != QuestionType.PROCEDURE
    is_claim = asked != text or any(word.tag in FINITE for word in words_of(text))
    is_judgement = task.query.type == QuestionType.JUDGEMENT and is_claim
    if not is_judgement and not is_asked:
        return None
    claim = asked.strip(" \"'“”?")
    claim = _QUESTION_VERB.sub("", claim) if is_question else claim
    order = statements_for(task, claim)[:_MAX_TRIED]
    stances = list(_stances(task, claim, order))
    if not is_judgement and _ASKS_HOW.match(asked):
        # "Can I record a show?" rather wants to be told how.
        stances = [stance for stance in stances if stance.is_explicit]
    stances.sort(key=lambda one: -one.strength - _OF_ORDER * one.statement.score)
    for stance in stances:
        if (placed := located(stance.statement, task)) is not None:
            is_clear = stance.strength >= _SURE
            said = (("False", "True"), ("No", "Yes"))[is_asked][stance.holds]
            text = f"{said}{'' if is_clear else ', most likely'}: {placed.text}"
            is_named = placed.evidence.segment.document_id in task.query.document_ids
            return Reply(
                statements=(replace(placed, text=text),),
                verdict="true" if stance.holds else "false",
                is_sure=is_clear and is_named,
            )
    near = next((s for one in order if (s := located(one, task)) is not None), None)
    if not is_judgement or near is None or near.coverage < _NEAR:
        return None
    sentence = "The documents do not decide this; the nearest passage is quoted."
    return Reply(statements=(resting_on(sentence, [near], near.score), near))


def _stances(task: AnswerTask, claim: str, order: Sequence[Statement]) -> Iterator[_Stance]:
    """Yield the statements that decide a claim."""
    terms = claim_terms(task, claim)
    near = [s for s in order if s.score >= order[0].score - _MARGIN]
    cosines = task.similarities([s.text for s in near], claim) if near else ()
    for statement, cosine in zip(near, cosines, strict=True):
        cells = cells_of(task, statement)
        shown = [h for way in (_by_trend, by_state) if (h := way(claim, cells)) is not None]
        claimed = _claimed(claim)
        holds: bool | None
        if shown:
            holds = shown[0]
        elif _lacks_name(claim, terms, statement):
            holds = None
        elif claimed:
            holds = _by_value(claim, claimed, stated_values(statement))
        else:
            holds = _by_words(claim, statement.text)
        family = task.source.document(statement.evidence.segment.document_id).part_numbers
        mention = part_mentions(task.query.keywords, family).of(statement.text)
        share = subject_share(terms, statement)
        strength = _OF_WORDS * share + (1 - _OF_WORDS) * cosine
        if holds is not None and strength >= _LEAST and mention is not Mention.SIBLING:
            yield _Stance(statement, holds, strength, bool(shown or claimed))


def _by_trend(claim: str, cells: Sequence[tuple[str, str]]) -> bool | None:
    """Tell whether the amounts of two years go the way that a claim says; `None` without either.

    The years are those that it names, else the last two of the row. A row that is itself a change
    ("Increase (decrease) in revenue") is not compared.
    """
    said = set(terms_of(claim))
    label = set(terms_of(" ".join(text for _head, text in cells[:1])))
    if said.isdisjoint(_UP) == said.isdisjoint(_DOWN) or label & (_UP | _DOWN):
        return None
    amounts = {
        int(year[0]): amount
        for header, text in reversed(cells)
        if len(year := _YEAR.findall(header)) == 1 and (amount := value_of(text)) is not None
    }
    named = [year for year in map(int, _YEAR.findall(claim)) if year in amounts]
    last = max(named, default=max(amounts, default=0))
    before = min(named) if len(named) > 1 else max((y for y in amounts if y < last), default=0)
    if before not in amounts or amounts[last] == amounts[before]:
        return None
    return (amounts[last] > amounts[before]) != said.isdisjoint(_UP)


def _lacks_name(claim: str, terms: QuestionTerms, statement: Statement) -> bool:
    """Tell whether a name of a claim, such as SPI, is neither in a statement nor at its place."""
    wanted = {t for word in _ACRONYM.findall(claim) for t in terms_of(word) if t in terms.weights}
    place = statement.evidence.segment.metadata.context_line()
    return not wanted <= {*terms_of(statement.text), *statement.terms, *terms_of(place)}


def _claimed(claim: str) -> list[PlacedMeasure]:
    """Return the quantities that a claim is about; others are its conditions."""
    plain = plain_quantities(claim)
    placed = measures_in(claim)
    free = [p for p in placed if not _CONDITION.search(plain[: p.start]) or _sign(plain, p.start)]
    return free or (placed if _endures(claim) else [])


def _endures(claim: str) -> bool:
    """Tell whether a claim says that a value is borne, not that it is the one specified."""
    return _ENDURES.search(claim) is not None and not limits_in(claim)


def _by_value(
    claim: str, claimed: Sequence[PlacedMeasure], stated: Sequence[StatedValue]
) -> bool | None:
    """Compare the quantities that are claimed with what is stated of their kind."""
    plain, limits = plain_quantities(claim), limits_in(claim)
    verdicts: list[bool | None] = []
    for placed in claimed:
        rivals = [s for s in stated if same_kind(s.measure, placed.measure)]
        rivals = [s for s in rivals if s.bound in limits] or rivals
        amount, sign = in_base(placed.measure), _sign(plain, placed.start)
        if any(is_equal(s.measure, placed.measure, 1e-3) for s in rivals):
            verdicts.append(True)
        elif rivals and _endures(claim):
            verdicts.append(_is_borne(amount, rivals))
        elif rivals:
            beyond = all((in_base(s.measure) - amount) * sign > 0 for s in rivals)
            verdicts.append(bool(sign) and beyond)
    return all(verdicts) if verdicts and None not in verdicts else None


def _sign(plain: str, start: int) -> int:
    """Tell whether a value is said to be more (1) or less (-1) than the one at `start`."""
    match = _COMPARED.search(plain[:start])
    return 0 if match is None else 1 if bool(match["less"]) == bool(match["denied"]) else -1


def _is_borne(amount: float, stated: Sequence[StatedValue]) -> bool | None:
    """Tell whether a value lies within the limits stated; `None` when there are none above it."""
    low, high, free = (
        [in_base(s.measure) for s in stated if s.bound is bound]
        for bound in (ColumnRole.MIN, ColumnRole.MAX, None)
    )
    if not low and not high and free and (len(free) == 1 or any(s.in_range for s in stated)):
        low, high = [min(free)] * (len(free) > 1), [max(free)]
    if low and amount < min(low):
        return False
    return amount <= max(high) if high else None


def _by_words(claim: str, passage: str) -> bool | None:
    """Tell whether a passage says what a claim does; `None` when it speaks of something else."""
    modes, others = ({m.casefold() for m in _MODE.findall(one)} for one in (claim, passage))
    if modes and others and not modes & others:
        return False if "only" in passage.split() else None
    told = _predicate(_NEGATION.sub(" ", claim))
    if told and told.isdisjoint(terms_of(passage)):
        return None
    n_denied = len(_NEGATION.findall(claim)) + len(_NEGATION.findall(passage))
    return n_denied % 2 == 0 and not _names_another_object(claim, passage)


def _predicate(claim: str) -> set[str]:
    """Return the terms of what a claim says of its subject, without its subordinate clauses."""
    words, said = parse(claim), []
    for word in words:
        at = word
        while at.dependency not in _NOT_TOLD and words[at.head] is not at:
            at = words[at.head]
        if at.dependency not in _NOT_TOLD and word.tag not in ("MD", "RB"):
            said.append(word.text)
    return set(terms_of(" ".join(said)))


def _names_another_object(claim: str, passage: str) -> bool:
    """Tell whether a passage has another thing in the place of one of the claim.

    "connected to ground" and "connected to VDDIO": the same words lead to different ones.
    """
    stated, known = _objects(passage), set(terms_of(passage))
    return any(
        stated.get(lead, thing) != thing and thing not in known
        for lead, thing in _objects(claim).items()
    )


def _objects(text: str) -> dict[tuple[str, str], str]:
    """Return the thing that each word with its preposition leads to."""
    found = ((terms_of(word), prep, terms_of(thing)) for word, prep, thing in _OBJECT.findall(text))
    return {(w[-1], prep.casefold()): thing[0] for w, prep, thing in found if w and thing}
