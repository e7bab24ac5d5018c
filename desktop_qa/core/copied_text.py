"""Text as it is copied: lines joined to paragraphs, words mended that a line's end has broken."""

from __future__ import annotations

import re

from desktop_qa.core.page_text import PageText, TextLine

_BROKEN_WORD = re.compile("[^\\W\\d_]{2,}[-\u00ad\u2010]$")
_SOFT_HYPHEN = "\u00ad"
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*(?![\w-])")
_MIN_TAIL = 2
_BULLET = re.compile(r"[•‣▪▫■□●○◦∙➢➤✓]\s*\S|[·–—-]\s+\S")
_DASH_BULLET = re.compile(r"[·–—-]")
_COMPOUND_HEADS = frozenset(
    [
        "low",
        "high",
        "wide",
        "single",
        "dual",
        "half",
        "two",
        "three",
        "four",
        "five",
        "six",
        "eight",
        "first",
        "second",
        "third",
        "self",
        "ultra",
        "zero",
        "rail",
        "open",
        "closed",
        "real",
        "small",
        "large",
        "non",
    ]
)
"""First words of compounds that datasheets write with a hyphen: "low-noise", "rail-to-rail"."""

_SUFFIX = re.compile(r"e(r|st|n|d)|ing|ness|ly|ish|fold|way|sens|light|i[sz]|ar")
"""What one of these words ends on, or makes one word with: "high-est", "wid-ening", "non-sense"."""


def copied_text(page: PageText, start: int, end: int) -> str:
    """Return a stretch of a page's text as it is copied.

    Lines of a paragraph are joined by spaces, items of a list and cells of a row stay apart, and
    a word that was broken at a hyphen is mended where the next line goes on with a small letter.

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
        elif line.block != block or _begins_item(page.text, line, whole):
            whole = f"{whole}\n{piece}"
        elif _BROKEN_WORD.search(whole) and piece[:1].islower():
            whole = _mended(page.text, whole, piece)
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


def _mended(text: str, before: str, after: str) -> str:
    """Join the halves of a word; a hyphen that belongs to the word stays.

    The page tells: it has the word whole elsewhere, or with its hyphen, or both halves as words;
    where it is silent, the first half may be one that begins compounds.
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
    is_compound = head in _COMPOUND_HEADS and not _SUFFIX.match(tail)
    if f"{head}-{tail}" in words or both_are_words or is_compound:
        return before + after
    return before[:-1] + after
