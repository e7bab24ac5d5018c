"""Which documents of the list are older revisions of others; kept in step, without Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.document import DocumentId
from desktop_qa.gui.library.library_facets import Entry
from desktop_qa.retrieve.revisions import newer_revisions

_AT_ONCE = 500
_MOST_COMPARED = 400
"""Pairs of documents between two breaths."""

_Kin = tuple[str, frozenset[str]]


class Revisions:
    """Looks anew only at documents of the vendor and parts of those that changed.

    Attributes:
        newest: Newest revision of each document that has a newer one.
    """

    def __init__(self) -> None:
        self.newest: dict[DocumentId, DocumentId] = {}
        self._kin_of: dict[DocumentId, _Kin] = {}
        self._kin: dict[_Kin, dict[DocumentId, None]] = {}
        self._ages: dict[DocumentId, int] = {}

    def newest_of(self, document_id: DocumentId) -> DocumentId:
        """Return the newest revision of a document, itself when there is no newer one."""
        return self.newest.get(document_id, document_id)

    def age(self, document_id: DocumentId) -> int:
        """Return how many revisions of the document are newer."""
        return self._ages.get(document_id, 0)

    def load(self, entries: Mapping[DocumentId, Entry]) -> Iterator[None]:
        """Take a whole library at once, with a breath every now and then."""
        for number, (document_id, entry) in enumerate(entries.items(), 1):
            kin = _kin_of(entry)
            if kin is not None:
                self._kin_of[document_id] = kin
                self._kin.setdefault(kin, {})[document_id] = None
            if number % _AT_ONCE == 0:
                yield
        n_compared = 0
        for members in [sorted(kin) for kin in self._kin.values() if len(kin) > 1]:
            self._look_anew(members, entries)
            n_compared += len(members) ** 2
            if n_compared > _MOST_COMPARED:
                n_compared = 0
                yield

    def update(
        self, touched: Iterable[DocumentId], entries: Mapping[DocumentId, Entry]
    ) -> set[DocumentId]:
        """Follow changes and return the documents that stand elsewhere among their revisions."""
        due: set[_Kin] = set()
        for document_id in touched:
            before = self._kin_of.pop(document_id, None)
            if before is not None:
                self._kin[before].pop(document_id, None)
                due.add(before)
            entry = entries.get(document_id)
            kin = _kin_of(entry) if entry is not None else None
            if kin is not None:
                self._kin_of[document_id] = kin
                self._kin.setdefault(kin, {})[document_id] = None
                due.add(kin)
            elif self.newest.pop(document_id, None) is not None:
                self._ages.pop(document_id, None)
        moved: set[DocumentId] = set()
        for kin in due:
            # In one order, however they came: of two that may be the newest the first is taken.
            members = sorted(self._kin[kin])
            # Nearly all documents are the only ones of their part.
            if len(members) > 1 or any(member in self.newest for member in members):
                moved |= self._look_anew(members, entries)
        return moved

    def _look_anew(
        self, members: list[DocumentId], entries: Mapping[DocumentId, Entry]
    ) -> set[DocumentId]:
        statuses = [entries[document_id].status for document_id in members]
        found: dict[DocumentId, tuple[DocumentId, int]] = {}
        if len(statuses) > 1:
            dates = {status.document_id: status.date for status in statuses}
            found = newer_revisions(statuses, dates.__getitem__)
        moved = set()
        for document_id in members:
            newest, age = found.get(document_id, (None, 0))
            if self.newest.get(document_id) != newest or self.age(document_id) != age:
                moved.add(document_id)
            self.newest.pop(document_id, None)
            self._ages[document_id] = age
            if newest is not None:
                self.newest[document_id] = newest
        return moved


def _kin_of(entry: Entry) -> _Kin | None:
    status = entry.status
    parts = frozenset(map(normalize_code, status.part_numbers))
    return (status.vendor.casefold(), parts) if parts and status.is_indexed else None
