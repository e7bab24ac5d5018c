"""Writing a table of an answer as CSV: where to, and how it went."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.gui.answer_panel import AnswerPanel
from desktop_qa.gui.messages import MessageArea, Notice, NoticeAction, NoticeLevel
from desktop_qa.gui.session import LibrarySession

_FOLDER_KEY = "export/tables_folder"
_NOTICE = "export_table"
_ENDING = ".csv"


class TableExport(QObject):
    """Asks where, and lets the library's process write."""

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        answer_panel: AnswerPanel,
        messages: MessageArea,
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._answer_panel = answer_panel
        self._messages = messages
        self._settings = settings
        answer_panel.table_export_requested.connect(self.choose)

    def choose(self, table: AnswerTable, files: dict[int, str]) -> None:
        """Ask for a place and have a table written there.

        Args:
            table: As it is looked at.
            files: The file of each marker.
        """
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        usual = QStandardPaths.writableLocation(documents) or str(Path.home())
        folder = Path(str(self._settings.value(_FOLDER_KEY, usual)))
        name = f"{suggested_name(table.title or 'Table')}{_ENDING}"
        # The dialog asks before it takes a file that is there.
        chosen, _ = QFileDialog.getSaveFileName(
            self._window,
            "Export Table",
            str((folder if folder.is_dir() else Path.home()) / name),
            f"CSV (*{_ENDING})",
        )
        if chosen:
            target = Path(chosen)
            self.export(table, files, target if target.suffix else target.with_suffix(_ENDING))

    def export(self, table: AnswerTable, files: dict[int, str], target: Path) -> None:
        """Have a table written, over what is there."""
        self._settings.setValue(_FOLDER_KEY, str(target.parent))
        self._messages.withdraw(_NOTICE)
        self._session.request(
            *("export_table", table, files, str(target)),
            on_result=partial(self._on_exported, target),
            on_failure=self._on_failed,
        )

    def _on_exported(self, target: Path, _nothing: object) -> None:
        actions = (
            NoticeAction("Open", partial(_open, target)),
            NoticeAction("Show in folder", partial(_open, target.parent)),
        )
        message, hint = f"{target.name} was exported.", f"It is in {target.parent}."
        self._messages.post(
            Notice(NoticeLevel.INFORMATION, message, hint, actions, key=_NOTICE, passes=True)
        )

    def _on_failed(self, error: DesktopQaError) -> None:
        self._messages.post(Notice.of_error(error, key=_NOTICE))


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
