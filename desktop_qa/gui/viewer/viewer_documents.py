"""Which documents are open in the viewer, in which order, and which is only looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

MAX_OPEN = 20


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document with a tab.

    Attributes:
        is_kept: False for one that an answer opened: the next such document takes its place.
    """

    path: Path
    name: str
    is_kept: bool = False


class OpenDocuments:
    """Documents in the order of their tabs; a model without widgets."""

    def __init__(self) -> None:
        self._documents: list[OpenDocument] = []
        self._recent: list[Path] = []

    @property
    def documents(self) -> tuple[OpenDocument, ...]:
        """All of them."""
        return tuple(self._documents)

    @property
    def current(self) -> Path | None:
        """The one that is shown; None when none is."""
        return self._recent[-1] if self._recent else None

    def index_of(self, path: Path | None) -> int:
        """Return where a document stands, -1 when it is not open."""
        return next((i for i, one in enumerate(self._documents) if one.path == path), -1)

    def show(self, path: Path, name: str, *, is_kept: bool = False) -> None:
        """Open a document, or go to it when it is open.

        One that is only looked at takes the place of the one that was looked at before.
        """
        index = self.index_of(path)
        if index >= 0:
            if is_kept:
                self.keep(path)
        else:
            document = OpenDocument(path, name, is_kept)
            preview = next((i for i, one in enumerate(self._documents) if not one.is_kept), -1)
            if preview >= 0 and not is_kept:
                self._forget(self._documents[preview].path)
                self._documents[preview] = document
            else:
                self._documents.insert(self.index_of(self.current) + 1, document)
        if path in self._recent:
            self._recent.remove(path)
        self._recent.append(path)
        while len(self._documents) > MAX_OPEN:
            self.close(self._recent[0])

    def restore(self, documents: list[OpenDocument], current: Path | None) -> None:
        """Open documents as they were before; the first of each path counts."""
        found = {one.path: one for one in reversed(documents)}
        self._documents = [one for one in documents if found[one.path] is one][:MAX_OPEN]
        self._recent = [one.path for one in self._documents]
        if current in self._recent:
            self._recent.remove(current)
            self._recent.append(current)

    def keep(self, path: Path) -> bool:
        """Let a document stay when others are looked at; True when it did not before."""
        index = self.index_of(path)
        if index < 0 or self._documents[index].is_kept:
            return False
        self._documents[index] = replace(self._documents[index], is_kept=True)
        return True

    def close(self, path: Path) -> None:
        """Close a document; the one that was shown before it is the current one then."""
        index = self.index_of(path)
        if index >= 0:
            del self._documents[index]
            self._forget(path)

    def move(self, index: int, to: int) -> None:
        """Move a document to another place in the order."""
        self._documents.insert(to, self._documents.pop(index))

    def beside(self, step: int) -> OpenDocument | None:
        """Return the document so many tabs after the current one, around the ends."""
        if not self._documents:
            return None
        return self._documents[(self.index_of(self.current) + step) % len(self._documents)]

    def clear(self) -> None:
        """Close all."""
        self._documents.clear()
        self._recent.clear()

    def _forget(self, path: Path) -> None:
        if path in self._recent:
            self._recent.remove(path)
