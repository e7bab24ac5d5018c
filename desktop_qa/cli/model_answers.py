"""A model's answer in the terminal, below the offline one: as it comes, with what is wrong in it.

Whatever happens to the model is told in one line; the offline answer stands, and the exit code is
that of the offline answer.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_qa.cli.citations import citation_line
from desktop_qa.cli.compare import table_lines
from desktop_qa.cli.models import ask_for_key, can_ask_for_key, key_of, profile_named
from desktop_qa.cli.verbs import say
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import AnswerBlock, Line, Listing, Run, as_text
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.generate.grounding import CheckedSentence
from desktop_qa.generate.judging import Verdict
from desktop_qa.library.reasoning import ModelAnswer, Reasoning, reasoned
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import ProfileStore

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library

_SIGNS = {Verdict.WEAK: "?", Verdict.UNSUPPORTED: "!"}
_MEANINGS = {Verdict.WEAK: "doubtful", Verdict.UNSUPPORTED: "not borne out"}


class AskedModel:
    """The model that `ask --profile` names; knows its key for as long as the command runs."""

    def __init__(self, name: str, key_variable: str | None) -> None:
        """Find the profile and its key.

        Raises:
            ModelError: When there is no such profile, or the variable of the key is not set.
        """
        self.profile = profile_named(name)
        self._keys = KeyStore()
        self._key = key_of(self.profile, key_variable, self._keys)

    def answer(
        self,
        offline: Answer,
        library: Library,
        scope: Sequence[str] | None = None,
        *,
        is_shown: bool,
    ) -> ModelAnswer:
        """Put the question of an offline answer to the model, and print what comes.

        Args:
            offline: With its evidence.
            library: Whose answer it is.
            scope: See `Library.reasoning`.
            is_shown: Print it as it comes; else nothing but notices is printed, on stderr.
        """
        printer = _Printer(offline, library) if is_shown else None
        try:
            said = self._answer(offline, library, scope, printer)
        except DesktopQaError as error:
            said = ModelAnswer(is_over=True, error=error)
        if printer is not None:
            printer.end(said)
        return said

    def _answer(
        self,
        offline: Answer,
        library: Library,
        scope: Sequence[str] | None,
        printer: _Printer | None,
    ) -> ModelAnswer:
        reasoning = library.reasoning(offline, self.profile, scope)
        if printer is not None:
            model = f"{self.profile.model} at {self.profile.host}"
            print(f"\n{self.profile.name} ({model}):", flush=True)
        said = self._said(reasoning, library, printer)
        lacks_key = isinstance(said.error, ModelError) and (
            said.error.kind is ModelErrorKind.KEY_MISSING
        )
        if lacks_key and printer is not None and can_ask_for_key():
            self._key = ask_for_key(self.profile, self._keys)
            if self._key:
                again = library.reasoning(offline, self.profile, scope)
                return self._said(again, library, printer)
        return said

    def _said(
        self, reasoning: Reasoning, library: Library, printer: _Printer | None
    ) -> ModelAnswer:
        consent = ProfileStore().consent(library.folder, self.profile)
        said = ModelAnswer()

        async def listen() -> None:
            nonlocal said
            steps = reasoned(
                reasoning, self._key, consent, on_notice=lambda notice: say(notice.text)
            )
            async with aclosing(steps):
                async for said in steps:
                    if printer is not None:
                        printer.show(said)

        try:
            asyncio.run(listen())
        except KeyboardInterrupt:
            return said if said.is_over else reasoning.failed(Cancelled())
        return said


class _Printer:
    """Prints an answer as it grows; what stands there is never taken back."""

    def __init__(self, offline: Answer, library: Library) -> None:
        self._offline = offline
        self._library = library
        self._printed = ""
        self._n_steps = 0

    def show(self, said: ModelAnswer) -> None:
        """Print what came, up to the end of the first sentence that is not checked."""
        text = text_of(said)
        for step in said.fetched[self._n_steps :]:
            if self._printed:  # said before it looked something up: no part of the answer
                print()
                self._printed = ""
            say(step)
        self._n_steps = len(said.fetched)
        if text.startswith(self._printed):
            print(text[len(self._printed) :], end="", flush=True)
            self._printed = text

    def end(self, said: ModelAnswer) -> None:
        """Print what is left, what is wrong with it, where the new markers are, and the error."""
        text = text_of(said)
        if not text.startswith(self._printed):
            # It was withheld, or turned out to be thinking: what is said stands below.
            print("\n")
            self._printed = ""
        if text:
            print(text[len(self._printed) :])
        for line in (*reasons(said.sentences), *self._new_sources(said)):
            print(line)
        notes = said.answer.notes if said.answer is not None else ()
        for note in (*notes, said.note):
            if note and note not in self._offline.notes:
                say(note)
        if said.usage is not None:
            say(f"{said.usage.n_output} tokens in {said.seconds:.1f} s")
        if said.error is not None:
            say(f"No answer of the model, or not all of it: {said.error}")

    def _new_sources(self, said: ModelAnswer) -> Iterator[str]:
        if said.answer is None:
            return
        told = {citation.marker for citation in self._offline.citations}
        for citation in said.answer.citations:
            if citation.marker not in told:
                yield citation_line(citation, said.answer, self._library)


def reasons(sentences: Sequence[CheckedSentence]) -> Iterator[str]:
    """Yield why sentences are marked, a line for each reason."""
    signs: dict[str, list[str]] = {}
    for sentence, sign in _signs(sentences):
        judgement = sentence.judgement
        instead = ""
        if judgement.instead:
            instead = f"; the document says {judgement.instead} [{judgement.marker}]"
        reason = f"{_MEANINGS[judgement.verdict]}: {judgement.reason}{instead}."
        signs.setdefault(reason, []).append(sign)
    for reason, own in signs.items():
        yield f"{' '.join(own)} {reason}"


def _signs(sentences: Sequence[CheckedSentence]) -> Iterator[tuple[CheckedSentence, str]]:
    marked = [one for one in sentences if one.judgement.verdict in _SIGNS]
    for number, sentence in enumerate(marked, start=1):
        yield sentence, f"({_SIGNS[sentence.judgement.verdict]}{number})"


def text_of(said: ModelAnswer) -> str:
    """Print an answer with a sign behind each sentence that is weak or unsupported.

    As an answer goes on, its text only grows: it ends with the first sentence that is not checked,
    and before a table that may not be whole.
    """
    by_block: dict[int, list[tuple[CheckedSentence, str]]] = {}
    for sentence, sign in _signs(said.sentences):
        by_block.setdefault(sentence.block_index, []).append((sentence, sign))
    cut = said.open_sentence
    texts = []
    for index, block in enumerate(said.blocks):
        signs = by_block.get(index, [])
        is_cut = cut is not None and cut.block_index == index
        if isinstance(block, AnswerTable):
            if index + 1 == len(said.blocks) and not said.is_over:
                break
            width = max(shutil.get_terminal_size().columns, 80)
            texts.append("\n".join(table_lines(_signed_table(block, signs), width)))
        else:
            signed = _signed_block(block, signs, cut if is_cut else None)
            texts.append(as_text((signed,)))
        if is_cut:
            break
    return "\n\n".join(filter(None, texts))


def _signed_table(table: AnswerTable, signs: Sequence[tuple[CheckedSentence, str]]) -> AnswerTable:
    by_cell = {(sentence.line_index, sentence.start): sign for sentence, sign in signs}
    rows = tuple(
        tuple(
            replace(cell, text=f"{cell.text} {by_cell[row, column]}")
            if (row, column) in by_cell
            else cell
            for column, cell in enumerate(cells)
        )
        for row, cells in enumerate(table.rows)
    )
    return replace(table, rows=rows)


def _signed_block(
    block: AnswerBlock,
    signs: Sequence[tuple[CheckedSentence, str]],
    cut: CheckedSentence | None,
) -> AnswerBlock:
    """Return a block with signs in its lines; nothing of it behind the sentence `cut`."""
    index = -1

    def signed(line: Line) -> Line | None:
        nonlocal index
        index += 1
        if cut is not None and index > cut.line_index:
            return None
        own = [(sentence.end, sign) for sentence, sign in signs if sentence.line_index == index]
        end = cut.end if cut is not None and cut.line_index == index else None
        return replace(line, runs=tuple(_signed_runs(line.runs, own, end)))

    return _with_lines(block, signed) or Line(())


def _with_lines(block: AnswerBlock, change: Callable[[Line], Line | None]) -> AnswerBlock | None:
    """Change the lines of a block in the order of `lines_of`; `None` leaves one out."""

    def line(given: Line) -> Line | None:
        changed = change(given)
        below = tuple(filter(None, map(line, given.below)))
        return None if changed is None else replace(changed, below=below)

    match block:
        case Line():
            return line(block)
        case Listing():
            lead = None if block.lead is None else line(block.lead)
            items = tuple(filter(None, map(line, block.items)))
            return replace(block, lead=lead, items=items) if items else lead
        case _:
            return block


def _signed_runs(
    runs: Sequence[Run], signs: Sequence[tuple[int, str]], end: int | None
) -> Iterator[Run]:
    """Yield runs with signs at places of their text, up to where it ends.

    Args:
        runs: Of a line.
        signs: With the place that each stands behind, in order.
        end: Of the text that is kept; all when `None`.
    """
    waiting = list(signs)
    start = 0
    for run in runs:
        if end is not None and start >= end:
            return
        text = run.text if end is None else run.text[: end - start]
        at = 0
        while waiting and waiting[0][0] < start + len(run.text):
            place, sign = waiting.pop(0)
            yield Run(text[at : place - start], run.is_strong)
            yield Run(f" {sign}")
            at = place - start
        yield Run(text[at:], run.is_strong, run.markers)
        start += len(run.text)
        # A sentence that ends with the words of a marker: the sign stands behind the marker.
        while waiting and waiting[0][0] == start:
            yield Run(f" {waiting.pop(0)[1]}")
