"""Reads what a language model writes, piece by piece, into the blocks of an answer.

This is the one place of the program that reads Markdown, and little of it: paragraphs, lists,
numbered steps, bold, headings, simple tables, code as text, and markers behind the words that they
cite. Links, images and HTML leave their words. What is not closed yet at the end of what was heard
is held back, so that no half sign is ever shown.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from desktop_qa.core.answer_blocks import AnswerBlock, BlockWriter, Line, Listing, Run, Runs
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.generate.visible import visible

MAX_CHARACTERS = 20_000
"""Of an answer, several times what it has room for; a model that runs on is not heard longer."""

_N_PREVIEWS = 40
"""How often a paragraph is read anew while it grows, so that a long one costs no square of its
length: one of 400 characters shows ten more at a time."""

_MAX_OPEN = 400
"""Characters behind a sign that was not closed after which it is taken as it stands."""

_TAGS = (
    "a abbr audio b base blockquote body br button center code del details div em embed font form"
    " h1 h2 h3 h4 h5 h6 head hr html i iframe img input ins kbd li link mark meta object ol p pre"
    " s script section small span strong style sub summary sup svg table tbody td th thead tr u ul"
    " video"
)
_TAG = re.compile(
    rf"<!--.*?-->|</?(?:{'|'.join(_TAGS.split())})(?:[\s/][^<>]*)?>"
    r"|</?[A-Za-z][\w-]*(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s<>\"']+))+\s*/?>",
    re.IGNORECASE | re.DOTALL,
)
_IN_WORDS = re.compile(
    r"</?(?:abbr|a|b|em|font|i|ins|kbd|mark|s|small|span|strong|su[bp]|u)\b", re.I
)
"""Tags that may stand inside a word; any other parts two."""

_NUMBER = re.compile(r"\d+")
_NUMBERS = r"\^?\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})*"
_INLINE = re.compile(
    rf"""`(?P<code>[^`]+)`
    | !?\[(?P<link>[^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+["'][^"']*["'])?\)
    | \[(?P<markers>{_NUMBERS})\]
    | 【(?P<wide>{_NUMBERS})(?:†[^】]*)?】
    | \*\*(?P<strong>(?=\S).{{1,400}}?(?<=\S))\*\*(?!\*)
    | (?<![\w*])\*(?P<emphasis>(?=[^\s*])[^*]+?(?<=\S))\*(?![\w*])
    | \\(?P<escaped>[\\`*_\[\]#|<>{{}}~+\-])
    """,
    re.VERBOSE,
)
_MARKERS = re.compile(_NUMBERS)
_OPEN = re.compile(
    r"""!?\[[^\[\]]*(?:\](?:\([^()]*)?)?$ | 【[^】]*$ | `[^`]*$ | <[!/A-Za-z][^<>]*$ | <$ | !$
    | \*\*(?=\S)(?:(?!\*\*).)*$ | (?<![\w*])\*(?=[^\s*])[^*]*$ | \*{1,2}$ | \\$""",
    re.VERBOSE | re.DOTALL,
)
_OPEN_LINE = re.compile(r"\s*(?:\d{1,3}[.)]?|[-*+•]|\#{1,6}|`{1,3}\w*|>|[-*_]{2,}|\|.*)?\s*")
"""The beginning of a line that does not tell yet what the line is; a row of a table is whole."""

_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+•]|(?P<number>\d{1,3})[.)])\s+(?P<text>.*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<text>.*?)\s*#*")
_RULE = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*[\w+-]*\s*")
_TABLE_ROW = re.compile(r"\s*\|.*")
_TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
_CELL_END = re.compile(r"(?<!\\)\|")


class StreamReader:
    """Hears a stream and knows the blocks so far; one for each answer, in one thread.

    The blocks do not depend on where the stream was cut.
    """

    def __init__(self, markers: Collection[int]) -> None:
        """Read an answer that may cite some markers; all others are left out."""
        self._state = _Lines(frozenset(markers))
        self._rest = ""
        self._n_heard = self._n_shown = 0
        self._shown: tuple[AnswerBlock, ...] = ()

    @property
    def is_full(self) -> bool:
        """True when so much was heard that nothing more will be."""
        return self._n_heard >= MAX_CHARACTERS

    def hear(self, chunk: str) -> tuple[AnswerBlock, ...]:
        """Take a piece of the stream; return what can be shown."""
        chunk = chunk[: MAX_CHARACTERS - self._n_heard]
        self._n_heard += len(chunk)
        self._rest += chunk
        *whole, self._rest = self._rest.replace("\r\n", "\n").split("\n")
        for line in whole:
            self._state.read(line)
        n_open = len(self._rest) + self._state.n_open
        if self._n_heard - self._n_shown < n_open // _N_PREVIEWS:
            return self._shown
        self._n_shown = self._n_heard
        preview = copy.deepcopy(self._state)
        if (shown := _closed(self._rest)) is not None:
            preview.read(shown)
        self._shown = preview.blocks(is_open=True)
        return self._shown

    def end(self) -> tuple[AnswerBlock, ...]:
        """Return all blocks; what was held back is taken as it stands."""
        for line in self._rest.split("\n"):
            self._state.read(line)
        self._rest = ""
        return self._state.blocks()


def _closed(line: str) -> str | None:
    """Return a last line up to the first sign that is not closed yet; None for nothing to show."""
    if _OPEN_LINE.fullmatch(line):
        return None
    # What stands farther back is closed, or taken as it stands.
    before, line = line[: -2 * _MAX_OPEN], line[-2 * _MAX_OPEN :]
    at = 0
    opened = _OPEN.search(line)
    while match := _INLINE.search(line, at) or _TAG.search(line, at):
        if opened is not None and opened.start() < match.start():
            break
        at = match.end()
        opened = _OPEN.search(line, at)
    if opened is not None and len(line) - opened.start() <= _MAX_OPEN:
        line = line[: opened.start()]
    return (before + line).rstrip() or None


@dataclass(slots=True)
class _Lines:
    """What the lines so far make up.

    Attributes:
        paragraph: Lines of the paragraph that is open.
        table: Rows of the table that is open.
        is_code: True between two fences.
    """

    markers: frozenset[int]
    writer: BlockWriter = field(default_factory=BlockWriter)
    paragraph: list[str] = field(default_factory=list)
    item: re.Match[str] | None = None
    table: list[str] = field(default_factory=list)
    is_code: bool = False

    @property
    def n_open(self) -> int:
        """Characters of the paragraph or table that is open."""
        return sum(map(len, self.paragraph)) + sum(map(len, self.table))

    def __deepcopy__(self, _memo: object) -> _Lines:
        writer = copy.copy(self.writer)
        writer.blocks = list(self.writer.blocks)
        return replace(self, writer=writer, paragraph=list(self.paragraph), table=list(self.table))

    def read(self, line: str) -> None:
        """Take a whole line, or the beginning of the last one."""
        line = visible_line(line)
        if _FENCE.fullmatch(line):
            self._close()
            self.is_code = not self.is_code
        elif self.is_code:
            if line.strip():
                self.writer.add_line(Line((Run(line.rstrip()),)))
                self.writer.end()
        elif not line.strip():
            self._close()
        elif _TABLE_ROW.fullmatch(line):
            self._close(is_table=True)
            self.table.append(line)
        elif _RULE.fullmatch(line):
            self._close()
        elif heading := _HEADING.fullmatch(line):
            self._close()
            runs = tuple(replace(run, is_strong=True) for run in self._runs(heading["text"]))
            self._write(Line(runs))
        elif item := _ITEM.fullmatch(line):
            self._close()
            self.item = item
            self.paragraph = [item["text"]]
        else:
            self._close(is_paragraph=True)
            self.paragraph.append(re.sub(r"^\s*>+\s?", "", line).strip())

    def blocks(self, *, is_open: bool = False) -> tuple[AnswerBlock, ...]:
        """Return what was read; a head without a row under it may still be no table."""
        if is_open and len(self.table) == 1:
            self.table = []
        self._close()
        return tuple(self.writer.blocks)

    def _close(self, *, is_table: bool = False, is_paragraph: bool = False) -> None:
        """Write what is open and is not gone on with."""
        if self.table and not is_table:
            self._write_table()
        if self.paragraph and not is_paragraph:
            runs = self._runs(" ".join(self.paragraph))
            item, self.item, self.paragraph = self.item, None, []
            if item is None:
                self._write(Line(runs))
            elif any(run.text.strip() for run in runs):
                self._write_item(item, runs)

    def _write(self, line: Line) -> None:
        """Write a paragraph; only one that says so leads the list behind it."""
        if not any(run.text.strip() for run in line.runs):
            return
        self.writer.add_line(line)
        if not "".join(run.text for run in line.runs).rstrip().endswith(":"):
            self.writer.end()

    def _write_item(self, item: re.Match[str], runs: Runs) -> None:
        number = int(item["number"]) if item["number"] else None
        last = self.writer.blocks[-1] if self.writer.blocks else None
        is_below = len(item["indent"]) > 1
        if is_below and isinstance(last, Listing) and last.items[-1].number is not None:
            self.writer.add_below(Line(runs))
        else:
            self.writer.add_item(Line(runs, number=number))

    def _write_table(self) -> None:
        rows, self.table = self.table, []
        if len(rows) < 2 or not _TABLE_RULE.fullmatch(rows[1]):
            for row in rows:
                self._write(Line(self._runs(" | ".join(_split_row(row)))))
            return
        headers = tuple(self._cell(text).text for text in _split_row(rows[0]))
        n_columns = len(headers)
        body = []
        for row in rows[2:]:
            cells = [self._cell(text) for text in _split_row(row)[:n_columns]]
            cells += [AnswerCell("")] * (n_columns - len(cells))
            body.append(tuple(cells))
        self.writer.end()
        if body:
            self.writer.blocks.append(AnswerTable(TableUse.LIST, "", headers, tuple(body)))

    def _cell(self, text: str) -> AnswerCell:
        """Read a cell; it knows one marker, the first."""
        runs = self._runs(text)
        markers = [marker for run in runs for marker in run.markers]
        shown = "".join(run.text for run in runs).strip()
        is_stated = any(run.is_strong for run in runs)
        return AnswerCell(shown, markers[0] if markers else 0, is_stated=is_stated)

    def _runs(self, text: str) -> Runs:
        return tuple(_joined(_inline(_without_tags(text).strip(), self.markers)))


def visible_line(line: str) -> str:
    """Return a line without characters that do not show; its indentation stays."""
    indent = len(line) - len(line.lstrip())
    return " " * indent + visible(line)


def _split_row(row: str) -> list[str]:
    inner = row.strip().removeprefix("|")
    cells = [cell.strip() for cell in _CELL_END.split(inner)]
    return cells[:-1] if cells and not cells[-1] else cells


def _without_tags(text: str) -> str:
    return _TAG.sub(lambda tag: "" if _IN_WORDS.match(tag.group()) else " ", text)


def _inline(text: str, known: Collection[int], *, is_strong: bool = False) -> Iterator[Run]:
    """Yield the runs of a text; one without words is a marker, with none for an unknown one."""
    at = 0
    for match in _INLINE.finditer(text):
        if before := text[at : match.start()]:
            yield Run(before, is_strong)
        at = match.end()
        name = match.lastgroup
        inner = match[name or 0]
        if name in ("markers", "wide") or (name == "link" and _MARKERS.fullmatch(inner)):
            yield _marker(inner, known)
        elif name in ("code", "escaped"):
            yield Run(inner, is_strong)
        else:
            yield from _inline(inner, known, is_strong=is_strong or name == "strong")
    if rest := text[at:].replace("**", ""):
        yield Run(rest, is_strong)


def _marker(numbers: str, known: Collection[int]) -> Run:
    return Run("", False, tuple(n for n in map(int, _NUMBER.findall(numbers)) if n in known))


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Put markers on the words before them, and words set alike together.

    Markers that stand before all words are those of the first.
    """
    last: Run | None = None
    space = ""
    early: tuple[int, ...] = ()
    for run in runs:
        if not run.text:
            space = ""
            if last is None:
                early += run.markers
            else:
                markers = tuple(dict.fromkeys((*last.markers, *run.markers)))
                last = replace(last, text=last.text.rstrip(), markers=markers)
        elif not run.text.strip():
            space = " " if last is not None else ""
        else:
            if last is None:
                last = replace(run, text=run.text.lstrip())
            elif not last.markers and last.is_strong == run.is_strong:
                last = replace(last, text=last.text + space + run.text)
            else:
                yield last
                if space and run.is_strong:
                    yield Run(space)
                    space = ""
                last = replace(run, text=space + run.text)
            space = ""
    if last is not None:
        markers = tuple(dict.fromkeys((*last.markers, *early)))
        yield replace(last, text=last.text.rstrip(), markers=markers)
