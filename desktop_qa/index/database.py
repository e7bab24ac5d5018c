"""The SQLite file of a library: its connections, its one writer, and its errors in plain words."""

from __future__ import annotations

import contextlib
import errno
import json
import sqlite3
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from desktop_qa.core.errors import (
    DiskFullError,
    LibraryError,
    LibraryLockedError,
    LibraryProtectedError,
)
from desktop_qa.index.library_lock import LibraryLock
from desktop_qa.index.schema import (
    OLDEST_READABLE,
    PAGE_SIZE,
    SCHEMA_VERSION,
    migrate,
    schema_version,
)
from desktop_qa.paths import DATABASE_NAME

_BUSY_TIMEOUT_S = 15.0

_ANY_OF = "(SELECT value FROM json_each(?))"
"""Any number of keys as one parameter; a statement takes 999 parameters at least."""

_PROTECTED_ERRNOS = frozenset((errno.EROFS, errno.EACCES, errno.EPERM))
_PROTECTED_CODES = frozenset(
    (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
)
_NO_LOCKS = "win32-none" if sys.platform == "win32" else "unix-none"
"""The way of SQLite to a file that takes no locks."""

_DAMAGED_HINT = "Restore it from a backup, or make a new library and add the folders again."


def damaged(details: object) -> LibraryError:
    """Return the error for a library whose content cannot be understood."""
    return LibraryError(f"The library is damaged ({details}).", _DAMAGED_HINT)


@contextlib.contextmanager
def plain_errors(folder: Path) -> Iterator[None]:
    """Turn what the system says about a library's folder into what the user can act on.

    Bugs (a wrong statement, a broken constraint) pass unchanged.

    Raises:
        DiskFullError: When no space is left.
        LibraryLockedError: When another process holds the database.
        LibraryError: When the folder cannot be written or the database is damaged.
    """
    try:
        yield
    except sqlite3.Error as error:
        translated = _translate_sqlite(error, folder)
        if translated is None:
            raise
        raise translated from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(folder) from error
        raise LibraryError(
            f"The library folder {folder} cannot be used ({error.strerror or error}).",
            "Choose another folder, or change its permissions.",
        ) from error


def _disk_full(folder: Path) -> DiskFullError:
    return DiskFullError(
        "The disk is full.", f"Free some space where {folder} is, then continue; nothing is lost."
    )


def _translate_sqlite(error: sqlite3.Error, folder: Path) -> LibraryError | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return _disk_full(folder)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(error)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LibraryLockedError(
                "Another process is busy with this library.", "Close it there, then try again."
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return LibraryError(
                f"The library in {folder} cannot be written.",
                "Change the folder's permissions, or choose another folder.",
            )
        case sqlite3.SQLITE_IOERR:
            return LibraryError(
                f"The library in {folder} cannot be read or written ({error}).",
                "Check that its disk is connected and healthy, then try again.",
            )
    return None


@contextlib.contextmanager
def _protection_told(path: Path) -> Iterator[None]:
    """Tell a library that is there and cannot be written from one that cannot be made.

    Raises:
        LibraryProtectedError: For a medium, a folder or a file that may only be read.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _PROTECTED_ERRNOS or not path.is_file():
            raise
        raise _protected(path) from error
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _PROTECTED_CODES or not path.is_file():
            raise
        raise _protected(path) from error


def _protected(path: Path) -> LibraryProtectedError:
    return LibraryProtectedError(
        f"The library in {path.parent} cannot be written: its folder or drive is protected.",
        "It can be read and asked. Change its permissions, or copy it elsewhere, to write to it.",
    )


class Database:
    """One writing connection behind a lock, and as many for reading as are used at one time.

    One for each thread would cost three descriptors for every thread that ever was.
    """

    def __init__(
        self, folder: Path, *, read_only: bool, barrier: LibraryError | None = None
    ) -> None:
        """Open or create the database of a library.

        Args:
            folder: Of the library.
            read_only: Every `write` is refused.
            barrier: Why it cannot be opened for writing, when that was tried.

        Raises:
            LibraryError: Or one of its kinds, see `plain_errors`.
        """
        self.folder = folder
        self.read_only = read_only
        self.barrier = barrier
        self._write_lock = threading.Lock()
        self._registry_lock = threading.Lock()
        self._readers: list[sqlite3.Connection] = []
        self._idle_readers: list[sqlite3.Connection] = []
        self._writer: sqlite3.Connection | None = None
        self._lock: LibraryLock | None = None
        self._closed = False
        self._schema = SCHEMA_VERSION
        try:
            with plain_errors(folder):
                if read_only:
                    self._open_for_reading()
                else:
                    with _protection_told(self.path):
                        self._open_for_writing()
        except BaseException:
            self.close()
            raise

    @property
    def path(self) -> Path:
        """The database file."""
        return self.folder / DATABASE_NAME

    def has(self, schema: int) -> bool:
        """Tell whether the library is of a schema or a later one."""
        return self._schema >= schema

    def _open_for_writing(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = LibraryLock(self.folder)
        self._writer = sqlite3.connect(
            self.path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        self._writer.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        # Asked first: a database of another program, or of a newer version, is not to be changed.
        schema_version(self._writer)
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute("PRAGMA synchronous = NORMAL")
        self._writer.execute("PRAGMA foreign_keys = ON")
        self._writer.execute("PRAGMA journal_size_limit = 67108864")
        migrate(self._writer)

    def _open_for_reading(self) -> None:
        if not self.path.is_file():
            raise LibraryError(
                f"There is no library in {self.folder}.", "Check the path, or make one by ingest."
            )
        with self.read() as connection:
            self._schema = schema_version(connection)
            if self._schema < OLDEST_READABLE:
                raise LibraryError(
                    "This library was made by an older version of Desktop QA.",
                    "Open it once for writing, so that it is brought up to date.",
                )

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction: everything in it is kept, or nothing when it raises.

        Raises:
            LibraryError: When the library is open for reading only; else see `plain_errors`.
        """
        self.require_writable()
        with self._write_lock, plain_errors(self.folder):
            connection = self._writer
            if connection is None or self._closed:
                raise LibraryError("The library is closed.", "Open it again.")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself when the disk was full.
                if connection.in_transaction:
                    connection.rollback()
                raise

    def require_writable(self) -> None:
        """Refuse when the library is open for reading only.

        Raises:
            LibraryError: That says what is in the way.
        """
        if not self.read_only:
            return
        if isinstance(self.barrier, LibraryProtectedError):
            raise LibraryProtectedError(self.barrier.message, self.barrier.hint)
        raise LibraryLockedError(
            "Another Desktop QA is working on this library, so it is open for reading only."
            if self.barrier is not None
            else "This library is open for reading only.",
            "Close the other one, then open the library again.",
        )

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to one thread; it sees what was committed before each statement."""
        with plain_errors(self.folder):
            with self._registry_lock:
                idle = self._idle_readers.pop() if self._idle_readers else None
            connection = idle or self._connect_reader()
            try:
                if self._closed:
                    raise LibraryError("The library is closed.", "Open it again.")
                yield connection
            finally:
                with self._registry_lock:
                    if self._closed:
                        connection.close()
                    else:
                        self._idle_readers.append(connection)

    def rows(self, query: str, values: Sequence[Any] = (), *, since: int = 0) -> list[Any]:
        """Return all rows that a query finds; none in a library from before the schema `since`."""
        if not self.has(since):
            return []
        with self.read() as connection:
            return connection.execute(query, values).fetchall()

    def row(self, query: str, values: Sequence[Any] = (), *, since: int = 0) -> Any:
        """Return the first of `rows`; `None` when there is none."""
        return next(iter(self.rows(query, values, since=since)), None)

    def rows_of(self, query: str, keys: Sequence[Any]) -> list[Any]:
        """Return what a query that ends with "IN" finds for any number of keys."""
        return self.rows(f"{query} {_ANY_OF}", (json.dumps(keys),))

    def set_deleted(self, table: str, ids: Sequence[Any], at: float | None) -> int:
        """Hide the rows of some ids, or show them again where `at` is `None`; return how many."""
        was = "NOT NULL" if at is None else "NULL"
        with self.write() as connection:
            return connection.execute(
                f"UPDATE {table} SET deleted_at = ? WHERE deleted_at IS {was} AND id IN {_ANY_OF}",
                (at, json.dumps(ids)),
            ).rowcount

    def _connect_reader(self) -> sqlite3.Connection:
        uri = f"{self.path.resolve().as_uri()}?mode=ro"
        try:
            connection = self._connect_uri(uri)
        except sqlite3.OperationalError:
            if not self.read_only:
                raise
            # A folder that cannot be written has no place for SQLite's shared memory file; no one
            # else can write there either, so the file may be taken as it is.
            connection = self._connect_uri(f"{uri}&{self._as_it_is()}")
        with self._registry_lock:
            self._readers.append(connection)
        return connection

    def _as_it_is(self) -> str:
        """Return how SQLite reads a file that nobody writes to, its journal included."""
        journal = self.path.with_name(f"{DATABASE_NAME}-wal")
        has_journal = journal.is_file() and journal.stat().st_size > 0
        # What a killed process left in the journal counts; an immutable file has none.
        return f"vfs={_NO_LOCKS}" if has_journal else "immutable=1"

    def _connect_uri(self, uri: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            if _NO_LOCKS in uri:  # without locks there is no shared memory: its own serves
                connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        """Close every connection and give the library free; does nothing the second time."""
        with self._write_lock:
            self._closed = True
            with self._registry_lock:
                for reader in self._readers:
                    reader.close()
                self._readers.clear()
                self._idle_readers.clear()
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            if self._lock is not None:
                self._lock.release()
                self._lock = None
