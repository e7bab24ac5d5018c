"""What an exported answer consists of, whatever form it is written in.

Footnotes are numbered through a whole file in the order in which a reader meets them, so that a
form with footnotes of its own (a word processor counts them itself) arrives at the same numbers.
The markers of runs are the numbers of footnotes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from desktop_qa.core.answer_blocks import AnswerBlock, Run


@dataclass(frozen=True, slots=True)
class ExportedCell:
    """A cell: its words, strong where the answer states them, and what to know of them."""

    words: Run
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ExportedTable:
    """A table of an answer.

    Attributes:
        title: With the footnote that the whole table rests on, if it is one.
        headers: Texts of the columns; empty when the table has no header.
    """

    title: tuple[Run, ...]
    headers: tuple[str, ...]
    rows: tuple[tuple[ExportedCell, ...], ...]

    @property
    def width(self) -> int:
        """Number of columns."""
        return max((len(self.headers), *map(len, self.rows)), default=0)

    def strips(self, n_columns: int = 9) -> tuple[ExportedTable, ...]:
        """Cut a table that is too wide for a page: the first column stands in every piece.

        Args:
            n_columns: Of the widest piece, at least 2.
        """
        if self.width <= n_columns:
            return (self,)
        pieces = []
        for start in range(1, self.width, n_columns - 1):
            columns = slice(start, start + n_columns - 1)
            pieces.append(
                ExportedTable(
                    self.title if start == 1 else (),
                    (*self.headers[:1], *self.headers[columns]),
                    tuple((*row[:1], *row[columns]) for row in self.rows),
                )
            )
        return tuple(pieces)


@dataclass(frozen=True, slots=True)
class ExportedFigure:
    """A figure shown with an answer; `path` is empty when its image is gone."""

    caption: str
    path: str
    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Footnote:
    """Where a statement comes from.

    Attributes:
        number: From 1 through the whole file.
        section_path: Title of the document first, then the headings from the outermost in.
        pages: For people: "45 (PDF 47)" where a page prints another number.
        quotes: The words of the page.
        is_lost: The document has changed or is gone since.
    """

    number: int
    file: str
    section_path: tuple[str, ...]
    pages: tuple[str, ...]
    quotes: tuple[str, ...]
    is_lost: bool = False

    @property
    def place(self) -> str:
        """File, page and section in one line."""
        pages = ", ".join(self.pages)
        noun = "page" if len(self.pages) == 1 else "pages"
        where = f"{noun} {pages}" if pages else ""
        return place_line(self.file or "a document", where, self.section_path)

    @property
    def quote(self) -> str:
        """The words of the page; empty for a figure."""
        return " · ".join(" ".join(quote.split()) for quote in self.quotes if quote.strip())


class SentenceKind(StrEnum):
    """What a sentence is that is not of the answer itself."""

    ASIDE = "dim"
    STATE = "state"
    REMARK = "remark"
    ERROR = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a reader must know beside the answer: when it was asked, how it was read and ended."""

    text: str
    kind: SentenceKind


Part = AnswerBlock | ExportedTable | ExportedFigure | Sentence


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with what stands under it, in its order, and the footnotes of that."""

    question: str
    parts: tuple[Part, ...]
    footnotes: tuple[Footnote, ...]


@dataclass(frozen=True, slots=True)
class ExportedAnswers:
    """A file's worth of questions and answers.

    Attributes:
        library: Name of the library.
        program: Name and version.
        exported_at: In the reader's own time zone.
    """

    title: str
    library: str
    program: str
    exported_at: datetime
    turns: tuple[Turn, ...]

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """All footnotes by number."""
        return tuple(note for turn in self.turns for note in turn.footnotes)

    @property
    def missing_images(self) -> tuple[str, ...]:
        """Captions of the figures whose images are gone."""
        parts = (part for turn in self.turns for part in turn.parts)
        return tuple(p.caption for p in parts if isinstance(p, ExportedFigure) and not p.path)

    @property
    def without_images(self) -> ExportedAnswers:
        """The same with the captions of figures only, as a clipboard takes it."""
        turns = []
        for turn in self.turns:
            parts = (
                replace(p, path="") if isinstance(p, ExportedFigure) else p for p in turn.parts
            )
            turns.append(replace(turn, parts=tuple(parts)))
        return replace(self, turns=tuple(turns))

    @property
    def colophon(self) -> str:
        """What made the file, from what, and when."""
        return f"{self.program} · library “{self.library}” · exported {moment(self.exported_at)}"


def place_line(file: str, pages: str, section_path: Sequence[str]) -> str:
    """Return a place in one line: file, page and section."""
    section = " › ".join(part for part in section_path if part)
    return ", ".join(part for part in (file, pages, section) if part)


def moment(at: datetime) -> str:
    """Return a time as it is written in exports: without the names of months, to the minute."""
    return at.strftime("%Y-%m-%d %H:%M")
