"""Choices: each option judged against the evidence, and those chosen that it carries.

Three kinds of evidence decide, the most exact first: a value that the question asks for, read from
its cell; rows of a table that bear the options as names; sentences and lists in which they stand.
What no evidence carries is not chosen, and without any the question is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_qa.answer.choose_rows import judged_by_rows
from desktop_qa.answer.choose_text import judged_by_text
from desktop_qa.answer.choose_values import judged_by_values
from desktop_qa.answer.options import ChoiceTask, Judged, choice_task
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import QuestionType

_CERTAIN = 0.6
"""Score from which an option is called right without reserve."""

_ENOUGH = 0.3
_MARGIN = 0.06
_SHARE_OF_BEST = 0.72
_MAX_QUOTED = 3

_JUDGES: tuple[Callable[[ChoiceTask], list[Judged]], ...] = (
    judged_by_values,
    judged_by_rows,
    judged_by_text,
)


def choice(task: AnswerTask) -> Reply | None:
    """Choose among the options of a question; None when nothing supports any."""
    if task.query.type not in (QuestionType.CHOICE, QuestionType.MULTIPLE_CHOICE):
        return None
    asked = choice_task(task)
    if len(asked.options) < 2:
        return None
    for judge in _JUDGES:
        judged = judge(asked)
        chosen = _chosen(asked, judged)
        if chosen:
            return _reply(asked, chosen, judged)
    return None


def _chosen(asked: ChoiceTask, judged: Sequence[Judged]) -> list[Judged]:
    """Return the options that the evidence carries, one of them when only one may be right."""
    if asked.is_negative:
        return _contrary(asked, judged)
    held = sorted((j for j in judged if j.score >= _ENOUGH), key=lambda j: -j.score)
    if not held:
        return []
    if not asked.may_be_several:
        is_clear = len(held) == 1 or held[0].score - held[1].score >= 0.02
        return held[:1] if is_clear else []
    best = held[0].score
    kept = [j for j in held if j.score >= _SHARE_OF_BEST * best]
    return sorted(kept, key=lambda j: j.letter)


def _contrary(asked: ChoiceTask, judged: Sequence[Judged]) -> list[Judged]:
    """Return the options that do not hold, where the evidence says of others that they do."""
    held = [j for j in judged if j.score >= _CERTAIN]
    others = [j for j in judged if j.score < _ENOUGH]
    if not held or not others:
        return []
    if not asked.may_be_several and len(others) > 1:
        return []
    support = held[0].statement
    return [
        replace(j, statement=j.statement or support, score=_ENOUGH + 0.1, is_contrary=True)
        for j in others
    ]


def _reply(asked: ChoiceTask, chosen: Sequence[Judged], judged: Sequence[Judged]) -> Reply:
    letters = [j.letter for j in chosen]
    best = max(j.score for j in chosen)
    others = [j.score for j in judged if j.letter not in letters]
    is_close = bool(others) and not asked.may_be_several and best - max(others) < _MARGIN
    is_certain = best >= _CERTAIN and not is_close
    named = "; ".join(j.text.rstrip(" .?!") for j in chosen)
    hedge = "" if is_certain else " (most likely)"
    text = f"{_listed(letters)}{hedge}: {named}."
    if any(j.is_contrary for j in chosen):
        text += " Of the others the documents say that they do."
    cited = list(dict.fromkeys(j.statement for j in chosen if j.statement is not None))
    if not cited:
        return Reply(text, chosen=tuple(letters))
    main = Statement(
        text, cited[0].evidence, (), (), max(s.coverage for s in cited), best, rests_on=tuple(cited)
    )
    return Reply(statements=(main, *cited[:_MAX_QUOTED]), chosen=tuple(letters))


def _listed(letters: Sequence[str]) -> str:
    if len(letters) == 1:
        return letters[0]
    return f"{', '.join(letters[:-1])} and {letters[-1]}"
