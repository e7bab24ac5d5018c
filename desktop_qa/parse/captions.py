"""Captions of figures and tables: recognised by how they begin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.boxes import union_of
from desktop_qa.parse.lines import Line, make_line, right_of

_NUMBER = r"(?:[A-Z]{1,2}[-.]?)?\d{1,3}(?:[-–.]\d{1,3}){0,3}[a-z]?"
_FIGURE, _TABLE = (
    re.compile(
        rf"(?P<label>(?:{kind})\s*(?:{number}))(?:\s*[.:)\-–—]+|\s|$)\s*(?P<title>.*)$",
        re.IGNORECASE | re.DOTALL,
    )
    for kind, number in (
        (r"fig(?:ure|\.)?|图", _NUMBER),
        (r"table|tab\.|表", rf"{_NUMBER}|[IVXL]+"),
    )
)
_SENTENCE_GOES_ON = re.compile(
    r"(?:shows?|is|are|was|illustrates?|depicts?|gives?|lists?|describes?|presents?|provides?|and|"
    r"or|to|through|below|above|for details|can|summarizes?|contains?|details?|defines?|displays?|"
    r"in|on|by|represents?|demonstrates?|explains?|has|have|specifies|indicates?|compares?|also|"
    r"the|where|with|when|illustrating|showing|using|plots?)\b",
)
_MAX_CAPTION = 300
_MAX_CAPTION_LINES = 4
_MAX_STYLED_LINES = 8
"""Of a caption that its bold or slanted type tells from the text below it."""

_LONG_LINE = 40
_CAPTION_GAP_IN_SIZES = 5.0
"""Between "FIGURE 2-7:" and its title; more lies between two captions side by side."""


@dataclass(frozen=True, slots=True)
class Caption:
    """The lines of a figure's caption."""

    label: str
    text: str
    lines: tuple[Line, ...]
    bbox: BoundingBox


def figure_label(text: str) -> tuple[str, str] | None:
    """Split "Figure 7-2. Timing" into ("Figure 7-2", "Timing"); None for other text."""
    return _label(_FIGURE, text)


def table_label(text: str) -> tuple[str, str] | None:
    """Split "Table 5: Limits" into ("Table 5", "Limits"); None for other text."""
    return _label(_TABLE, text)


def is_caption(text: str) -> bool:
    """Tell a caption from a sentence that begins with a reference ("Figure 2 shows ...")."""
    return figure_label(text) is not None or table_label(text) is not None


def _label(pattern: re.Pattern[str], text: str) -> tuple[str, str] | None:
    match = pattern.match(text)
    if match is None or len(text) > _MAX_CAPTION:
        return None
    title = match["title"].strip()
    mark = text[match.end("label") :].lstrip()[:1]
    punctuated = mark in (".", ":", "–", "—", "-", ")")
    # Some makers put the point into the reference: "Figure 6. shows the fields of a packet".
    if (not punctuated or mark == ".") and _SENTENCE_GOES_ON.match(title):
        return None
    if title[:1] in (",", ";") or (title[:1].islower() and not punctuated):
        return None
    return " ".join(match["label"].split()), title


def find_captions(fragments: Sequence[Line]) -> list[Caption]:
    """Find the captions of figures, their title beside or below their label."""
    upright = [f for f in fragments if not f.words[0].angle]
    used: set[int] = set()
    captions = []
    for fragment in sorted(upright, key=lambda f: (f.baseline, f.left)):
        if fragment.words[0].line_no in used or not fragment.words[0].text.lower().startswith(
            ("fig", "图")
        ):
            continue
        first = _with_title(fragment, upright)
        label = figure_label(first.text)
        if label is None or _is_inside_sentence(fragment, upright):
            continue
        lines = [first, *_lines_below(first, upright, used)]
        used.update(word.line_no for line in lines for word in line.words)
        text = " ".join(line.text for line in lines)
        captions.append(
            Caption(label[0], text, tuple(lines), union_of(line.bbox for line in lines))
        )
    return captions


def _with_title(fragment: Line, others: Sequence[Line]) -> Line:
    words, right = list(fragment.words), fragment.right
    for other in right_of(fragment, others, 0.35):
        reach = _CAPTION_GAP_IN_SIZES if len(words) <= 2 else 1.6
        if other.left - right > reach * fragment.size or figure_label(other.text):
            break
        words += other.words
        right = other.right
    return make_line(words)


def _is_inside_sentence(fragment: Line, others: Sequence[Line]) -> bool:
    """A line of running text that happens to begin with a reference, in whatever type."""
    label = figure_label(fragment.text)
    is_bare = label is not None and not label[1]
    return any(
        0.8 * fragment.size < fragment.baseline - other.baseline < 1.5 * fragment.size
        and abs(other.left - fragment.left) < 3
        and abs(other.size - fragment.size) < 0.3
        and (
            (other.bold, other.italic) == (fragment.bold, fragment.italic)
            or (is_bare and len(other.text) >= _LONG_LINE)
        )
        and other.text.rstrip()[-1:] not in (".", ":")
        for other in others
    )


def _lines_below(first: Line, others: Sequence[Line], used: set[int]) -> Iterator[Line]:
    last = first
    is_styled = first.words[-1].bold or first.words[-1].italic
    for _ in range((_MAX_STYLED_LINES if is_styled else _MAX_CAPTION_LINES) - 1):
        row = [
            o
            for o in others
            if o.words[0].line_no not in used
            and 0.8 * first.size < o.baseline - last.baseline < 1.45 * first.size
            and abs(o.size - first.size) < 0.6
            and (o.bold, o.italic) == (last.words[-1].bold, last.words[-1].italic)
            and min(o.right, first.right) - max(o.left, first.left) > 0.4 * o.bbox.width
            and not figure_label(o.text)
        ]
        if not row:
            return
        last = make_line([word for o in row for word in o.words])
        yield last
