"""What stands above tables and belongs to them (HiQA, section 3.2: wrapped context).

A table's conditions ("VS = 5 V, TA = 25 °C, unless otherwise noted") often stand as a line of text
above it. Alone that line answers nothing, and without it the table's values are half the truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.augment.context import CountTokens
from desktop_qa.core.document import Block, BlockKind

MAX_LEAD_IN_TOKENS = 60

_CONDITIONS = re.compile(
    r"\b(?:otherwise|unless)\b.{0,30}\b(?:noted|specified|stated|indicated|mentioned|defined)\b"
    r"|^(?:over|at|for|with|all)\b.{0,80}\b(?:temperature|voltage|conditions?|range|supply)\b[^.]*$",
    re.IGNORECASE,
)
_LEAD_IN_KINDS = (BlockKind.TEXT, BlockKind.LIST_ITEM)


def find_lead_ins(
    blocks: Sequence[Block], indices: Sequence[int], count_tokens: CountTokens
) -> dict[int, list[int]]:
    """Find the lines of conditions that belong to the tables of a chapter.

    Args:
        blocks: Of the document.
        indices: The chapter's body in reading order, repeated captions left out.
        count_tokens: The embedder's count.

    Returns:
        For each table block that has one, the text blocks of its lead-in. When all the text of a
        chapter stands above its first table and is no longer than a lead-in, it is one.
    """
    tables = [i for i in indices if blocks[i].kind is BlockKind.TABLE]
    texts = [i for i in indices if blocks[i].text.strip() and i not in tables]
    if not tables or not texts:
        return {}
    if (
        texts[-1] < tables[0]
        and all(blocks[i].kind in _LEAD_IN_KINDS for i in texts)
        and len({blocks[i].boilerplate for i in (*tables, *texts)}) == 1
        and _size(blocks, texts, count_tokens) <= MAX_LEAD_IN_TOKENS
    ):
        return {tables[0]: texts}
    found: dict[int, list[int]] = {}
    for table in tables:
        lead_in = _lead_in_before(blocks, indices, table)
        if lead_in and _size(blocks, lead_in, count_tokens) <= MAX_LEAD_IN_TOKENS:
            found[table] = lead_in
    return found


def _lead_in_before(blocks: Sequence[Block], indices: Sequence[int], table: int) -> list[int]:
    position = indices.index(table)
    if position == 0:
        return []
    before = indices[position - 1]
    is_conditions = blocks[before].kind is BlockKind.TEXT and _CONDITIONS.search(
        blocks[before].text
    )
    same_kind = blocks[before].boilerplate == blocks[table].boilerplate
    return [before] if is_conditions and same_kind else []


def _size(blocks: Sequence[Block], indices: Sequence[int], count_tokens: CountTokens) -> int:
    return sum(count_tokens(blocks[i].text) for i in indices)
