"""The panels of the window as its form lays them out, the actions of its menus, what it works on.

A feature is given this one object instead of each of the parts that it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QScrollArea, QSplitter, QStackedWidget, QWidget

from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.asking.follow_up_hint import FollowUpHint
from desktop_qa.gui.conversations.conversation_tabs import ConversationTabs
from desktop_qa.gui.conversations.thread_view import ThreadRows, ThreadView
from desktop_qa.gui.document_pane import DocumentPane
from desktop_qa.gui.evidence.evidence_panel import EvidencePanel
from desktop_qa.gui.focus_order import bring_focus
from desktop_qa.gui.library.empty_state import EmptyState, StartPage
from desktop_qa.gui.library.recent import RecentLibraries
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.side_bar import SideBar
from desktop_qa.gui.status_line import StatusLine
from desktop_qa.gui.widgets.forms import child, load_form
from desktop_qa.gui.widgets.messages import MessageArea
from desktop_qa.gui.widgets.theme import ThemeKeeper

if TYPE_CHECKING:
    from desktop_qa.gui.answers.citation_link import CitationLink
    from desktop_qa.gui.asking.question_link import QuestionLink
    from desktop_qa.gui.asking.scope_link import ScopeLink
    from desktop_qa.gui.document_link import DocumentLink
    from desktop_qa.gui.instance_link import InstanceLink
    from desktop_qa.gui.library.library_actions import LibraryActions
    from desktop_qa.gui.library.library_care import LibraryCare
    from desktop_qa.gui.library.reading_link import ReadingLink
    from desktop_qa.gui.marks.mark_link import MarkLink
    from desktop_qa.gui.models.models_feature import ModelsFeature
    from desktop_qa.gui.search.search_link import SearchLink

_PROMOTED: dict[str, type[QWidget]] = {
    "MessageArea": MessageArea,
    "EmptyState": EmptyState,
    "StartPage": StartPage,
    "SideBar": SideBar,
    "AnswerPanel": AnswerPanel,
    "EvidencePanel": EvidencePanel,
    "AskBox": AskBox,
    "ConversationTabs": ConversationTabs,
    "ThreadRows": ThreadRows,
    "FollowUpHint": FollowUpHint,
    "DocumentPane": DocumentPane,
    "StatusLine": StatusLine,
}


class WindowParts(QMainWindow):
    """The panels by name, which know nothing of each other, and the features that others call.

    Attributes:
        session: The library that is open.
        keeper: Of the theme and the sizes of the text.
        settings: What is kept from one start to the next.
    """

    care: LibraryCare
    citations: CitationLink
    documents: DocumentLink
    instances: InstanceLink
    libraries: LibraryActions
    marks: MarkLink
    models: ModelsFeature
    questions: QuestionLink
    readings: ReadingLink
    scopes: ScopeLink
    searches: SearchLink

    def __init__(self, session: LibrarySession, keeper: ThemeKeeper, settings: QSettings) -> None:
        super().__init__()
        self.session = session
        self.keeper = keeper
        self.settings = settings
        self.recent = RecentLibraries(settings)
        load_form("main_window.ui", self, _PROMOTED)
        self.message_area = child(self, MessageArea, "message_area")
        self.stack = child(self, QStackedWidget, "stack")
        self.empty_state = child(self, EmptyState, "empty_page")
        self.splitter = child(self, QSplitter, "splitter")
        self.side_bar = child(self, SideBar, "side_bar")
        self.library_panel = self.side_bar.library_panel
        self.answer_scroll = child(self, QScrollArea, "answer_scroll")
        self.start_page = child(self, StartPage, "start_page")
        self.answer_panel = child(self, AnswerPanel, "answer_panel")
        self.thread_view = ThreadView(
            self.answer_scroll,
            self.answer_panel.parts,
            child(self, ThreadRows, "earlier_rows"),
            child(self, ThreadRows, "later_rows"),
        )
        self.evidence_panel = child(self, EvidencePanel, "evidence_panel")
        self.conversation_tabs = child(self, ConversationTabs, "conversation_tabs")
        self.follow_up_hint = child(self, FollowUpHint, "follow_up_hint")
        self.ask_box = child(self, AskBox, "ask_box")
        self.document_pane = child(self, DocumentPane, "document_pane")
        self.pdf_panel = self.document_pane.pdf_panel
        self.status_line = child(self, StatusLine, "status_line")
        self.answer_pane = child(self, QWidget, "answer_pane")
        self._actions: dict[str, QAction] = {}

    def action(self, name: str) -> QAction:
        """Return an action of the menus by its name in the form, without "_action"."""
        # Looked for once: which can be done is asked for all of them again and again.
        if name not in self._actions:
            self._actions[name] = child(self, QAction, f"{name}_action")
        return self._actions[name]

    def show_pane(self, name: str) -> None:
        """Bring a pane into the window: "library", "answer" or "viewer" has something to show."""
        self.action(f"show_{name}").setChecked(True)

    def focus_box(self) -> None:
        """Go to the box for questions."""
        self.show_pane("answer")
        bring_focus(self.ask_box)

    def panes(self) -> dict[str, QWidget]:
        """Return the panes by the actions that show them, the most wanted one first."""
        return {
            "show_answer": self.answer_pane,
            "show_viewer": self.document_pane,
            "show_library": self.side_bar,
        }
