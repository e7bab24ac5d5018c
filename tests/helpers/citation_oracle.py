"""Does a citation point at its words? Judged by PyMuPDF on the PDF itself, not by our parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pymupdf

from desktop_qa.core.answer import Citation
from desktop_qa.core.document import Provenance
from desktop_qa.core.folding import fold_for_matching

MAX_AREA_RATIO = 1.5

_SYMBOLS = str.maketrans(
    {
        0xF02D: "\u2212", 0xF057: "Ω", 0xF06D: "µ", 0xF0A3: "≤", 0xF0B0: "°", 0xF0B1: "±",
        0xF0B3: "≥", 0xF0B4: "×", 0xF0B7: "•",
    }
)  # fmt: skip
"""Adobe's Symbol encoding, as PDFs without a map to Unicode give it: private-use code points."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class CitationCheck:
    """What stands under a citation's rectangles.

    Attributes:
        words: Found, in the order of the rectangles.
        words_are_quote: True when they are the quote's, folded.
        area_ratio: Area that the rectangles cover over the area that the words' boxes cover.
    """

    words: tuple[str, ...]
    words_are_quote: bool
    area_ratio: float

    @property
    def is_right(self) -> bool:
        return self.words_are_quote and self.area_ratio <= MAX_AREA_RATIO


def check_citation(pdf: Path, citation: Citation) -> CitationCheck:
    """Compare the words whose centers lie inside the rectangles with the quote."""
    pages = dict.fromkeys(place.page_no for place in citation.places)
    cited = {no: [place for place in citation.places if place.page_no == no] for no in pages}
    with pymupdf.open(pdf) as document:
        found = [words_under(page_words(document[no - 1]), of) for no, of in cited.items()]
    words = tuple(text for of_page in found for text, _ in of_page)
    words_area = sum(covered_area([box for _, box in of_page]) for of_page in found)
    cited_area = sum(covered_area([_box(place) for place in of]) for of in cited.values())
    return CitationCheck(
        words=words,
        words_are_quote=are_same_words(words, citation.quote),
        area_ratio=cited_area / words_area if words_area else float("inf"),
    )


def words_under(
    words: Sequence[tuple[str, Box]], places: Sequence[Provenance]
) -> list[tuple[str, Box]]:
    """Return the words of a page whose centers its rectangles hold, in the order of these."""
    found = {
        index: word
        for place in places
        for index, word in enumerate(words)
        if _holds_center(place, word[1])
    }
    return list(found.values())


def page_words(page: pymupdf.Page) -> list[tuple[str, Box]]:
    """Words with their boxes on the page as displayed, line by line."""
    words = []
    for left, top, right, bottom, text, *_ in page.get_text("words"):
        rect = pymupdf.Rect(left, top, right, bottom) * page.rotation_matrix
        words.append((text.translate(_SYMBOLS), (rect.x0, rect.y0, rect.x1, rect.y1)))
    return words


def _box(place: Provenance) -> Box:
    box = place.bbox
    return box.left, box.top, box.right, box.bottom


def _holds_center(place: Provenance, box: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    left, top, right, bottom = _box(place)
    return left <= x <= right and top <= y <= bottom


def are_same_words(found: Sequence[str], quote: Iterable[str]) -> bool:
    """Tell whether both are the same text, or the same words in another order.

    Hyphens are left out, because the quote has hyphenation at line ends undone.
    """
    quoted = [word for part in quote for word in part.split()]
    if fold_for_matching(" ".join(found)) == fold_for_matching(" ".join(quoted)):
        return True
    return _counted(found) == _counted(quoted)


def _counted(words: Iterable[str]) -> Counter[str]:
    folded = (fold_for_matching(word) for word in words)
    return Counter(word for word in folded if word)


def covered_area(boxes: Sequence[Box]) -> float:
    """Area of the union of rectangles, by compressing their coordinates to a grid."""
    if not boxes:
        return 0.0
    edges = np.asarray(boxes, dtype=np.float64)
    xs, ys = np.unique(edges[:, [0, 2]]), np.unique(edges[:, [1, 3]])
    covered = np.zeros((len(ys) - 1, len(xs) - 1), dtype=bool)
    for left, top, right, bottom in edges:
        rows = slice(*np.searchsorted(ys, [top, bottom]))
        columns = slice(*np.searchsorted(xs, [left, right]))
        covered[rows, columns] = True
    return float((np.diff(ys)[:, None] * np.diff(xs)[None, :])[covered].sum())
