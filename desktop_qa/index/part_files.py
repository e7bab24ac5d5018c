"""The indexes on disk: a copy of what the store holds, made so that opening need not build it.

One file for each part, written whole and then named, never changed afterwards; mapped into memory
rather than read. A file says itself which documents in which state it holds (their stamps), so no
list of files can contradict them: what the store does not know is left out, what is missing or
damaged is built from the store.
"""

from __future__ import annotations

import json
import logging
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.index.database import plain_errors
from desktop_qa.index.part import Part
from desktop_qa.index.postings import Postings

logger = logging.getLogger(__name__)

FOLDER_NAME = "index"
_SUFFIX = ".part"
_MAGIC = b"DQAPART1"
_ALIGNMENT = 64
"""Bytes; what vector instructions like best."""

_HEADER_SIZE_BYTES = 16
"""Magic, length and check sum of the header."""

_ARRAYS: dict[str, type[np.generic]] = {
    "stamps": np.int64,
    "bounds": np.int64,
    "ordinals": np.int32,
    "kinds": np.int8,
    "boilerplate": np.bool_,
    "lengths": np.int32,
    "keyword_texts": np.uint8,
    "vectors": np.float32,
}
_POSTINGS: dict[str, type[np.generic]] = {
    "keys": np.uint64,
    "starts": np.int64,
    "rows": np.int32,
    "counts": np.uint16,
}


class PartFiles:
    """The folder of the parts of a library."""

    def __init__(self, library: Path, version: str) -> None:
        """Take the folder; it is made with the first part.

        Args:
            library: Folder of the library.
            version: Of whatever the content depends on, the model for one; a file of another is
                passed over.
        """
        self._folder = library / FOLDER_NAME
        self._version = version

    def paths(self) -> list[Path]:
        """Return all files in the order in which their parts were begun."""
        return sorted(self._folder.glob(f"*{_SUFFIX}"))

    def read(self, path: Path) -> Part | None:
        """Map a part into memory; `None` when it is damaged, foreign, or was just deleted."""
        try:
            buffer = np.memmap(path, np.uint8, "r")
            part = _decode(buffer, self._version)
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.info("A part of the index is built anew: %s", error)
            return None
        return part

    def write(self, part: Part, before: Path | None = None) -> tuple[Path, Part]:
        """Write a part and return it as it is mapped from the disk.

        Args:
            part: Whatever it consists of.
            before: A file whose place in the order it takes; the last place when `None`.

        Raises:
            DiskFullError: When there is no space left.
            LibraryError: When the folder cannot be written.
        """
        order = before.name.split("-")[0] if before is not None else self._next_number()
        # A name used once only: another process may still read the file that this one replaces.
        path = self._folder / f"{order}-{secrets.token_hex(4)}{_SUFFIX}"
        unfinished = path.with_suffix(".writing")
        with plain_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                with unfinished.open("wb") as file:
                    for piece in _encode(part, self._version):
                        file.write(piece)
                unfinished.replace(path)
            except OSError:
                unfinished.unlink(missing_ok=True)
                raise
        return path, _decode(np.memmap(path, np.uint8, "r"), self._version, check=False)

    def _next_number(self) -> str:
        numbers = [int(path.name.split("-")[0]) for path in self.paths()]
        return f"{max(numbers, default=-1) + 1:08d}"

    def remove(self, path: Path) -> None:
        """Delete a file; where the system keeps it while it is mapped, the next start does."""
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            logger.info("%s is deleted later: %s", path, error)

    def remove_unfinished(self) -> None:
        """Delete what a kill left half written."""
        for path in self._folder.glob("*.writing"):
            self.remove(path)


def _arrays(part: Part) -> dict[str, npt.NDArray[np.generic]]:
    found: dict[str, npt.NDArray[np.generic]] = {name: getattr(part, name) for name in _ARRAYS}
    for name, postings in (("terms", part.terms), ("keywords", part.keywords)):
        found |= {f"{name}.{field}": getattr(postings, field) for field in _POSTINGS}
    return found


def _encode(part: Part, version: str) -> Iterator[bytes | memoryview]:
    arrays = {name: np.ascontiguousarray(array) for name, array in _arrays(part).items()}
    header: dict[str, Any] = {"version": version, "documents": part.documents, "arrays": {}}
    position = 0
    for name, array in arrays.items():
        header["arrays"][name] = (position, array.shape, zlib.crc32(_bytes(array)))
        position += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    header["size"] = position
    encoded = json.dumps(header).encode()
    encoded += b" " * (-(len(encoded) + _HEADER_SIZE_BYTES) % _ALIGNMENT)
    yield _MAGIC
    yield len(encoded).to_bytes(4, "little") + zlib.crc32(encoded).to_bytes(4, "little")
    yield encoded
    for array in arrays.values():
        yield _bytes(array)
        yield bytes(-array.nbytes % _ALIGNMENT)


def _bytes(array: npt.NDArray[np.generic]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _decode(buffer: npt.NDArray[np.uint8], version: str, *, check: bool = True) -> Part:
    """Take a part from the bytes of its file without copying them.

    Raises:
        ValueError: When it is damaged or of another version; or KeyError, TypeError.
    """
    start = bytes(buffer[:_HEADER_SIZE_BYTES])
    length = int.from_bytes(start[8:12], "little")
    encoded = bytes(buffer[_HEADER_SIZE_BYTES : _HEADER_SIZE_BYTES + length])
    if start[:8] != _MAGIC or zlib.crc32(encoded) != int.from_bytes(start[12:], "little"):
        raise ValueError("its header is damaged")
    header = json.loads(encoded)
    content = buffer[_HEADER_SIZE_BYTES + length :]
    if header["version"] != version:
        raise ValueError(f"it is of version {header['version']}, not {version}")
    if len(content) != header["size"]:
        raise ValueError("its length is wrong")

    def array(name: str, dtype: type[np.generic]) -> Any:
        position, shape, checksum = header["arrays"][name]
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        found = np.asarray(content[position : position + size])
        if check and zlib.crc32(found.data) != checksum:
            raise ValueError(f"{name} are damaged")
        return found.view(dtype).reshape(shape)

    def postings(name: str) -> Postings:
        return Postings(
            **{field: array(f"{name}.{field}", kind) for field, kind in _POSTINGS.items()}
        )

    return Part(
        documents=tuple(DocumentId(document) for document in header["documents"]),
        terms=postings("terms"),
        keywords=postings("keywords"),
        **{name: array(name, dtype) for name, dtype in _ARRAYS.items()},
    )
