"""Words of the pages, against the words that were kept; running lines that were left in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import FURNITURE, BlockKind, Document
from desktop_qa.core.folding import fold
from desktop_qa.core.segment import Segment
from desktop_qa.evaluate.structure.count import NONE, Count, Counts
from desktop_qa.parse.plain import PlainLine, PlainPage

_EDGE = 0.12
"""Share of the page's height at its top and bottom in which running lines stand."""

_MIN_REPEATS = 3
_MIN_PAGE_SHARE = 0.15
_OUTER_EDGE = 0.08
"""Here a line of a few pages, the name of their chapter, is a running line as well."""

_MAX_PARTS = 40
_MIN_RUNNING_LENGTH = 12
"""Folded characters; a shorter line ("TMP102") stands in the text as well."""

_TITLE_OF_ELEMENT = re.compile(
    r"^(?:table|fig(?:ure|\.)?|register|example|equation|note)\s*[\dA-Z]", re.IGNORECASE
)
"""A table at the top of many pages has its title at one height; that is no running line."""


@dataclass(frozen=True, slots=True)
class WordCounts(Counts):
    """Words kept exactly once; words that are not on the page; running lines left in."""

    kept_once: Count = NONE
    foreign: Count = NONE
    running_left: Count = NONE


def find_running_lines(pages: Sequence[PlainPage]) -> set[tuple[int, int]]:
    """Find headers, footers, page numbers and watermarks by their repetition.

    Returns:
        (page number, index of the line on the page). A line is running when it stands at the
        same height of several pages with the same words, numbers aside.
    """
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    lines = [
        (page, index, line, at_edge)
        for page in pages
        for index, line in enumerate(page.lines)
        if ((at_edge := _at_edge(line, page)) or line.is_slanted)
        and not _TITLE_OF_ELEMENT.match(line.text)
    ]
    for page, _index, line, _at in lines:
        places[_running_key(line)].add(page.page_no)
    n_at_edge = min(_MIN_REPEATS, max(len(pages), 2))
    n_needed = max(n_at_edge, _MIN_PAGE_SHARE * len(pages))
    running = set()
    for page, index, line, at_edge in lines:
        text, height = _running_key(line)
        near = {n for d in (-1, 0, 1) for n in places.get((text, height + d), ())}
        if line.is_slanted and not at_edge:
            near = {n for (t, _h), of in places.items() if t == text for n in of}
        if len(near) >= (n_at_edge if _at_edge(line, page, _OUTER_EDGE) else n_needed):
            running.add((page.page_no, index))
    return running


def _at_edge(line: PlainLine, page: PlainPage, edge: float = _EDGE) -> bool:
    return line.bbox.bottom < edge * page.height or line.bbox.top > (1 - edge) * page.height


def _running_key(line: PlainLine) -> tuple[str, int]:
    return re.sub(r"\d+", "#", fold(line.text)), round(line.bbox.top / 8)


def compare_words(
    pages: Sequence[PlainPage], running: set[tuple[int, int]], document: Document
) -> tuple[WordCounts, Counter[str], Counter[str]]:
    """Compare the words of the pages with those of the document as multisets.

    Words are compared by their letters and digits, folded. Words that one side has joined
    (hyphenation at line ends, subscripts) are the same words. Two kinds of words may be missing:
    those of pages of which the document says that they could not be read, and headers and notes
    that a table repeats on each of its pages.

    Returns:
        The counts; words that were lost; words too many.
    """
    unread = {failure.page_no for failure in document.page_failures if not failure.has_text}
    repeated = _repeated_lines(pages, document)
    wanted: Counter[str] = Counter()
    aside: Counter[str] = Counter()
    optional: Counter[str] = Counter()
    for page in pages:
        for index, line in enumerate(page.lines):
            keys = [key for word in line.words if (key := fold_word(word.text))]
            if (page.page_no, index) in running or page.page_no in unread:
                aside.update(keys)
            else:
                wanted.update(keys)
                optional.update(keys if (page.page_no, index) in repeated else ())
    got = Counter(key for text in document_texts(document) if (key := fold_word(text)))
    n_wanted, n_got = wanted.total(), got.total()
    lost, extra = wanted - got, got - wanted
    # What we kept of a line that the yardstick calls running is no word too many.
    extra -= aside
    _reconcile(lost, extra)
    _reconcile(extra, lost)
    lost -= optional
    foreign = Counter({w: n for w, n in extra.items() if w not in wanted and w not in aside})
    n_once = max(n_wanted - lost.total() - (extra - foreign).total(), 0)
    return (
        WordCounts(Count(n_once, n_wanted), Count(foreign.total(), n_got)),
        lost,
        extra,
    )


