"""A model's answer in the terminal, below the offline one: as it comes, with what is wrong in it.

Whatever happens to the model is told in one line; the offline answer stands, and the exit code is
that of the offline answer.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from desktop_qa.cli.compare import table_lines
from desktop_qa.cli.models import ask_for_key, can_ask_for_key, key_of, profile_named
from desktop_qa.cli.output import citation_line
from desktop_qa.cli.verbs import say
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import as_text
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.model_doubts import blocks_until, numbered_sign, signed_blocks
from desktop_qa.core.model_said import DoubtMark
from desktop_qa.library.reasoning import ModelAnswer, Reasoning, reasoned
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import ProfileStore

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


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
            # What `asyncio.run` does by itself may be slept over until the server says more.
            with suppress(NotImplementedError, ValueError, RuntimeError):
                task = asyncio.current_task()
                assert task is not None
                asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
            steps = reasoned(
                reasoning, self._key, consent, on_notice=lambda notice: say(notice.text)
            )
            async with aclosing(steps):
                async for said in steps:
                    if printer is not None:
                        printer.show(said)

        try:
            asyncio.run(listen())
        except (KeyboardInterrupt, asyncio.CancelledError):
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
        for line in (*reasons(said.doubts), *self._new_sources(said)):
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


def reasons(doubts: Sequence[DoubtMark]) -> Iterator[str]:
    """Yield why sentences are marked, a line for each reason."""
    signs: dict[str, list[str]] = {}
    for number, doubt in enumerate(doubts):
        signs.setdefault(doubt.sentence, []).append(numbered_sign(doubt, number))
    for reason, own in signs.items():
        yield f"{' '.join(own)} {reason}"


def text_of(said: ModelAnswer) -> str:
    """Print an answer with a sign behind each sentence that is weak or unsupported.

    As an answer goes on, its text only grows: it ends with the first sentence that is not checked,
    and before a table that may not be whole.
    """
    blocks = said.blocks
    if blocks and isinstance(blocks[-1], AnswerTable) and not said.is_over:
        blocks = blocks[:-1]
    cut = said.open_sentence
    if cut is not None and cut.block_index < len(blocks):
        blocks = blocks_until(blocks, (cut.block_index, cut.line_index, cut.end))
    width = max(shutil.get_terminal_size().columns, 80)
    texts = (
        "\n".join(table_lines(block, width))
        if isinstance(block, AnswerTable)
        else as_text((block,))
        for block in signed_blocks(blocks, said.doubts, is_numbered=True)
    )
    return "\n\n".join(filter(None, texts))
