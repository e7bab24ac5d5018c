"""From the blocks of a model to an answer whose citations are places on pages.

The evidence is that of the offline answer, and so are its markers: what the offline answer cites
as well keeps its rectangles; other evidence is cited by the rows that bear out its sentences, or
by all of the segment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_qa.answer.guard import GUARD_SENTENCE
from desktop_qa.core.answer import Answer, AnswerStatus, Citation, Evidence
from desktop_qa.core.answer_blocks import AnswerBlock, Line, Role, Run, markers_in
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Provenance
from desktop_qa.generate.grounding import Grounding
from desktop_qa.generate.judging import Ground, nearest_facts


def model_answer(
    offline: Answer,
    blocks: Sequence[AnswerBlock],
    grounding: Grounding,
    ground: Ground,
    model: str,
    seconds: float,
) -> Answer:
    """Return what a model said as an answer over the evidence of the offline one.

    Args:
        offline: That the passages were made of.
        blocks: From `stream_reader`.
        grounding: Of these blocks.
        ground: It was checked against.
        model: Its name.
        seconds: From the question to the end of what it said.
    """
    places = _places(grounding, ground)
    by_marker = {item.marker: item for item in offline.evidence}
    before = {citation.marker: citation for citation in offline.citations}
    citations = tuple(
        before[marker] if marker in before else _citation(by_marker[marker], places)
        for marker in cited_markers(blocks)
        if marker in by_marker
    )
    notes = (*offline.notes, grounding.notice) if grounding.notice else offline.notes
    is_empty = grounding.says_not_stated and not grounding.sentences
    return replace(
        offline,
        blocks=tuple(_placed(block, places) for block in blocks),
        citations=citations,
        status=AnswerStatus.NOT_FOUND if is_empty else AnswerStatus.ANSWERED,
        support=grounding.support,
        model=model,
        seconds=seconds,
        notes=notes,
        chosen=(),
        verdict="",
        probability=None,
    )


def cited_markers(blocks: Sequence[AnswerBlock]) -> tuple[int, ...]:
    """Return the markers of words and cells, each once."""
    cells = (c.marker for b in blocks if isinstance(b, AnswerTable) for r in b.rows for c in r)
    return tuple(dict.fromkeys((*markers_in(blocks), *filter(None, cells))))


def withheld_answer(offline: Answer, model: str, seconds: float) -> Answer:
    """Return the answer in place of one that `leaks.is_leak` tells of; it cites nothing."""
    blocks = (Line((Run(GUARD_SENTENCE),), Role.NOTICE),)
    return replace(
        offline, blocks=blocks, citations=(), evidence=(), status=AnswerStatus.WITHHELD,
        support=(), model=model, seconds=seconds, chosen=(), verdict="", probability=None,
    )  # fmt: skip


def _places(grounding: Grounding, ground: Ground) -> dict[int, tuple[Provenance, ...]]:
    """Return by marker where the rows stand that bear out the sentences which cite it."""
    found: dict[int, dict[Provenance, None]] = {}
    for one in grounding.sentences:
        for fact in nearest_facts(one.text, one.markers, ground):
            found.setdefault(fact.marker, {}).update(dict.fromkeys(fact.places))
    return {marker: tuple(places) for marker, places in found.items()}


def _citation(item: Evidence, places: Mapping[int, Sequence[Provenance]]) -> Citation:
    segment = item.segment
    own = tuple(places.get(item.marker, ())) or segment.provenances
    return Citation(item.marker, segment.id, segment.document_id, own, (segment.text,))


def _placed(block: AnswerBlock, places: Mapping[int, Sequence[Provenance]]) -> AnswerBlock:
    if not isinstance(block, AnswerTable):
        return block

    def cell(given: AnswerCell) -> AnswerCell:
        return replace(given, places=tuple(places.get(given.marker, ())))

    return replace(block, rows=tuple(tuple(map(cell, row)) for row in block.rows))
