"""The outline of a PDF, matched to the words of its pages."""

from __future__ import annotations

import bisect
import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from desktop_qa.core.document import split_heading_number
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boilerplate import is_contents_line
from desktop_qa.parse.characters import letters_of
from desktop_qa.parse.heading_style import (
    MAX_HEADING_LINES,
    MAX_LEVEL,
    Heading,
    Style,
    heading_number,
    style_of,
)
from desktop_qa.parse.lines import Line, make_line, upright_lines
from desktop_qa.parse.page import OutlineEntry

_NO_CHAPTER = re.compile(r"^(?:figure|fig\.|table|equation|example|photo)\s*[\dA-Z]", re.IGNORECASE)
_NAME_OF_PAGE = re.compile(
    r"^(?:page|seite|pagina|página|folio|sheet|slide|p\.|第)\s*[\divxlc]+(?:\s*页)?$|^\d+$|"
    r"^(?:blank|untitled|empty|leere|vierge)?\s*(?:page|seite)(?:\s+(?:blank|vierge))?$|"
    r"\.(?:pdf|docx?|xlsx?|pptx?|fm|indd|vsdx?|tiff?|jpe?g|png|html?|txt|ps|dwg)$",
    re.IGNORECASE,
)
"""Bookmarks that scanners and programs for joining files make by themselves."""

_SENTENCE = re.compile(r"^\S+(?:\s\S+){8,}\.$")
"""Bookmarks that readers set at a line of the text."""

_MIN_SUB_HEADINGS = 3
_MIN_ALIGNED = 3
"""Texts of a page that begin at one place; a head in the middle of its cell begins alone."""

_SURE = 0.85
"""Likeness of the same words and number: no other page is looked at."""

_GAP_IN_SIZES, _NUMBER_GAP_IN_SIZES = 5.0, 7.0


def chapters_of(outline: Iterable[OutlineEntry]) -> list[OutlineEntry]:
    """Leave out figures, tables and footnotes, sentences, and names of pages and files."""
    entries = [
        e
        for e in outline
        if e.title
        and not _NO_CHAPTER.match(e.title)
        and not _NAME_OF_PAGE.search(e.title)
        and not _SENTENCE.match(e.title)
    ]
    if not entries:
        return []
    top_level = min(entry.level for entry in entries)
    return [
        OutlineEntry(entry.level - top_level + 1, entry.title, entry.page_no, entry.top)
        for entry in entries
        if len(letters_of(entry.title)) >= 2 and len(entry.title) <= 200
    ]


def match_outline(
    outline: Sequence[OutlineEntry],
    fragments: dict[int, Sequence[Line]],
    contents_pages: frozenset[int] = frozenset(),
) -> list[Heading]:
    """Find the words of the page that each chapter of an outline names, in its order.

    Pages of contents repeat the titles beside the numbers of their pages.
    """
    candidates: dict[int, list[_Candidate]] = {}
    for page_no in fragments.keys() & {n for entry in outline for n in _pages_of(entry)}:
        of_page = fragments[page_no]
        if page_no in contents_pages:
            of_page = _without_entries(of_page)
        candidates[page_no] = attempt(Stage.OUTLINE, page_no, [], _candidates, page_no, of_page)
    used: dict[int, set[int]] = {}
    headings = []
    for entry in outline:
        best = attempt(Stage.OUTLINE, entry.page_no, None, _best_of_pages, entry, candidates, used)
        if best is not None:
            used.setdefault(best.page_no, set()).update(best.line_nos)
            headings.append(Heading(best.page_no, min(entry.level, MAX_LEVEL), best.lines))
    return headings


def _pages_of(entry: OutlineEntry) -> tuple[int, ...]:
    return entry.page_no, entry.page_no + 1, entry.page_no - 1


def _best_of_pages(
    entry: OutlineEntry,
    candidates: dict[int, list[_Candidate]],
    used: dict[int, set[int]],
) -> _Candidate | None:
    """Look on the entry's page; on those beside it for the same words, if it has a likeness."""
    best: _Candidate | None = None
    for page_no in _pages_of(entry):
        free = [c for c in candidates.get(page_no, ()) if not used.get(page_no, set()) & c.line_nos]
        match = max(free, key=partial(_match_score, entry), default=None)
        likeness = _likeness(entry.title, match) if match else 0.0
        if likeness > (_SURE if best else 0.0):
            best = match
        if likeness >= _SURE:
            break
    return best


def _without_entries(fragments: Sequence[Line]) -> list[Line]:
    """Leave out what stands before dots or the number of a page."""
    ends = [f for f in fragments if f.text.isdigit() or is_contents_line(f.text)]
    return [
        f
        for f in fragments
        if not is_contents_line(f.text)
        and not any(
            abs(f.baseline - end.baseline) < 0.3 * f.size and f.right < end.right for end in ends
        )
    ]


def sub_headings(found: Sequence[Heading], by_type: Sequence[Heading]) -> list[Heading]:
    """Return the headings that an outline of chapters only leaves out, with their levels."""
    known = {style_of(heading.lines[0]) for heading in found}
    largest = max(style[0] for style in known)
    by_style: dict[Style, list[Heading]] = {}
    for heading in by_type:
        style = style_of(heading.lines[0])
        if style not in known and style[0] <= largest:
            by_style.setdefault(style, []).append(heading)
    usual = [
        (style, of)
        for style, of in sorted(by_style.items(), key=lambda item: -item[0][0])
        if len(of) >= _MIN_SUB_HEADINGS and len({heading.page_no for heading in of}) > 1
    ]
    headings = []
    for rank, (_style, of) in enumerate(usual):
        for heading in of:
            number = heading_number(heading.text)
            level = number.count(".") + 1 if number else rank + 2
            headings.append(replace(heading, level=min(level, MAX_LEVEL)))
    return headings


