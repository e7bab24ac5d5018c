"""Gaps to fill: the words of ranked statements that stand where the sentence has its blanks.

What is missing shows in its neighbours: a unit behind the gap wants a number in that unit, and
anything else wants the words between the same neighbours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_qa.answer.candidates import located
from desktop_qa.answer.claims import (
    claim_terms,
    resting_on,
    stated_values,
    statements_for,
    subject_share,
)
from desktop_qa.answer.measures import Measure, measures_in, same_kind
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.task_words import strip_task_words

_BLANK = re.compile(r"_{2,}|(?<!\w)\(\s*\)|\[\s*\]|\.{4,}|…{2,}")
_GAP = "¤"
_RANGE = re.compile(r"\s*(?:\S+\s+)?(?:to|and|-|–)\s*")
"""Between the gaps of "____ V to ____ V"."""

_CLAUSE_END = re.compile(r"[;.!?]\s|,\s|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w.+±−°%µΩ/-]*[\w%Ω°]")
_NO_UNITS = ("a", "in", "as")
"""Words behind a gap that are read as units behind a number."""

_NEIGHBOURS = (0.6, 0.25, 0.15)
"""What the nearest three words beside a gap count, the nearest first."""

_N_WORDS = 4
_N_TRIED = 12
_SCALE = 3.0
"""As in `answer.choice`."""

_BORNE_OUT = 0.6


@dataclass(frozen=True, slots=True)
class _Gap:
    """A blank with what stands around it.

    Attributes:
        clause: The part of the sentence that it stands in, without blanks.
        before: Last words before it, nearest last.
        after: First words behind it.
        unit: One of the unit that follows it; `None` when none does.
        bounds: Those that its clause or its place in a range asks for.
    """

    clause: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    unit: Measure | None
    bounds: tuple[ColumnRole, ...]


@dataclass(frozen=True, slots=True)
class _Filling:
    """What fits a gap, with the score of where it was read."""

    text: str
    statement: Statement
    score: float


def filled_blanks(task: AnswerTask) -> Reply | None:
    """Fill every gap of a sentence from the evidence; `None` when one stays open."""
    if task.query.type != QuestionType.FILL_IN:
        return None
    marked = _BLANK.sub(f" {_GAP} ", task.query.text)
    stripped = strip_task_words(marked)
    sentence = " ".join((stripped if _GAP in stripped else marked).split())
    order = statements_for(task, sentence.replace(_GAP, " "))[:_N_TRIED]
    fillings: list[_Filling] = []
    text = sentence
    for gap in _gaps(sentence):
        filling = _fill(task, gap, order, fillings)
        if filling is None:
            return None
        fillings.append(filling)
        text = text.replace(_GAP, f"**{filling.text}**", 1)
    if not fillings:
        return None
    text = re.sub(r"\s+([,.;:?!)-])", r"\1", text)
    text = text if text.endswith((".", "!", "?")) else f"{text}."
    cited = list(dict.fromkeys(f.statement for f in fillings))
    main = resting_on(text[:1].upper() + text[1:], cited, min(f.score for f in fillings))
    is_sure = all(
        s.coverage >= _BORNE_OUT and s.evidence.segment.document_id in task.query.document_ids
        for s in cited
    )
    return Reply(statements=(main, *cited), is_sure=is_sure)


def _gaps(sentence: str) -> list[_Gap]:
    gaps = []
    pieces = sentence.split(_GAP)
    is_range = [False, *(_RANGE.fullmatch(piece) is not None for piece in pieces[1:-1]), False]
    for index, (left, right) in enumerate(pairwise(pieces)):
        before, after = tuple(_WORD.findall(left)[-3:]), tuple(_WORD.findall(right)[:3])
        clause = f"{_CLAUSE_END.split(left)[-1]} {_CLAUSE_END.split(right)[0]}"
        units = (" ".join(after[:n]) for n in (2, 1))
        found = (measures_in(f"1 {unit}") for unit in units if unit and unit not in _NO_UNITS)
        unit = next((placed[0].measure for placed in found if placed), None)
        ends = [ColumnRole.MIN] * is_range[index + 1] or [ColumnRole.MAX] * is_range[index]
        gaps.append(_Gap(clause, before, after, unit, tuple(ends) or limits_in(clause)))
    return gaps


def _fill(
    task: AnswerTask, gap: _Gap, order: Sequence[Statement], taken: Sequence[_Filling]
) -> _Filling | None:
    found: list[_Filling] = []
    terms = claim_terms(task, gap.clause)
    for statement in order:
        near = math.exp((statement.score - order[0].score) / _SCALE)
        weight = near * subject_share(terms, statement)
        fits = list(_of_unit(statement, gap, gap.unit) if gap.unit else _between(statement, gap))
        placed = located(statement, task) if fits else None
        if placed is not None:
            found += [_Filling(text, placed, weight * fit) for text, fit in fits]
    used = {(t.text, t.statement.text) for t in taken}
    fresh = [f for f in found if (f.text, f.statement.text) not in used] or found
    return max(fresh, key=lambda f: f.score, default=None)


def _of_unit(statement: Statement, gap: _Gap, unit: Measure) -> Iterator[tuple[str, float]]:
    """Yield the numbers that a statement gives in the unit behind a gap, with how well they fit."""
    stated = [s for s in stated_values(statement) if same_kind(s.measure, unit)]
    for index, value in enumerate(stated):
        is_asked = value.bound in gap.bounds if value.bound else not gap.bounds
        own = value.measure
        is_same = own.unit == unit.unit
        number = f"{own.amount / unit.amount:.6g}" if is_same else own.text.split()[0]
        yield number, (1.0 if is_asked else 0.8) - 0.01 * index


def _between(statement: Statement, gap: _Gap) -> Iterator[tuple[str, float]]:
    """Yield the words of a statement between the neighbours of a gap, with how well they fit."""
    text = statement.text.replace("*", "")
    words = list(_WORD.finditer(text))
    stems = [_stems(w.group()) for w in words]
    left = [_stems(w) for w in gap.before]
    right = [_stems(w) for w in gap.after]
    said = {t for stem in (*left, *right) for t in stem}
    for start in range(len(words)):
        before = _matched(stems[:start][::-1], left[::-1])
        for end in range(start + 1, min(start + _N_WORDS, len(words)) + 1):
            if stems[end - 1] & said:
                break
            after = _matched(stems[end:], right)
            if not (after if right else before):
                continue
            at_end = not right and end == len(words)
            fit = 0.45 + 0.25 * before + 0.25 * max(after, float(at_end)) - 0.03 * (end - start - 1)
            yield text[words[start].start() : words[end - 1].end()], fit


def _stems(word: str) -> set[str]:
    return set(terms_of(word)) or {word.casefold()}


def _matched(stems: Sequence[set[str]], wanted: Sequence[set[str]]) -> float:
    """Return how well the nearest words match the neighbours of the gap; the nearest must."""
    pairs = list(zip(stems, wanted, _NEIGHBOURS, strict=False))
    if not pairs or not pairs[0][0] & pairs[0][1]:
        return 0.0
    return sum(weight for stem, want, weight in pairs if stem & want)
