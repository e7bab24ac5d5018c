"""Vectors of the segments: compared exactly, and in Chroma on disk (its only door)."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from desktop_qa.core.errors import DiskFullError, LibraryError
from desktop_qa.core.segment import SegmentId
from desktop_qa.core.whole_files import write_whole
from desktop_qa.index.database import plain_errors
from desktop_qa.index.index_state import IndexState

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

logger = logging.getLogger(__name__)

FloatMatrix = npt.NDArray[np.float32]

FOLDER_NAME = "chroma"
_MANIFEST = "vector_files.json"
_COLLECTION = "segments"

REPAIR_STEP = 500
"""Vectors between two looks at whether the user wants to stop: half a second of work."""

# With Chroma's own ef_search the top 10 among 8000 clustered vectors had a recall of 0.95.
_SPACE = {"hnsw": {"space": "cosine", "ef_search": 400}}


def exact_similarities(
    state: IndexState, question: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Return the cosine similarities of vectors of length 1, shape (n_rows,).

    A row without a vector to compare with has 0.

    Args:
        state: With n_rows rows.
        question: Shape (n_dimensions,), of length 1.
    """
    similarities = np.zeros(state.starts[-1], np.float32)
    for one, start in zip(state.parts, state.starts, strict=False):
        np.dot(one.part.vectors, question, out=similarities[start : start + len(one.part)])
    return state.dense(similarities)


