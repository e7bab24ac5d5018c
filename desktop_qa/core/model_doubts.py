"""Signs in the words of a model: behind each sentence that nothing bears out, and what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from desktop_qa.core.answer_blocks import AnswerBlock, Line, Listing, Run, with_lines
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.model_said import Doubt, DoubtMark

SIGNS = {Doubt.WEAK: "?", Doubt.UNSUPPORTED: "!"}

Mark = Callable[[Run, int], Run]
"""Makes of words those that belong to the doubt of this number."""

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
    by_block: dict[int, list[int]] = {}
    for number, doubt in enumerate(doubts):
        by_block.setdefault(doubt.block_index, []).append(number)
    return tuple(
        _Signing(doubts, by_block[index], mark, is_numbered=is_numbered).block(block)
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
    cut = _Cutting(line_index, at).block(blocks[block_index])
    return (*blocks[:block_index], *(() if cut is None else (cut,)))


class _Cutting:
    """Cuts one block; its lines are counted in the order of `lines_of`."""

    def __init__(self, line_index: int, end: int) -> None:
        self._n_whole = line_index
        self._end = end

    def block(self, block: AnswerBlock) -> AnswerBlock | None:
        match block:
            case Line():
                return self._line(block)
            case Listing():
                lead = None if block.lead is None else self._line(block.lead)
                items = tuple(filter(None, map(self._line, block.items)))
                return replace(block, lead=lead, items=items) if items else lead
        return block

    def _line(self, line: Line) -> Line | None:
        if self._n_whole < 0:
            return None
        is_cut = self._n_whole == 0
        self._n_whole -= 1
        runs = tuple(self._before(line.runs)) if is_cut else line.runs
        return replace(line, runs=runs, below=tuple(filter(None, map(self._line, line.below))))

    def _before(self, runs: Sequence[Run]) -> Iterator[Run]:
        at = 0
        for run in runs:
            if at >= self._end:
                return
            is_whole = at + len(run.text) <= self._end
            markers = run.markers if is_whole else ()
            yield replace(run, text=run.text[: self._end - at], markers=markers)
            at += len(run.text)


class _Signing:
    """Signs one block."""

    def __init__(
        self, doubts: Sequence[DoubtMark], own: Sequence[int], mark: Mark, *, is_numbered: bool
    ) -> None:
        self._doubts = doubts
        self._own = own
        self._mark = mark
        self._is_numbered = is_numbered
        self._line_index = -1

    def block(self, block: AnswerBlock) -> AnswerBlock:
        if isinstance(block, AnswerTable):
            return self._table(block)
        return with_lines(block, self._line)

    def _line(self, line: Line) -> Line:
        """Sign a line and those below it, in the order of `lines_of`."""
        self._line_index += 1
        numbers = [n for n in self._own if self._doubts[n].line_index == self._line_index]
        runs = tuple(self._runs(line.runs, numbers)) if numbers else line.runs
        return replace(line, runs=runs, below=tuple(map(self._line, line.below)))

    def _runs(self, runs: Sequence[Run], numbers: Sequence[int]) -> Iterator[Run]:
        waiting = list(numbers)
        at = 0
        for run in runs:
            end, start = at + len(run.text), at
            while waiting and self._doubts[waiting[0]].start < end:
                doubt = self._doubts[waiting[0]]
                if doubt.start > at:
                    yield Run(run.text[at - start : doubt.start - start], run.is_strong)
                    at = doubt.start
                stop = min(doubt.end, end)
                ends_here = doubt.end <= end
                markers = run.markers if stop == end else ()
                words = Run(run.text[at - start : stop - start], run.is_strong, markers)
                yield self._mark(words, waiting[0])
                at = stop
                if not ends_here:
                    break
                yield from self._sign(waiting.pop(0))
            if at < end or start == end:
                yield replace(run, text=run.text[at - start :])
            at = end
        for number in waiting:
            yield from self._sign(number)

    def _sign(self, number: int) -> Iterator[Run]:
        doubt = self._doubts[number]
        if self._is_numbered:
            yield Run(f" {numbered_sign(doubt, number)}")
            return
        yield self._mark(Run(f"\u00a0{SIGNS[doubt.doubt]}", is_strong=True), number)
        if doubt.instead:
            markers = (doubt.marker,) if doubt.marker else ()
            yield Run(f" (the document: {doubt.instead})", markers=markers)

    def _table(self, table: AnswerTable) -> AnswerTable:
        by_cell = {(self._doubts[n].line_index, self._doubts[n].start): n for n in self._own}

        def signed(text: str, number: int | None) -> str:
            if number is None:
                return text
            doubt = self._doubts[number]
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
