"""The part of the store that knows the source folders and the files in them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState
from desktop_qa.index.database import Database
from desktop_qa.index.records import FileRecord, Source


class SourceFiles:
    """Source folders and their files as last seen."""

    _database: Database
    _documents_revision = 0

    @property
    def documents_revision(self) -> int:
        """A number that grows when files or documents come, go or change their state."""
        return self._documents_revision

    def add_source(self, folder: Path) -> Source:
        """Register a folder of documents; the known one when it is registered already."""
        absolute = str(folder.expanduser().resolve())
        with self._database.write() as connection:
            connection.execute("INSERT OR IGNORE INTO sources (folder) VALUES (?)", (absolute,))
            query = "SELECT id, folder FROM sources WHERE folder = ?"
            return Source(*connection.execute(query, (absolute,)).fetchone())

    def sources(self) -> tuple[Source, ...]:
        """Return the source folders in the order in which they were added."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT id, folder FROM sources ORDER BY id").fetchall()
        return tuple(Source(*row) for row in rows)

    def relocate_source(self, source_id: int, folder: Path) -> None:
        """Point a source at the place where its folder is now; nothing is read again."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE sources SET folder = ? WHERE id = ?",
                (str(folder.expanduser().resolve()), source_id),
            )
        self._documents_revision += 1

    def remove_source(self, source_id: int) -> None:
        """Forget a source and its files; its documents stay until they are removed."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM sources WHERE id = ?", (source_id,))
        self._documents_revision += 1

    def put_files(self, source_id: int, files: Iterable[FileRecord]) -> None:
        """Record files as they are now; a document not seen before starts as waiting.

        Files of a source that was removed while it was looked through are passed over.
        """
        records = list(files)
        with self._database.write() as connection:
            query = "SELECT 1 FROM sources WHERE id = ?"
            if connection.execute(query, (source_id,)).fetchone() is None:
                return
            connection.executemany(
                "INSERT OR IGNORE INTO documents (id, state, added_at) VALUES (?, ?, ?)",
                [(r.document_id, DocumentState.WAITING, time.time()) for r in records],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO files (source_id, path, size, mtime_ns, document_id)"
                " VALUES (?, ?, ?, ?, ?)",
                [(source_id, r.path, r.size, r.mtime_ns, r.document_id) for r in records],
            )
        self._documents_revision += 1

    def remove_files(self, source_id: int, paths: Iterable[str]) -> None:
        """Forget files that are gone; their documents stay until they are removed."""
        with self._database.write() as connection:
            connection.executemany(
                "DELETE FROM files WHERE source_id = ? AND path = ?",
                [(source_id, path) for path in paths],
            )
        self._documents_revision += 1

    def places(self, document_id: DocumentId) -> tuple[tuple[str, str], ...]:
        """Return source folder and path in it of each file that holds a document's bytes."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT s.folder, f.path FROM files f JOIN sources s ON s.id = f.source_id"
                " WHERE f.document_id = ? ORDER BY f.source_id, f.path",
                (document_id,),
            ).fetchall()
        return tuple((folder, path) for folder, path in rows)

    def files(self, source_id: int) -> dict[str, FileRecord]:
        """Return the files of a source as last recorded, by path, sorted by path."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT path, size, mtime_ns, document_id FROM files WHERE source_id = ?"
                " ORDER BY path",
                (source_id,),
            ).fetchall()
        return {row[0]: FileRecord(*row) for row in rows}
