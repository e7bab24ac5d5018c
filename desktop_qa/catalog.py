"""Finds the documents of a folder and tells by content which are new, changed or the same.

Nothing is opened that did not change: size and time of change stand for the hash of last time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, FolderError
from desktop_qa.core.file_kinds import FileTally, PassedOver, extension_of
from desktop_qa.core.folders import FileRecord
from desktop_qa.patience import Patience

SUFFIXES = (".pdf",)

_PARTIAL_SUFFIXES = (".part", ".crdownload", ".download", ".partial")
"""What browsers append while they download; Firefox keeps an empty file of the final name too."""

_SYSTEM_NAMES = frozenset(("thumbs.db", "desktop.ini"))
"""What Windows writes beside documents; on other systems nothing hides it."""

_BLOCK_BYTES = 1 << 20

_MAX_SILENT = 2
"""Files that a drive may be silent on until no more are asked for: each takes ten minutes."""


@dataclass(frozen=True, slots=True)
class FileError:
    """A file or folder that could not be read, with a sentence for the user and what to do."""

    path: str
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class CatalogScan:
    """What a folder holds, sorted by path; `passed_over` counts what is not read."""

    entries: tuple[FileRecord, ...]
    errors: tuple[FileError, ...]
    passed_over: FileTally

    def is_hidden_by_error(self, path: str) -> bool:
        """Tell whether a path known from before may still be there, behind an error."""
        return any(path == e.path or path.startswith(f"{e.path}/") for e in self.errors)


@dataclass(frozen=True, slots=True)
class Survey:
    """What a look at the names of a folder's files tells.

    Attributes:
        taken: Documents, relative, sorted.
        excluded: Documents that patterns leave out, relative, sorted.
        passed_over: All files that are not read.
    """

    taken: tuple[str, ...]
    excluded: tuple[str, ...]
    passed_over: FileTally


def n_excluded(tally: FileTally) -> int:
    """Return how many documents patterns leave out."""
    return sum(tally[PassedOver.EXCLUDED, suffix] for suffix in SUFFIXES)


def scan(
    folder: Path,
    known: Mapping[str, FileRecord],
    is_cancelled: Callable[[], bool] = lambda: False,
    leaves_out: Callable[[str], bool] | None = None,
    removed: Container[str] = frozenset(),
) -> CatalogScan:
    """Walk a folder and all below it; a file that cannot be read never stops the others.

    Links are followed, each folder once. What is passed over is counted: hidden files and
    unfinished downloads, what is left out or removed, and files of kinds that are not read. After
    the second file that its drive is silent on, it is not asked for the bytes of the others.

    Args:
        folder: Source folder.
        known: Files as of the last scan by relative path; unchanged ones are not read again.
        is_cancelled: Asked between files and between the blocks of large ones.
        leaves_out: Tells whether a file, by its relative path, is not wanted.
        removed: Relative paths of files that the user took out: they are passed over.

    Raises:
        FolderError: When the folder is missing, no folder, or may not be read.
        Cancelled: When `is_cancelled` turned true.
    """
    entries: list[FileRecord] = []
    errors: list[FileError] = []
    passed_over: FileTally = Counter()
    n_silent = 0
    # On the thread of `patience`.
    found = _files(folder, errors, known, is_cancelled, leaves_out, removed)
    with Patience(is_cancelled) as patience:

        def goes_on() -> bool:
            patience.sign_of_life()
            return is_cancelled()

        def next_file() -> tuple[str, PassedOver | None] | None:
            try:
                return patience.wait_for(lambda: next(found, None))
            except TimeoutError as error:
                raise _unreadable_folder(folder, error) from error

        while file := next_file():
            path, reason = file
            if reason is not None:
                passed_over[reason, extension_of(path)] += 1
                continue
            if has_foreign_name(path):
                errors.append(_foreign_name(path))
                continue
            if n_silent == _MAX_SILENT:
                errors.append(_silent_drive(path))
                continue
            try:
                seen = partial(_record, folder, path, known.get(path), goes_on)
                entries.append(patience.wait_for(seen))
            except OSError as error:
                n_silent += isinstance(error, TimeoutError)
                errors.append(_file_error(path, error))
    return CatalogScan(
        tuple(sorted(entries, key=lambda entry: entry.path)),
        tuple(sorted(errors, key=lambda error: error.path)),
        passed_over,
    )


def survey(folder: Path, leaves_out: Callable[[str], bool] | None = None) -> Survey:
    """Count the files of a folder by kind and by why they are not read; nothing is opened.

    Args:
        folder: Source folder, or one that may become one.
        leaves_out: See `scan`.

    Raises:
        FolderError: See `scan`.
    """
    taken, excluded = list[str](), list[str]()
    passed_over: FileTally = Counter()
    for path, reason in _files(folder, [], {}, lambda: False, leaves_out):
        if reason is None:
            taken.append(path)
            continue
        passed_over[reason, extension_of(path)] += 1
        if reason is PassedOver.EXCLUDED and path.lower().endswith(SUFFIXES):
            excluded.append(path)
    return Survey(tuple(sorted(taken)), tuple(sorted(excluded)), passed_over)


def list_files(
    folder: Path, is_cancelled: Callable[[], bool] = lambda: False
) -> dict[str, tuple[int, int]]:
    """Return size and time of change of the documents of a folder by relative path.

    Nothing is opened; what cannot be looked at is left out.

    Raises:
        FolderError: See `scan`.
        Cancelled: See `scan`.
    """
    found = {}
    for path, reason in _files(folder, [], {}, is_cancelled):
        if reason is None:
            with contextlib.suppress(OSError):
                status = (folder / path).stat()
                found[path] = (status.st_size, status.st_mtime_ns)
    return found


def document_id_of(path: Path, is_cancelled: Callable[[], bool] = lambda: False) -> DocumentId:
    """Return the first 16 hexadecimal digits of the SHA-256 of a file's bytes.

    Raises:
        OSError: When it cannot be read.
        Cancelled: When `is_cancelled` turned true.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            if is_cancelled():
                raise Cancelled
    return DocumentId(digest.hexdigest()[:16])


