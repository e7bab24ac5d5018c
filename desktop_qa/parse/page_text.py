"""Open files for the viewer: the text of single pages, links, bookmarks, searches.

PyMuPDF serves one thread per process and can crash on hostile files, so this module is imported
only in the text process. Files are read into memory: one that is changed or deleted while it is
open stays whole, and is not held on a network drive.
"""

from __future__ import annotations

import contextlib
import re
import time
from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from desktop_qa.core.copied_text import copied_text
from desktop_qa.core.document import BoundingBox
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.hidden_modules import hidden_modules
from desktop_qa.core.page_text import (
    CopiedText,
    FoundText,
    OutlineItem,
    PageLink,
    PageText,
    TextHit,
    TextProblem,
    TextQuery,
    TextSpan,
)
from desktop_qa.core.text_search import FoldedPage, fold_page, hits_on, may_hold, squeezed
from desktop_qa.parse.characters import is_garbled
from desktop_qa.parse.glyphs import GlyphReader
from desktop_qa.parse.pdf import PAGE_ERRORS, as_displayed
from desktop_qa.parse.reading_text import ReadingPage
from desktop_qa.parse.vectors import Matrix, transform_box

with hidden_modules("pymupdf.layout"):
    import pymupdf

_TEXT_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_PRESERVE_LIGATURES
    | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
)
_MAX_CHARS_KEPT = 3_000_000
"""Characters of a file whose places are kept: 10 bytes each, a thousand pages of a datasheet."""

_SLICE_S = 0.1
"""A search answers after this time, so that its first hits show and other requests get in."""

_MAX_HITS_OF_SLICE = 1_000
_BROKEN = re.compile("[\ue000-\uf8ff\x00-\x08\x0e-\x1f\x7f-\x9f\U000f0000-\U0010ffff]")
"""Codes of symbol fonts and of fonts that do not say which letters they show."""

_PICTURE_SHARE = 0.5
_MIN_PATHS = 150
"""Shapes on a page without words that are its lettering."""


