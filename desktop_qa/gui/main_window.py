"""The window: library, answer and document side by side, one quiet line below.

The widgets know nothing of each other. This module builds them from `ui/main_window.ui`, connects
them to the session and to each other, and remembers how the user arranged them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Signal
from PySide6.QtGui import QAction, QCloseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus, IngestProgress, IngestReport
from desktop_qa.core.view import EvidenceView, LibraryView
from desktop_qa.gui.answer_panel import AnswerPanel
from desktop_qa.gui.arrangement import Arrangement
from desktop_qa.gui.ask_box import AskBox
from desktop_qa.gui.available_actions import update_actions
from desktop_qa.gui.citation_link import CitationLink
from desktop_qa.gui.comparison_export import TableExport
from desktop_qa.gui.document_link import DocumentLink
from desktop_qa.gui.document_pane import DocumentPane
from desktop_qa.gui.drops import DropTarget
from desktop_qa.gui.empty_state import EmptyState, StartPage
from desktop_qa.gui.evidence_panel import EvidencePanel
from desktop_qa.gui.export_action import ExportAction
from desktop_qa.gui.export_answer import AnswerExport
from desktop_qa.gui.forms import child, load_form
from desktop_qa.gui.history_link import HistoryLink
from desktop_qa.gui.library_actions import LibraryActions
from desktop_qa.gui.library_compare import LibraryCompare
from desktop_qa.gui.messages import MessageArea, Notice, NoticeLevel
from desktop_qa.gui.question_link import QuestionLink
from desktop_qa.gui.recent import RecentLibraries, library_name
from desktop_qa.gui.scope_link import ScopeLink
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.side_bar import SideBar
from desktop_qa.gui.stale_offer import StaleOffer
from desktop_qa.gui.status_line import StatusLine, summary_text
from desktop_qa.gui.theme import Theme, ThemeKeeper

_PROMOTED: dict[str, type[QWidget]] = {
    "MessageArea": MessageArea,
    "EmptyState": EmptyState,
    "StartPage": StartPage,
    "SideBar": SideBar,
    "AnswerPanel": AnswerPanel,
    "EvidencePanel": EvidencePanel,
    "AskBox": AskBox,
    "DocumentPane": DocumentPane,
    "StatusLine": StatusLine,
}


class MainWindow(QMainWindow):
    """All panes of one library.

    Attributes:
        first_painted: Once, when the window is on screen: time to start the heavy work.
        closed: The user closed the window.
    """

    first_painted = Signal()
    closed = Signal()

    def __init__(self, session: LibrarySession, keeper: ThemeKeeper, settings: QSettings) -> None:
        super().__init__()
        load_form("main_window.ui", self, _PROMOTED)
        self.session = session
        self._keeper = keeper
        self._was_painted = False
        self.message_area = child(self, MessageArea, "message_area")
        self.stack = child(self, QStackedWidget, "stack")
        self.empty_state = child(self, EmptyState, "empty_page")
        self.splitter = child(self, QSplitter, "splitter")
        self.side_bar = child(self, SideBar, "side_bar")
        self.library_panel = self.side_bar.library_panel
        self.answer_scroll = child(self, QScrollArea, "answer_scroll")
        self.start_page = child(self, StartPage, "start_page")
        self.answer_panel = child(self, AnswerPanel, "answer_panel")
        self.evidence_panel = child(self, EvidencePanel, "evidence_panel")
        self.ask_box = child(self, AskBox, "ask_box")
        self.document_pane = child(self, DocumentPane, "document_pane")
        self.pdf_panel = self.document_pane.pdf_panel
        self.status_line = child(self, StatusLine, "status_line")
        self.recent = RecentLibraries(settings)
        self.libraries = LibraryActions(self, session, self.recent, self.message_area)
        self.drops = DropTarget(self)
        self.citations = CitationLink(
            self.answer_panel, self.evidence_panel, self.pdf_panel, self.answer_scroll
        )
        self.questions = QuestionLink(
            session,
            self.ask_box,
            self.start_page,
            self.answer_panel,
            self.evidence_panel,
            self.citations,
            self.answer_scroll,
        )
        self.scopes = ScopeLink(session, self.ask_box, self.library_panel, settings)
        self.documents = DocumentLink(session, self.side_bar, self.document_pane, self.citations)
        self.comparisons = LibraryCompare(
            session, self.library_panel, self.action("compare"), self.message_area
        )
        self.exports = ExportAction(self, session, self.message_area, settings)
        self.tables = TableExport(self, session, self.answer_panel, self.message_area, settings)
        self.history = HistoryLink(
            *(self, session, self.side_bar, self.answer_panel, self.citations),
            AnswerExport(self, session, self.message_area, settings),
            self.message_area,
        )
        self.stale_offer = StaleOffer(session, self.message_area, settings, self)
        panes = {self.action(name): pane for name, pane in self._panes().items()}
        self._arrangement = Arrangement(self, self.splitter, panes, self.side_bar, settings)
        self._connect_session()
        self._connect_panes()
        self._connect_menus()
        self._show_empty_state()
        self._apply_theme(keeper.theme)
        keeper.theme_changed.connect(self._apply_theme)
        self._arrangement.restore()

    # Wiring

    def _connect_session(self) -> None:
        session = self.session
        session.library_opened.connect(self._on_library_opened)
        session.opening_failed.connect(self._on_opening_failed)
        session.statuses_changed.connect(self._on_statuses_changed)
        session.sync_started.connect(self._on_sync_started)
        session.sync_progressed.connect(self._on_sync_progressed)
        session.sync_finished.connect(self._on_sync_finished)
        session.notice_posted.connect(self.message_area.post)

    def _connect_panes(self) -> None:
        self.empty_state.add_folder_clicked.connect(self.libraries.choose_folder)
        self.empty_state.sample_clicked.connect(self.libraries.open_sample)
        self.empty_state.recent_clicked.connect(self.libraries.open_recent)
        self.drops.dropped.connect(self.libraries.take_dropped)
        self.library_panel.document_activated.connect(self._on_document_activated)
        self.scopes.asking_wanted.connect(self._on_focus_ask_triggered)
        self.library_panel.retry_requested.connect(self.session.read_again)
        self.citations.place_shown.connect(self._on_place_shown)
        self.questions.changed.connect(self._update_actions)
        self.evidence_panel.menu_requested.connect(self.documents.show_menu)
        self.documents.document_changed.connect(self._update_actions)
        self.documents.viewer_wanted.connect(partial(self.action("show_viewer").setChecked, True))
        self.documents.side_bar_wanted.connect(
            partial(self.action("show_library").setChecked, True)
        )
        self.documents.export_requested.connect(self.exports.choose)
        self.history.side_bar_wanted.connect(partial(self.action("show_library").setChecked, True))
        self.status_line.pause_clicked.connect(self._on_pause_clicked)
        self.status_line.cancel_clicked.connect(self.session.cancel_sync)
        self.status_line.attention_clicked.connect(self._on_attention_clicked)

    def action(self, name: str) -> QAction:
        """Return an action of the menus by its name in the form, without "_action"."""
        return child(self, QAction, f"{name}_action")

    def _connect_menus(self) -> None:
        libraries = self.libraries
        for name, slot in {
            "add_folder": libraries.choose_folder,
            "add_to_library": libraries.choose_to_add,
            "add_folder_elsewhere": libraries.choose_elsewhere,
            "open_library": libraries.choose_library,
            "locate_folder": libraries.choose_moved,
            "quit": self.close,
            "refresh": self.session.sync,
            "pause": self._on_pause_clicked,
            "cancel": self.session.cancel_sync,
            "show_attention": self._on_attention_clicked,
            "retry_failed": self._on_retry_failed_triggered,
            "read_stale": self.stale_offer.read_again,
            "filter": self._on_filter_triggered,
            "sources": self.scopes.open_sources,
            "structure": self.documents.toggle_structure,
            "markdown": self.documents.show_markdown_at_hand,
            "export": self.documents.export_at_hand,
            "read_again": self.documents.read_again_at_hand,
            "focus_ask": self._on_focus_ask_triggered,
            "stop": self.session.stop_asking,
            "new_conversation": self._on_new_conversation_triggered,
            "choose_scope": self.scopes.choose,
            "ask_everything": self.scopes.ask_everything,
            "previous_answer": self.answer_panel.go_back,
            "next_answer": self.answer_panel.go_forward,
            "copy_answer": self.answer_panel.copy_answer,
            "why": self.answer_panel.why_button.toggle,
            "history": self.history.show,
            "export_answer": lambda: self.history.export_answer(),
            "export_conversation": self.history.export_conversation,
            "shortcuts": self._on_shortcuts_triggered,
            "about": self._on_about_triggered,
        }.items():
            self.action(name).triggered.connect(slot)
        for name, pane in self._panes().items():
            self.action(name).toggled.connect(pane.setVisible)
        self.action("full_screen").toggled.connect(self._on_full_screen_toggled)
        self.recent_menu = child(self, QMenu, "recent_menu")
        self.recent_menu.aboutToShow.connect(self._on_recent_menu_due)
        self._library_menu = QMenu(self)
        self._library_menu.aboutToShow.connect(self._on_library_menu_due)
        self.library_panel.library_button.setMenu(self._library_menu)

    def _panes(self) -> dict[str, QWidget]:
        return {
            "show_library": self.side_bar,
            "show_answer": child(self, QWidget, "answer_pane"),
            "show_viewer": self.document_pane,
        }

    # The library

    def _show_empty_state(self) -> None:
        recent = [(e.name, ", ".join(e.sources) or e.folder) for e in self.recent.entries]
        self.empty_state.show_recent(recent)
        self.stack.setCurrentWidget(self.empty_state)
        self.empty_state.setFocus()
        self._update_actions()

    def show_opening(self, name: str) -> None:
        """Show the panes while the library is being opened."""
        self.library_panel.show_library(name, ())
        self.stack.setCurrentWidget(self.splitter)
        self.status_line.show_idle(f"Opening {name} …", ())
        self._update_actions()
        self.ask_box.setFocus()

    def _on_library_opened(self, view: LibraryView) -> None:
        name = library_name(view.folder, tuple(source.folder for source in view.sources))
        is_another = self.windowFilePath() != view.folder
        if is_another:
            self.setWindowFilePath(view.folder)
            self.answer_panel.clear()
            self.start_page.forget()
            self.pdf_panel.clear()
        self.setWindowTitle(f"{name} – Desktop QA")
        self.library_panel.is_read_only = view.read_only
        self.library_panel.show_library(name, view.statuses)
        self.start_page.show_statuses(view.statuses)
        self.status_line.show_idle(summary_text(view.statuses), view.statuses)
        self.stack.setCurrentWidget(self.splitter)
        self._update_actions()
        if is_another:
            self.ask_box.setFocus()

    def _on_opening_failed(self, _error: DesktopQaError) -> None:
        if self.session.library is None:
            self._show_empty_state()
        self.status_line.show_idle("", self.session.statuses)

    def _on_statuses_changed(
        self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        self.library_panel.update_statuses(changed, removed)
        self.start_page.show_statuses(self.session.statuses)
        self.status_line.show_attention(self.session.statuses)
        if not self.session.is_syncing:
            self.status_line.show_idle(summary_text(self.session.statuses), self.session.statuses)

    def _on_sync_started(self) -> None:
        self.status_line.show_working()
        self._update_actions()

    def _on_sync_progressed(self, progress: IngestProgress) -> None:
        self.status_line.show_progress(progress)
        self._update_actions()

    def _on_sync_finished(self, report: IngestReport | None) -> None:
        statuses = self.session.statuses
        self.status_line.show_idle(summary_text(statuses), statuses)
        self._update_actions()
        if report is not None and not report.documents and not report.cancelled:
            notice = Notice(
                NoticeLevel.WARNING,
                "There are no PDF files in this folder.",
                "Add another folder, or put PDF files there and press F5.",
                key="request",
            )
            self.message_area.post(notice)

    def _on_pause_clicked(self) -> None:
        self.session.pause_or_resume()
        self.status_line.show_paused(self.session.is_paused)
        self._update_actions()

    def _on_attention_clicked(self) -> None:
        self._show_documents()
        self.library_panel.show_attention()

    def _on_retry_failed_triggered(self) -> None:
        failed = [s.document_id for s in self.session.statuses if s.reason]
        if failed:
            self.session.read_again(tuple(failed))

    def _show_documents(self) -> None:
        self.action("show_library").setChecked(True)
        self.side_bar.show_documents()

    def _on_filter_triggered(self) -> None:
        self._show_documents()
        self.library_panel.filter_edit.setFocus()
        self.library_panel.filter_edit.selectAll()

    def _update_actions(self) -> None:
        update_actions(self)

    # Questions

    def _on_focus_ask_triggered(self) -> None:
        self.action("show_answer").setChecked(True)
        self.ask_box.setFocus()

    def _on_new_conversation_triggered(self) -> None:
        self.action("show_answer").setChecked(True)
        self.session.new_conversation()

    # The document beside it

    def _on_place_shown(self, view: EvidenceView) -> None:
        self.action("show_viewer").setChecked(True)
        self.library_panel.select_document(view.document_id)

    def _on_document_activated(self, status: DocumentStatus) -> None:
        self.action("show_viewer").setChecked(True)
        self.pdf_panel.show_document(Path(status.path), Path(status.path).name)

    # Menus

    def _on_recent_menu_due(self) -> None:
        self.libraries.fill_recent_menu(self.recent_menu)

    def _on_library_menu_due(self) -> None:
        self.libraries.fill_recent_menu(self._library_menu)
        self._library_menu.addSeparator()
        for name in ("add_folder", "add_to_library", "refresh"):
            self._library_menu.addAction(self.action(name))

    def _on_full_screen_toggled(self, is_full: bool) -> None:
        if is_full:
            self.showFullScreen()
        else:
            self.showNormal()

    def _on_shortcuts_triggered(self) -> None:
        # Reading versions costs 30 ms that the start of the window need not spend.
        from desktop_qa.gui.about import shortcuts_dialog

        shortcuts_dialog(self.findChildren(QAction), self).show()

    def _on_about_triggered(self) -> None:
        from desktop_qa.gui.about import about_dialog

        about_dialog(self).show()

    # Looks and memory

    def _apply_theme(self, theme: Theme) -> None:
        sizes = self._keeper.sizes
        for part in (self.message_area, self.empty_state, self.start_page, self.ask_box):
            part.apply_theme(theme)
        self.side_bar.apply_theme(theme, sizes)
        self.document_pane.apply_theme(theme, sizes)
        self.answer_panel.apply_theme(theme, sizes)
        self.evidence_panel.apply_theme(theme, sizes)
        self.status_line.apply_theme(theme)
        self.drops.apply_theme(theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell once that the window is on screen."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.first_painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the arrangement; what is being indexed is taken up at the next start."""
        self._arrangement.save()
        super().closeEvent(event)
        self.closed.emit()
