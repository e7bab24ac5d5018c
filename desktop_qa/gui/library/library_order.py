"""Which documents the library's panel lists, under which headings and in which order; without Qt.

`LibraryOrder` holds every document and hands out the rows that are to be seen. Five thousand
documents are narrowed, ordered and grouped in a few milliseconds: what is compared is made once
for each document, when it comes or changes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


def _read_at(entry: Entry) -> float:
    return entry.status.read_at if entry.status.state.is_searchable else 0.0


_SORT_VALUES: dict[SortBy, Callable[[Entry], Any]] = {
    SortBy.NAME: attrgetter("natural_name"),
    SortBy.TITLE: lambda entry: natural_key(entry.status.title),
    SortBy.VENDOR: lambda entry: entry.status.vendor.casefold(),
    SortBy.PAGES: attrgetter("status.n_pages"),
    SortBy.STATE: lambda entry: f"{_STATE_ORDER.index(entry.kinds[0])}",
    SortBy.READ_AT: _read_at,
    SortBy.DATE: attrgetter("status.date"),
}
"""What a document is sorted by, before its name; nothing when it is not known."""


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

    def by_facet(self) -> dict[Facet, set[str]]:
        """Return the values asked for of each facet."""
        found: dict[Facet, set[str]] = {}
        for choice in self.choices:
            found.setdefault(choice.facet, set()).add(choice.value)
        return found


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


def note_of(row: Row, entry: Entry, words: Sequence[str], *, short: bool = False) -> str:
    """Return what stands behind a name: where a word was found, the revision, several places.

    Args:
        row: Of the document.
        entry: The document.
        words: That are looked for, folded.
        short: In as few letters as can be.
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


_Kin = tuple[str, frozenset[str]]


class Revisions:
    """Looks anew only at documents of the vendor and parts of those that changed.

    Attributes:
        newer: Newest revision of each document that has a newer one, and how many are newer.
    """

    def __init__(self) -> None:
        self.newer: dict[DocumentId, tuple[DocumentId, int]] = {}
        self._kin_of: dict[DocumentId, _Kin] = {}
        self._kin: defaultdict[_Kin, set[DocumentId]] = defaultdict(set)

    def update(
        self, touched: Iterable[DocumentId], entries: Mapping[DocumentId, Entry]
    ) -> set[DocumentId]:
        """Follow changes and return the documents that stand elsewhere among their revisions."""
        due: set[_Kin] = set()
        for document_id in touched:
            before = self._kin_of.pop(document_id, None)
            if before is not None:
                self._kin[before].discard(document_id)
                due.add(before)
            entry = entries.get(document_id)
            kin = self._join(document_id, entry) if entry is not None else None
            if kin is not None:
                due.add(kin)
            else:
                self.newer.pop(document_id, None)
        moved: set[DocumentId] = set()
        for kin in due:
            # In one order, however they came: of two that may be the newest the first is taken.
            members = sorted(self._kin[kin])
            # Nearly all documents are the only ones of their part.
            if len(members) > 1 or any(member in self.newer for member in members):
                moved |= self._look_anew(members, entries)
        return moved

    def _join(self, document_id: DocumentId, entry: Entry) -> _Kin | None:
        """Put a document beside those of its vendor and parts; None when these are unknown."""
        status = entry.status
        parts = frozenset(map(normalize_code, status.part_numbers))
        if not parts or not status.is_indexed:
            return None
        kin = self._kin_of[document_id] = status.vendor.casefold(), parts
        self._kin[kin].add(document_id)
        return kin

    def _look_anew(
        self, members: list[DocumentId], entries: Mapping[DocumentId, Entry]
    ) -> set[DocumentId]:
        statuses = [entries[document_id].status for document_id in members]
        dates = {status.document_id: status.date for status in statuses}
        found = newer_revisions(statuses, dates.__getitem__)
        moved = {one for one in members if found.get(one) != self.newer.get(one)}
        for document_id in moved:
            self.newer.pop(document_id, None)
        self.newer |= found
        return moved


