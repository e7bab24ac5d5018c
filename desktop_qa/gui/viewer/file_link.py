"""The file behind the pages: its password, what becomes of it while it is open, printing it."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, QTimer
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPainter, QTransform, QWindow
from PySide6.QtWidgets import QApplication

from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.viewer.file_reader import FileState, FileWatch
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.pdf_document import (
    LockedDocumentError,
    PdfDocument,
    RenderKey,
    UnreachableFileError,
)
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_FILE, _VERSION, _TEXT = "file", "version", "text"
_RETRY_MS = 3000
"""A file that could not be read is looked for so often while the panel says so."""
_KEY = "print"
MAX_DPI = 600
"""Finer printers get their pages at this: nobody sees more, and each page would take a minute."""
PDF_DPI = 300
_BAND_PIXELS = 300_000
"""Handing a band to the printer takes the GUI thread some 20 ms."""


class FileLink(Feature):
    """Keeps what the viewer shows and the file it came from together, and says when they part."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = window.pdf_panel
        self._document = window.pdf_panel.view.document
        self._is_locating = False
        self._unlocked: Path | None = None
        self._wanted: Path | None = None
        self.notices = window.pdf_panel.notices
        self.password_page = window.pdf_panel.password_page
        self.watch = FileWatch(self)
        self._retry_timer = QTimer(self, interval=_RETRY_MS)
        self._retry_timer.timeout.connect(self._document.reopen)
        window.library_panel.document_activated.connect(self._on_document_activated)
        self._document.opened.connect(self._on_document_opened)
        self._document.failed.connect(self._on_document_failed)
        self._panel.document_left.connect(self._on_panel_document_left)
        self.password_page.password_entered.connect(self._on_password_entered)
        self.watch.state_changed.connect(self._on_watch_state_changed)
        self._session.statuses_changed.connect(lambda *_: self._compare_versions())
        self._session.library_opened.connect(lambda *_: self._compare_versions())
        self._session.sync_finished.connect(self._on_session_sync_finished)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._on_focus_window_changed)

    def _on_document_activated(self, status: DocumentStatus) -> None:
        """Show a file that the user opens by hand; the line for its password has the keyboard."""
        self._window.show_pane("viewer")
        self._wanted = Path(status.path)
        self._panel.show_document(self._wanted)

    def _on_document_opened(self) -> None:
        self._wanted = None
        self._retry_timer.stop()
        self.password_page.forget()
        self.watch.watch(self._document.stamp, self._document.document_id)
        self._compare_versions()
        self._offer_text()

    def _on_document_failed(self, problem: UnreadableDocumentError) -> None:
        self._let_go()
        path = self._panel.path
        if path is None:
            return
        if isinstance(problem, LockedDocumentError):
            self.password_page.ask(path.name, was_wrong=problem.was_wrong)
            self._panel.stack.setCurrentWidget(self.password_page)
            focus = QApplication.focusWidget()
            is_here = focus is not None and self._panel.isAncestorOf(focus)
            if problem.was_wrong or is_here or path == self._wanted:
                self.password_page.edit.setFocus()
            self._wanted = None
        elif isinstance(problem, UnreachableFileError):
            self._retry_timer.start()

    def _on_panel_document_left(self) -> None:
        self._unlocked = None
        self._let_go()

    def _let_go(self) -> None:
        """Watch nothing, and say nothing of a file."""
        self._retry_timer.stop()
        self.watch.watch(None, None)
        for key in (_FILE, _VERSION, _TEXT):
            self.notices.withdraw(key)

    def _on_password_entered(self, password: str) -> None:
        self._unlocked = self._panel.path
        self._document.unlock(password)

    def _offer_text(self) -> None:
        """Ask whether the text of a document that was just unlocked may be searched."""
        path, self._unlocked = self._unlocked, None
        status = self._session.status(self._document.document_id)
        library = self._session.library
        if path is None or status is None or status.is_indexed:
            return
        if library is None or library.read_only:
            return
        self.notices.say(
            "May the text of this document be searched and cited?",
            "The password stays in memory; the text is kept in the library, readable without it.",
            NoticeAction("Index Its Text", lambda: self._index(status)),
            key=_TEXT,
        )

    def _index(self, status: DocumentStatus) -> None:
        # Nobody keeps it but the passwords of the session.
        password = self._document.passwords.get(status.document_id, "")
        self._session.change("unlock", status.document_id, password)

    def _on_focus_window_changed(self, window: QWindow | None) -> None:
        if window is not None and window is self._panel.window().windowHandle():
            self.watch.look()
            if self._retry_timer.isActive():
                self._document.reopen()

    def _on_watch_state_changed(self, state: FileState) -> None:
        self.notices.withdraw(_FILE)
        if state is FileState.CHANGED:
            self.notices.say(
                "This file has changed since it was opened.",
                "You see it as it was.",
                NoticeAction("Show the New Version", self.show_new_version),
                key=_FILE,
            )
        elif state is FileState.GONE:
            known = self._session.status(self._document.document_id) is not None
            actions = (NoticeAction("Locate …", self.locate),) if known else ()
            self.notices.say(
                "This file was moved, renamed or deleted.",
                "You can read on: its pages are in memory until you close it.",
                *actions,
                level=NoticeLevel.WARNING,
                key=_FILE,
            )
        self._compare_versions()

    def show_new_version(self) -> None:
        """Read the file as it is now, at the same place."""
        stamp, view = self._document.stamp, self._panel.view
        if stamp is not None:
            view.open(Path(stamp.path), view.place, view.arrangement)

    def locate(self) -> None:
        """Look for the document in the folders of the library; if it is in none, ask where."""
        self._is_locating = True
        self._session.sync()

    def _on_session_sync_finished(self, _report: object) -> None:
        was_locating, self._is_locating = self._is_locating, False
        if not was_locating or self.watch.state is not FileState.GONE:
            return
        stamp = self._document.stamp
        status = self._session.status(self._document.document_id)
        if status is not None and stamp is not None and status.path != stamp.path:
            self._panel.show_document(Path(status.path))
        else:
            self._window.action("locate_folder").trigger()

    def _compare_versions(self) -> None:
        """Say when the pages are not those that the library has read."""
        self.notices.withdraw(_VERSION)
        stamp, shown = self._document.stamp, self._document.document_id
        if stamp is None or self._session.status(shown) is not None:
            return
        if self.watch.state is FileState.CHANGED:
            return  # the pages are the older ones then, and that is told already
        if self._session.status_of_file(Path(stamp.path)) is None:
            return
        self.notices.say(
            "This file is newer than what was indexed of it.",
            "Citations and marks are of the earlier version: they may stand elsewhere here.",
            NoticeAction("Read the New Version", self._session.sync),
            key=_VERSION,
        )


