"""One answer made of several: a line for each part of a composite question, or for each reading.

The parts were retrieved and answered by themselves; here their markers are numbered anew over the
union of their evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, zip_longest

from desktop_qa.answer.reply import ALSO_LINE
from desktop_qa.core.answer import (
    Answer,
    AnswerStatus,
    Citation,
    Evidence,
    Query,
    SentenceSupport,
    as_words,
)
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Provenance
from desktop_qa.core.segment import SegmentId

NOT_FOUND_LINE = "Not found in this library: "
ALSO_INLINE = "Also close:"
"""Sets apart, within the line of a part, what may be meant instead."""

MAX_WORDS = 200
"""Of the whole; step lists are never cut."""

_MARKER = re.compile(r"\[(\d+)\]")
_STEP = re.compile(r"\s*(?:\d+[.)]|[a-z][.)])\s")
_MIN_WORDS = 30
_CLEARLY_MORE = 0.2
_MIN_EVIDENCE = 3


@dataclass(frozen=True, slots=True)
class AnsweredPart:
    """A part of a question with its own answer.

    Attributes:
        question: Complete in itself.
        label: Leads its line: the part number of a reading; empty for a part of a composite one.
        is_absent: True when its answer says that a part number is not in the library.
    """

    question: str
    answer: Answer
    label: str = ""
    is_absent: bool = False


def better_supported(answer: Answer, other: Answer) -> Answer:
    """Return the other answer when it carries clearly more of its question, else the first."""
    return other if _support(other) >= _support(answer) + _CLEARLY_MORE else answer


def _support(answer: Answer) -> float:
    """Return the largest share of its question's weight that a statement carries, 0 to 1."""
    if answer.status is not AnswerStatus.ANSWERED:
        return 0.0
    return max((one.score for one in answer.support), default=1.0)


