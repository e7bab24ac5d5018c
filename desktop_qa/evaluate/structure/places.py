"""Rectangles of segments and cells, against the words that stand under them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from desktop_qa.core.document import Document, Provenance, Table, Word
from desktop_qa.core.folding import fold_for_matching
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.evaluate.structure.count import NONE, Count, Counts
from desktop_qa.evaluate.structure.words import fold_word
from desktop_qa.parse.plain import PlainPage

MAX_AREA_RATIO = 1.3
_NO_TEXT = re.compile(r"\.{2,}|[\ue000-\uf8ff]")
"""Dots that lead to a page number; private codes of symbol fonts, which mean nothing by
themselves."""


@dataclass(frozen=True, slots=True)
class PlaceCounts(Counts):
    """Words under rectangles that are the segment's; tight segments; cells alone in theirs.

    Attributes:
        area: Square points that the rectangles of text and tables cover (`n_good`), of the
            smallest boxes around the words under each (`n`): the ratio is `n_good / n`.
    """

    words: Count = NONE
    area: Count = NONE
    tight: Count = NONE
    cells: Count = NONE


class WordGrid:
    """The words of pages, found by rectangle."""

    def __init__(self, pages: Iterable[PlainPage]) -> None:
        self._by_height = {
            page.page_no: sorted(
                ((word.bbox.top + word.bbox.bottom) / 2, index, word)
                for index, word in enumerate(page.words)
            )
            for page in pages
        }

    def under(self, place: Provenance) -> list[tuple[int, Word]]:
        """Words whose middle lies in a rectangle, each with its index on the page."""
        words, box = self._by_height.get(place.page_no, []), place.bbox
        first = bisect_left(words, box.top, key=itemgetter(0))
        last = bisect_right(words, box.bottom, key=itemgetter(0))
        found = (item[1:] for item in words[first:last] if box.contains_center(item[2].bbox))
        return sorted(found, key=itemgetter(0))


def compare_places(
    segments: Sequence[Segment], document: Document, grid: WordGrid
) -> tuple[PlaceCounts, list[str]]:
    """Judge the rectangles of text and table segments, and of all cells.

    Returns:
        The counts, and a line for each cell whose rectangle holds other words.
    """
    counts = PlaceCounts()
    for segment in segments:
        if segment.kind is not SegmentKind.FIGURE:
            counts += _of_segment(segment, grid)
    wrong = []
    for table in document.tables:
        count, of_table = _of_cells(table, grid)
        counts += PlaceCounts(cells=count)
        wrong += of_table
    return counts, wrong


def _of_segment(segment: Segment, grid: WordGrid) -> PlaceCounts:
    own = _fold(segment.text)
    n_own = n_words = 0
    covered = tight = 0.0
    seen: set[tuple[int, int]] = set()
    for place in segment.provenances:
        under = grid.under(place)
        if not under:
            continue
        box = under[0][1].bbox
        for _index, word in under[1:]:
            box = box.union(word.bbox)
        covered += place.bbox.area
        tight += box.area
        for index, word in under:
            key = place.page_no, index
            folded = _fold(word.text)
            if key in seen or not folded:
                continue
            seen.add(key)
            n_words += 1
            n_own += folded in own
    if not n_words:
        return PlaceCounts()
    return PlaceCounts(
        Count(n_own, n_words),
        Count(round(covered), round(tight)),
        Count(int(covered <= MAX_AREA_RATIO * tight), 1),
    )


def _fold(text: str) -> str:
    return _NO_TEXT.sub("", fold_for_matching(text))


def _of_cells(table: Table, grid: WordGrid) -> tuple[Count, list[str]]:
    n_good = n = 0
    wrong = []
    for cell in table.cells:
        wanted = _keys(cell.text.split())
        if not wanted:
            continue
        n += 1
        found: dict[tuple[int, int], str] = {}
        for place in cell.provenances:
            found |= {(place.page_no, index): word.text for index, word in grid.under(place)}
        got = _keys(found.values())
        if "".join(got) == "".join(wanted) or sorted("".join(got)) == sorted("".join(wanted)):
            n_good += 1
        else:
            page_no = cell.provenances[0].page_no if cell.provenances else 0
            wrong.append(f"{page_no}: {cell.text!r} over {' '.join(found.values())!r}")
    return Count(n_good, n), wrong


def _keys(words: Iterable[str]) -> list[str]:
    return [key for word in words if (key := fold_word(word))]
