"""The whole of a model's answer, sentence by sentence, held against the passages that it cites.

A sentence without a marker of its own has those of the next one in its line that has some: people
and models cite at the end of a paragraph. One that cites nothing at all is held against all
passages and is weak at best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.answer import SentenceSupport
from desktop_qa.core.answer_blocks import AnswerBlock, Line, Role, Run, lines_of
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.folding import fold
from desktop_qa.core.gaps import is_gap
from desktop_qa.generate.judging import Ground, Judgement, Verdict, judge
from desktop_qa.generate.prompt import NOT_STATED

NOTHING_SUPPORTED = (
    "None of these sentences is borne out by the passages that it cites; read the passages."
)
"""Told with an answer of which not one sentence is supported."""

_SCORES = {Verdict.SUPPORTED: 1.0, Verdict.WEAK: 0.5, Verdict.UNSUPPORTED: 0.0}
_NOT_STATED_IN_CELL = "notstated"


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence, or a cell of a table, with what was made of it.

    Attributes:
        text: Without markers; of a cell with the names of its row and column.
        markers: Of its own, or those that it shares with the next sentence.
        judgement: On it.
        block_index: Of its block.
        line_index: Of its line among those of the block (`lines_of`); of a cell its row.
        start: Of its first character in the text of the line; of a cell its column.
        end: Behind its last character; of a cell its column.
        is_cell: True for a cell.
    """

    text: str
    markers: tuple[int, ...]
    judgement: Judgement
    block_index: int
    line_index: int
    start: int
    end: int
    is_cell: bool = False


@dataclass(frozen=True, slots=True)
class Grounding:
    """What was made of an answer.

    Attributes:
        sentences: In reading order; headings, notices and what says that nothing is stated aside.
        says_not_stated: True when it says that the passages do not state something.
    """

    sentences: tuple[CheckedSentence, ...]
    says_not_stated: bool

    @property
    def n_supported(self) -> int:
        """Sentences that are supported."""
        return sum(one.judgement.verdict is Verdict.SUPPORTED for one in self.sentences)

    @property
    def notice(self) -> str:
        """What is told with it where nothing of it is supported; else empty."""
        return NOTHING_SUPPORTED if self.sentences and not self.n_supported else ""

    @property
    def support(self) -> tuple[SentenceSupport, ...]:
        """The verdicts as answers carry them: 1 for supported, 0.5 for weak, 0 for unsupported."""
        return tuple(
            SentenceSupport(one.text, one.markers, _SCORES[one.judgement.verdict])
            for one in self.sentences
        )


def check(blocks: Sequence[AnswerBlock], ground: Ground) -> Grounding:
    """Judge every sentence of an answer.

    Args:
        blocks: From `stream_reader`.
        ground: The passages that the model saw, and the question.
    """
    checked: list[CheckedSentence] = []
    says_not_stated = False
    for block_index, block in enumerate(blocks):
        if isinstance(block, AnswerTable):
            checked += _cells(block, block_index, ground)
            continue
        for line_index, line in enumerate(lines_of([block])):
            for sentence, markers, start in _sentences(line):
                if is_not_stated(sentence):
                    says_not_stated = True
                    continue
                judgement = _judged(sentence, markers, ground)
                end = start + len(sentence)
                checked.append(
                    CheckedSentence(
                        sentence, markers, judgement, block_index, line_index, start, end
                    )
                )
    return Grounding(tuple(checked), says_not_stated)


def is_not_stated(sentence: str) -> bool:
    """Tell whether a sentence is the one that a model says when it finds nothing."""
    return fold(NOT_STATED).rstrip(".") in fold(sentence)


def _judged(sentence: str, markers: Sequence[int], ground: Ground) -> Judgement:
    key = sentence, tuple(markers)
    if key not in ground.judged:
        ground.judged[key] = judge(sentence, markers, ground)
    judgement = ground.judged[key]
    if not markers and judgement.verdict is Verdict.SUPPORTED:
        return replace(judgement, verdict=Verdict.WEAK, reason="it cites nothing")
    return judgement


def _sentences(line: Line) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """Yield the sentences of a line that claim something, with their markers and their start."""
    runs = line.whole
    if line.role is Role.NOTICE or _is_heading(runs) or _leads(line):
        return
    text = "".join(run.text for run in runs)
    cited: list[tuple[int, tuple[int, ...]]] = []
    at = 0
    for run in runs:
        at += len(run.text)
        if run.markers:
            cited.append((at, run.markers))
    found: list[tuple[str, int]] = []
    at = 0
    for sentence in split_sentences(text):
        at = text.index(sentence, at)
        found.append((sentence, at))
        at += len(sentence)
    starts = [start for _sentence, start in found]
    own = [
        tuple(
            marker
            for end, markers in cited
            # What stands before the first letter of a sentence is cited for the one before it.
            if (end > start or n == 0) and (n + 1 == len(found) or end <= starts[n + 1])
            for marker in markers
        )
        for n, start in enumerate(starts)
    ]
    for n, (sentence, start) in enumerate(found):
        if any(char.isalnum() for char in sentence):
            markers = next(filter(None, own[n:]), ())
            yield sentence, tuple(dict.fromkeys(markers)), start


def _is_heading(runs: Sequence[Run]) -> bool:
    return bool(runs) and all(run.is_strong and not run.markers for run in runs)


def _leads(line: Line) -> bool:
    """Tell whether a line only leads what follows: "The steps are:", without a citation."""
    text = "".join(run.text for run in line.whole).rstrip()
    return text.endswith(":") and not any(run.markers for run in line.whole)


def _cells(table: AnswerTable, block_index: int, ground: Ground) -> Iterator[CheckedSentence]:
    """Judge the cells of a table behind the names of their columns and rows."""
    for row_index, row in enumerate(table.rows):
        label = row[0].text if row else ""
        for column, cell in enumerate(row):
            is_label = column == 0 and not cell.marker
            if is_label or is_gap(cell.text) or fold(cell.text) == _NOT_STATED_IN_CELL:
                continue
            names = (table.headers[column], label if column else "")
            text = f"{' '.join(filter(None, names))}: {cell.text}"
            markers = (cell.marker,) if cell.marker else ()
            yield CheckedSentence(
                text, markers, _judged(text, markers, ground), block_index, row_index, column,
                column, is_cell=True,
            )  # fmt: skip
