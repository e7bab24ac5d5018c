"""The pictures that answers of the history show, kept when their documents go.

`history/<id>/<marker>.png` in the library's folder is the same file as the figure of the document,
by a second name where the disk allows that: it takes no room until the document is read again or
leaves.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

logger = logging.getLogger(__name__)

_FOLDER = "history"
_SUFFIX = ".png"


class KeptFigures:
    """Pictures of earlier answers in a library's folder."""

    def __init__(self, library_folder: Path) -> None:
        self._folder = library_folder / _FOLDER

    def keep(self, history_id: int, pictures: Mapping[int, Path]) -> None:
        """Keep what an answer shows; one that cannot be kept is logged, the answer stands.

        Args:
            history_id: Of the answer.
            pictures: Files by the markers of their evidence.
        """
        folder = self._folder / str(history_id)
        for marker, picture in pictures.items():
            try:
                folder.mkdir(parents=True, exist_ok=True)
                _link_or_copy(picture, folder / f"{marker}{_SUFFIX}")
            except OSError as error:
                logger.warning("Figure [%d] of an answer is not kept: %s", marker, error)

    def path_of(self, history_id: int, marker: int) -> Path | None:
        """Return the picture of an answer; `None` when none was kept."""
        path = self._folder / str(history_id) / f"{marker}{_SUFFIX}"
        return path if path.is_file() else None

    def sweep(self, known: Callable[[Iterable[int]], set[int]]) -> None:
        """Remove the pictures of answers that are not in the history any more.

        Args:
            known: From numbers to those of them that are there.
        """
        if not self._folder.is_dir():
            return
        ids = [int(path.name) for path in self._folder.iterdir() if path.name.isdigit()]
        for gone in set(ids) - known(ids):
            shutil.rmtree(self._folder / str(gone), ignore_errors=True)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError:  # a disk without hard links
        shutil.copyfile(source, target)
