"""The libraries that the window knows: which were opened, when, and what they were made of."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from PySide6.QtCore import QSettings

from desktop_qa.core.view import LibraryView

_MAX_KNOWN = 200
_MAX_RECENT = 8
_MAX_KEPT = 40
_KEY = "libraries/recent"
_FORGOTTEN_KEY = "libraries/forgotten"

KeptT = TypeVar("KeptT")


class RecentLibrary(msgspec.Struct, frozen=True, array_like=True):
    """A library and the folders of documents it was made of, by their paths.

    Attributes:
        own_name: What the user calls it; empty when its folders name it.
        opened_at: Seconds since the epoch; 0 when it is not known.
    """

    folder: str
    sources: tuple[str, ...]
    own_name: str = ""
    opened_at: float = 0.0

    @property
    def name(self) -> str:
        """What people call it: "Power parts", or by its folders "datasheets", "datasheets + 1"."""
        if self.own_name:
            return self.own_name
        first, *others = self.sources or (self.folder,)
        name = Path(first).name or first
        return f"{name} + {len(others)}" if others else name

    @classmethod
    def of(cls, view: LibraryView) -> RecentLibrary:
        """Return a library that is open."""
        return cls(view.folder, tuple(source.folder for source in view.sources), view.name)


def kept_in(settings: QSettings, key: str) -> dict[str, Any]:
    """Return what settings hold for each library's folder; nothing when it cannot be read."""
    try:
        stored = json.loads(str(settings.value(key, "{}")))
    except (ValueError, RecursionError):
        return {}
    return stored if isinstance(stored, dict) else {}


def keep_in(settings: QSettings, key: str, folder: str, what: object) -> None:
    """Keep something for a library's folder; of many libraries those used last are kept."""
    kept = kept_in(settings, key)
    kept.pop(folder, None)
    kept[folder] = what
    settings.setValue(key, json.dumps(dict(list(kept.items())[-_MAX_KEPT:]), default=sorted))


class RecentLibraries:
    """Kept in the window's QSettings, newest first."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def known(self) -> tuple[RecentLibrary, ...]:
        """All libraries, newest first; settings that cannot be read count as none."""
        return self._kept(_KEY, tuple[RecentLibrary, ...])

    @property
    def entries(self) -> tuple[RecentLibrary, ...]:
        """The libraries opened lately, newest first."""
        return self.known[:_MAX_RECENT]

    @property
    def forgotten(self) -> tuple[str, ...]:
        """Folders of libraries that the user does not want to see, the latest first."""
        return self._kept(_FORGOTTEN_KEY, tuple[str, ...])

    def add(self, library: RecentLibrary) -> None:
        """Put a library first: it is opened now."""
        others = (entry for entry in self.known if entry.folder != library.folder)
        self._keep(_KEY, msgspec.structs.replace(library, opened_at=time.time()), *others)
        self._keep(_FORGOTTEN_KEY, *(one for one in self.forgotten if one != library.folder))

    def replace(self, old: str, new: str) -> None:
        """Note that a library is at another place now."""
        if any(entry.folder == old for entry in self.known):
            known = (entry for entry in self.known if entry.folder != new)
            moved = msgspec.structs.replace
            self._keep(_KEY, *(moved(e, folder=new) if e.folder == old else e for e in known))

    def remove(self, folder: str) -> None:
        """Forget a library, which itself is not touched."""
        self._keep(_KEY, *(entry for entry in self.known if entry.folder != folder))
        self._keep(_FORGOTTEN_KEY, *dict.fromkeys((folder, *self.forgotten)))

    def _kept(self, key: str, kind: type[KeptT]) -> KeptT:
        try:
            return msgspec.json.decode(str(self._settings.value(key, "[]")), type=kind)
        except msgspec.DecodeError:
            return kind()

    def _keep(self, key: str, *values: object) -> None:
        self._settings.setValue(key, msgspec.json.encode(values[:_MAX_KNOWN]).decode())
