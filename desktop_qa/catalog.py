"""Finds the documents of a folder and tells by content which are new, changed or the same.

Nothing is opened that did not change: size and time of change stand for the hash of last time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, FolderError
from desktop_qa.patience import PATIENCE_S, Patience

SUFFIXES = (".pdf",)

_PARTIAL_SUFFIXES = (".part", ".crdownload", ".download", ".partial")
"""What browsers append while they download; Firefox keeps an empty file of the final name too."""

_BLOCK_BYTES = 1 << 20

_MAX_SILENT = 2
"""Files that a drive may be silent on until no more are asked for: each takes ten minutes."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What identifies the content of a file; the id holds while size and time stay the same."""

    size: int
    mtime_ns: int
    document_id: DocumentId


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A document of the folder; `path` is relative to it, with "/" separators."""

    path: str
    stamp: FileStamp


@dataclass(frozen=True, slots=True)
class FileError:
    """A file or folder that could not be read, with a sentence for the user and what to do."""

    path: str
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class CatalogScan:
    """What a folder holds, sorted by path; `excluded` are the documents that were left out."""

    entries: tuple[FileEntry, ...]
    errors: tuple[FileError, ...]
    excluded: tuple[str, ...] = ()

    @property
    def duplicates(self) -> tuple[tuple[str, ...], ...]:
        """Groups of paths that hold the same bytes."""
        groups: dict[DocumentId, list[str]] = {}
        for entry in self.entries:
            groups.setdefault(entry.stamp.document_id, []).append(entry.path)
        return tuple(tuple(paths) for paths in groups.values() if len(paths) > 1)

    def is_hidden_by_error(self, path: str) -> bool:
        """Tell whether a path known from before may still be there, behind an error."""
        return any(path == e.path or path.startswith(f"{e.path}/") for e in self.errors)


def _take_all(_path: str) -> bool:
    return False


def scan(
    folder: Path,
    known: Mapping[str, FileStamp],
    is_cancelled: Callable[[], bool] = lambda: False,
    leaves_out: Callable[[str], bool] = _take_all,
    removed: Container[str] = frozenset(),
    *,
    patience_s: float = PATIENCE_S,
) -> CatalogScan:
    """Walk a folder and all below it; a file that cannot be read never stops the others.

    Hidden files and unfinished downloads are passed over; links are followed, each folder once.

    Args:
        folder: Source folder.
        known: Stamps of the last scan by relative path; unchanged files are not read again.
        is_cancelled: Asked between files and between the blocks of large ones.
        leaves_out: Tells whether a document, by its relative path, is not wanted.
        removed: Relative paths of files that the user took out: they are passed over.
        patience_s: So long the drive may give no answer; after the second file that it is silent
            on, it is not asked for the bytes of the others.

    Raises:
        FolderError: When the folder is missing, no folder, or may not be read.
        Cancelled: When `is_cancelled` turned true.
    """
    with Patience(is_cancelled, patience_s) as patience:
        return _scan(folder, known, is_cancelled, leaves_out, removed, patience)


def _scan(
    folder: Path,
    known: Mapping[str, FileStamp],
    is_cancelled: Callable[[], bool],
    leaves_out: Callable[[str], bool],
    removed: Container[str],
    patience: Patience,
) -> CatalogScan:
    entries: list[FileEntry] = []
    errors: list[FileError] = []
    excluded: list[str] = []
    n_silent = 0
    found = _walk(folder, errors, known)  # on the thread of `patience`

    def goes_on() -> bool:
        patience.sign_of_life()
        return is_cancelled()

    def next_path() -> Path | None:
        try:
            return patience.wait_for(lambda: next(found, None))
        except TimeoutError as error:
            raise _unreadable_folder(folder, error) from error

    while path := next_path():
        if is_cancelled():
            raise Cancelled
        relative = path.relative_to(folder).as_posix()
        if leaves_out(relative):
            excluded.append(relative)
            continue
        if relative in removed:
            continue
        if _has_foreign_name(relative):
            errors.append(_foreign_name(relative))
            continue
        if n_silent == _MAX_SILENT:
            errors.append(_silent_drive(relative))
            continue
        try:
            stamp = patience.wait_for(partial(_stamp, path, known.get(relative), goes_on))
        except OSError as error:
            n_silent += isinstance(error, TimeoutError)
            errors.append(_file_error(relative, error))
            continue
        entries.append(FileEntry(relative, stamp))
    return CatalogScan(
        tuple(sorted(entries, key=lambda entry: entry.path)),
        tuple(sorted(errors, key=lambda error: error.path)),
        tuple(sorted(excluded)),
    )


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
    for path in _walk(folder, [], {}):
        if is_cancelled():
            raise Cancelled
        with contextlib.suppress(OSError):
            status = path.stat()
            found[path.relative_to(folder).as_posix()] = (status.st_size, status.st_mtime_ns)
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


def _walk(folder: Path, errors: list[FileError], known: Mapping[str, FileStamp]) -> Iterator[Path]:
    """Yield the documents; real folders before linked ones, each folder once.

    Raises:
        FolderError: See `check_folder`.
    """
    check_folder(folder)
    visited: set[tuple[int, int]] = set()
    real, linked = [folder], list[Path]()
    while real or linked:
        current = real.pop() if real else linked.pop(0)
        try:
            status = current.stat()
            identity = (status.st_dev, status.st_ino)
            if identity in visited:
                continue
            visited.add(identity)
            with os.scandir(current) as found:
                items = sorted(found, key=lambda item: item.name)
        except OSError as error:
            errors.append(_folder_error(current.relative_to(folder).as_posix(), error))
            continue
        names = {item.name for item in items}
        for item in items:
            if _is_passed_over(item.name, names):
                continue
            if _is_folder(item):
                (linked if item.is_symlink() else real).append(Path(item.path))
            elif item.is_symlink() and _is_lost_folder(item, folder, known):
                errors.append(_lost_folder(Path(item.path).relative_to(folder).as_posix()))
            elif item.name.lower().endswith(SUFFIXES):
                yield Path(item.path)


def _is_folder(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_dir()
    except OSError:  # a link that leads in a circle
        return False


def _is_lost_folder(item: os.DirEntry[str], folder: Path, known: Mapping[str, FileStamp]) -> bool:
    """Tell whether a link led to a folder of documents and leads nowhere now."""
    if Path(item.path).exists():
        return False
    below = f"{Path(item.path).relative_to(folder).as_posix()}/"
    return any(path.startswith(below) for path in known)


def _is_passed_over(name: str, siblings: set[str]) -> bool:
    return (
        name.startswith((".", "~$"))
        or name.lower().endswith(_PARTIAL_SUFFIXES)
        or any(name + suffix in siblings for suffix in _PARTIAL_SUFFIXES)
    )


def _stamp(path: Path, known: FileStamp | None, is_cancelled: Callable[[], bool]) -> FileStamp:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is not an ordinary file")
    if known is not None and (known.size, known.mtime_ns) == (status.st_size, status.st_mtime_ns):
        return known
    # The stamp is taken before the bytes: a file that changes meanwhile is seen again next time.
    return FileStamp(status.st_size, status.st_mtime_ns, document_id_of(path, is_cancelled))


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


def _has_foreign_name(path: str) -> bool:
    """Names that are no text in the system's encoding can be neither shown nor stored."""
    return any("\udc80" <= char <= "\udcff" for char in path)


def _foreign_name(path: str) -> FileError:
    return FileError(
        path.encode("utf-8", "replace").decode(),
        "The file's name has characters that this system cannot read.",
        "Rename the file, then press Refresh.",
    )
