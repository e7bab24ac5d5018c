"""The library's way through the window: opened, brought up to date, looked after."""

from __future__ import annotations

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.file_kinds import not_read_text
from desktop_qa.core.progress import DocumentStatus, IngestReport
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.focus_order import bring_focus
from desktop_qa.gui.library.recent import RecentLibrary
from desktop_qa.gui.widgets.messages import NoticeLevel
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts


class LibraryLink(Feature):
    """Shows what the session tells of the library: in list, status line, title, or by no panes."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = self._session
        self._panel = window.library_panel
        self._start_page = window.start_page
        line = self._status_line = window.status_line
        empty = window.empty_state
        for button in (empty.add_button, empty.sample_button):
            button.clicked.connect(self._on_begun)
        empty.recent_clicked.connect(self._on_begun)
        session.opening_failed.connect(self._on_opening_failed)
        session.library_opened.connect(self._on_library_opened)
        session.library_closed.connect(self._on_library_closed)
        session.statuses_changed.connect(self._on_statuses_changed)
        session.sync_started.connect(self._on_sync_started)
        session.sync_progressed.connect(self._status_line.show_progress)
        session.sync_finished.connect(self._on_sync_finished)
        self._panel.retry_button.clicked.connect(self._on_retry_clicked)
        line.pause_button.clicked.connect(self.pause_or_resume)
        line.cancel_button.clicked.connect(session.cancel_sync)
        line.attention_button.clicked.connect(self.show_attention)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        session = self._session
        is_open = session.library is not None
        return {
            "refresh": (session.sync, session.can_write),
            "pause": (self.pause_or_resume, session.is_syncing),
            "cancel": (session.cancel_sync, session.is_syncing),
            "show_attention": (self.show_attention, is_open),
            "retry_failed": (self.retry_failed, session.can_write),
            "filter": (self.focus_filter, is_open),
        }

    def show_nothing(self) -> None:
        """Show how to begin, in place of the panes."""
        page, entries = self._window.empty_state, self._window.recent.entries
        page.show_recent([(one.name, ", ".join(one.sources) or one.folder) for one in entries])
        self._window.stack.setCurrentWidget(page)
        page.setFocus()
        self.changed.emit()

    def show_opening(self, name: str) -> None:
        """Show the panes while a library is being opened."""
        self._panel.show_library(name, ())
        self._status_line.show_idle((), f"Opening {name} …")
        self._show_panes()
        self.changed.emit()

    def _show_panes(self) -> None:
        self._window.stack.setCurrentWidget(self._window.splitter)
        self._window.ask_box.setFocus()

    def _on_begun(self) -> None:
        """Leave the empty state at once: making a library ready may take seconds."""
        if self._session.is_opening:
            self.show_opening("the library")

    def _on_opening_failed(self, _error: DesktopQaError) -> None:
        if self._session.library is None:
            self.show_nothing()
        self._status_line.show_idle(self._session.statuses)

    def _on_library_closed(self) -> None:
        self._folder = ""
        self._window.setWindowTitle("Desktop QA")
        self._window.setWindowFilePath("")
        self._panel.show_library("", ())
        self._status_line.show_idle(())
        self._window.answer_panel.clear()
        self._window.pdf_panel.clear()
        self.show_nothing()

    def _on_library_opened(self, view: LibraryView) -> None:
        name = RecentLibrary.of(view).name
        is_another = self._is_another(view)
        self._panel.show_library(name, view.statuses)
        self._show_start()
        self._status_line.show_idle(view.statuses)
        self._window.setWindowTitle(f"{name} – Desktop QA")
        if is_another:
            self._window.setWindowFilePath(view.folder)
            self._window.answer_panel.forget()
            self._window.pdf_panel.clear()
            self._show_panes()

    def _on_statuses_changed(
        self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        statuses = self._session.statuses
        self._panel.update_statuses(changed, removed)
        self._show_start()
        self._status_line.show_attention(statuses)
        if not self._session.is_syncing:
            self._status_line.show_idle(statuses)

    def _show_start(self) -> None:
        session = self._session
        self._start_page.show_statuses(session.statuses, is_reading=session.is_syncing)

    def _on_sync_started(self) -> None:
        self._show_start()
        self._status_line.show_working()

    def _on_sync_finished(self, report: IngestReport | None) -> None:
        self._show_start()
        self._status_line.show_idle(self._session.statuses)
        library = self._session.library
        if report is None or report.cancelled or library is None or not library.sources:
            return
        if not report.documents and not report.failed:
            others = not_read_text(report.not_read)
            self._messages.say(
                "There are no PDF files in this folder.",
                f"{others} Add another folder, or put PDF files there and press F5.".strip(),
                level=NoticeLevel.WARNING,
                key="request",
            )

    def pause_or_resume(self) -> None:
        """Hold the indexing, or let it go on."""
        self._session.pause_or_resume()
        self._status_line.show_paused(self._session.is_paused)
        self.changed.emit()

    def show_attention(self) -> None:
        """List the documents that need attention."""
        self._window.show_tab("documents")
        self._panel.show_attention()

    def retry_failed(self) -> None:
        """Read once more what could not be read."""
        failed = tuple(s.document_id for s in self._session.statuses if s.reason)
        if failed:
            self._session.read_again(failed)

    def _on_retry_clicked(self) -> None:
        status = self._panel.current_status
        if status is not None:
            self._session.read_again((status.document_id,))

    def focus_filter(self) -> None:
        """Go to the box that filters the documents."""
        self._window.show_tab("documents")
        bring_focus(self._panel.filter_edit)
        self._panel.filter_edit.selectAll()
