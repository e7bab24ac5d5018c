"""One answer made of several: a line for each part of a composite question, or for each reading.

The parts were retrieved and replied to by themselves; their statements are cited together, over the
union of their evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest

from desktop_qa.answer.citing import cited_answer, said_blocks
from desktop_qa.answer.reply import ALSO, Reply
from desktop_qa.answer.statement import ItemKind
from desktop_qa.core.answer import Answer, AnswerStatus, Evidence, Query
from desktop_qa.core.answer_blocks import (
    AnswerBlock,
    BlockWriter,
    Figure,
    Line,
    Role,
    Run,
    Runs,
    lines_of,
)
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
    """A part of a question with the reply to it.

    Attributes:
        question: Complete in itself.
        evidence: All that was found, best first.
        label: Leads its line: the part number of a reading; empty for a part of a composite one.
        is_absent: True when its reply says that a part number is not in the library.
    """

    question: str
    reply: Reply
    evidence: Sequence[Evidence]
    label: str = ""
    is_absent: bool = False


def joined(query: Query, parts: Sequence[AnsweredPart], n_evidence: int) -> Answer:
    """Join the replies to the parts of a question in their order.

    Args:
        query: The whole question.
        parts: At least two.
        n_evidence: Pieces of evidence to keep besides those cited.

    Returns:
        ANSWERED when any part is; NOT_FOUND, or what all parts are, when none is.
    """
    budget = max(MAX_WORDS // len(parts), _MIN_WORDS)
    replies = [_within(part, budget) for part in parts]
    best: dict[SegmentId, Evidence] = {}
    for turn in zip_longest(*(part.evidence for part in parts)):
        for item in filter(None, turn):
            # A segment is kept as the part that it serves best found it.
            if item.score > best.setdefault(item.segment.id, item).score:
                best[item.segment.id] = item
    statuses = {reply.status for reply in replies}
    agreed = next(iter(statuses)) if len(statuses) == 1 else AnswerStatus.NOT_FOUND
    readings = (one for reply in replies for one in reply.readings)
    whole = Reply(
        statements=tuple(s for reply in replies for s in (*reply.statements, *reply.also)),
        tables=tuple(table for reply in replies for table in reply.tables),
        figures=tuple(figure for reply in replies for figure in reply.figures),
        status=AnswerStatus.ANSWERED if AnswerStatus.ANSWERED in statuses else agreed,
        readings=tuple(dict.fromkeys((*query.readings, *readings))),
        probability=min((p for one in replies if (p := one.probability) is not None), default=None),
    )
    answer = cited_answer(query, whole, tuple(best.values()))
    markers = {item.segment.id: item.marker for item in answer.evidence}
    writer = BlockWriter()
    for part, reply in zip(parts, replies, strict=True):
        _write(writer, part, said_blocks(reply, markers), reply)
    shown = dict.fromkeys((*answer.tables, *map(Figure, answer.figures)))
    n_cited = max((*answer.figures, *(one.marker for one in answer.citations)), default=0)
    kept = answer.evidence[: max(n_evidence, n_cited + _MIN_EVIDENCE)]
    return replace(answer, blocks=(*writer.blocks, *shown), evidence=kept)


def _within(part: AnsweredPart, n_words: int) -> Reply:
    """Leave out of a reply what is too much beside others; its first statement always stays."""
    reply = part.reply
    if reply.status is AnswerStatus.NOT_FOUND and not part.is_absent:
        return replace(reply, statements=(), also=())
    if reply.status is not AnswerStatus.ANSWERED or _has_steps(reply):
        return reply
    texts = [reply.lead, *(s.text for s in (*reply.statements, *reply.also))]
    totals = accumulate(len(text.split()) for text in texts)
    n_kept = max(sum(total <= n_words for total in totals) - 1, not reply.lead)
    n_also = max(n_kept - len(reply.statements), 0)
    return replace(reply, statements=reply.statements[:n_kept], also=reply.also[:n_also])


def _has_steps(reply: Reply) -> bool:
    return any(statement.item is ItemKind.STEP for statement in reply.statements)


def _write(
    writer: BlockWriter, part: AnsweredPart, blocks: Sequence[AnswerBlock], reply: Reply
) -> None:
    """Write an item for a part, or that it has none; a step list stands for itself."""
    asked = part.question.rstrip(" ?.!")
    label: Runs = (Run(part.label, is_strong=True), Run(":")) if part.label else ()
    lines = list(lines_of(blocks))
    if _has_steps(reply):
        heading = Line(label or (Run(asked, is_strong=True), Run(":")), Role.NOTICE)
        writer.blocks += (heading, *blocks)
        writer.end()
    elif reply.status is AnswerStatus.NOT_FOUND and not part.is_absent:
        lost = Run(f"{NOT_FOUND_LINE}{part.label or asked}.")
        writer.add_item(Line((lost,), Role.NOTICE))
    elif reply.status is AnswerStatus.CLARIFY:
        led = (*(label or (Run(f"{asked}:"),)), Run(" "), *lines[0].runs)
        writer.add_item(replace(lines[0], runs=led))
    else:
        said = (ALSO_INLINE if line == ALSO else line.whole for line in lines)
        runs = (*label, *(run for line in said for run in (Run(" "), *line)))
        writer.add_item(Line(runs if label else runs[1:]))