def joined(query: Query, parts: Sequence[AnsweredPart], n_evidence: int) -> Answer:
    """Join the answers of the parts of a question in their order.

    Args:
        query: The whole question.
        parts: At least two.
        n_evidence: Pieces of evidence to keep besides those cited.

    Returns:
        ANSWERED when any part is; NOT_FOUND, or what all parts are, when none is.
    """
    budget = max(MAX_WORDS // len(parts), _MIN_WORDS)
    parts = [replace(part, answer=_shortened(part.answer, budget)) for part in parts]
    evidence = _united([part.answer for part in parts], n_evidence)
    numbers = {item.segment.id: item.marker for item in evidence}
    renumbered = [_Renumbered(part.answer, numbers) for part in parts]
    answers = [part.answer for part in parts]
    texts = [one.text() for one in renumbered]
    return Answer(
        question=query.text,
        text=_text([_lines(part, text) for part, text in zip(parts, texts, strict=True)]),
        citations=_citations(renumbered),
        evidence=evidence,
        status=_status(answers),
        support=tuple(support for one in renumbered for support in one.support()),
        model=answers[0].model,
        seconds=sum(answer.seconds for answer in answers),
        tables=tuple(table for one in renumbered for table in one.tables()),
        figures=tuple(dict.fromkeys(marker for one in renumbered for marker in one.figures())),
        readings=tuple(
            dict.fromkeys((*query.readings, *(r for answer in answers for r in answer.readings)))
        ),
    )


def _status(answers: Sequence[Answer]) -> AnswerStatus:
    statuses = {answer.status for answer in answers}
    if AnswerStatus.ANSWERED in statuses:
        return AnswerStatus.ANSWERED
    return statuses.pop() if len(statuses) == 1 else AnswerStatus.NOT_FOUND


def _lines(part: AnsweredPart, text: str) -> str:
    """Return what stands for a part: its answer in one line where it can, or that it has none."""
    answer = part.answer
    asked, label = as_words(part.question.rstrip(" ?.!")), as_words(part.label)
    if answer.status is AnswerStatus.NOT_FOUND and not part.is_absent:
        return f"{NOT_FOUND_LINE}{label or asked}."
    label = f"**{label}**: " if label else ""
    if answer.status is AnswerStatus.CLARIFY:
        return f"{label or asked + ': '}{text.partition(chr(10))[0]}"
    inline = text.replace(ALSO_LINE, ALSO_INLINE)
    items = [line.removeprefix("- ") for line in inline.split("\n") if line.strip()]
    if any(_STEP.match(line) for line in items):
        return f"{label or f'**{asked}**:'}\n\n{text}".strip()
    return label + " ".join(items)


def _text(lines: Sequence[str]) -> str:
    """One list item for each part; a step list keeps a paragraph of its own."""
    pieces = [line if "\n" in line else f"- {line}" for line in lines]
    text = pieces[0]
    for before, piece in pairwise(pieces):
        text += ("\n\n" if "\n" in before or "\n" in piece else "\n") + piece
    return text


def _shortened(answer: Answer, n_words: int) -> Answer:
    """Keep the first statements within a number of words, at least one, and what they cite."""
    lines = answer.text.split("\n")
    if answer.status is not AnswerStatus.ANSWERED or any(_STEP.match(line) for line in lines):
        return answer
    kept: list[str] = []
    for line in lines:
        if kept and sum(len(one.split()) for one in (*kept, line)) > n_words:
            break
        kept.append(line)
    if len(kept) == len(lines):
        return answer
    text = "\n".join(kept).rstrip().removesuffix(ALSO_LINE).rstrip()
    left = {int(marker) for marker in _MARKER.findall(text)}
    left.update(cell.marker for table in answer.tables for row in table.rows for cell in row)
    return replace(
        answer,
        text=text,
        citations=tuple(c for c in answer.citations if c.marker in left),
        support=tuple(s for s in answer.support if as_words(s.sentence.split("\n")[0]) in text),
    )


def _united(answers: Sequence[Answer], n_evidence: int) -> tuple[Evidence, ...]:
    """Number what is cited first, in the order of the parts, then the best of each by turns."""
    cited: dict[SegmentId, Evidence] = {}
    for answer in answers:
        shown = {citation.marker for citation in answer.citations} | set(answer.figures)
        for item in answer.evidence:
            if item.marker in shown:
                _keep(cited, item)
    others: dict[SegmentId, Evidence] = {}
    for turn in zip_longest(*(answer.evidence for answer in answers)):
        for item in turn:
            if item is not None and item.segment.id not in cited:
                _keep(others, item)
    n_others = max(n_evidence - len(cited), _MIN_EVIDENCE)
    chosen = [*cited.values(), *list(others.values())[:n_others]]
    return tuple(replace(item, marker=n) for n, item in enumerate(chosen, start=1))


def _keep(found: dict[SegmentId, Evidence], item: Evidence) -> None:
    """Keep a segment as the part that it serves best found it."""
    known = found.get(item.segment.id)
    if known is None or item.score > known.score:
        found[item.segment.id] = item


class _Renumbered:
    """An answer whose markers are those of the union."""

    def __init__(self, answer: Answer, numbers: Mapping[SegmentId, int]) -> None:
        self._answer = answer
        self._new = {
            item.marker: numbers[item.segment.id]
            for item in answer.evidence
            if item.segment.id in numbers
        }

    def text(self) -> str:
        """Return its text; brackets that are no marker of a citation stay as they are."""
        cited = {citation.marker for citation in self._answer.citations}

        def renumber(match: re.Match[str]) -> str:
            marker = int(match[1])
            return f"[{self._new[marker]}]" if marker in cited else match.group()

        return _MARKER.sub(renumber, self._answer.text)

    def citations(self) -> tuple[Citation, ...]:
        return tuple(replace(c, marker=self._new[c.marker]) for c in self._answer.citations)

    def support(self) -> tuple[SentenceSupport, ...]:
        return tuple(
            replace(s, markers=tuple(self._new[m] for m in s.markers if m in self._new))
            for s in self._answer.support
        )

    def tables(self) -> tuple[AnswerTable, ...]:
        return tuple(
            replace(
                table, rows=tuple(tuple(self._cell(cell) for cell in row) for row in table.rows)
            )
            for table in self._answer.tables
        )

    def _cell(self, cell: AnswerCell) -> AnswerCell:
        return replace(cell, marker=self._new.get(cell.marker, 0)) if cell.marker else cell

    def figures(self) -> tuple[int, ...]:
        return tuple(self._new[marker] for marker in self._answer.figures if marker in self._new)


def _citations(answers: Sequence[_Renumbered]) -> tuple[Citation, ...]:
    """One citation for each segment, with the places and quotes of every part that cites it."""
    merged: dict[SegmentId, Citation] = {}
    for answer in answers:
        for citation in answer.citations():
            known = merged.get(citation.segment_id)
            if known is None or not known.quote:
                merged[citation.segment_id] = citation
                continue
            # The same words may stand in two places, and are then quoted twice.
            quoted = dict.fromkeys((*_quoted(known), *_quoted(citation)))
            merged[citation.segment_id] = replace(
                known,
                places=tuple(place for _words, places in quoted for place in places),
                quote=tuple(words for words, _places in quoted),
                n_places=tuple(len(places) for _words, places in quoted),
            )
    return tuple(sorted(merged.values(), key=lambda citation: citation.marker))


def _quoted(citation: Citation) -> list[tuple[str, tuple[Provenance, ...]]]:
    """Return each entry of a quote with its places."""
    n_quotes, n_places = len(citation.quote), len(citation.places)
    counts = citation.n_places or (
        (1,) * n_quotes if n_quotes == n_places else (n_places, *(0,) * (n_quotes - 1))
    )
    rest = iter(citation.places)
    return [
        (words, tuple(islice(rest, n))) for words, n in zip(citation.quote, counts, strict=True)
    ]
