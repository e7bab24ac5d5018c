"""Text as it is copied: lines joined to paragraphs, words mended that a line's end has broken."""

from __future__ import annotations

import re

from desktop_qa.core.page_text import PageText

_BROKEN_WORD = re.compile("[^\\W\\d_]{2,}[-\u00ad\u2010]$")
_SOFT_HYPHEN = "\u00ad"
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*(?![\w-])")
_MIN_TAIL = 2


def copied_text(page: PageText, start: int, end: int) -> str:
    """Return a stretch of a page's text as it is copied.

    Lines of a paragraph are joined by spaces, cells of a row stay apart by tabs, and a word that
    was broken at a hyphen is mended where the next line goes on with a small letter.

    Args:
        page: With its text.
        start: Offset of the first character.
        end: One past the last.
    """
    whole = ""
    block = -1
    for line, first, last in page.lines_between(start, end):
        piece = page.text[first:last]
        if not whole:
            whole = piece
        elif line.block != block:
            whole = f"{whole}\n{piece}"
        elif _BROKEN_WORD.search(whole) and piece[:1].islower():
            whole = _mended(page.text, whole, piece)
        else:
            whole = f"{whole} {piece}"
        block = line.block
    return whole.replace(_SOFT_HYPHEN, "")


def _mended(text: str, before: str, after: str) -> str:
    """Join the halves of a word; a hyphen that belongs to the word stays.

    The page tells: it has the word whole elsewhere, or with its hyphen, or both halves as words.
    """
    first = re.search(r"[^\W_]+(?=.$)", before)
    second = re.match(r"[^\W_]+", after)
    # A soft hyphen never belongs to its word.
    if first is None or second is None or before[-1] == _SOFT_HYPHEN:
        return before[:-1] + after
    words = set(_WORDS.findall(text.lower()))
    head, tail = first.group().lower(), second.group()
    if head + tail in words:
        return before[:-1] + after
    both_are_words = {head, tail} <= words and len(tail) > _MIN_TAIL
    if f"{head}-{tail}" in words or both_are_words:
        return before + after
    return before[:-1] + after