class LibraryOrder:
    """Documents of a library; the rows are made anew when something changed, and only then."""

    def __init__(self) -> None:
        self.arrangement = Arrangement()
        self.narrowing = Narrowing()
        self._entries: dict[DocumentId, Entry] = {}
        self._revisions = Revisions()
        self._sorted: list[Entry] | None = None
        self._rows: tuple[Row, ...] | None = None
        self._n_shown = 0
        # The rows of documents by themselves are made once: thousands of new objects with each
        # letter that is typed would call the garbage collector, which takes 50 ms and more.
        self._plain: dict[DocumentId, Row] = {}

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
        return {
            entry.state_word
            for entry in self._entries.values()
            if entry.status.state is not DocumentState.READY
        }

    @property
    def n_shown(self) -> int:
        """Documents that pass the filter, folded ones too."""
        self.rows()
        return self._n_shown

    # Changes

    def clear(self) -> None:
        """Forget all documents; the arrangement and what is asked for stay."""
        self._entries = {}
        self._revisions = Revisions()
        self._plain = {}
        self._sorted = self._rows = None

    def update(
        self, changed: Iterable[DocumentStatus], removed: Iterable[DocumentId] = ()
    ) -> set[DocumentId]:
        """Take documents as they are now and return those that look different."""
        touched: set[DocumentId] = set()
        for document_id in removed:
            self._plain.pop(document_id, None)
            if self._entries.pop(document_id, None) is not None:
                touched.add(document_id)
        for status in changed:
            before = self._entries.get(status.document_id)
            if before is None or before.status != status:
                touched.add(status.document_id)
                self._entries[status.document_id] = entry_of(status)
        if touched:
            self._sorted = self._rows = None
            touched |= self._revisions.update(touched, self._entries)
        return touched

    def load(self, statuses: Sequence[DocumentStatus]) -> Iterator[None]:
        """Take another library's documents, with a breath after every few of them."""
        self.clear()
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

    def toggle(self, row: Row) -> None:
        """Fold what is under a row, or show it again."""
        arrangement = self.arrangement
        if row.entry is None:
            collapsed = arrangement.collapsed ^ {row.key}
            self.arrange(replace(arrangement, collapsed=collapsed))
        elif row.n_under:
            self.arrange(replace(arrangement, unfolded=arrangement.unfolded ^ {row.key}))

    def fold_all(self, is_folded: bool) -> None:
        """Fold every heading, or none."""
        keys = {row.key for row in self.rows() if row.entry is None} if is_folded else set()
        self.arrange(replace(self.arrangement, collapsed=frozenset(keys)))

    def reveal(self, document_id: DocumentId) -> None:
        """Unfold what hides a document that passes the filter."""
        entry = self._entries.get(document_id)
        if entry is None:
            return
        arrangement, unfolded = self.arrangement, self.arrangement.unfolded
        newest = self._entries.get(self._revisions.newer.get(document_id, (document_id, 0))[0])
        if newest is not None and newest is not entry and self._passing(self.narrowing, [newest]):
            entry, unfolded = newest, unfolded | {newest.status.document_id}
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
            found = sorted(self._entries.values(), key=_SORT_VALUES[SortBy.NAME])
            if arrangement.sort_by is not SortBy.NAME or arrangement.descending:
                value_of = _SORT_VALUES[arrangement.sort_by]
                valued = [(value_of(entry), entry) for entry in found]
                known = [pair for pair in valued if pair[0]]
                known.sort(key=itemgetter(0), reverse=arrangement.descending)
                # What has no title or date comes last in either direction.
                found = [entry for _, entry in known]
                found += [entry for value, entry in valued if not value]
            groups = self._grouped(found)
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
        group_by = self.arrangement.group_by
        rows: list[Row] = []
        if group_by is GroupBy.NONE:
            self._append(rows, heads, older)
            return rows
        n_older: Counter[str] = Counter()
        for head, entries in older.items():
            n_older[_HEADINGS[group_by](self._entries[head])] += len(entries)
        for heading, members in self._grouped(heads).items():
            key = f"{group_by}:{heading}"
            is_open = key not in self.arrangement.collapsed
            rows.append(Row(key, None, heading, len(members) + n_older[heading], is_open))
            if is_open:
                self._append(rows, members, older)
        return rows

    def _heads(self) -> tuple[list[Entry], dict[DocumentId, list[Entry]]]:
        """Return the documents to list, and by them their older revisions, newest first."""
        ordered = self._passing(self.narrowing, self._ordered())
        self._n_shown = len(ordered)
        newer = self._revisions.newer
        if not newer:
            return ordered, {}
        present = {entry.status.document_id for entry in ordered}
        folded = {one for one, (head, _) in newer.items() if one in present and head in present}
        older: defaultdict[DocumentId, list[Entry]] = defaultdict(list)
        for entry in ordered:
            if entry.status.document_id in folded:
                older[newer[entry.status.document_id][0]].append(entry)
        for entries in older.values():
            entries.sort(key=lambda e: newer[e.status.document_id][1])
        return [entry for entry in ordered if entry.status.document_id not in folded], older

    def _append(
        self, rows: list[Row], heads: list[Entry], older: dict[DocumentId, list[Entry]]
    ) -> None:
        plain, unfolded = self._plain, self.arrangement.unfolded
        for entry in heads:
            key = entry.status.document_id
            beneath = older.get(key)
            if beneath is None:
                row = plain.get(key)
                if row is None or row.entry is not entry:
                    row = plain[key] = Row(key, entry)
                rows.append(row)
                continue
            is_open = key in unfolded
            rows.append(Row(key, entry, "", len(beneath), is_open))
            if is_open:
                rows += [Row(e.status.document_id, e, "", 0, True, True) for e in beneath]

    # The filter

    def _passing(self, narrowing: Narrowing, entries: Iterable[Entry]) -> list[Entry]:
        # Word by word over the whole list: a call for each document costs more than the search.
        found = list(entries)
        for word in narrowing.words:
            found = [entry for entry in found if word in entry.text]
        for facet, values in narrowing.by_facet().items():
            values_of = self._values_of(facet)
            found = [entry for entry in found if not values.isdisjoint(values_of(entry))]
        return found

    def _values_of(self, facet: Facet) -> Callable[[Entry], tuple[str, ...]]:
        """Return what tells the values of a facet that are true of a document."""
        newer = self._revisions.newer
        heads = frozenset(head for head, _ in newer.values())

        def revision_of(entry: Entry) -> tuple[str, ...]:
            document_id = entry.status.document_id
            if document_id in newer:
                return (RevisionKind.OLDER,)
            return (RevisionKind.NEWEST,) if document_id in heads else (RevisionKind.ONLY,)

        told: dict[Facet, Callable[[Entry], tuple[str, ...]]] = {
            Facet.STATE: lambda entry: entry.kinds,
            Facet.VENDOR: lambda entry: (entry.vendor,),
            Facet.FOLDER: lambda entry: (entry.folder,),
            Facet.REVISION: revision_of,
        }
        return told[facet]

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
