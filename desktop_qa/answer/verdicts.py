"""True or false, yes or no: the ranked statement that decides a claim.

What is claimed is a judgement, or a question that begins with its verb. Trends are computed, states
and values are compared; else the words of a statement bear it out, unless one of the two denies
what the other says, or has another thing in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.candidates import located
from desktop_qa.answer.claims import (
    by_state,
    cells_of,
    in_place,
    resting_on,
    stated_values,
    weighed_statements,
)
from desktop_qa.answer.compute_expressions import figure_of
from desktop_qa.answer.conditions import condition_fit
from desktop_qa.answer.figures import MOVES, years_in
from desktop_qa.answer.laws import FALLS, RISES, relations_in
from desktop_qa.answer.measures import Measure, in_base, is_equal, measures_in, same_kind
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.periods import without_periods
from desktop_qa.augment.quantities import numbers_in, plain_quantities
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.lexical import terms_of
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
_IS_COMPARED = re.compile(
    r"(?!.*\b(?:what|which|how|who|whose|why|when|where)\b).*\bthan\b.*\?\s*$", re.I | re.S
)
"""In short: "Revenue lower in 2020 than in 2019?\""""
_ASKS_HOW = re.compile(r"\s*(?:(?:can|could|may|should) (?:i|we|one)|is there an?y? way)\b", re.I)
_ASKS_MORE = _any_of("or how what why")
_NEGATION = _any_of(
    r"not no(?!\.) never cannot neither nor none without impossible unable prohibited avoid\w*"
    r" lacks? fails?_to except unless unnecessary optional\w* omit\w* \w+n['’]t"
    r" (?:leave|left)_(?:\w+_){0,3}(?:off|out|unconnected|floating|open)"
)
"""What is left unconnected may be, or must not be: the words count the same."""

_NEGATIVE = frozenset(terms_of("negative"))
_SIGNED = _NEGATIVE.union(terms_of("positive"))
_COMPARED = re.compile(
    r"(?P<denied>\b(?:no|not|never|cannot)\s+)?\b(?:(?P<less>less|lower|smaller|fewer|below|under"
    r"|shorter|within|at\s+most|up\s+to|as\s+low\s+as)|more|higher|greater|larger|above|over"
    r"|exceed\w*|longer|at\s+least|beyond)\b[^.]{0,14}$",
    re.IGNORECASE,
)
_NEAR = 0.4
_CHANCE = 1.2
"""How alike two places are (see `claims.in_place`) of which only the nearest word on either side is
the same: "the chip is" and "the part is"."""


def verdict(task: AnswerTask) -> Reply | None:
    """Say whether a claim holds by the documents.

    Returns:
        For a judgement that nothing decides, that and the nearest passage; for a question of yes or
        no `None`, so that it is answered by what is stated.
    """
    text = task.query.text
    asked = strip_task_words(text)
    first = asked.split("? ")[0]
    begins_so = _QUESTION_VERB.match(first) or _IS_COMPARED.match(first)
    is_question = bool(begins_so) and not _ASKS_MORE.search(first)
    is_asked = is_question and task.query.type != QuestionType.PROCEDURE
    is_claim = asked != text or any(word.tag in FINITE for word in words_of(text))
    is_judgement = task.query.type == QuestionType.JUDGEMENT and is_claim
    if not is_judgement and not is_asked:
        return None
    claim = asked.strip(" \"'“”?")
    claim = _QUESTION_VERB.sub("", claim) if is_question else claim
    says = ("No", "Yes") if is_asked else ("False", "True")
    if (reckoned := _by_figure(task, claim, says)) is not None:
        return reckoned
    weighed = weighed_statements(task, claim)
    # "Can I record a show?" rather wants to be told how: words alone do not decide it.
    by_words = is_judgement or not _ASKS_HOW.match(asked)
    for statement, _weight in sorted(weighed, key=lambda one: -one[1]):
        holds = _holds(task, claim, statement, by_words=by_words)
        if holds is not None and (placed := located(statement, task)) is not None:
            said = replace(placed, text=f"{says[holds]}: {placed.text}")
            return Reply(statements=(said,), verdict="true" if holds else "false")
    near = next((s for one, _weight in weighed if (s := located(one, task)) is not None), None)
    if not is_judgement or near is None or near.coverage < _NEAR:
        return None
    sentence = "The documents do not decide this; the nearest passage is quoted."
    return Reply(statements=(resting_on(sentence, [near], near.score), near))