class PrintLink(Feature):
    """Prints what the panel shows, one document at a time."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = window.pdf_panel
        self._notices = window.pdf_panel.notices
        self._drawing: Generator[RenderKey, QImage | None, bool] | None = None
        self._document: PdfDocument | None = None

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {"print": (self.choose, self._panel.view.n_pages > 0 and not self._panel.message)}

    def choose(self) -> None:
        """Open the print dialog of the system."""
        if self._drawing is not None:
            return
        # Printing support takes 30 ms to load, which the start of the window need not spend.
        from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter

        view, option = self._panel.view, QAbstractPrintDialog.PrintDialogOption
        if not view.n_pages:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._panel.path.stem if self._panel.path is not None else "")
        width, height = view.document.page_sizes[view.current_page - 1]
        # The paper lies as the page does.
        lies = QPageLayout.Orientation
        printer.setPageOrientation(lies.Landscape if width > height else lies.Portrait)
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
        if self._drawing is not None or not view.n_pages:
            return
        pages = pages_to_print(printer, view.n_pages, view.current_page)
        # A document of its own, of the same bytes: the pages on screen are drawn meanwhile.
        self._document = document = PdfDocument(self)
        document.passwords = view.document.passwords
        self._drawing = self._draw(document, printer, pages)
        document.opened.connect(lambda: self._go_on(None))
        document.failed.connect(lambda _problem: self._end(is_done=False))
        document.image_rendered.connect(lambda _key, image: self._go_on(image))
        document.open_same(view.document)

    def _draw(
        self, document: PdfDocument, printer: QPrinter, page_nos: Sequence[int]
    ) -> Generator[RenderKey, QImage | None, bool]:
        """Draw pages band by band, handed each that is yielded; returns whether all are done.

        Closed before, it has the printer stop.
        """
        stamp, painter = document.stamp, QPainter()
        if stamp is None or not painter.begin(printer):
            return False
        try:
            for number, page_no in enumerate(page_nos, start=1):
                cancel = NoticeAction("Cancel Printing", partial(self._end, is_done=False))
                words = f"Printing page {number} of {len(page_nos)} …"
                self._notices.say(words, "", cancel, key=_KEY)
                if number > 1 and not printer.newPage():
                    return False
                size, on_paper = _fitted(document.page_sizes[page_no - 1], painter, printer)
                step = max(_BAND_PIXELS // size.width(), 1)
                for top in range(0, size.height(), step):
                    band = (0, top, size.width(), min(step, size.height() - top))
                    image = yield RenderKey(stamp, page_no - 1, size.width(), size.height(), band)
                    if image is not None and not image.isNull():
                        paper = PageColours.PRINTED.on_paper(image)
                        painter.drawImage(on_paper.mapRect(QRectF(*band)), paper)
        except GeneratorExit:
            printer.abort()
            raise
        finally:
            painter.end()
        return True

    def _go_on(self, image: QImage | None) -> None:
        """Draw the band that was wanted, and want the next."""
        if self._drawing is None or self._document is None:
            return
        try:
            self._document.want([self._drawing.send(image)])
        except StopIteration as end:
            self._end(is_done=end.value)

    def _end(self, *, is_done: bool) -> None:
        # The drawing alone holds the printer: one left to the garbage collector dies at any moment.
        drawing, self._drawing = self._drawing, None
        if drawing is None or self._document is None:
            return
        drawing.close()
        self._document.close()
        self._document.deleteLater()
        self._notices.withdraw(_KEY)
        if is_done:
            self._notices.say("The pages went to the printer.", key=_KEY, passes=True)
        else:
            self._notices.say(
                "Printing was stopped.",
                "What had gone to the printer before is printed.",
                level=NoticeLevel.WARNING,
                key=_KEY,
                passes=True,
            )


def _fitted(
    page: tuple[float, float], painter: QPainter, printer: QPrinter
) -> tuple[QSize, QTransform]:
    """Fit a page into what a printer can reach, turned as the paper lies.

    Returns:
        The size in which it is drawn, and the way from there onto the paper.
    """
    width, height = page
    room, dots = QRectF(painter.viewport()), float(printer.resolution())
    # As large as on paper, unless it does not fit.
    scale = min(room.width() / width, room.height() / height, dots / 72)
    target = QRectF(0, 0, width * scale, height * scale)
    target.moveCenter(room.center())
    finest = min(dots, PDF_DPI if printer.outputFileName() else MAX_DPI)
    shrink = min(finest / dots, 1.0)
    size = QSize(max(round(target.width() * shrink), 1), max(round(target.height() * shrink), 1))
    on_paper = QTransform.fromTranslate(target.left(), target.top())
    return size, on_paper.scale(target.width() / size.width(), target.height() / size.height())


def pages_to_print(printer: QPrinter, n_pages: int, current_page: int) -> list[int]:
    """Return the 1-based numbers that were chosen in the print dialog, in the order of printing."""
    from PySide6.QtPrintSupport import QPrinter

    kind = printer.printRange()
    if kind is QPrinter.PrintRange.CurrentPage:
        return [current_page]
    pages = list(range(1, n_pages + 1))
    if kind is QPrinter.PrintRange.PageRange:
        pages = [page for page in pages if printer.pageRanges().contains(page)] or pages
    if printer.pageOrder() is QPrinter.PageOrder.LastPageFirst:
        pages.reverse()
    return pages
