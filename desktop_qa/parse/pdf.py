"""The door to PyMuPDF: opens a PDF, hands out pages as `PageContent`, renders regions.

PyMuPDF serves one thread per process and can crash on hostile files, so this module is imported
only in the parsing processes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.hidden_modules import hidden_modules
from desktop_qa.parse.glyphs import GlyphReader
from desktop_qa.parse.page import ImagePlace, OutlineEntry, PageContent, Rule
from desktop_qa.parse.turned_pages import Turn, text_direction
from desktop_qa.parse.vectors import (
    DPI,
    Matrix,
    VectorReader,
    find_rules,
    pixels_of,
    ruled_bitmaps,
    transform_box,
)
from desktop_qa.parse.words import Ground, WordReader, seen_words, without_doubles

# PyMuPDF 2 loads its layout model with itself when it is installed: 2 s for each child.
with hidden_modules("pymupdf.layout"):
    import pymupdf


PAGE_ERRORS = (
    RuntimeError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    ZeroDivisionError,
    pymupdf.mupdf.FzErrorBase,
)
"""What a damaged page makes the engine raise."""

_TEXT_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
)
_REUSE_IMAGES = 1
_BLANK_GLYPH = re.compile(rb'<path id="(font_\d+_\d+)" d=""/>\n?')
_MAX_LOOK_PX = 2500
_DAMAGE = re.compile(r"error|not a stream|non-page|premature|cannot")
"""Complaints of the engine that explain an empty page."""

_MIN_SPACES = 20
"""Spaces on a page without words from which on they may be letters of a broken font."""

_MAX_NOISE = 6
"""Steps of grey, of 255, that nobody sees."""


class PdfFile:
    """An open PDF; use as a context manager, in one thread."""

    def __init__(self, path: Path, password: str = "") -> None:
        """Open a file, with the user's or the owner's password.

        Raises:
            UnreadableDocumentError: For an empty, damaged or foreign file, and for a protected
                one without its password.
        """
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        self._document = _open(path, password)
        self._texts: dict[str, str] = {}
        self._turns: dict[int, Turn] = {}
        self._drawn: tuple[int, pymupdf.DisplayList] | None = None
        self._glyphs = GlyphReader()

    def __enter__(self) -> PdfFile:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._drawn = None
        self._document.close()

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return int(self._document.page_count)

    @property
    def metadata(self) -> dict[str, str]:
        """The PDF's own metadata; to be believed only when the pages agree."""
        return {str(k): str(v) for k, v in (self._document.metadata or {}).items() if v}

    @property
    def turns(self) -> Mapping[int, Turn]:
        """Pages that `upright_page` has turned, by number; they are upright from then on."""
        return self._turns

    def outline(self) -> tuple[OutlineEntry, ...]:
        """Bookmarks in order, empty when there are none."""
        entries = []
        try:
            contents = self._document.get_toc(simple=False)
        except PAGE_ERRORS:
            return ()
        for level, title, page_no, target in contents:
            if 1 <= page_no <= self.n_pages:
                top = self._target_top(page_no, target)
                entries.append(OutlineEntry(int(level), " ".join(title.split()), page_no, top))
        return tuple(entries)

    def _target_top(self, page_no: int, target: dict[str, Any]) -> float | None:
        point = target.get("to")
        if target.get("kind") != pymupdf.LINK_GOTO or point is None:
            return None
        try:
            page = self.engine_page(page_no)
            top = float((pymupdf.Point(point) * page.rotation_matrix).y)
        except PAGE_ERRORS:
            return None
        return top if 0 < top < page.rect.height else None

    def page(self, page_no: int, *, words_only: bool = False) -> PageContent:
        """Read one page, 1-based, as it is displayed.

        Drawings and bitmaps, left out for `words_only`, may take all time and memory. Raises one of
        `PAGE_ERRORS` when it is damaged.
        """
        pymupdf.TOOLS.reset_mupdf_warnings()
        page = self.engine_page(page_no)
        matrix: Matrix = tuple(page.rotation_matrix)
        reader = WordReader(matrix, int(page.rotation), self._texts)
        blocks = page.get_text("rawdict", flags=_TEXT_FLAGS)["blocks"]
        if not words_only:
            self._glyphs.name(blocks, page)
        words = reader.read(blocks)
        width, height = float(page.rect.width), float(page.rect.height)
        sheet = BoundingBox(0.0, 0.0, width, height)
        vectors = VectorReader(matrix)
        rules = vectors.rules
        images: tuple[ImagePlace, ...] = ()
        undecoded = False
        if words_only:
            seen = tuple(without_doubles(words))
        else:
            vectors.read(page.get_cdrawings())
            images = tuple(_images(page, matrix, thorough=not words))
            are_blank = partial(_are_blank, page)
            seen = seen_words(words, Ground(width, height, vectors.fills, images, are_blank))
            if not (words or images or vectors.drawings):
                if reader.n_spaces >= _MIN_SPACES:
                    undecoded = not are_blank([sheet])[0]
                _raise_damage()
            if seen and (bitmaps := ruled_bitmaps(images, sheet)):
                rules = [*rules, *_bitmap_rules(page, bitmaps)]
        return PageContent(
            page_no=page_no,
            width=width,
            height=height,
            label=page.get_label() or str(page_no),
            words=seen,
            rules=tuple(rules),
            fills=tuple(vectors.fills),
            drawings=tuple(vectors.drawings),
            images=images,
            undecoded=undecoded,
            vertical=reader.is_vertical,
        )

    def upright_page(self, page_no: int, *, words_only: bool = False) -> PageContent:
        """Read one page; one whose whole text lies on a side is turned upright for good.

        See `page`; `turns` tells which were turned.
        """
        content = self.page(page_no, words_only=words_only)
        angle = 0 if content.vertical else text_direction(content.words)
        if not angle:
            return content
        page = self.engine_page(page_no)
        page.set_rotation((page.rotation - angle) % 360)
        page = self._document.reload_page(page)
        self._turns[page_no] = Turn(angle, float(page.rect.width), float(page.rect.height))
        return self.page(page_no, words_only=words_only)

    def engine_page(self, page_no: int) -> pymupdf.Page:
        """Load the engine's own page, 1-based, in the coordinates in which the viewer shows it."""
        return as_displayed(self._document, page_no - 1)

    def page_size(self, page_no: int) -> tuple[float, float]:
        """Width and height in points as displayed; US Letter for a page that cannot be loaded."""
        try:
            rect = self.engine_page(page_no).rect
        except PAGE_ERRORS:
            return 612.0, 792.0
        return float(rect.width), float(rect.height)

    def render(self, page_no: int, bbox: BoundingBox, target: Path, dpi: int = 200) -> None:
        """Render a region of a page to a PNG file, no side longer than 3000 pixels."""
        longest = max(bbox.width, bbox.height, 1.0)
        scale = min(dpi / 72, 3000 / longest)
        drawn = self._display_list(page_no)
        # The clip is in displayed coordinates when the page is rotated, as bbox is.
        clip = pymupdf.Rect(bbox.left, bbox.top, bbox.right, bbox.bottom) & drawn.rect
        matrix = pymupdf.Matrix(scale, scale)
        drawn.get_pixmap(matrix=matrix, clip=clip, alpha=0).save(target)

    def picture(self, page_no: int, bbox: BoundingBox, dpi: int) -> NDArray[np.uint8]:
        """Draw a region of a page, in points as displayed, as rows of grey; 255 is white."""
        clip = pymupdf.Rect(bbox.left, bbox.top, bbox.right, bbox.bottom)
        drawn = self._display_list(page_no).get_pixmap(
            matrix=pymupdf.Matrix(dpi / 72, dpi / 72), clip=clip, colorspace=pymupdf.csGRAY, alpha=0
        )
        return pixels_of(drawn).copy()

    def render_vector(self, page_no: int, bbox: BoundingBox, target: Path, max_bytes: int) -> bool:
        """Write a region of a page to an SVG file, its text as outlines.

        Args:
            page_no: 1-based.
            bbox: Region in points as displayed.
            target: SVG to write; its folder exists.
            max_bytes: Beyond which nothing is written.

        Returns:
            True when the file was written.
        """
        drawn = self._display_list(page_no)
        clip = pymupdf.Rect(bbox.left, bbox.top, bbox.right, bbox.bottom) & drawn.rect
        svg = _svg(drawn, clip)
        if len(svg) > max_bytes:
            return False
        target.write_bytes(svg)
        return True

    def _display_list(self, page_no: int) -> pymupdf.DisplayList:
        """Interpret a page once for all its figures, which are drawn page by page."""
        if self._drawn is None or self._drawn[0] != page_no:
            self._drawn = page_no, self.engine_page(page_no).get_displaylist()
        return self._drawn[1]