def check_folder(folder: Path) -> None:
    """See that a source folder is there and may be read.

    Raises:
        FolderError: When it is missing, no folder, or may not be read.
    """
    try:
        mode = folder.stat().st_mode
    except FileNotFoundError as error:
        raise FolderError(
            f"The folder {folder} is not there.",
            "If it was moved, point to its new place; if it is on a drive, connect it.",
        ) from error
    except OSError as error:
        raise _unreadable_folder(folder, error) from error
    if not stat.S_ISDIR(mode):
        raise FolderError(f"{folder} is not a folder.", "Choose the folder that holds the files.")
    try:
        with os.scandir(folder):
            pass
    except OSError as error:
        raise _unreadable_folder(folder, error) from error


def _unreadable_folder(folder: Path, error: OSError) -> FolderError:
    return FolderError(
        f"The folder {folder} cannot be read ({_reason(error)}).",
        "Give yourself permission to read it, or choose another folder.",
    )


def _files(
    folder: Path,
    errors: list[FileError],
    known: Mapping[str, FileRecord],
    is_cancelled: Callable[[], bool],
    leaves_out: Callable[[str], bool] | None = None,
    removed: Container[str] = frozenset(),
) -> Iterator[tuple[str, PassedOver | None]]:
    """Yield each file, relative with "/" separators, and why it is not read.

    Raises:
        FolderError: See `check_folder`.
        Cancelled: When `is_cancelled` turned true.
    """
    check_folder(folder)
    for path, reason in _walk(folder, errors, known):
        if is_cancelled():
            raise Cancelled
        if reason is None:
            if leaves_out is not None and leaves_out(path):
                reason = PassedOver.EXCLUDED
            elif not path.lower().endswith(SUFFIXES):
                reason = PassedOver.KIND
            elif path in removed:
                reason = PassedOver.REMOVED
        yield path, reason


