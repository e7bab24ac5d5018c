"""A part number of a question: what it is to the library, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.document import DocumentId


class Standing(StrEnum):
    """How a code stands to the parts of a library."""

    PART = "part"
    """It is a part number of a document, or one without its grade or version."""
    FAMILY = "family"
    """It is a member of a family that a document prints with a wildcard."""
    LISTED = "listed"
    """It begins with a part, and the part's document prints it."""
    READ_AS = "read as"
    """It begins with a part and goes on with what the part's document does not print."""
    OTHER_BASE = "other base"
    """Its number differs from that of a part."""
    SHORT = "short"
    """Parts begin with it and go on, those with letters alone are what it may mean; or end so."""
    UNKNOWN = "unknown"
    """Nothing is like it."""


@dataclass(frozen=True, slots=True)
class AskedCode:
    """A part number as typed.

    Attributes:
        documents: About it, or about what a short code may mean; none of a near miss and of an
            unknown code.
        part: The part it is a variant of, or the one it misses.
        rest: What stands behind that part; of a short code what it lacks.
    """

    code: str
    standing: Standing
    documents: tuple[DocumentId, ...] = ()
    part: str = ""
    rest: str = ""
