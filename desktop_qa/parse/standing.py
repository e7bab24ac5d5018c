"""Headings without numbers that stand out before tables and figures can claim their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.heading_style import Heading, Style, body_style, style_of
from desktop_qa.parse.heading_text import (
    MAX_HEADING_LINES,
    heading_number,
    is_capitals,
    is_continued,
    is_document_title,
    may_be_heading,
)
from desktop_qa.parse.lines import Line, lead_of, letter_zone, upright_lines

_LONG_LINE = 40
_MIN_USES = 3
_MIN_SHARE = 0.6
"""Of the lines in a style that stand alone at the edge of the text, for it to be of headings."""

_EDGE_PT = 2.5


def find_standing(
    fragments: Mapping[int, Sequence[Line]],
    *,
    title: str = "",
    skip_pages: frozenset[int] = frozenset(),
) -> list[Heading]:
    """Find lines in styles that serve as headings again and again.

    Such a style is bold, no smaller than the text, and nearly all its lines stand alone at the
    left edge of a column, or centred, with white above.

    Args:
        fragments: Runs of words of each page by page number, without furniture.
        title: Of the document, which is no chapter of it.
        skip_pages: Pages without headings, contents among them.

    Returns:
        Headings in the order of pages, without levels.
    """
    pages = {
        number: upright_lines(of) for number, of in fragments.items() if number not in skip_pages
    }
    long = [f for of in pages.values() for f in of if len(f.text) >= _LONG_LINE and not f.bold]
    if not long:
        return []
    body = body_style(long)
    found = _alone_at_edges(pages, body, long)
    n_lines = Counter(style_of(line) for lines in pages.values() for line in lines)
    styles = {
        style
        for style, uses in _uses(found).items()
        if len(uses) >= _MIN_USES
        and len(set(uses)) >= 2
        and len(uses) >= _MIN_SHARE * n_lines[style]
    }
    return [
        heading
        for heading in found
        if style_of(heading.lines[0]) in styles
        and attempt(Stage.HEADINGS, heading.page_no, False, _is_title, heading, title)
    ]


def _is_title(heading: Heading, title: str) -> bool:
    return may_be_heading(heading.lines, any_case=True) and not is_document_title(
        heading.text, heading.page_no, title
    )


def _alone_at_edges(
    pages: Mapping[int, Sequence[Line]], body: Style, long: Sequence[Line]
) -> list[Heading]:
    edges = _edges(long)
    span = min(edges, default=0.0), max(line.right for line in long)
    return [
        Heading(page_no, 0, _with_lines_below(line, lines))
        for page_no, lines in pages.items()
        for line in lines
        if _is_strong(line, body) and _stands_alone(line, lines, edges, span)
    ]


def _uses(headings: Iterable[Heading]) -> dict[Style, list[int]]:
    uses: dict[Style, list[int]] = {}
    for heading in headings:
        for line in heading.lines:
            uses.setdefault(style_of(line), []).append(heading.page_no)
    return uses


def _edges(lines: Iterable[Line]) -> list[float]:
    """Left edges at which much of the running text begins, points."""
    lefts = Counter(round(line.left) for line in lines)
    most = max(lefts.values(), default=0)
    return [float(left) for left, n in lefts.items() if n >= 0.15 * most]


def _is_strong(line: Line, body: Style) -> bool:
    return (
        line.bold
        and lead_of(line.words)[-1].bold
        and line.size >= 0.93 * body[0]
        and (is_capitals(line.lead) or line.size >= 1.05 * body[0])
        and not heading_number(line.text)
        and not is_continued(line.text)
    )


def _stands_alone(
    line: Line, lines: Sequence[Line], edges: Sequence[float], span: tuple[float, float]
) -> bool:
    middle = (line.left + line.right) / 2
    centred = abs(middle - (span[0] + span[1]) / 2) < 0.02 * (span[1] - span[0])
    at_edge = any(abs(line.left - edge) <= _EDGE_PT for edge in edges)
    if not (centred or at_edge or line.left < span[0]):
        return False
    above = -1000.0
    for other in lines:
        if other is line:
            continue
        if abs(other.baseline - line.baseline) < 2.5:
            gap = max(other.left - line.right, line.left - other.right)
            if gap < 2 * line.size or centred:
                return False
        shared = min(other.right, line.right) - max(other.left, line.left)
        if shared > 0 and other.baseline < line.baseline - 2.5:
            above = max(above, letter_zone(other)[1])
    return letter_zone(line)[0] - above > 0.45 * line.size


def _with_lines_below(first: Line, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Add the lines that go on with a heading, flush or centred under it."""
    heading = [first]
    while len(heading) < MAX_HEADING_LINES:
        below = next((line for line in lines if _goes_on(line, heading[-1])), None)
        if below is None:
            break
        heading.append(below)
    return tuple(heading)


def _goes_on(line: Line, last: Line) -> bool:
    step = line.baseline - last.baseline
    middle = (line.left + line.right) / 2 - (last.left + last.right) / 2
    return (
        0.7 * last.size < step < 1.5 * last.size
        and style_of(line)[:4] == style_of(last)[:4]
        and is_capitals(line.lead) == is_capitals(last.lead)
        and (abs(line.left - last.left) < _EDGE_PT or abs(middle) < _EDGE_PT)
    )
