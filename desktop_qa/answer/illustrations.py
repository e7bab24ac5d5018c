"""Figures and tables that are shown with an answer.

HiQA (A.2) shows a figure with a text answer that it explains. It is shown here when a quoted
sentence names it, or when it stands in the section quoted and its caption speaks of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from desktop_qa.answer.passages import SectionReader, first_of_tables
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.row_tables import whole_table
from desktop_qa.answer.trust import stands_there
from desktop_qa.core.answer import AnswerStatus, Asked, Evidence, PlaceKind
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.lexical import terms_of

_NAMED = re.compile(r"\bfig(?:ure)?s?\.?\s*(\d+(?:[-.–]\d+)*[a-z]?)\b", re.IGNORECASE)
_MAX_FIGURES = 3
_MIN_COVERAGE = 0.5
"""Of the question's weighted words in the caption of a figure that no sentence names."""

_N_EXPLAINED = 2
"""Statements whose section is looked at; the first answers, the others add to it."""


def illustrated(task: AnswerTask, reply: Reply) -> Reply:
    """Add the figures that explain a reply, and the table that the question asks to see."""
    if reply.status is not AnswerStatus.ANSWERED:
        return reply
    tables = reply.tables or tuple(_asked_tables(task))
    figures: dict[SegmentId, Evidence] = {item.segment.id: item for item in reply.figures}
    for item in _explaining(task, reply):
        if len(figures) >= max(_MAX_FIGURES, len(reply.figures)):
            break
        figures.setdefault(item.segment.id, item)
    return replace(reply, tables=tables, figures=tuple(figures.values()))


def _explaining(task: AnswerTask, reply: Reply) -> Iterator[Evidence]:
    """Yield figures that are answers themselves, that are named, and that fit; likeliest first."""
    quoted = [s for s in reply.statements if s.runs]
    yield from (s.evidence for s in quoted if s.evidence.segment.kind is SegmentKind.FIGURE)
    evidence_of = SectionReader(task.source, task.evidence).evidence_of
    texts = (s for s in quoted if s.evidence.segment.kind is SegmentKind.TEXT)
    for position, statement in enumerate(texts):
        named = _labels_in(statement.text)
        own = statement.evidence.segment
        for segment in task.source.segments_of(own.document_id):
            caption = segment.metadata.caption
            if segment.kind is not SegmentKind.FIGURE or not caption:
                continue
            is_beside = (
                position < _N_EXPLAINED
                and segment.metadata.section_path == own.metadata.section_path
                and task.terms.coverage(terms_of(caption)) >= _MIN_COVERAGE
            )
            is_named = _NAMED.match(caption.strip()) and _labels_in(caption)[0] in named
            if is_beside or is_named:
                yield evidence_of(segment)


def _labels_in(text: str) -> list[str]:
    return [label.replace("–", "-").casefold() for label in _NAMED.findall(text)]


def _asked_tables(task: AnswerTask) -> Iterator[AnswerTable]:
    """Yield the tables that the question names ("show me table 7"), whole."""
    asks = any(
        ref.kind == PlaceKind.TABLE and ref.asked is Asked.CONTENT
        for ref in task.query.structure_refs
    )
    if not asks:
        return
    for item in first_of_tables(item for item in task.usable if stands_there(item)):
        if (table := whole_table(item, task.source)) is not None:
            yield table