class VectorIndex:
    """The vectors on disk, in Chroma; opened at the first use, made anew when it is broken.

    Used by one thread at a time. It holds nothing that the store does not hold too.
    """

    def __init__(self, library: Path) -> None:
        self._folder = library / FOLDER_NAME
        self._client: ClientAPI | None = None
        self._opened: Collection | None = None

    def count(self) -> int:
        """Return the number of vectors."""
        return int(self._collection().count())

    def ids(self) -> set[SegmentId]:
        """Return the segments that have a vector."""
        return {SegmentId(found) for found in self._collection().get(include=[])["ids"]}

    def add(self, segment_ids: Sequence[SegmentId], vectors: FloatMatrix) -> None:
        """Add or replace vectors, shape (n_segments, n_dimensions), and wait for the disk.

        Raises:
            DiskFullError: When there is no space left.
        """
        collection = self._collection()
        with self._plain_errors():
            for part in self._parts(len(segment_ids)):
                ids = segment_ids[part]
                documents = [segment_id.partition(":")[0] for segment_id in ids]
                collection.upsert(
                    ids=list(ids),
                    embeddings=np.asarray(vectors[part], np.float32),
                    metadatas=[{"document_id": document_id} for document_id in documents],
                )
        self._record_files()

    def remove(self, segment_ids: Iterable[SegmentId]) -> None:
        """Remove vectors; unknown segments are passed over."""
        doomed = list(segment_ids)
        collection = self._collection()
        with self._plain_errors():
            for part in self._parts(len(doomed)):
                collection.delete(ids=list(doomed[part]))
        self._record_files()

    def repair(
        self,
        segment_ids: Sequence[SegmentId],
        vectors_at: Callable[[npt.NDArray[np.intp]], FloatMatrix],
        on_progress: Callable[[int, int], None] = lambda _n_done, _n_missing: None,
    ) -> int:
        """Add the missing and remove the surplus; return how many there were.

        Args:
            segment_ids: That shall have a vector.
            vectors_at: Returns the vectors of some of them, by place; asked in small steps.
            on_progress: Told after each step how many of how many missing ones are added; what it
                raises ends the repair, and the next one goes on from there.
        """
        present, wanted = self.ids(), set(segment_ids)
        surplus = sorted(present - wanted)
        missing = [i for i, segment_id in enumerate(segment_ids) if segment_id not in present]
        if surplus or missing:
            logger.info("Vector index: %d missing, %d surplus", len(missing), len(surplus))
        if surplus:
            self.remove(surplus)
        for start in range(0, len(missing), REPAIR_STEP):
            on_progress(start, len(missing))
            step = missing[start : start + REPAIR_STEP]
            self.add([segment_ids[i] for i in step], vectors_at(np.array(step, np.intp)))
        if missing:
            on_progress(len(missing), len(missing))
        return len(surplus) + len(missing)

    def nearest(self, query: npt.NDArray[np.float32], k: int) -> list[tuple[SegmentId, float]]:
        """Return the k nearest segments and their cosine similarity, best first, approximately."""
        collection = self._collection()
        k = min(k, collection.count())
        if k == 0:
            return []
        found = collection.query(
            query_embeddings=[np.asarray(query, np.float32)], n_results=k, include=["distances"]
        )
        distances = (found["distances"] or [[]])[0]
        return [
            (SegmentId(segment_id), 1.0 - float(distance))
            for segment_id, distance in zip(found["ids"][0], distances, strict=True)
        ]

    def close(self) -> None:
        """Free the files; the next use opens them again."""
        if self._client is not None:
            self._client.close()
            if self._opened is not None:
                self._record_files()
        self._client, self._opened = None, None

    def _record_files(self) -> None:
        with plain_errors(self._folder):
            write_whole(self._folder / _MANIFEST, json.dumps(self._files()).encode())

    def _files(self) -> dict[str, int]:
        """Sizes of the files that Chroma maps into memory, by their path in the folder."""
        return {
            path.relative_to(self._folder).as_posix(): path.stat().st_size
            for path in sorted(self._folder.rglob("*.bin"))
        }

    def _has_foreign_files(self) -> bool:
        """Tell whether files are not as they were left.

        Chroma trusts what it maps into memory: a cut or foreign file ends the process (chromadb
        1.5.9, segmentation fault), so it must not see one.
        """
        try:
            recorded = json.loads((self._folder / _MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            recorded = {}
        return bool(recorded != self._files())

    def _parts(self, n: int) -> Iterator[slice]:
        self._collection()
        size = self._client.get_max_batch_size() if self._client is not None else n
        for start in range(0, n, size):
            yield slice(start, start + size)

    def _collection(self) -> Collection:
        if self._opened is None:
            try:
                self._opened = self._open()
            except _errors() as error:
                # Nothing is lost: the store has the vectors, and `repair` finds them missing.
                logger.warning("The vector index is broken and made anew: %s", error)
                self._discard()
                self._opened = self._open()
        return self._opened

    def _open(self) -> Collection:
        import chromadb
        from chromadb.config import Settings

        if self._folder.is_dir() and self._has_foreign_files():
            logger.warning("The files of the vector index are not as they were left; made anew")
            self._discard()
        with plain_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        self._client = chromadb.PersistentClient(
            self._folder, settings=Settings(anonymized_telemetry=False)
        )
        collection: Collection = self._client.get_or_create_collection(
            _COLLECTION, embedding_function=None, configuration=_SPACE
        )
        if collection.count():
            # Counting reads SQLite only; a damaged vector file shows when a vector is asked for.
            probe = collection.get(limit=1, include=["embeddings"])["embeddings"]
            collection.query(query_embeddings=probe, n_results=1, include=[])
        return collection

    def _discard(self) -> None:
        from chromadb.api.shared_system_client import SharedSystemClient

        self.close()
        # WORKAROUND chromadb 1.5: a client that failed to open stays in this table and is handed
        # out again for the same folder.
        SharedSystemClient._identifier_to_system.pop(str(self._folder), None)
        SharedSystemClient._identifier_to_refcount.pop(str(self._folder), None)
        with plain_errors(self._folder):
            if self._folder.exists():
                shutil.rmtree(self._folder)

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        """Tell the user what Chroma's own errors mean."""
        try:
            with plain_errors(self._folder):
                yield
        except _errors() as error:
            if "disk is full" in str(error):
                raise DiskFullError(
                    "The disk is full.", "Free some space, then continue; nothing is lost."
                ) from error
            raise LibraryError(
                f"The vector index cannot be written ({error}).",
                f"Delete the folder {self._folder} and open the library again; it is made anew.",
            ) from error


def _errors() -> tuple[type[Exception], ...]:
    """What Chroma raises for files it cannot read."""
    from chromadb.errors import ChromaError

    return ChromaError, sqlite3.Error, ValueError, KeyError, RuntimeError
