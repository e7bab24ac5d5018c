"""What the window may ask of the reader's marks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_qa.core.mark import Mark
    from desktop_qa.library.facade import Library


class MarkRequests:
    """Answers the window's requests about marks.

    Attributes:
        methods: By name.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="mark-lane")
        self.methods: dict[str, Callable[..., Any]] = {
            "marks": self._marks,
            "save_mark": self._save,
            "delete_marks": self._delete,
            "restore_marks": self._restore,
            "export_marks": self._export,
        }

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """Return a lane of their own: neither a question nor an ingest holds them up."""
        return self._lane

    def end(self) -> None:
        """Do what was asked for: a note typed last must not be lost."""
        self._lane.shutdown(wait=True)

    def _marks(self, _request_id: int) -> Any:
        return self._library().marks()

    def _save(self, _request_id: int, mark: Mark) -> None:
        self._library().save_mark(mark)

    def _delete(self, _request_id: int, ids: tuple[str, ...]) -> int:
        return self._library().delete_marks(ids)

    def _restore(self, _request_id: int, ids: tuple[str, ...]) -> int:
        return self._library().restore_marks(ids)

    def _export(
        self, _request_id: int, target: str, ids: tuple[str, ...] | None, replace: bool = False
    ) -> int:
        return self._library().export_marks(Path(target), ids=ids, replace=replace)
