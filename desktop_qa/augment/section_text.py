"""Chapters as pieces of text that fit the embedder, cut at block and sentence ends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from desktop_qa.augment.sentences import partition, split_at_words, split_sentences
from desktop_qa.core.document import Block, BlockKind

OVERLAP = 0.10
"""Share of a piece that the next one repeats (hybrid-retrieval, Table 1)."""

_DOT_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}\.?")
"""Tables of contents: each dot would be a token."""

_BREAK_COST = {
    "block": 0.0,
    "list": 0.12,
    "introduction": 0.5,
    "sentence": 0.2,
    "word": 0.3,
}
_LIST_KINDS = (BlockKind.LIST_ITEM,)
_LINE_KINDS = (BlockKind.CODE, BlockKind.FORMULA)


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest run of text that is not cut: a sentence, or part of one that is too long.

    Attributes:
        block_index: Into the document's blocks.
        is_first: True for the first unit of its block.
        is_fragment: True when the sentence began in an earlier unit.
    """

    text: str
    n_tokens: int
    block_index: int
    is_first: bool
    is_fragment: bool


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a chapter's text and the blocks it comes from, in order.

    Attributes:
        cut: Of the blocks that are not in this piece whole, the units that are, by block.
    """

    text: str
    block_indices: tuple[int, ...]
    cut: Mapping[int, tuple[str, ...]]


def split_blocks(
    blocks: Sequence[Block],
    indices: Sequence[int],
    limit: int,
    count_tokens: Callable[[str], int],
) -> list[TextPiece]:
    """Cut the text of a chapter into even pieces of at most `limit` tokens.

    Breaks fall between blocks where possible, not between a list and the sentence that opens it;
    inside a block at sentence ends; inside a sentence that alone is too long, between words.
    Each piece but the first starts with the last words of the one before it.
    """
    room = limit - round(limit * OVERLAP)
    units = [unit for index in indices for unit in _units(blocks[index], index, room, count_tokens)]
    if not units:
        return []
    sums = [0, *accumulate(unit.n_tokens for unit in units)]
    if sums[-1] <= limit:
        return [_piece(units, blocks, {})]
    costs = [_break_cost(units, i, blocks) for i in range(len(units))]
    n_units = Counter(unit.block_index for unit in units)
    pieces = partition(len(units), lambda a, b: (sums[b + 1] - sums[a]) / room, costs)
    return [
        _piece([*_overlap(units, first, limit - room), *units[first : last + 1]], blocks, n_units)
        for first, last in pieces
    ]


def _units(block: Block, index: int, limit: int, count_tokens: Callable[[str], int]) -> list[Unit]:
    text = _DOT_LEADER.sub("…", block.text)
    lines = text.splitlines() if block.kind in _LINE_KINDS else split_sentences(text)
    units: list[Unit] = []
    for line in lines:
        for part_no, part in enumerate(split_at_words(line.rstrip(), limit, count_tokens)):
            if part.strip():
                size = count_tokens(part)
                units.append(Unit(part, size, index, not units, part_no > 0))
    return units


def _break_cost(units: Sequence[Unit], i: int, blocks: Sequence[Block]) -> float:
    """Return the cost of a break before unit i."""
    unit = units[i]
    if unit.is_fragment:
        return _BREAK_COST["word"]
    if not unit.is_first:
        return _BREAK_COST["sentence"]
    in_list = blocks[unit.block_index].kind in _LIST_KINDS
    if i and in_list:
        before = units[i - 1]
        if blocks[before.block_index].kind in _LIST_KINDS:
            return _BREAK_COST["list"]
        return _BREAK_COST["introduction"]
    if i and re.search(r":\s*$", units[i - 1].text):
        return _BREAK_COST["introduction"]
    return _BREAK_COST["block"]


def _overlap(units: Sequence[Unit], first: int, room: int) -> list[Unit]:
    """Return the whole units before `first` that fit the room: none after a long sentence."""
    overlap: list[Unit] = []
    for unit in reversed(units[:first]):
        room -= unit.n_tokens
        if room < 0:
            break
        overlap.insert(0, unit)
    return overlap


def _piece(units: Sequence[Unit], blocks: Sequence[Block], n_units: Mapping[int, int]) -> TextPiece:
    first = units[0]
    indent = _level(blocks[first.block_index]) - 1 if first.is_first else 0
    rest = (_joint(before, unit, blocks) + unit.text for before, unit in pairwise(units))
    text = "".join(("  " * indent, first.text, *rest))
    own: dict[int, list[str]] = {}
    for unit in units:
        own.setdefault(unit.block_index, []).append(unit.text)
    cut = {i: tuple(texts) for i, texts in own.items() if len(texts) < n_units.get(i, 0)}
    return TextPiece(text, tuple(own), cut)


def _joint(before: Unit, unit: Unit, blocks: Sequence[Block]) -> str:
    block = blocks[unit.block_index]
    if before.block_index == unit.block_index:
        return "\n" if block.kind in _LINE_KINDS and not unit.is_fragment else " "
    if block.kind in _LIST_KINDS:
        return "\n" + "  " * (_level(block) - 1)
    return "\n\n"


def _level(block: Block) -> int:
    return max(block.level, 1) if block.kind in _LIST_KINDS else 1