def _repeated_lines(pages: Sequence[PlainPage], document: Document) -> set[tuple[int, int]]:
    """Find the lines that a table which runs over pages repeats on its next page.

    Returns:
        (page number, index of the line on the page).
    """
    by_number = {page.page_no: page for page in pages}
    repeated: set[tuple[int, int]] = set()
    for table in document.tables:
        page_nos = sorted({place.page_no for place in table.provenances})
        seen: set[str] = set()
        for page_no in page_nos if len(page_nos) > 1 else ():
            lines = list(by_number[page_no].lines) if page_no in by_number else []
            folded = [fold_word(line.text) for line in lines]
            repeated |= {(page_no, i) for i, text in enumerate(folded) if text in seen}
            seen.update(text for text in folded if len(text) >= 5 and not text.isdigit())
    return repeated


def fold_word(text: str) -> str:
    """Letters and digits of a word, folded; empty for signs alone and for unreadable ones."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in normal if char.isalnum())


def document_texts(document: Document) -> Iterable[str]:
    """Words of everything that a document keeps, each once."""
    for block in document.blocks:
        if block.kind in (*FURNITURE, BlockKind.TABLE, BlockKind.PICTURE):
            continue
        yield from block.text.split()
    for table in document.tables:
        title = table.caption if _starts_with(table.caption, table.label) else ""
        for text in (title or f"{table.label} {table.caption}", *table.notes):
            yield from text.split()
        for cell in table.cells:
            yield from cell.text.split()
    for figure in document.figures:
        title = figure.caption if _starts_with(figure.caption, figure.label) else ""
        yield from (title or f"{figure.label} {figure.caption}").split()
        yield from figure.words.split()


def _starts_with(caption: str, label: str) -> bool:
    return fold_word(caption).startswith(fold_word(label))


def _reconcile(whole: Counter[str], parts: Counter[str]) -> None:
    """Strike out words of one side that are two or more words of the other, joined."""
    by_start: dict[str, list[str]] = defaultdict(list)
    for part in parts:
        by_start[part[:2]].append(part)
        by_start[part[:1]].append(part)
    for word in sorted(whole, key=len, reverse=True):
        while whole[word] > 0:
            split = _split(word, parts, by_start, _MAX_PARTS)
            if not split:
                break
            whole[word] -= 1
            parts.subtract(split)
    for counter in (whole, parts):
        for word in [w for w, n in counter.items() if n <= 0]:
            del counter[word]


def _split(
    word: str, parts: Counter[str], by_start: dict[str, list[str]], n_left: int
) -> list[str] | None:
    if not word:
        return []
    if n_left == 0:
        return None
    starts = set(by_start.get(word[:2], ())) | {p for p in by_start.get(word[:1], ()) if len(p) < 2}
    for part in sorted(starts, key=len, reverse=True):
        if parts[part] > 0 and word.startswith(part):
            parts[part] -= 1
            rest = _split(word[len(part) :], parts, by_start, n_left - 1)
            parts[part] += 1
            if rest is not None and Counter([part, *rest])[part] <= parts[part]:
                return [part, *rest]
    return None


def count_running_left(
    pages: Sequence[PlainPage], running: set[tuple[int, int]], segments: Sequence[Segment]
) -> tuple[Count, list[str]]:
    """Count running lines that stand in a segment's text of their page.

    Running lines whose words stand in a heading or elsewhere on the page are left out: they
    stand in the segments by right.

    Returns:
        `n_good` is the number of those left in; and their texts.
    """
    texts: dict[int, list[str]] = defaultdict(list)
    titles: set[str] = set()
    for segment in segments:
        folded = fold(segment.text)
        metadata = segment.metadata
        titles.update(map(fold, (metadata.document_title, *metadata.section_path)))
        for page_no in segment.metadata.page_nos:
            texts[page_no].append(folded)
    n = 0
    left = []
    for page in pages:
        rest = "".join(
            fold(line.text)
            for index, line in enumerate(page.lines)
            if (page.page_no, index) not in running
        )
        for index, line in enumerate(page.lines):
            folded = fold(line.text)
            if (page.page_no, index) not in running or len(folded) < _MIN_RUNNING_LENGTH:
                continue
            if folded in rest or any(folded in title for title in titles):
                continue
            n += 1
            if any(folded in text for text in texts[page.page_no]):
                left.append(f"{page.page_no}: {line.text}")
    return Count(len(left), n), left
