"""The part of the store that keeps what the user decided about each source folder."""

from __future__ import annotations

import json
from collections.abc import Iterable

from desktop_qa.core.folders import FolderChoices
from desktop_qa.core.progress import SCANNED_DOCUMENT, DocumentState
from desktop_qa.index.database import Database, damaged

_INSERT = "INSERT OR REPLACE INTO source_choices (source_id, is_watched, excluded) VALUES (?, ?, ?)"
_ATTENTION = (DocumentState.PARTIAL, DocumentState.FAILED)


class SourceChoices:
    """Which folders are watched, and which of their files are left out."""

    _database: Database

    def choices(self) -> dict[int, FolderChoices]:
        """Return the choices by source id; a source that is missing has the usual ones.

        A library of an earlier version that is open for reading has none.
        """
        with self._database.read() as connection:
            query = "SELECT count(*) FROM sqlite_schema WHERE name = 'source_choices'"
            if not connection.execute(query).fetchone()[0]:
                return {}
            rows = connection.execute(
                "SELECT source_id, is_watched, excluded FROM source_choices"
            ).fetchall()
        try:
            return {
                source_id: FolderChoices(bool(is_watched), tuple(map(str, json.loads(excluded))))
                for source_id, is_watched, excluded in rows
            }
        except (ValueError, TypeError) as error:
            raise damaged(error) from error

    def set_choices(self, source_id: int, choices: FolderChoices) -> None:
        """Keep the choices of a source."""
        row = (source_id, choices.is_watched, json.dumps(choices.excluded))
        with self._database.write() as connection:
            connection.execute(_INSERT, row)

    def count_files(self) -> dict[int, tuple[int, int, int]]:
        """Return files, files of documents that need attention, and scans, by source id."""
        states = ", ".join(f"'{state.value}'" for state in _ATTENTION)
        with self._database.read() as connection:
            rows: Iterable[tuple[int, int, int, int]] = connection.execute(
                f"SELECT f.source_id, count(*), sum(d.state IN ({states})),"
                " sum(d.state = ? AND d.reason = ?)"
                " FROM files f JOIN documents d ON d.id = f.document_id GROUP BY f.source_id",
                (DocumentState.FAILED, SCANNED_DOCUMENT),
            ).fetchall()
        return {source_id: (files, attention, scans) for source_id, files, attention, scans in rows}
