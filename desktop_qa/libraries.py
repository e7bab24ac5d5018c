"""Whole libraries: what there is, how large, and how one is moved or deleted without a loss.

A library is moved by copying it beside its new place, reading the copy back, giving it its name
and only then deleting the old one; a journal (`library_journal`) says after a kill which of the
two counts. It is deleted by setting it aside first, so that it can be put back.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from desktop_qa.core.errors import Cancelled, DiskFullError, LibraryError
from desktop_qa.core.libraries import (
    CopyProgress,
    DeletedLibrary,
    LibraryFacts,
    LibraryPresence,
    LibrarySize,
)
from desktop_qa.index.database import damaged, plain_errors
from desktop_qa.index.library_lock import LOCK_NAME, LibraryLock, LockState, is_free, lock_state
from desktop_qa.index.schema import APPLICATION_ID
from desktop_qa.index.store import Store
from desktop_qa.library_journal import Step, Unfinished, note, strike_out, unfinished
from desktop_qa.paths import DATABASE_NAME, data_folder

logger = logging.getLogger(__name__)

_TEXT_FOLDERS = ("markdown",)
_INDEX_FOLDERS = ("chroma", "index")
_FIGURE_FOLDERS = ("figures", "history")
_OWN_FOLDERS = frozenset((*_TEXT_FOLDERS, *_INDEX_FOLDERS, *_FIGURE_FOLDERS))
_HEADER_BYTES = 72
_APPLICATION_ID_OFFSET = 68
"""Of the SQLite file format: a big-endian number at the end of the header."""

_BLOCK_BYTES = 1 << 20
_SPARE_BYTES = 16 << 20

_KEPT_S = 600.0
"""What is set aside is put back by another window no later than this."""

OnProgress = Callable[[CopyProgress], None]


# What there is


def is_library(folder: Path) -> bool:
    """Tell whether a folder holds a library of this program."""
    try:
        with (folder / DATABASE_NAME).open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError:
        return False
    marked = int.from_bytes(header[_APPLICATION_ID_OFFSET:], "big")
    return header.startswith(b"SQLite format 3\0") and marked == APPLICATION_ID


def overview(known: Iterable[str], forgotten: Iterable[str] = ()) -> tuple[LibraryFacts, ...]:
    """Describe the libraries that are known, and those found where they usually live.

    Args:
        known: Folders of libraries, in the order in which they are wanted.
        forgotten: Folders that are not looked for.
    """
    folders = dict.fromkeys(known)
    usual = data_folder() / "libraries"
    with contextlib.suppress(OSError):
        found = sorted(path for path in usual.iterdir() if is_library(path))
        left = set(forgotten)
        folders |= dict.fromkeys(
            str(path) for path in found if str(path) not in left and path.name[0] != "."
        )
    return tuple(describe(Path(folder)) for folder in folders)


def describe(folder: Path) -> LibraryFacts:
    """Look into a library without changing it."""
    if not folder.is_dir() or not (folder / DATABASE_NAME).exists():
        hint = f"{folder} is not there. It may be on a drive that is not connected."
        return LibraryFacts(str(folder), LibraryPresence.GONE, problem=hint)
    try:
        with contextlib.closing(Store.open(folder, read_only=True)) as store:
            lock = lock_state(folder)
            statuses = store.statuses()
            return LibraryFacts(
                str(folder),
                LibraryPresence.THERE,
                store.meta("name") or "",
                tuple(source.folder for source in store.sources()),
                len(statuses),
                sum(status.n_pages for status in statuses),
                is_busy=lock is LockState.TAKEN,
                is_protected=lock is LockState.PROTECTED,
            )
    except LibraryError as error:
        return LibraryFacts(str(folder), LibraryPresence.BROKEN, problem=str(error))


def measure(folder: Path) -> LibrarySize:
    """Add up what a library takes on disk; slow for a large one."""
    text = index = figures = 0
    for path in _files(folder):
        size = 0
        with contextlib.suppress(OSError):  # gone since the folder was listed
            size = path.stat().st_size
        top = path.relative_to(folder).parts[0]
        if top in _INDEX_FOLDERS:
            index += size
        elif top in _FIGURE_FOLDERS:
            figures += size
        else:
            text += size
    return LibrarySize(text, index, figures)


def rename_library(folder: Path, name: str) -> LibraryFacts:
    """Name a library that is not open here; see `Library.rename`.

    Raises:
        LibraryLockedError: When another process writes to it.
        LibraryError: When it cannot be written.
    """
    _require_library(folder)
    with contextlib.closing(Store.open(folder)) as store:
        store.set_meta("name", " ".join(name.split()))
    return describe(folder)


# Moving


def move_library(
    old: Path,
    new: Path,
    on_progress: OnProgress = lambda _progress: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Move a library that nobody has open; the old one counts until the copy was checked.

    `library_journal.strike_out` is for the caller, once it knows the new place.

    Args:
        old: Folder of the library.
        new: Folder that is not there yet, or is empty.
        on_progress: Told after each mebibyte.
        is_cancelled: Asked as often; the copy is then deleted.

    Raises:
        Cancelled: When `is_cancelled` turned true; the library is where it was.
        DiskFullError: When there is no room at the new place.
        LibraryLockedError: When somebody writes to the library.
        LibraryError: When it is none of ours, or the new place cannot be written.
    """
    _require_own(old)
    _check_target(old, new)
    with plain_errors(old):
        lock = LibraryLock(old)
    try:
        _fold_journal(old)
        copying = _copying(new)
        note(Unfinished(Step.COPYING, str(old), str(new)))
        try:
            with plain_errors(new):
                _copy(old, copying, on_progress, is_cancelled)
                _check_copy(copying)
                if new.is_dir():
                    new.rmdir()
                copying.replace(new)
        except BaseException:
            shutil.rmtree(copying, ignore_errors=True)
            strike_out(str(old))
            raise
        note(Unfinished(Step.MOVED, str(old), str(new)))
    finally:
        lock.release()
    _remove(old)


