"""The left side of the window: the library, the structure of a document, earlier questions."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from desktop_qa.gui.history.history_panel import HistoryPanel
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.structure.structure_panel import StructurePanel
from desktop_qa.gui.widgets.labels import told
from desktop_qa.gui.widgets.panel_tabs import PanelTabs

DOCUMENTS, STRUCTURE, HISTORY = "documents", "structure", "history"
_TIPS = {
    DOCUMENTS: "The documents of the library",
    STRUCTURE: "Chapters, tables and figures of a document (Ctrl+Shift+S)",
    HISTORY: "Earlier questions with their answers (Ctrl+H)",
}


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
        for index, (name, tip) in enumerate(_TIPS.items()):
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
