"""The part of the store that knows the source folders, and which of their files are documents.

Removing hides a document: the records of its files go to `removed_files`, its rows stay, and
without a stamp no index takes it. So it can come back at once until `purge_removed`.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.folders import FileRecord, FolderChoices
from desktop_qa.core.progress import SCANNED_DOCUMENT, DocumentState
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.index.database import Database, damaged
from desktop_qa.index.index_rows import new_stamp
from desktop_qa.index.records import Source
from desktop_qa.index.schema import MARKS_SCHEMA

_INSERT = "INSERT OR REPLACE INTO source_choices (source_id, is_watched, excluded) VALUES (?, ?, ?)"
_ATTENTION = (DocumentState.PARTIAL, DocumentState.FAILED)
_IS_HIDDEN = (
    "d.id IN (SELECT document_id FROM removed_files)"
    " AND d.id NOT IN (SELECT document_id FROM files)"
)


class SourceFiles:
    """Source folders, what the user chose of them, and their files as last seen.

    An older library that is open for reading only has no choices, and nothing was removed from it.
    """

    _database: Database
    _documents_revision = 0

    @property
    def documents_revision(self) -> int:
        """A number that grows when files or documents come, go or change their state."""
        return self._documents_revision

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Write what `documents_revision` counts."""
        with self._database.write() as connection:
            yield connection
        self._documents_revision += 1

    def add_source(self, folder: Path) -> Source:
        """Register a folder of documents; the known one when it is registered already."""
        absolute = str(folder.expanduser().resolve())
        with self._database.write() as connection:
            connection.execute("INSERT OR IGNORE INTO sources (folder) VALUES (?)", (absolute,))
            query = "SELECT id, folder FROM sources WHERE folder = ?"
            return Source(*connection.execute(query, (absolute,)).fetchone())

    def sources(self) -> tuple[Source, ...]:
        """Return the source folders in the order in which they were added."""
        rows = self._database.rows("SELECT id, folder FROM sources ORDER BY id")
        return tuple(Source(*row) for row in rows)

    def relocate_source(self, source_id: int, folder: Path) -> None:
        """Point a source at the place where its folder is now; nothing is read again."""
        with self._changing() as connection:
            connection.execute(
                "UPDATE sources SET folder = ? WHERE id = ?",
                (str(folder.expanduser().resolve()), source_id),
            )

    def remove_source(self, source_id: int) -> None:
        """Forget a source and its files; its documents stay until they are removed."""
        with self._changing() as connection:
            connection.execute("DELETE FROM sources WHERE id = ?", (source_id,))

    def put_files(self, source_id: int, files: Iterable[FileRecord]) -> None:
        """Record files as they are now; a document not seen before starts as waiting.

        Files of a source that was removed while it was looked through are passed over.
        """
        records = list(files)
        with self._changing() as connection:
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

    def remove_files(self, source_id: int, paths: Iterable[str]) -> None:
        """Forget files that are gone; their documents stay until they are removed."""
        with self._changing() as connection:
            connection.executemany(
                "DELETE FROM files WHERE source_id = ? AND path = ?",
                [(source_id, path) for path in paths],
            )

    def places(self, document_id: DocumentId) -> tuple[tuple[str, str], ...]:
        """Return source folder and path in it of each file that holds a document's bytes."""
        rows = self._database.rows(
            "SELECT s.folder, f.path FROM files f JOIN sources s ON s.id = f.source_id"
            " WHERE f.document_id = ? ORDER BY f.source_id, f.path",
            (document_id,),
        )
        return tuple((folder, path) for folder, path in rows)

    def files(self, source_id: int) -> dict[str, FileRecord]:
        """Return the files of a source as last recorded, by path, sorted by path."""
        rows = self._database.rows(
            "SELECT path, size, mtime_ns, document_id FROM files WHERE source_id = ? ORDER BY path",
            (source_id,),
        )
        return {row[0]: FileRecord(*row) for row in rows}

    # What the user decided about each folder

    def choices(self) -> defaultdict[int, FolderChoices]:
        """Return the choices by source id, the usual ones of a source for which none are kept."""
        query = "SELECT source_id, is_watched, excluded FROM source_choices"
        rows = self._database.rows(query, since=MARKS_SCHEMA)
        try:
            kept = {
                source_id: FolderChoices(bool(is_watched), tuple(map(str, json.loads(excluded))))
                for source_id, is_watched, excluded in rows
            }
        except (ValueError, TypeError) as error:
            raise damaged(error) from error
        return defaultdict(FolderChoices, kept)

    def set_choices(self, source_id: int, choices: FolderChoices) -> None:
        """Keep the choices of a source."""
        row = (source_id, choices.is_watched, json.dumps(choices.excluded))
        with self._database.write() as connection:
            connection.execute(_INSERT, row)

    def count_files(self) -> dict[int, tuple[int, int, int]]:
        """Return files, files of documents that need attention, and scans, by source id."""
        states = ", ".join(f"'{state.value}'" for state in _ATTENTION)
        rows = self._database.rows(
            f"SELECT f.source_id, count(*), sum(d.state IN ({states})),"
            " sum(d.state = ? AND d.reason = ?)"
            " FROM files f JOIN documents d ON d.id = f.document_id GROUP BY f.source_id",
            (DocumentState.FAILED, SCANNED_DOCUMENT),
        )
        return {source_id: (files, attention, scans) for source_id, files, attention, scans in rows}

    # Removing

    def hide_documents(self, document_ids: Iterable[DocumentId]) -> tuple[DocumentId, ...]:
        """Take documents out of every list and index, and return those that were in them."""
        hidden = []
        now = time.time()
        with self._changing() as connection:
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
        return tuple(hidden)

    def pass_over(self, source_id: int, path: str, document_id: DocumentId) -> None:
        """Take out a file of which nothing is known, as it could never be read."""
        with self._changing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO removed_files VALUES (?, ?, ?, ?)",
                (source_id, path, document_id, time.time()),
            )

    def hidden_documents(self) -> tuple[DocumentId, ...]:
        """Return the removed documents of which all that was read is still there."""
        query = f"SELECT d.id FROM documents d WHERE {_IS_HIDDEN}"
        rows = self._database.rows(query, since=MARKS_SCHEMA)
        return tuple(row[0] for row in rows)

    def is_hidden(self, document_id: DocumentId) -> bool:
        """Tell whether a document was removed."""
        query = f"SELECT 1 FROM documents d WHERE d.id = ? AND {_IS_HIDDEN}"
        return self._database.row(query, (document_id,), since=MARKS_SCHEMA) is not None

    # Finding

    def removed_documents(self) -> tuple[RemovedDocument, ...]:
        """Return what was removed, the latest first."""
        rows = self._database.rows(
            "SELECT r.document_id, r.path, s.folder, r.removed_at, d.title, d.id IS NOT NULL"
            " FROM removed_files r JOIN sources s ON s.id = r.source_id"
            " LEFT JOIN documents d ON d.id = r.document_id"
            " ORDER BY r.removed_at DESC, r.source_id, r.path",
            since=MARKS_SCHEMA,
        )
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
        query = "SELECT path FROM removed_files WHERE source_id = ?"
        rows = self._database.rows(query, (source_id,), since=MARKS_SCHEMA)
        return frozenset(path for (path,) in rows)

    # Bringing back

    def unhide_documents(self, document_ids: Iterable[DocumentId]) -> tuple[DocumentId, ...]:
        """Let files be part of the library again.

        Returns:
            The documents of which all that was read is there: they are whole again at once. The
            others are read by the next run over their folders.
        """
        back = []
        with self._changing() as connection:
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
