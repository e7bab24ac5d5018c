"""What a document is (a datasheet, a manual), by its title, its file and its headings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.paths import asset
from desktop_qa.retrieve.outlines import Outlines
from desktop_qa.retrieve.phrases import phrases_of

_TITLED = 3
"""Headings that a word of the title outweighs: a manual has a section on installation, too."""

_OF_PART = 2
_SEVERAL = re.compile(
    r"\b(?:in|of|from|among|across|which|what|all|any|my|our|these|and|or)\s+(?:the\s+|my\s+|our\s+)?"
    r"(?:[\w-]+\s+){0,2}[\w-]+s$",
    re.IGNORECASE,
)
"""Documents that are searched, no user's guides of a rail."""


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    asked: re.Pattern[str]
    titled: re.Pattern[str]
    headings: re.Pattern[str]


@cache
def _kinds() -> tuple[_Kind, ...]:
    text = asset("resources/vocabulary/document_kinds.toml").read_text(encoding="utf-8")
    return tuple(
        _Kind(entry["name"], *(_any_of(entry[key]) for key in ("asked", "titled", "headings")))
        for entry in tomllib.loads(text)["kind"]
    )


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    spaced = "|".join(re.escape(word).replace(r"\ ", r"[\s_-]+") for word in words)
    return re.compile(rf"(?<![^\W_])(?:{spaced})(?![^\W_])", re.IGNORECASE)


def document_kind(
    title: str, file: str, headings: Iterable[str], *, is_of_part: bool = False
) -> str:
    """Tell what a document is.

    Args:
        title: Its own.
        file: The name of its file.
        headings: Of its sections.
        is_of_part: It is about part numbers; what says nothing else of itself is their datasheet.

    Returns:
        "datasheet", "application note", "manual" or "report"; "" for another or none that shows.
    """
    said = list(dict.fromkeys(headings))
    scores = {
        kind.name: _TITLED * bool(kind.titled.search(title) or kind.titled.search(file))
        + sum(kind.headings.search(heading) is not None for heading in said)
        for kind in _kinds()
    }
    scores["datasheet"] += _OF_PART * is_of_part
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > 1 else ""


def kind_of(status: DocumentStatus, outlines: Outlines) -> str:
    """Tell what a document of a library is; its headings are read once."""
    return document_kind(
        status.title,
        status.file,
        outlines.of(status).headings,
        is_of_part=bool(status.part_numbers),
    )


def kinds_asked(question: str) -> tuple[str, ...]:
    """Return the kinds of which a question names several documents: "in the application notes"."""
    asked = [kind for kind in _kinds() if kind.asked.search(question)]
    if not asked:
        return ()
    found = [p for p in phrases_of(question) if _SEVERAL.search(question[: p.start] + p.text)]
    return tuple(k.name for k in asked if any(k.asked.search(p.text) for p in found))


def documents_of_kinds(
    kinds: Sequence[str], statuses: Iterable[DocumentStatus], outlines: Outlines
) -> tuple[DocumentId, ...]:
    """Return the documents that are of some kinds."""
    read = (status for status in statuses if status.is_indexed)
    return tuple(s.document_id for s in read if kind_of(s, outlines) in kinds)