class TextFile:
    """An open file; use in one thread."""

    def __init__(self, path: Path, password: str = "") -> None:
        """Open a file.

        Raises:
            UnreadableDocumentError: For a file that is missing, damaged, or whose password is
                another.
        """
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        self._document = _open(path, password)
        self._pages: OrderedDict[int, PageText] = OrderedDict()
        self._glyphs = GlyphReader()
        self._n_chars = 0
        self._squeezed: dict[int, str] = {}
        self._seen: tuple[int, pymupdf.TextPage] | None = None
        self._folded: dict[tuple[int, bool], FoldedPage] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._seen = None
        self._document.close()

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return int(self._document.page_count)

    # Pages

    def page(self, page_no: int, skipped: Collection[int] = ()) -> PageText:
        """Return the text of a page; one that is damaged, or skipped, is empty and says so.

        Raises:
            UnreadableDocumentError: When there is no such page.
        """
        known = self._pages.get(page_no)
        if known is not None:
            self._pages.move_to_end(page_no)
            return known
        if not 1 <= page_no <= self.n_pages:
            raise UnreadableDocumentError(
                f"There is no page {page_no}: the document has {self.n_pages}.",
                "It may have been changed while it was open; open it again.",
            )
        if page_no in skipped:
            return empty_page(page_no, TextProblem.DAMAGED)
        try:
            text = self._read(page_no)
        except PAGE_ERRORS:
            text = empty_page(page_no, TextProblem.DAMAGED)
        self._keep(text)
        return text

    def _keep(self, text: PageText) -> None:
        self._pages[text.page_no] = text
        self._n_chars += len(text.text)
        while self._n_chars > _MAX_CHARS_KEPT and len(self._pages) > 1:
            page_no, oldest = self._pages.popitem(last=False)
            self._n_chars -= len(oldest.text)
            for match_case in (False, True):
                self._folded.pop((page_no, match_case), None)

    def _read(self, page_no: int) -> PageText:
        page = self._load(page_no)
        matrix: Matrix = tuple(page.rotation_matrix)
        width, height = float(page.rect.width), float(page.rect.height)
        blocks = self._looked_at(page_no, page).extractRAWDICT()["blocks"]
        self._glyphs.name(blocks, page)
        reading = ReadingPage(matrix, int(page.rotation), width, height)
        links = self._links(page, matrix)
        text = reading.read(page_no, blocks, links)
        if text.text and not is_garbled(text.text.split()):
            return text
        problem = TextProblem.GARBLED if text.text else _emptiness(page)
        return empty_page(page_no, problem, width, height, links)

    def _looked_at(self, page_no: int, page: pymupdf.Page) -> pymupdf.TextPage:
        """Return what the engine sees on a page; the last one is kept, for it is asked twice."""
        if self._seen is None or self._seen[0] != page_no:
            self._seen = page_no, page.get_textpage(flags=_TEXT_FLAGS)
        return self._seen[1]

    def _load(self, page_no: int) -> pymupdf.Page:
        """Load a page in the coordinates in which the viewer shows it."""
        return as_displayed(self._document, page_no - 1)

    def _links(self, page: pymupdf.Page, matrix: Matrix) -> tuple[PageLink, ...]:
        links = []
        try:
            found = page.get_links()
        except PAGE_ERRORS:
            return ()
        for link in found:
            with contextlib.suppress(*PAGE_ERRORS):
                box = transform_box(tuple(link["from"]), matrix)
                target, top = self._target(link)
                address = "" if target is not None else _address(link)
                if (target is not None or address) and box.area > 0:
                    links.append(PageLink(box, target, top, address))
        return tuple(links)

    def _target(self, link: dict[str, Any]) -> tuple[int | None, float | None]:
        """Return the 1-based page that a link or bookmark leads to, and the height on it."""
        kind = link.get("kind")
        if kind not in (pymupdf.LINK_GOTO, pymupdf.LINK_NAMED):
            return None, None
        number = link.get("page", -1)
        page_no = int(number) + 1 if number is not None else 0
        if not 1 <= page_no <= self.n_pages:
            return None, None
        point = link.get("to")
        if not isinstance(point, pymupdf.Point):
            return page_no, None
        page = self._load(page_no)
        top = float((point * page.rotation_matrix).y)
        return page_no, top if 0 < top < page.rect.height else None

    # The document

    def outline(self) -> tuple[OutlineItem, ...]:
        """Return the bookmarks in order."""
        try:
            contents = self._document.get_toc(simple=False)
        except PAGE_ERRORS:
            contents = []
        items: list[OutlineItem] = []
        open_items: list[int] = []
        for level, title, page_no, link in contents:
            target, top = self._bookmark(page_no, link)
            # A level may be skipped in damaged outlines; the nesting counts, not the number.
            del open_items[max(int(level) - 1, 0) :]
            parent = open_items[-1] if open_items else -1
            open_items.append(len(items))
            items.append(OutlineItem(" ".join(title.split()), parent, target, top))
        return tuple(items)

    def _bookmark(self, page_no: int, link: dict[str, Any]) -> tuple[int | None, float | None]:
        with contextlib.suppress(*PAGE_ERRORS):
            target, top = self._target({**link, "page": page_no - 1})
            if target is not None:
                return target, top
        return (page_no if 1 <= page_no <= self.n_pages else None), None

    # Searching

    def find(
        self,
        query: TextQuery,
        first_page: int,
        skipped: Collection[int] = (),
        on_page: Callable[[int], None] = lambda _page_no: None,
    ) -> FoundText:
        """Search from a page (1-based) on for a tenth of a second, one page at least."""
        deadline = time.monotonic() + _SLICE_S
        hits: list[TextHit] = []
        n_without_text = 0
        page_no = max(first_page, 1)
        while page_no <= self.n_pages:
            on_page(page_no)
            if page_no in skipped:
                n_without_text += 1
            else:
                letters = self._letters(page_no)
                n_without_text += not letters
                if letters and may_hold(letters, query):
                    hits += hits_on(self.page(page_no), self._fold(page_no, query), query)
            page_no += 1
            if time.monotonic() > deadline or len(hits) > _MAX_HITS_OF_SLICE:
                break
        next_page = page_no if page_no <= self.n_pages else None
        return FoundText(tuple(hits), next_page, self.n_pages, n_without_text)

    def _letters(self, page_no: int) -> str:
        """Return all letters of a page, which takes a fifth of the time of its text."""
        known = self._squeezed.get(page_no)
        if known is None:
            known = squeezed(self._sound_letters(page_no) or self.page(page_no).text)
            self._squeezed[page_no] = known
        return known

    def _sound_letters(self, page_no: int) -> str:
        """Return the letters of a page whose fonts say what they are; else none."""
        if page_no in self._pages:
            return ""
        try:
            page = self._load(page_no)
            blocks = self._looked_at(page_no, page).extractDICT()["blocks"]
            lines = [line for block in blocks for line in block.get("lines", ())]
            spans = [span for line in lines for span in line["spans"]]
            letters = "".join(span["text"] for span in spans)
            is_sound = letters.isascii() or not _BROKEN.search(letters)
            fonts = {span["font"] for span in spans}
            return letters if is_sound and self._glyphs.believes(fonts, page) else ""
        except PAGE_ERRORS:
            return ""

    def _fold(self, page_no: int, query: TextQuery) -> FoldedPage:
        key = (page_no, query.match_case)
        known = self._folded.get(key)
        if known is None:
            text = self.page(page_no).text
            known = self._folded[key] = fold_page(text, match_case=query.match_case)
        return known

    def prepare_next(self, skipped: Collection[int], on_page: Callable[[int], None]) -> bool:
        """Read ahead for a search; False when all pages, or enough of them, are there."""
        if self._n_chars > _MAX_CHARS_KEPT // 2:
            return False
        for page_no in range(1, self.n_pages + 1):
            if page_no not in self._pages and page_no not in skipped:
                on_page(page_no)
                self.page(page_no)
                return True
        return False

    # Copying

    def copy(
        self,
        span: TextSpan,
        skipped: Collection[int] = (),
        on_page: Callable[[int], None] = lambda _page_no: None,
    ) -> CopiedText:
        """Return the text of a stretch from its first page on, as much as a slice of time gives."""
        deadline = time.monotonic() + _SLICE_S
        pieces = []
        page_no = span.first_page
        last_page = min(span.last_page, self.n_pages)
        while page_no <= last_page:
            on_page(page_no)
            if page_no not in skipped:
                page = self.page(page_no)
                start = span.start if page_no == span.first_page else 0
                is_last = page_no == span.last_page and span.end is not None
                end = span.end if is_last and span.end is not None else len(page.text)
                pieces.append(copied_text(page, start, end))
            page_no += 1
            if time.monotonic() > deadline:
                break
        next_page = page_no if page_no <= last_page else None
        return CopiedText("\n\n".join(piece for piece in pieces if piece), next_page)


