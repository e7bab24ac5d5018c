"""Characters that a font does not name, or names wrongly, read by the shape of their glyphs.

Of the sheets of the 1990s every fifth writes "µA", "°C" or "≤" in glyphs that its text layer holds
as control codes, or as the letters that stand at their codes elsewhere; bitmap fonts hold whole
tables so. Such a glyph is compared, as the page shows it, with the glyphs of common fonts: its ink
stretched to a square, its width, and where its ink stands over the baseline. The letters of a font
that names its glyphs are found so in 0.98 of the cases in which the likeness suffices.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.hidden_modules import hidden_modules
from desktop_qa.parse.characters import is_symbolic, is_unnamed, repair
from desktop_qa.parse.vectors import Matrix, pixels_of, transform_box, transform_point

with hidden_modules("pymupdf.layout"):
    import pymupdf

_Floats = NDArray[np.float32]
_Grey = NDArray[np.uint8]
_Span = dict[str, Any]
_Line = Mapping[str, Any]
_Along = tuple[float, float]
_Font = tuple[tuple[int, ...], str]
"""Numbers in the file, for others may have the name on other pages; and name."""

_FONTS = ("helv", "hebo", "heit", "hebi", "tiro", "tibo", "tiit", "tibi")
_LIGATURES = "ﬁﬂﬀﬃﬄ"
_SIGNS = "°±µ·×÷©®½§ΓΔΘΛΞΠΣΦΨΩαβγδεζηθκλπστφχψω≤≥≠≈∞√∫∂←→↑↓↔•–†‡…"
_CHARS = "".join(map(chr, range(0x21, 0x7F))) + _LIGATURES + _SIGNS
_DINGBATS = "■▲▼●◆❍❑❒➢➔✓✗①②③④⑤⑥⑦⑧⑨"

_DPI = 300
_MAX_SIDE_PX = 6000
_SIDE = 16
"""Pixels of a glyph's square."""

_SIZE_PX = 48
"""Of a font whose glyphs are compared with."""

_RISE, _FALL = 1.1, 0.4
"""Over and under the baseline, in sizes: what of a line is looked at."""

_ASLANT = 0.02
"""Sine of the angle from which on glyphs are drawn too differently to be compared."""

_LOOKS = 3
"""Places, far apart, at which a glyph is looked at: one of them may be ruled or painted over."""

_SURE_LIKENESS = 0.65
"""Cosine, less what the ink is apart, from which on 0.98 of the letters are the right ones."""

_LEAST_LIKENESS = 0.5
"""Below, nine of ten would be wrong; between, every other is right, of codes that say nothing."""

_CLEARLY = 0.35
"""By which a glyph is more like another character than like the one that its font names."""

_NEAR = 0.12
"""Likeness within which two characters may both be meant: O and 0."""

_MAX_KINDS = 10
"""Of a font's glyphs, by which is judged whether its names are right."""

_LEAST_SEEN = 0.2
"""Share of these that must be made out; of a text under a picture nothing is seen but dots."""

_INK = 128

_LEAST_CONTRAST = 32
"""Of 255, between a text and what it stands on."""

_SPACE = 0.2
"""Sizes of a font; blanks that are thinner set signs off within a word."""

_THIN = 0.03
"""Sizes: below which widths are alike."""


class _Shape(NamedTuple):
    """Ink of a glyph: a vector (side²) of length 1, and its extent in sizes of the font."""

    square: _Floats
    width: float
    top: float
    foot: float


@dataclass(frozen=True, slots=True)
class _Glyph:
    """A character of the engine, which is changed in place, with what it stands in and beside."""

    char: dict[str, Any]
    size: float
    along: _Along
    grey: float
    beside: Sequence[dict[str, Any]]

    @property
    def is_wide(self) -> bool:
        """True when it parts words if nothing is seen of it."""
        left, top, right, bottom = self.char["bbox"]
        dx, dy = map(abs, self.along)
        return bool((right - left) * dx + (bottom - top) * dy > _SPACE * self.size)


