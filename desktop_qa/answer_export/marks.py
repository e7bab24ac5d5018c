"""The narrow Markdown of answers, read once for all forms.

Few marks on purpose: a general Markdown reader would take the asterisks and underscores of a
datasheet for emphasis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from desktop_qa.answer_export.content import Block, BlockKind, ExportedCell, ExportedTable, Run
from desktop_qa.core.answer import as_printed

NoteOf = Callable[[int], int]
"""From a marker of the answer to the number of its footnote; 0 when it points nowhere."""

# Behind a letter or digit it is the document's own: "0[1]" is a value with a footnote.
_MARKERS = re.compile(r"(?<![\w\])])\s?((?:\[\d{1,3}\])+)|(?<=[\w\])])\s((?:\[\d{1,3}\])+)")
_MARKER = re.compile(r"\[(\d{1,3})\]")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_NUMBERED = re.compile(r"^\s*(\d{1,3})[.)]\s+(.*)$")
_BULLET = re.compile(r"^\s*[-*•]\s+(.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(.*)$")
_TABLE_RULE = re.compile(r"^\|?[\s:|-]+\|?$")


def read_text(text: str, note_of: NoteOf) -> Iterator[Block | ExportedTable]:
    """Yield the blocks of an answer's text in order.

    Args:
        text: Markdown with [n] markers.
        note_of: Called with each marker in reading order.
    """
    paragraph: list[str] = []
    table: list[str] = []
    for line in (*text.strip().splitlines(), ""):
        if line.lstrip().startswith("|"):
            yield from _paragraph(paragraph, note_of)
            table.append(line)
            continue
        if table:
            yield _table(table, note_of)
            table = []
        block = _item(line, note_of) if line.strip() else None
        if block is None and line.strip():
            paragraph.append(line.strip())
            continue
        yield from _paragraph(paragraph, note_of)
        if block is not None:
            yield block


def _paragraph(lines: list[str], note_of: NoteOf) -> Iterator[Block]:
    """Yield the lines so far as one paragraph, and empty them."""
    if lines:
        yield Block(BlockKind.PARAGRAPH, read_runs(" ".join(lines), note_of))
        lines.clear()


def _item(line: str, note_of: NoteOf) -> Block | None:
    if heading := _HEADING.match(line):
        return Block(BlockKind.HEADING, read_runs(heading.group(1), note_of))
    if numbered := _NUMBERED.match(line):
        runs = read_runs(numbered.group(2), note_of)
        return Block(BlockKind.NUMBERED, runs, int(numbered.group(1)))
    if bullet := _BULLET.match(line):
        return Block(BlockKind.BULLET, read_runs(bullet.group(1), note_of))
    return None


def _table(lines: Sequence[str], note_of: NoteOf) -> ExportedTable:
    has_header = len(lines) > 1 and _TABLE_RULE.match(lines[1]) is not None
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in lines
        if not _TABLE_RULE.match(line)
    ]
    width = max((len(row) for row in rows), default=0)
    padded = [row + [""] * (width - len(row)) for row in rows]
    headers = tuple(padded.pop(0)) if has_header and padded else ()
    cells = tuple(tuple(ExportedCell(read_runs(c, note_of)) for c in row) for row in padded)
    return ExportedTable((), headers, cells)


def read_runs(text: str, note_of: NoteOf) -> tuple[Run, ...]:
    """Return the words of a line with what is bold and which footnotes follow them."""
    runs: list[Run] = []
    position = 0
    for bold in _BOLD.finditer(text):
        runs += _plain(text[position : bold.start()], False, note_of)
        runs += _plain(bold.group(1), True, note_of)
        position = bold.end()
    runs += _plain(text[position:], False, note_of)
    return tuple(runs)


def _plain(text: str, is_bold: bool, note_of: NoteOf) -> list[Run]:
    runs: list[Run] = []
    start = 0
    for found in _MARKERS.finditer(text):
        notes = tuple(filter(None, (note_of(int(n)) for n in _MARKER.findall(found.group()))))
        if not notes:  # a bracketed number of the document's own
            continue
        runs.append(
            Run(as_printed(text[start : found.start()]), is_bold, tuple(dict.fromkeys(notes)))
        )
        start = found.end()
    if start < len(text):
        runs.append(Run(as_printed(text[start:]), is_bold))
    return runs
