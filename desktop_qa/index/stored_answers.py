"""How the history keeps answers, and how it opens those that earlier versions kept as Markdown.

Those had [n] markers in their text, "**" around what is stated, and in the words of documents a
word joiner within brackets that are no marker. Nothing else of the program reads such a text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from desktop_qa.core.answer import Answer, Citation
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
    Steps,
    words_of,
)
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.model_said import ModelSaid

_KINDS: dict[str, type[AnswerBlock]] = {
    "line": Line,
    "listing": Listing,
    "steps": Steps,
    "readings": Readings,
    "figure": Figure,
    "table": AnswerTable,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}

_WORD_JOINER = "\u2060"
_STATED = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
# Behind a letter or digit it is the document's own: "0[1]" is a value with a footnote.
_MARKERS = re.compile(r"(?<![\w\])])\s?((?:\[\d{1,3}\])+)|(?<=[\w\])])\s((?:\[\d{1,3}\])+)")
_BULLET = re.compile(r"- (.*)")
_STEP = re.compile(r"(\d{1,3})\. (.*)")
_BELOW = re.compile(r"\s+(-\s+)?(.*)")
_COMPUTED = re.compile(r"([^*]+ = [^*]+) = (\*\*[^*]+\*\*)\.(.*)")
_FORM = re.compile(r"\*\*|\s*\[\d{1,3}\]|^\s*- ", re.MULTILINE)


def encoded(said: Answer | ModelSaid) -> bytes:
    """Return an answer, or what a model said, as it is kept."""
    stored = msgspec.to_builtins(said)
    for kept, block in zip(stored["blocks"], said.blocks, strict=True):
        kept["kind"] = _NAMES[type(block)]
    return msgspec.json.encode(stored)


def decoded_said(content: bytes) -> ModelSaid:
    """Return what a model said as it was kept.

    Raises:
        MsgspecError: When it is none.
    """
    return msgspec.convert(msgspec.json.decode(content), ModelSaid, dec_hook=_block)


def decoded(content: bytes) -> Answer:
    """Return an answer as it was kept, by whatever version.

    Raises:
        MsgspecError: When it is none.
    """
    stored = msgspec.json.decode(content)
    if not isinstance(stored, dict) or "blocks" in stored:
        return msgspec.convert(stored, Answer, dec_hook=_block)
    old = msgspec.convert(stored, _OldAnswer)
    markers = {citation.marker for citation in old.citations}
    answer = msgspec.convert({**stored, "blocks": ()}, Answer, dec_hook=_block)
    said = blocks_of_text(old.text, markers, old.readings)
    support = (replace(s, sentence=_STATED.sub(r"\1", s.sentence)) for s in answer.support)
    blocks = (*said, *old.tables, *map(Figure, old.figures))
    return replace(answer, blocks=blocks, support=tuple(support))


def _block(kind: type, stored: Any) -> Any:
    if kind is not AnswerBlock or not isinstance(stored, dict):
        raise ValueError(f"{kind} cannot be read")
    block = _KINDS.get(stored.get("kind", ""))
    if block is None:
        raise ValueError(f"there is no block “{stored.get('kind')}”")
    return msgspec.convert(stored, block)


@dataclass(frozen=True, slots=True)
class _OldAnswer:
    """What of an answer became blocks."""

    text: str
    citations: tuple[Citation, ...]
    readings: tuple[str, ...] = ()
    tables: tuple[AnswerTable, ...] = ()
    figures: tuple[int, ...] = ()


def plain_words(text: str) -> str:
    """Return the stored text of an answer in one line, without markers and signs of form."""
    return " ".join(_FORM.sub("", text).replace(_WORD_JOINER, "").split())


def blocks_of_text(
    text: str, markers: Collection[int], readings: Sequence[str] = ()
) -> tuple[AnswerBlock, ...]:
    """Read a text as earlier versions stored it; nothing of its words is lost.

    Args:
        text: Markdown.
        markers: Those that point at a citation; another [n] is the document's own.
        readings: The questions that it offers.
    """
    writer = BlockWriter()
    for line in text.splitlines():
        if not line.strip():
            writer.end()
        elif bullet := _BULLET.match(line):
            writer.add_item(_line(bullet[1], markers))
        elif step := _STEP.match(line):
            writer.add_item(Line(_runs(step[2], markers), number=int(step[1])))
        elif below := _BELOW.match(line):
            role = Role.STATEMENT if below[1] else Role.REMARK
            writer.add_below(Line(_runs(below[2], markers), role))
        else:
            writer.add_line(_line(line, markers))
    return tuple(_offered(block, readings) for block in writer.blocks)


def _offered(block: AnswerBlock, readings: Sequence[str]) -> AnswerBlock:
    """Tell the questions to choose from from other lists."""
    if not isinstance(block, Listing) or block.lead is not None:
        return block
    items = words_of((block,)).splitlines()
    return Readings(tuple(items)) if readings and set(items) <= set(readings) else block


def _line(text: str, markers: Collection[int]) -> Line:
    computed = _COMPUTED.fullmatch(text)
    if computed is not None:
        sides = (*computed[1].split(" = "), computed[2])
        equation = tuple(_runs(side, ()) for side in sides)
        return Line(_runs(computed[3], markers), equation=equation)
    runs = _runs(text, markers)
    is_cited = any(run.markers for run in runs)
    return Line(runs, Role.STATEMENT if is_cited else Role.NOTICE)


def _runs(text: str, markers: Collection[int]) -> Runs:
    """Return the words of a line with what is stated and what is cited."""
    runs: list[Run] = []
    start = 0
    for found in _MARKERS.finditer(text):
        cited = tuple(int(number) for number in re.findall(r"\d+", found.group()))
        if not set(cited) <= set(markers):
            continue
        *before, last = _told_apart(text[start : found.start()])
        runs += [*before, replace(last, markers=cited)]
        start = found.end()
    return (*runs, *(_told_apart(text[start:]) if text[start:] or not runs else ()))


def _told_apart(text: str) -> list[Run]:
    pieces = enumerate(_STATED.split(text.replace(_WORD_JOINER, "")))
    return [Run(piece, is_strong=bool(n % 2)) for n, piece in pieces if piece] or [Run("")]
