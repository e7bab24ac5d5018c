"""The part of the store that knows which files the user took out of the library.

Removing hides a document: the records of its files go to `removed_files`, its rows stay, and
without a stamp no index takes it. So it can come back at once until `purge_removed`.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.index.database import Database
from desktop_qa.index.index_rows import new_stamp
from desktop_qa.index.schema import MARKS_SCHEMA

_IS_HIDDEN = (
    "d.id IN (SELECT document_id FROM removed_files)"
    " AND d.id NOT IN (SELECT document_id FROM files)"
)


class RemovedFiles:
    """Files that are passed over; an older library that is open for reading only has none."""

    _database: Database
    _documents_revision: int

    @property
    def _knows_removed(self) -> bool:
        return self._database.schema >= MARKS_SCHEMA

    # Removing

    def hide_documents(self, document_ids: Iterable[DocumentId]) -> tuple[DocumentId, ...]:
        """Take documents out of every list and index, and return those that were in them."""
        hidden = []
        now = time.time()
        with self._database.write() as connection:
            for document_id in dict.fromkeys(document_ids):
                moved = connection.execute(
                    "INSERT OR REPLACE INTO removed_files (source_id, path, document_id,"
                    " removed_at) SELECT source_id, path, document_id, ? FROM files"
                    " WHERE document_id = ?",
                    (now, document_id),
                ).rowcount
                if not moved:
                    continue
                hidden.append(document_id)
                for table in ("files", "index_stamps"):
                    connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))
        self._documents_revision += 1
        return tuple(hidden)

    def pass_over(self, source_id: int, path: str, document_id: DocumentId) -> None:
        """Take out a file of which nothing is known, as it could never be read."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO removed_files VALUES (?, ?, ?, ?)",
                (source_id, path, document_id, time.time()),
            )
        self._documents_revision += 1

    def hidden_documents(self) -> tuple[DocumentId, ...]:
        """Return the removed documents of which all that was read is still there."""
        if not self._knows_removed:
            return ()
        with self._database.read() as connection:
            rows = connection.execute(f"SELECT d.id FROM documents d WHERE {_IS_HIDDEN}")
            return tuple(row[0] for row in rows.fetchall())

    def is_hidden(self, document_id: DocumentId) -> bool:
        """Tell whether a document was removed."""
        if not self._knows_removed:
            return False
        query = f"SELECT 1 FROM documents d WHERE d.id = ? AND {_IS_HIDDEN}"
        with self._database.read() as connection:
            return connection.execute(query, (document_id,)).fetchone() is not None

    # Finding

    def removed_documents(self) -> tuple[RemovedDocument, ...]:
        """Return what was removed, the latest first."""
        if not self._knows_removed:
            return ()
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT r.document_id, r.path, s.folder, r.removed_at, d.title, d.id IS NOT NULL"
                " FROM removed_files r JOIN sources s ON s.id = r.source_id"
                " LEFT JOIN documents d ON d.id = r.document_id"
                " ORDER BY r.removed_at DESC, r.source_id, r.path"
            ).fetchall()
        found: dict[DocumentId, list[tuple[str, str, float, str, bool]]] = {}
        for document_id, path, folder, removed_at, title, is_kept in rows:
            one = (path, str(Path(folder, path)), removed_at, title or "", bool(is_kept))
            found.setdefault(document_id, []).append(one)
        return tuple(
            RemovedDocument(
                document_id,
                files=tuple(one[0] for one in files),
                paths=tuple(one[1] for one in files),
                title=files[0][3],
                removed_at=files[0][2],
                is_kept=files[0][4],
            )
            for document_id, files in found.items()
        )

    def removed_paths(self, source_id: int) -> frozenset[str]:
        """Return the files of a source that are passed over."""
        if not self._knows_removed:
            return frozenset()
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT path FROM removed_files WHERE source_id = ?", (source_id,)
            ).fetchall()
        return frozenset(path for (path,) in rows)

    # Bringing back

    def unhide_documents(self, document_ids: Iterable[DocumentId]) -> tuple[DocumentId, ...]:
        """Let files be part of the library again.

        Returns:
            The documents of which all that was read is there: they are whole again at once. The
            others are read by the next run over their folders.
        """
        back = []
        with self._database.write() as connection:
            for document_id in dict.fromkeys(document_ids):
                known = connection.execute(
                    "SELECT n_segments FROM documents WHERE id = ?", (document_id,)
                ).fetchone()
                if known is not None:
                    # Without size and time the next scan looks at the bytes: they may have changed.
                    connection.execute(
                        "INSERT OR IGNORE INTO files (source_id, path, size, mtime_ns,"
                        " document_id) SELECT source_id, path, -1, 0, document_id"
                        " FROM removed_files WHERE document_id = ?",
                        (document_id,),
                    )
                    back.append(document_id)
                connection.execute(
                    "DELETE FROM removed_files WHERE document_id = ?", (document_id,)
                )
        self._documents_revision += 1
        return tuple(back)

    def stamp_again(self) -> tuple[DocumentId, ...]:
        """Give documents that have files again the stamp that lets indexes take them."""
        with self._database.write() as connection:
            rows = connection.execute(
                "SELECT id FROM documents WHERE n_segments > 0"
                " AND id NOT IN (SELECT document_id FROM index_stamps)"
                " AND id IN (SELECT document_id FROM files)"
            ).fetchall()
            connection.executemany(
                "INSERT INTO index_stamps (document_id, stamp) VALUES (?, ?)",
                [(document_id, new_stamp()) for (document_id,) in rows],
            )
        if rows:
            self._documents_revision += 1
        return tuple(document_id for (document_id,) in rows)

    def without_hidden(self, document_ids: Collection[DocumentId]) -> tuple[DocumentId, ...]:
        """Return those of some documents that were not removed by the user."""
        hidden = frozenset(self.hidden_documents())
        return tuple(one for one in document_ids if one not in hidden)
