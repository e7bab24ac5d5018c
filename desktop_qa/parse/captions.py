"""Captions of figures and tables: recognised by how they begin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.lines import Line

_FIGURE = re.compile(
    r"(?P<label>(?:fig(?:ure|\.)?|图)\s*(?P<number>(?:[A-Z]{1,2}[-.]?)?\d{1,3}(?:[-–.]\d{1,3}){0,3}[a-z]?))"
    r"(?:\s*[.:)\-–—]|\s|$)\s*(?P<title>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TABLE = re.compile(
    r"(?P<label>(?:table|表)\s*(?P<number>(?:[A-Z]{1,2}[-.]?)?\d{1,3}(?:[-–.]\d{1,3}){0,3}[a-z]?))"
    r"(?:\s*[.:)\-–—]|\s|$)\s*(?P<title>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE_GOES_ON = re.compile(
    r"(?:shows?|is|are|was|illustrates?|depicts?|gives?|lists?|describes?|presents?|provides?|and|"
    r"or|to|through|below|above|for details|can|summarizes?|contains?|details?|defines?|displays?|"
    r"in|on|by|represents?|demonstrates?|explains?|has|have|specifies|indicates?|compares?|also|"
    r"the|where|with|when|illustrating|showing|using|plots?)\b",
)
_MAX_CAPTION = 300


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
    punctuated = text[match.end("label") :].lstrip()[:1] in (".", ":", "–", "—", "-", ")")
    if not punctuated and _SENTENCE_GOES_ON.match(title):
        return None
    if title[:1] in (",", ";") or (title[:1].islower() and not punctuated):
        return None
    return " ".join(match["label"].split()), title
