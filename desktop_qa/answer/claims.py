"""A candidate statement held against what the evidence states.

A claim, a question with an option and a sentence with gaps are asked of the statements that exact
answers are made of, in the order of `answer.ranking`. Values and states are compared; of words it
is seen what stands in the place of another, or of a gap: what has the same neighbours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.measures import Measure, measures_in
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import StatedCell, Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.augment.table_values import head_unit
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

_NO = re.compile(r"(?:no|n|n/?a|[-–—✗✘×]|not\s+\w+|none|disabled|off)\W*", re.IGNORECASE)
_YES = re.compile(r"(?:yes|y|[✓✔√x•●]|available|allowed|ok)(?!\w)\W*", re.IGNORECASE)
_STATE = re.compile(
    r"\b(?:off|on|yes|no|enabled|disabled|high|low|active|inactive|open|closed|read[-_]only|set"
    r"|cleared|supported|required|optional)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w.+±−°%µΩ/-]*[\w%Ω°]")
_NEIGHBOURS = (0.6, 0.25, 0.15)
"""What the nearest three words beside a place count, the nearest first."""

_N_WORDS = 4
_MAX_TRIED = 24
_SCALE = 3.0
"""Log odds by which a statement is behind the best one that leave it 1/e of its weight."""


def claim_terms(task: AnswerTask, claim: str) -> QuestionTerms:
    """Return the words of a claim that a statement should carry."""
    said = set(terms_of(claim))
    return QuestionTerms({t: w for t, w in task.terms.weights.items() if t in said})


def weighed_statements(task: AnswerTask, text: str) -> list[tuple[Statement, float]]:
    """Rank what the evidence states as if `text` had been asked, best first, each with its weight.

    The weight, 0 to 1, is the geometric mean of how near a statement is to the best of them and of
    the share of the text's words that it carries.
    """
    query = replace(task.query, text=text, reformulated="")
    asked = replace(task, query=query, terms=claim_terms(task, text))
    order = ranked(asked, candidates(asked, task.usable))[:_MAX_TRIED]
    near = (math.exp((s.score - order[0].score) / _SCALE) for s in order)
    return [(s, math.sqrt(one * s.coverage)) for s, one in zip(order, near, strict=True)]


def in_place(passage: str, before: str, after: str) -> Iterator[tuple[str, float, float]]:
    """Yield what may stand in a passage where a text has a gap.

    Args:
        passage: Of a statement.
        before: What the text says before its gap.
        after: What it says behind it.

    Yields:
        Up to four words, and how far their neighbours are those of the gap before and behind it,
        0 to 1: none counts whose nearest is another. The end of both is a neighbour, too.
    """
    text = passage.replace("*", "")
    words = list(_WORD.finditer(text))
    stems = [_stems(w.group()) for w in words]
    left, right = ([_stems(w) for w in _WORD.findall(one)] for one in (before, after))
    said = {t for stem in (*left[-3:], *right[:3]) for t in stem}
    for start in range(len(words)):
        is_before = _matched(stems[:start][::-1], left[::-1])
        for end in range(start + 1, min(start + _N_WORDS, len(words)) + 1):
            if stems[end - 1] & said:
                break
            is_after = _matched(stems[end:], right) if right else float(end == len(words))
            yield text[words[start].start() : words[end - 1].end()], is_before, is_after


def _stems(word: str) -> set[str]:
    return set(terms_of(word)) or {word.casefold()}


def _matched(stems: Sequence[set[str]], wanted: Sequence[set[str]]) -> float:
    """Return how well the nearest words match the neighbours of a place; the nearest must."""
    pairs = list(zip(stems, wanted, _NEIGHBOURS, strict=False))
    if not pairs or not pairs[0][0] & pairs[0][1]:
        return 0.0
    return sum(weight for stem, want, weight in pairs if stem & want)


def resting_on(
    text: str, cited: Sequence[Statement], score: float = 1.0, equation: tuple[str, ...] = ()
) -> Statement:
    """Say in own words what statements bear out, or what was computed of them."""
    coverage = max(s.coverage for s in cited)
    return Statement(
        text, cited[0].evidence, (), (), coverage, score, rests_on=tuple(cited), equation=equation
    )


def stated_values(statement: Statement) -> list[Measure]:
    """Return the values of a statement: of a row those under its columns, in their order."""
    said = statement.stated if statement.cells else (StatedCell("", statement.text),)
    found = []
    for head, value, bound in said:
        text = value if measures_in(value) else f"{value} {head_unit(head)}"
        plain = plain_quantities(text)
        for at in measures_in(text):
            near = limits_in(plain[max(0, at.start - 30) : at.start])
            found.append(replace(at.measure, bound=bound or next(iter(near), None)))
    return found


def cells_of(task: AnswerTask, statement: Statement) -> list[tuple[str, str]]:
    """Return the header and the text of each cell of a statement's row; empty for prose."""
    table = task.source.table(statement.evidence.segment) if statement.cells else None
    if table is None:
        return []
    row = table.grid()[statement.row]
    headers = read_columns(table).headers
    texts = ["" if cell is None else " ".join(cell.text.split()) for cell in row]
    return list(zip(headers, texts, strict=True))


def by_state(claim: str, cells: Sequence[tuple[str, str]]) -> bool | None:
    """Tell whether the cells that a claim names hold its states; `None` when it names none.

    What it says behind "while" is of another column: "the gyro is off while the accelerometer still
    delivers data". A column that it gives no state must not say no.
    """
    met = []
    decides = False
    for clause in re.split(r"\b(?:while|still|but|yet)\b", claim):
        said = re.findall(r"[a-z]{3,}", clause.casefold())
        named = []
        for header, text in cells:
            words = re.findall(r"[a-z]{3,}", header.casefold())
            n_said = sum(any(one.startswith(word) for one in said) for word in words)
            is_state = any(one.fullmatch(text.strip(" .")) for one in (_YES, _NO, _STATE))
            named += [(is_state, n_said, text.strip(" ."))] if n_said else []
        if named:
            state = _STATE.search(clause)
            is_state, _n_said, text = max(named, key=lambda one: one[:2])
            decides |= is_state
            met.append(text.casefold() == state[0].casefold() if state else not _NO.fullmatch(text))
    return all(met) if decides else None
