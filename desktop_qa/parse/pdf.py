"""The door to PyMuPDF: opens a PDF, hands out pages as `PageContent`, renders regions.

PyMuPDF serves one thread per process and can crash on hostile files, so this module is imported
only in the parsing processes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.hidden_modules import hidden_modules
from desktop_qa.parse.characters import repair
from desktop_qa.parse.overprint import Ground, seen_words, without_doubles
from desktop_qa.parse.page import ImagePlace, OutlineEntry, PageContent, StyledWord
from desktop_qa.parse.vectors import Matrix, VectorReader, transform_box, transform_point

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
_MAX_LOOK_PX = 2500
_MAX_NOISE = 6
"""Steps of grey, of 255, that nobody sees."""

_BOLD_FONT = ("bold", "black", "heavy", "semibold", "demi")


class PdfFile:
    """An open PDF; use as a context manager, in one thread."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            UnreadableDocumentError: For an empty, damaged, foreign or password-protected file.
        """
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        self._document = _open(path)

    def __enter__(self) -> PdfFile:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._document.close()

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return int(self._document.page_count)

    @property
    def metadata(self) -> dict[str, str]:
        """The PDF's own metadata; to be believed only when the pages agree."""
        return {str(k): str(v) for k, v in (self._document.metadata or {}).items() if v}

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
            page = self._document[page_no - 1]
            top = float((pymupdf.Point(point) * page.rotation_matrix).y)
        except PAGE_ERRORS:
            return None
        return top if 0 < top < page.rect.height else None

    def page(self, page_no: int, *, words_only: bool = False) -> PageContent:
        """Read one page.

        Args:
            page_no: 1-based.
            words_only: Leave out drawings and bitmaps, which may take all time and memory.
        """
        page = self._document[page_no - 1]
        matrix: Matrix = tuple(page.rotation_matrix)
        words = list(_words(page, matrix))
        vectors = VectorReader(matrix)
        images: tuple[ImagePlace, ...] = ()
        if words_only:
            words = without_doubles(words)
        else:
            vectors.read(page.get_cdrawings())
            images = tuple(_images(page, matrix, thorough=not words))
        width, height = float(page.rect.width), float(page.rect.height)
        return PageContent(
            page_no=page_no,
            width=width,
            height=height,
            label=page.get_label() or str(page_no),
            words=tuple(words)
            if words_only
            else seen_words(
                words, Ground(width, height, vectors.fills, images, partial(_are_blank, page))
            ),
            rules=tuple(vectors.rules),
            fills=tuple(vectors.fills),
            drawings=tuple(vectors.drawings),
            images=images,
        )

    def engine_page(self, page_no: int) -> pymupdf.Page:
        """The engine's own page, 1-based, for what measures this reading from outside."""
        return self._document[page_no - 1]

    def page_size(self, page_no: int) -> tuple[float, float]:
        """Width and height in points as displayed; US Letter for a page that cannot be loaded."""
        try:
            rect = self._document[page_no - 1].rect
        except PAGE_ERRORS:
            return 612.0, 792.0
        return float(rect.width), float(rect.height)

    def render(self, page_no: int, bbox: BoundingBox, target: Path, dpi: int = 200) -> None:
        """Render a region of a page to a PNG file.

        Args:
            page_no: 1-based.
            bbox: Region in points as displayed.
            target: PNG to write; its folder exists.
            dpi: Resolution; lowered for large regions so that no side exceeds 3000 pixels.
        """
        page = self._document[page_no - 1]
        longest = max(bbox.width, bbox.height, 1.0)
        scale = min(dpi / 72, 3000 / longest)
        clip = pymupdf.Rect(bbox.left, bbox.top, bbox.right, bbox.bottom) & page.rect
        # get_pixmap's clip is in displayed coordinates when the page is rotated, as bbox is.
        page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False).save(target)


def _open(path: Path) -> pymupdf.Document:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UnreadableDocumentError(
            f"The file could not be opened ({error.strerror}).",
            "Check that it still exists and that you may read it.",
        ) from error
    if size == 0:
        raise UnreadableDocumentError("The file is empty.", "Copy or download it again.")
    try:
        head = _read_head(path)
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
    return _checked(document)


def _read_head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4096)


