"""Beside the pages: the outline, small pictures, cited places, the reader's marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QIcon,
    QPainter,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QStackedWidget,
    QStyle,
    QStyleOptionViewItem,
    QTabBar,
    QTreeView,
    QWidget,
)

from desktop_qa.core.document import Provenance
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.marks.mark_panel import MarkPanel
from desktop_qa.gui.viewer.pdf_document import PdfDocument
from desktop_qa.gui.viewer.viewer_list import CitedList
from desktop_qa.gui.viewer.viewer_thumbnails import PageThumbnails
from desktop_qa.gui.widgets.boxes import in_column, put
from desktop_qa.gui.widgets.labels import calm_label, plain_tip, told
from desktop_qa.gui.widgets.list_rows import (
    ROW_ROLE,
    WORDS_ROLE,
    FilterEdit,
    Index,
    RowPainter,
    WordFilter,
    set_up_rows,
)
from desktop_qa.gui.widgets.panel_tabs import PanelTabs
from desktop_qa.gui.widgets.row_painting import paint_ground, paint_line, small_font
from desktop_qa.gui.widgets.theme import icon, icon_pixmap, look
from desktop_qa.gui.widgets.timers import single_shot

_READING_MS = 60
_FEW_ENTRIES = 40
_ROW_PADDING_PX = 8
_PAGE_GAP_PX = 10
NO_DOCUMENT = "Open a document: its chapters are listed here."
_EMPTY = "This document has no outline, and no headings were found in it."
LOADING = "Looking for the outline …"
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


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A chapter.

    Attributes:
        parent: Index of the entry that it stands under, -1 for none; always a smaller one.
        page_no: 1-based; None when it leads nowhere in this document.
        top: Height on the page in points; None for the page as a whole.
        page: What its page is called; empty when it leads nowhere.
    """

    title: str
    parent: int
    page_no: int | None
    top: float | None = None
    places: tuple[Provenance, ...] = ()
    page: str = ""


@dataclass(frozen=True, slots=True)
class OutlineState:
    """How the reader left an outline: numbers of the open entries, pixels scrolled."""

    entries: tuple[OutlineEntry, ...]
    opened: frozenset[int]
    scroll: int