def _by_figure(task: AnswerTask, claim: str, says: tuple[str, str]) -> Reply | None:
    """Compute the figure that a claim is about: whether it is positive, or went the way it says.

    Higher or lower than a value that the claim gives is not than in another period.
    """
    said, relations = set(terms_of(claim)), set(relations_in(claim))
    is_sign, falls = bool(said & _SIGNED), bool(relations & FALLS)
    # One of two things may be higher than the other; higher than before it is in some period.
    moves = bool(relations & MOVES) or bool(years_in(claim))
    is_trend = (
        moves and falls != bool(relations & RISES) and not measures_in(without_periods(claim))
    )
    if not (is_sign or is_trend):
        return None
    told = figure_of(task, is_trend=not is_sign)
    if told is None:
        return None
    amount, reply = told
    holds = amount < 0 if said & _NEGATIVE or (falls and not is_sign) else amount > 0
    first, *others = reply.statements
    text = f"{says[holds]}: {first.text}"
    said_first = replace(first, text=text, equation=())
    return replace(reply, statements=(said_first, *others), verdict="true" if holds else "false")


def _holds(task: AnswerTask, claim: str, statement: Statement, *, by_words: bool) -> bool | None:
    """Tell what a statement says of a claim; `None` for one that does not decide it."""
    shown = by_state(claim, cells_of(task, statement))
    if shown is not None:
        return shown
    if measures_in(claim):
        return _by_value(claim, statement)
    return _by_words(claim, statement) if by_words else None


def _by_value(claim: str, statement: Statement) -> bool | None:
    """Compare the quantities of a claim with what is stated of their kind.

    Those that are conditions of the statement are none that is claimed. A value that is said to be
    no bound lies within those that are stated.
    """
    plain, limits = plain_quantities(claim), limits_in(claim)
    stated, verdicts = stated_values(statement), []
    for placed in measures_in(claim):
        rivals = [s for s in stated if same_kind(s, placed.measure)]
        rivals = [s for s in rivals if s.bound in limits] or rivals
        if not rivals or condition_fit(statement.about, placed.measure) == 1.0:
            continue
        amount, sign = in_base(placed.measure), _sign(plain, placed.start)
        if any(is_equal(s, placed.measure, 1e-3) for s in rivals):
            verdicts.append(True)
        elif sign:
            verdicts.append(all((in_base(s) - amount) * sign > 0 for s in rivals))
        else:
            verdicts.append(not limits and _is_within(amount, rivals))
    return all(verdicts) if verdicts else None


def _sign(plain: str, start: int) -> int:
    """Tell whether a value is said to be more (1) or less (-1) than the one at `start`."""
    match = _COMPARED.search(plain[:start])
    return 0 if match is None else 1 if bool(match["less"]) == bool(match["denied"]) else -1


def _is_within(amount: float, stated: Sequence[Measure]) -> bool:
    """Tell whether a value lies between the bounds that are stated, or the ends of a range."""
    low = [in_base(s) for s in stated if s.bound is ColumnRole.MIN or s.in_range]
    high = [in_base(s) for s in stated if s.bound is ColumnRole.MAX or s.in_range]
    is_bounded = bool(low or high)
    return is_bounded and min(low, default=amount) <= amount <= max(high, default=amount)


def _by_words(claim: str, statement: Statement) -> bool | None:
    """Tell whether a statement says what a claim does: denied as often, and of the same thing.

    "connected to ground" and "connected to VDDIO" are not the same, nor are two numbers. `None` for
    one that rather speaks of something else.
    """
    if statement.odds is None or statement.odds < 0:
        return None
    passage, place = statement.text, statement.evidence.segment.metadata.context_line()
    if numbers_in(claim) - numbers_in(f"{passage} {place}"):
        return False if numbers_in(passage) - numbers_in(claim) else None
    known = set(terms_of(f"{passage} {place}"))
    is_another = any(
        before and after and before + after > _CHANCE
        for word in re.finditer(r"\S+", claim)
        if not known.issuperset(terms_of(word.group()))
        for _text, before, after in in_place(passage, claim[: word.start()], claim[word.end() :])
    )
    n_denied = len(_NEGATION.findall(claim)) + len(_NEGATION.findall(passage))
    return n_denied % 2 == 0 and not is_another
