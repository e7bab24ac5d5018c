"""Statements: sentences of an answer that know which words of which page they rest on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from desktop_qa.answer.part_mentions import Mention
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import ColumnRole
from desktop_qa.core.word_places import PlacedWord

_MAX_WORDS, _MAX_PLACE_WORDS = 80, 12
"""Of a statement and of each heading that the model of relevance reads."""

_N_HEADINGS = 2


class ItemKind(StrEnum):
    """What a statement is of a list or section given whole.

    SUB_STEP and REMARK stand below the step before them, TEXT stands for itself or leads a list.
    """

    BULLET = "bullet"
    STEP = "step"
    SUB_STEP = "sub_step"
    TEXT = "text"
    REMARK = "remark"


class StatedCell(NamedTuple):
    """A value of a row with what it is said to be.

    Attributes:
        head: The bound, or the head of its column; empty for a value without.
        text: As printed, with its unit and scale.
        bound: MIN, TYP or MAX; `None` for another value.
    """

    head: str
    text: str
    bound: ColumnRole | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence or list of an answer with the words it rests on.

    Attributes:
        text: What is stated stands between "**", for people; a line that leads a list has the
            items below it, each on a line behind "- ". `answer.citing` reads both, once.
        runs: Runs of words on the page; one for each cell, sentence or list item quoted.
        cells: (row, column) of the table cells quoted.
        stated: Of a table row: its values, in the order in which they are said.
        coverage: Share of the question's weight that the statement and its place carry, 0 to 1.
        score: For the choice between statements.
        odds: Log odds that it answers, of what was read with the question.
        subject: Of a table row: what it is about, without its condition.
        group: Of a table row: the title of the rows it stands among.
        rests_on: Other statements whose markers it carries as well, such as the inputs of a
            calculation; it may then have no runs of its own.
        about: What is compared with the meaning of the question: of a table row its title, label
            and condition without its values; empty means the text.
        terms: Terms of the lexical index in it; empty means those of the text.
        values: Normal forms of the values in it (`augment.quantities`).
        mention: Whether it is about the part asked for, about a sibling only, or says nothing.
        n_given: Cells of its row that the question itself gives: conditions that are met.
        gives_bound: True when its row gives the bound asked for (MAX ...).
        item: What it is in the list that is the answer; `None` outside one.
        number: Of a STEP.
        equation: Sides of the computation that its text begins with, " = " between them and "."
            behind; empty for what was not computed.
    """

    text: str
    evidence: Evidence
    runs: tuple[tuple[PlacedWord, ...], ...]
    cells: tuple[tuple[int, int], ...]
    coverage: float
    score: float
    odds: float | None = None
    subject: str = ""
    group: str = ""
    rests_on: tuple[Statement, ...] = ()
    about: str = ""
    terms: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    mention: Mention = Mention.NONE
    gives_bound: bool = False
    n_given: int = 0
    item: ItemKind | None = None
    number: int | None = None
    equation: tuple[str, ...] = ()
    stated: tuple[StatedCell, ...] = ()

    @property
    def row(self) -> int:
        """Index in its table of the row that it states, of a statement with cells.

        A name that spans several rows stands in the first of them; the values are in their own.
        """
        return max(self.cells)[0]

    @property
    def in_place(self) -> str:
        """What the model of relevance reads: the words, then where they stand, nearest first."""
        said = " - ".join(filter(None, (self.text, *(one.text for one in self.rests_on))))
        words = " ".join(said.replace("**", "").split()[:_MAX_WORDS])
        metadata = self.evidence.segment.metadata
        headings = reversed(metadata.section_path[-_N_HEADINGS:])
        title = metadata.document_title
        if metadata.vendor.casefold() not in title.casefold():
            title = f"{metadata.vendor} {title}"
        around = (metadata.caption, *headings, title)
        place = (" ".join(one.split()[:_MAX_PLACE_WORDS]) for one in around)
        return " | ".join(filter(None, (words, self.group, *place)))
