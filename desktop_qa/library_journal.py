"""What was begun with whole libraries and must be finished after the program was killed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from desktop_qa.core.whole_files import write_whole
from desktop_qa.index.library_lock import FileLock
from desktop_qa.paths import data_folder

_FILE_NAME = "unfinished.json"
_PATIENCE_S = 5.0
"""Nobody holds the journal for longer; on some network drives nothing can be locked at all."""


class Step(StrEnum):
    """How far it has come."""

    COPYING = "copying"
    """The old library is the one that counts; the copy is incomplete."""

    MOVED = "moved"
    """The copy was checked and counts; the old one can go."""

    DELETED = "deleted"
    """The library is set aside and can go."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An entry: a library was at `old`, and `new` is its copy or where it was set aside."""

    step: Step
    old: str
    new: str


def unfinished() -> tuple[Unfinished, ...]:
    """Return what is not finished; a journal that cannot be read counts as empty."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=tuple[Unfinished, ...])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ()


def note(entry: Unfinished) -> None:
    """Write an entry down, in place of an earlier one about the same library."""
    with _alone():
        others = tuple(one for one in unfinished() if one.old != entry.old)
        _write((*others, entry))


def strike_out(old: str) -> None:
    """Forget what was about a library: it is finished."""
    with _alone():
        rows = unfinished()
        kept = tuple(one for one in rows if one.old != old)
        if kept != rows:
            _write(kept)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep other windows from writing between a look at the journal and its change."""
    file = _file().with_suffix(".lock")
    file.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + _PATIENCE_S
    while (lock := FileLock.taken(file)) is None and time.monotonic() < until:
        time.sleep(0.01)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def _file() -> Path:
    return data_folder() / _FILE_NAME


def _write(entries: tuple[Unfinished, ...]) -> None:
    write_whole(_file(), msgspec.json.encode(entries))
