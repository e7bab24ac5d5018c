"""The structure route, offline: places that a question names (PDFTriage, section 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_qa.core.answer import StructureRef
from desktop_qa.core.segment import Segment

_NUMBER = r"(\d{1,4})"
_PAGES = re.compile(
    rf"\bpages?\s+{_NUMBER}(?:\s*(?:-|–|—|to|and|through|until)\s*{_NUMBER})?\b", re.IGNORECASE
)
_SECTION = re.compile(
    r"\b(?:sections?|chapters?|clause|paragraph|§)\s*((?:[A-Z]\.)?\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\b",
    re.IGNORECASE,
)
_ELEMENT = re.compile(
    r"\b(table|figure|fig\.?)\s*((?:[A-Z][-.])?\d+(?:[-.]\d+)*[a-z]?)\b", re.IGNORECASE
)
_LABEL = re.compile(r"\b(table|figure|fig\.?)\s*((?:[A-Z][-.])?\d+(?:[-.]\d+)*)", re.IGNORECASE)


def find_structure_refs(question: str) -> tuple[StructureRef, ...]:
    """Find "page 5", "pages 5-7", "section 4.2", "table 3-1" and "figure 7" in a question."""
    refs = [StructureRef("page", first, last or first) for first, last in _PAGES.findall(question)]
    refs += [
        StructureRef("section", number.lower(), number.lower())
        for number in _SECTION.findall(question)
    ]
    for kind, number in _ELEMENT.findall(question):
        name = "table" if kind.lower() == "table" else "figure"
        refs.append(StructureRef(name, _element_number(number), _element_number(number)))
    return tuple(dict.fromkeys(refs))


def _element_number(number: str) -> str:
    """Read "7.2" and "7-2" as one: house styles differ."""
    return number.lower().replace(".", "-").rstrip("-")


def strip_structure_refs(question: str) -> str:
    """Leave the named places out: their numbers are no search words."""
    for pattern in (_PAGES, _SECTION, _ELEMENT):
        question = pattern.sub(" ", question)
    return question


def structure_score(segment: Segment, refs: Iterable[StructureRef]) -> float:
    """Score how well a segment fits the places named: 1.0 at the place itself, 0.0 elsewhere."""
    return max((_score(segment, ref) for ref in refs), default=0.0)


def _score(segment: Segment, ref: StructureRef) -> float:
    metadata = segment.metadata
    if ref.kind == "page":
        first, last = int(ref.first), int(ref.last)
        return 1.0 if any(first <= page_no <= last for page_no in metadata.page_nos) else 0.0
    if ref.kind == "section":
        return _section_score(metadata.section_number.lower(), ref.first)
    label = _LABEL.match(metadata.caption)
    if label is None:
        return 0.0
    kind = "table" if label.group(1).lower() == "table" else "figure"
    return float(kind == ref.kind and _element_number(label.group(2)) == ref.first)


def _section_score(number: str, wanted: str) -> float:
    if number == wanted:
        return 1.0
    return 0.8 if number.startswith(f"{wanted}.") else 0.0
