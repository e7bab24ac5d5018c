"""The left side of the window: the library, the structure of a document, earlier questions."""

from __future__ import annotations

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import (
    QApplication,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from desktop_qa.gui.history.history_panel import HistoryPanel
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.structure.structure_panel import StructurePanel
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row

_KEY = "window/side_bar"
_STRUCTURE = "structure"
_DOCUMENTS = "documents"
_HISTORY = "history"
_TABS = (_DOCUMENTS, _STRUCTURE, _HISTORY)


class SideBar(QWidget):
    """Three panels under three tabs.

    Attributes:
        structure_shown: The tab with the structure was opened, or left (False).
    """

    structure_shown = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.library_panel = LibraryPanel()
        self.library_panel.setObjectName("library_panel")
        self.structure_panel = StructurePanel()
        self.structure_panel.setObjectName("structure_panel")
        self.history_panel = HistoryPanel()
        self.history_panel.setObjectName("history_panel")
        self.tabs = QTabBar()
        self.tabs.setObjectName("side_tabs")
        self.tabs.setAccessibleName("Documents, structure or history")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.addTab("Documents")
        self.tabs.addTab("Structure")
        self.tabs.addTab("History")
        self.tabs.setTabToolTip(0, "The documents of the library")
        self.tabs.setTabToolTip(1, "Chapters, tables and figures of a document (Ctrl+Shift+S)")
        self.tabs.setTabToolTip(2, "Earlier questions with their answers (Ctrl+H)")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.library_panel)
        self._stack.addWidget(self.structure_panel)
        self._stack.addWidget(self.history_panel)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        line = in_row(margins=(10, 8, 10, 0), inside=column)
        line.addWidget(self.tabs, 1)
        column.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)

    @property
    def shows_structure(self) -> bool:
        """True while the structure's tab is open."""
        return self.tabs.currentIndex() == 1

    def show_documents(self) -> None:
        """Open the tab with the documents."""
        self.tabs.setCurrentIndex(0)

    def show_structure(self) -> None:
        """Open the tab with the structure."""
        self.tabs.setCurrentIndex(1)

    def show_history(self) -> None:
        """Open the tab with earlier questions."""
        self.tabs.setCurrentIndex(2)

    def _on_tab_changed(self, index: int) -> None:
        had_focus = self._stack.isAncestorOf(QApplication.focusWidget() or self)
        self._stack.setCurrentIndex(index)
        if had_focus and index == 0:
            # Not to the first of its controls, where Qt would put it.
            self.library_panel.tree.setFocus()
        elif had_focus and index == 2:
            self.history_panel.list.setFocus()
        self.structure_shown.emit(index == 1)

    def restore(self, settings: QSettings) -> None:
        """Open the tab that was open when the window was closed."""
        kept = settings.value(_KEY, _DOCUMENTS)
        if kept in _TABS:
            self.tabs.setCurrentIndex(_TABS.index(str(kept)))

    def save(self, settings: QSettings) -> None:
        """Keep which tab is open."""
        settings.setValue(_KEY, _TABS[self.tabs.currentIndex()])

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Hand the colours on."""
        self.library_panel.apply_theme(theme, sizes)
        self.structure_panel.apply_theme(theme, sizes)
        self.history_panel.apply_theme(theme, sizes)
