"""Where things live: assets of the program, libraries and logs of the user."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
from pathlib import Path

import platformdirs

APP_NAME = "desktop-qa"

DATABASE_NAME = "library.sqlite3"
"""The file by which the folder of a library is known."""


def asset(relative: str) -> Path:
    """Find a file of `ui/` or `resources/` in a wheel, a checkout or a frozen program.

    Args:
        relative: Such as "resources/icons/open.svg".

    Raises:
        FileNotFoundError: When the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    frozen = getattr(sys, "_MEIPASS", None)
    roots = [package, package.parent, *([Path(frozen) / "desktop_qa"] if frozen else [])]
    for root in roots:
        candidate = root / relative
        if candidate.exists():
            return candidate
    msg = f"{relative} is not in {' or '.join(str(root) for root in roots)}"
    raise FileNotFoundError(msg)


def data_folder() -> Path:
    """Folder of this user's libraries; created by whoever writes there."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def config_folder() -> Path:
    """Folder of this user's settings.toml."""
    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False))


def log_folder() -> Path:
    """Folder of the program's log files."""
    return Path(platformdirs.user_log_dir(APP_NAME, appauthor=False))


def cache_folder() -> Path:
    """Folder of what can be made anew at the cost of time."""
    return Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))


def holds_library(folder: Path) -> bool:
    """Tell whether a library was made in a folder; opening it tells whether it is sound."""
    try:
        return (folder / DATABASE_NAME).is_file()
    except OSError:  # a drive that does not answer
        return False


def default_library_folder(source: Path) -> Path:
    """Return where the library of a source folder lives unless the user puts it elsewhere.

    The name carries the folder's own name for people and a hash of its path against clashes.
    """
    resolved = source.expanduser().resolve()
    # As bytes: a name in an encoding that is not the system's is no text.
    digest = hashlib.sha256(os.fsencode(resolved)).hexdigest()[:8]
    return data_folder() / "libraries" / f"{_folder_name(resolved.name)}-{digest}"


def new_library_folder(name: str) -> Path:
    """Return a folder that is not there yet, for a library with a name of the user's own."""
    return data_folder() / "libraries" / f"{_folder_name(name)}-{secrets.token_hex(4)}"


def _folder_name(name: str) -> str:
    return (re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "library")[:60]
