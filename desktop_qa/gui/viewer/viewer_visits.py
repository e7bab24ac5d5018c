"""Where the reader has been, over all documents: back and forward as in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_qa.core.document import Provenance
from desktop_qa.gui.viewer.page_layout import PageArrangement, ReadingPlace
from desktop_qa.gui.viewer.pdf_highlights import Highlight

_MAX_VISITS = 100


@dataclass(frozen=True, slots=True)
class Visit:
    """A document that the reader was shown, with its marks, and the target to show it again.

    Attributes:
        target: 1-based page number, places, or where it was read.
        look: Mode, size and rotation; None for those of the document before it.
        answer: Counts the answers; the highlights are those of this one.
    """

    path: Path
    name: str
    highlights: tuple[Highlight, ...]
    active: int | None
    target: int | tuple[Provenance, ...] | ReadingPlace
    look: PageArrangement | None
    answer: int = 0

    @property
    def page_no(self) -> int:
        """1-based number of the page that it shows."""
        if isinstance(self.target, int):
            return self.target
        if isinstance(self.target, ReadingPlace):
            return self.target.anchor.page_index + 1
        return self.target[0].page_no if self.target else 1

    @property
    def label(self) -> str:
        """What a menu calls it."""
        return f"{self.name}, page {self.page_no}"


class Visits:
    """Places before and after the present one, the nearest last."""

    def __init__(self) -> None:
        self._earlier: list[Visit] = []
        self._later: list[Visit] = []

    @property
    def earlier(self) -> Sequence[Visit]:
        """Places to go back to, the nearest first."""
        return self._earlier[::-1]

    @property
    def later(self) -> Sequence[Visit]:
        """Places to go forward to, the nearest first."""
        return self._later[::-1]

    def leave(self, here: Visit) -> None:
        """Make a place one to come back to; what lay ahead is gone."""
        if not self._earlier or not _is_same(self._earlier[-1], here):
            self._earlier = [*self._earlier, here][-_MAX_VISITS:]
        self._later.clear()

    def travel(self, step: int, here: Visit | None) -> Visit | None:
        """Go back (negative) or forward so many places; None when there are none.

        Args:
            step: How many places, -1 is back by one.
            here: The present place, to come back to; None when nothing is shown.
        """
        source, other = (self._earlier, self._later) if step < 0 else (self._later, self._earlier)
        # The same citation clicked twice is one place.
        while source and here is not None and _is_same(source[-1], here):
            source.pop()
        target: Visit | None = None
        for _ in range(min(abs(step), len(source))):
            if here is not None:
                other.append(here)
            here = target = source.pop()
        return target

    def forget(self, path: Path | None = None) -> None:
        """Forget all places, or those of one document."""
        self._earlier = [
            visit for visit in self._earlier if path is not None and visit.path != path
        ]
        self._later = [visit for visit in self._later if path is not None and visit.path != path]


def _is_same(one: Visit, other: Visit) -> bool:
    return one.path == other.path and one.target == other.target
