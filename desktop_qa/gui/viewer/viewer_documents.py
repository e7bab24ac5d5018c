"""The open documents, where the reader has been in them, and how they are there at the next start.

Models without widgets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings

from desktop_qa.core.document import Provenance
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.viewer.page_layout import Anchor, PageArrangement, ReadingPlace
from desktop_qa.gui.viewer.pdf_highlights import Highlight

MAX_OPEN = 20
_MAX_VISITS = 100
_KEY = "viewer/open_documents"


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document with a tab; place and look are those in which the window was closed.

    It is not kept when an answer opened it: the next such document takes its place then.
    """

    path: Path
    is_kept: bool = False
    place: ReadingPlace | None = None
    look: PageArrangement | None = None


@dataclass(frozen=True, slots=True)
class RememberedDocuments:
    """The open documents of a library in the order of their tabs."""

    documents: tuple[OpenDocument, ...] = ()
    current: Path | None = None


class OpenDocuments:
    """Documents in the order of their tabs."""

    def __init__(self) -> None:
        self.documents: list[OpenDocument] = []
        self._recent: list[Path] = []

    @property
    def current(self) -> Path | None:
        """The one that is shown; None when none is."""
        return self._recent[-1] if self._recent else None

    def index_of(self, path: Path | None) -> int:
        """Return where a document stands, -1 when it is not open."""
        return next((i for i, one in enumerate(self.documents) if one.path == path), -1)

    def show(self, path: Path, *, is_kept: bool = False) -> None:
        """Open a document or go to it; one only looked at takes the place of the one before."""
        index = self.index_of(path)
        if index >= 0:
            if is_kept:
                self.keep(path)
        else:
            document = OpenDocument(path, is_kept)
            preview = next((i for i, one in enumerate(self.documents) if not one.is_kept), -1)
            if preview >= 0 and not is_kept:
                self._recent.remove(self.documents[preview].path)
                self.documents[preview] = document
            else:
                self.documents.insert(self.index_of(self.current) + 1, document)
        if path in self._recent:
            self._recent.remove(path)
        self._recent.append(path)
        while len(self.documents) > MAX_OPEN:
            self.close(self._recent[0])

    def restore(self, remembered: RememberedDocuments) -> None:
        """Open documents as they were before."""
        self.documents = list(remembered.documents[:MAX_OPEN])
        self._recent = [one.path for one in self.documents]
        if remembered.current in self._recent:
            self._recent.remove(remembered.current)
            self._recent.append(remembered.current)

    def keep(self, path: Path) -> bool:
        """Let a document stay when others are looked at; True when it did not before."""
        index = self.index_of(path)
        if index < 0 or self.documents[index].is_kept:
            return False
        self.documents[index] = replace(self.documents[index], is_kept=True)
        return True

    def close(self, path: Path) -> None:
        """Close a document; the one that was shown before it is the current one then."""
        index = self.index_of(path)
        if index >= 0:
            del self.documents[index]
            self._recent.remove(path)

    def move(self, index: int, to: int) -> None:
        """Move a document to another place in the order."""
        self.documents.insert(to, self.documents.pop(index))

    def beside(self, step: int) -> OpenDocument | None:
        """Return the document so many tabs after the current one, around the ends."""
        if not self.documents:
            return None
        return self.documents[(self.index_of(self.current) + step) % len(self.documents)]

    def clear(self) -> None:
        """Close all."""
        self.documents.clear()
        self._recent.clear()


VisitTarget = int | tuple[Provenance, ...] | ReadingPlace
"""1-based page number, places, or where it was read."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A document that the reader was shown, with its marks, and the target to show it again."""

    path: Path
    highlights: tuple[Highlight, ...]
    active: int | None
    target: VisitTarget
    look: PageArrangement | None

    @property
    def page_no(self) -> int:
        """1-based number of the page that it shows."""
        if isinstance(self.target, int):
            return self.target
        if isinstance(self.target, ReadingPlace):
            return self.target.anchor.page_index + 1
        return self.target[0].page_no if self.target else 1

    @property
    def label(self) -> str:
        """What a menu calls it."""
        return f"{self.path.name}, page {self.page_no}"


class Visits:
    """Places before and after the present one, the nearest first."""

    def __init__(self) -> None:
        self.earlier: list[Visit] = []
        self.later: list[Visit] = []

    def leave(self, here: Visit) -> None:
        """Make a place one to come back to; what lay ahead is gone."""
        if not self.earlier or not _is_same(self.earlier[0], here):
            self.earlier = [here, *self.earlier][:_MAX_VISITS]
        self.later.clear()

    def travel(self, step: int, here: Visit | None) -> Visit | None:
        """Go so many places back (negative) or forward from here; None when there are none."""
        source, other = (self.earlier, self.later) if step < 0 else (self.later, self.earlier)
        # The same citation clicked twice is one place.
        while source and here is not None and _is_same(source[0], here):
            source.pop(0)
        target: Visit | None = None
        for _ in range(min(abs(step), len(source))):
            if here is not None:
                other.insert(0, here)
            here = target = source.pop(0)
        return target

    def forget(self) -> None:
        """Forget all places."""
        self.earlier.clear()
        self.later.clear()


def _is_same(one: Visit, other: Visit) -> bool:
    return one.path == other.path and one.target == other.target


def kept_documents(settings: QSettings, library: str) -> RememberedDocuments:
    """Return what was open in a library, by its folder; what is damaged or foreign is nothing."""
    kept = kept_in(settings, _KEY)
    try:
        # Earlier versions had the libraries a level deeper.
        of_library = kept.get(library) or kept["libraries"][library]
        documents = tuple(map(_document_of, of_library["documents"]))
        current = Path(of_library["current"]) if of_library["current"] else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return RememberedDocuments()
    return RememberedDocuments(documents, current)


def keep_documents(settings: QSettings, library: str, remembered: RememberedDocuments) -> None:
    """Keep what is open in a library; of many libraries the ones used last are kept."""
    documents = [_entry_of(one) for one in remembered.documents]
    what = {"current": str(remembered.current or ""), "documents": documents}
    keep_in(settings, _KEY, library, what)


def _entry_of(one: OpenDocument) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": str(one.path), "kept": one.is_kept}
    if one.place is not None:
        anchor = one.place.anchor
        entry["place"] = [anchor.page_index, anchor.x, anchor.y, one.place.depth]
    if one.look is not None:
        entry["look"] = one.look.to_text()
    return entry


def _document_of(entry: dict[str, Any]) -> OpenDocument:
    place, look = entry.get("place"), entry.get("look")
    if place is not None:
        page_index, *numbers = place
        x, y, depth = (min(max(float(number), 0.0), 1.0) for number in numbers)
        place = ReadingPlace(Anchor(max(int(page_index), 0), x, y), depth)
    look = PageArrangement.from_text(look) if look is not None else None
    return OpenDocument(Path(entry["path"]), bool(entry["kept"]), place, look)