class GlyphReader:
    """Names the glyphs of an open file; what was found of a font holds for all its pages."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._misnamed: dict[_Font, bool] = {}
        self._ligatures: dict[_Font, dict[str, bool]] = defaultdict(dict)
        self._believed: set[int] = set()
        self._read: dict[tuple[_Font, str], str] = {}

    def name(self, blocks: Sequence[Mapping[str, Any]], page: pymupdf.Page) -> None:
        """Put what is seen in place of codes without meaning, of wrong names and of blanks.

        The page is drawn only when it has a glyph that was not looked at before.
        """
        numbers = self._numbers(page)
        fonts: dict[_Font, list[tuple[_Span, _Line]]] = defaultdict(list)
        for block in blocks:
            for line in block.get("lines", ()):
                is_aslant = min(map(abs, line["dir"])) > _ASLANT
                for span in line["spans"]:
                    if is_aslant or not (span["alpha"] and span["chars"]):
                        continue
                    fonts[_font(span["font"], numbers, page)].append((span, line))
        wanted: dict[_Font, tuple[set[str], dict[str, list[_Glyph]]]] = {}
        for font, spans in fonts.items():
            chars = {char["c"] for span, _line in spans for char in span["chars"]}
            chars = {char for char in chars if not _is_space(char)}
            unnamed = {char for char in chars if is_unnamed(repair(char, font[1]))}
            letters = filter(_may_be_ligature, chars)
            # The one sign of a font may be blank, whatever its name.
            is_known = len(chars) > 1 and self._believed.issuperset(font[0])
            is_other = any(self._ligatures[font].get(char, True) for char in letters)
            if unnamed or is_other or (chars and self._misnamed.get(font, not is_known)):
                wanted[font] = unnamed, _kinds(spans, chars)
        if not wanted:
            return
        seen = _Page(page, [_looks(kinds) for _unnamed, kinds in wanted.values()])
        for font, (unnamed, kinds) in wanted.items():
            if font not in self._misnamed:
                if (is_misnamed := _is_misnamed(_looks(kinds), seen)) is not None:
                    self._misnamed[font] = is_misnamed
                if _is_blank_sign(kinds, seen):
                    self._misnamed[font] = True
                    self._read[font, next(iter(kinds))] = ""
                if not self._misnamed.get(font, True):
                    self._believed.update(font[0])
            ligatures = self._ligatures[font]
            for char, looks in _looks(kinds).items():
                if _may_be_ligature(char) and char not in ligatures:
                    ligatures[char] = bool(_is_another(char, seen.shapes(looks)))
            unnamed |= {char for char in kinds if ligatures.get(char)}
            looked_at = sorted(kinds if self._misnamed.get(font) else unnamed)
            self._put(font, {char: kinds[char] for char in looked_at}, seen)
            for span, _line in fonts[font]:
                span["chars"] = [char for char in span["chars"] if char["c"]]

    def believes(self, names: Collection[str], page: pymupdf.Page) -> bool:
        """Tell whether fonts of a page say rightly what they show, as far as they say it."""
        numbers = self._numbers(page)
        return all(self._believed.issuperset(_font(name, numbers, page)[0]) for name in names)

    def _numbers(self, page: pymupdf.Page) -> dict[str, set[int]]:
        """Return the numbers in the file of a page's fonts, by name."""
        numbers: dict[str, set[int]] = defaultdict(set)
        for number, extension, kind, base, resource, *_rest in page.get_fonts():
            numbers[resource if kind == "Type3" else base.rpartition("+")[2]].add(number)
            # What is not in the file is drawn by the names of its glyphs, if by a font of letters.
            if extension == "n/a" and kind != "Type3" and not is_symbolic(base):
                self._believed.add(number)
        return numbers

    def _put(self, font: _Font, kinds: Mapping[str, Sequence[_Glyph]], page: _Page) -> None:
        new = {
            char: page.shapes(looks)
            for char, looks in _looks(kinds).items()
            if (font, char) not in self._read
        }
        seen = {char: _seen(char, shapes) for char, shapes in new.items()}
        if self._misnamed.get(font) and 2 * sum(map(str.isascii, seen.values())) < len(seen):
            # Of signs alone: its µ is no p, which would stand in the font of the text.
            seen = {char: _seen(char, shapes, signs_only=True) for char, shapes in new.items()}
        self._read |= {(font, char): read for char, read in seen.items()}
        for char in kinds:
            for glyph in kinds[char]:
                glyph.char["c"] = self._read[font, char][:1]
        fitting = {char: _fitting(self._read[font, char], of) for char, of in kinds.items()}
        for char, glyphs in kinds.items():
            for glyph in glyphs:
                glyph.char["c"] = fitting[char] or (" " if glyph.is_wide else "")


