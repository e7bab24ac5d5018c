"""Text as it is copied: lines joined to paragraphs, words mended that a line's end has broken."""

from __future__ import annotations

import re

from desktop_qa.core.folding import Vocabulary, is_broken
from desktop_qa.core.page_text import PageText, TextLine

_SOFT_HYPHEN = "\u00ad"
_BULLET = re.compile(r"[•‣▪▫■□●○◦∙➢➤✓]\s*\S|[·–—-]\s+\S")
_DASH_BULLET = re.compile(r"[·–—-]")


def copied_text(page: PageText, start: int, end: int) -> str:
    """Return a stretch of a page's text, between two offsets, as it is copied.

    Lines of a paragraph are joined by spaces, items of a list and cells of a row stay apart, and
    a word that was broken at a hyphen is mended where the next line goes on with a small letter.
    """
    whole = ""
    block = -1
    vocabulary: Vocabulary | None = None
    for line, first, last in page.lines_between(start, end):
        piece = page.text[first:last]
        if not whole:
            whole = piece
        elif line.block != block or _begins_item(page.text, line, whole):
            whole = f"{whole}\n{piece}"
        elif is_broken(whole, piece):
            vocabulary = vocabulary or Vocabulary(page.text.split())
            whole = vocabulary.join(whole, piece)
        else:
            whole = f"{whole} {piece}"
        block = line.block
    return whole.replace(_SOFT_HYPHEN, "")


def _begins_item(text: str, line: TextLine, before: str) -> bool:
    """Tell whether a line is the next item of a list, which may stand close to the one before.

    A dash begins one only below another item: in a sentence it may stand at a line's beginning.
    """
    words = text[line.first : line.end]
    if not _BULLET.match(words):
        return False
    above = before.rsplit("\n", 1)[-1]
    return not _DASH_BULLET.match(words) or bool(_BULLET.match(above))