def _checked(document: pymupdf.Document) -> pymupdf.Document:
    if document.needs_pass:
        raise UnreadableDocumentError(
            "The PDF is protected by a password.",
            "Save a copy without the password and add that.",
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


def _words(page: pymupdf.Page, matrix: Matrix) -> Iterator[StyledWord]:
    rotation = int(page.rotation)
    line_no = 0
    for block_no, block in enumerate(page.get_text("rawdict", flags=_TEXT_FLAGS)["blocks"]):
        for line in block.get("lines", ()):
            angle = round(math.degrees(math.atan2(line["dir"][1], line["dir"][0]))) + rotation
            yield from _line_words(line, angle % 360, block_no, line_no, matrix)
            line_no += 1


def _line_words(
    line: dict[str, Any], angle: int, block_no: int, line_no: int, matrix: Matrix
) -> Iterator[StyledWord]:
    """Split a line at spaces and at gaps; a change of font alone does not end a word (VOS)."""
    along = line["dir"]
    word: list[tuple[dict[str, Any], dict[str, Any]]] = []
    space_before = True
    end: float | None = None
    largest = 0.0
    for span in line["spans"]:
        for char in span["chars"]:
            if char["c"].isspace() or char["c"] == "\u200b":
                if word:
                    yield _word(word, angle, block_no, line_no, space_before, matrix)
                word, space_before = [], True
                continue
            x, y = char["origin"]
            start = x * along[0] + y * along[1]
            # A mark before its text ("1FEATURES") is a word; a script after its word is not.
            if (
                word
                and end is not None
                and (start - end > 0.22 * span["size"] or span["size"] > 1.3 * largest)
            ):
                yield _word(word, angle, block_no, line_no, space_before, matrix)
                word, space_before = [], True
            largest = max(largest, span["size"]) if word else span["size"]
            word.append((char, span))
            end = start + _advance(char["bbox"], along)
    if word:
        yield _word(word, angle, block_no, line_no, space_before, matrix)


def _advance(bbox: tuple[float, float, float, float], along: tuple[float, float]) -> float:
    return abs((bbox[2] - bbox[0]) * along[0]) + abs((bbox[3] - bbox[1]) * along[1])


def _word(
    chars: list[tuple[dict[str, Any], dict[str, Any]]],
    angle: int,
    block_no: int,
    line_no: int,
    space_before: bool,
    matrix: Matrix,
) -> StyledWord:
    boxes = [char["bbox"] for char, _span in chars]
    box = (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )
    main = max((span for _char, span in chars), key=lambda span: float(span["size"]))
    font = str(main["font"])
    flags = int(main["flags"])
    first = next(char for char, span in chars if span is main)
    _x, baseline = transform_point(first["origin"], matrix)
    return StyledWord(
        text=_text(chars),
        bbox=transform_box(box, matrix),
        size=float(main["size"]),
        baseline=float(baseline),
        font=font,
        bold=bool(flags & pymupdf.TEXT_FONT_BOLD) or any(b in font.lower() for b in _BOLD_FONT),
        italic=bool(flags & pymupdf.TEXT_FONT_ITALIC),
        angle=angle,
        block_no=block_no,
        line_no=line_no,
        space_before=space_before,
        color=int(main["color"]),
        hidden=int(main["alpha"]) == 0,
    )


def _text(chars: list[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    text = "".join(char["c"] for char, _span in chars)
    if text.isascii() and "_" not in str(chars[0][1]["font"]) and text.isprintable():
        return text
    return "".join(
        repair("".join(char["c"] for char, _span in run), font)
        for font, run in groupby(chars, key=lambda pair: str(pair[1]["font"]))
    )


def _images(page: pymupdf.Page, matrix: Matrix, *, thorough: bool) -> Iterator[ImagePlace]:
    """Find bitmaps; only a thorough look finds those that are written into the page itself."""
    if not thorough and not page.get_images():
        return
    for info in page.get_image_info():
        box = transform_box(info["bbox"], matrix)
        if box.area > 0:
            yield ImagePlace(box, int(info["width"]), int(info["height"]))


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
    return [_is_blank(drawn, box, scale) for box in boxes]


def _is_blank(drawn: pymupdf.Pixmap, box: BoundingBox, scale: float) -> bool:
    left, right = int(box.left * scale) - drawn.x, math.ceil(box.right * scale) - drawn.x
    top, bottom = int(box.top * scale) - drawn.y, math.ceil(box.bottom * scale) - drawn.y
    left, right = max(left, 0), min(right, drawn.width)
    rows = range(max(top, 0), min(bottom, drawn.height))
    pixels = drawn.samples_mv
    values: set[int] = set()
    for row in rows:
        values.update(pixels[row * drawn.stride + left : row * drawn.stride + right])
    # What lies partly outside of the page is not judged.
    return bool(values) and max(values) - min(values) <= _MAX_NOISE
