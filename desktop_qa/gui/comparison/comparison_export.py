"""Writing a table of an answer as CSV: where to, and how it went."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.core.answer_table import AnswerTable, CellSource
from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.tables.table_export import AS_NUMBERS
from desktop_qa.gui.widgets.file_export import FileExport, with_ending
from desktop_qa.gui.widgets.messages import MessageArea

_FOLDER_KEY = "export/tables_folder"
_NOTICE = "export_table"
_ENDING = ".csv"
_FORM = f"CSV with the place of each cell (*{_ENDING})"


class TableExport(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = _FOLDER_KEY
    notice = _NOTICE

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        answer_panel: AnswerPanel,
        messages: MessageArea,
        settings: QSettings,
    ) -> None:
        super().__init__(window, session, messages, settings)
        answer_panel.parts.table_export_requested.connect(self.choose)

    def choose(
        self, table: AnswerTable, sources: dict[int, CellSource], numbers: list[list[str]]
    ) -> None:
        """Ask for a place and have a table written there.

        Args:
            table: As it is looked at.
            sources: Of each marker.
            numbers: Its rows as numbers; none when it has no figures.
        """
        name = f"{suggested_name(table.title or 'Table')}{_ENDING}"
        forms = (_FORM, *((AS_NUMBERS,) if numbers else ()))
        target, form = self.ask("Export Table", name, forms)
        if target is None:
            return
        target = with_ending(target, _ENDING)
        if form == AS_NUMBERS:
            self._request(target, "export_cells", numbers, str(target), True)
        else:
            self.export(table, sources, target)

    def export(self, table: AnswerTable, sources: dict[int, CellSource], target: Path) -> None:
        """Have a table written, over what is there."""
        self._request(target, "export_table", table, sources, str(target))

    def _request(self, target: Path, method: str, *arguments: object) -> None:
        self.begin(target)
        self._session.request(
            method,
            *arguments,
            on_result=lambda _nothing: self.tell_written(target),
            on_failure=self.tell_failed,
        )
