"""Writing a document as Markdown: where to, whether over what is there, and how it went."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePosixPath

from desktop_qa.core.errors import AlreadyThereError, DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import ExportReport
from desktop_qa.export import file_name
from desktop_qa.gui.widgets.file_export import FileExport, with_ending
from desktop_qa.gui.widgets.messages import NoticeAction

_KEY = "export/folder"
_NOTICE = "export"


class ExportAction(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = _KEY
    notice = _NOTICE

    def choose(self, status: DocumentStatus) -> None:
        """Ask for a place and export a document there."""
        name = f"{file_name(PurePosixPath(status.file).stem)}.md"
        target, _ = self.ask("Export Markdown", name, ("Markdown (*.md)",), confirms=False)
        if target is not None:
            self.export(status, with_ending(target, ".md"))

    def export(self, status: DocumentStatus, target: Path, *, replace: bool = False) -> None:
        """Export a document to a Markdown file and a folder of images beside it."""
        self.begin(target)
        self._session.request(
            *("export_markdown", status.document_id, str(target), replace),
            on_result=self._on_exported,
            on_failure=partial(self._on_failed, status, target),
        )

    def _on_exported(self, report: ExportReport) -> None:
        file = Path(report.file)
        images = {0: "", 1: " with 1 image"}.get(report.n_images, f" with {report.n_images} images")
        message, trouble = f"{file.name} was exported{images}.", ""
        if report.missing:
            n_missing = len(report.missing)
            what = "1 image is" if n_missing == 1 else f"{n_missing} images are"
            message = f"{file.name} was exported{images}; {what} not in the library any more."
            trouble = "Read the document again to draw them, then export it once more."
        self.tell_written(file, message, trouble)

    def _on_failed(self, status: DocumentStatus, target: Path, error: DesktopQaError) -> None:
        if isinstance(error, AlreadyThereError):
            self.offer(
                error,
                NoticeAction("Replace", partial(self.export, status, target, replace=True)),
                NoticeAction("Another name …", partial(self.choose, status)),
            )
        else:
            self.tell_failed(error)
