"""The tables of a library and the ladder that lifts older libraries to them."""

from __future__ import annotations

import sqlite3

from desktop_qa.core.errors import LibraryError

APPLICATION_ID = 0x44514131
"""Marks the file as ours: "DQA1"."""

PAGE_SIZE = 8192
"""Bytes; a segment's texts and its index row fit one page each instead of an overflow chain."""

_FIRST_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE sources (id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE)",
    # The parsed document stands last: lists of documents then never touch its pages.
    """CREATE TABLE documents (
        id TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        hint TEXT NOT NULL DEFAULT '',
        title TEXT NOT NULL DEFAULT '',
        vendor TEXT NOT NULL DEFAULT '',
        part_numbers TEXT NOT NULL DEFAULT '[]',
        revision TEXT NOT NULL DEFAULT '',
        n_pages INTEGER NOT NULL DEFAULT 0,
        n_segments INTEGER NOT NULL DEFAULT 0,
        n_tables INTEGER NOT NULL DEFAULT 0,
        n_figures INTEGER NOT NULL DEFAULT 0,
        page_failures TEXT NOT NULL DEFAULT '[]',
        fingerprint TEXT NOT NULL DEFAULT '',
        added_at REAL NOT NULL,
        document BLOB
    )""",
    """CREATE TABLE files (
        source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
        PRIMARY KEY (source_id, path)
    ) WITHOUT ROWID""",
    "CREATE INDEX files_of_document ON files(document_id)",
    """CREATE TABLE page_words (
        document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
        page_no INTEGER NOT NULL,
        words BLOB NOT NULL,
        PRIMARY KEY (document_id, page_no)
    )""",
    """CREATE TABLE segments (
        id TEXT PRIMARY KEY,
        document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        kind TEXT NOT NULL,
        n_tokens INTEGER NOT NULL,
        boilerplate INTEGER NOT NULL,
        text TEXT NOT NULL,
        embedded_text TEXT NOT NULL,
        lexical_text TEXT NOT NULL,
        metadata BLOB NOT NULL,
        element BLOB,
        provenances BLOB NOT NULL
    )""",
    "CREATE UNIQUE INDEX segments_of_document ON segments(document_id, ordinal)",
    # What the indexes in memory are built from, apart from the texts: opening a library reads
    # these rows one after the other and nothing else.
    """CREATE TABLE segment_indexes (
        document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        boilerplate INTEGER NOT NULL,
        terms BLOB NOT NULL,
        keywords BLOB NOT NULL,
        embedding BLOB NOT NULL,
        PRIMARY KEY (document_id, ordinal)
    )""",
    """CREATE TABLE history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        asked_at REAL NOT NULL,
        question TEXT NOT NULL,
        answer BLOB NOT NULL,
        settings TEXT NOT NULL,
        seconds REAL NOT NULL
    )""",
    """CREATE TABLE feedback (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        history_id INTEGER NOT NULL REFERENCES history(id) ON DELETE CASCADE,
        verdict INTEGER NOT NULL,
        comment TEXT NOT NULL,
        at REAL NOT NULL
    )""",
)

_KINDS_AND_STAMPS = (
    "ALTER TABLE segment_indexes ADD COLUMN kind INTEGER NOT NULL DEFAULT 0",
    """UPDATE segment_indexes SET kind = coalesce((
        SELECT CASE s.kind WHEN 'table' THEN 1 WHEN 'figure' THEN 2 ELSE 0 END FROM segments s
        WHERE s.document_id = segment_indexes.document_id AND s.ordinal = segment_indexes.ordinal
    ), 0)""",
    # A table of its own: a column of `documents` would stand behind the parsed document.
    """CREATE TABLE index_stamps (
        document_id TEXT PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
        stamp INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """INSERT INTO index_stamps SELECT document_id, random() & 9223372036854775807
        FROM segment_indexes GROUP BY document_id""",
)

_GLOSSARY_TABLES = (
    # Which rules each document was learned by: one that has no row is learned at the next sync.
    """CREATE TABLE glossaries (
        document_id TEXT PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
        version INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE glossary_names (
        document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
        short_key TEXT NOT NULL,
        long_key TEXT NOT NULL,
        source TEXT NOT NULL,
        short TEXT NOT NULL,
        long TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (document_id, short_key, long_key, source)
    ) WITHOUT ROWID""",
    "CREATE INDEX glossary_by_short ON glossary_names(short_key, document_id)",
    "CREATE INDEX glossary_by_long ON glossary_names(long_key, document_id)",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    _FIRST_TABLES,
    _KINDS_AND_STAMPS,
    _GLOSSARY_TABLES,
)
"""The n-th entry lifts a library from schema n to schema n + 1."""

SCHEMA_VERSION = len(MIGRATIONS)


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the schema of an open library, 0 for an empty file.

    Raises:
        LibraryError: When the file belongs to another program or to a newer version of ours.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    is_empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if application != APPLICATION_ID and not is_empty:
        raise LibraryError(
            "This folder holds a database of another program.",
            "Choose another folder for the library.",
        )
    if version > SCHEMA_VERSION:
        raise LibraryError(
            "This library was made by a newer version of Desktop QA.",
            "Update Desktop QA or make a new library.",
        )
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Lift a library to this version's schema, all of it or nothing.

    Raises:
        LibraryError: See `schema_version`.
    """
    version = schema_version(connection)
    if version == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[version:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
