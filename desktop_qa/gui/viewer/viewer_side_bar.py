"""Beside the pages: outline, small pictures, cited places, the reader's marks."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QTabBar

from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.marks.mark_panel import MarkPanel
from desktop_qa.gui.viewer.outline_panel import OutlinePanel
from desktop_qa.gui.viewer.pdf_document import PdfDocument
from desktop_qa.gui.viewer.viewer_list import CitedList
from desktop_qa.gui.viewer.viewer_thumbnails import PageThumbnails
from desktop_qa.gui.widgets.panel_tabs import PanelTabs
from desktop_qa.gui.widgets.theme import icon, icon_pixmap, look

LEAST_WIDTH_PX = 176
USUAL_WIDTH_PX = 208
_TAB_PX = 32
_ICON_GAP_PX = 10
OUTLINE, PAGES, CITED, MARKS = "outline", "pages", "cited", "marks"
_TIPS = {
    OUTLINE: "Chapters of the document",
    PAGES: "Small pictures of the pages",
    CITED: "Places that the answer cites",
    MARKS: "Your highlights and notes",
}


class ViewerSideBar(PanelTabs):
    """Four panels under four tabs."""

    def __init__(self, document: PdfDocument, book: MarkBook) -> None:
        self.outline = OutlinePanel()
        self.thumbnails = PageThumbnails(document)
        self.cited = CitedList()
        self.marks = MarkPanel(book)
        panels = {
            OUTLINE: self.outline,
            PAGES: self.thumbnails,
            CITED: self.cited,
            MARKS: self.marks,
        }
        super().__init__(panels, _SideTabs(), (6, 4, 4, 2))
        self.setObjectName("viewer_side_bar")
        self.tabs.setObjectName("viewer_tabs")
        self.tabs.setAccessibleName("Outline, pages, cited places or marks")
        for index, (name, tip) in enumerate(_TIPS.items()):
            self.tabs.setTabToolTip(index, f"{name.capitalize()}: {tip}")
            self.tabs.setAccessibleTabName(index, name.capitalize())
        self.setMinimumWidth(LEAST_WIDTH_PX)
        self.tabs.setIconSize(QSize(16, 16))
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self._name_tab()
        self._show_icons()
        look.changed.connect(self._show_icons)

    def _on_tab_changed(self, index: int) -> None:
        self._name_tab()
        super()._on_tab_changed(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the tabs lined up anew: Qt leaves them scrolled when they get room."""
        super().resizeEvent(event)
        self._name_tab()

    def _name_tab(self) -> None:
        """Write the name on the tab that is open: there is no room for all four."""
        for index, name in enumerate(_TIPS):
            is_open = index == self.tabs.currentIndex()
            self.tabs.setTabText(index, name.capitalize() if is_open else "")

    def focus(self) -> None:
        """Take the focus where the keys do something."""
        panel = self._stack.currentWidget()
        if panel is self.outline:
            self.outline.focus()
        elif panel is not None:
            panel.setFocus()

    def _show_icons(self) -> None:
        for index, name in enumerate(_TIPS):
            made = icon(name, look.theme.dim)
            for scale in (1, 2, 3):
                picture = icon_pixmap(name, look.theme.accent, 16, scale)
                made.addPixmap(picture, QIcon.Mode.Selected)
            self.tabs.setTabIcon(index, made)


class _SideTabs(QTabBar):
    """Tabs of an icon each; the one that is open has its name too."""

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as icon and name, no wider: all four have room in the narrowest side bar."""
        text = self.tabText(index)
        name = self.fontMetrics().horizontalAdvance(text) + _ICON_GAP_PX if text else 0
        return QSize(_TAB_PX + name, super().tabSizeHint(index).height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Names are never shortened."""
        return self.tabSizeHint(index)