@dataclass(frozen=True, slots=True)
class _Candidate:
    page_no: int
    lines: tuple[Line, ...]
    key: str
    key_without_number: str
    number: str
    line_nos: frozenset[int]
    is_aligned: bool


def _candidates(page_no: int, fragments: Sequence[Line]) -> list[_Candidate]:
    """Every run of fragments that could be a heading: a row, or up to three rows."""
    lefts = sorted(fragment.left for fragment in fragments)
    found = []
    rows: list[list[Line]] = []
    for fragment in upright_lines(fragments):
        for row in reversed(rows[-8:]):
            gap = fragment.left - row[-1].right
            same = abs(row[-1].baseline - fragment.baseline) < 0.3 * fragment.size
            reach = _NUMBER_GAP_IN_SIZES if len(row[-1].words) == 1 else _GAP_IN_SIZES
            if same and -2 < gap < reach * fragment.size:
                row.append(fragment)
                break
        else:
            rows.append([fragment])
    runs = [run for row in rows for run in _runs(row)]
    for lines in runs:
        first = make_line([word for fragment in lines for word in fragment.words])
        stack = [first]
        found.append(_candidate(page_no, stack, lefts))
        for _ in range(MAX_HEADING_LINES - 1):
            below = _line_below(stack[-1], first, rows)
            if below is None:
                break
            stack.append(below)
            found.append(_candidate(page_no, stack, lefts))
    return found


def _runs(row: Sequence[Line]) -> Iterable[Sequence[Line]]:
    for start in range(len(row)):
        for end in range(start + 1, min(start + 4, len(row)) + 1):
            yield row[start:end]


def _line_below(line: Line, first: Line, rows: Sequence[Sequence[Line]]) -> Line | None:
    """Line that may go on with a heading; rows are sorted by their baselines."""
    start_at = bisect.bisect(rows, line.baseline + 0.5, key=lambda row: row[0].baseline)
    for row in rows[start_at:]:
        if row[0].baseline - line.baseline > 2 * line.size + 2:
            break
        for start, below in enumerate(row):
            step = below.baseline - line.baseline
            if (
                0.7 * line.size < step < 1.9 * line.size
                and abs(below.size - first.size) < 0.6
                and below.bold == first.bold
                and first.left - 60 < below.left < first.right
            ):
                return make_line([w for fragment in row[start:] for w in fragment.words])
    return None


def _candidate(page_no: int, lines: Sequence[Line], lefts: Sequence[float]) -> _Candidate:
    """Make a candidate; one that begins where several texts of its page do is noted as aligned."""
    left = lines[0].left
    n_near = bisect.bisect(lefts, left + 1) - bisect.bisect(lefts, left - 1)
    text = " ".join(line.text for line in lines)
    number, title = split_heading_number(text)
    return _Candidate(
        page_no,
        tuple(lines),
        letters_of(text),
        letters_of(title),
        number,
        frozenset(word.line_no for line in lines for word in line.words),
        n_near > _MIN_ALIGNED,
    )


def _match_score(entry: OutlineEntry, candidate: _Candidate) -> float:
    """0 for no match; else higher for closer texts, larger type and the right height."""
    likeness = _likeness(entry.title, candidate)
    if likeness == 0:
        return 0.0
    first = candidate.lines[0]
    score = 10.0 * likeness + min(first.size, 30) / 30 + (0.5 if first.bold else 0.0)
    score += 0.5 * candidate.is_aligned  # the head of a column in a table has the words, too
    if entry.top is not None:
        score += 1.0 - min(abs(first.bbox.top - entry.top) / 200, 1.0)
    return score


@lru_cache(maxsize=64)
def _keys(title: str) -> tuple[str, str, str]:
    number, bare = split_heading_number(title)
    return letters_of(title), letters_of(bare), number


def _likeness(title: str, candidate: _Candidate) -> float:
    wanted, bare, wanted_number = _keys(title)
    key = candidate.key
    if not key:
        return 0.0
    if key == wanted:
        return 1.0
    same_number = candidate.number == wanted_number
    if candidate.key_without_number == wanted:
        return 1.0  # many outlines leave the numbers of the headings out
    if bare and candidate.key_without_number == bare:
        return 0.95 if same_number else 0.8
    extra = len(key) - len(wanted)
    if 0 < extra <= max(3, len(wanted) // 8) and key.startswith(wanted) and len(wanted) > 5:
        return 0.9 if same_number else 0.7
    if same_number and "." in wanted_number and candidate.lines[0].bold:
        return 0.6  # an outline in another language than the page
    if len(wanted) < 8 or abs(extra) > 0.2 * len(wanted) + 2:
        return 0.0
    ratio = difflib.SequenceMatcher(None, wanted, key, autojunk=False)
    if ratio.real_quick_ratio() < 0.88 or ratio.quick_ratio() < 0.88:
        return 0.0
    return 0.8 * ratio.ratio() if ratio.ratio() >= 0.88 else 0.0
