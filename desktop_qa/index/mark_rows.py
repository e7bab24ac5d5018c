"""The part of the store that keeps the reader's marks.

Deleting a mark hides it, so that it can be taken back; `purge_marks` ends that.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from desktop_qa.core.document import Provenance
from desktop_qa.core.mark import Mark, MarkColour, WrongCell
from desktop_qa.index.database import Database
from desktop_qa.index.schema import MARKS_SCHEMA, WRONG_CELLS_SCHEMA

logger = logging.getLogger(__name__)

_COLUMNS = "id, document_id, file, page_no, colour, made_at, changed_at, places, quote, note"
_UPSERT = f"""
    INSERT INTO marks ({_COLUMNS}, cell) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET document_id = excluded.document_id, file = excluded.file,
        page_no = excluded.page_no, colour = excluded.colour, changed_at = excluded.changed_at,
        places = excluded.places, quote = excluded.quote, note = excluded.note, cell = excluded.cell
"""


class MarkRows:
    """Highlights and notes; an older library that is open for reading only has none."""

    _database: Database

    def save_mark(self, mark: Mark) -> None:
        """Keep a mark, in place of what was kept under its id; a deleted one stays deleted."""
        places = msgspec.json.encode(mark.places).decode()
        cell = msgspec.json.encode(mark.cell).decode() if mark.cell is not None else ""
        row = (
            *(mark.id, mark.document_id, mark.file, mark.page_no, mark.colour.value),
            *(mark.made_at, mark.changed_at, places, mark.quote, mark.note, cell),
        )
        with self._database.write() as connection:
            connection.execute(_UPSERT, row)

    def marks(self) -> tuple[Mark, ...]:
        """Return all marks that are not deleted, in the order in which they were made."""
        cell = "cell" if self._database.has(WRONG_CELLS_SCHEMA) else "''"
        query = (
            f"SELECT {_COLUMNS}, {cell} FROM marks WHERE deleted_at IS NULL ORDER BY made_at, id"
        )
        return tuple(_readable(self._database.rows(query, since=MARKS_SCHEMA)))

    def delete_marks(self, ids: Sequence[str]) -> int:
        """Hide marks until `restore_marks` or `purge_marks`; return how many."""
        return self._database.set_deleted("marks", ids, time.time())

    def restore_marks(self, ids: Sequence[str]) -> int:
        """Take `delete_marks` back and return how many came back."""
        return self._database.set_deleted("marks", ids, None)

    def purge_marks(self) -> int:
        """Remove what was deleted for good and return how many there were."""
        with self._database.write() as connection:
            return connection.execute("DELETE FROM marks WHERE deleted_at IS NOT NULL").rowcount


def _readable(rows: Sequence[Sequence[Any]]) -> Iterator[Mark]:
    for row in rows:
        try:
            yield mark_of(row)
        except (msgspec.MsgspecError, ValueError) as error:
            # It stays in the database; a later version may know how to read it.
            logger.warning("The mark %s cannot be shown: %s", row[0], error)


def mark_of(row: Sequence[Any]) -> Mark:
    """Return what a row holds.

    Raises:
        MsgspecError: When its places or its cell are not as this version writes them.
        ValueError: When its colour is not known.
    """
    values = list(row)
    values[4] = MarkColour(row[4])
    values[7] = msgspec.json.decode(row[7], type=tuple[Provenance, ...])
    values[10] = msgspec.json.decode(row[10], type=WrongCell) if row[10] else None
    return Mark(*values)
