"""The file behind the pages: its password, and what becomes of it while it is open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QWindow

from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.viewer.file_reader import FileState, FileWatch
from desktop_qa.gui.viewer.pdf_document import LockedDocumentError, UnreachableFileError
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.window_parts import Feature, WindowParts

_FILE, _VERSION, _TEXT = "file", "version", "text"
_RETRY_MS = 3000
"""A file that could not be read is looked for so often while the panel says so."""


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
        self.watch.watch(None, None)
        self._withdraw_all()
        self._retry_timer.stop()
        path = self._panel.path
        if path is None:
            return
        if isinstance(problem, LockedDocumentError):
            self.password_page.ask(path.name, was_wrong=problem.was_wrong)
            self._panel.stack.setCurrentWidget(self.password_page)
            is_here = self._panel.isAncestorOf(self._panel.focusWidget())
            if problem.was_wrong or is_here or path == self._wanted:
                self.password_page.edit.setFocus()
            self._wanted = None
        elif isinstance(problem, UnreachableFileError):
            self._retry_timer.start()

    def _on_panel_document_left(self) -> None:
        self._retry_timer.stop()
        self._unlocked = None
        self.watch.watch(None, None)
        self._withdraw_all()

    def _withdraw_all(self) -> None:
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
