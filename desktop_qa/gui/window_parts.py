"""The panels of the window as its form lays them out, the actions of its menus, what it works on.

A feature is given this one object instead of each of the parts that it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.conversations.conversation_tabs import ConversationTabs
from desktop_qa.gui.conversations.thread_view import ThreadRows, ThreadView
from desktop_qa.gui.evidence.evidence_panel import EvidencePanel
from desktop_qa.gui.focus_order import bring_focus
from desktop_qa.gui.history.history_panel import HistoryPanel
from desktop_qa.gui.library.empty_state import EmptyState, StartPage
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.recent import RecentLibraries
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.status_line import StatusLine
from desktop_qa.gui.structure.markdown_panel import MarkdownPanel
from desktop_qa.gui.structure.structure_panel import StructurePanel
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.labels import ElidedLabel, told
from desktop_qa.gui.widgets.messages import MessageArea
from desktop_qa.gui.widgets.panel_tabs import PanelTabs
from desktop_qa.gui.widgets.theme import ThemeKeeper

if TYPE_CHECKING:
    from desktop_qa.core.view import LibraryView
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

Slot = Callable[..., object]
Deed = Slot | tuple[Slot, bool]

DOCUMENTS, STRUCTURE, HISTORY = "documents", "structure", "history"
_SIDE_TIPS = {
    DOCUMENTS: "The documents of the library",
    STRUCTURE: "Chapters, tables and figures of a document (Ctrl+Shift+S)",
    HISTORY: "Earlier questions with their answers (Ctrl+H)",
}

_GOES_ON = "Goes on from: "
_ALONE = "Asked alone, without the questions before it"


class Feature(QObject):
    """A part that works over the whole window: its library, its panels, its messages.

    It may have entries in the menus, by the names of the actions in `ui/main_window.ui` without
    "_action".

    Attributes:
        changed: What can be done may be another; what the session and the viewer tell is known.
    """

    changed = Signal()

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._messages = window.message_area
        self._settings = window.settings
        self._folder = ""

    def actions(self) -> dict[str, Deed]:
        """Return what each of its actions does; in a pair with whether it can be done now."""
        return {}

    def _is_another(self, view: LibraryView) -> bool:
        """Tell whether a library that was opened is another than the feature worked on before."""
        before, self._folder = self._folder, view.folder
        return self._folder != before


class DocumentPane(QStackedWidget):
    """Two panels in one place; the text's is made when it is first wanted.

    Attributes:
        markdown_made: With the `MarkdownPanel`, once.
    """

    markdown_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pdf_panel = told(PdfPanel(), "pdf_panel")
        self._markdown_panel: MarkdownPanel | None = None
        self.addWidget(self.pdf_panel)
        self.pdf_panel.pages_wanted.connect(self.show_pages)

    @property
    def markdown_panel(self) -> MarkdownPanel:
        """The panel of the text."""
        if self._markdown_panel is None:
            self._markdown_panel = told(MarkdownPanel(), "markdown_panel")
            self.addWidget(self._markdown_panel)
            self._markdown_panel.closed.connect(self.show_pages)
            self.markdown_made.emit(self._markdown_panel)
        return self._markdown_panel

    @property
    def shows_markdown(self) -> bool:
        """True while the text is shown."""
        return self._markdown_panel is not None and self.currentWidget() is self._markdown_panel

    def show_pages(self) -> None:
        """Show the pages; who read the text scrolls them by keys at once."""
        focused = QApplication.focusWidget()
        had_focus = self.shows_markdown and focused is not None and self.isAncestorOf(focused)
        self.setCurrentWidget(self.pdf_panel)
        if had_focus:
            self.pdf_panel.view.setFocus()


class SideBar(PanelTabs):
    """Three panels under three tabs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.library_panel = told(LibraryPanel(), "library_panel")
        self.structure_panel = told(StructurePanel(), "structure_panel")
        self.history_panel = told(HistoryPanel(), "history_panel")
        panels = {
            DOCUMENTS: self.library_panel,
            STRUCTURE: self.structure_panel,
            HISTORY: self.history_panel,
        }
        super().__init__(panels, QTabBar(), (10, 8, 10, 0), parent)
        told(self.tabs, "side_tabs", "Documents, structure or history")
        for index, (name, tip) in enumerate(_SIDE_TIPS.items()):
            self.tabs.setTabText(index, name.capitalize())
            self.tabs.setTabToolTip(index, tip)

    @property
    def shows_structure(self) -> bool:
        """True while the structure's tab is open."""
        return self.tab == STRUCTURE

    def _on_tab_changed(self, index: int) -> None:
        had_focus = self._stack.isAncestorOf(QApplication.focusWidget() or self)
        super()._on_tab_changed(index)
        # Not to the first of its controls, where Qt would put it.
        homes = {DOCUMENTS: self.library_panel.tree, HISTORY: self.history_panel.list}
        if had_focus and self.tab in homes:
            homes[self.tab].setFocus()


class FollowUpHint(QWidget):
    """Says it in one quiet line, and has a button for asking alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(100)  # the line does not widen the pane
        self.label = ElidedLabel(Qt.TextElideMode.ElideRight, policy=QSizePolicy.Policy.Ignored)
        self.label.setObjectName("follow_up_label")
        self.button = told(QToolButton(self), "quiet_link")
        put(in_row(self, margins=(2, 0, 0, 4), spacing=8), (self.label, 1), self.button)
        self.hide()

    def show_origin(self, question: str, *, is_alone: bool) -> None:
        """Say what the next question goes on from, or that the user wants it asked alone."""
        question = " ".join(question.split())
        self.label.setText(_ALONE if is_alone else f"{_GOES_ON}{question}")
        self.label.setAccessibleName(self.label.text())
        self.label.setToolTip("" if is_alone else question)
        self.button.setText("Go on from it" if is_alone else "Ask it alone")
        tip = (
            "Let the next question go on from the answer shown"
            if is_alone
            else "Ask the next question as it is typed, without the ones before it"
        )
        self.button.setToolTip(tip)
        self.setVisible(bool(question))


_PROMOTED = {
    made.__name__: made
    for made in (
        *(MessageArea, EmptyState, StartPage, SideBar, AnswerPanel, EvidencePanel, AskBox),
        *(ConversationTabs, ThreadRows, FollowUpHint, DocumentPane, StatusLine),
    )
}


class WindowParts(QMainWindow):
    """The panels by name, which know nothing of each other, and the features that others call."""

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

    def show_tab(self, name: str) -> None:
        """Open a tab of the side bar: "documents", "structure" or "history"."""
        self.show_pane("library")
        self.side_bar.show_tab(name)

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
