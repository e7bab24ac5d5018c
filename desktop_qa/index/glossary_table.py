"""The part of the store that keeps what each document calls things, looked up by name.

Nothing of it is in memory: a question looks up a few dozen names by their keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from desktop_qa.core.document import DocumentId
from desktop_qa.core.glossary import GlossaryEntry
from desktop_qa.index.database import Database
from desktop_qa.index.terms import fold, terms_of

_PUNCTUATION = re.compile(r"[^\w+\-]|_")
_INNER_DASH = re.compile(r"-(?=\w)")
MAX_ROWS = 100
"""Of one key. Ids come from contents, so the documents with the lowest ids are a fair sample: a
name that thousands have is as well known by these."""

_MAX_TEXTS = 20
"""Rows among which the usual spelling of a name is chosen."""


class GlossaryRow(NamedTuple):
    """The keys of two names of one thing in one document; a tuple, for there are thousands."""

    document_id: DocumentId
    short_key: str
    long_key: str
    source: str


def symbol_key(symbol: str) -> str:
    """Return what all spellings of a symbol share: "RDS(on)", "R_DS(ON)" and "rdson"."""
    return _INNER_DASH.sub("", _PUNCTUATION.sub("", fold(symbol)))


def name_key(name: str) -> str:
    """Return what all spellings of a name in words share: its terms, in order."""
    return " ".join(terms_of(name))


class GlossaryTable:
    """The part of the store that keeps the words of the trade."""

    _database: Database

    def save_glossary(
        self, document_id: DocumentId, entries: Iterable[GlossaryEntry], version: int
    ) -> None:
        """Keep what a document teaches, in place of what it taught before.

        Args:
            document_id: Of a known document.
            entries: From `learn_glossary`.
            version: Of the rules they were learned by.
        """
        rows: dict[tuple[str, str, str], list[object]] = {}
        for entry in entries:
            key = (symbol_key(entry.short), name_key(entry.long), entry.source.value)
            if key[0] and key[1] and key[0] != key[1]:
                row = rows.setdefault(key, [document_id, *key, entry.short, entry.long, 0])
                row[-1] = int(str(row[-1])) + entry.count
        with self._database.write() as connection:
            delete = "DELETE FROM glossary_names WHERE document_id = ?"
            connection.execute(delete, (document_id,))
            connection.executemany(
                "INSERT INTO glossary_names VALUES (?, ?, ?, ?, ?, ?, ?)", rows.values()
            )
            connection.execute(
                "INSERT OR REPLACE INTO glossaries VALUES (?, ?)", (document_id, version)
            )

    def unlearned(self, version: int) -> tuple[DocumentId, ...]:
        """Return the documents that were read and whose words were not learned by a version."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT d.id FROM documents d WHERE d.n_segments > 0 AND NOT EXISTS"
                " (SELECT 1 FROM glossaries g WHERE g.document_id = d.id AND g.version = ?)"
                " ORDER BY d.id",
                (version,),
            ).fetchall()
        return tuple(DocumentId(row[0]) for row in rows)

    def has_glossary_name(self, key: str) -> bool:
        """Tell whether any document explains a name in words; see `name_key`."""
        query = "SELECT EXISTS (SELECT 1 FROM glossary_names WHERE long_key = ?)"
        with self._database.read() as connection:
            row = connection.execute(query, (key,)).fetchone()
        return bool(row[0])

    def glossary_by_short(self, keys: Iterable[str]) -> tuple[GlossaryRow, ...]:
        """Return what documents call some symbols, at most `MAX_ROWS` rows of each key."""
        return self._glossary_rows("short_key", keys, MAX_ROWS)

    def glossary_by_long(self, keys: Iterable[str]) -> tuple[GlossaryRow, ...]:
        """Return the symbols that documents give to some names, at most `MAX_ROWS` of each."""
        return self._glossary_rows("long_key", keys, MAX_ROWS)

    def glossary_of(self, document_ids: Iterable[DocumentId]) -> tuple[GlossaryRow, ...]:
        """Return everything that some documents teach."""
        return self._glossary_rows("document_id", document_ids, -1)

    def glossary_between(
        self, key: str, document_ids: Iterable[DocumentId]
    ) -> tuple[GlossaryRow, ...]:
        """Return what some documents say of a symbol or a name."""
        rows = self._glossary_rows("document_id", document_ids, -1)
        return tuple(row for row in rows if key in (row.short_key, row.long_key))

    def _glossary_rows(
        self, column: str, keys: Iterable[str], limit: int
    ) -> tuple[GlossaryRow, ...]:
        # Answered from the indexes alone.
        query = (
            "SELECT document_id, short_key, long_key, source FROM glossary_names"
            f" WHERE {column} = ? ORDER BY document_id LIMIT ?"
        )
        with self._database.read() as connection:
            return tuple(
                GlossaryRow(*row)
                for key in dict.fromkeys(keys)
                for row in connection.execute(query, (key, limit)).fetchall()
            )

    def glossary_text(self, key: str, *, is_short: bool) -> str:
        """Return how documents mostly print the symbol or name of a key, "" for an unknown one."""
        name = "short" if is_short else "long"
        query = (
            f"SELECT text FROM (SELECT {name} AS text, count FROM glossary_names"
            f" WHERE {name}_key = ? ORDER BY document_id LIMIT ?)"
            " GROUP BY text ORDER BY sum(count) DESC, text LIMIT 1"
        )
        with self._database.read() as connection:
            row = connection.execute(query, (key, _MAX_TEXTS)).fetchone()
        return "" if row is None else str(row[0])
