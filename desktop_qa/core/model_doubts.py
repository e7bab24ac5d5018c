"""Signs in the words of a model: behind each sentence that nothing bears out, and what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from desktop_qa.core.answer_blocks import AnswerBlock, Line, Listing, Run, with_lines
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.model_said import Doubt, DoubtMark

SIGNS = {Doubt.WEAK: "?", Doubt.UNSUPPORTED: "!"}

Mark = Callable[[Run, int], Run]
"""Makes of words those that belong to the doubt of this number."""

_Numbered = tuple[int, DoubtMark]
"""A doubt with its number, 0-based."""

Place = tuple[int, int, int]
"""Block, line of the block, and place in the text of the line."""


def signed_blocks(
    blocks: Sequence[AnswerBlock],
    doubts: Sequence[DoubtMark],
    mark: Mark = lambda run, _n: run,
    *,
    is_numbered: bool = False,
) -> tuple[AnswerBlock, ...]:
    """Return blocks with a sign behind each doubted sentence, and the document's value beside it.

    The words and the sign of a doubt are marked. Where reasons stand below, the signs are
    `numbered_sign` and no value is beside them.
    """
    by_block: dict[int, list[_Numbered]] = {}
    for number, doubt in enumerate(doubts):
        by_block.setdefault(doubt.block_index, []).append((number, doubt))
    return tuple(
        _Signing(by_block[index], mark, is_numbered=is_numbered).block(block)
        if index in by_block
        else block
        for index, block in enumerate(blocks)
    )


def numbered_sign(doubt: DoubtMark, number: int) -> str:
    """Return the sign of the doubt of a number, 0-based: "(?1)"."""
    return f"({SIGNS[doubt.doubt]}{number + 1})"


def blocks_until(blocks: Sequence[AnswerBlock], end: Place) -> tuple[AnswerBlock, ...]:
    """Return what stands before a place."""
    block_index, line_index, at = end
    indices = count()

    def cut(line: Line) -> Line | None:
        index = next(indices)
        if index > line_index:
            return None
        runs = tuple(_runs_until(line.runs, at)) if index == line_index else line.runs
        return replace(line, runs=runs, below=tuple(filter(None, map(cut, line.below))))

    last: AnswerBlock | None = blocks[block_index]
    match last:
        case Line():
            last = cut(last)
        case Listing():
            lead = None if last.lead is None else cut(last.lead)
            items = tuple(filter(None, map(cut, last.items)))
            last = replace(last, lead=lead, items=items) if items else lead
    return (*blocks[:block_index], *(() if last is None else (last,)))


def _runs_until(runs: Sequence[Run], end: int) -> Iterator[Run]:
    at = 0
    for run in runs:
        if at >= end:
            return
        is_whole = at + len(run.text) <= end
        yield replace(run, text=run.text[: end - at], markers=run.markers if is_whole else ())
        at += len(run.text)


class _Signing:
    """Signs one block."""

    def __init__(self, own: Sequence[_Numbered], mark: Mark, *, is_numbered: bool) -> None:
        self._own = own
        self._mark = mark
        self._is_numbered = is_numbered
        self._indices = count()

    def block(self, block: AnswerBlock) -> AnswerBlock:
        if isinstance(block, AnswerTable):
            return self._table(block)
        return with_lines(block, self._line)

    def _line(self, line: Line) -> Line:
        """Sign a line and those below it, in the order of `lines_of`."""
        index = next(self._indices)
        own = [(n, doubt) for n, doubt in self._own if doubt.line_index == index]
        runs = tuple(self._runs(line.runs, own)) if own else line.runs
        return replace(line, runs=runs, below=tuple(map(self._line, line.below)))

    def _runs(self, runs: Sequence[Run], waiting: list[_Numbered]) -> Iterator[Run]:
        at = 0
        for run in runs:
            end, start = at + len(run.text), at
            while waiting and waiting[0][1].start < end:
                number, doubt = waiting[0]
                if doubt.start > at:
                    yield Run(run.text[at - start : doubt.start - start], run.is_strong)
                    at = doubt.start
                stop = min(doubt.end, end)
                ends_here = doubt.end <= end
                markers = run.markers if stop == end else ()
                words = Run(run.text[at - start : stop - start], run.is_strong, markers)
                yield self._mark(words, number)
                at = stop
                if not ends_here:
                    break
                yield from self._sign(*waiting.pop(0))
            if at < end or start == end:
                yield replace(run, text=run.text[at - start :])
            at = end
        for one in waiting:
            yield from self._sign(*one)

    def _sign(self, number: int, doubt: DoubtMark) -> Iterator[Run]:
        if self._is_numbered:
            yield Run(f" {numbered_sign(doubt, number)}")
            return
        yield self._mark(Run(f"\u00a0{SIGNS[doubt.doubt]}", is_strong=True), number)
        if doubt.instead:
            markers = (doubt.marker,) if doubt.marker else ()
            yield Run(f" (the document: {doubt.instead})", markers=markers)

    def _table(self, table: AnswerTable) -> AnswerTable:
        by_cell = {(own[1].line_index, own[1].start): own for own in self._own}

        def signed(text: str, own: _Numbered | None) -> str:
            if own is None:
                return text
            number, doubt = own
            if self._is_numbered:
                return f"{text} {numbered_sign(doubt, number)}"
            instead = f" (the document: {doubt.instead})" if doubt.instead else ""
            return f"{text} {SIGNS[doubt.doubt]}{instead}"

        rows = tuple(
            tuple(
                replace(cell, text=signed(cell.text, by_cell.get((row_index, column))))
                for column, cell in enumerate(row)
            )
            for row_index, row in enumerate(table.rows)
        )
        return replace(table, rows=rows)
