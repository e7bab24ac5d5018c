"""The marks of the open library as the window knows them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from desktop_qa.core.mark import PlacedMark, reading_order


class MarkBook(QObject):
    """All marks by id, sorted by file and down the pages; widgets read it and never own it."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_id: dict[str, PlacedMark] = {}
        self._sorted: tuple[PlacedMark, ...] | None = ()

    @property
    def marks(self) -> tuple[PlacedMark, ...]:
        """All of them."""
        if self._sorted is None:
            self._sorted = tuple(sorted(self._by_id.values(), key=reading_order))
        return self._sorted

    def get(self, mark_id: str) -> PlacedMark | None:
        """Return a mark; None when there is none of this id."""
        return self._by_id.get(mark_id)

    def in_file(self, path: str) -> tuple[PlacedMark, ...]:
        """Return the marks of a file, those without a place too."""
        return tuple(placed for placed in self.marks if path and placed.path == path)

    def show(self, placed: Iterable[PlacedMark]) -> None:
        """Hold these and no others."""
        self._by_id = {one.mark.id: one for one in placed}
        self._note_change()

    def put(self, placed: Iterable[PlacedMark]) -> None:
        """Hold these too, or in place of what they were."""
        self._by_id |= {one.mark.id: one for one in placed}
        self._note_change()

    def take(self, mark_id: str) -> PlacedMark | None:
        """Let a mark go and return it."""
        taken = self._by_id.pop(mark_id, None)
        if taken is not None:
            self._note_change()
        return taken

    def _note_change(self) -> None:
        self._sorted = None
        self.changed.emit()
