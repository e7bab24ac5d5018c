"""What the window may ask of whole libraries: lists of them, sizes, moves and deletions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_qa.core.libraries import CopyProgress, DeletedLibrary


class LibraryRequests:
    """Answers the window's requests about libraries that are not open.

    Attributes:
        methods: By name, for a lane of their own: a move takes minutes.
    """

    def __init__(
        self,
        tell: Callable[[int, CopyProgress], None],
        is_cancelled: Callable[[int], bool],
    ) -> None:
        """Take what sends progress, and what tells whether a request was cancelled."""
        self._tell = tell
        self._is_cancelled = is_cancelled
        self.methods: dict[str, Callable[..., Any]] = {
            "libraries_overview": self._overview,
            "measure_library": self._measure,
            "rename_library": self._rename,
            "move_library": self._move,
            "confirm_move": self._confirm_move,
            "delete_library": self._delete,
            "put_back_library": self._put_back,
            "purge_library": self._purge,
            "recover_libraries": self._recover,
        }

    def _overview(
        self, _request_id: int, known: tuple[str, ...], forgotten: tuple[str, ...] = ()
    ) -> Any:
        from desktop_qa.libraries import overview

        return overview(known, forgotten)

    def _measure(self, _request_id: int, folder: str) -> Any:
        from desktop_qa.libraries import measure

        return measure(Path(folder))

    def _rename(self, _request_id: int, folder: str, name: str) -> Any:
        from desktop_qa.libraries import rename_library

        return rename_library(Path(folder), name)

    def _move(self, request_id: int, old: str, new: str) -> None:
        from desktop_qa.libraries import move_library

        move_library(
            Path(old),
            Path(new),
            lambda progress: self._tell(request_id, progress),
            lambda: self._is_cancelled(request_id),
        )

    def _confirm_move(self, _request_id: int, old: str) -> None:
        from desktop_qa.library_journal import strike_out

        strike_out(old)

    def _delete(self, _request_id: int, folder: str) -> Any:
        from desktop_qa.libraries import set_aside

        return set_aside(Path(folder))

    def _put_back(self, _request_id: int, deleted: DeletedLibrary) -> None:
        from desktop_qa.libraries import put_back

        put_back(deleted)

    def _purge(self, _request_id: int, deleted: DeletedLibrary) -> None:
        from desktop_qa.libraries import purge

        purge(deleted)

    def _recover(self, _request_id: int) -> None:
        from desktop_qa.libraries import recover

        recover()
