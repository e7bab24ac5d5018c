"""One writer for each library, guarded by a lock that the system drops when its process dies."""

from __future__ import annotations

import errno
import logging
import os
import sys
from enum import StrEnum
from pathlib import Path

from desktop_qa.core.errors import LibraryLockedError

logger = logging.getLogger(__name__)

LOCK_NAME = "library.lock"

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A lock on a file of its own, held until `release` or the end of the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    @classmethod
    def taken(cls, file: Path) -> FileLock | None:
        """Take the lock of a file, which is made; None when another process holds it.

        Raises:
            OSError: When the file cannot be written.
        """
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _try_lock(descriptor)
        except OSError:
            os.close(descriptor)
            return None
        return cls(descriptor)

    def release(self) -> None:
        """Give it free; does nothing the second time."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class LibraryLock(FileLock):
    """Held from construction to `release`.

    The lock belongs to the open file, not to the file's existence: a killed process leaves the
    file behind and the library free.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock of a library.

        Raises:
            LibraryLockedError: When another process, or this one, holds it.
            OSError: When the lock file cannot be written.
        """
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
        super().__init__(descriptor)
        try:
            _try_lock(descriptor)
        except OSError as error:
            if error.errno in (errno.ENOLCK, errno.EOPNOTSUPP):
                # Some network drives know no locks; SQLite's own guard the data there.
                logger.warning("%s cannot be locked: %s", folder, error.strerror)
                return
            self.release()
            raise LibraryLockedError(
                "This library is open in another window or process.",
                "Close it there, or open it for reading only.",
            ) from error


class LockState(StrEnum):
    """Whether a library could be written now."""

    FREE = "free"
    TAKEN = "taken"
    """Another process writes to it."""

    PROTECTED = "protected"
    """Its folder cannot be written."""


def lock_state(folder: Path) -> LockState:
    """Tell whether a library could be written; the lock is given back at once."""
    try:
        LibraryLock(folder).release()
    except LibraryLockedError:
        return LockState.TAKEN
    except OSError:
        return LockState.PROTECTED
    return LockState.FREE


def is_free(folder: Path) -> bool:
    """Tell whether nobody writes to a library now and it can be written."""
    return lock_state(folder) is LockState.FREE
