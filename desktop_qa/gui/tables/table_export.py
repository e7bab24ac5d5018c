"""Writing a table of a document as CSV: where to, for which program, and how it went."""

from __future__ import annotations

from pathlib import Path

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.gui.tables.table_pane import TableRows
from desktop_qa.gui.widgets.file_export import FileExport, with_ending

_FOLDER_KEY = "export/tables_folder"
_FORM_KEY = "export/tables_form"
_NOTICE = "export_table"
_ENDING = ".csv"
_FOR_EXCEL = "CSV for Excel (*.csv)"
_PLAIN = "CSV as printed, UTF-8 (*.csv)"
AS_NUMBERS = "CSV as numbers, with scale, period and source (*.csv)"


class CellExport(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = _FOLDER_KEY
    notice = _NOTICE

    def choose(self, title: str, rows: TableRows) -> None:
        """Ask for a place and have rows written there.

        Args:
            title: What the file is called at first.
            rows: As printed, and as numbers where it has figures.
        """
        form = str(self._settings.value(_FORM_KEY, _FOR_EXCEL))
        forms = (_FOR_EXCEL, _PLAIN, *((AS_NUMBERS,) if rows.numbers else ()))
        target, form = self.ask(
            *("Export Table", f"{suggested_name(title)}{_ENDING}", forms),
            form if form in forms else _FOR_EXCEL,
        )
        if target is not None:
            self._settings.setValue(_FORM_KEY, form)
            cells = rows.numbers if form == AS_NUMBERS else rows.printed
            self.export(cells, with_ending(target, _ENDING), for_excel=form != _PLAIN)

    def export(self, rows: list[list[str]], target: Path, *, for_excel: bool = True) -> None:
        """Have rows written, over what is there."""
        self.begin(target)
        self._session.request(
            *("export_cells", rows, str(target), for_excel),
            on_result=lambda _nothing: self.tell_written(target),
            on_failure=self.tell_failed,
        )
