"""What the window may ask of answers: lists of earlier ones, thumbs, deletions, exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_qa.core.answer_table import AnswerTable, CellSource
    from desktop_qa.core.view import AnswerView
    from desktop_qa.library.facade import Library


class HistoryRequests:
    """Answers the window's requests about earlier questions.

    Attributes:
        readings: By name, for a lane that no question holds up.
        changes: By name, for a lane that no ingest holds up.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self.readings: dict[str, Callable[..., Any]] = {
            "history_page": self._page,
            "history_entry": self._entry,
            "conversation_items": self._conversation_items,
            "export_history": self._export_history,
            "export_conversation": self._export_conversation,
            "export_view": self._export_view,
            "export_table": self._export_table,
        }
        self.changes: dict[str, Callable[..., Any]] = {
            "delete_history": self._delete,
            "restore_history": self._restore,
            "clear_history": self._clear,
            "feedback": self._feedback,
        }

    def _page(self, _request_id: int, query: str = "", limit: int = 60, offset: int = 0) -> Any:
        return self._library().history(query, limit, offset)

    def _entry(self, _request_id: int, history_id: int) -> Any:
        return self._library().history_entry(history_id)

    def _conversation_items(self, _request_id: int, conversation: str) -> Any:
        return self._library().conversation_items(conversation)

    def _delete(self, _request_id: int, history_ids: tuple[int, ...]) -> int:
        return self._library().delete_history(history_ids)

    def _restore(self, _request_id: int, history_ids: tuple[int, ...]) -> int:
        return self._library().restore_history(history_ids)

    def _clear(self, _request_id: int) -> int:
        return self._library().clear_history()

    def _feedback(self, _request_id: int, history_id: int, verdict: int, comment: str = "") -> None:
        self._library().feedback(history_id, verdict, comment)

    def _export_history(
        self, _request_id: int, history_ids: tuple[int, ...], target: str, replace: bool = False
    ) -> Any:
        return self._library().export_history(history_ids, Path(target), replace=replace)

    def _export_conversation(
        self, _request_id: int, conversation: str, target: str, replace: bool = False
    ) -> Any:
        return self._library().export_conversation(conversation, Path(target), replace=replace)

    def _export_view(
        self, _request_id: int, view: AnswerView, target: str, replace: bool = False
    ) -> Any:
        return self._library().export_view(view, Path(target), replace=replace)

    def _export_table(
        self, _request_id: int, table: AnswerTable, sources: dict[int, CellSource], target: str
    ) -> None:
        from desktop_qa.answer_export.table_csv import write_csv

        write_csv(table, sources, Path(target))
