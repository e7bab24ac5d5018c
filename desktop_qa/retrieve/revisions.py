"""Which documents are older revisions of others in the same library.

Two documents are revisions of one when vendor, part numbers and title are the same: an errata sheet
or a manual of the same part has another title, and so has a translation. Which of them is the newer
one is said by their dates, by the way their makers count and by the names of the files; where these
contradict each other, or none is known, neither document is called older.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus

_SAME_TITLE = 0.9
"""Likeness of titles without their part numbers; sibling kinds of documents differ by words."""

_COUNTED = re.compile(
    r"\b(?:(?i:rev(?:ision)?|ver(?:sion)?|issue|edition|v)[\s.:]*(?P<number>\d{1,3}(?:\.\d{1,3})*)"
    r"|(?i:rev(?:ision)?|issue)[\s.:]*(?P<letter>[A-Za-z]|[A-Z]{2}))\b(?!\.?\d)"
)
_LITERATURE = re.compile(
    r"\b(?P<base>(?:S[A-Z]{3}|ZHC[A-Z]|JAJ[A-Z])[A-Z0-9]{2}\d|DS\d{4,})(?P<count>[A-Z]{0,2})(?![A-Z0-9])"
)
"""SBAS444D of Texas Instruments, DS21733J of Microchip: no letter is the first issue."""

T = TypeVar("T")
_Key = tuple[str, tuple[int, ...]]
_Signs = tuple[str, _Key | None, _Key | None]


def revision_key(revision: str) -> _Key | None:
    """Return how a maker counts and how far, so that two of one way can be compared.

    "Rev. C", "Revision 1.14", "SBAS444D – MAY 2009 – REVISED JANUARY 2018"; None for anything else.
    """
    counted = _COUNTED.search(revision.replace("_", " "))
    if counted and counted["number"]:
        return "number", tuple(int(part) for part in counted["number"].split("."))
    if counted:
        return "letter", _letters(counted["letter"])
    literature = _LITERATURE.search(revision)
    if literature:
        return literature["base"], _letters(literature["count"])
    return None


def _letters(count: str) -> tuple[int, ...]:
    """Count A, B ... Z, AA, AB; nothing comes before A."""
    return (len(count), *(ord(letter) for letter in count.upper()))


def newer_revisions(
    statuses: Sequence[DocumentStatus], date_of: Callable[[DocumentId], str]
) -> dict[DocumentId, tuple[DocumentId, int]]:
    """Return the newest revision of each document that has a newer one, and how many are newer.

    Args:
        statuses: The documents; only those that can be searched are compared.
        date_of: Date of a document, "2018-03" or "2018-03-21", empty when unknown; asked only of
            documents that may be revisions of each other.
    """
    found: dict[DocumentId, tuple[DocumentId, int]] = {}
    for group in _families([status for status in statuses if status.is_indexed]):
        # Made once for each: what follows compares every document with every other.
        signs: list[_Signs] = [
            (date_of(one.document_id), revision_key(one.revision), _key_in_name(one))
            for one in group
        ]
        for place, older in enumerate(group):
            newer = [
                n for n, own in enumerate(signs) if n != place and _is_newer(own, signs[place])
            ]
            if newer:
                best = next(
                    one for one in newer if not any(_is_newer(signs[n], signs[one]) for n in newer)
                )
                found[older.document_id] = group[best].document_id, len(newer)
    return found


def _families(statuses: Iterable[DocumentStatus]) -> list[list[DocumentStatus]]:
    """Group the documents that may be revisions of one; groups of one are left out."""
    alike: dict[tuple[str, frozenset[str]], list[DocumentStatus]] = {}
    for status in statuses:
        parts = frozenset(map(normalize_code, status.part_numbers))
        if parts:
            alike.setdefault((status.vendor.casefold(), parts), []).append(status)
    families: list[list[DocumentStatus]] = []
    for group in alike.values():
        families += [one for one in grouped(group, _have_one_title) if len(one) > 1]
    return families


def grouped(items: Iterable[T], belongs: Callable[[Sequence[T], T], bool]) -> list[list[T]]:
    """Put each item into the first group that it belongs to, else into one of its own."""
    groups: list[list[T]] = []
    for item in items:
        home = next((group for group in groups if belongs(group, item)), None)
        if home is None:
            groups.append([item])
        else:
            home.append(item)
    return groups


def _have_one_title(group: Sequence[DocumentStatus], other: DocumentStatus) -> bool:
    a, b = (_plain_title(status) for status in (group[0], other))
    return a == b or difflib.SequenceMatcher(None, a, b).ratio() >= _SAME_TITLE


def _plain_title(status: DocumentStatus) -> str:
    title = _LITERATURE.sub(" ", _COUNTED.sub(" ", status.title))
    return " ".join(re.findall(r"\w+", title.casefold()))


def _is_newer(one: _Signs, other: _Signs) -> bool:
    """Tell whether all that says something of the order of two documents says so.

    Dates are compared to the precision that both have, counts where they are of one way.
    """
    n = min(len(one[0]), len(other[0]))
    dates, keys = (one[0][:n], other[0][:n]), zip(one[1:], other[1:], strict=True)
    counts = [(a, b) for a, b in keys if a and b and a[0] == b[0]]
    is_newer = dates[0] > dates[1] or any(a > b for a, b in counts)
    return is_newer and not (dates[0] < dates[1] or any(a < b for a, b in counts))


def _key_in_name(status: DocumentStatus) -> _Key | None:
    """Return the count in the name of the file: people add it where the document is silent."""
    return revision_key(PurePosixPath(status.file).stem)


def names_revision(question: str, status: DocumentStatus) -> bool:
    """Tell whether a question asks of this very revision: "Rev. A", "revision 1.14", "SBAS444D"."""
    own = {revision_key(status.revision), _key_in_name(status)} - {None}
    if not own:
        return False
    keys = [revision_key(match.group()) for match in _COUNTED.finditer(question)]
    keys += [revision_key(match.group()) for match in _LITERATURE.finditer(question.upper())]
    return not own.isdisjoint(keys)
