"""Words of a cell put into lines and read: order, hyphenation, kinds of content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.core.gaps import is_gap
from desktop_qa.core.note_marks import without_note_marks
from desktop_qa.parse.boxes import union_of
from desktop_qa.parse.characters import raised
from desktop_qa.parse.grouping import in_runs
from desktop_qa.parse.page import StyledWord

_DASHES = "-–—−‐‑"

_NUMBER = re.compile(
    r"^[<>≤≥=~≈±+\-–—−]*\s?(?:\d[\d.,'’]*|[.]\d+|0x[0-9a-f]+)"
    r"(?:\s?[x×*/^·]?\s?\d*)?\s?(?:[%°ᵒµμΩ]?[a-z°ᵒ%/Ω√²³]{0,6})$",
    re.IGNORECASE,
)
_ONE = (
    r"[-+\u2212\u2013\u00b1]?(?:\d+(?:[.,]\d+)*|\.\d+)"
    r"(?:\s?(?:[pnu\u00b5\u03bcmkKMG]?(?:V|A|W|s|F|H|Hz|\u03a9|\u2126|ohm|g|Pa|m|B|bar)|dB[mc]?|%"
    r"|\u00b0C|\u00b0F|LSB|ppm|[kM]?SPS))?"
)
_SEVERAL = re.compile(rf"{_ONE}(?:\s+{_ONE})+")
"""Numbers and nothing else but their units: ranges, products and formulas are one value."""

_ONE_VALUE = re.compile(
    r"[01]{1,16}(?:\s+[01]{2,16})*|0\d+(?:\s\d+)*|\d{1,3}(?: \d{3})* 000|.*\s\u00b1.*"
)
"""A binary code in groups, a number that leads with a nought or has gaps between its thousands,
and a value with its tolerance."""

_RANGE = re.compile(r"(\s+to\s+|\s*(?:\.\.\.|[…~∼～〜])\s*)")
_MAX_OF_RANGE = 16

_MAX_MARK_SIZE, _MIN_RISE = 0.85, 0.15
_RAISED_MARK = re.compile(r"\d{1,2},?")
"""Small raised digits behind a text: the marks of notes, and exponents."""

_LEADING_NUMBER = re.compile(rf"([{_DASHES}+]?\s?(?:\d+(?:,\d{{3}})*(?:\.\d+)?|\.\d+))(?![\w^])")
_CONNECTIVES = (" and", " at", " by", " for", " from", " in", " of", " or", " the", " to", " with")
_OPEN_ENDS = (*",;(/=&…", *_CONNECTIVES)
"""Signs and words that no text ends with."""

_MINUS = str.maketrans(dict.fromkeys("\u2010\u2011\u2013\u2014\u2212", "-"))
_VOLTAGE_VALUE = re.compile(
    r"^[<>≤≥±+\-–−]*(?:\d[\d.]*\s?[x×*]?\s?)?\(?V[A-Z+\-–]{1,6}\)?(?:\s?[+\-–−]\s?\d[\d.]*\s?V?)?$"
)


@dataclass(slots=True)
class TextLine:
    """Words on one baseline, from left to right; indices into the page's words."""

    words: list[int]
    baseline: float
    size: float
    bbox: BoundingBox
    text: str


def bbox_of(words: Sequence[StyledWord], indices: Iterable[int]) -> BoundingBox:
    """Return the smallest box around words; `indices` is not empty."""
    return union_of(words[i].bbox for i in indices)


def text_of(words: Sequence[StyledWord], indices: Iterable[int]) -> str:
    """Return words as they come, with single spaces."""
    return " ".join(words[i].text for i in indices)


def text_lines(words: Sequence[StyledWord], indices: Sequence[int]) -> list[TextLine]:
    """Gather words into lines from top to bottom; sub- and superscripts stay in their line."""
    if not indices:
        return []
    if all(words[i].angle for i in indices):
        return [_line(words, sorted(indices), is_turned=True)]
    largest = max(words[i].size for i in indices)
    ordered = sorted(indices, key=lambda i: (words[i].baseline, words[i].bbox.left))
    groups = in_runs(
        (i for i in ordered if words[i].size >= 0.82 * largest),
        lambda group, i: words[i].baseline - words[group[0]].baseline <= 0.42 * words[i].size,
    )
    _attach_small(words, groups, [i for i in ordered if words[i].size < 0.82 * largest])
    return [_line(words, group) for group in sorted(groups, key=lambda g: baseline_of(words, g))]


def _attach_small(words: Sequence[StyledWord], groups: list[list[int]], small: list[int]) -> None:
    """Put small print into the line that it overlaps most, else into lines of its own."""
    n_main = len(groups)
    spans = [bbox_of(words, group) for group in groups]
    for index in small:
        box = words[index].bbox
        best, best_overlap = -1, 0.45 * box.height
        for k in range(n_main):
            overlap = min(box.bottom, spans[k].bottom) - max(box.top, spans[k].top)
            if overlap > best_overlap:
                best, best_overlap = k, overlap
        if best >= 0:
            groups[best].append(index)
            continue
        near = [
            g
            for g in groups[n_main:]
            if abs(words[g[0]].baseline - words[index].baseline) <= 0.42 * words[index].size
        ]
        if near:
            near[0].append(index)
        else:
            groups.append([index])


