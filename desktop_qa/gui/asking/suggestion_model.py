"""What is offered while somebody types, as rows of a list."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_qa.core.suggestion import Suggestion, SuggestionKind

KIND_WORDS = {
    SuggestionKind.PART: "Parts",
    SuggestionKind.SECTION: "Sections",
    SuggestionKind.TABLE: "Tables",
    SuggestionKind.QUESTION: "Asked before",
}
_SPOKEN = {
    SuggestionKind.PART: "part",
    SuggestionKind.SECTION: "section",
    SuggestionKind.TABLE: "table",
    SuggestionKind.QUESTION: "asked before",
}


class SuggestionRole(IntEnum):
    """What a row holds beside its text."""

    SUGGESTION = Qt.ItemDataRole.UserRole + 1
    HEADING = Qt.ItemDataRole.UserRole + 2
    """What the rows from here on are; empty within a group."""


class SuggestionModel(QAbstractListModel):
    """Suggestions in the order in which they came, kind by kind."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Suggestion, ...] = ()

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """The rows."""
        return self._rows

    def show(self, suggestions: Sequence[Suggestion]) -> None:
        """Show others."""
        self.beginResetModel()
        self._rows = tuple(suggestions)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return how many there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return what a row says."""
        row = index.row()
        if not index.isValid() or row >= len(self._rows):
            return None
        suggestion = self._rows[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return suggestion.text
        if role == SuggestionRole.SUGGESTION:
            return suggestion
        if role == SuggestionRole.HEADING:
            is_first = row == 0 or self._rows[row - 1].kind is not suggestion.kind
            return KIND_WORDS[suggestion.kind] if is_first else ""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(suggestion)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{suggestion.text}\n{suggestion.detail}".strip()
        return None


def spoken(suggestion: Suggestion) -> str:
    """Return a row for those who hear it."""
    parts = (suggestion.text, _SPOKEN[suggestion.kind], suggestion.detail)
    return ", ".join(part for part in parts if part)