def _copying(new: Path) -> Path:
    return new.with_name(f".{new.name}.moving")


def _check_target(old: Path, new: Path) -> None:
    if new == old or new.is_relative_to(old):
        raise LibraryError("A library cannot be moved into itself.", "Choose another folder.")
    if new.exists() and (not new.is_dir() or any(new.iterdir())):
        raise LibraryError(f"{new} is not empty.", "Choose an empty folder or a new name.")
    with plain_errors(new):
        new.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(new.parent).free
    if free < measure(old).total + _SPARE_BYTES:
        raise DiskFullError(
            f"There is not enough room for the library in {new.parent}.",
            "Free some space there, or choose another drive.",
        )


def _fold_journal(folder: Path) -> None:
    """Bring the database into one file, as it is copied."""
    database = folder / DATABASE_NAME
    with plain_errors(folder), contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _copy(
    old: Path, copying: Path, on_progress: OnProgress, is_cancelled: Callable[[], bool]
) -> None:
    shutil.rmtree(copying, ignore_errors=True)
    files = [path for path in _files(old) if path.name != LOCK_NAME]
    # Reading the copy back counts as much as writing it.
    total = 2 * sum(path.stat().st_size for path in files)
    done = 0

    def step(n_bytes: int, activity: str) -> None:
        nonlocal done
        if is_cancelled():
            raise Cancelled
        done += n_bytes
        on_progress(CopyProgress(done, total, activity))

    for path in files:
        target = copying / path.relative_to(old)
        target.parent.mkdir(parents=True, exist_ok=True)
        written, read = hashlib.blake2b(), hashlib.blake2b()
        with target.open("wb") as file:
            for block in _blocks(path):
                written.update(block)
                file.write(block)
                step(len(block), "Copying the library")
        shutil.copystat(path, target)
        for block in _blocks(target):
            read.update(block)
            step(len(block), "Checking the copy")
        if read.digest() != written.digest():
            raise damaged(f"{target.name} was not copied rightly")


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            yield block


