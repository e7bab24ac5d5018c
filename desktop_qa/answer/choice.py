"""Choices: each option put into its question, and those chosen that ranked statements bear out.

What no statement carries is not chosen, and without any the question is answered in another way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.candidates import located
from desktop_qa.answer.claims import (
    by_state,
    cells_of,
    claim_terms,
    resting_on,
    stated_values,
    weighed_statements,
)
from desktop_qa.answer.compute_tables import EXTREME
from desktop_qa.answer.measures import Measure, dimension, in_base, is_equal, measures_in, same_kind
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.task_words import split_options, strip_task_words

_ASKS_CONTRARY = re.compile(
    r"\b(?:which|what|who|where|when)\b[^.?!]*\b(?:not|cannot|can't|isn't|aren't|doesn't|don't|never|except"
    r"|false|wrong|incorrect|untrue)\b|\b(?:all|each|any)\b[^.?!]*\b(?:except|but\s+one)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;:]|(?<=\w)\.\s|,?\s\b(?:however|but|although|whereas|while|because|since)\b"
    r"|,\s(?=(?:and|or|no|not|which|the|it)\b)",
    re.IGNORECASE,
)
_MAX_OPTIONS = 8
_MAX_QUOTED = 3
_PRESENT = 0.6
"""Share of an option's own words from which a statement speaks of it."""

_ENOUGH = 0.3
_SHARE_OF_BEST = 0.6
_MARGIN = 0.02
_OF_CLAUSE = 0.3


@dataclass(frozen=True, slots=True)
class _Option:
    """A letter with its text, and how surely it holds.

    Attributes:
        own: Terms that tell it apart: not shared by all options.
        values: Quantities in it, where all options are quantities of one kind.
        score: 0 to 1.
        statement: What it rests on.
    """

    letter: str
    text: str
    own: frozenset[str]
    values: tuple[Measure, ...]
    score: float = 0.0
    statement: Statement | None = None


def choice(task: AnswerTask) -> Reply | None:
    """Choose among the options of a question; `None` when nothing supports any."""
    if task.query.type not in (QuestionType.CHOICE, QuestionType.MULTIPLE_CHOICE):
        return None
    texts = task.query.options[:_MAX_OPTIONS]
    terms = [frozenset(terms_of(text)) for _letter, text in texts]
    if len(texts) < 2:
        return None
    shared = frozenset.intersection(*terms)
    values = [tuple(placed.measure for placed in measures_in(text)) for _letter, text in texts]
    kinds = {dimension(value.unit) for own in values for value in own}
    are_values = len(kinds) == 1 and all(values)
    options = [
        _Option(letter, text, (own - shared) or own, held if are_values else ())
        for (letter, text), own, held in zip(texts, terms, values, strict=True)
    ]
    stem = strip_task_words(split_options(task.query.text).stem)
    weighed = weighed_statements(task, stem)
    task = replace(task, query=replace(task.query, text=stem), terms=claim_terms(task, stem))
    judged = _by_extreme(stem, [_judge(task, option, weighed) for option in options])
    chosen = _chosen(task, judged)
    return _reply(stem, chosen) if chosen else None


def _judge(
    task: AnswerTask, option: _Option, weighed: Sequence[tuple[Statement, float]]
) -> _Option:
    best = option
    for statement, weight in weighed:
        present = _presence(task, option, statement)
        if present < _PRESENT or by_state(task.query.text, cells_of(task, statement)) is False:
            continue
        score = weight * present * _nearness(task, option, statement)
        if score > best.score and (placed := located(statement, task)) is not None:
            best = replace(option, score=score, statement=placed)
    return best


