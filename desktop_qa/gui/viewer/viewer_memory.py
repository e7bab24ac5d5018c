"""Which documents were open, where and how they were read: kept from one start to the next."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings

from desktop_qa.gui.viewer.page_layout import Anchor, PageArrangement, ReadingPlace
from desktop_qa.gui.viewer.viewer_documents import MAX_OPEN, OpenDocument

_KEY = "viewer/open_documents"
_VERSION = 1
_MAX_LIBRARIES = 8
_MAX_TEXT = 4096
_MAX_PAGE_INDEX = 1_000_000


@dataclass(frozen=True, slots=True)
class RememberedDocument:
    """An open document, where it was read and how large; None where that is not known."""

    document: OpenDocument
    place: ReadingPlace | None
    look: PageArrangement | None


@dataclass(frozen=True, slots=True)
class RememberedDocuments:
    """The open documents of a library in the order of their tabs."""

    documents: tuple[RememberedDocument, ...] = ()
    current: Path | None = None


class ViewerMemory:
    """Keeps it in the QSettings by library; what is damaged or foreign counts as nothing."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def restore(self, library: str) -> RememberedDocuments:
        """Return what was open in a library, by its folder."""
        kept = self._read().get(library)
        if not isinstance(kept, Mapping):
            return RememberedDocuments()
        listed = kept.get("documents")
        documents = listed[:MAX_OPEN] if isinstance(listed, list) else []
        found = tuple(one for entry in documents if (one := _document_of(entry)) is not None)
        current = _text(kept.get("current"))
        return RememberedDocuments(found, Path(current) if current else None)

    def save(self, library: str, remembered: RememberedDocuments) -> None:
        """Keep what is open in a library; of many libraries the ones used last are kept."""
        libraries = self._read()
        libraries.pop(library, None)
        libraries[library] = {
            "current": str(remembered.current or ""),
            "documents": [_entry_of(one) for one in remembered.documents[:MAX_OPEN]],
        }
        newest = dict(list(libraries.items())[-_MAX_LIBRARIES:])
        self._settings.setValue(_KEY, json.dumps({"version": _VERSION, "libraries": newest}))

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(str(self._settings.value(_KEY, "{}")))
        except (ValueError, RecursionError):
            return {}
        if not isinstance(kept, dict) or kept.get("version") != _VERSION:
            return {}
        libraries = kept.get("libraries")
        return libraries if isinstance(libraries, dict) else {}


def _entry_of(one: RememberedDocument) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "path": str(one.document.path),
        "name": one.document.name,
        "kept": one.document.is_kept,
    }
    if one.place is not None:
        anchor = one.place.anchor
        entry["place"] = [anchor.page_index, anchor.x, anchor.y, one.place.depth]
    if one.look is not None:
        entry["look"] = one.look.to_text()
    return entry


def _document_of(entry: object) -> RememberedDocument | None:
    if not isinstance(entry, Mapping):
        return None
    path, name = _text(entry.get("path")), _text(entry.get("name"))
    if not path or not name or not Path(path).is_absolute():
        return None
    document = OpenDocument(Path(path), name, entry.get("kept") is True)
    return RememberedDocument(document, _place_of(entry.get("place")), _look_of(entry.get("look")))


def _place_of(value: object) -> ReadingPlace | None:
    if not isinstance(value, list) or len(value) != 4 or not isinstance(value[0], int):
        return None
    numbers = value[1:]
    if not all(isinstance(n, int | float) and math.isfinite(n) and abs(n) <= 10 for n in numbers):
        return None
    if not 0 <= value[0] <= _MAX_PAGE_INDEX or not 0 <= numbers[2] <= 1:
        return None
    return ReadingPlace(Anchor(value[0], float(numbers[0]), float(numbers[1])), float(numbers[2]))


def _look_of(value: object) -> PageArrangement | None:
    text = _text(value)
    return PageArrangement.from_text(text) if text else None


def _text(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= _MAX_TEXT and "\0" not in value else ""
