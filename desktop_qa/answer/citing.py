"""From a reply to an answer: segments numbered in its order, its statements as cited blocks.

This is the one place that reads the texts of replies for what is stated in them, and for the items
of a list that a statement is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from desktop_qa.answer.passages import PlacedRun
from desktop_qa.answer.reply import ALSO, CitedCell, Reply
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
from desktop_qa.core.answer_table import AnswerCell
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
    tables = (
        replace(one, rows=tuple(tuple(_cell(cell, markers) for cell in row) for row in one.rows))
        for one in reply.tables
    )
    figures = (Figure(markers[item.segment.id]) for item in reply.figures)
    return Answer(
        question=query.text,
        blocks=(*said_blocks(reply, markers), *tables, *figures),
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


def said_blocks(reply: Reply, markers: Mapping[SegmentId, int]) -> list[AnswerBlock]:
    """Return the lead, what is stated, and set apart what may be meant instead."""
    blocks: list[AnswerBlock] = []
    if reply.lead:
        blocks.append(_line(reply.lead, (), Role.NOTICE, reply.equation))
    if reply.status is AnswerStatus.CLARIFY:
        blocks.append(Readings(reply.readings))
    blocks += _listed(reply.statements, markers)
    if reply.also:
        also = (line for s in reply.also for line in _lines(s, markers))
        blocks += [ALSO, Listing(tuple(also))]
    return blocks


def _listed(statements: Sequence[Statement], markers: Mapping[SegmentId, int]) -> list[AnswerBlock]:
    """Put the items of lists together, each list with the line that leads it.

    Several statements that are no items of a list become one.
    """
    writer = BlockWriter()
    is_list = len(statements) > 1 and all(s.item is None and "\n" not in s.text for s in statements)
    for statement in statements:
        first, *others = _lines(statement, markers)
        if is_list or statement.item in (ItemKind.BULLET, ItemKind.STEP):
            writer.add_item(replace(first, number=statement.number))
        elif statement.item in (None, ItemKind.TEXT):
            writer.add_line(first)
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
    cells = (cell for table in reply.tables for row in table.rows for cell in row)
    yield from (cell.statement for cell in cells if isinstance(cell, CitedCell))


def _sources_of(statement: Statement) -> tuple[Statement, ...]:
    """Itself and what it rests on; what was computed has no place of its own."""
    is_derived = bool(statement.rests_on) and not statement.runs
    return statement.rests_on if is_derived else (statement, *statement.rests_on)


def _markers_of(statement: Statement, markers: Mapping[SegmentId, int]) -> tuple[int, ...]:
    sources = _sources_of(statement)
    return tuple(dict.fromkeys(markers[s.evidence.segment.id] for s in sources))


def _lines(statement: Statement, markers: Mapping[SegmentId, int]) -> list[Line]:
    """Return a statement as its lines; of a list each item carries the markers."""
    role = Role.ROW if statement.cells else Role.STATEMENT
    own = _markers_of(statement, markers)
    first, *items = statement.text.split("\n")
    below = (_line(item.removeprefix(_ITEM), own, role) for item in items)
    return [_line(first, own, role, statement.equation), *below]


def _line(text: str, markers: Sequence[int], role: Role, equation: Sequence[str] = ()) -> Line:
    if equation:
        text = text.removeprefix(f"{' = '.join(equation)}.")
    return Line(_runs(text, markers), role, tuple(_runs(side) for side in equation))


def _runs(text: str, markers: Sequence[int] = ()) -> Runs:
    """Return a text with what is stated told from the rest; its markers stand at its end."""
    pieces = enumerate(_STATED.split(text))
    runs = [Run(piece, is_strong=bool(n % 2)) for n, piece in pieces if piece] or [Run("")]
    return (*runs[:-1], replace(runs[-1], markers=tuple(markers)))


def _cell(cell: AnswerCell, markers: Mapping[SegmentId, int]) -> AnswerCell:
    if not isinstance(cell, CitedCell):
        return cell
    places = tuple(place for run in cell.statement.runs for place in rectangles(run))
    marker = markers[cell.statement.evidence.segment.id]
    return AnswerCell(cell.text, marker, places, cell.is_stated, cell.value, cell.note, cell.bounds)


def _citations(
    statements: Sequence[Statement], markers: Mapping[SegmentId, int]
) -> tuple[Citation, ...]:
    """One citation for each segment; words that two statements share are quoted once.

    A figure without a caption is cited by its own rectangle: it has no words to quote.
    """
    by_segment: dict[SegmentId, list[Statement]] = {}
    for statement in statements:
        by_segment.setdefault(statement.evidence.segment.id, []).append(statement)
    citations = []
    for segment_id, own in by_segment.items():
        segment = own[0].evidence.segment
        quoted = _distinct(run for s in own for run in s.runs)
        places = tuple(place for run in quoted for place in rectangles(run))
        if not places and segment.kind is SegmentKind.FIGURE:
            places = segment.provenances
        citations.append(
            Citation(
                marker=markers[segment_id],
                segment_id=segment_id,
                document_id=segment.document_id,
                places=places,
                quote=tuple(map(quote_of, quoted)),
            )
        )
    return tuple(citations)


def _distinct(runs: Iterable[PlacedRun]) -> list[PlacedRun]:
    """Leave out of each run the words that stand in a longer one, and runs without any other."""
    order = list(dict.fromkeys(runs))
    said: set[PlacedWord] = set()
    own: dict[PlacedRun, PlacedRun] = {}
    for run in sorted(order, key=len, reverse=True):
        own[run] = tuple(word for word in run if word not in said)
        said.update(run)
    return [own[run] for run in order if own[run]]
