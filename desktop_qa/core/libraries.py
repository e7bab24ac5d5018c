"""Libraries as a list of them shows: what they are, how large, and how far a move has come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LibraryPresence(StrEnum):
    """Whether a library can be opened."""

    THERE = "there"
    GONE = "gone"
    """Its folder is not there: moved by hand, or its drive is not connected."""

    BROKEN = "broken"
    """It is there and cannot be read."""


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """A row of the list of libraries.

    Attributes:
        folder: Where the library lives; absolute.
        name: The user's own name for it; empty when its folders name it.
        sources: Its folders of documents.
        problem: Why it cannot be opened; empty when it can.
        is_busy: Another process writes to it.
        is_protected: Its folder cannot be written, so it can be opened for reading only.
    """

    folder: str
    presence: LibraryPresence
    name: str = ""
    sources: tuple[str, ...] = ()
    n_documents: int = 0
    n_pages: int = 0
    problem: str = ""
    is_busy: bool = False
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class LibrarySize:
    """Bytes on disk: texts and tables, what is searched in, images of figures."""

    text: int
    index: int
    figures: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.text + self.index + self.figures


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """How far a library is copied; bytes."""

    n_done: int
    n_total: int
    activity: str


@dataclass(frozen=True, slots=True)
class DeletedLibrary:
    """A library that was set aside: `aside` becomes `folder` again when it is put back."""

    folder: str
    aside: str
