"""A summary of a section or a document that is longer than the window: part by part.

Each part is read for itself and becomes notes that cite its passages; of the notes one answer is
made (map and reduce). So much is read that the notes on it fit the window: of a longer text the
beginnings of its sections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_qa.core.answer import Answer, Evidence
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.segment import Segment
from desktop_qa.generate.passages import (
    Passage,
    TableSource,
    n_model_tokens,
    passages_within,
)
from desktop_qa.generate.prompt import (
    NOT_STATED,
    Prompt,
    PromptKind,
    batches,
    build_prompt,
    passage_budget,
)
from desktop_qa.library.talk import Round
from desktop_qa.llm.messages import ToolCall
from desktop_qa.tokens import count_tokens

_MAX_PARTS = 12
_NOTE_TOKENS = 120
"""Of the notes on a part at least; shorter ones are no notes."""


class Summarising:
    """The rounds over a stretch of a document, as of `Exploring`; one where it fits the window."""

    def __init__(
        self, offline: Answer, source: TableSource, window: int, stretch: Sequence[Segment]
    ) -> None:
        """Choose what is read of the stretch, and cut it into parts.

        Args:
            offline: The answer of the library.
            source: Of the tables.
            window: Tokens for prompt and answer.
            stretch: What is to be summarised, in the order of the document.

        Raises:
            QuestionError: When there is nothing to read, or the window is too small.
        """
        self._question = offline.read_as or offline.question
        self._window = window
        room = passage_budget(PromptKind.SUMMARY_MAP, window, self._question)
        self._room_for_notes = passage_budget(PromptKind.SUMMARY_REDUCE, window, self._question)
        n_most = max(min(_MAX_PARTS, self._room_for_notes // _NOTE_TOKENS), 1)
        evidence = _with_markers(offline.evidence, stretch)
        of_stretch = {segment.id for segment in stretch}
        items = [item for item in evidence if item.segment.id in of_stretch]
        items.sort(key=lambda item: item.segment.ordinal)
        # Parts end where a passage does not fit any more, so that they are not quite full.
        most = n_most * room * 3 // 4
        passages = _fitted(items, source, room)
        is_cut = _cost(passages) > most
        if is_cut:
            passages = _beginnings(items, source, room, most)
        if not passages:
            raise QuestionError("Nothing was found that a model could read.")
        self._passages = tuple(passages)
        self._parts = list(batches(passages, room))
        self._notes: list[str] = []
        self.evidence = evidence
        self.structure_tokens = 0
        self.retrieved_tokens = sum(count_tokens(passage.printed) for passage in passages)
        self.steps: tuple[str, ...] = ()
        if is_cut:
            self.steps += ("Too long to be read whole: the beginnings of its sections are read",)
        if self._is_reading:
            self.steps += (self._reading(),)
        self.prompt = self._next_prompt()

    @property
    def unfinished(self) -> str:
        """The notes so far."""
        return "\n\n".join(self._notes)

    @property
    def round(self) -> Round:
        """Notes on the next part, or the answer when all are read."""
        return Round(self.prompt.messages, is_heard=not self._is_reading)

    def took(self, text: str, _calls: Sequence[ToolCall]) -> bool:
        """Take the notes on a part."""
        if not self._is_reading:
            return True
        self._notes.append(self._shortened(text))
        if self._is_reading:
            self.steps += (self._reading(),)
        else:
            n_parts = len(self._parts)
            self.steps = (*self.steps[:-n_parts], f"Read in {n_parts} parts")
        self.prompt = self._next_prompt()
        return False

    @property
    def _is_reading(self) -> bool:
        return len(self._parts) > 1 and len(self._notes) < len(self._parts)

    def _next_prompt(self) -> Prompt:
        if len(self._parts) == 1:
            return build_prompt(PromptKind.SUMMARY, self._window, self._question, self._passages)
        if self._is_reading:
            part = self._parts[len(self._notes)]
            prompt = build_prompt(PromptKind.SUMMARY_MAP, self._window, self._question, part)
            # A stop leaves the notes on all parts so far.
            return replace(prompt, passages=self._passages)
        notes = [note for note in self._notes if NOT_STATED not in note] or [NOT_STATED]
        return build_prompt(
            PromptKind.SUMMARY_REDUCE, self._window, self._question, self._passages, notes=notes
        )

    def _shortened(self, text: str) -> str:
        """Return as many lines of notes as have room beside the notes on the other parts."""
        left = self._room_for_notes // len(self._parts)
        lines = []
        for line in filter(None, map(str.strip, text.split("\n"))):
            left -= n_model_tokens(line)
            if left < 0:
                break
            lines.append(line)
        return "\n".join(lines)

    def _reading(self) -> str:
        return f"Reading part {len(self._notes) + 1} of {len(self._parts)}"


def _with_markers(
    evidence: tuple[Evidence, ...], stretch: Sequence[Segment]
) -> tuple[Evidence, ...]:
    """Return the evidence with what is new of a stretch behind it."""
    known = {item.segment.id for item in evidence}
    new = [segment for segment in stretch if segment.id not in known]
    first = len(evidence) + 1
    return (*evidence, *(Evidence(n, one, 0.0, ()) for n, one in enumerate(new, start=first)))


def _fitted(items: Iterable[Evidence], source: TableSource, budget: int) -> list[Passage]:
    """Return a passage for each piece of evidence, cut to a budget of its own."""
    return [one for item in items for one in passages_within((item,), source, "", budget)]


def _cost(passages: Iterable[Passage]) -> int:
    return sum(n_model_tokens(passage.printed) for passage in passages)


def _beginnings(
    items: Sequence[Evidence], source: TableSource, room: int, most: int
) -> list[Passage]:
    """Return the first pieces of all sections, then the second ones, while there is room."""
    n_before: Counter[tuple[str, ...]] = Counter()
    order: list[tuple[int, int]] = []
    for index, item in enumerate(items):
        path = item.segment.metadata.section_path
        order.append((n_before[path], index))
        n_before[path] += 1
    share = max(most // len(n_before), _NOTE_TOKENS)
    kept: dict[int, Passage] = {}
    for _n_before, index in sorted(order):
        for passage in _fitted((items[index],), source, min(room, share)):
            cost = _cost((passage,))
            if cost <= most:
                most -= cost
                kept[index] = passage
    return [kept[index] for index in sorted(kept)]