def as_displayed(document: pymupdf.Document, page_index: int) -> pymupdf.Page:
    """Load a page with what the engines read differently made plain, as the viewer reads it.

    A UserUnit would scale all coordinates of the engine, and those of no viewer; 0 leaves nothing
    to read. A turn that is no quarter is rounded by one and cut off by the other, and an empty
    CropBox is nothing to one and passed over by the other. All this is mended in the opened
    document, never in the file.
    """
    page = document[page_index]
    mended: dict[str, str] = {}
    if document.xref_get_key(page.xref, "UserUnit")[0] != "null":
        mended["UserUnit"] = "null"
    kind, turn = document.xref_get_key(page.xref, "Rotate")
    if kind in ("int", "float") and float(turn) % 90:
        mended["Rotate"] = str(int(float(turn) / 90) * 90)
    kind, box = document.xref_get_key(page.xref, "CropBox")
    if kind == "array" and _is_empty_box(box):
        mended["CropBox"] = "null"
    for key, value in mended.items():
        document.xref_set_key(page.xref, key, value)
    return document.reload_page(page) if mended else page


def _is_empty_box(box: str) -> bool:
    try:
        left, bottom, right, top = (float(number) for number in box.strip("[]").split())
    except ValueError:
        return False
    return left == right or bottom == top


