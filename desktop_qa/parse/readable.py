"""Pages and documents that hold no text that could be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.progress import SCANNED_DOCUMENT
from desktop_qa.parse.characters import is_garbled
from desktop_qa.parse.page import PageContent, StyledWord

SCANNED = "no text layer (scanned page)"
OUTLINED = "no text layer (its text is drawn as shapes)"
GARBLED = "its fonts do not say which letters they show"
WITHOUT_DRAWINGS = "read without its drawings and ruled tables"

_PICTURE_SHARE = 0.5
"""Share of the page that its largest image covers when the page is a picture."""

_STAMP_WORDS = 40
"""At most so many words are a stamp on a scanned page, a web address or a name."""

_MIN_OUTLINED_PATHS = 150
"""Pages without words and so many shapes have their text drawn as curves."""

_MAX_OUTLINED_SHARE = 0.25
"""Share of the pages up to which they are drawings; beyond, the text itself was lost."""

_MIN_SOUND_CHARS = 20
_SOUND_SHARE = 0.9
_GARBLED_SHARE = 0.3
"""On a page more may be broken than in a document: figures have fonts of their own."""


def page_problem(page: PageContent) -> str:
    """Return why the text of a page is lost; empty for a page that gives it, or holds none."""
    if page.undecoded:
        return GARBLED
    if not page.words:
        return SCANNED if _is_picture(page) else ""
    if is_garbled((word.text for word in page.words), _GARBLED_SHARE):
        return GARBLED
    return ""


def readable_words(words: Sequence[StyledWord]) -> tuple[StyledWord, ...]:
    """Return the words of a garbled page whose fonts do say which letters they show."""
    texts: dict[str, list[str]] = {}
    for word in words:
        texts.setdefault(word.font, []).append(word.text)
    sound = {font for font, of in texts.items() if _is_sound("".join(of)) and not is_garbled(of)}
    return tuple(word for word in words if word.font in sound)


def _is_sound(text: str) -> bool:
    """True for text in plain letters or ideographs: accents abound where codes are wrong."""
    n_plain = sum(char.isascii() or char > "\u2e80" for char in text)
    return len(text) >= _MIN_SOUND_CHARS and n_plain > _SOUND_SHARE * len(text)


def outlined_pages(pages: Sequence[PageContent]) -> list[int]:
    """Return the pages, of those that could be read, whose text is drawn as shapes.

    The drawings at the end of a datasheet are lettered so; they are pages without text, as long
    as they are few.
    """
    outlined = [page.page_no for page in pages if _is_outlined(page)]
    return outlined if len(outlined) > _MAX_OUTLINED_SHARE * len(pages) else []


def _is_outlined(page: PageContent) -> bool:
    return not page.words and len(page.drawings) >= _MIN_OUTLINED_PATHS and not _is_picture(page)


def _is_picture(page: PageContent) -> bool:
    largest = max((image.bbox.area for image in page.images), default=0.0)
    total = sum(image.bbox.area for image in page.images)
    area = max(page.width * page.height, 1.0)
    # Scanners cut pages into strips, so that many small images cover them.
    return largest > _PICTURE_SHARE * area or total > 0.8 * area


def check_readable(pages: Sequence[PageContent], failures: Mapping[int, str]) -> None:
    """Refuse a document without usable text.

    Raises:
        UnreadableDocumentError: When no page holds text.
    """
    if not pages:
        raise UnreadableDocumentError(
            "None of the PDF's pages could be read.", "Copy or download it again."
        )
    with_text = [page for page in pages if page.words]
    garbled = [page for page in pages if failures.get(page.page_no) == GARBLED]
    # A drawing whose letters cannot be told costs its page, and no document.
    if len(garbled) > 0.5 * len({page.page_no for page in (*with_text, *garbled)}):
        raise UnreadableDocumentError(
            "The PDF's text cannot be decoded: its fonts do not say which letters they show.",
            "Run OCR on it and add the result.",
        )
    outlined = [p for p in pages if _is_outlined(p)]
    scanned = [p for p in pages if failures.get(p.page_no) == SCANNED] + outlined
    n_words = sum(len(page.words) for page in with_text)
    # A catalogue's own page ("downloaded from ...") is not the text of a scanned document.
    advertised = len(scanned) >= len(with_text) and n_words <= _STAMP_WORDS
    if with_text and not advertised and not _is_stamped_scan(with_text):
        return
    if len(outlined) > 0.5 * len(pages):
        raise UnreadableDocumentError(
            "The PDF holds no text: its letters are drawn as shapes.",
            "Run OCR on it and add the result.",
        )
    if scanned or with_text:
        raise UnreadableDocumentError(SCANNED_DOCUMENT, "Run OCR on it and add the result.")
    raise UnreadableDocumentError(
        "The PDF holds no text: its pages are blank.",
        "Open it to see whether it has attachments or notes, or remove it from the folder.",
    )


def _is_stamped_scan(with_text: Sequence[PageContent]) -> bool:
    """True when every page with words is a picture with a stamp on it."""
    if not all(_is_picture(page) and len(page.words) <= _STAMP_WORDS for page in with_text):
        return False
    stamps = Counter(" ".join(word.text for word in page.words) for page in with_text)
    n_words = sum(len(page.words) for page in with_text)
    return stamps.most_common(1)[0][1] >= 0.5 * len(with_text) or n_words <= 12 * len(with_text)
