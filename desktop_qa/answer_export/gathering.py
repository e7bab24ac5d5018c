"""From questions of the history to what is exported of them."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from desktop_qa import __version__
from desktop_qa.answer_export.content import (
    ExportedAnswers,
    ExportedCell,
    ExportedFigure,
    ExportedTable,
    Footnote,
    Part,
    Sentence,
    SentenceKind,
    Turn,
    moment,
    place_line,
)
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_blocks import (
    AnswerBlock,
    Figure,
    Line,
    Readings,
    Role,
    Run,
    with_runs,
    words_of,
)
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.history import DocumentsSince, HistoryState
from desktop_qa.core.model_doubts import signed_blocks
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView, PastQuestion

_MAX_NEAREST = 5
_PNG_START, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

_STATES = {
    HistoryState.NOT_FOUND: "Not found in this library",
    HistoryState.CLARIFY: "The question can be read in several ways",
    HistoryState.WITHHELD: "The answer was withheld",
    HistoryState.FAILED: "No answer",
}
"""How a question ended, told unless the answer's own words begin with it."""

PROGRAM = f"Desktop QA {__version__}"


def gather(questions: Sequence[PastQuestion], library: str) -> ExportedAnswers:
    """Return what a file about these questions says.

    Args:
        questions: In the order of the file, at least one.
        library: Name of the library.
    """
    turns: list[Turn] = []
    n_notes = 0
    for question in questions:
        gathering = _TurnGathering(question, n_notes)
        parts, footnotes = gathering.parts(), tuple(gathering.footnotes())
        turns.append(Turn(_clean(question.question), parts, footnotes))
        n_notes += len(footnotes)
    return ExportedAnswers(_title(questions), library, PROGRAM, _local(time.time()), tuple(turns))


def _title(questions: Sequence[PastQuestion]) -> str:
    first = _clean(" ".join(questions[0].question.split()))
    if len(questions) == 1:
        return first
    is_conversation = len({question.conversation for question in questions} - {""}) == 1
    return f"Conversation: {first}" if is_conversation else f"{len(questions)} questions"


def question_of(view: AnswerView) -> PastQuestion:
    """Return an answer just given as a question of the history, for export and copying."""
    answer = view.answer
    return PastQuestion(
        id=answer.history_id,
        asked_at=time.time(),
        question=answer.question,
        state=HistoryState(answer.status.value),
        excerpt="",
        error="",
        view=view,
        since=DocumentsSince(),
        settings={},
        timings={},
        seconds=answer.seconds,
        conversation=answer.conversation,
    )


def _local(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds).astimezone()