def _svg(drawn: pymupdf.DisplayList, clip: pymupdf.Rect) -> bytes:
    """Run the commands of a page that touch a region through the engine's SVG device."""
    mupdf = pymupdf.mupdf
    buffer = mupdf.fz_new_buffer(1 << 16)
    output = mupdf.FzOutput(buffer)
    device = mupdf.fz_new_svg_device(
        output, clip.width, clip.height, mupdf.FZ_SVG_TEXT_AS_PATH, _REUSE_IMAGES
    )
    matrix = mupdf.fz_translate(-clip.x0, -clip.y0)
    area = mupdf.FzRect(0, 0, clip.width, clip.height)
    mupdf.fz_run_display_list(drawn.this, device, matrix, area, mupdf.FzCookie())
    mupdf.fz_close_device(device)
    mupdf.fz_close_output(output)
    return _without_blanks(bytes(mupdf.fz_buffer_extract_copy(buffer)))


def _without_blanks(svg: bytes) -> bytes:
    """Leave out the glyphs without outline, spaces, which readers of SVG complain about."""
    for name in _BLANK_GLYPH.findall(svg):
        svg = re.sub(rb'<use\b[^>]*"#' + re.escape(name) + rb'"[^>]*/>\n?', b"", svg)
    return _BLANK_GLYPH.sub(b"", svg)


def _open(path: Path, password: str) -> pymupdf.Document:
    try:
        with path.open("rb") as file:
            head = file.read(4096)
        if not head:
            raise UnreadableDocumentError("The file is empty.", "Copy or download it again.")
        if b"%PDF-" not in head:
            raise UnreadableDocumentError(
                "This is not a PDF file, whatever its name says.",
                "Open it with another program and save it as PDF, or remove it from the folder.",
            )
        document = pymupdf.open(path, filetype="pdf")
    except OSError as error:
        raise UnreadableDocumentError(
            f"The file could not be opened ({error.strerror}).",
            "Check that it still exists and that you may read it.",
        ) from error
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as error:
        raise UnreadableDocumentError(
            "The PDF is damaged and could not be opened.", "Copy or download it again."
        ) from error
    return _checked(document, password)


def _checked(document: pymupdf.Document, password: str) -> pymupdf.Document:
    if document.needs_pass and not (password and document.authenticate(password)):
        raise UnreadableDocumentError(
            "The PDF needs a password.",
            "Open it in the window and type the password, or add a copy without one.",
        )
    try:
        n_pages = document.page_count
    except (RuntimeError, ValueError) as error:
        raise UnreadableDocumentError(
            "The PDF is damaged and its pages could not be counted.", "Copy or download it again."
        ) from error
    if n_pages == 0:
        raise UnreadableDocumentError(
            "The PDF has no readable page; it is damaged or cut off.", "Copy or download it again."
        )
    return document


def _raise_damage() -> None:
    """Refuse a page on which nothing was found when the engine complained about it."""
    complaints = pymupdf.TOOLS.mupdf_warnings().splitlines()
    damage = next((line for line in complaints if _DAMAGE.search(line)), "")
    if damage:
        raise ValueError(damage)


def _images(page: pymupdf.Page, matrix: Matrix, *, thorough: bool) -> Iterator[ImagePlace]:
    """Find bitmaps; only a thorough look finds those that are written into the page itself."""
    if not thorough and not page.get_images():
        return
    for info in page.get_image_info():
        box = transform_box(info["bbox"], matrix)
        if box.area > 0:
            yield ImagePlace(box, int(info["width"]), int(info["height"]))


def _bitmap_rules(page: pymupdf.Page, bitmaps: Sequence[ImagePlace]) -> Iterator[Rule]:
    """Draw a page and find the lines that its bitmaps show."""
    scale = DPI / 72
    drawn = page.get_pixmap(
        matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False
    )
    for rule in find_rules(pixels_of(drawn)):
        if any(bitmap.bbox.contains_center(rule.bbox) for bitmap in bitmaps):
            yield rule


def _are_blank(page: pymupdf.Page, boxes: Sequence[BoundingBox]) -> list[bool]:
    """Draw a page and tell of regions, as displayed, whether they are of one colour."""
    clip = pymupdf.Rect()
    for box in boxes:
        clip |= pymupdf.Rect(box.left, box.top, box.right, box.bottom)
    clip &= page.rect
    if clip.is_empty:
        return [False] * len(boxes)
    scale = min(1.5, _MAX_LOOK_PX / max(clip.width, clip.height))
    drawn = page.get_pixmap(
        matrix=pymupdf.Matrix(scale, scale), clip=clip, colorspace=pymupdf.csGRAY, alpha=False
    )
    pixels = pixels_of(drawn)
    blank = []
    for box in boxes:
        left, top = int(box.left * scale) - drawn.x, int(box.top * scale) - drawn.y
        right, bottom = (
            math.ceil(box.right * scale) - drawn.x,
            math.ceil(box.bottom * scale) - drawn.y,
        )
        seen = pixels[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        # What lies outside of the page is not judged.
        blank.append(bool(seen.size) and int(np.ptp(seen)) <= _MAX_NOISE)
    return blank
