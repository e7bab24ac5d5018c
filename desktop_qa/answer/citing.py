"""From a reply to an answer: segments numbered in its order, its statements as cited blocks.

This is the one place that reads the texts of replies for what is stated in them, and for the items
of a list that a statement is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.reply import ALSO, DraftCell, DraftTable, Reply
from desktop_qa.answer.statement import ItemKind, Statement
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
    BlockWriter,
    Figure,
    Line,
    Listing,
    Readings,
    Role,
    Run,
    Runs,
)
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.document import Provenance
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.core.word_places import PlacedWord, quote_of, rectangles

MODEL_NAME = "extractive"

_STATED = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_ITEM = "- "


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
    tables = (_table(table, markers) for table in reply.tables)
    figures = (Figure(markers[item.segment.id]) for item in reply.figures)
    return Answer(
        question=query.text,
        blocks=(*_said(reply, markers), *tables, *figures),
        citations=_citations(cited, markers),
        evidence=numbered,
        status=reply.status,
        support=tuple(
            SentenceSupport(_STATED.sub(r"\1", s.text), _markers_of(s, markers), s.coverage)
            for s in stated
        ),
        model=MODEL_NAME,
        seconds=0.0,
        readings=reply.readings,
        chosen=reply.chosen,
        verdict=reply.verdict,
        probability=reply.probability,
    )


def _said(reply: Reply, markers: dict[SegmentId, int]) -> list[AnswerBlock]:
    """The lead, what is stated, and set apart what may be meant instead."""
    blocks: list[AnswerBlock] = []
    if reply.lead:
        blocks.append(_line(reply.lead, (), Role.NOTICE, reply.equation))
    if reply.status is AnswerStatus.CLARIFY:
        blocks.append(Readings(reply.readings))
    lines = [_lines(s, _markers_of(s, markers)) for s in reply.statements]
    if all(s.item is None and "\n" not in s.text for s in reply.statements):
        # Statements that are no items of a list become one.
        only = tuple(line for (line,) in lines)
        blocks += [Listing(only)] if len(only) > 1 else only
    else:
        blocks += _listed(reply.statements, lines)
    if reply.also:
        also = (line for s in reply.also for line in _lines(s, _markers_of(s, markers)))
        blocks += [ALSO, Listing(tuple(also))]
    return blocks


def _listed(statements: Sequence[Statement], lines: Sequence[Sequence[Line]]) -> list[AnswerBlock]:
    """Put the items of lists together, each list with the line that leads it."""
    writer = BlockWriter()
    for statement, (first, *others) in zip(statements, lines, strict=True):
        if statement.item is None:
            writer.add_line(first)
        elif statement.item is ItemKind.BULLET:
            writer.add_item(first)
        elif statement.item is ItemKind.STEP:
            writer.add_item(replace(first, number=statement.number))
        elif statement.item is ItemKind.SUB_STEP:
            writer.add_below(first)
        else:
            writer.add_below(replace(first, role=Role.REMARK))
        for line in others:
            writer.add_item(line)
        if others:
            writer.end()
    return writer.blocks


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


def _lines(statement: Statement, markers: Sequence[int]) -> list[Line]:
    """Return a statement as its lines; of a list each item carries the markers."""
    role = Role.ROW if statement.cells else Role.STATEMENT
    first, *items = statement.text.split("\n")
    return [
        _line(first, markers, role, statement.equation),
        *(_line(item.removeprefix(_ITEM), markers, role) for item in items),
    ]


def _line(text: str, markers: Sequence[int], role: Role, equation: Sequence[str] = ()) -> Line:
    if equation:
        text = text.removeprefix(f"{' = '.join(equation)}.")
    return Line(_runs(text, markers), role, tuple(_runs(side) for side in equation))


def _runs(text: str, markers: Sequence[int] = ()) -> Runs:
    """Return a text with what is stated told from the rest; its markers stand at its end."""
    pieces = enumerate(_STATED.split(text))
    runs = [Run(piece, is_strong=bool(n % 2)) for n, piece in pieces if piece] or [Run("")]
    return (*runs[:-1], replace(runs[-1], markers=tuple(markers)))


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
