"""The narrow Markdown of answers as blocks: paragraphs, lists with their own numbers, formulas.

A general Markdown reader would take the asterisks and tildes of a datasheet for emphasis, and would
count the steps of a procedure anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

_HEADING = re.compile(r"^#{1,6}\s+(.*)$")
_ITEM = re.compile(r"^(\s*)(?:(\d{1,3})[.)]|([a-z])[.)]|[-*•])\s+(.*)$")
_TABLE_RULE = re.compile(r"^\|?[\s:|-]+\|?$")
_MARKS = re.compile(r"\*\*|\[\d{1,3}\]")
_OPERATOR = re.compile(r"(?<=\S) (?:[×÷·*/+−–-]) (?=\S)|[√²³^]|\b(?:min|max|sum|mean)\(")
_EQUALS = re.compile(r"\s+([=≈])\s+")
_TRAILING = re.compile(r"((?:\s*\[\d{1,3}\])+)\s*\.?\s*$")
_MOST_FORMULA_CHARACTERS = 200
_MOST_WORDS_BEFORE_EQUALS = 7
_MOST_WORDS_OF_TERMS = 24
_SENTENCE_AFTER = re.compile(r"(?<=[^\s.])(\*\*)?\.\s+(?=[A-Z“\d])")
_INDENT = 2


class BlockKind(StrEnum):
    """What a block of an answer is."""

    TEXT = "text"
    HEADING = "heading"
    ORDERED = "ordered"
    LETTERED = "lettered"
    BULLETS = "bullets"
    TABLE = "table"
    FORMULA = "formula"


@dataclass(slots=True)
class Item:
    """An item of a list: its lines and what is listed below it."""

    lines: list[str]
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """A part of an answer.

    Attributes:
        lines: Of a paragraph; rows of a table; of a formula its left side and each right side,
            then the markers it ends with.
        start: Number of the first item, as written.
        has_header: Whether the first row of a table names the columns.
    """

    kind: BlockKind
    lines: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    start: int = 1
    has_header: bool = False


def read_blocks(text: str) -> list[Block]:
    """Return the blocks of an answer in order; nothing of its words is lost."""
    return _read(text.strip("\n").splitlines())


def _read(lines: list[str]) -> list[Block]:
    blocks: list[Block] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
        elif line.lstrip().startswith("|"):
            index = _read_table(lines, index, blocks)
        elif heading := _HEADING.match(line):
            blocks.append(Block(BlockKind.HEADING, [heading.group(1)]))
            index += 1
        elif _ITEM.match(line):
            index = _read_list(lines, index, blocks)
        else:
            index = _read_paragraph(lines, index, blocks)
    return blocks


def _read_paragraph(lines: list[str], index: int, blocks: list[Block]) -> int:
    """Read lines up to another kind of block; a formula among them stands for itself."""
    paragraph: list[str] = []

    def end_paragraph() -> None:
        if paragraph:
            blocks.append(Block(BlockKind.TEXT, list(paragraph)))
            paragraph.clear()

    while index < len(lines) and lines[index].strip():
        line = lines[index]
        if _HEADING.match(line) or _ITEM.match(line) or line.lstrip().startswith("|"):
            break
        formula, rest = split_formula(line)
        if formula:
            end_paragraph()
            blocks.append(Block(BlockKind.FORMULA, formula))
        if rest:
            paragraph.append(rest)
        index += 1
    end_paragraph()
    return index


def _read_table(lines: list[str], index: int, blocks: list[Block]) -> int:
    end = index
    while end < len(lines) and lines[end].lstrip().startswith("|"):
        end += 1
    rows = lines[index:end]
    has_header = len(rows) > 1 and _TABLE_RULE.match(rows[1].strip()) is not None
    kept = [row for row in rows if not _TABLE_RULE.match(row.strip())]
    blocks.append(Block(BlockKind.TABLE, kept, has_header=has_header))
    return end


def _read_list(lines: list[str], index: int, blocks: list[Block]) -> int:
    """Read items of one depth; what is indented below an item belongs to it.

    A number that does not follow the one before begins another list, so that each step keeps the
    number it has in the document.
    """
    first = _ITEM.match(lines[index])
    depth = len(first.group(1)) if first is not None else 0
    block: Block | None = None
    while index < len(lines):
        item = _ITEM.match(lines[index])
        if item is None or len(item.group(1)) > depth + 1 or len(item.group(1)) < depth:
            break
        kind, number = _kind_of(item)
        index, below = _take_indented(lines, index + 1, depth)
        formula, rest = split_formula(item.group(4)) if not below else ([], "")
        if formula and kind is BlockKind.BULLETS:
            blocks.append(Block(BlockKind.FORMULA, formula))
            blocks += [Block(BlockKind.TEXT, [rest])] if rest else []
            block = None
            continue
        if block is None or block.kind is not kind or number not in (0, _next_number(block)):
            block = Block(kind, start=number or 1)
            blocks.append(block)
        block.items.append(_item_of(item.group(4), below))
        index = _skip_blank_before_item(lines, index, depth)
    return index


def _kind_of(item: re.Match[str]) -> tuple[BlockKind, int]:
    if item.group(2):
        return BlockKind.ORDERED, int(item.group(2))
    if item.group(3):
        return BlockKind.LETTERED, ord(item.group(3)) - ord("a") + 1
    return BlockKind.BULLETS, 0


def _next_number(block: Block) -> int:
    return block.start + len(block.items)


def _take_indented(lines: list[str], index: int, depth: int) -> tuple[int, list[str]]:
    end = index
    while end < len(lines) and lines[end].strip():
        indent = len(lines[end]) - len(lines[end].lstrip())
        if indent < depth + _INDENT:
            break
        end += 1
    return end, lines[index:end]


def _item_of(text: str, below: list[str]) -> Item:
    least = min((len(line) - len(line.lstrip()) for line in below), default=0)
    blocks = _read([line[least:] for line in below])
    lines = [text]
    # Words directly below are the item's own, on lines of their own.
    while blocks and blocks[0].kind is BlockKind.TEXT:
        lines += blocks.pop(0).lines
    return Item(lines, blocks)


def _skip_blank_before_item(lines: list[str], index: int, depth: int) -> int:
    """Go over blank lines between the items of one list."""
    following = index
    while following < len(lines) and not lines[following].strip():
        following += 1
    item = _ITEM.match(lines[following]) if following < len(lines) else None
    if following > index and item is not None and len(item.group(1)) == depth:
        return following
    return index


def split_formula(line: str) -> tuple[list[str], str]:
    """Part a line into the calculation it begins with and the sentences behind it.

    Returns:
        What `formula_of` returns, and the rest of the line; the whole line is the rest when it
        begins with no calculation.
    """
    text = line.strip()
    whole = formula_of(text)
    if whole:
        return whole, ""
    end = _SENTENCE_AFTER.search(text)
    if end is not None:
        formula = formula_of(text[: end.start()] + (end.group(1) or ""))
        if formula:
            return formula, text[end.end() :]
    return [], text


def formula_of(line: str) -> list[str]:
    """Split a calculation at its equals signs: "P = V × I = 2 W [1]".

    Returns:
        ["P", "= V × I", "= 2 W", "[1]"], the markers last, perhaps ""; empty when the line is no
        calculation: one sets something equal to numbers joined by an operator.
    """
    text = line.strip()
    bare = _MARKS.sub("", text)
    if len(bare) > _MOST_FORMULA_CHARACTERS or not _EQUALS.search(bare):
        return []
    trailing = _TRAILING.search(text)
    markers = trailing.group(1).strip() if trailing else ""
    body = (text[: trailing.start()] if trailing else text).rstrip(".")
    pieces = _EQUALS.split(body)
    left, rights = pieces[0], list(zip(pieces[1::2], pieces[2::2], strict=True))
    counted = any(_OPERATOR.search(_MARKS.sub("", right)) for _, right in rights)
    has_number = any(character.isdigit() for _, right in rights for character in right)
    most = _MOST_WORDS_OF_TERMS if _OPERATOR.search(left) else _MOST_WORDS_BEFORE_EQUALS
    is_sentence = len(left.split()) > most or any(
        ". " in right or ", " in right or ";" in right for _, right in rights
    )
    if not left.strip() or not counted or not has_number or is_sentence:
        return []
    return [left.strip(), *(f"{sign} {right.strip()}" for sign, right in rights), markers]


def cells_of(row: str) -> list[str]:
    """Return the cells of a row of a Markdown table."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
