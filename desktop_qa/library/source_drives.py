"""Tells a drive that went away from files that were deleted.

A drive that is not connected often leaves its empty mount point behind. Taken at its word, such a
folder would empty the library; so a folder is followed only where its drive is, and one that lost
all its documents at once keeps them until the user has decided.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from desktop_qa.catalog import CatalogScan, n_excluded
from desktop_qa.core.errors import FolderError
from desktop_qa.core.folders import FileRecord
from desktop_qa.index.records import Source
from desktop_qa.index.store import Store
from desktop_qa.patience import Patience

_FEWEST_TO_KEEP = 2
"""One document that is gone was deleted; from two on a folder does not lose all by chance."""


def mount_point(folder: Path) -> Path:
    """Return the folder at which the drive of a folder hangs, as "/" or "/media/stick"."""
    current = folder
    # Not in `Path` on Windows.
    while not os.path.ismount(current) and current != current.parent:
        current = current.parent
    return current


def check_drive(
    store: Store, source: Source, is_cancelled: Callable[[], bool] = lambda: False
) -> None:
    """See that a source folder lies on the drive on which it was read.

    Raises:
        FolderError: When the drive is not there, or does not answer.
        Cancelled: When `is_cancelled` turned true while it did not answer.
    """
    known = store.meta(_key(source))
    if known is None:
        return
    expected, _, folder = known.partition("\n")
    try:
        with Patience(is_cancelled) as patience:
            mount = patience.wait_for(partial(mount_point, Path(source.folder)))
    except TimeoutError as error:
        raise FolderError(
            f"The folder {source.folder} cannot be read ({error}).",
            "Check its drive; until it answers its documents can still be asked about.",
        ) from error
    if folder != source.folder or expected == str(mount):
        return
    if os.path.ismount(expected):
        # Another drive in between: the folder was moved onto it.
        return
    raise FolderError(
        f"The drive of {source.folder} is not connected.",
        f"Connect what belongs at {expected}; until then its documents can still be asked about.",
    )


def remember_drive(store: Store, source: Source) -> None:
    """Keep on which drive a source folder was found."""
    value = f"{mount_point(Path(source.folder))}\n{source.folder}"
    if store.meta(_key(source)) != value:
        store.set_meta(_key(source), value)


def check_not_emptied(folder: Path, known: Mapping[str, FileRecord], found: CatalogScan) -> None:
    """See that not all documents of a folder are gone at once.

    Raises:
        FolderError: When they are.
    """
    is_any_there = found.entries or found.errors or n_excluded(found.passed_over)
    if is_any_there or len(known) < _FEWEST_TO_KEEP:
        return
    raise FolderError(
        f"All {len(known)} documents of {folder} are gone.",
        "If they were moved, point to their new place. They stay in the library until the folder"
        " is taken out of it.",
    )


def _key(source: Source) -> str:
    return f"drive of source {source.id}"
