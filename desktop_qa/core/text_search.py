"""Finding words in the text of a page however they were set."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.page_text import CELL_BREAK, PageText, TextHit, TextQuery

_DASHES = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-"
)
_QUOTES = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2032: "'", 0x2033: '"'}
_CELL_OVERLAP, _CELL_GAP, _CELL_SHIFT = 0.4, 0.6, 0.5
"""How lines of a cell stand to each other, in heights of a line."""

_SPACE = re.compile(r"\s+")
_LINE_END_HYPHEN = re.compile("(?<=[^\\W\\d_])[-\u00ad\u2010]\n(?=[^\\W\\d_])")


def _without_diacritics(text: str) -> str:
    # NFKC turns the micro sign into Greek mu and the ohm sign into Omega.
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text))
    return "".join(char for char in parts if not unicodedata.combining(char))


class _Folds(dict[int, str]):
    """What each character folds to: always one character, so that offsets stay."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isspace():
            folded = " "
        else:
            plain = _without_diacritics(char)
            folded = plain if len(plain) == 1 else char
        self[code] = folded
        return folded


_FOLDS = _Folds(_DASHES | _QUOTES)


def fold_text(text: str, *, match_case: bool) -> str:
    """Fold a text character by character: the result has the same length.

    Diacritics go; kinds of spaces, dashes and quotation marks become one; so do the micro sign and
    mu, the ohm sign and Omega, raised digits and digits.
    """
    folded = text.translate(_FOLDS)
    if match_case:
        return folded
    lower = folded.lower()
    return lower if len(lower) == len(folded) else "".join(c.lower()[0] for c in folded)


def fold_words(words: str, *, match_case: bool) -> str:
    """Fold words to be found; ligatures are unfolded and runs of white space become one space."""
    return fold_text(_SPACE.sub(" ", _without_diacritics(words)), match_case=match_case)


@dataclass(frozen=True, slots=True)
class FoldedPage:
    """The folded text of a page, words that were broken at a hyphen joined.

    Attributes:
        text: Folded.
        joined: The same with the hyphens at line ends and their line breaks left out; `text`
            itself when there are none.
        cuts: Offsets in `joined` before which two characters of `text` were left out.
    """

    text: str
    joined: str
    cuts: tuple[int, ...]

    def offset(self, joined_offset: int) -> int:
        """Return the offset in `text` of a character of `joined`."""
        return joined_offset + 2 * bisect_right(self.cuts, joined_offset)


def fold_page(text: str, *, match_case: bool = False) -> FoldedPage:
    """Fold the text of a page for searches."""
    folded = fold_text(text, match_case=match_case)
    cuts: list[int] = []
    pieces: list[str] = []
    at = 0
    for hyphen in _LINE_END_HYPHEN.finditer(text):
        pieces.append(folded[at : hyphen.start()])
        at = hyphen.end()
        cuts.append(hyphen.start() - 2 * len(cuts))
    pieces.append(folded[at:])
    return FoldedPage(folded, "".join(pieces) if cuts else folded, tuple(cuts))


def find_spans(page: FoldedPage, query: TextQuery) -> list[tuple[int, int]]:
    """Return the stretches of a page's text that hold the words, in order, none over another."""
    words = fold_words(query.words, match_case=query.match_case)
    if not words.strip():
        return []
    found = {
        (page.offset(start), page.offset(end - 1) + 1)
        for start, end in _occurrences(page.joined, words, whole_word=query.whole_word)
    }
    if page.cuts and ("-" in words or query.whole_word):
        # "low-" before "power" is one word, or two with a hyphen: who asks for either finds it.
        found.update(_over_breaks(page, words, whole_word=query.whole_word))
    spans: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def _over_breaks(page: FoldedPage, words: str, *, whole_word: bool) -> Iterator[tuple[int, int]]:
    """Yield the places that hold the words with the hyphens at line ends read as hyphens."""
    breaks = {page.offset(cut) - 1 for cut in page.cuts}
    kept = [index for index in range(len(page.text)) if index not in breaks]
    text = "".join(page.text[index] for index in kept)
    for start, end in _occurrences(text, words, whole_word=whole_word):
        yield kept[start], kept[end - 1] + 1


