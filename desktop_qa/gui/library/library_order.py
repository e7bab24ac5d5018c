"""Which documents the library's panel lists, under which headings and in which order; without Qt.

`LibraryOrder` holds every document and hands out the rows that are to be seen. Five thousand
documents are narrowed, ordered and grouped in a few milliseconds: what is compared is made once
for each document, when it comes or changes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_words import (
    NOT_READ_YET,
    OTHER_FILES,
    group_of,
    name_of,
    natural_key,
    needs_password,
    revision_label,
    snippet_at,
    state_text,
)
from desktop_qa.retrieve.revisions import newer_revisions

NO_FAMILY = "Other parts"
_AT_ONCE = 50
"""Documents between two breaths: all may be revisions that are compared with each other."""


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


_Kin = tuple[str, frozenset[str]]


class Entry:
    """A document with what is compared of it, made once.

    Attributes:
        key: Its id.
        text: All that words are looked for in, folded.
        folder: Its source folder's name with the path of the folder in it.
        family: The letters that its part number begins with.
        kinds: Of its state; the first is the one it is grouped by.
        state_word: That stands behind the mark of its state.
        kin: Vendor and parts, alike for all revisions; None while they are not known.
    """

    def __init__(self, status: DocumentStatus) -> None:
        self.status = status
        self.key = status.document_id
        self.name = name_of(status)
        self.natural_name = natural_key(self.name)
        self.state_word = state_text(status)
        words = (self.name, *status.files, status.title, status.vendor, *status.part_numbers)
        self.text = "\n".join((*words, self.state_word)).casefold()
        self.vendor = group_of(status)
        self.folder = _folder_of(status)
        self.family = _family_of(status, self.name)
        self.kinds = _kinds_of(status)
        parts = frozenset(map(normalize_code, status.part_numbers))
        is_known = bool(parts) and status.is_indexed
        self.kin: _Kin | None = (status.vendor.casefold(), parts) if is_known else None


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


_HEADINGS: dict[GroupBy, Callable[[Entry], str]] = {
    GroupBy.VENDOR: attrgetter("vendor"),
    GroupBy.FOLDER: attrgetter("folder"),
    GroupBy.STATE: lambda entry: entry.kinds[0],
    GroupBy.FAMILY: attrgetter("family"),
    GroupBy.NONE: lambda _entry: "",
}
"""The heading a document stands under."""


def _group_rank(heading: str, group_by: GroupBy) -> tuple[Any, ...]:
    """Return where a heading stands: states by urgency, others by name, the nameless last."""
    if group_by is GroupBy.STATE:
        return (0, _STATE_ORDER.index(StateKind(heading)))
    last = {NOT_READ_YET: 1, OTHER_FILES: 2, NO_FAMILY: 2}.get(heading, 0)
    return (last, natural_key(heading))


_SORT_VALUES: dict[SortBy, Callable[[Entry], Any]] = {
    SortBy.NAME: attrgetter("natural_name"),
    SortBy.TITLE: lambda entry: natural_key(entry.status.title),
    SortBy.VENDOR: lambda entry: entry.status.vendor.casefold(),
    SortBy.PAGES: attrgetter("status.n_pages"),
    SortBy.STATE: lambda entry: f"{_STATE_ORDER.index(entry.kinds[0])}",
    SortBy.READ_AT: lambda entry: entry.status.read_at * entry.status.state.is_searchable,
    SortBy.DATE: attrgetter("status.date"),
}
"""What a document is sorted by, before its name; nothing when it is not known."""

_FACETS: dict[Facet, Callable[[Entry], tuple[str, ...]]] = {
    Facet.STATE: attrgetter("kinds"),
    Facet.VENDOR: lambda entry: (entry.vendor,),
    Facet.FOLDER: lambda entry: (entry.folder,),
}
"""The values of a document's own facets; its revision depends on others."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the user wants the list; kept for each library.

    Attributes:
        collapsed: Headings whose documents are folded away, by the kind of grouping and name.
        unfolded: Documents whose older revisions are shown.
    """

    group_by: GroupBy = GroupBy.VENDOR
    sort_by: SortBy = SortBy.NAME
    descending: bool = False
    collapsed: frozenset[str] = frozenset()
    unfolded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What must be true of a document to be listed.

    Attributes:
        words: Each must stand in its name, title, vendor, part numbers, path or state.
        choices: One of each facet's must be true.
    """

    words: tuple[str, ...] = ()
    choices: frozenset[Choice] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether anything is asked for."""
        return bool(self.words or self.choices)


class Row(NamedTuple):
    """A line of the list: a heading, or a document.

    Attributes:
        key: The same as long as it is the same heading or document.
        entry: None for a heading.
        heading: Empty for a document.
        n_under: Documents under a heading; older revisions of a document.
        is_open: Whether what is under it is shown.
        is_older: An older revision, beneath the newest one.
    """

    key: str
    entry: Entry | None
    heading: str = ""
    n_under: int = 0
    is_open: bool = True
    is_older: bool = False

    @property
    def folds(self) -> bool:
        """True of a heading, and of a document with older revisions."""
        return self.entry is None or self.n_under > 0


def note_of(row: Row, entry: Entry, words: Sequence[str], *, short: bool = False) -> str:
    """Return what stands behind a name: where a word was found, the revision, several places.

    The words are those looked for, folded; `short` says it in as few letters as can be.
    """
    status = entry.status
    name = entry.name.casefold()
    missing = [word for word in words if word not in name]
    if missing:
        for text in (*status.part_numbers, status.title):
            if snippet := snippet_at(text, missing):
                return snippet
    if row.is_older:
        return revision_label(status) or "older"
    n_places = len(status.files)
    if short:
        return f"×{n_places}" if n_places > 1 else ""
    parts = [f"{row.n_under} older"] if row.n_under else []
    if n_places > 1:
        parts.append(f"{n_places} places")
    return ", ".join(parts)


class LibraryOrder:
    """Documents of a library; the rows are made anew when something changed, and only then."""

    def __init__(self) -> None:
        self.arrangement = Arrangement()
        self.narrowing = Narrowing()
        self._n_shown = 0
        self.clear()

    # What there is

    def __len__(self) -> int:
        """Return the number of documents, listed or not."""
        return len(self._entries)

    @property
    def statuses(self) -> list[DocumentStatus]:
        """Every document."""
        return [entry.status for entry in self._entries.values()]

    def state_words(self) -> set[str]:
        """Return the words for states other than that of a document that is simply ready."""
        ready, entries = DocumentState.READY, self._entries.values()
        return {entry.state_word for entry in entries if entry.status.state is not ready}

    @property
    def n_shown(self) -> int:
        """Documents that pass the filter, folded ones too."""
        self.rows()
        return self._n_shown

    # Changes

    def clear(self) -> None:
        """Forget all documents; the arrangement and what is asked for stay."""
        self._entries: dict[DocumentId, Entry] = {}
        self._kin: defaultdict[_Kin, set[DocumentId]] = defaultdict(set)
        # Of each document that has newer revisions the newest, and how many there are.
        self._newer: dict[DocumentId, tuple[DocumentId, int]] = {}
        # The rows of documents by themselves are made once: thousands of new objects with each
        # letter that is typed would call the garbage collector, which takes 50 ms and more.
        self._plain: dict[DocumentId, Row] = {}
        self._sorted: list[Entry] | None = None
        self._rows: tuple[Row, ...] | None = None

    def update(
        self, changed: Iterable[DocumentStatus], removed: Iterable[DocumentId] = ()
    ) -> set[DocumentId]:
        """Take documents as they are now and return those that look different."""
        entries = self._entries
        now: dict[DocumentId, Entry | None] = {key: None for key in removed if key in entries}
        for status in changed:
            known = entries.get(status.document_id)
            if known is None or known.status != status:
                now[status.document_id] = Entry(status)
        due: set[_Kin] = set()
        for key, entry in now.items():
            before = entries.get(key)
            if before is not None and before.kin is not None:
                self._kin[before.kin].discard(key)
                due.add(before.kin)
            if entry is not None and entry.kin is not None:
                self._kin[entry.kin].add(key)
                due.add(entry.kin)
            else:
                self._newer.pop(key, None)
            if entry is not None:
                entries[key] = entry
            else:
                del entries[key]
        touched = set(now)
        if touched:
            self._sorted = self._rows = None
        return touched.union(*map(self._compare, due))

    def _compare(self, kin: _Kin) -> set[DocumentId]:
        """Look for revisions anew and return the documents that stand elsewhere among them."""
        # In one order, however they came: of two that may be the newest the first is taken.
        members = sorted(self._kin[kin])
        # Nearly all documents are the only ones of their part.
        if len(members) == 1 and members[0] not in self._newer:
            return set()
        statuses = [self._entries[key].status for key in members]
        dates = {status.document_id: status.date for status in statuses}
        found = newer_revisions(statuses, dates.__getitem__)
        moved = {key for key in members if found.get(key) != self._newer.get(key)}
        for key in moved:
            self._newer.pop(key, None)
        self._newer |= found
        return moved

    def load(self, statuses: Sequence[DocumentStatus]) -> Iterator[None]:
        """Take another library's documents, with a breath after every few of them."""
        for start in range(0, len(statuses), _AT_ONCE):
            self.update(statuses[start : start + _AT_ONCE])
            yield
        self._ordered()
        yield
        self.rows()
        yield

    def arrange(self, arrangement: Arrangement) -> None:
        """Group and sort in another way, or fold something."""
        if arrangement == self.arrangement:
            return
        what_moves = attrgetter("group_by", "sort_by", "descending")
        if what_moves(arrangement) != what_moves(self.arrangement):
            self._sorted = None
        self.arrangement = arrangement
        self._rows = None

    def narrow(self, narrowing: Narrowing) -> None:
        """List other documents."""
        if narrowing != self.narrowing:
            self.narrowing = narrowing
            self._rows = None

    def toggled(self, row: Row) -> Arrangement:
        """Return the arrangement in which what is under a row is folded, or shown again."""
        field = "collapsed" if row.entry is None else "unfolded"
        return replace(self.arrangement, **{field: getattr(self.arrangement, field) ^ {row.key}})

    def folded(self, is_folded: bool) -> Arrangement:
        """Return the arrangement in which every heading is folded, or none."""
        keys = {row.key for row in self.rows() if row.entry is None} if is_folded else set()
        return replace(self.arrangement, collapsed=frozenset(keys))

    def reveal(self, document_id: DocumentId) -> None:
        """Unfold what hides a document that passes the filter."""
        entry = self._entries.get(document_id)
        if entry is None:
            return
        arrangement, unfolded = self.arrangement, self.arrangement.unfolded
        newest = self._entries.get(self._newer.get(document_id, (document_id, 0))[0])
        if newest is not None and newest is not entry and self._passing(self.narrowing, [newest]):
            entry, unfolded = newest, unfolded | {newest.key}
        heading = _HEADINGS[arrangement.group_by](entry)
        collapsed = arrangement.collapsed - {f"{arrangement.group_by}:{heading}"}
        self.arrange(replace(arrangement, collapsed=collapsed, unfolded=unfolded))

    # The rows

    def rows(self) -> tuple[Row, ...]:
        """Return what is to be seen, from top to bottom."""
        if self._rows is None:
            self._rows = tuple(self._make_rows())
        return self._rows

    def _ordered(self) -> list[Entry]:
        if self._sorted is None:
            arrangement = self.arrangement
            value_of = _SORT_VALUES[arrangement.sort_by]
            by_name = sorted(self._entries.values(), key=_SORT_VALUES[SortBy.NAME])
            valued = [(value_of(entry), entry) for entry in by_name]
            known = [pair for pair in valued if pair[0]]
            known.sort(key=itemgetter(0), reverse=arrangement.descending)
            # What has no title or date comes last in either direction.
            unknown = [pair for pair in valued if not pair[0]]
            groups = self._grouped(entry for _, entry in (*known, *unknown))
            headings = sorted(groups, key=lambda name: _group_rank(name, arrangement.group_by))
            self._sorted = [entry for heading in headings for entry in groups[heading]]
        return self._sorted

    def _grouped(self, entries: Iterable[Entry]) -> dict[str, list[Entry]]:
        """Return entries by their headings; all under "" when there are none."""
        groups: defaultdict[str, list[Entry]] = defaultdict(list)
        heading_of = _HEADINGS[self.arrangement.group_by]
        for entry in entries:
            groups[heading_of(entry)].append(entry)
        return groups

    def _make_rows(self) -> list[Row]:
        heads, older = self._heads()
        group_by, plain, rows = self.arrangement.group_by, self._plain, list[Row]()
        for heading, members in self._grouped(heads).items():
            group = f"{group_by}:{heading}"
            is_open = group not in self.arrangement.collapsed
            if group_by is not GroupBy.NONE:
                n_older = sum(len(older.get(entry.key, ())) for entry in members) if older else 0
                rows.append(Row(group, None, heading, len(members) + n_older, is_open))
            for entry in members if is_open else ():
                beneath = older.get(entry.key)
                if beneath is not None:
                    unfolds = entry.key in self.arrangement.unfolded
                    rows.append(Row(entry.key, entry, "", len(beneath), unfolds))
                    if unfolds:
                        rows += [Row(one.key, one, is_older=True) for one in beneath]
                    continue
                row = plain.get(entry.key)
                if row is None or row.entry is not entry:
                    row = plain[entry.key] = Row(entry.key, entry)
                rows.append(row)
        return rows

    def _heads(self) -> tuple[list[Entry], dict[DocumentId, list[Entry]]]:
        """Return the documents to list, and by them their older revisions, newest first."""
        ordered, newer = self._passing(self.narrowing, self._ordered()), self._newer
        self._n_shown = len(ordered)
        if not newer:
            return ordered, {}
        present = {entry.key for entry in ordered}
        heads: list[Entry] = []
        older: defaultdict[DocumentId, list[Entry]] = defaultdict(list)
        for entry in ordered:
            newest = newer.get(entry.key)
            under = older[newest[0]] if newest is not None and newest[0] in present else heads
            under.append(entry)
        for entries in older.values():
            entries.sort(key=lambda entry: newer[entry.key][1])
        return heads, older

    # The filter

    def _passing(self, narrowing: Narrowing, entries: Iterable[Entry]) -> list[Entry]:
        # Word by word over the whole list: a call for each document costs more than the search.
        found = list(entries)
        for word in narrowing.words:
            found = [entry for entry in found if word in entry.text]
        for facet in {choice.facet for choice in narrowing.choices}:
            values = {choice.value for choice in narrowing.choices if choice.facet is facet}
            values_of = self._values_of(facet)
            found = [entry for entry in found if not values.isdisjoint(values_of(entry))]
        return found

    def _values_of(self, facet: Facet) -> Callable[[Entry], tuple[str, ...]]:
        """Return what tells the values of a facet that are true of a document."""
        if facet is not Facet.REVISION:
            return _FACETS[facet]
        heads = dict.fromkeys((head for head, _ in self._newer.values()), RevisionKind.NEWEST)
        kinds = heads | dict.fromkeys(self._newer, RevisionKind.OLDER)
        return lambda entry: (kinds.get(entry.key, RevisionKind.ONLY),)

    def counts(self, facet: Facet) -> dict[str, int]:
        """Count the documents that each value of a facet would list, with all else asked for."""
        others = frozenset(c for c in self.narrowing.choices if c.facet is not facet)
        values_of, entries = self._values_of(facet), self._entries.values()
        found = {value: 0 for entry in entries for value in values_of(entry)}
        for entry in self._passing(replace(self.narrowing, choices=others), entries):
            for value in values_of(entry):
                found[value] += 1
        return found

    def count(self, narrowing: Narrowing) -> int:
        """Count the documents that another filter would list."""
        return len(self._passing(narrowing, self._entries.values()))
