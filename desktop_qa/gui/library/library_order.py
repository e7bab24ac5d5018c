"""Which documents the library's panel lists, under which headings and in which order; without Qt.

`LibraryOrder` holds every document and hands out the rows that are to be seen. Five thousand
documents are narrowed, ordered and grouped in a few milliseconds: what is compared is made once
for each document, when it comes or changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_facets import (
    HEADINGS,
    SORT_VALUES,
    Entry,
    Facet,
    GroupBy,
    SortBy,
    entry_of,
    group_rank,
    revision_of,
)
from desktop_qa.gui.library.library_revisions import Revisions
from desktop_qa.gui.library.library_rows import Arrangement, Narrowing, Row

_AT_ONCE = 250
"""Documents that are taken between two breaths."""


class LibraryOrder:
    """Documents of a library; the rows are made anew when something changed, and only then."""

    def __init__(self) -> None:
        self.arrangement = Arrangement()
        self.narrowing = Narrowing()
        self._entries: dict[DocumentId, Entry] = {}
        self._revisions = Revisions()
        self._sorted: list[Entry] | None = None
        self._rows: list[Row] | None = None
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

    def entry(self, document_id: DocumentId) -> Entry | None:
        """Return a document, None when it is not in the library."""
        return self._entries.get(document_id)

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
                self._sorted = self._rows = None
        for status in changed:
            before = self._entries.get(status.document_id)
            if before is not None and before.status == status:
                continue
            entry = entry_of(status)
            touched.add(status.document_id)
            self._entries[status.document_id] = entry
            self._place(before, entry)
        if touched:
            folded = self._revisions.update(touched, self._entries)
            if folded:
                touched |= folded
                self._sorted = self._rows = None
        return touched

    def load(self, statuses: Sequence[DocumentStatus]) -> Iterator[None]:
        """Take another library's documents, with a breath after every few hundred of them."""
        self.clear()
        for start in range(0, len(statuses), _AT_ONCE):
            some = {status.document_id: status for status in statuses[start : start + _AT_ONCE]}
            self._entries.update((key, entry_of(status)) for key, status in some.items())
            yield
        yield from self._revisions.load(self._entries)
        self._sorted = self._rows = None
        self._ordered()
        yield
        self.rows()
        yield

    def _place(self, before: Entry | None, entry: Entry) -> None:
        """Leave the order as it is when the document stays where it was."""
        if before is None or self._position(before) != self._position(entry):
            self._sorted = self._rows = None
        elif self._sorted is not None:
            self._sorted[self._sorted.index(before)] = entry
            self._rows = None

    def _position(self, entry: Entry) -> tuple[object, ...]:
        arrangement = self.arrangement
        return (
            HEADINGS[arrangement.group_by](entry),
            SORT_VALUES[arrangement.sort_by](entry),
            entry.natural_name,
        )

    def arrange(self, arrangement: Arrangement) -> None:
        """Group and sort in another way, or fold something."""
        if arrangement == self.arrangement:
            return
        before, self.arrangement = self.arrangement, arrangement
        if (before.group_by, before.sort_by, before.descending) != (
            *(arrangement.group_by, arrangement.sort_by),
            arrangement.descending,
        ):
            self._sorted = None
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
        newest = self._entries.get(self._revisions.newest_of(document_id))
        arrangement = self.arrangement
        head = newest if newest is not None and self._passes_now(newest) else entry
        key = self._heading_key(head)
        shown = {head.status.document_id} if head is not entry else set()
        unfolded = arrangement.unfolded | shown
        self.arrange(
            replace(arrangement, collapsed=arrangement.collapsed - {key}, unfolded=unfolded)
        )

    # The rows

    def rows(self) -> list[Row]:
        """Return what is to be seen, from top to bottom."""
        if self._rows is None:
            self._rows = self._make_rows()
        return self._rows

    def _ordered(self) -> list[Entry]:
        if self._sorted is None:
            arrangement = self.arrangement
            found = sorted(self._entries.values(), key=SORT_VALUES[SortBy.NAME])
            if arrangement.sort_by is not SortBy.NAME or arrangement.descending:
                value_of = SORT_VALUES[arrangement.sort_by]
                valued = [(value_of(entry), entry) for entry in found]
                known = [pair for pair in valued if pair[0]]
                known.sort(key=itemgetter(0), reverse=arrangement.descending)
                # What has no title or date comes last in either direction.
                found = [entry for _, entry in known]
                found += [entry for value, entry in valued if not value]
            groups = self._grouped(found)
            headings = sorted(groups, key=lambda name: group_rank(name, arrangement.group_by))
            self._sorted = [entry for heading in headings for entry in groups[heading]]
        return self._sorted

    def _grouped(self, entries: Iterable[Entry]) -> dict[str, list[Entry]]:
        """Return entries by their headings; all under "" when there are none."""
        groups: dict[str, list[Entry]] = {}
        heading_of = HEADINGS[self.arrangement.group_by]
        for entry in entries:
            heading = heading_of(entry)
            members = groups.get(heading)
            if members is None:
                groups[heading] = [entry]
            else:
                members.append(entry)
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
            n_older[HEADINGS[group_by](self._entries[head])] += len(entries)
        for heading, members in self._grouped(heads).items():
            key = f"{group_by}:{heading}"
            is_open = key not in self.arrangement.collapsed
            rows.append(Row(key, None, heading, len(members) + n_older[heading], is_open))
            if is_open:
                self._append(rows, members, older)
        return rows

    def _heads(self) -> tuple[list[Entry], dict[DocumentId, list[Entry]]]:
        """Return the documents to list, and by them their older revisions, newest first."""
        ordered = self._ordered()
        # Word by word over the whole list: a call for each document costs more than the search.
        for word in self.narrowing.words:
            ordered = [entry for entry in ordered if word in entry.text]
        if self.narrowing.choices:
            passes = self._test(replace(self.narrowing, words=()))
            ordered = [entry for entry in ordered if passes(entry)]
        self._n_shown = len(ordered)
        newest = self._revisions.newest
        if not newest:
            return ordered, {}
        present = {entry.status.document_id for entry in ordered}
        folded = {one for one, head in newest.items() if one in present and head in present}
        older: dict[DocumentId, list[Entry]] = {}
        for entry in ordered:
            if entry.status.document_id in folded:
                older.setdefault(newest[entry.status.document_id], []).append(entry)
        for entries in older.values():
            entries.sort(key=lambda e: self._revisions.age(e.status.document_id))
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

    def _heading_key(self, entry: Entry) -> str:
        group_by = self.arrangement.group_by
        return f"{group_by}:{HEADINGS[group_by](entry)}"

    # The filter

    def _passes_now(self, entry: Entry) -> bool:
        return self._test(self.narrowing)(entry)

    def _test(self, narrowing: Narrowing) -> Callable[[Entry], bool]:
        words = narrowing.words
        wanted = narrowing.by_facet()
        newest = self._revisions.newest
        heads = frozenset(newest.values()) if Facet.REVISION in wanted else frozenset()

        def passes(entry: Entry) -> bool:
            text = entry.text
            for word in words:
                if word not in text:
                    return False
            for facet, values in wanted.items():
                if values.isdisjoint(self._values(entry, facet, newest, heads)):
                    return False
            return True

        return passes

    def _values(
        self,
        entry: Entry,
        facet: Facet,
        newest: Mapping[DocumentId, DocumentId],
        heads: frozenset[DocumentId],
    ) -> tuple[str, ...]:
        if facet is Facet.REVISION:
            return revision_of(entry, newest, heads)
        return entry.values(facet)

    def counts(self, facet: Facet) -> dict[str, int]:
        """Count the documents that each value of a facet would list, with all else asked for."""
        others = frozenset(c for c in self.narrowing.choices if c.facet is not facet)
        passes = self._test(replace(self.narrowing, choices=others))
        newest = self._revisions.newest
        heads = frozenset(newest.values())
        found: dict[str, int] = {}
        for entry in self._entries.values():
            values = self._values(entry, facet, newest, heads)
            if passes(entry):
                for value in values:
                    found[value] = found.get(value, 0) + 1
            else:
                for value in values:
                    found.setdefault(value, 0)
        return found

    def count(self, narrowing: Narrowing) -> int:
        """Count the documents that another filter would list."""
        passes = self._test(narrowing)
        return sum(map(passes, self._entries.values()))
