"""Words of the trade: what a document calls its quantities, pins, registers and terms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GlossarySource(StrEnum):
    """Where a document says that two names mean the same."""

    ACRONYM = "acronym"
    """In a sentence: "low-dropout regulator (LDO)"."""

    SYMBOL = "symbol"
    """In a row of a table of characteristics: "VOS | Input offset voltage"."""

    PIN = "pin"
    """In a row of a table of pins."""

    REGISTER = "register"
    """In a row of a table of registers or of their bits."""

    LIST = "list"
    """In a list of abbreviations or terms."""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """Two names of one thing in one document.

    Attributes:
        short: Symbol or acronym as printed.
        long: Name in words, without conditions and notes.
        count: How often the document says so, at least 1.
    """

    short: str
    long: str
    source: GlossarySource
    count: int = 1
