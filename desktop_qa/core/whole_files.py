"""Files that are written as a whole, or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, then put it there: nobody ever reads a half of it.

    Raises:
        OSError: When it cannot be written; what was there is as it was.
    """
    if path.exists() and not path.is_file():  # a pipe or a device; a folder refuses by itself
        path.write_bytes(content)
        return
    beside = path.with_name(f".{secrets.token_hex(8)}.writing")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
