"""Printing the document that is shown: the dialog of the system, then pages in the background."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.print_job import PrintJob, pages_to_print, suit_orientation
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeAction, NoticeLevel

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_KEY = "print"


class PrintLink(QObject):
    """Prints what the panel shows, one document at a time."""

    def __init__(self, panel: PdfPanel, notices: MessageArea) -> None:
        super().__init__(panel)
        self._panel = panel
        self._notices = notices
        self._job: PrintJob | None = None
        self._printer: QPrinter | None = None

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {"print": self.choose}

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        return {"print": self._panel.view.n_pages > 0 and not self._panel.message}

    def choose(self) -> None:
        """Open the print dialog of the system."""
        if self._job is not None:
            return
        # Printing support takes 30 ms to load, which the start of the window need not spend.
        from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter

        view, option = self._panel.view, QAbstractPrintDialog.PrintDialogOption
        if not view.n_pages:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._panel.path.stem if self._panel.path is not None else "")
        suit_orientation(printer, view.document.page_sizes[view.current_page - 1])
        dialog = QPrintDialog(printer, self._panel.window())
        dialog.setWindowTitle("Print")
        dialog.setOption(option.PrintPageRange, True)
        dialog.setOption(option.PrintCurrentPage, True)
        dialog.setMinMax(1, view.n_pages)
        dialog.setFromTo(1, view.n_pages)
        dialog.accepted.connect(lambda: self.print_on(printer))
        dialog.finished.connect(dialog.deleteLater)
        dialog.setModal(True)
        if sys.platform in ("win32", "darwin"):
            # The dialogs of these systems know no other way.
            dialog.exec()
        else:
            dialog.show()

    def print_on(self, printer: QPrinter) -> None:
        """Print what was chosen on a printer; the window goes on meanwhile."""
        view = self._panel.view
        if self._job is not None or not view.n_pages:
            return
        pages = pages_to_print(printer, view.n_pages, view.current_page)
        # The job does not own the printer, which must outlive it.
        self._printer = printer
        self._job = PrintJob(view.document, printer, pages, self)
        self._job.progressed.connect(self._on_job_progressed)
        self._job.finished.connect(self._on_job_finished)
        self._job.start()

    def _on_job_progressed(self, n_done: int, n_pages: int) -> None:
        if self._job is not None and n_done < n_pages:
            self._notices.post(
                Notice(
                    NoticeLevel.INFORMATION,
                    f"Printing page {n_done + 1} of {n_pages} …",
                    actions=(NoticeAction("Cancel Printing", self._job.cancel),),
                    key=_KEY,
                )
            )

    def _on_job_finished(self, is_done: bool) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.deleteLater()
        # Its painter has ended; a printer left to the garbage collector dies at any moment.
        self._printer = None
        self._notices.withdraw(_KEY)
        if is_done:
            notice = Notice(
                NoticeLevel.INFORMATION, "The pages went to the printer.", key=_KEY, passes=True
            )
        else:
            notice = Notice(
                NoticeLevel.WARNING,
                "Printing was stopped.",
                "What had gone to the printer before is printed.",
                key=_KEY,
                passes=True,
            )
        self._notices.post(notice)
