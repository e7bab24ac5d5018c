"""The window: library, answer and document side by side, one quiet line below.

The panels know nothing of each other (`window_parts`); features connect them with the session and
with each other. This module makes them all and joins them with the menus.
"""

from __future__ import annotations

from PySide6.QtCore import QSettings, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from desktop_qa.gui.answers.citation_link import CitationLink
from desktop_qa.gui.arrangement import Arrangement, PaneSwitch
from desktop_qa.gui.asking.question_link import QuestionLink
from desktop_qa.gui.asking.scope_link import HereLink, ScopeLink
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
from desktop_qa.gui.library.reading_link import ReadingLink, StaleOffer
from desktop_qa.gui.look_link import AnswerSize, LookLink
from desktop_qa.gui.marks.mark_link import MarkLink
from desktop_qa.gui.models.models_feature import ModelsFeature
from desktop_qa.gui.notifier import Notifier
from desktop_qa.gui.search.search_link import SearchLink
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.viewer.file_link import FileLink, PrintLink
from desktop_qa.gui.viewer.page_text_link import PageTextLink
from desktop_qa.gui.viewer.viewer_link import PageLink, ViewerLink
from desktop_qa.gui.viewer.viewer_window import TearOff
from desktop_qa.gui.widgets.dialog_parts import child
from desktop_qa.gui.widgets.theme import ThemeKeeper
from desktop_qa.gui.window_parts import Feature, WindowParts


class MainWindow(WindowParts):
    """All panes of one library.

    Attributes:
        first_painted: Once, when the window is on screen: time to start the heavy work.
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
        self.evidence = EvidenceLink(self)
        self.sizes = AnswerSize(self)
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
        session.notice_posted.connect(self.message_area.post)
        self._connect_menus()
        self.library_link.show_nothing()
        self._arrangement.restore()
        self.first_painted.connect(self.tear_off.restore)

    def _connect_menus(self) -> None:
        session, pages = self.session, self.pdf_panel
        for changed in (
            *(session.library_opened, session.library_closed, session.conversations_changed),
            *(session.sync_started, session.sync_progressed, session.sync_finished),
            *(pages.changed, pages.document_shown, pages.document_left),
            *(feature.changed for feature in self.features),
        ):
            changed.connect(self._update_actions)
        for feature in self.features:
            for name, deed in feature.actions().items():
                slot = deed[0] if isinstance(deed, tuple) else deed
                self.action(name).triggered.connect(slot)
        self.care.join_menu(child(self, QMenu, "library_menu"))
        _give_tool_tips(self)
        self.action("quit").triggered.connect(self.close)
        self.menuBar().setCornerWidget(PaneSwitch(self))
        self.action("full_screen").toggled.connect(self._on_full_screen_toggled)

    def _update_actions(self) -> None:
        """Enable the actions that can be done now, and no others."""
        for feature in self.features:
            for name, deed in feature.actions().items():
                if isinstance(deed, tuple):
                    self.action(name).setEnabled(deed[1])
        is_paused = self.session.is_paused
        self.action("watch_folders").setChecked(self.folders.is_watching)
        self.action("pause").setText("&Resume Indexing" if is_paused else "&Pause Indexing")

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


def _give_tool_tips(window: QWidget) -> None:
    """Let every entry of the menus say on hovering what it does and by which key."""
    for menu in window.findChildren(QMenu):
        menu.setToolTipsVisible(True)
    for action in window.findChildren(QAction):
        tip = action.statusTip()
        if tip:
            key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{tip} ({key})" if key else tip)
