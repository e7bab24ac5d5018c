"""By what documents are narrowed, grouped and sorted; without Qt."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, NamedTuple

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_words import (
    NOT_READ_YET,
    OTHER_FILES,
    group_of,
    name_of,
    natural_key,
    needs_password,
    state_text,
)

NO_FAMILY = "Other parts"


class GroupBy(StrEnum):
    """What stands in the headings of the list."""

    VENDOR = "vendor"
    FOLDER = "folder"
    STATE = "state"
    FAMILY = "family"
    NONE = "none"


class SortBy(StrEnum):
    """What the documents under a heading are ordered by."""

    NAME = "name"
    TITLE = "title"
    VENDOR = "vendor"
    PAGES = "pages"
    STATE = "state"
    READ_AT = "read_at"
    DATE = "date"


class Facet(StrEnum):
    """What documents are narrowed by beside words."""

    STATE = "State"
    VENDOR = "Vendor"
    FOLDER = "Folder"
    REVISION = "Revision"


class Choice(NamedTuple):
    """A value of a facet, as it is shown."""

    facet: Facet
    value: str


class StateKind(StrEnum):
    """States as the filter names them; a document may be of several."""

    ATTENTION = "Needs attention"
    READY = "Ready"
    PARTLY = "Read in part"
    DOUBTS = "Read with doubts"
    FAILED = "Failed"
    PASSWORD = "Needs a password"
    WORKING = "Waiting or being read"
    STALE = "Read by an earlier version"


class RevisionKind(StrEnum):
    """Where a document stands among its revisions."""

    NEWEST = "Newest of several"
    OLDER = "Older revisions"
    ONLY = "Only one revision"


_STATE_ORDER = (
    StateKind.WORKING,
    StateKind.FAILED,
    StateKind.PASSWORD,
    StateKind.PARTLY,
    StateKind.DOUBTS,
    StateKind.STALE,
    StateKind.READY,
)
_FAMILY = re.compile(r"[A-Z]{2,}")


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A document with what is compared of it, made once.

    Attributes:
        text: All that words are looked for in, folded.
        folder: Its source folder's name with the path of the folder in it.
        family: The letters that its part number begins with.
        kinds: Of its state; the first is the one it is grouped by.
        state_word: That stands behind the mark of its state.
    """

    status: DocumentStatus
    name: str
    natural_name: str
    text: str
    vendor: str
    folder: str
    family: str
    kinds: tuple[StateKind, ...]
    state_word: str

    def values(self, facet: Facet) -> tuple[str, ...]:
        """Return what is true of the document by itself."""
        if facet is Facet.STATE:
            return self.kinds
        return (self.vendor,) if facet is Facet.VENDOR else (self.folder,)


def entry_of(status: DocumentStatus) -> Entry:
    """Make what is compared of a document."""
    name = name_of(status)
    state_word = state_text(status)
    words = (name, *status.files, status.title, status.vendor, *status.part_numbers)
    return Entry(
        status=status,
        name=name,
        natural_name=natural_key(name),
        text="\n".join((*words, state_word)).casefold(),
        vendor=group_of(status),
        folder=_folder_of(status),
        family=_family_of(status, name),
        kinds=_kinds_of(status),
        state_word=state_word,
    )


def _kinds_of(status: DocumentStatus) -> tuple[StateKind, ...]:
    doubts = (StateKind.DOUBTS,) if status.is_doubtful else ()
    stale = (StateKind.STALE,) if status.stale else ()
    match status.state:
        case DocumentState.READY:
            return (*doubts, *stale, StateKind.READY)
        case DocumentState.PARTIAL:
            return (StateKind.PARTLY, StateKind.ATTENTION, *doubts, *stale)
        case DocumentState.FAILED if needs_password(status):
            return (StateKind.PASSWORD, StateKind.FAILED, StateKind.ATTENTION)
        case DocumentState.FAILED:
            return (StateKind.FAILED, StateKind.ATTENTION)
    return (StateKind.WORKING,)


def _folder_of(status: DocumentStatus) -> str:
    """Return "datasheets" or "datasheets/sensors" for a file below the source "datasheets"."""
    inside = status.file.rpartition("/")[0]
    path = status.path.replace("\\", "/")
    source = path.removesuffix(status.file).rstrip("/")
    root = source.rpartition("/")[2] if source != path else ""
    return f"{root}/{inside}".strip("/") or "."


def _family_of(status: DocumentStatus, name: str) -> str:
    """Return "TPS" for the TPS54331: what makers call a family begins with the same letters."""
    for code in (*status.part_numbers[:1], name):
        found = _FAMILY.match(code.upper())
        if found and any(letter.isdigit() for letter in code):
            return found.group()
    return NO_FAMILY


def revision_of(
    entry: Entry, newest: Mapping[DocumentId, DocumentId], heads: frozenset[DocumentId]
) -> tuple[str, ...]:
    """Return where a document stands among its revisions.

    Args:
        entry: The document.
        newest: Newest revision of each older one.
        heads: The newest revisions.
    """
    document_id = entry.status.document_id
    if document_id in newest:
        return (RevisionKind.OLDER,)
    return (RevisionKind.NEWEST,) if document_id in heads else (RevisionKind.ONLY,)


def _no_heading(_entry: Entry) -> str:
    return ""


def _state_of(entry: Entry) -> str:
    return entry.kinds[0]


HEADINGS: dict[GroupBy, Callable[[Entry], str]] = {
    GroupBy.VENDOR: attrgetter("vendor"),
    GroupBy.FOLDER: attrgetter("folder"),
    GroupBy.STATE: _state_of,
    GroupBy.FAMILY: attrgetter("family"),
    GroupBy.NONE: _no_heading,
}
"""The heading a document stands under."""


def group_rank(heading: str, group_by: GroupBy) -> tuple[Any, ...]:
    """Return where a heading stands: states by urgency, others by name, the nameless last."""
    if group_by is GroupBy.STATE:
        return (0, _STATE_ORDER.index(StateKind(heading)))
    last = {NOT_READ_YET: 1, OTHER_FILES: 2, NO_FAMILY: 2}.get(heading, 0)
    return (last, natural_key(heading))


def _read_at(entry: Entry) -> float:
    return entry.status.read_at if entry.status.state.is_searchable else 0.0


SORT_VALUES: dict[SortBy, Callable[[Entry], Any]] = {
    SortBy.NAME: attrgetter("natural_name"),
    SortBy.TITLE: lambda entry: natural_key(entry.status.title),
    SortBy.VENDOR: lambda entry: entry.status.vendor.casefold(),
    SortBy.PAGES: attrgetter("status.n_pages"),
    SortBy.STATE: lambda entry: f"{_STATE_ORDER.index(entry.kinds[0])}",
    SortBy.READ_AT: _read_at,
    SortBy.DATE: attrgetter("status.date"),
}
"""What a document is sorted by, before its name; nothing when it is not known."""