def _presence(task: AnswerTask, option: _Option, statement: Statement) -> float:
    """Return the share of an option that a statement carries, 1 for all of it."""
    if option.values:
        stated = stated_values(statement)
        limits = limits_in(task.query.text)
        stated = [s for s in stated if s.bound in limits] or stated
        if statement.cells and not limits:
            stated += [placed.measure for placed in measures_in(statement.subject)]
        return float(all(any(is_equal(v, s, 1e-4) for s in stated) for v in option.values))
    text = f"{statement.subject} {statement.text}"
    words = r"[\s-]*".join(map(re.escape, re.split(r"[\s-]+", option.text)))
    is_named = re.search(rf"(?<![\w-]){words}(?![\w-])", text, re.IGNORECASE)
    if is_named or normalize_code(option.text) in statement.evidence.segment.metadata.part_numbers:
        return 1.0
    carried = statement.terms or frozenset(terms_of(text))
    return len(option.own & carried) / len(option.own) if option.own else 0.0


def _nearness(task: AnswerTask, option: _Option, statement: Statement) -> float:
    """Weigh an option by its clause, where a sentence speaks of several things."""
    if statement.cells:
        return 1.0
    texts = filter(str.strip, _CLAUSE.split(statement.text))
    clauses = [replace(statement, text=text, terms=frozenset()) for text in texts]
    said = {c.text: task.terms.coverage(terms_of(c.text)) for c in clauses}
    own = [said[c.text] for c in clauses if _presence(task, option, c) >= _PRESENT]
    best = max(said.values(), default=0.0)
    return 1 - _OF_CLAUSE * (1 - max(own, default=best) / best) if best else 1.0


def _by_extreme(stem: str, judged: list[_Option]) -> list[_Option]:
    """Let the highest or lowest value decide among options that are names: "lowest dropout"."""
    extreme = EXTREME.search(stem)
    limits = (*limits_in(stem), ColumnRole.TYP)
    compared: dict[str, Measure] = {}
    for one in judged:
        stated = stated_values(one.statement) if one.statement and not one.values else []
        if own := [s for s in stated if s.bound in limits] or stated:
            compared[one.letter] = own[0]
    measures = list(compared.values())
    if not extreme or len(measures) < 2 or not all(same_kind(measures[0], m) for m in measures):
        return judged
    wanted = (min if extreme["least"] else max)(map(in_base, measures))
    chosen = {letter for letter, measure in compared.items() if in_base(measure) == wanted}
    return [replace(j, score=j.score if j.letter in chosen else 0.0) for j in judged]


def _chosen(task: AnswerTask, judged: Sequence[_Option]) -> list[_Option]:
    """Return the options that the evidence carries, one of them when only one may be right."""
    held = sorted((j for j in judged if j.score >= _ENOUGH), key=lambda j: -j.score)
    if not held:
        return []
    may_be_several = task.query.type == QuestionType.MULTIPLE_CHOICE
    if _ASKS_CONTRARY.search(task.query.text):
        # Those that do not hold, where the evidence says of others that they do.
        others = [j for j in judged if j.score < _ENOUGH]
        found = [replace(j, statement=j.statement or held[0].statement) for j in others]
        return found if may_be_several or len(found) == 1 else []
    if not may_be_several:
        is_clear = len(held) == 1 or held[0].score - held[1].score >= _MARGIN
        return held[:1] if is_clear else []
    kept = [j for j in held if j.score >= _SHARE_OF_BEST * held[0].score]
    return sorted(kept, key=lambda j: j.letter)


def _reply(stem: str, chosen: Sequence[_Option]) -> Reply:
    letters = [j.letter for j in chosen]
    best = max(j.score for j in chosen)
    named = "; ".join(j.text.rstrip(" .?!") for j in chosen)
    listed = " and ".join(filter(None, (", ".join(letters[:-1]), letters[-1])))
    text = f"{listed}: {named}."
    if _ASKS_CONTRARY.search(stem):
        text += " Of the others the documents say that they do."
    cited = list(dict.fromkeys(j.statement for j in chosen if j.statement is not None))
    main = resting_on(text, cited, best)
    return Reply(statements=(main, *cited[:_MAX_QUOTED]), chosen=tuple(letters))
