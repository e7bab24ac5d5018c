"""More like this: the pieces of a library that are most like one of them."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.segment import SegmentId
from desktop_qa.core.view import EvidenceView


@dataclass(frozen=True, slots=True)
class SimilarPiece:
    """A piece that is like another.

    Attributes:
        view: Ready to draw; never cited.
        likeness: 0 to 1, what the pieces are ordered by.
        shared: Words that both hold and few others do, as this piece writes them, rarest first.
    """

    segment_id: SegmentId
    view: EvidenceView
    likeness: float
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SimilarPieces:
    """What is like a piece, best first in each group.

    Attributes:
        of: The piece itself.
        elsewhere: In other documents.
        here: In its own document.
    """

    segment_id: SegmentId
    of: EvidenceView
    elsewhere: tuple[SimilarPiece, ...]
    here: tuple[SimilarPiece, ...]