class _TurnGathering:
    """Gathers one question; its footnotes get their numbers as they are met."""

    def __init__(self, question: PastQuestion, n_notes_before: int) -> None:
        self._question = question
        self._before = n_notes_before
        self._numbers: dict[int, int] = {}
        evidence = question.view.evidence if question.view is not None else ()
        self._evidence = {item.marker: item for item in evidence}

    def parts(self) -> tuple[Part, ...]:
        """Return what stands under the question."""
        question, view = self._question, self._question.view
        answer = view.answer if view else None
        said = view.said if view and view.said and view.said.blocks else None
        blocks = (
            *(self._of_model(said) if said else ()),
            *(self._said(answer.blocks) if answer else ()),
        )
        said_blocks = signed_blocks(said.blocks, said.doubts) if said else ()
        of_model = [block for block in said_blocks if isinstance(block, AnswerTable)]
        tables = (*of_model, *(answer.tables if answer else ()))
        elements = [part for table in tables for part in self._table(table)]
        elements += self._figures(self._shown_figures(answer)) if answer else ()
        cited = [citation.marker for citation in answer.citations] if answer else []
        also_cited = self._notes([marker for marker in cited if marker not in self._numbers])
        reported = view.reported if view else ()
        doubts = (doubt.sentence for doubt in said.doubts) if said else ()
        notes = (*doubts, *(said.notes if said else ()), *(answer.notes if answer else ()))
        remarks = map(_clean, filter(None, (question.since.sentence, *notes, *reported)))
        asked = [f"Read as: {_clean(answer.read_as)}"] if answer and answer.read_as else []
        asked.append(f"Asked {moment(_local(question.asked_at))}")
        state = _STATES.get(question.state, "")
        is_said = words_of(blocks).startswith(state)
        unsaid = [one for one in answer.readings if one not in answer.text] if answer else []
        lines = (*unsaid, *self._nearest())
        return (
            *(Sentence(text, SentenceKind.ASIDE) for text in asked),
            *(() if is_said else (Sentence(state, SentenceKind.STATE),)),
            *((Sentence(_clean(question.error), SentenceKind.ERROR),) if question.error else ()),
            *blocks,
            *((Readings(lines),) if lines else ()),
            *elements,
            *((Line((Run("Also cited: ", markers=also_cited),)),) if also_cited else ()),
            *(Sentence(remark, SentenceKind.REMARK) for remark in remarks),
        )

    def _of_model(self, said: ModelSaid) -> Iterator[AnswerBlock]:
        """Yield what a model said, under its name, and the heading of what follows it."""
        yield Line((Run(f"{_clean(said.model)} · {said.cost_line}", is_strong=True),), Role.NOTICE)
        yield from self._said(signed_blocks(said.blocks, said.doubts))
        yield Line((Run("From the documents", is_strong=True),), Role.NOTICE)

    def _said(self, blocks: Iterable[AnswerBlock]) -> Iterator[AnswerBlock]:
        """Yield the words of an answer with footnotes for markers."""
        for block in blocks:
            if isinstance(block, Readings):
                yield Readings(tuple(map(_clean, block.questions)))
            elif not isinstance(block, AnswerTable | Figure):
                yield with_runs(block, self._noted)

    def _noted(self, run: Run) -> Run:
        return Run(_clean(run.text), run.is_strong, self._notes(run.markers))

    def _nearest(self) -> tuple[str, ...]:
        """Return the places that an answer of "not found" speaks of."""
        if self._question.state is not HistoryState.NOT_FOUND or self._numbers:
            return ()
        lines = (
            place_line(item.file.rsplit("/", 1)[-1], f"page {item.page}", item.section_path)
            for item in self._evidence.values()
        )
        return tuple(dict.fromkeys(map(_clean, lines)))[:_MAX_NEAREST]

    def _table(self, table: AnswerTable) -> Iterator[Part]:
        """Yield a table and what could not be compared.

        One that rests on one place carries its footnote once, at the title.
        """
        markers = {cell.marker for row in table.rows for cell in row if cell.marker}
        is_of_one = len(markers) == 1
        title = Run(_clean(table.title) or "Table", True, self._notes(markers if is_of_one else ()))

        def exported(cell: AnswerCell) -> ExportedCell:
            notes = self._notes(() if is_of_one else [cell.marker])
            return ExportedCell(Run(_clean(cell.text), cell.is_stated, notes), _clean(cell.note))

        rows = tuple(tuple(map(exported, row)) for row in table.rows)
        yield ExportedTable((title,), tuple(map(_clean, table.headers)), rows)
        yield from (Sentence(_clean(note), SentenceKind.REMARK) for note in table.notes)

    def _notes(self, markers: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of footnotes, each once; a new marker gets the next one."""
        known = dict.fromkeys(marker for marker in markers if marker in self._evidence)
        return tuple(
            self._numbers.setdefault(marker, self._before + len(self._numbers) + 1)
            for marker in known
        )

    def _shown_figures(self, answer: Answer) -> tuple[int, ...]:
        """Return what is shown with the text, and the figures that are the answer themselves."""
        cited = (c.marker for c in answer.citations if c.marker in self._evidence)
        pictured = (m for m in cited if self._evidence[m].kind is SegmentKind.FIGURE)
        return tuple(dict.fromkeys((*answer.figures, *pictured)))

    def _figures(self, markers: Sequence[int]) -> Iterator[ExportedFigure]:
        for item in (self._evidence[marker] for marker in markers if marker in self._evidence):
            path = item.figure_path or ""
            is_there = bool(path) and _is_image(Path(path))
            caption = _clean(item.caption) or f"Figure on page {item.page} of {item.file}"
            note = self._notes((item.marker,))
            yield ExportedFigure(caption, path if is_there else "", note)

    def footnotes(self) -> Iterator[Footnote]:
        """Yield the footnotes of `parts`, by their numbers."""
        lost = set(self._question.since.lost)
        for marker, number in self._numbers.items():
            item = self._evidence[marker]
            yield Footnote(
                number=number,
                file=_clean(item.file.rsplit("/", 1)[-1]),
                section_path=tuple(map(_clean, item.section_path)),
                pages=_pages(item),
                quotes=tuple(map(_clean, item.quotes))
                if item.kind is not SegmentKind.FIGURE
                else (),
                is_lost=item.document_id in lost,
            )


def _is_image(path: Path) -> bool:
    """Tell whether a picture is there and whole; one that is not is exported as its caption."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_PNG_START))
            file.seek(-len(_PNG_END), os.SEEK_END)
            return start == _PNG_START and file.read() == _PNG_END
    except OSError:
        return False


def _clean(text: str) -> str:
    """Leave out control characters, which the forms made of XML cannot hold."""
    return _CONTROL.sub("", text)


def _pages(item: EvidenceView) -> tuple[str, ...]:
    page_nos = dict.fromkeys(place.page_no for place in item.places) or (item.page_no,)
    return tuple(map(item.page_name, page_nos))
