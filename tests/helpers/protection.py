"""A library on a medium that may only be read, also for tests that run as root."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.index import database, library_lock

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def protect(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the system and SQLite refuse what they refuse on a drive mounted for reading.

    SQLite opens a database in WAL mode there only as immutable or without locks.
    """
    open_file, connect = os.open, sqlite3.connect

    def open_on_drive(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        if Path(path).is_relative_to(folder) and flags & _WRITING:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return open_file(path, flags, mode, **more)

    def connect_on_drive(place: Any, **options: Any) -> sqlite3.Connection:
        is_here = folder.as_posix() in str(place)
        if is_here and "immutable=1" not in str(place) and "vfs=" not in str(place):
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        return connect(place, **options)

    monkeypatch.setattr(library_lock.os, "open", open_on_drive)
    monkeypatch.setattr(database.sqlite3, "connect", connect_on_drive)