def _walk(
    folder: Path, errors: list[FileError], known: Mapping[str, FileRecord]
) -> Iterator[tuple[str, PassedOver | None]]:
    """Yield the files and hidden folders; real folders before linked ones, each folder once."""
    visited: set[tuple[int, int]] = set()
    real, linked = [folder], list[Path]()
    while real or linked:
        current = real.pop() if real else linked.pop(0)
        relative = current.relative_to(folder).as_posix()
        try:
            status = current.stat()
            identity = (status.st_dev, status.st_ino)
            if identity in visited:
                continue
            visited.add(identity)
            with os.scandir(current) as found:
                items = sorted(found, key=lambda item: item.name)
        except OSError as error:
            errors.append(_folder_error(relative, error))
            continue
        names = {item.name for item in items}
        below = "" if current == folder else f"{relative}/"
        for item in items:
            reason = _no_document(item.name, names)
            if reason is not None:
                yield below + item.name, reason
            elif _is_folder(item):
                (linked if item.is_symlink() else real).append(Path(item.path))
            elif item.is_symlink() and _is_lost_folder(item, folder, known):
                errors.append(_lost_folder(below + item.name))
            else:
                yield below + item.name, None


def _is_folder(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_dir()
    except OSError:  # a link that leads in a circle
        return False


def _is_lost_folder(item: os.DirEntry[str], folder: Path, known: Mapping[str, FileRecord]) -> bool:
    """Tell whether a link led to a folder of documents and leads nowhere now."""
    if Path(item.path).exists():
        return False
    below = f"{Path(item.path).relative_to(folder).as_posix()}/"
    return any(path.startswith(below) for path in known)


def _no_document(name: str, siblings: set[str]) -> PassedOver | None:
    """Return why something in a folder is passed over whatever it holds."""
    folded = name.lower()
    if name.startswith((".", "~$")) or folded in _SYSTEM_NAMES:
        return PassedOver.HIDDEN
    if folded.endswith(_PARTIAL_SUFFIXES):
        return PassedOver.UNFINISHED
    if any(name + suffix in siblings for suffix in _PARTIAL_SUFFIXES):
        return PassedOver.UNFINISHED
    return None


def _record(
    folder: Path, path: str, known: FileRecord | None, is_cancelled: Callable[[], bool]
) -> FileRecord:
    status = (folder / path).stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is not an ordinary file")
    if known is not None and (known.size, known.mtime_ns) == (status.st_size, status.st_mtime_ns):
        return known
    # Taken before the bytes: a file that changes meanwhile is seen again next time.
    document_id = document_id_of(folder / path, is_cancelled)
    return FileRecord(path, status.st_size, status.st_mtime_ns, document_id)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).rstrip(".").lower()


def _file_error(path: str, error: OSError) -> FileError:
    if isinstance(error, TimeoutError) and not error.errno:
        return FileError(
            path,
            f"The file could not be read ({_reason(error)}).",
            "Check the drive that it lies on, then press Refresh; the other files are read.",
        )
    if isinstance(error, FileNotFoundError):
        return FileError(
            path,
            "The file is gone, or it is a link to a file that is gone.",
            "Put the file back or remove the link, then press Refresh.",
        )
    return FileError(
        path,
        f"The file could not be read ({_reason(error)}).",
        "Check that you may read it and that its drive is connected, then press Refresh.",
    )


def _silent_drive(path: str) -> FileError:
    return FileError(
        path,
        "The file was not read, for its drive did not answer for others.",
        "Check the drive that it lies on, then press Refresh.",
    )


def _folder_error(path: str, error: OSError) -> FileError:
    return FileError(
        path,
        f"The folder could not be read ({_reason(error)}).",
        "Give yourself permission to read it, then press Refresh.",
    )


def _lost_folder(path: str) -> FileError:
    return FileError(
        path,
        "The folder that this link points to is not there; its documents can still be asked about.",
        "Connect its drive, or remove the link, then press Refresh.",
    )


def has_foreign_name(path: str) -> bool:
    """Names that are no text in the system's encoding can be neither shown nor stored."""
    return any("\udc80" <= char <= "\udcff" for char in path)


def _foreign_name(path: str) -> FileError:
    return FileError(
        path.encode("utf-8", "replace").decode(),
        "The file's name has characters that this system cannot read.",
        "Rename the file, then press Refresh.",
    )
