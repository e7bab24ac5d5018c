"""One answer made of several: a line for each part of a composite question, or for each reading.

The parts were retrieved and answered by themselves; here their markers are numbered anew over the
union of their evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from desktop_qa.answer.reply import ALSO
from desktop_qa.core.answer import (
    Answer,
    AnswerStatus,
    Citation,
    Evidence,
    Query,
    SentenceSupport,
)
from desktop_qa.core.answer_blocks import (
    AnswerBlock,
    Figure,
    Line,
    Listing,
    Role,
    Run,
    Runs,
    Steps,
    lines_of,
    markers_in,
    with_runs,
    words_of,
)
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Provenance
from desktop_qa.core.segment import SegmentId

NOT_FOUND_LINE = "Not found in this library: "
ALSO_INLINE = (Run("Also close:"),)
"""Sets apart, within the line of a part, what may be meant instead."""

MAX_WORDS = 200
"""Of the whole; step lists are never cut."""

_MIN_WORDS = 30
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
    said = [_said(part, one.words()) for part, one in zip(parts, renumbered, strict=True)]
    shown = dict.fromkeys(block for one in renumbered for block in one.shown())
    tables = [block for block in shown if isinstance(block, AnswerTable)]
    return Answer(
        question=query.text,
        blocks=(*_united_blocks(said), *tables, *(b for b in shown if isinstance(b, Figure))),
        citations=_citations(renumbered),
        evidence=evidence,
        status=_status(answers),
        support=tuple(support for one in renumbered for support in one.support()),
        model=answers[0].model,
        seconds=sum(answer.seconds for answer in answers),
        readings=tuple(
            dict.fromkeys((*query.readings, *(r for answer in answers for r in answer.readings)))
        ),
        probability=min(
            (one.probability for one in answers if one.probability is not None), default=None
        ),
    )


def _status(answers: Sequence[Answer]) -> AnswerStatus:
    statuses = {answer.status for answer in answers}
    if AnswerStatus.ANSWERED in statuses:
        return AnswerStatus.ANSWERED
    return statuses.pop() if len(statuses) == 1 else AnswerStatus.NOT_FOUND


def _said(part: AnsweredPart, blocks: Sequence[AnswerBlock]) -> Line | list[AnswerBlock]:
    """Return what stands for a part: its answer in one line where it can, or that it has none."""
    asked, status = part.question.rstrip(" ?.!"), part.answer.status
    if status is AnswerStatus.NOT_FOUND and not part.is_absent:
        return Line((Run(f"{NOT_FOUND_LINE}{part.label or asked}."),), Role.NOTICE)
    label: Runs = (Run(part.label, is_strong=True), Run(":")) if part.label else ()
    if status is AnswerStatus.CLARIFY:
        first = next(lines_of(blocks))
        return replace(first, runs=(*(label or (Run(f"{asked}:"),)), Run(" "), *first.runs))
    if _has_steps(part.answer):
        heading = label or (Run(asked, is_strong=True), Run(":"))
        return [Line(heading, Role.NOTICE), *blocks]
    lines = (ALSO_INLINE if line == ALSO else line.whole for line in lines_of(blocks))
    runs = (*label, *(run for line in lines for run in (Run(" "), *line)))
    return Line(runs if label else runs[1:])


def _has_steps(answer: Answer) -> bool:
    return any(isinstance(block, Steps) for block in answer.blocks)


def _united_blocks(said: Iterable[Line | list[AnswerBlock]]) -> list[AnswerBlock]:
    """One list item for each part; a step list stands for itself."""
    blocks: list[AnswerBlock] = []
    items: list[Line] = []
    for one in (*said, []):
        if isinstance(one, Line):
            items.append(one)
            continue
        blocks += [Listing(tuple(items))] if items else []
        items = []
        blocks += one
    return blocks


def _shortened(answer: Answer, n_words: int) -> Answer:
    """Keep the first statements within a number of words, at least one, and what they cite."""
    if answer.status is not AnswerStatus.ANSWERED or _has_steps(answer):
        return answer
    n_kept = total = 0
    lines = [line for line in answer.text.split("\n") if line]
    for line in lines:
        total += len(line.split())
        if n_kept and total > n_words:
            break
        n_kept += 1
    if n_kept == len(lines):
        return answer
    kept = _first_lines(answer.blocks, n_kept)
    shown = [block for block in answer.blocks if isinstance(block, AnswerTable | Figure)]
    left = set(markers_in(kept))
    left.update(cell.marker for table in answer.tables for row in table.rows for cell in row)
    words = words_of(kept)
    return replace(
        answer,
        blocks=(*kept, *shown),
        citations=tuple(c for c in answer.citations if c.marker in left),
        support=tuple(s for s in answer.support if s.sentence.split("\n")[0] in words),
    )


def _first_lines(blocks: Iterable[AnswerBlock], n_lines: int) -> list[AnswerBlock]:
    """Cut an answer without steps after some lines; what it ends with sets nothing apart."""
    kept: list[AnswerBlock] = []
    for block in blocks:
        if n_lines <= 0:
            break
        if isinstance(block, Listing):
            lines = block.lines[:n_lines]
            kept.append(replace(block, items=tuple(line for line in lines if line != block.lead)))
            n_lines -= len(lines)
        elif isinstance(block, Line):
            kept.append(block)
            n_lines -= 1
    return kept[:-1] if kept[-1:] == [ALSO] else kept


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

    def words(self) -> list[AnswerBlock]:
        """Return its blocks of words."""
        shown = (AnswerTable, Figure)
        blocks = (block for block in self._answer.blocks if not isinstance(block, shown))
        return [with_runs(block, self._run) for block in blocks]

    def _run(self, run: Run) -> Run:
        return replace(run, markers=tuple(self._new[m] for m in run.markers if m in self._new))

    def shown(self) -> Iterator[AnswerBlock]:
        """Yield its tables and figures."""
        for table in self._answer.tables:
            rows = (tuple(self._cell(cell) for cell in row) for row in table.rows)
            yield replace(table, rows=tuple(rows))
        yield from (Figure(self._new[m]) for m in self._answer.figures if m in self._new)

    def citations(self) -> tuple[Citation, ...]:
        return tuple(replace(c, marker=self._new[c.marker]) for c in self._answer.citations)

    def support(self) -> tuple[SentenceSupport, ...]:
        return tuple(
            replace(s, markers=tuple(self._new[m] for m in s.markers if m in self._new))
            for s in self._answer.support
        )

    def _cell(self, cell: AnswerCell) -> AnswerCell:
        return replace(cell, marker=self._new.get(cell.marker, 0)) if cell.marker else cell


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
