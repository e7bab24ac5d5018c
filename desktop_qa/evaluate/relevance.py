"""Which segments are relevant to an evidence item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.folding import fold
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.evaluate.bank import EvidenceItem
from desktop_qa.evaluate.metrics import Rank


@dataclass(frozen=True, slots=True)
class Relevant:
    """The segments that an evidence item is found in.

    Attributes:
        located: False when no segment of the page holds the words of the item, so that any
            segment of the page counts: text was lost or altered.
    """

    segment_ids: frozenset[SegmentId]
    located: bool


class RelevanceIndex:
    """Segments by file and page, their texts folded once."""

    def __init__(self, segments: Iterable[tuple[Segment, str]]) -> None:
        """Index segments, each with the file it comes from."""
        self._by_page: dict[tuple[str, int], list[Segment]] = defaultdict(list)
        self._folded: dict[SegmentId, tuple[str, str]] = {}
        for segment, file in segments:
            for page_no in segment.metadata.page_nos:
                self._by_page[file, page_no].append(segment)

    def relevant(self, item: EvidenceItem) -> Relevant:
        """Find the segments of the item's page that hold its words.

        Where none does, all segments of the page are relevant and the item is unlocated; without
        words to look for the page alone decides.
        """
        of_page = self._by_page.get((item.file, item.page), [])
        wanted = fold(item.contains)
        holding = [s for s in of_page if any(wanted in text for text in self._texts(s))]
        return Relevant(frozenset(s.id for s in holding or of_page), located=bool(holding))

    def _texts(self, segment: Segment) -> tuple[str, str]:
        folded = self._folded.get(segment.id)
        if folded is None:
            folded = fold(segment.text), fold(segment.lexical_text)
            self._folded[segment.id] = folded
        return folded


def best_rank(ranking: Sequence[SegmentId], relevant: Relevant) -> Rank:
    """Return the 1-based rank of the first relevant segment, `None` when there is none."""
    for rank, segment_id in enumerate(ranking, start=1):
        if segment_id in relevant.segment_ids:
            return rank
    return None