def _check_copy(folder: Path) -> None:
    if not is_library(folder):
        raise damaged("the copy is no library")
    uri = f"{(folder / DATABASE_NAME).resolve().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise damaged(verdict)


# Deleting


def set_aside(folder: Path) -> DeletedLibrary:
    """Delete a library that nobody has open, so that `put_back` can undo it for a while.

    Raises:
        LibraryLockedError: When somebody writes to it.
        LibraryError: When it is none of ours, or its folder cannot be changed.
    """
    _require_own(folder)
    with plain_errors(folder):
        LibraryLock(folder).release()
        aside = folder.with_name(f".{folder.name}.deleted-{time.time_ns()}")
        note(Unfinished(Step.DELETED, str(folder), str(aside)))
        folder.rename(aside)
    return DeletedLibrary(str(folder), str(aside))


def put_back(deleted: DeletedLibrary) -> None:
    """Undo `set_aside`.

    Raises:
        LibraryError: When it is gone for good, or something else is in its place.
    """
    if not Path(deleted.aside).is_dir() or Path(deleted.folder).exists():
        raise LibraryError("The library cannot be put back.", "Make it again from its folders.")
    with plain_errors(Path(deleted.folder)):
        Path(deleted.aside).rename(deleted.folder)
    strike_out(deleted.folder)


def purge(deleted: DeletedLibrary) -> None:
    """Delete what was set aside for good."""
    shutil.rmtree(deleted.aside, ignore_errors=True)
    strike_out(deleted.folder)


def recover() -> None:
    """Finish what a kill interrupted; what is under way elsewhere is left alone."""
    for entry in unfinished():
        if entry.step is Step.COPYING:
            if is_free(Path(entry.old)) or not Path(entry.old).exists():
                shutil.rmtree(_copying(Path(entry.new)), ignore_errors=True)
                strike_out(entry.old)
        elif entry.step is Step.MOVED:
            if is_library(Path(entry.new)):
                _remove(Path(entry.old))
                strike_out(entry.old)
        elif _age_s(Path(entry.new)) > _KEPT_S:
            purge(DeletedLibrary(entry.old, entry.new))


def _age_s(aside: Path) -> float:
    """Return how long ago a library was set aside."""
    set_aside_ns = aside.name.rpartition("-")[2]
    return (time.time_ns() - int(set_aside_ns)) / 1e9 if set_aside_ns.isdecimal() else 0.0


# Guards


def _require_library(folder: Path) -> None:
    if not is_library(folder):
        raise LibraryError(
            f"{folder} is no library of Desktop QA.", "Nothing was changed; check the folder."
        )


def _require_own(folder: Path) -> None:
    """See that a folder is a library and nothing else: all of it will leave its place.

    Raises:
        LibraryError: When it is none, or holds what is not the library's.
    """
    _require_library(folder)
    foreign = sorted(path.name for path in folder.iterdir() if not _is_own(path))
    if foreign:
        names = ", ".join(foreign[:3]) + (" …" if len(foreign) > 3 else "")
        raise LibraryError(
            f"The folder {folder} also holds what is not the library's ({names}).",
            "Put that elsewhere first; nothing was changed.",
        )


def _is_own(path: Path) -> bool:
    return path.name in _OWN_FOLDERS or path.name.startswith(("library.sqlite3", LOCK_NAME))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _remove(folder: Path) -> None:
    """Delete a library that does not count any more: at once out of sight, then from the disk."""
    aside = folder.with_name(f".{folder.name}.deleted-{time.time_ns()}")
    try:
        folder.rename(aside)
    except FileNotFoundError:
        return
    except OSError as error:
        logger.warning("The old library could not be deleted: %s", error.strerror)
        return
    shutil.rmtree(aside, ignore_errors=True)