class _TitleDelegate(RowPainter):
    """Draws a title that gives way to the number of its page."""

    def __init__(self, panel: OutlinePanel) -> None:
        super().__init__(panel)
        self._panel = panel

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line, however long the title is."""
        return QSize(60, option.fontMetrics.height() + _ROW_PADDING_PX)

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, rect: QRectF
    ) -> None:
        """Draw title and page."""
        theme, tree = look.theme, self._panel.tree
        number = index.data(ROW_ROLE)
        entry, is_current = self._panel.entries[number], number == self._panel.current
        option.state &= ~QStyle.StateFlag.State_Selected
        if is_current:
            row = QRectF(0, rect.top(), tree.viewport().width(), rect.height())
            painter.fillRect(row, QColor(theme.accent_soft))
            option.state &= ~QStyle.StateFlag.State_MouseOver
        paint_ground(painter, option, rect)
        font, small = QFont(option.font), small_font(option.font)
        font.setWeight(QFont.Weight.DemiBold if is_current else QFont.Weight.Normal)
        place = rect.adjusted(4, 0, -_PAGE_GAP_PX, 0)
        paint_line(painter, place, entry.page, small, theme.dim, at=Qt.AlignmentFlag.AlignRight)
        width = painter.fontMetrics().horizontalAdvance(entry.page)
        place.setRight(place.right() - (width + _PAGE_GAP_PX if entry.page else 0))
        paint_line(painter, place, entry.title, font, theme.accent if is_current else theme.text)


class OutlinePanel(QWidget):
    """Shows an outline and follows what is read.

    Attributes:
        entries: All of them, filtered or not.
        current: Number of the entry that is read, -1 for none.

    Signals:
        entry_chosen: With the `OutlineEntry` to go to.
    """

    entry_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.tree = QTreeView(headerHidden=True, uniformRowHeights=True, indentation=14)
        set_up_rows(self.tree, "outline_tree", "Outline of the document")
        self._filter = WordFilter(self)
        self.tree.setModel(self._filter)
        self._delegate = _TitleDelegate(self)
        self.tree.setItemDelegate(self._delegate)
        self.filter_edit = FilterEdit(
            *("Filter the outline", "Filter chapters …", self.tree),
            "Only chapters that hold all the words; Enter goes to the first",
        )
        self.filter_edit.setObjectName("outline_filter")
        self.empty_label = calm_label("viewer_empty_label")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self.empty_label)
        column = in_column(self, margins=(0, 6, 0, 0), spacing=6)
        put(in_column(margins=(10, 0, 10, 0), inside=column), self.filter_edit)
        column.addWidget(self._stack, 1)
        self.entries: tuple[OutlineEntry, ...] = ()
        self.current = -1
        self._items: list[QStandardItem] = []
        self._auto_expanded: list[int] = []
        self._reading: tuple[int, float] = (1, 0.0)
        self._timer = single_shot(self, self._mark_reading, _READING_MS)
        self.tree.clicked.connect(self._choose)
        self.tree.activated.connect(self._choose)
        self.filter_edit.textChanged.connect(self._on_filter_changed)
        self.filter_edit.returnPressed.connect(lambda: self._choose(self._filter.first_hit()))
        self.show_nothing(NO_DOCUMENT)

    @property
    def message(self) -> str:
        """What stands in place of the outline; empty while there is one."""
        return self.empty_label.text() if self._stack.currentIndex() == 1 else ""

    def show_nothing(self, sentence: str = _EMPTY) -> None:
        """Show no outline, and say why."""
        self._fill(())
        self.empty_label.setText(sentence)
        self._stack.setCurrentIndex(1)
        self.filter_edit.setVisible(False)

    def show_entries(self, entries: Sequence[OutlineEntry]) -> None:
        """Show an outline; an empty one is said to be empty."""
        if not entries:
            self.show_nothing()
            return
        self._auto_expanded = []
        self.filter_edit.clear()
        self._fill(entries)
        self.filter_edit.setVisible(True)
        self._stack.setCurrentIndex(0)
        if len(entries) <= _FEW_ENTRIES:
            self.tree.expandAll()
        self._mark_reading()

    def _fill(self, entries: Sequence[OutlineEntry]) -> None:
        self._items = []
        self.entries, self.current = tuple(entries), -1
        model = QStandardItemModel(self)
        for number, entry in enumerate(self.entries):
            item = QStandardItem(entry.title)
            item.setData(number, ROW_ROLE)
            item.setData(entry.title.casefold(), WORDS_ROLE)
            if entry.page_no:
                item.setAccessibleText(f"{entry.title}, page {entry.page_no}")
            item.setToolTip(
                plain_tip(entry.title + (f"\nPage {entry.page}" if entry.page_no else ""))
            )
            parent = self._items[entry.parent] if entry.parent >= 0 else model.invisibleRootItem()
            parent.appendRow(item)
            self._items.append(item)
        former = self._filter.sourceModel()
        self._filter.setSourceModel(model)
        if former is not None:
            former.deleteLater()

    @property
    def state(self) -> OutlineState:
        """Which entries are open and how far it is scrolled; `restore` takes it."""
        numbers = range(len(self._items))
        opened = frozenset(n for n in numbers if self.tree.isExpanded(self._index(n)))
        scroll = self.tree.verticalScrollBar().value()
        return OutlineState(self.entries, opened - set(self._auto_expanded), scroll)

    def restore(self, state: OutlineState) -> None:
        """Open entries and scroll as it was for this document."""
        for number, item in enumerate(self._items):
            if item.hasChildren():
                self.tree.setExpanded(self._index(number), number in state.opened)
        self._find_current()
        self.tree.verticalScrollBar().setValue(state.scroll)

    def mark_reading(self, page_no: int, y: float) -> None:
        """Mark the chapter that holds a height of a page, shortly."""
        self._reading = (page_no, y)
        self._timer.start()

    def _find_current(self) -> bool:
        """Find the chapter that is read; True when it is another one."""
        page_no, y = self._reading
        tops = (
            (entry.page_no, entry.top or 0.0, number)
            for number, entry in enumerate(self.entries)
            if entry.page_no is not None
        )
        # Of entries at one place the last one is the innermost.
        passed = (one for one in tops if one[:2] <= (page_no, y + 1.0))
        former, self.current = self.current, max(passed, default=(0, 0.0, -1))[2]
        self.tree.viewport().update()
        return self.current != former

    def _mark_reading(self) -> None:
        if not self._find_current() or self.filter_edit.text().strip():
            return
        wanted: list[int] = []
        over = self.entries[self.current].parent if self.current >= 0 else -1
        while over >= 0:
            wanted.insert(0, over)
            over = self.entries[over].parent
        for number in self._auto_expanded:
            if number not in wanted:
                self.tree.collapse(self._index(number))
        self._auto_expanded = [n for n in self._auto_expanded if n in wanted]
        for number in wanted:
            if not self.tree.isExpanded(self._index(number)):
                self.tree.expand(self._index(number))
                self._auto_expanded.append(number)
        if self.current >= 0 and not self.tree.underMouse():
            self.tree.scrollTo(self._index(self.current))

    def _index(self, number: int) -> QModelIndex:
        return self._filter.mapFromSource(self._items[number].index())

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.entry_chosen.emit(self.entries[index.data(ROW_ROLE)])

    def _on_filter_changed(self, words: str) -> None:
        """Show only entries whose titles hold all words, and what they stand under."""
        self._filter.narrow(words)
        self.tree.setCurrentIndex(QModelIndex())
        self._auto_expanded = []
        is_empty = bool(self.entries) and not self._filter.rowCount()
        self.empty_label.setText("No chapter holds these words." if is_empty else "")
        self._stack.setCurrentIndex(1 if is_empty else 0)
        if words.strip() or len(self.entries) <= _FEW_ENTRIES:
            self.tree.expandAll()
        else:
            self.tree.collapseAll()

    def focus(self) -> None:
        """Take the focus where typing does something."""
        target: QWidget = self.filter_edit if self.filter_edit.isVisible() else self
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)


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
        told(self.tabs, "viewer_tabs", "Outline, pages, cited places or marks")
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
