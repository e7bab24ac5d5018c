"""Words that a page holds and its reader does not see, or sees once where they stand twice.

Shadows and "poor man's bold" draw a word again beside itself; a text layer of an earlier OCR run
lies below the text; advertising stands in white on white or too small to be seen. The layer of a
scan is hidden as well, but it is what the picture shows: that one is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.characters import REPLACEMENT
from desktop_qa.parse.page import Fill, ImagePlace, StyledWord

_OFFSET_IN_SIZES = 0.15
_MIN_OFFSET_PT = 1.1
_MAX_OFFSET_PT = 4.0
"""Between a word and its shadow, which for small type is still a whole point."""

_PART_REACH_PT = 0.6
_BAND_PT = 5.0
_WHITE = 0xF8
_DARK_FILL = 0.95
_TINY_PT = 1.0
_TINY_SHARE = 0.0012
"""Of the longer side of the page: plans of ten metres may have small type in points."""

_PICTURE_SHARE = 0.25
"""Share of the page from which on a picture may be a scan with a text layer of its own."""

_MIN_SEEN_WORDS = 8
_CELL_PT = 24.0
_WHITE_IN_HEIGHTS = 0.3


@dataclass(frozen=True, slots=True)
class Ground:
    """What the words of a page stand on.

    Attributes:
        is_blank: Tells of regions, in the order given, whether nothing is seen in them.
    """

    width: float
    height: float
    fills: Sequence[Fill]
    images: Sequence[ImagePlace]
    is_blank: Callable[[Sequence[BoundingBox]], Sequence[bool]]


def seen_words(words: Iterable[StyledWord], ground: Ground) -> tuple[StyledWord, ...]:
    """Return the words of a page that are content, each once, in the order given."""
    smallest = min(_TINY_PT, _TINY_SHARE * max(ground.width, ground.height))
    large = [w for w in words if w.size >= smallest or w.bbox.height > 2 * smallest]
    return tuple(_without_unseen(_without_covered(without_doubles(large)), ground))


def without_doubles(words: Sequence[StyledWord]) -> list[StyledWord]:
    """Drop words that repeat one at their own place; set what is thickened so in bold."""
    n_times = Counter(word.text for word in words)
    kept: list[StyledWord | None] = []
    places: dict[tuple[str, int, int], list[int]] = {}
    for word in words:
        if n_times[word.text] == 1:
            kept.append(word)
            continue
        other = next((i for i in _near(word, places) if _repeats(kept[i], word)), None)
        if other is None:
            places.setdefault(_place(word), []).append(len(kept))
            kept.append(word)
        else:
            kept[other] = _merged(kept[other] or word, word)
    return _without_parts([word for word in kept if word is not None])


def _without_parts(words: Sequence[StyledWord]) -> list[StyledWord]:
    """Drop words that repeat a part of one at its own place: "Su ly" over "Supply".

    A part that is set lower ("OH" over "VOH") has a baseline of its own: bands that overlap by
    half hold both.
    """
    parts: set[int] = set()
    for shift in (0.0, 0.5):
        bands: dict[tuple[int, int], list[tuple[float, float, StyledWord]]] = {}
        for word in words:
            box, along = word.bbox, word.angle in (90, 270)
            start, end = (box.top, box.bottom) if along else (box.left, box.right)
            across = (box.left + box.right if along else box.top + box.bottom) / 2
            band = word.angle, int(across / _BAND_PT + shift)
            bands.setdefault(band, []).append((start, -end, word))
        for band_words in bands.values():
            band_words.sort(key=lambda one: one[:2])
            whole: StyledWord | None = None
            reach = 0.0
            for _start, minus_end, word in band_words:
                if whole is not None and -minus_end <= reach + _PART_REACH_PT:
                    if _is_part(word, whole):
                        parts.add(id(word))
                elif whole is None or -minus_end > reach:
                    whole, reach = word, -minus_end
    return [word for word in words if id(word) not in parts] if parts else list(words)


def _is_part(word: StyledWord, whole: StyledWord) -> bool:
    return (
        len(word.text) < len(whole.text)
        and word.text in whole.text
        and abs(word.size - whole.size) < _PART_REACH_PT
    )


def _place(word: StyledWord) -> tuple[str, int, int]:
    return word.text, int(word.bbox.left), int(word.bbox.top)


def _near(word: StyledWord, places: dict[tuple[str, int, int], list[int]]) -> Iterator[int]:
    text, left, top = _place(word)
    reach = int(_offset(word)) + 1
    for x in range(left - reach, left + reach + 1):
        for y in range(top - reach, top + reach + 1):
            yield from places.get((text, x, y), ())


def _offset(word: StyledWord) -> float:
    return min(max(_MIN_OFFSET_PT, _OFFSET_IN_SIZES * word.size), _MAX_OFFSET_PT)


def _repeats(first: StyledWord | None, word: StyledWord) -> bool:
    if first is None or first.angle != word.angle:
        return False
    if abs(first.bbox.width - word.bbox.width) > 0.1 * word.bbox.width + 0.5:
        return False
    # A row of dots repeats itself too, but never so closely.
    offset = _offset(word)
    return (
        abs(first.bbox.left - word.bbox.left) <= min(offset, 0.6 * word.bbox.width)
        and abs(first.bbox.right - word.bbox.right) <= offset + 0.1 * word.bbox.width
        and abs(first.bbox.top - word.bbox.top) <= min(offset, 0.6 * word.bbox.height)
    )


def _merged(first: StyledWord, later: StyledWord) -> StyledWord:
    """One word for two: in the place of the first, with the look of the one on top."""
    if later.hidden or (_is_white(later) and not _is_white(first)):
        return first
    if first.hidden or (_is_white(first) and not _is_white(later)):
        return replace(later, block_no=first.block_no, line_no=first.line_no)
    shift = abs(first.bbox.left - later.bbox.left)
    thickened = first.color == later.color and 0.1 < shift < 0.1 * first.size
    return replace(first, color=later.color, bold=first.bold or later.bold or thickened)


def _is_white(word: StyledWord) -> bool:
    color = word.color
    return min(color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF) >= _WHITE


def _without_covered(words: Sequence[StyledWord]) -> list[StyledWord]:
    """Drop hidden and white words below others, and unreadable ones above a hidden layer."""
    faint = [word.hidden or _is_white(word) for word in words]
    if not any(faint) or all(faint):
        return list(words)
    over = _Boxes(
        w for w, is_faint in zip(words, faint, strict=True) if not is_faint and _is_readable(w)
    )
    kept = [w for w, is_faint in zip(words, faint, strict=True) if not (is_faint and over.cover(w))]
    below = _Boxes(w for w in kept if w.hidden and _is_readable(w))
    return [w for w in kept if w.hidden or _is_readable(w) or not below.cover(w)]


def _is_readable(word: StyledWord) -> bool:
    return REPLACEMENT not in word.text and not any("\ue000" <= c <= "\uf8ff" for c in word.text)


class _Boxes:
    """The places of words, to be asked what lies at one of them."""

    def __init__(self, words: Iterable[StyledWord]) -> None:
        self._cells: dict[tuple[int, int], list[BoundingBox]] = {}
        for word in words:
            # The white between two words belongs to their line.
            white = _WHITE_IN_HEIGHTS * word.bbox.height
            box = BoundingBox(
                word.bbox.left - white, word.bbox.top, word.bbox.right + white, word.bbox.bottom
            )
            for x in range(int(box.left // _CELL_PT), int(box.right // _CELL_PT) + 1):
                for y in range(int(box.top // _CELL_PT), int(box.bottom // _CELL_PT) + 1):
                    self._cells.setdefault((x, y), []).append(box)

    def cover(self, word: StyledWord) -> bool:
        """True when the middle of a word lies in one of about its height."""
        box = word.bbox
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        return any(
            other.contains_center(box) and 0.5 * other.height < box.height < 2 * other.height
            for other in self._cells.get((int(x // _CELL_PT), int(y // _CELL_PT)), ())
        )


def _without_unseen(words: Sequence[StyledWord], ground: Ground) -> list[StyledWord]:
    """Drop white and hidden words where the page shows nothing."""
    doubtful = [w for w in words if (w.hidden or _is_white(w)) and not _has_ground(w, ground)]
    # Where nothing else is written, the hidden layer is the text.
    if not doubtful or len(words) - len(doubtful) < _MIN_SEEN_WORDS:
        return list(words)
    blank = ground.is_blank([word.bbox for word in doubtful])
    unseen = {id(word) for word, is_blank in zip(doubtful, blank, strict=True) if is_blank}
    return [word for word in words if id(word) not in unseen]


def _has_ground(word: StyledWord, ground: Ground) -> bool:
    """True for words on a picture of the page and for white ones on a coloured field."""
    area = _PICTURE_SHARE * ground.width * ground.height
    if any(i.bbox.area > area and i.bbox.contains_center(word.bbox) for i in ground.images):
        return True
    return not word.hidden and any(
        min(fill.color) < _DARK_FILL and fill.bbox.contains_center(word.bbox)
        for fill in ground.fills
    )