def _font(name: str, numbers: Mapping[str, set[int]], page: pymupdf.Page) -> _Font:
    return tuple(sorted(numbers.get(name.rpartition("+")[2], {-page.number}))), name


def _is_space(char: str) -> bool:
    """Tell spaces from the separators that Python counts among them and fonts use for signs."""
    return char.isspace() and not "\x1c" <= char <= "\x1f" and char != "\x85"


def _kinds(
    spans: Sequence[tuple[_Span, _Line]], wanted: Collection[str]
) -> dict[str, list[_Glyph]]:
    kinds: dict[str, list[_Glyph]] = {char: [] for char in wanted}
    for span, line in spans:
        chars = [char for other in line["spans"] for char in other["chars"]]
        first = next(i for i, char in enumerate(chars) if char is span["chars"][0])
        for index, char in enumerate(span["chars"], first):
            if char["c"] in kinds:
                beside = (*chars[max(index - 1, 0) : index], *chars[index + 1 : index + 2])
                of_span = float(span["size"]), line["dir"], _grey_of(span["color"])
                kinds[char["c"]].append(_Glyph(char, *of_span, beside))
    return kinds


def _grey_of(colour: int) -> float:
    """Return how light a colour of the engine (sRGB) is drawn, 0 to 255."""
    return 0.3 * (colour >> 16) + 0.59 * (colour >> 8 & 255) + 0.11 * (colour & 255)


