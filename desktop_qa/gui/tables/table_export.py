"""Writing a table as CSV: where to, for which program, and how it went."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.core.answer_table import AnswerTable, CellSource
from desktop_qa.gui.tables.table_pane import TableRows
from desktop_qa.gui.widgets.file_export import FileExport, with_ending

_FORM_KEY = "export/tables_form"
_ENDING = ".csv"
_FOR_EXCEL = "CSV for Excel (*.csv)"
_PLAIN = "CSV as printed, UTF-8 (*.csv)"
_WITH_PLACES = "CSV with the place of each cell (*.csv)"
AS_NUMBERS = "CSV as numbers, with scale, period and source (*.csv)"


class TableExport(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = "export/tables_folder"
    notice = "export_table"

    def choose(self, title: str, rows: TableRows) -> None:
        """Ask for a place and have rows of a table of a document written there."""
        printed, numbers = rows
        form = str(self._settings.value(_FORM_KEY, _FOR_EXCEL))
        forms = (_FOR_EXCEL, _PLAIN, *((AS_NUMBERS,) if numbers else ()))
        target, form = self._ask(title, forms, form if form in forms else _FOR_EXCEL)
        if target is not None:
            self._settings.setValue(_FORM_KEY, form)
            cells = numbers if form == AS_NUMBERS else printed
            self._request(target, "export_cells", cells, str(target), form != _PLAIN)

    def choose_for_answer(
        self, table: AnswerTable, sources: dict[int, CellSource], numbers: list[list[str]]
    ) -> None:
        """Ask for a place and have a table of an answer written there, as it is looked at.

        Its sources go by marker; `numbers` are its rows as numbers, none when it has no figures.
        """
        forms = (_WITH_PLACES, *((AS_NUMBERS,) if numbers else ()))
        target, form = self._ask(table.title or "Table", forms)
        if target is not None and form == AS_NUMBERS:
            self._request(target, "export_cells", numbers, str(target), True)
        elif target is not None:
            self.export(table, sources, target)

    def _ask(self, title: str, forms: Iterable[str], usual: str = "") -> tuple[Path | None, str]:
        name = f"{suggested_name(title)}{_ENDING}"
        target, form = self.ask("Export Table", name, forms, usual)
        return (with_ending(target, _ENDING) if target is not None else None), form

    def export(self, table: AnswerTable, sources: dict[int, CellSource], target: Path) -> None:
        """Have a table of an answer written, over what is there."""
        self._request(target, "export_table", table, sources, str(target))

    def _request(self, target: Path, method: str, *arguments: object) -> None:
        self.begin(target)
        self._session.request(
            method,
            *arguments,
            on_result=lambda _nothing: self.tell_written(target),
            on_failure=self.tell_failed,
        )
