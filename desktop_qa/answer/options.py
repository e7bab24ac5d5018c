"""The options of a choice and the question they belong to, as those who judge them need them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.folding import fold_for_matching
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.task_words import split_options, strip_task_words

_NEGATIVE = re.compile(
    r"\b(?:which|what|who|where|when)\b[^.?!]*\b(?:not|cannot|can't|isn't|aren't|doesn't|don't|never|except"
    r"|false|wrong|incorrect|untrue)\b|\b(?:all|each|any)\b[^.?!]*\b(?:except|but\s+one)\b",
    re.IGNORECASE,
)
MAX_OPTIONS = 8


@dataclass(frozen=True, slots=True)
class Option:
    """A letter with its text.

    Attributes:
        terms: Of the text.
        own: Those that tell it apart: not shared by all options.
    """

    letter: str
    text: str
    terms: frozenset[str]
    own: frozenset[str]


@dataclass(frozen=True, slots=True)
class ChoiceTask:
    """A question with its options.

    Attributes:
        stem: The question without options and task words.
        terms: Words of the stem with their weights.
        is_negative: True when the options that do not hold are asked for.
    """

    task: AnswerTask
    stem: str
    terms: QuestionTerms
    options: tuple[Option, ...]
    may_be_several: bool
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """An option with how surely it holds, 0 to 1, and what it rests on."""

    letter: str
    text: str
    score: float
    statement: Statement | None = None
    is_contrary: bool = False


def choice_task(task: AnswerTask) -> ChoiceTask:
    """Split a choice question into its stem and options."""
    split = split_options(task.query.text)
    stem = strip_task_words(split.stem)
    in_stem = set(terms_of(stem))
    weights = {t: w for t, w in task.terms.weights.items() if t in in_stem}
    texts = list(task.query.options[:MAX_OPTIONS])
    terms = [frozenset(terms_of(text)) for _letter, text in texts]
    shared = frozenset.intersection(*terms) if terms else frozenset()
    options = tuple(
        Option(letter, text, own, (own - shared) or own)
        for (letter, text), own in zip(texts, terms, strict=True)
    )
    return ChoiceTask(
        task=task,
        stem=stem,
        terms=QuestionTerms(weights),
        options=options,
        may_be_several=task.query.type == QuestionType.MULTIPLE_CHOICE,
        is_negative=_NEGATIVE.search(split.stem) is not None,
    )


def stands_as_name(option: str, text: str) -> bool:
    """Tell whether an option's text stands whole in another text, at word bounds."""
    wanted = re.escape(" ".join(option.split()).casefold())
    plain = " ".join(text.split()).casefold()
    if re.search(rf"(?<![\w-]){wanted}(?![\w-])", plain):
        return True
    folded = fold_for_matching(option)
    return len(folded) > 8 and folded in fold_for_matching(text)
