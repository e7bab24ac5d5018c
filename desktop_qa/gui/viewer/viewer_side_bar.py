"""Beside the pages: outline, small pictures, cited places, the reader's marks."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.marks.mark_panel import MarkPanel
from desktop_qa.gui.viewer.outline_panel import OutlinePanel
from desktop_qa.gui.viewer.pdf_document import PdfDocument
from desktop_qa.gui.viewer.viewer_cited import CitedPanel
from desktop_qa.gui.viewer.viewer_thumbnails import PageThumbnails
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row

LEAST_WIDTH_PX = 176
USUAL_WIDTH_PX = 208
_TAB_PX = 32
_ICON_GAP_PX = 10
OUTLINE, PAGES, CITED, MARKS = "outline", "pages", "cited", "marks"
TABS = (OUTLINE, PAGES, CITED, MARKS)
_TIPS = {
    OUTLINE: "Chapters of the document",
    PAGES: "Small pictures of the pages",
    CITED: "Places that the answer cites",
    MARKS: "Your highlights and notes",
}


class ViewerSideBar(QWidget):
    """Four panels under four tabs.

    Signals:
        tab_shown: Name of the tab that is open now.
    """

    tab_shown = Signal(str)

    def __init__(
        self, document: PdfDocument, book: MarkBook, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("viewer_side_bar")
        self.outline = OutlinePanel()
        self.thumbnails = PageThumbnails(document)
        self.cited = CitedPanel()
        self.marks = MarkPanel(book)
        self.tabs = _SideTabs()
        self.tabs.setObjectName("viewer_tabs")
        self.tabs.setAccessibleName("Outline, pages, cited places or marks")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self._stack = QStackedWidget()
        self._panels: dict[str, QWidget] = {
            OUTLINE: self.outline,
            PAGES: self.thumbnails,
            CITED: self.cited,
            MARKS: self.marks,
        }
        for name, panel in self._panels.items():
            index = self.tabs.addTab("")
            self.tabs.setTabToolTip(index, f"{name.capitalize()}: {_TIPS[name]}")
            self.tabs.setAccessibleTabName(index, name.capitalize())
            self._stack.addWidget(panel)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        line = in_row(margins=(6, 4, 4, 2), inside=column)
        line.addWidget(self.tabs, 1)
        column.addWidget(self._stack, 1)
        self.setMinimumWidth(LEAST_WIDTH_PX)
        self.tabs.setIconSize(QSize(16, 16))
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self._name_tab()
        self.tabs.currentChanged.connect(self._on_tab_changed)

    @property
    def tab(self) -> str:
        """Name of the tab that is open."""
        return TABS[self.tabs.currentIndex()]

    def show_tab(self, name: str) -> None:
        """Open a tab by its name."""
        self.tabs.setCurrentIndex(TABS.index(name))

    def _on_tab_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._name_tab()
        self.tab_shown.emit(TABS[index])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the tabs lined up anew: Qt leaves them scrolled when they get room."""
        super().resizeEvent(event)
        self._name_tab()

    def _name_tab(self) -> None:
        """Write the name on the tab that is open: there is no room for all four."""
        for index, name in enumerate(TABS):
            is_open = index == self.tabs.currentIndex()
            self.tabs.setTabText(index, name.capitalize() if is_open else "")

    def focus(self) -> None:
        """Take the focus where the keys do something."""
        panel = self._panels[self.tab]
        if panel is self.outline:
            self.outline.focus()
        elif panel is self.cited:
            self.cited.list.view.setFocus()
        elif panel is self.marks:
            self.marks.list.view.setFocus()
        else:
            panel.setFocus()

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        for index, name in enumerate(TABS):
            self.tabs.setTabIcon(index, _icon(name, theme))
        self.outline.apply_theme(theme, sizes)
        self.thumbnails.apply_theme(theme, sizes)
        self.cited.apply_theme(theme, sizes)
        self.marks.apply_theme(theme, sizes)


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


def _icon(name: str, theme: themes.Theme) -> QIcon:
    icon = themes.icon(name, theme.dim)
    for scale in (1, 2, 3):
        picture = themes.icon_pixmap(name, theme.accent, 16, scale)
        icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon
