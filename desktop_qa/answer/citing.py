"""From a reply to an answer: segments numbered in its order, every statement with its markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from desktop_qa.answer.reply import ALSO_LINE, DraftCell, DraftTable, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Answer, Citation, Evidence, Query, SentenceSupport, as_words
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Provenance
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.core.word_places import PlacedWord, quote_of, rectangles

MODEL_NAME = "extractive"

_ITEM = re.compile(r"^(?:\s+|(?:\d{1,3}\.|-)\s)")
"""A line of a list, or one that goes on with the item before it."""


def cited_answer(query: Query, reply: Reply, evidence: Sequence[Evidence]) -> Answer:
    """Number the cited segments in the order of the answer and put their evidence first.

    Args:
        query: The question.
        reply: What is answered.
        evidence: All that was found, best first; what is not cited follows what is.
    """
    cited = list(_cited_statements(reply))
    order: dict[SegmentId, Evidence] = {}
    for statement in cited:
        order.setdefault(statement.evidence.segment.id, statement.evidence)
    for item in (*reply.figures, *evidence):
        order.setdefault(item.segment.id, item)
    numbered = tuple(replace(e, marker=n) for n, e in enumerate(order.values(), start=1))
    markers = {item.segment.id: item.marker for item in numbered}
    stated = (*reply.statements, *reply.also)
    return Answer(
        question=query.text,
        text=_text(reply, markers),
        citations=_citations(cited, markers),
        evidence=numbered,
        status=reply.status,
        support=tuple(SentenceSupport(s.text, _markers_of(s, markers), s.coverage) for s in stated),
        model=MODEL_NAME,
        seconds=0.0,
        readings=reply.readings,
        tables=tuple(_table(table, markers) for table in reply.tables),
        figures=tuple(markers[item.segment.id] for item in reply.figures),
        chosen=reply.chosen,
        verdict=reply.verdict,
    )


def _text(reply: Reply, markers: dict[SegmentId, int]) -> str:
    """The lead, what is stated, and set apart what may be meant instead."""
    lines = [_marked(s.text, _markers_of(s, markers)) for s in reply.statements]
    parts = [as_words(reply.lead), _body(lines)]
    if reply.also:
        also = [f"- {_marked(s.text, _markers_of(s, markers))}" for s in reply.also]
        parts += [ALSO_LINE, "\n".join(also)]
    return "\n\n".join(part for part in parts if part)


def _cited_statements(reply: Reply) -> Iterator[Statement]:
    """Yield every statement that is quoted from a page, in the order of the answer."""
    for statement in (*reply.statements, *reply.also):
        yield from _sources_of(statement)
    for table in reply.tables:
        for row in table.rows:
            for cell in row:
                if cell.statement is not None:
                    yield cell.statement


def _sources_of(statement: Statement) -> tuple[Statement, ...]:
    """Itself and what it rests on; what was computed has no place of its own."""
    is_derived = bool(statement.rests_on) and not statement.runs
    return statement.rests_on if is_derived else (statement, *statement.rests_on)


def _markers_of(statement: Statement, markers: dict[SegmentId, int]) -> tuple[int, ...]:
    sources = _sources_of(statement)
    return tuple(dict.fromkeys(markers[s.evidence.segment.id] for s in sources))


def _marked(text: str, markers: Sequence[int]) -> str:
    """A list carries its marker on each item, so that each item can be followed to its place."""
    text, marks = as_words(text), "".join(f"[{marker}]" for marker in markers)
    if not marks:
        return text
    return "\n".join(f"{line} {marks}" for line in text.split("\n"))


def _body(lines: Sequence[str]) -> str:
    """Join statements: those that are items of a list stay one list, others become one."""
    if not any("\n" in line or _ITEM.match(line) for line in lines):
        return "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else "".join(lines)
    body = lines[0]
    for before, line in pairwise(lines):
        goes_on = _ITEM.match(line) and "\n" not in line and "\n" not in before
        follows = goes_on and (_ITEM.match(before) or not line.startswith(" "))
        body += ("\n" if follows else "\n\n") + line
    return body


def _table(draft: DraftTable, markers: dict[SegmentId, int]) -> AnswerTable:
    return AnswerTable(
        use=draft.use,
        title=draft.title,
        headers=draft.headers,
        rows=tuple(tuple(_cell(cell, markers) for cell in row) for row in draft.rows),
        document_ids=draft.document_ids,
        differs=draft.differs,
        notes=draft.notes,
    )


def _cell(draft: DraftCell, markers: dict[SegmentId, int]) -> AnswerCell:
    statement = draft.statement
    if statement is None:
        return AnswerCell(draft.text, value=draft.value, note=draft.note)
    places = tuple(place for run in statement.runs for place in rectangles(run))
    marker = markers[statement.evidence.segment.id]
    return AnswerCell(draft.text, marker, places, draft.is_stated, draft.value, draft.note)


def _citations(
    statements: Sequence[Statement], markers: dict[SegmentId, int]
) -> tuple[Citation, ...]:
    """One citation for each segment; words that two statements share are quoted once.

    A figure without a caption is cited by its own rectangle: it has no words to quote.
    """
    citations = []
    for segment_id, marker in markers.items():
        own = [s for s in statements if s.evidence.segment.id == segment_id]
        if not own:
            continue
        segment = own[0].evidence.segment
        runs = _distinct(dict.fromkeys(run for s in own for run in s.runs))
        places: list[Provenance] = [place for run in runs for place in rectangles(run)]
        if not places and segment.kind is SegmentKind.FIGURE:
            places = list(segment.provenances)
        citations.append(
            Citation(
                marker=marker,
                segment_id=segment_id,
                document_id=segment.document_id,
                places=tuple(places),
                quote=tuple(quote_of(run) for run in runs),
                n_places=tuple(len(rectangles(run)) for run in runs),
            )
        )
    return tuple(citations)


def _distinct(runs: Iterable[tuple[PlacedWord, ...]]) -> list[tuple[PlacedWord, ...]]:
    """Leave out runs that others cover, the longest first, and words that stand in one before."""
    kept = list(runs)
    for run in sorted(kept, key=len, reverse=True):
        others = {word for other in kept if other is not run for word in other}
        if others.issuperset(run):
            kept = [other for other in kept if other is not run]
    said: set[PlacedWord] = set()
    trimmed = []
    for run in kept:
        rest = tuple(word for word in run if word not in said)
        said.update(rest)
        if rest:
            trimmed.append(rest)
    return trimmed