def _looks(kinds: Mapping[str, Sequence[_Glyph]]) -> dict[str, Sequence[_Glyph]]:
    """Choose the places at which each glyph of a font is looked at, the most frequent one first."""
    if len(kinds) == 1:
        return dict(kinds)
    frequent = sorted(kinds, key=lambda char: (-len(kinds[char]), char))
    return {char: kinds[char][:: max(len(kinds[char]) // _LOOKS, 1)][:_LOOKS] for char in frequent}


def _is_blank_sign(kinds: Mapping[str, Sequence[_Glyph]], page: _Page) -> bool:
    """Tell whether a font has but one sign, and at most places nothing is seen of it.

    Such signs end lines and paragraphs, whatever their code says; they may lie over other text and
    over rules.
    """
    if len(kinds) > 1:
        return False
    seen = [page.shape(glyph) for glyphs in kinds.values() for glyph in glyphs]
    return 2 * seen.count(None) > len(seen)


def _is_misnamed(looks: Mapping[str, Sequence[_Glyph]], page: _Page) -> bool | None:
    """Tell whether most of a font's glyphs are clearly others than it says.

    Returns:
        None where too few can be made out: other pages tell.
    """
    named = [char for char in looks if not is_unnamed(char)][:_MAX_KINDS]
    known = [char for char in named if _known(char) is not None]
    judged = [_is_another(char, page.shapes(looks[char])) for char in known]
    right, wrong = judged.count(False), judged.count(True)
    if wrong <= right:
        return False
    return True if right + wrong >= _LEAST_SEEN * len(known) else None


def _is_another(char: str, shapes: Sequence[_Shape]) -> bool | None:
    """Tell whether a glyph is clearly another character; None when it cannot be made out."""
    claimed = _known(char)
    found = float(_likenesses(shapes).max()) if shapes else 0.0
    if claimed is None or found < _SURE_LIKENESS:
        return None
    return max(float(_likeness(one, claimed).max()) for one in shapes) < found - _CLEARLY


def _may_be_ligature(char: str) -> bool:
    """Tell a letter by which fonts that name the others rightly call ligatures: "proÞt"."""
    return "\x7f" < char < "\u0250" and char.isalpha()


def _seen(char: str, shapes: Sequence[_Shape], *, signs_only: bool = False) -> str:
    """Return what a glyph may show, the likeliest first; nothing for a blank, else as it was."""
    if not shapes:
        return ""
    likeness = _likenesses(shapes)
    if signs_only:
        likeness[_alphabet().chars < "\x80"] = -1
    elif likeness.max() < _LEAST_LIKENESS:
        return char
    order = np.argsort(-likeness)
    near = order[likeness[order] > likeness.max() - _NEAR]
    return "".join(dict.fromkeys(_alphabet().chars[near].tolist()))


def _fitting(chars: str, glyphs: Sequence[_Glyph]) -> str:
    """Choose between O and 0, I and l: what stands beside them is of their kind, then case."""
    if len(chars) < 2:
        return chars
    beside = [char["c"] for glyph in glyphs for char in glyph.beside if char["c"] not in chars]

    def fit(char: str) -> tuple[int, int]:
        alike = [other for other in beside if other.isalpha() == char.isalpha()]
        return len(alike), sum(other.isupper() == char.isupper() for other in alike)

    return max(chars, key=fit)  # the likeliest of those that fit alike


class _Page:
    """What is drawn of a page where its glyphs stand."""

    def __init__(self, page: pymupdf.Page, fonts: Sequence[Mapping[str, Sequence[_Glyph]]]) -> None:
        self._matrix: Matrix = tuple(page.rotation_matrix)
        clip = pymupdf.Rect()
        for kinds in fonts:
            for glyphs in kinds.values():
                for glyph in glyphs:
                    clip |= pymupdf.Rect(*self._zone(glyph)[:4])
        self._page = page
        self._clip = clip & page.rect
        self._scale = min(_DPI / 72, _MAX_SIDE_PX / max(self._clip.width, self._clip.height, 1.0))

    @cached_property
    def _drawn(self) -> tuple[_Grey, int, int]:
        """Its grey, and where that begins; drawn when a glyph is looked at first."""
        scale = pymupdf.Matrix(self._scale, self._scale)
        drawn = self._page.get_pixmap(
            matrix=scale, clip=self._clip, colorspace=pymupdf.csGRAY, alpha=False
        )
        return pixels_of(drawn), drawn.x, drawn.y

    def shapes(self, looks: Sequence[_Glyph]) -> list[_Shape]:
        """Return the ink of a glyph at some of its places; none of a blank one."""
        seen = [self.shape(glyph) for glyph in looks]
        return [shape for shape in seen if shape is not None]

    def shape(self, glyph: _Glyph) -> _Shape | None:
        """Return the ink at one place; None where there is none."""
        left, top, right, bottom, turns = self._zone(glyph)
        grey, x, y = self._drawn
        x0, x1 = (max(round(at * self._scale) - x, 0) for at in (left, right))
        y0, y1 = (max(round(at * self._scale) - y, 0) for at in (top, bottom))
        size = glyph.size * self._scale
        seen = _in_black(grey[y0:y1, x0:x1], glyph.grey)
        return _shape(np.rot90(seen, turns), _RISE * size, size)

    def _zone(self, glyph: _Glyph) -> tuple[float, float, float, float, int]:
        """Return where its ink may be, as displayed, and the quarter turns of its line."""
        x, y = transform_point(glyph.char["origin"], self._matrix)
        box = transform_box(glyph.char["bbox"], self._matrix)
        a, b, c, d, _e, _f = self._matrix
        along = (a * glyph.along[0] + c * glyph.along[1], b * glyph.along[0] + d * glyph.along[1])
        turns = round(math.atan2(along[1], along[0]) / (math.pi / 2)) % 4
        rise, fall = _RISE * glyph.size, _FALL * glyph.size
        return (
            (box.left, y - rise, box.right, y + fall, turns),
            (x - fall, box.top, x + rise, box.bottom, turns),
            (box.left, y - fall, box.right, y + rise, turns),
            (x - rise, box.top, x + fall, box.bottom, turns),
        )[turns]


def _in_black(seen: _Grey, grey: float) -> _Grey:
    """Return a picture with its text black on white, whatever both are drawn in."""
    from_text = seen - np.float32(grey)
    around = from_text[np.abs(from_text) >= _LEAST_CONTRAST]
    if not around.size:
        return np.full_like(seen, 255)
    in_black: _Grey = np.clip(255 * from_text / np.median(around), 0, 255).astype(np.uint8)
    return in_black


def _shape(grey: _Grey, baseline: float, size: float) -> _Shape | None:
    """Measure the ink of a picture, in pixels; None when there is none."""
    ink = _without_neighbours(grey < _INK)
    ys, xs = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if not len(ys):
        return None
    top, bottom, left, right = int(ys[0]), int(ys[-1]) + 1, int(xs[0]), int(xs[-1]) + 1
    at = (np.arange(3 * _SIDE) + 0.5) / (3 * _SIDE)
    rows = (top + at * (bottom - top)).astype(int)
    columns = (left + at * (right - left)).astype(int)
    drawn = 255 - grey[rows[:, None], columns[None, :]].astype(np.float32)
    square: _Floats = drawn.reshape(_SIDE, 3, _SIDE, 3).mean((1, 3)).ravel()
    # I and l fill their squares: with a mean of nothing their rims alone would be compared.
    square -= 0.6 * square.mean()
    square /= np.linalg.norm(square)
    extent = ((right - left) / size, (baseline - top) / size, (baseline - bottom) / size)
    return _Shape(square, *extent)


def _without_neighbours(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out what runs in from the lines above and below, unless nothing else is there."""
    edges = np.flatnonzero(np.diff(np.pad(ink.any(1), 1).astype(np.int8)))
    bands = [(start, end) for start, end in edges.reshape(-1, 2) if start and end < len(ink)]
    if not bands:
        return ink
    kept = np.zeros_like(ink)
    for start, end in bands:
        kept[start:end] = ink[start:end]
    return kept


class _Alphabet(NamedTuple):
    """Characters of the common fonts: squares (n, side²), extents (n,) in sizes."""

    chars: NDArray[np.str_]
    squares: _Floats
    widths: _Floats
    tops: _Floats
    feet: _Floats


@lru_cache(maxsize=1)
def _alphabet() -> _Alphabet:
    drawn = [(name, _CHARS) for name in _FONTS] + [("zadb", _DINGBATS)]
    known = [pair for name, chars in drawn for pair in _draw(name, chars)]
    return _alphabet_of(known)


def _alphabet_of(known: Sequence[tuple[str, _Shape]]) -> _Alphabet:
    chars, shapes = zip(*known, strict=True)
    measured = (np.array(column, np.float32) for column in zip(*shapes, strict=True))
    return _Alphabet(np.array(chars), *measured)


def drawn_glyphs(name: str, chars: str, size: int) -> Iterator[tuple[str, _Grey]]:
    """Draw characters of a font of the engine, `size` pixels high: each and its rows of grey.

    The baseline is at twice the size.
    """
    font = pymupdf.Font(name)
    cell = 3 * size
    with pymupdf.open() as document:
        page = document.new_page(width=cell * len(chars), height=cell)
        writer = pymupdf.TextWriter(page.rect)
        for index, char in enumerate(chars):
            if font.has_glyph(ord(char)):
                writer.append((cell * index + size, 2 * size), char, font=font, fontsize=size)
        writer.write_text(page)
        drawn = page.get_pixmap(colorspace=pymupdf.csGRAY)
    grey = pixels_of(drawn)
    for index, char in enumerate(chars):
        yield char, grey[:, cell * index : cell * (index + 1)]


def _draw(name: str, chars: str) -> Iterator[tuple[str, _Shape]]:
    for char, grey in drawn_glyphs(name, chars, _SIZE_PX):
        shape = _shape(grey, 2 * _SIZE_PX, _SIZE_PX)
        if shape is not None:
            yield char, shape


@lru_cache(maxsize=512)
def _known(char: str) -> _Alphabet | None:
    """Return how a character looks, in the fonts that have it; None when none has."""
    known = _alphabet()
    of_char = known.chars == char
    if of_char.any():
        return _Alphabet(*(column[of_char] for column in known))
    drawn = [pair for name in _FONTS for pair in _draw(name, char)]
    return _alphabet_of(drawn) if drawn else None


def _likeness(shape: _Shape, known: _Alphabet) -> _Floats:
    """Compare a glyph with each of an alphabet: at most 1, for the same at the same place."""
    apart = np.abs(known.tops - shape.top) + np.abs(known.feet - shape.foot)
    wider = np.abs(np.log((known.widths + _THIN) / (shape.width + _THIN)))
    likeness: _Floats = known.squares @ shape.square - 0.5 * apart - 0.25 * wider
    return likeness


def _likenesses(shapes: Sequence[_Shape]) -> _Floats:
    """Compare looks at a glyph with all characters; of a code for several glyphs no two agree."""
    known = _alphabet()
    likenesses = np.sort([_likeness(shape, known) for shape in shapes], axis=0)
    middle: _Floats = likenesses[len(shapes) // 2]
    return middle
