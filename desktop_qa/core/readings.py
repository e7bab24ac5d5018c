"""The two readings of a document: the program's own, and that of a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_qa.core.document import Document


class ReadBy(StrEnum):
    """Who found the headings and tables of a document."""

    PROGRAM = "offline"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class ModelReading:
    """That a model has read a document, and what came of it.

    Attributes:
        model: As its server names it.
        host: Where it ran.
        read_at: When, in seconds since 1970.
        seconds: That it took.
        n_headings: That have a place on the pages.
        n_tables: Likewise.
        n_unplaced: Headings and tables that have none, and were not taken.
        n_cut: Rounds whose answer was cut off; there the offline headings stay.
        used: Whose reading is searched and cited.
    """

    model: str
    host: str
    read_at: float
    seconds: float
    n_headings: int
    n_tables: int
    n_unplaced: int
    n_cut: int
    used: ReadBy = ReadBy.MODEL

    @property
    def line(self) -> str:
        """What came of it in one line."""
        said = f"{_count(self.n_headings, 'heading')} and {_count(self.n_tables, 'table')} placed"
        if self.n_unplaced:
            said += f", {self.n_unplaced} not found on the pages and left out"
        if self.n_cut:
            said += f"; {_count(self.n_cut, 'answer')} cut off, headings kept there"
        return f"{said}."


@dataclass(frozen=True, slots=True)
class KeptReadings:
    """Both readings of a document: same words, same pages, same rectangles."""

    offline: Document
    by_model: Document
    note: ModelReading

    @property
    def used(self) -> Document:
        """The one that is searched and cited."""
        return self.document(self.note.used)

    def document(self, by: ReadBy) -> Document:
        """Return one of them."""
        return self.by_model if by is ReadBy.MODEL else self.offline

    def using(self, by: ReadBy) -> KeptReadings:
        """Return the same with another one in use."""
        return replace(self, note=replace(self.note, used=by))


@dataclass(frozen=True, slots=True)
class ReadingEstimate:
    """What it takes to have documents read by a model, before anything is sent.

    Attributes:
        n_documents: To be read.
        n_pages: Of all of them.
        n_rounds: Requests to the model.
        n_input: Tokens read, about.
        n_output: Tokens written, guessed.
        price: In the currency of the profile; `None` without prices.
        seconds: `None` before a document was read with this model.
    """

    n_documents: int
    n_pages: int
    n_rounds: int
    n_input: int
    n_output: int
    price: float | None
    seconds: float | None

    @property
    def line(self) -> str:
        """All of it in one line."""
        parts = [
            f"{_count(self.n_pages, 'page')} in {_count(self.n_rounds, 'request')}",
            f"about {self.n_input:,} tokens read and {self.n_output:,} written",
        ]
        if self.price is not None:
            parts.append(f"price about {self.price:.2f}")
        if self.seconds is None:
            parts.append("time not known before the first document is read")
        else:
            parts.append(f"about {duration(self.seconds)}")
        return "; ".join(parts) + "."


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """How far a document is.

    Attributes:
        file: Its name.
        n_pages_done: Pages that are read whole.
        n_pages: Of the document.
        n_tokens: Read and written so far, as the server counts them.
        seconds: Since it began.
        seconds_left: By the rounds so far; `None` before the first one is done.
    """

    file: str
    n_pages_done: int
    n_pages: int
    n_tokens: int
    seconds: float
    seconds_left: float | None

    @property
    def line(self) -> str:
        """All of it in one line."""
        said = f"{self.file}: page {self.n_pages_done} of {self.n_pages}"
        if self.n_tokens:
            said += f", {self.n_tokens:,} tokens"
        if self.seconds_left is not None:
            said += f", about {duration(self.seconds_left)} left"
        return said


def together(estimates: Sequence[ReadingEstimate]) -> ReadingEstimate:
    """Return what several documents take; price and time only where all are known."""
    prices = [one.price for one in estimates if one.price is not None]
    seconds = [one.seconds for one in estimates if one.seconds is not None]
    return ReadingEstimate(
        n_documents=len(estimates),
        n_pages=sum(one.n_pages for one in estimates),
        n_rounds=sum(one.n_rounds for one in estimates),
        n_input=sum(one.n_input for one in estimates),
        n_output=sum(one.n_output for one in estimates),
        price=sum(prices) if len(prices) == len(estimates) else None,
        seconds=sum(seconds) if len(seconds) == len(estimates) else None,
    )


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
