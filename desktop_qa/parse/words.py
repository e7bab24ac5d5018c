"""The engine's characters into words with their look, each that is seen once.

Shadows and "poor man's bold" draw a word again beside itself; a text layer of an earlier OCR run
lies below the text; advertising stands in white on white or too small to be seen. The layer of a
scan is hidden as well, but it is what the picture shows: that one is kept.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.characters import is_unnamed, raised, repair
from desktop_qa.parse.page import Fill, ImagePlace, StyledWord
from desktop_qa.parse.vectors import Matrix, transform_box, transform_point

_FLAG_ITALIC = 1 << 1
_FLAG_BOLD = 1 << 4
_BOLD_FONT = ("bold", "black", "heavy", "semibold", "demi")
_MIN_GAP_IN_SIZES = 0.22
"""White within a line that ends a word without a space."""

_MAX_EXPONENT_SIZE = 0.85
_MIN_EXPONENT_HEIGHT = 0.15
"""In sizes of the word."""

_LEADER = re.compile(r"\.{4,}|\.*…[.…]+|^\.(?=[+\-−–])|_{4,}")
"""Dots from a name to its value or page, of which a word holds all, or the last before a sign; a
rule that is drawn with letters."""

Char = tuple[dict[str, Any], dict[str, Any]]
"""A character of the engine with the span it stands in."""


class WordReader:
    """Reads the words of one page.

    Documents of thousands of pages are held as words, so equal texts, fonts and coordinates are
    kept once: that halves the memory.
    """

    def __init__(self, matrix: Matrix, rotation: int, texts: dict[str, str]) -> None:
        """Start a page, turned by `rotation` degrees clockwise; equal texts are kept once."""
        self._matrix = matrix
        self._rotation = rotation
        self._texts = texts
        self._numbers: dict[float, float] = {}
        self._block_no = 0
        self._line_no = 0
        self._angle = 0
        self._along = (1.0, 0.0)
        self.n_spaces = 0
        self.is_vertical = False

    def read(self, blocks: Sequence[Mapping[str, Any]]) -> list[StyledWord]:
        """Return the words of the engine's blocks, in its order.

        Symbol fonts have spaces that only their own encoding tells from letters: a word of nothing
        else is none, and no reader of words has to ask for a first letter.
        """
        words: list[StyledWord] = []
        for block_no, block in enumerate(blocks):
            self._block_no = block_no
            for line in block.get("lines", ()):
                self.is_vertical |= bool(line["wmode"])
                found = list(self._line_words(line))
                seen = [word for word in found if not _is_blank(word.text)]
                self.n_spaces += len(found) - len(seen)
                words += seen
                self._line_no += 1
        return words

    def _line_words(self, line: Mapping[str, Any]) -> Iterator[StyledWord]:
        """Split a line at spaces and at gaps; a change of font alone does not end a word (VOS)."""
        self._along = along = line["dir"]
        self._angle = (round(math.degrees(math.atan2(along[1], along[0]))) + self._rotation) % 360
        word: list[Char] = []
        space_before = True
        end = largest = 0.0
        for span in line["spans"]:
            size = span["size"]
            for char in span["chars"]:
                if char["c"].isspace() or char["c"] == "\u200b":
                    yield from self._words(word, space_before)
                    word, space_before = [], True
                    self.n_spaces += 1
                    continue
                x, y = char["origin"]
                start = x * along[0] + y * along[1]
                # A mark before its text ("1FEATURES") is a word; a script after its word is not.
                if word and (start - end > _MIN_GAP_IN_SIZES * size or size > 1.3 * largest):
                    yield from self._words(word, space_before)
                    word, space_before = [], True
                largest = max(largest, size) if word else size
                word.append((char, span))
                end = start + _advance(char["bbox"], along)
        yield from self._words(word, space_before)

    def _words(self, chars: Sequence[Char], space_before: bool) -> Iterator[StyledWord]:
        """Part the dots that lead from a text to another from both: they are no text."""
        text = "".join(char["c"] for char, _span in chars)
        edges = {0, len(chars)} if chars else {0}
        edges.update(edge for leader in _LEADER.finditer(text) for edge in leader.span())
        for first, end in pairwise(sorted(edges)):
            yield self._word(chars[first:end], space_before and not first)

    def _word(self, chars: Sequence[Char], space_before: bool) -> StyledWord:
        boxes = [char["bbox"] for char, _span in chars]
        box = (
            self._shared(min(b[0] for b in boxes)),
            self._shared(min(b[1] for b in boxes)),
            self._shared(max(b[2] for b in boxes)),
            self._shared(max(b[3] for b in boxes)),
        )
        main = max((span for _char, span in chars), key=lambda span: float(span["size"]))
        font = str(main["font"])
        flags = int(main["flags"])
        first = next(char for char, span in chars if span is main)
        _x, baseline = transform_point(first["origin"], self._matrix)
        text = _text(_with_exponents(chars, main, first, self._along))
        return StyledWord(
            text=self._texts.setdefault(text, text),
            bbox=transform_box(box, self._matrix),
            size=self._shared(float(main["size"])),
            baseline=self._shared(float(baseline)),
            font=self._texts.setdefault(font, font),
            bold=bool(flags & _FLAG_BOLD) or any(b in font.lower() for b in _BOLD_FONT),
            italic=bool(flags & _FLAG_ITALIC),
            angle=self._angle,
            block_no=self._block_no,
            line_no=self._line_no,
            space_before=space_before,
            color=int(main["color"]),
            hidden=int(main["alpha"]) == 0,
        )

    def _shared(self, number: float) -> float:
        return self._numbers.setdefault(number, number)


def _is_blank(text: str) -> bool:
    """Tell what shows nothing, or no more than a rule."""
    return not text or text.isspace() or (len(text) > 3 and not text.strip("_"))


def _advance(bbox: tuple[float, float, float, float], along: tuple[float, float]) -> float:
    return abs((bbox[2] - bbox[0]) * along[0]) + abs((bbox[3] - bbox[1]) * along[1])


def _with_exponents(
    chars: Sequence[Char], main: Mapping[str, Any], first: Mapping[str, Any], along: Any
) -> Sequence[Char]:
    """Write small raised digits as exponents; `first` is the first character of the main span."""
    if all(span is main for _char, span in chars):
        return chars
    up_x, up_y = along[1], -along[0]
    x0, y0 = first["origin"]
    written: list[Char] = []
    for span, run in groupby(chars, key=lambda pair: pair[1]):
        of_span = list(run)
        x, y = of_span[0][0]["origin"]
        height = (x - x0) * up_x + (y - y0) * up_y
        if (
            written
            and span["size"] < _MAX_EXPONENT_SIZE * main["size"]
            and (height > _MIN_EXPONENT_HEIGHT * main["size"])
        ):
            text = raised("".join(char["c"] for char, _span in of_span))
            of_span = [
                ({**char, "c": c}, span) for (char, _span), c in zip(of_span, text, strict=True)
            ]
        written += of_span
    return written


def _text(chars: Sequence[Char]) -> str:
    text = "".join(char["c"] for char, _span in chars)
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        repair("".join(char["c"] for char, _span in run), font)
        for font, run in groupby(chars, key=lambda pair: str(pair[1]["font"]))
    )


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
    kept: list[StyledWord] = []
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
            kept[other] = _merged(kept[other], word)
    return _without_parts(kept)


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
                else:
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


def _repeats(first: StyledWord, word: StyledWord) -> bool:
    if first.angle != word.angle:
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
    return not any(map(is_unnamed, word.text))


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
