"""What an exported answer consists of, whatever form it is written in.

Footnotes are numbered through a whole file in the order in which a reader meets them, so that a
form with footnotes of its own (a word processor counts them itself) arrives at the same numbers.
The markers of runs are the numbers of footnotes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from desktop_qa.core.answer_blocks import AnswerBlock, Run, words_of
from desktop_qa.core.history import HistoryState


@dataclass(frozen=True, slots=True)
class ExportedCell:
    """A cell; `is_stated` marks what the answer states, `remark` is what to know of it."""

    runs: tuple[Run, ...]
    is_stated: bool = False
    remark: str = ""

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class ExportedTable:
    """A table of an answer.

    Attributes:
        title: With the footnote that the whole table rests on, if it is one.
        headers: Texts of the columns; empty when the table has no header.
        remarks: What could not be compared, a sentence each.
    """

    title: tuple[Run, ...]
    headers: tuple[str, ...]
    rows: tuple[tuple[ExportedCell, ...], ...]
    remarks: tuple[str, ...] = ()

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
            is_last = columns.stop >= self.width
            pieces.append(
                ExportedTable(
                    self.title if start == 1 else (),
                    (*self.headers[:1], *self.headers[columns]),
                    tuple((*row[:1], *row[columns]) for row in self.rows),
                    self.remarks if is_last else (),
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


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its answer.

    Attributes:
        read_as: The complete question that a follow-up was read as; empty when it is none.
        asked_at: In the reader's own time zone.
        blocks: The words of the answer.
        remarks: Sentences that a reader must know: how the question was read, what has changed.
        readings: What an ambiguous question might mean.
        also_cited: Footnotes that nothing above points at.
        nearest: Of a question that was not found, the places that came nearest to an answer.
        error: Why there is no answer.
    """

    question: str
    read_as: str
    asked_at: datetime
    state: HistoryState
    blocks: tuple[AnswerBlock, ...]
    tables: tuple[ExportedTable, ...]
    figures: tuple[ExportedFigure, ...]
    remarks: tuple[str, ...]
    readings: tuple[str, ...]
    footnotes: tuple[Footnote, ...]
    also_cited: tuple[int, ...]
    error: str
    nearest: tuple[str, ...] = ()

    @property
    def status_line(self) -> str:
        """A sentence on how it ended, unless the answer's own text begins with it."""
        sentence = {
            HistoryState.NOT_FOUND: "Not found in this library",
            HistoryState.CLARIFY: "The question can be read in several ways",
            HistoryState.WITHHELD: "The answer was withheld",
            HistoryState.FAILED: "No answer",
        }.get(self.state, "")
        return "" if sentence and words_of(self.blocks).startswith(sentence) else sentence


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
        figures = (figure for turn in self.turns for figure in turn.figures)
        return tuple(figure.caption for figure in figures if not figure.path)

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