def _occurrences(text: str, words: str, *, whole_word: bool) -> Iterator[tuple[int, int]]:
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not whole_word or _stands_alone(text, at, end):
            yield at, end
            at = text.find(words, end)
        else:
            at = text.find(words, at + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = start > 0 and _is_word(text[start - 1]) and _is_word(text[start])
    after = end < len(text) and _is_word(text[end]) and _is_word(text[end - 1])
    return not before and not after


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def hits_on(page: PageText, folded: FoldedPage, query: TextQuery) -> Iterator[TextHit]:
    """Yield the places of a page that hold the words, with their rectangles."""
    in_a_row = [
        TextHit(page.page_no, start, end, page.boxes(start, end))
        for start, end in find_spans(folded, query)
    ]
    known = {hit.start for hit in in_a_row}
    in_cells = (hit for hit in _in_cells(page, folded, query) if hit.start not in known)
    yield from sorted((*in_a_row, *in_cells), key=lambda hit: hit.start)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line of a cell: a stretch of a line between breaks, without white space at its ends."""

    start: int
    end: int
    box: BoundingBox


def _in_cells(page: PageText, folded: FoldedPage, query: TextQuery) -> Iterator[TextHit]:
    """Yield the words that go on in the next line of a cell, past the other cells of the row.

    A page is read row by row, so that "Change of quiescent" and "current" below it in the same
    cell of a table stand far from each other in its text.
    """
    words = fold_words(query.words, match_case=query.match_case).strip()
    breaks = [index for index, char in enumerate(words) if char == " "]
    pieces = list(_pieces(page)) if breaks else []
    for at in breaks:
        head, tail = words[:at], words[at + 1 :]
        starts = [one for one in pieces if folded.text.startswith(tail, one.start)]
        for above in pieces:
            first = above.end - len(head)
            if first < above.start or not folded.text.startswith(head, first):
                continue
            for below in starts:
                end = below.start + len(tail)
                is_whole = _stands_alone(folded.text, first, above.end) and _stands_alone(
                    folded.text, below.start, end
                )
                is_new = below.start > above.end + 1 and _is_next_line(above.box, below.box)
                if is_new and (is_whole or not query.whole_word):
                    boxes = (*page.boxes(first, above.end), *page.boxes(below.start, end))
                    yield TextHit(page.page_no, first, above.end, boxes)


def _pieces(page: PageText) -> Iterator[_Piece]:
    for line in page.lines:
        if line.angle:
            continue
        at = line.first
        for text in page.text[line.first : line.end].split(CELL_BREAK):
            start = at + len(text) - len(text.lstrip())
            end = at + len(text.rstrip())
            if start < end:
                (box,) = page.boxes(start, end)
                yield _Piece(start, end, box)
            at += len(text) + 1


def _is_next_line(above: BoundingBox, below: BoundingBox) -> bool:
    """Tell whether a line goes on in another: close below, at its left edge or in its middle."""
    height = above.height
    gap = below.top - above.bottom
    left = abs(above.left - below.left)
    middle = abs(above.left + above.right - below.left - below.right) / 2
    is_close = -_CELL_OVERLAP * height < gap < _CELL_GAP * height
    return is_close and min(left, middle) < _CELL_SHIFT * height


def may_hold(words_of_page: str, query: TextQuery) -> bool:
    """Tell whether a page may hold the words, by all its characters, `squeezed`, in any order."""
    pieces = fold_words(query.words, match_case=False).replace("-", " ").split()
    return all(piece in words_of_page for piece in pieces)


def squeezed(text: str) -> str:
    """Return what `may_hold` looks through."""
    return fold_words(text, match_case=False).replace("-", "").replace(" ", "")