def empty_page(
    page_no: int,
    problem: TextProblem,
    width: float = 0.0,
    height: float = 0.0,
    links: tuple[PageLink, ...] = (),
) -> PageText:
    """Return a page that holds no text of use."""
    return PageText(page_no, width, height, "", array("f"), array("f"), (), links, problem)


def _emptiness(page: pymupdf.Page) -> TextProblem:
    """Tell why a page has no text: a scan, lettering drawn as shapes, or nothing on it."""
    area = max(float(page.rect.width * page.rect.height), 1.0)
    covered = sum(BoundingBox(*info["bbox"]).area for info in page.get_image_info())
    if covered > _PICTURE_SHARE * area:
        return TextProblem.SCANNED
    n_paths = sum(1 for entry in page.get_bboxlog() if "path" in entry[0])
    return TextProblem.DRAWN if n_paths >= _MIN_PATHS else TextProblem.BLANK


def _address(link: dict[str, Any]) -> str:
    """Return where a link leads outside; files and programs by a scheme, so that it is refused."""
    if link.get("uri"):
        return str(link["uri"]).strip()
    file = str(link.get("file") or "").strip()
    if link.get("kind") == pymupdf.LINK_LAUNCH:
        return f"launch:{file}"
    return f"file:{file}" if file else ""


def _open(path: Path, password: str) -> pymupdf.Document:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableDocumentError(
            f"{path.name} could not be opened ({error.strerror}).",
            "Check that it still exists and that you may read it.",
        ) from error
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
        if document.needs_pass and not (password and document.authenticate(password)):
            raise UnreadableDocumentError(
                f"{path.name} is protected by a password.", "Type its password to read it."
            )
        _n_pages = document.page_count
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as error:
        raise UnreadableDocumentError(
            f"{path.name} is damaged; its text cannot be read.", "Copy or download it again."
        ) from error
    return document
