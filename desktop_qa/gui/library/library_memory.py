"""How the documents of each library are grouped, sorted and folded, kept between sessions."""

from __future__ import annotations

import json

from PySide6.QtCore import QSettings

from desktop_qa.gui.library.library_facets import GroupBy, SortBy
from desktop_qa.gui.library.library_rows import Arrangement

_KEY = "libraries/arrangement"
_MAX_LIBRARIES = 40


class LibraryMemory:
    """Arrangements by the folder of the library; what cannot be read is as if never kept."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def load(self, folder: str) -> Arrangement:
        """Return the arrangement of a library; the usual one when none was kept."""
        kept = self._kept().get(folder)
        if not isinstance(kept, dict):
            return Arrangement()
        try:
            return Arrangement(
                GroupBy(kept["group_by"]),
                SortBy(kept["sort_by"]),
                bool(kept["descending"]),
                frozenset(map(str, kept["collapsed"])),
                frozenset(map(str, kept["unfolded"])),
            )
        except (KeyError, TypeError, ValueError):
            return Arrangement()

    def save(self, folder: str, arrangement: Arrangement) -> None:
        """Keep the arrangement of a library."""
        kept = self._kept()
        kept.pop(folder, None)
        kept[folder] = {
            "group_by": arrangement.group_by.value,
            "sort_by": arrangement.sort_by.value,
            "descending": arrangement.descending,
            "collapsed": sorted(arrangement.collapsed),
            "unfolded": sorted(arrangement.unfolded),
        }
        latest = dict(list(kept.items())[-_MAX_LIBRARIES:])
        self._settings.setValue(_KEY, json.dumps(latest))

    def _kept(self) -> dict[str, object]:
        try:
            stored = json.loads(str(self._settings.value(_KEY, "{}")))
        except ValueError:
            return {}
        return stored if isinstance(stored, dict) else {}
