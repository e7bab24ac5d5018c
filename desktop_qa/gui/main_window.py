"""The window: library, answer and document side by side, one quiet line below.

The widgets know nothing of each other. This module builds them from `ui/main_window.ui`, connects
them to the session and to each other, and remembers how the user arranged them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QMenu

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.answers.citation_link import CitationLink
from desktop_qa.gui.arrangement import Arrangement, PaneSwitch
from desktop_qa.gui.asking.here_link import HereLink
from desktop_qa.gui.asking.question_link import QuestionLink
from desktop_qa.gui.asking.scope_link import ScopeLink
from desktop_qa.gui.asking.suggestion_link import SuggestionLink
from desktop_qa.gui.conversations.conversation_link import ConversationLink
from desktop_qa.gui.document_link import DocumentLink
from desktop_qa.gui.evidence.evidence_link import EvidenceLink
from desktop_qa.gui.focus_order import move_focus
from desktop_qa.gui.help.help_link import HelpLink
from desktop_qa.gui.history.history_link import HistoryLink
from desktop_qa.gui.instance_link import InstanceLink
from desktop_qa.gui.libraries.folders_link import FoldersLink
from desktop_qa.gui.libraries.libraries_link import LibrariesLink
from desktop_qa.gui.library.drops import DropLink
from desktop_qa.gui.library.library_actions import LibraryActions
from desktop_qa.gui.library.library_care import LibraryCare
from desktop_qa.gui.library.library_link import LibraryLink
from desktop_qa.gui.library.reading_link import ReadingLink
from desktop_qa.gui.library.scope_model import document_entry
from desktop_qa.gui.library.stale_offer import StaleOffer
from desktop_qa.gui.look_link import LookLink
from desktop_qa.gui.marks.mark_link import MarkLink
from desktop_qa.gui.menu_link import (
    Feature,
    connect_actions,
    connect_signals,
    give_tool_tips,
    update_available,
)
from desktop_qa.gui.models.models_feature import ModelsFeature
from desktop_qa.gui.notifier import Notifier
from desktop_qa.gui.search.search_link import SearchLink
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.viewer.file_link import FileLink
from desktop_qa.gui.viewer.page_link import PageLink
from desktop_qa.gui.viewer.page_text_link import PageTextLink
from desktop_qa.gui.viewer.print_link import PrintLink
from desktop_qa.gui.viewer.viewer_link import ViewerLink
from desktop_qa.gui.viewer.viewer_window import TearOff
from desktop_qa.gui.widgets.announcement import announce, spoken_answer
from desktop_qa.gui.widgets.forms import child
from desktop_qa.gui.widgets.theme import ThemeKeeper
from desktop_qa.gui.window_parts import WindowParts


class MainWindow(WindowParts):
    """All panes of one library.

    Attributes:
        features: All parts that work over the whole window.
        first_painted: Once, when the window is on screen: time to start the heavy work.
        closed: The user closed the window.
    """

    first_painted = Signal()
    closed = Signal()

    def __init__(self, session: LibrarySession, keeper: ThemeKeeper, settings: QSettings) -> None:
        super().__init__(session, keeper, settings)
        self._was_painted = False
        self.libraries = LibraryActions(self)
        self.whole_libraries = LibrariesLink(self)
        self.folders = FoldersLink(self)
        self.drops = DropLink(self)
        self.citations = CitationLink(self)
        self.questions = QuestionLink(self)
        self.models = ModelsFeature(self)
        self.library_link = LibraryLink(self)
        self.readings = ReadingLink(self)
        self.care = LibraryCare(self)
        self.scopes = ScopeLink(self)
        self.conversations = ConversationLink(self)
        self.suggestions = SuggestionLink(self)
        self.here = HereLink(self)
        self.searches = SearchLink(self)
        self.documents = DocumentLink(self)
        self.page_texts = PageTextLink(self)
        self.history = HistoryLink(self)
        self.viewer = ViewerLink(self)
        self.tear_off = TearOff(self)
        self.marks = MarkLink(self)
        self.evidence_panel.reports = self.marks.reports
        self.answer_panel.follow_reports(self.marks.reports)
        self.page_texts.wrong_cell_found.connect(self.marks.ask_report)
        self.evidence = EvidenceLink(self)
        self.stale_offer = StaleOffer(self)
        self.pages = PageLink(self)
        self.files = FileLink(self)
        self.printing = PrintLink(self)
        self.help = HelpLink(self)
        self.instances = InstanceLink(self)
        self.notifier = Notifier(self)
        self.looks = LookLink(self)
        self._arrangement = Arrangement(self)
        self.features = self.findChildren(Feature)
        self._connect_session()
        self._connect_panes()
        self._connect_menus()
        self._show_empty_state()
        self._arrangement.restore()
        self.first_painted.connect(self.tear_off.restore)

    # Wiring

    def _connect_session(self) -> None:
        session, link = self.session, self.library_link
        session.opening_failed.connect(self._on_opening_failed)
        session.library_closed.connect(self._on_library_closed)
        session.notice_posted.connect(self.message_area.post)
        session.question_answered.connect(
            lambda view: announce(self.answer_panel, spoken_answer(view.answer))
        )
        link.renamed.connect(lambda name: self.setWindowTitle(f"{name} – Desktop QA"))
        link.another_opened.connect(self._on_another_opened)
        self.library_panel.document_activated.connect(self._on_file_wanted)

    def _connect_panes(self) -> None:
        self.whole_libraries.switcher_wanted.connect(self._on_switcher_wanted)
        self.empty_state.add_folder_clicked.connect(self.libraries.choose_folder)
        self.empty_state.sample_clicked.connect(self.libraries.open_sample)
        self.empty_state.recent_clicked.connect(self.libraries.open_recent)
        for begun in ("add_folder_clicked", "sample_clicked", "recent_clicked"):
            getattr(self.empty_state, begun).connect(self._on_begun)
        self.scopes.asking_wanted.connect(self.questions.focus_box)
        self.citations.place_shown.connect(self._on_place_shown)
        self.here.asking_wanted.connect(self.questions.focus_box)
        self.page_texts.search_requested.connect(self.searches.search_for)
        self.page_texts.ask_requested.connect(self._on_passage_asked_about)
        connect_signals(self.features, self._update_actions)

    def _connect_menus(self) -> None:
        self.care.join_menu(child(self, QMenu, "library_menu"))
        connect_actions(self.features, self.action)
        give_tool_tips(self)
        self.action("quit").triggered.connect(self.close)
        self.menuBar().setCornerWidget(PaneSwitch(self))
        self.action("full_screen").toggled.connect(self._on_full_screen_toggled)
        self.recent_menu = child(self, QMenu, "recent_menu")
        self.recent_menu.aboutToShow.connect(
            partial(self.libraries.fill_recent_menu, self.recent_menu)
        )
        self._library_menu = QMenu(self)
        self._library_menu.aboutToShow.connect(self._on_library_menu_due)
        self.library_panel.library_button.setMenu(self._library_menu)

    def _update_actions(self) -> None:
        update_available(self.features, self.action)
        is_paused = self.session.is_paused
        self.action("watch_folders").setChecked(self.folders.is_watching)
        self.action("pause").setText("&Resume Indexing" if is_paused else "&Pause Indexing")

    # The library

    def _show_empty_state(self) -> None:
        recent = [(e.name, ", ".join(e.sources) or e.folder) for e in self.recent.entries]
        self.empty_state.show_recent(recent)
        self.stack.setCurrentWidget(self.empty_state)
        self.empty_state.setFocus()
        self._update_actions()

    def show_opening(self, name: str) -> None:
        """Show the panes while the library is being opened."""
        self.library_link.show_opening(name)
        self.stack.setCurrentWidget(self.splitter)
        self._update_actions()
        self.ask_box.setFocus()

    def _on_begun(self, _index: int = 0) -> None:
        """Leave the empty state at once: making a library ready may take seconds."""
        if self.session.is_opening:
            self.show_opening("the library")

    def _on_another_opened(self) -> None:
        if self.session.library is not None:
            self.setWindowFilePath(self.session.library.folder)
        self.answer_panel.forget()
        self.pdf_panel.clear()
        self.stack.setCurrentWidget(self.splitter)
        self.ask_box.setFocus()

    def _on_opening_failed(self, _error: DesktopQaError) -> None:
        if self.session.library is None:
            self._show_empty_state()
        self.library_link.show_not_opened()

    def _on_library_closed(self) -> None:
        self.setWindowTitle("Desktop QA")
        self.setWindowFilePath("")
        self.library_link.show_closed()
        self.answer_panel.clear()
        self.pdf_panel.clear()
        self._show_empty_state()

    def _on_switcher_wanted(self) -> None:
        self.show_pane("library")
        self.side_bar.show_tab("documents")
        self.library_panel.library_button.showMenu()

    # The document beside it

    def _on_place_shown(self, view: EvidenceView) -> None:
        # Where one pane has room, an answer stays that comes to who has just asked.
        answer, viewer = self.action("show_answer"), self.action("show_viewer")
        has_asked = self.ask_box.isAncestorOf(self.focusWidget() or self)
        if not has_asked or self._arrangement.has_room_beside(viewer, answer):
            viewer.setChecked(True)
        self.library_panel.select_document(view.document_id)

    def _on_passage_asked_about(self, text: str, path: Path) -> None:
        """Put a passage into the box, limited to its document, ready to be completed."""
        status = next((one for one in self.session.statuses if Path(one.path) == path), None)
        if status is not None:
            self.ask_box.scope_bar.set_entries((document_entry(status),))
        self.questions.focus_box()
        self.ask_box.set_question(f"“{text}” ")

    def _on_file_wanted(self, status: DocumentStatus) -> None:
        self.show_pane("viewer")
        path = Path(status.path)
        self.files.expect(path)
        self.pdf_panel.show_document(path)

    # Menus

    def _on_library_menu_due(self) -> None:
        self.libraries.fill_recent_menu(self._library_menu)
        self._library_menu.addSeparator()
        for name in ("new_library", "libraries", "folders", "refresh"):
            self._library_menu.addAction(self.action(name))

    def _on_full_screen_toggled(self, is_full: bool) -> None:
        if is_full:
            self.showFullScreen()
        else:
            self.showNormal()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go through the window in reading order."""
        return move_focus(self, forward=forward)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell once that the window is on screen."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.first_painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the arrangement; what is being indexed is taken up at the next start."""
        self.folders.finish_removals()
        self.pdf_panel.mark_editor.flush()
        self.viewer.save()
        self.tear_off.save()
        self._arrangement.save()
        self.conversations.keep()
        super().closeEvent(event)
        self.hide()  # before anything is waited for
        self.closed.emit()
