"""The engine's characters into words with their look."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from desktop_qa.parse.characters import raised, repair
from desktop_qa.parse.page import StyledWord
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
        """Start a page.

        Args:
            matrix: From the engine's coordinates to those displayed.
            rotation: Of the page as displayed, degrees clockwise.
            texts: Texts and fonts of the document so far; grows.
        """
        self._matrix = matrix
        self._rotation = rotation
        self._texts = texts
        self._numbers: dict[float, float] = {}
        self._line_no = 0
        self.n_spaces = 0
        self.is_vertical = False

    def read(self, blocks: Sequence[Mapping[str, Any]]) -> list[StyledWord]:
        """Return the words of the engine's blocks, in its order.

        Symbol fonts have spaces that only their own encoding tells from letters: a word of nothing
        else is none, and no reader of words has to ask for a first letter.
        """
        words: list[StyledWord] = []
        for block_no, block in enumerate(blocks):
            for line in block.get("lines", ()):
                self.is_vertical |= bool(line["wmode"])
                found = list(self._line_words(line, block_no))
                seen = [word for word in found if not _is_blank(word.text)]
                self.n_spaces += len(found) - len(seen)
                words += seen
                self._line_no += 1
        return words

    def _line_words(self, line: Mapping[str, Any], block_no: int) -> Iterator[StyledWord]:
        """Split a line at spaces and at gaps; a change of font alone does not end a word (VOS)."""
        along = line["dir"]
        angle = (round(math.degrees(math.atan2(along[1], along[0]))) + self._rotation) % 360
        word: list[Char] = []
        space_before = True
        end: float | None = None
        largest = 0.0
        for span in line["spans"]:
            size = span["size"]
            for char in span["chars"]:
                if char["c"].isspace() or char["c"] == "\u200b":
                    yield from self._words(word, angle, block_no, space_before, along)
                    word, space_before = [], True
                    self.n_spaces += 1
                    continue
                x, y = char["origin"]
                start = x * along[0] + y * along[1]
                # A mark before its text ("1FEATURES") is a word; a script after its word is not.
                if (
                    word
                    and end is not None
                    and (start - end > _MIN_GAP_IN_SIZES * size or size > 1.3 * largest)
                ):
                    yield from self._words(word, angle, block_no, space_before, along)
                    word, space_before = [], True
                largest = max(largest, size) if word else size
                word.append((char, span))
                end = start + _advance(char["bbox"], along)
        yield from self._words(word, angle, block_no, space_before, along)

    def _words(
        self,
        chars: Sequence[Char],
        angle: int,
        block_no: int,
        space_before: bool,
        along: tuple[float, float],
    ) -> Iterator[StyledWord]:
        """Part the dots that lead from a text to another from both: they are no text."""
        text = "".join(char["c"] for char, _span in chars)
        edges = {0, len(chars)} if chars else {0}
        edges.update(edge for leader in _LEADER.finditer(text) for edge in leader.span())
        for first, end in pairwise(sorted(edges)):
            yield self._word(chars[first:end], angle, block_no, space_before and not first, along)

    def _word(
        self,
        chars: Sequence[Char],
        angle: int,
        block_no: int,
        space_before: bool,
        along: tuple[float, float],
    ) -> StyledWord:
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
        text = _text(_with_exponents(chars, main, first, along))
        return StyledWord(
            text=self._texts.setdefault(text, text),
            bbox=transform_box(box, self._matrix),
            size=self._shared(float(main["size"])),
            baseline=self._shared(float(baseline)),
            font=self._texts.setdefault(font, font),
            bold=bool(flags & _FLAG_BOLD) or any(b in font.lower() for b in _BOLD_FONT),
            italic=bool(flags & _FLAG_ITALIC),
            angle=angle,
            block_no=block_no,
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
