"""What an answer says, block by block; every form that it is shown in is printed from these.

`AnswerTable` (`core.answer_table`) is a block as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class AnswerBlock:
    """A part of an answer: a `Line`, `Listing`, `Steps`, `Readings`, `Figure` or `AnswerTable`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Words set alike, and what is cited for them.

    Attributes:
        text: As people read it; no sign in it is read as one of form.
        is_strong: True for the value or name that is stated.
        markers: Of the evidence that the words up to here rest on; they stand behind the words.
    """

    text: str
    is_strong: bool = False
    markers: tuple[int, ...] = ()


Runs = tuple[Run, ...]


class Role(StrEnum):
    """Whose words a line is: the program's own, a sentence, a row of a document's table."""

    NOTICE = "notice"
    STATEMENT = "statement"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Line(AnswerBlock):
    """A sentence or some.

    Attributes:
        equation: The sides of the computation that it begins with, the result last; empty for all
            but computations.
        runs: What follows that; all of any other line.
    """

    runs: Runs
    role: Role = Role.STATEMENT
    equation: tuple[Runs, ...] = ()

    @property
    def whole(self) -> Runs:
        """All its words in one row."""
        if not self.equation:
            return self.runs
        first, *others = self.equation
        sides = [*first, *(run for side in others for run in (Run(" = "), *side))]
        return (*sides, Run("."), *self.runs)


@dataclass(frozen=True, slots=True)
class Listing(AnswerBlock):
    """Lines side by side.

    Attributes:
        lead: The line of the document that introduces them.
    """

    items: tuple[Line, ...]
    lead: Line | None = None


@dataclass(frozen=True, slots=True)
class Below:
    """What stands below a step: a step of its own, or words that go on."""

    runs: Runs
    is_step: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a procedure with the number it has in the document."""

    number: int
    runs: Runs
    below: tuple[Below, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps(AnswerBlock):
    """Steps in the order of the document, with the line that introduces them."""

    steps: tuple[Step, ...]
    lead: Line | None = None


@dataclass(frozen=True, slots=True)
class Readings(AnswerBlock):
    """Complete questions to choose from."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure(AnswerBlock):
    """A figure of the evidence that is shown with the words, not counted to them."""

    marker: int


def runs_of(text: str, markers: Sequence[int] = ()) -> Runs:
    """Return plain words that rest on evidence, as one run."""
    return (Run(text, markers=tuple(markers)),)


def lines_of(blocks: Iterable[AnswerBlock]) -> Iterator[Runs]:
    """Yield the words of an answer line by line, in reading order."""
    for block in blocks:
        match block:
            case Line():
                yield block.whole
            case Listing():
                yield from (line.whole for line in (block.lead, *block.items) if line is not None)
            case Steps():
                if block.lead is not None:
                    yield block.lead.whole
                for step in block.steps:
                    yield step.runs
                    yield from (below.runs for below in step.below)
            case Readings():
                yield from ((Run(question),) for question in block.questions)


def markers_in(blocks: Iterable[AnswerBlock]) -> tuple[int, ...]:
    """Return the markers that the words of an answer carry, in reading order, each once."""
    runs = (run for line in lines_of(blocks) for run in line)
    return tuple(dict.fromkeys(marker for run in runs for marker in run.markers))


def as_text(
    blocks: Sequence[AnswerBlock],
    *,
    strong: str = "**",
    bullet: str = "- ",
    with_markers: bool = True,
) -> str:
    """Print an answer as Markdown, for people and programs; nothing reads it back.

    Args:
        blocks: Tables and figures have no words here.
        strong: Stands on both sides of what is stated.
        bullet: Stands before the items of lists that have no number.
        with_markers: False leaves out the [n] behind the words.
    """

    def line(runs: Runs) -> str:
        return "".join(map(printed_run, runs))

    def printed_run(run: Run) -> str:
        text = f"{strong}{run.text}{strong}" if run.is_strong else run.text
        markers = "".join(f"[{marker}]" for marker in run.markers) if with_markers else ""
        return f"{text} {markers}" if markers else text

    def lines(block: AnswerBlock) -> Iterator[str]:
        match block:
            case Line():
                yield line(block.whole)
            case Listing():
                if block.lead is not None:
                    yield line(block.lead.whole)
                yield from (f"{bullet}{line(item.whole)}" for item in block.items)
            case Steps():
                if block.lead is not None:
                    yield line(block.lead.whole)
                for step in block.steps:
                    yield f"{step.number}. {line(step.runs)}"
                    for below in step.below:
                        yield f"   {bullet if below.is_step else ''}{line(below.runs)}"
            case Readings():
                yield from (f"{bullet}{question}" for question in block.questions)

    return "\n\n".join(filter(None, ("\n".join(lines(block)) for block in blocks)))


def words_of(blocks: Sequence[AnswerBlock]) -> str:
    """Return the words of an answer with the numbers of its steps, as they are read out."""
    return as_text(blocks, strong="", bullet="", with_markers=False)


class BlockWriter:
    """Puts lines together: an item goes on the list before it, a list takes the line before it.

    Attributes:
        blocks: What was written so far.
    """

    def __init__(self) -> None:
        self.blocks: list[AnswerBlock] = []
        self._is_open = False

    def end(self) -> None:
        """Let what follows neither go on with a list nor be led by a line."""
        self._is_open = False

    def add_line(self, line: Line) -> None:
        """Write a line that stands for itself, or leads the items that follow."""
        self.blocks.append(line)
        self._is_open = True

    def add_bullet(self, line: Line) -> None:
        """Write an item of a list."""
        last, lead = self._last()
        if isinstance(last, Listing):
            self.blocks[-1] = Listing((*last.items, line), last.lead)
        else:
            self.blocks.append(Listing((line,), lead))

    def add_step(self, step: Step) -> None:
        """Write a step with its number."""
        last, lead = self._last()
        if isinstance(last, Steps):
            self.blocks[-1] = Steps((*last.steps, step), last.lead)
        else:
            self.blocks.append(Steps((step,), lead))

    def add_below(self, below: Below) -> None:
        """Write what stands below the last step; where there is none it stands for itself."""
        last = self.blocks[-1] if self._is_open and self.blocks else None
        if isinstance(last, Steps):
            step = replace(last.steps[-1], below=(*last.steps[-1].below, below))
            self.blocks[-1] = Steps((*last.steps[:-1], step), last.lead)
        else:
            self.add_line(Line(below.runs))

    def _last(self) -> tuple[AnswerBlock | None, Line | None]:
        """Return the block that is open, and the line that leads a list that begins now."""
        last = self.blocks[-1] if self._is_open and self.blocks else None
        self._is_open = True
        if not isinstance(last, Line):
            return last, None
        self.blocks.pop()
        return None, last


def with_runs(block: AnswerBlock, change: Callable[[Run], Run]) -> AnswerBlock:
    """Return a block of words with each of its runs changed."""

    def runs(given: Runs) -> Runs:
        return tuple(map(change, given))

    def line(given: Line) -> Line:
        sides = tuple(runs(side) for side in given.equation)
        return replace(given, equation=sides, runs=runs(given.runs))

    match block:
        case Line():
            return line(block)
        case Listing():
            lead = None if block.lead is None else line(block.lead)
            return Listing(tuple(map(line, block.items)), lead)
        case Steps():
            lead = None if block.lead is None else line(block.lead)
            steps = (
                replace(
                    step,
                    runs=runs(step.runs),
                    below=tuple(replace(b, runs=runs(b.runs)) for b in step.below),
                )
                for step in block.steps
            )
            return Steps(tuple(steps), lead)
        case _:
            return block
