"""Measures of an answer's text without markers against the gold answer, each a pure function."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from desktop_qa.core.folding import fold, undo_hyphenation
from desktop_qa.evaluate.bank import GoldQuestion

MAX_ANSWER_WORDS = 200
"""Longer answers score 0 unless they are a step list: a reader would not read them."""

_STEP_SHARE = 0.6
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}[.)]|step\s+\d+\W)\s*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*[-*+•]\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?[A-Z0-9])")
_WORD = re.compile(r"\w+(?:[-.,'/]\w+)*")
_FUNCTION_WORD = re.compile(
    r"an?|and|are|as|at|be|been|but|by|can|do|does|for|from|has|have|if|in|into|is|its?|may|of|on|"
    r"or|so|than|that|the|their|then|there|these|this|those|to|was|were|when|which|will|with|you|your"
)
_LETTERS = re.compile(
    r"^\W*(?:(?:the\s+)?(?:correct\s+)?(?:answers?|options?|choices?)\s*(?:is|are|:)*\s*)?"
    r"(?:both\s+)?\(?([A-H](?:\s*(?:,|and|&|or)\s*[A-H])*)\)?(?=\s*[():.,;\u2013]|\s*$)",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"^\W*(?:(?:the|this)\s+statement\s+is\s+|(?:it|this|that)\s+is\s+)?"
    r"(not\s+true|not\s+correct|not\s+right|true|false|yes|no|correct|incorrect|right|wrong)"
    r"(?=\s*(?:[.,:;!)\u2013\u2014-]|$))",
    re.IGNORECASE,
)
_TRUE = frozenset({"true", "yes", "correct", "right"})


def n_words(answer: str) -> int:
    """Count the words of an answer without its list numbers."""
    lines = (_NUMBERED.sub("", line) for line in answer.splitlines())
    return sum(len(line.split()) for line in lines)


def is_step_list(answer: str) -> bool:
    """Tell whether most words of an answer stand in two or more numbered items."""
    units = answer_units(answer)
    steps = [unit for unit, is_step in units if is_step]
    n_in_steps = sum(len(step.split()) for step in steps)
    return len(steps) >= 2 and 2 * n_in_steps > sum(len(unit.split()) for unit, _ in units)


def is_too_long(answer: str) -> bool:
    """Tell whether an answer is longer than anybody reads and no step list."""
    return n_words(answer) > MAX_ANSWER_WORDS and not is_step_list(answer)


def answer_score(question: GoldQuestion, answer: str) -> float | None:
    """Score an answer as HiQA's Accuracy does: 1 right, 0.5 only partly, 0 wrong.

    Choice questions and judgements are scored by what the answer chooses.

    Returns:
        `None` for a question without a gold answer.
    """
    if question.options:
        wanted, chosen = set(question.correct), chosen_options(question.options, answer)
        score = 1.0 if chosen == wanted else 0.5 if chosen and chosen < wanted else 0.0
    elif question.verdict:
        score = float(verdict_of(answer) == question.verdict)
    else:
        groups = [group for group in (question.answer_any, *question.answer_all) if group]
        if not groups:
            return None
        n_met = sum(any(stands_in(gold, answer) for gold in group) for group in groups)
        score = 1.0 if n_met == len(groups) else 0.5 if n_met else 0.0
    return 0.0 if is_too_long(answer) else score


def chosen_options(options: Mapping[str, str], answer: str) -> set[str]:
    """Return the letters that an answer chooses.

    Letters at its start count ("B and C: ..."); without them the options whose texts stand in it.
    """
    match = _LETTERS.match(answer)
    if match is not None:
        named = set(re.findall(r"\b[A-H]\b", match.group(1).upper()))
        if named <= options.keys():
            return named
    return {letter for letter, text in options.items() if stands_in(text, answer)}


def verdict_of(answer: str) -> str:
    """Return "true" or "false" when the answer begins with a verdict, else an empty text."""
    match = _VERDICT.match(answer)
    if match is None:
        return ""
    return "true" if match.group(1).casefold() in _TRUE else "false"


def answer_units(answer: str) -> list[tuple[str, bool]]:
    """Cut an answer into list items and sentences.

    Returns:
        Each unit with whether it is a numbered item; lines that go on an item belong to it.
    """
    units: list[tuple[str, bool]] = []
    in_item = False
    for line in answer.splitlines():
        stripped = line.strip()
        is_step, is_bullet = bool(_NUMBERED.match(line)), bool(_BULLET.match(line))
        if not stripped:
            in_item = False
        elif is_step or is_bullet:
            units.append((_BULLET.sub("", _NUMBERED.sub("", line)).strip(), is_step))
            in_item = True
        elif in_item and line[:1].isspace():
            text, was_step = units[-1]
            units[-1] = (f"{text} {stripped}", was_step)
        else:
            units += [(part, False) for part in _SENTENCE_END.split(stripped)]
            in_item = False
    return units


def step_recall(steps: Sequence[str], answer: str) -> float | None:
    """Share of the gold steps that the answer tells, in the gold order.

    A step is told by a sentence or list item that holds at least 60 % of its content words. Of
    the steps told, the longest run whose units do not go backwards counts; one item may tell
    two steps.

    Returns:
        `None` for a question without steps.
    """
    if not steps:
        return None
    if is_too_long(answer):
        return 0.0
    units = [_content_words(unit) for unit, _ in answer_units(answer)]
    # best[u]: the most steps in order of which the last is told by unit u or an earlier one.
    best = [0] * (len(units) + 1)
    for step in steps:
        words = _content_words(step)
        told = [bool(words) and len(words & unit) >= _STEP_SHARE * len(words) for unit in units]
        longer = best.copy()
        for index, is_told in enumerate(told, start=1):
            longer[index] = max(longer[index - 1], best[index] + is_told)
        best = longer
    return best[-1] / len(steps)


def _content_words(text: str) -> set[str]:
    """Folded words without articles, pronouns, prepositions and auxiliaries."""
    words = (fold(word) for word in _WORD.findall(text))
    return {word for word in words if word and not _FUNCTION_WORD.fullmatch(word)}


_DIGIT_BEFORE = r"(?<![^\W_])(?<!\d[.,])"
_DIGIT_AFTER = r"(?!\d)(?![.,]\d)"


def stands_in(gold: str, answer: str) -> bool:
    """Tell whether an answer holds a gold text, both folded.

    A number at either end of the gold text must be a whole number of the answer: "82" stands
    neither in "1820" nor in "8.82" nor in "R82"; "25" stands in "25µs".
    """
    pattern = _pattern(gold)
    return pattern is not None and pattern.search(_spaced(answer)) is not None


@lru_cache(maxsize=4096)
def _pattern(gold: str) -> re.Pattern[str] | None:
    folded = fold(gold)
    if not folded:
        return None
    # The answer keeps its spaces, because they are where its words end; the gold text may be
    # set with other spaces.
    body = r"\s*".join(re.escape(character) for character in folded)
    before = _DIGIT_BEFORE if folded[0].isdigit() else ""
    after = _DIGIT_AFTER if folded[-1].isdigit() else ""
    return re.compile(before + body + after)


@lru_cache(maxsize=64)
def _spaced(answer: str) -> str:
    """Fold word by word, and keep one space between words."""
    # A table's cell borders end words as spaces do.
    words = undo_hyphenation(answer).replace("|", " ").split()
    return " ".join(folded for folded in map(fold, words) if folded)
