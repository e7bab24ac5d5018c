"""Keeps the parts of the indexes in step with the store, in memory and on disk."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import LibraryError
from desktop_qa.index.embedder import EMBEDDING_DIMENSIONS, MODEL_FINGERPRINT
from desktop_qa.index.index_state import IndexState, LivePart
from desktop_qa.index.part import Part
from desktop_qa.index.part_files import PartFiles
from desktop_qa.index.records import FloatMatrix, IndexRow
from desktop_qa.index.store import Store

logger = logging.getLogger(__name__)

_FORMAT = 1
"""Of a part's content; raised when what is kept of a segment changes."""

MAX_PART_ROWS = 1 << 16
"""Parts are joined up to this size: adding a document never takes longer than writing one of it,
and a million segments are in twenty parts, which a question looks through in some milliseconds."""

_MIN_SHARE_LEFT = 0.75
"""A part that lost more of its rows is written anew."""


class IndexParts:
    """The state that questions use, and the changes to it.

    A document that comes is a part of its own; parts are joined when the later one has grown to
    half of the one before, so that there are few of them and each row is copied some ten times in
    all. Changes come from one thread at a time; `state` may be read from any.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        version = f"{_FORMAT}; {EMBEDDING_DIMENSIONS}; {MODEL_FINGERPRINT}"
        self._files = PartFiles(store.folder, version)
        self._lock = threading.Lock()
        self.state = IndexState()

    def load(self) -> None:
        """Take what is on disk as far as the store agrees, and build the rest from the store.

        Raises:
            LibraryError: When the library cannot be read.
        """
        with self._lock:
            found = {path: self._files.read(path) for path in self._files.paths()}
            read = [LivePart.whole(part, path) for path, part in found.items() if part is not None]
            self._catch_up(read)
            if not self._store.read_only:
                self._files.remove_unfinished()
                self._remove_files(found.keys() - {one.path for one in self.state.parts})

    def catch_up(self) -> None:
        """Take what the store holds now, should that be something else than was told.

        Raises:
            LibraryError: When the library cannot be read.
        """
        with self._lock:
            if self._store.index_stamps() != self.state.stamps():
                self._catch_up(self.state.parts)
                self._tidy()

    def _catch_up(self, parts: Sequence[LivePart]) -> None:
        stamps = self._store.index_stamps()
        state = IndexState.of(parts, stamps)
        state = IndexState([one for one in state.parts if one.n_rows])
        self.state = self._built(state, stamps)

    def _built(self, state: IndexState, stamps: dict[DocumentId, int]) -> IndexState:
        """Add the documents that no part holds as they are now."""
        if len(state.document_ids) == len(stamps):
            return state
        missing = [
            document
            for document in self._store.document_ids()
            if document in stamps and document not in state.number_of
        ]
        logger.info("The indexes of %d documents are built", len(missing))
        waiting: list[Part] = []
        for rows, vectors in self._store.iter_index_parts(missing, min(5000, MAX_PART_ROWS)):
            waiting.append(Part.of_rows(stamps, rows, vectors))
            if sum(map(len, waiting)) >= MAX_PART_ROWS:
                state = state.added(self._joined(waiting))
                waiting.clear()
        return state.added(self._joined(waiting)) if waiting else state

    def _joined(self, parts: Sequence[Part]) -> LivePart:
        return self._saved(LivePart.whole(Part.merge(parts, [None] * len(parts))))

    def _saved(self, one: LivePart, before: Path | None = None) -> LivePart:
        """Write a part; one that cannot be written serves from memory and is built next time."""
        if self._store.read_only:
            return one
        try:
            path, mapped = self._files.write(one.part, before)
        except LibraryError as error:
            logger.warning("The indexes are not kept on disk: %s", error)
            return one
        return replace(one, part=mapped, path=path)

    def replace(
        self, document_id: DocumentId, rows: Sequence[IndexRow], vectors: FloatMatrix
    ) -> None:
        """Take a document as the store has just saved it, in place of what it was before."""
        with self._lock:
            state = self.state.without((document_id,))
            stamps = self._store.index_stamps((document_id,))
            if rows and document_id in stamps:
                state = state.added(LivePart.whole(Part.of_rows(stamps, rows, vectors)))
            self.state = state
            self._tidy()

    def remove(self, document_ids: Iterable[DocumentId]) -> None:
        """Forget several documents in one step; those that are in no part do not matter."""
        with self._lock:
            found = [one for one in document_ids if one in self.state.number_of]
            if found:
                self.state = self.state.without(found)
                self._tidy()

    def _tidy(self) -> None:
        """Join what belongs together, and write what is in memory only."""
        before = {one.path for one in self.state.parts}
        groups: list[list[LivePart]] = []
        for one in self.state.parts:
            if one.n_rows:
                groups.append([one])
        while len(groups) > 1 and _belong_together(_n_rows(groups[-2]), _n_rows(groups[-1])):
            groups[-2:] = [[*groups[-2], *groups[-1]]]
        parts = [self._settled(group) for group in groups]
        self.state = IndexState(parts)
        if not self._store.read_only:
            self._remove_files(before - {one.path for one in parts})

    def _settled(self, group: Sequence[LivePart]) -> LivePart:
        if len(group) == 1 and group[0].n_rows >= _MIN_SHARE_LEFT * len(group[0].part):
            return group[0] if group[0].path is not None else self._saved(group[0])
        merged = Part.merge([one.part for one in group], [one.kept for one in group])
        return self._saved(LivePart.whole(merged), group[0].path)

    def _remove_files(self, paths: Iterable[Path | None]) -> None:
        for path in paths:
            if path is not None:
                self._files.remove(path)


def _n_rows(group: Sequence[LivePart]) -> int:
    return sum(one.n_rows for one in group)


def _belong_together(n_before: int, n_last: int) -> bool:
    return 2 * n_last >= n_before and n_before + n_last <= MAX_PART_ROWS
