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

_NOTHING_LEFT: tuple[str, ...] = ()
"""Tables of words that documents taught were made here; `_MODEL_READINGS` drops them."""

_HISTORY_ENTRIES = (
    # A table of its own: columns of `history` would stand behind the answers, and a list of a
    # thousand questions would read through them all. The text stands last for the same reason.
    """CREATE TABLE history_entries (
        id INTEGER PRIMARY KEY REFERENCES history(id) ON DELETE CASCADE,
        asked_at REAL NOT NULL,
        question TEXT NOT NULL,
        state TEXT NOT NULL,
        seconds REAL NOT NULL,
        conversation TEXT NOT NULL DEFAULT '',
        deleted_at REAL,
        error TEXT NOT NULL DEFAULT '',
        documents TEXT NOT NULL DEFAULT '[]',
        timings TEXT NOT NULL DEFAULT '{}',
        text TEXT NOT NULL DEFAULT ''
    )""",
    """INSERT INTO history_entries (id, asked_at, question, state, seconds, text)
        SELECT id, asked_at, question,
            coalesce(json_extract(answer, '$.status'), 'answered'), seconds,
            coalesce(json_extract(answer, '$.text'), '')
        FROM (SELECT id, asked_at, question, seconds,
            CASE WHEN json_valid(CAST(answer AS TEXT)) THEN CAST(answer AS TEXT) ELSE '{}' END
            AS answer FROM history)""",
    """CREATE INDEX history_of_conversation ON history_entries(conversation, id)
        WHERE conversation != ''""",
    "CREATE INDEX history_deleted ON history_entries(deleted_at) WHERE deleted_at IS NOT NULL",
    # The latest thumb of an answer is the one that counts.
    """DELETE FROM feedback
        WHERE id NOT IN (SELECT max(id) FROM feedback GROUP BY history_id)""",
    "CREATE UNIQUE INDEX feedback_of_history ON feedback(history_id)",
)

_HISTORY_WORDS = (
    """CREATE VIRTUAL TABLE history_words USING fts5(
        question, text, content = 'history_entries', content_rowid = 'id',
        tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')""",
    "INSERT INTO history_words(history_words) VALUES ('rebuild')",
    """CREATE TRIGGER history_words_of_new AFTER INSERT ON history_entries BEGIN
        INSERT INTO history_words(rowid, question, text)
        VALUES (new.id, new.question, new.text);
    END""",
    """CREATE TRIGGER history_words_of_old AFTER DELETE ON history_entries BEGIN
        INSERT INTO history_words(history_words, rowid, question, text)
        VALUES ('delete', old.id, old.question, old.text);
    END""",
)
"""Only where this build of SQLite has FTS5; without it the history is searched row by row."""

_MARKS_AND_CHOICES = (
    # What the reader marked. No foreign key: a document that leaves the library and comes back,
    # or is read again, finds its marks where they were. `places` are provenances as JSON.
    """CREATE TABLE marks (
        id TEXT PRIMARY KEY,
        document_id TEXT NOT NULL,
        file TEXT NOT NULL,
        page_no INTEGER NOT NULL,
        colour TEXT NOT NULL,
        made_at REAL NOT NULL,
        changed_at REAL NOT NULL,
        deleted_at REAL,
        places TEXT NOT NULL,
        quote TEXT NOT NULL,
        note TEXT NOT NULL DEFAULT ''
    ) WITHOUT ROWID""",
    "CREATE INDEX marks_of_document ON marks(document_id, page_no)",
    # A source without a row is watched and leaves nothing out.
    """CREATE TABLE source_choices (
        source_id INTEGER PRIMARY KEY REFERENCES sources(id) ON DELETE CASCADE,
        is_watched INTEGER NOT NULL DEFAULT 1,
        excluded TEXT NOT NULL DEFAULT '[]'
    )""",
    # Files that the user took out of the library though they lie in a source folder.
    """CREATE TABLE removed_files (
        source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        document_id TEXT NOT NULL,
        removed_at REAL NOT NULL,
        PRIMARY KEY (source_id, path)
    ) WITHOUT ROWID""",
)

_WRONG_CELLS = (
    # Of a report that a cell was read wrongly, what it is and should be, as JSON.
    "ALTER TABLE marks ADD COLUMN cell TEXT NOT NULL DEFAULT ''",
)

_MODEL_ANSWERS = (
    # What a language model said of a question, beside its offline answer; the latest counts.
    """CREATE TABLE model_answers (
        history_id INTEGER PRIMARY KEY REFERENCES history(id) ON DELETE CASCADE,
        said BLOB NOT NULL
    )""",
)

_MODEL_READINGS = (
    # Both readings of a document that a language model has read; `documents` has the one in use.
    """CREATE TABLE model_readings (
        document_id TEXT PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
        note BLOB NOT NULL,
        offline BLOB NOT NULL,
        by_model BLOB NOT NULL
    )""",
    # Words that documents taught, in libraries of schema 3 to 7; nothing reads them any more.
    "DROP TABLE IF EXISTS glossary_names",
    "DROP TABLE IF EXISTS glossaries",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    _FIRST_TABLES,
    _KINDS_AND_STAMPS,
    _NOTHING_LEFT,
    _HISTORY_ENTRIES,
    _MARKS_AND_CHOICES,
    _WRONG_CELLS,
    _MODEL_ANSWERS,
    _MODEL_READINGS,
)
"""The n-th entry lifts a library from schema n to schema n + 1."""

SCHEMA_VERSION = len(MIGRATIONS)

HISTORY_SCHEMA = 4
"""The schema from which on the history is listed and searched."""

MARKS_SCHEMA = 5
"""The schema from which on marks, watched folders and removed files are kept."""

WRONG_CELLS_SCHEMA = 6
"""The schema from which on a mark may report a cell."""

MODELS_SCHEMA = 7
"""The schema from which on the answers of language models are kept."""

READINGS_SCHEMA = 8
"""The schema from which on the readings of language models are kept."""

OLDEST_READABLE = 3
"""A library of this schema opens for reading as it is; only its history stays closed."""


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


def has_full_text(connection: sqlite3.Connection) -> bool:
    """Tell whether this build of SQLite has FTS5."""
    query = "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"
    return bool(connection.execute(query).fetchone()[0])


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
            if step is _HISTORY_ENTRIES and has_full_text(connection):
                for statement in _HISTORY_WORDS:
                    connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
