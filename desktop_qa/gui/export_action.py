"""Writing a document as Markdown: where to, whether over what is there, and how it went."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QObject, QSettings, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_qa.core.errors import AlreadyThereError, DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import ExportReport
from desktop_qa.export import file_name
from desktop_qa.gui.messages import MessageArea, Notice, NoticeAction, NoticeLevel
from desktop_qa.gui.session import LibrarySession

_KEY = "export/folder"
_NOTICE = "export"


class ExportAction(QObject):
    """Asks where, and lets the library's process write."""

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        messages: MessageArea,
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._messages = messages
        self._settings = settings

    def choose(self, status: DocumentStatus) -> None:
        """Ask for a place and export a document there."""
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        usual = QStandardPaths.writableLocation(documents) or str(Path.home())
        folder = Path(str(self._settings.value(_KEY, usual)))
        name = f"{file_name(PurePosixPath(status.file).stem)}.md"
        # What is there already is found out by the export, which knows the images' folder too.
        chosen, _ = QFileDialog.getSaveFileName(
            self._window,
            "Export Markdown",
            str((folder if folder.is_dir() else Path.home()) / name),
            "Markdown (*.md)",
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if chosen:
            target = Path(chosen)
            if not target.suffix:
                target = target.with_name(f"{target.name}.md")
            self.export(status, target)

    def export(self, status: DocumentStatus, target: Path, *, replace: bool = False) -> None:
        """Export a document to a Markdown file and a folder of images beside it."""
        self._settings.setValue(_KEY, str(target.parent))
        self._messages.withdraw(_NOTICE)
        self._session.request(
            *("export_markdown", status.document_id, str(target), replace),
            on_result=self._on_exported,
            on_failure=partial(self._on_failed, status, target),
        )

    def _on_exported(self, report: ExportReport) -> None:
        file = Path(report.file)
        images = {0: "", 1: " with 1 image"}.get(report.n_images, f" with {report.n_images} images")
        show = NoticeAction("Show in folder", partial(_open_folder, file.parent))
        if report.missing:
            n_missing = len(report.missing)
            what = "1 image is" if n_missing == 1 else f"{n_missing} images are"
            notice = Notice(
                NoticeLevel.WARNING,
                f"{file.name} was exported{images}; {what} not in the library any more.",
                "Read the document again to draw them, then export it once more.",
                (show,),
                key=_NOTICE,
            )
        else:
            notice = Notice(
                NoticeLevel.INFORMATION,
                f"{file.name} was exported{images}.",
                f"It is in {file.parent}.",
                (show,),
                key=_NOTICE,
                passes=True,
            )
        self._messages.post(notice)

    def _on_failed(self, status: DocumentStatus, target: Path, error: DesktopQaError) -> None:
        if not isinstance(error, AlreadyThereError):
            self._messages.post(Notice.of_error(error, key=_NOTICE))
            return
        replace = NoticeAction("Replace", partial(self.export, status, target, replace=True))
        other = NoticeAction("Another name …", partial(self.choose, status))
        notice = Notice(
            NoticeLevel.WARNING, error.message, error.hint, (replace, other), key=_NOTICE
        )
        self._messages.post(notice)


def _open_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
