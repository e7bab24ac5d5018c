"""The libraries opened lately, and where the window stood."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSettings

_MAX_RECENT = 8
_KEY = "libraries/recent"


@dataclass(frozen=True, slots=True)
class RecentLibrary:
    """A library and the folders of documents it was made of, by their paths."""

    folder: str
    sources: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name people know it by: that of its first folder of documents."""
        return library_name(self.folder, self.sources)


def library_name(folder: str, sources: tuple[str, ...]) -> str:
    """Return what a library is called: "datasheets", "datasheets + 1"."""
    if not sources:
        return Path(folder).name or folder
    first = Path(sources[0]).name or sources[0]
    return first if len(sources) == 1 else f"{first} + {len(sources) - 1}"


class RecentLibraries:
    """Kept in the window's QSettings, newest first."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def entries(self) -> tuple[RecentLibrary, ...]:
        """The libraries, newest first; settings that cannot be read count as none."""
        stored = self._settings.value(_KEY, "")
        try:
            rows = json.loads(str(stored))
            return tuple(RecentLibrary(str(folder), tuple(sources)) for folder, sources in rows)
        except (ValueError, TypeError):
            return ()

    def add(self, library: RecentLibrary) -> None:
        """Put a library first."""
        others = (entry for entry in self.entries if entry.folder != library.folder)
        self._store((library, *others))

    def remove(self, folder: str) -> None:
        """Forget a library, which itself is not touched."""
        self._store(tuple(entry for entry in self.entries if entry.folder != folder))

    def _store(self, entries: tuple[RecentLibrary, ...]) -> None:
        rows = [(entry.folder, entry.sources) for entry in entries[:_MAX_RECENT]]
        self._settings.setValue(_KEY, json.dumps(rows))
