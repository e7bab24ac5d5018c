"""One answer made of several: a line for each part of a composite question, or for each reading.

The parts were retrieved and answered by themselves; here their markers are numbered anew over the
union of their evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, zip_longest

from desktop_qa.answer.reply import ALSO
from desktop_qa.core.answer import (
    Answer,
    AnswerStatus,
    Citation,
    Evidence,
    Query,
)
from desktop_qa.core.answer_blocks import (
    AnswerBlock,
    BlockWriter,
    Figure,
    Line,
    Role,
    Run,
    Runs,
    Steps,
    as_text,
    lines_of,
    markers_in,
    with_runs,
)
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.document import Provenance
from desktop_qa.core.segment import SegmentId

NOT_FOUND_LINE = "Not found in this library: "
ALSO_INLINE = (Run("Also close:"),)
"""Sets apart, within the line of a part, what may be meant instead."""

MAX_WORDS = 200
"""Of the whole; step lists are never cut."""

_MIN_WORDS = 30
_MIN_EVIDENCE = 3
_SHOWN = (AnswerTable, Figure)


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
    answers = [part.answer for part in parts]
    best: dict[SegmentId, Evidence] = {}
    for turn in zip_longest(*(answer.evidence for answer in answers)):
        for item in filter(None, turn):
            # A segment is kept as the part that it serves best found it.
            if item.score > best.setdefault(item.segment.id, item).score:
                best[item.segment.id] = item
    # Until it is known what is said, a marker is a place among all that was found.
    found = dict(enumerate(best.values(), start=1))
    place_of = {item.segment.id: place for place, item in found.items()}
    places = [{item.marker: place_of[item.segment.id] for item in a.evidence} for a in answers]
    marked = [_marked(one.blocks, own) for one, own in zip(answers, places, strict=True)]
    said = [_said(part, own, budget) for part, own in zip(parts, marked, strict=True)]
    shown = dict.fromkeys(b for own in marked for b in own if isinstance(b, _SHOWN))
    blocks = [*_united(said), *sorted(shown, key=lambda block: isinstance(block, Figure))]
    cited = dict.fromkeys(_markers_of(blocks))
    order = [*cited, *(place for place in found if place not in cited)]
    order = order[: max(n_evidence, len(cited) + _MIN_EVIDENCE)]
    marker_at = {place: marker for marker, place in enumerate(order, start=1)}
    number_of = [{m: marker_at[n] for m, n in own.items() if n in cited} for own in places]
    readings = (one for answer in answers for one in answer.readings)
    statuses = {answer.status for answer in answers}
    agreed = next(iter(statuses)) if len(statuses) == 1 else AnswerStatus.NOT_FOUND
    return Answer(
        question=query.text,
        blocks=tuple(_marked(blocks, marker_at)),
        citations=_citations(
            replace(one, marker=own[one.marker])
            for answer, own in zip(answers, number_of, strict=True)
            for one in answer.citations
            if one.marker in own
        ),
        evidence=tuple(replace(found[n], marker=marker) for n, marker in marker_at.items()),
        status=AnswerStatus.ANSWERED if AnswerStatus.ANSWERED in statuses else agreed,
        support=tuple(
            replace(one, markers=tuple(own[marker] for marker in one.markers))
            for answer, own in zip(answers, number_of, strict=True)
            for one in answer.support
            if own.keys() >= set(one.markers)
        ),
        model=answers[0].model,
        seconds=sum(answer.seconds for answer in answers),
        readings=tuple(dict.fromkeys((*query.readings, *readings))),
        probability=min((p for one in answers if (p := one.probability) is not None), default=None),
    )


def _said(
    part: AnsweredPart, blocks: Sequence[AnswerBlock], n_words: int
) -> Line | list[AnswerBlock]:
    """Return what stands for a part: its first lines in one where it can, or that it has none."""
    asked, status = part.question.rstrip(" ?.!"), part.answer.status
    if status is AnswerStatus.NOT_FOUND and not part.is_absent:
        return Line((Run(f"{NOT_FOUND_LINE}{part.label or asked}."),), Role.NOTICE)
    label: Runs = (Run(part.label, is_strong=True), Run(":")) if part.label else ()
    lines = list(lines_of(blocks))
    if status is AnswerStatus.CLARIFY:
        return replace(lines[0], runs=(*(label or (Run(f"{asked}:"),)), Run(" "), *lines[0].runs))
    if any(isinstance(block, Steps) for block in blocks):
        heading = label or (Run(asked, is_strong=True), Run(":"))
        words = (block for block in blocks if not isinstance(block, _SHOWN))
        return [Line(heading, Role.NOTICE), *words]
    if status is AnswerStatus.ANSWERED:
        totals = accumulate(len(as_text((line,)).split()) for line in lines)
        lines = lines[: max(sum(total <= n_words for total in totals), 1)]
    lines = lines[:-1] if lines[-1:] == [ALSO] else lines
    said = (ALSO_INLINE if line == ALSO else line.whole for line in lines)
    runs = (*label, *(run for line in said for run in (Run(" "), *line)))
    return Line(runs if label else runs[1:])


def _united(said: Iterable[Line | list[AnswerBlock]]) -> list[AnswerBlock]:
    """One list item for each part; a step list stands for itself."""
    writer = BlockWriter()
    for one in said:
        if isinstance(one, Line):
            writer.add_item(one)
        else:
            writer.blocks += one
            writer.end()
    return writer.blocks


def _markers_of(blocks: Sequence[AnswerBlock]) -> Iterator[int]:
    """Yield the markers of words, then those of tables and figures."""
    yield from markers_in(blocks)
    for block in blocks:
        if isinstance(block, AnswerTable):
            yield from (c.marker for row in block.rows for c in row if c.marker)
        elif isinstance(block, Figure):
            yield block.marker


def _marked(blocks: Iterable[AnswerBlock], new: Mapping[int, int]) -> list[AnswerBlock]:
    """Return blocks with other markers; those that are not among the new ones are left out."""

    def run(one: Run) -> Run:
        return replace(one, markers=tuple(new[m] for m in one.markers if m in new))

    def marked(block: AnswerBlock) -> AnswerBlock:
        if isinstance(block, Figure):
            return Figure(new[block.marker])
        if isinstance(block, AnswerTable):
            rows = (tuple(replace(c, marker=new.get(c.marker, 0)) for c in r) for r in block.rows)
            return replace(block, rows=tuple(rows))
        return with_runs(block, run)

    return [marked(block) for block in blocks]


def _citations(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """One citation for each segment, with the places and quotes of every part that cites it."""
    merged: dict[SegmentId, Citation] = {}
    for citation in citations:
        known = merged.setdefault(citation.segment_id, citation)
        # The same words may stand in two places, and are then quoted twice.
        quoted = dict.fromkeys((*_quoted(known), *_quoted(citation)))
        if known is not citation and quoted:
            merged[citation.segment_id] = replace(
                known,
                places=tuple(place for _words, own in quoted for place in own),
                quote=tuple(words for words, _own in quoted),
                n_places=tuple(len(own) for _words, own in quoted),
            )
    return tuple(sorted(merged.values(), key=lambda citation: citation.marker))


def _quoted(citation: Citation) -> list[tuple[str, tuple[Provenance, ...]]]:
    """Return each entry of a quote with its places."""
    rest = iter(citation.places)
    counts = citation.n_places or (1,) * len(citation.quote)
    return [
        (words, tuple(islice(rest, n))) for words, n in zip(citation.quote, counts, strict=True)
    ]
