"""The two readings of a document: the program's own, and that of a language model."""

from __future__ import annotations

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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