def baseline_of(words: Sequence[StyledWord], group: Sequence[int]) -> float:
    """Return the baseline of the largest of some words, in points."""
    main = max(group, key=lambda i: (words[i].size, -words[i].bbox.left))
    return words[main].baseline


def _line(words: Sequence[StyledWord], group: list[int], *, is_turned: bool = False) -> TextLine:
    """Make a line; words that are written up or down the page stay in the order of their text."""
    ordered = group if is_turned else sorted(group, key=lambda i: words[i].bbox.left)
    return TextLine(
        words=ordered,
        baseline=baseline_of(words, group),
        size=max(words[i].size for i in group),
        bbox=bbox_of(words, group),
        text=text_of(words, ordered) if is_turned else _line_text(words, ordered),
    )


def _line_text(words: Sequence[StyledWord], ordered: Sequence[int]) -> str:
    parts: list[str] = []
    previous: StyledWord | None = None
    largest = max(ordered, key=lambda i: words[i].size)
    for index in ordered:
        word = words[index]
        is_raised = (
            word.size < _MAX_MARK_SIZE * words[largest].size
            and word.baseline < words[largest].baseline - _MIN_RISE * words[largest].size
            and _RAISED_MARK.fullmatch(word.text) is not None
        )
        glued = (
            previous is not None
            and not word.space_before
            and word.line_no == previous.line_no
            and word.bbox.left - previous.bbox.right < 0.2 * word.size
        )
        if parts and not glued and not is_raised:
            parts.append(" ")
        parts.append(raised(word.text) if is_raised else word.text)
        previous = word
    return "".join(parts)


def join_lines_of_text(lines: Sequence[str]) -> str:
    """Join lines by spaces and undo hyphenation at their ends."""
    text = ""
    for line in lines:
        if not text:
            text = line
        elif _is_hyphenated(text, line):
            text = text[:-1] + line
        else:
            text = f"{text} {line}"
    return text


def _is_hyphenated(text: str, following: str) -> bool:
    return (
        len(text) > 2
        and text[-1] in "-‐\u00ad"
        and text[-2].isalpha()
        and text[-2].islower()
        and following[:1].islower()
    )


def is_value(text: str) -> bool:
    """Tell whether a text is a number, a limit or the dash that stands for none."""
    text = text.strip()
    low, between, high = _RANGE.split(text, 1) if _RANGE.search(text) else (text, "", "")
    if between and len(low) <= _MAX_OF_RANGE and len(high) <= _MAX_OF_RANGE:
        return bool(_NUMBER.match(low) or _VOLTAGE_VALUE.match(low)) and is_value(high)
    is_stated = _NUMBER.match(text) or _VOLTAGE_VALUE.match(text) or text == "∞"
    return bool(is_stated or (text and is_gap(text)))


def holds_several(text: str) -> bool:
    """Tell whether a cell for one value holds several that nothing joins: "1.2 3.4 5.6"."""
    plain = without_note_marks(text)
    return bool(_SEVERAL.fullmatch(plain)) and not _ONE_VALUE.fullmatch(plain)


def number_of(text: str) -> float | None:
    """Return the number of a cell that holds one, its unit and marks aside; else None."""
    match = _LEADING_NUMBER.match(without_note_marks(text))
    if match is None:
        return None
    return float(match[1].translate(_MINUS).replace(",", "").replace(" ", ""))


def is_open(text: str) -> bool:
    """Tell whether a line ends where a text does not: behind a comma or hyphen, in a bracket."""
    text = f" {text.rstrip()}"
    is_cut = text[-1] in "-‐" and text[-3:-1].isalpha()
    return is_cut or text.count("(") > text.count(")") or text.endswith(_OPEN_ENDS)


def continues(previous: str, text: str) -> bool:
    """Tell whether a line reads as the wrapped rest of the line above it."""
    previous, text = previous.rstrip(), text.lstrip()
    if not previous or not text:
        return False
    is_word = text[0].islower() and not text[1:2].isupper()  # "θJA" is a symbol
    is_rest = (is_word and not is_value(text) and len(text) > 2) or text[0] == ")"
    return is_rest or is_open(previous)


def leaders(words: Sequence[StyledWord]) -> frozenset[int]:
    """Return the words that are the dots from a name to its value: white, for the columns."""
    dots = [not word.text.strip(".…") for word in words]
    return frozenset(
        i
        for i, word in enumerate(words)
        if dots[i]
        and (len(word.text) > 2 or any(dots[max(0, i - 1) : i]) or any(dots[i + 1 : i + 2]))
    )
