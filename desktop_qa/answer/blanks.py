"""Gaps to fill: the words of ranked statements that stand where the sentence has its blanks.

What is missing shows in its neighbours: a unit behind the gap wants a number in that unit, and
anything else wants the words between the same neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_qa.answer.candidates import located
from desktop_qa.answer.claims import in_place, resting_on, stated_values, weighed_statements
from desktop_qa.answer.measures import Measure, measures_in, same_kind
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import ColumnRole
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.task_words import strip_task_words

_GAP = "¤"
_BLANK = re.compile(r"_{2,}|(?<!\w)\(\s*\)|\[\s*\]|\.{4,}|…{2,}")
_RANGE = re.compile(r"\s*(?:\S+\s+)?(?:to|and|-|–)\s*")
"""Between the gaps of "____ V to ____ V"."""

_CLAUSE_END = re.compile(r"[;.!?]\s|,\s|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_NO_UNITS = ("a", "in", "as")
"""Words behind a gap that are read as units behind a number."""

_BORNE_OUT = 0.6


@dataclass(frozen=True, slots=True)
class _Gap:
    """A blank with what stands around it.

    Attributes:
        before: What the sentence says before it.
        after: What it says behind it, to the next one.
        unit: One of the unit that follows it; `None` when none does.
        bounds: Those that its clause or its place in a range asks for.
    """

    before: str
    after: str
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
    weighed = weighed_statements(task, sentence.replace(_GAP, " "))
    fillings: list[_Filling] = []
    text = sentence
    for gap in _gaps(sentence):
        filling = _fill(task, gap, weighed, fillings)
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
        clause = f"{_CLAUSE_END.split(left)[-1]} {_CLAUSE_END.split(right)[0]}"
        units = (" ".join(right.split()[:n]).strip(".,;:)") for n in (2, 1))
        found = (measures_in(f"1 {unit}") for unit in units if unit and unit not in _NO_UNITS)
        unit = next((placed[0].measure for placed in found if placed), None)
        ends = [ColumnRole.MIN] * is_range[index + 1] or [ColumnRole.MAX] * is_range[index]
        gaps.append(_Gap(left, right, unit, tuple(ends) or limits_in(clause)))
    return gaps


def _fill(
    task: AnswerTask,
    gap: _Gap,
    weighed: Sequence[tuple[Statement, float]],
    taken: Sequence[_Filling],
) -> _Filling | None:
    found: list[_Filling] = []
    for statement, weight in weighed:
        own = _of_unit(statement, gap, gap.unit) if gap.unit else _between(statement, gap)
        fits = list(own)
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
    """Yield what a statement has in the place of a gap, with how well it fits: rather few words."""
    for text, before, after in in_place(statement.text, gap.before, gap.after):
        if after if gap.after.strip(" .") else before:
            yield text, 0.45 + 0.25 * before + 0.25 * after - 0.03 * text.count(" ")
