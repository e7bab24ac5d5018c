"""What an answer says, block by block; every form that it is shown in is printed from these.

`AnswerTable` (`core.answer_table`) is a block as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class AnswerBlock:
    """A part of an answer: `Line`, `Listing`, `Steps`, `Readings`, `Figure` or `AnswerTable`."""

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
    """What a line is: the program's own words, a sentence, a table's row, words that go on."""

    NOTICE = "notice"
    STATEMENT = "statement"
    ROW = "row"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Line(AnswerBlock):
    """A sentence or some.

    Attributes:
        equation: The sides of the computation that it begins with, the result last; empty for all
            but computations.
        runs: What follows that; all of any other line.
        number: Of a step, as the document has it; `None` for what is none.
        below: What stands below a step: items of their own and remarks.
    """

    runs: Runs
    role: Role = Role.STATEMENT
    equation: tuple[Runs, ...] = ()
    number: int | None = None
    below: tuple[Line, ...] = ()

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
    """Lines side by side, below the line of the document that leads them."""

    items: tuple[Line, ...]
    lead: Line | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lead and the items."""
        return self.items if self.lead is None else (self.lead, *self.items)


@dataclass(frozen=True, slots=True)
class Steps(Listing):
    """The steps of a procedure, each with its number."""


@dataclass(frozen=True, slots=True)
class Readings(AnswerBlock):
    """Complete questions to choose from."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure(AnswerBlock):
    """A figure of the evidence that is shown with the words, not counted to them."""

    marker: int


def lines_of(blocks: Iterable[AnswerBlock]) -> Iterator[Line]:
    """Yield an answer line by line, in reading order."""
    for block in blocks:
        match block:
            case Line():
                yield block
                yield from block.below
            case Listing():
                yield from lines_of(block.lines)
            case Readings():
                yield from (Line((Run(question),), Role.NOTICE) for question in block.questions)


def first_said(blocks: Iterable[AnswerBlock]) -> tuple[AnswerBlock, ...]:
    """Return the block that an answer leads with, past what the program says of it; or none."""
    for block in blocks:
        if isinstance(block, Listing) or (isinstance(block, Line) and block.role != Role.NOTICE):
            return (block,)
    return ()


def markers_in(blocks: Iterable[AnswerBlock]) -> tuple[int, ...]:
    """Return the markers that the words of an answer carry, in reading order, each once."""
    runs = (run for line in lines_of(blocks) for run in line.whole)
    return tuple(dict.fromkeys(marker for run in runs for marker in run.markers))


def as_text(
    blocks: Sequence[AnswerBlock],
    *,
    strong: str = "**",
    bullet: str = "- ",
    with_markers: bool = True,
) -> str:
    """Print an answer as Markdown, for people and programs; nothing reads it back.

    What is stated stands between two `strong`, items without a number behind a `bullet`; tables and
    figures have no words here.
    """

    def printed(run: Run) -> str:
        text = f"{strong}{run.text}{strong}" if run.is_strong else run.text
        markers = "".join(f"[{marker}]" for marker in run.markers) if with_markers else ""
        return f"{text} {markers}" if markers else text

    def line(given: Line, mark: str = "") -> str:
        return mark + "".join(map(printed, given.whole))

    def lines(block: AnswerBlock) -> Iterator[str]:
        match block:
            case Line():
                yield line(block)
            case Listing():
                if block.lead is not None:
                    yield line(block.lead)
                for item in block.items:
                    yield line(item, bullet if item.number is None else f"{item.number}. ")
                    for below in item.below:
                        yield line(below, "   " if below.role is Role.REMARK else f"   {bullet}")
            case Readings():
                yield from (f"{bullet}{question}" for question in block.questions)

    return "\n\n".join(filter(None, ("\n".join(lines(block)) for block in blocks)))


def words_of(blocks: Sequence[AnswerBlock]) -> str:
    """Return the words of an answer with the numbers of its steps, as they are read out."""
    return as_text(blocks, strong="", bullet="", with_markers=False)


def with_runs(block: AnswerBlock, change: Callable[[Run], Run]) -> AnswerBlock:
    """Return a block of words with each of its runs changed, in reading order."""

    def line(given: Line) -> Line:
        sides = tuple(tuple(map(change, side)) for side in given.equation)
        runs = tuple(map(change, given.runs))
        return replace(given, equation=sides, runs=runs, below=tuple(map(line, given.below)))

    return with_lines(block, line)


def with_lines(block: AnswerBlock, change: Callable[[Line], Line]) -> AnswerBlock:
    """Return a block of words with each of its lines changed, in reading order.

    What stands below a step is part of its line here.
    """
    match block:
        case Line():
            return change(block)
        case Listing():
            lead = None if block.lead is None else change(block.lead)
            return replace(block, lead=lead, items=tuple(map(change, block.items)))
        case _:
            return block


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

    def add_item(self, item: Line) -> None:
        """Write an item of a list, a step when it has a number."""
        kind = Listing if item.number is None else Steps
        last = self.blocks[-1] if self._is_open else None
        self._is_open = True
        if type(last) is kind:
            self.blocks[-1] = replace(last, items=(*last.items, item))
        elif isinstance(last, Line):
            self.blocks[-1] = kind((item,), last)
        else:
            self.blocks.append(kind((item,)))

    def add_below(self, line: Line) -> None:
        """Write what stands below the last step; where there is none it stands for itself."""
        last = self.blocks[-1] if self._is_open else None
        if isinstance(last, Steps):
            *before, step = last.items
            step = replace(step, below=(*step.below, line))
            self.blocks[-1] = replace(last, items=(*before, step))
        else:
            self.add_line(line)
