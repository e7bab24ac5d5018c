"""The outline beside the pages: nested chapters, the one that is read marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from desktop_qa.gui.viewer.outline_model import (
    IS_CURRENT_ROLE,
    PAGE_ROLE,
    OutlineEntry,
    OutlineModel,
)
from desktop_qa.gui.viewer.viewer_list import calm_label
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.gui.widgets.row_painting import small_font
from desktop_qa.gui.widgets.timers import single_shot

_READING_MS = 60
_FEW_ENTRIES = 40
_ROW_PADDING_PX = 8
_PAGE_GAP_PX = 10
NO_DOCUMENT = "Open a document: its chapters are listed here."
_EMPTY = "This document has no outline, and no headings were found in it."
_LOADING = "Looking for the outline …"


@dataclass(frozen=True, slots=True)
class OutlineState:
    """How the reader left an outline: numbers of the open entries, pixels scrolled."""

    opened: frozenset[int]
    scroll: int


class _TitleDelegate(QStyledItemDelegate):
    """Draws a title that gives way to the number of its page."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view
        self.theme = themes.LIGHT
        self.small_px = 12

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line, however long the title is."""
        return QSize(60, option.fontMetrics.height() + _ROW_PADDING_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw title and page."""
        theme, rect = self.theme, QRectF(option.rect)
        is_current = bool(index.data(IS_CURRENT_ROLE))
        row = QRectF(0, rect.top(), self._view.viewport().width(), rect.height())
        painter.save()
        if is_current:
            painter.fillRect(row, QColor(theme.accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(theme.hover))
        if self._view.hasFocus() and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -2.5, -0.5), 4, 4)
        small = small_font(option.font, self.small_px)
        painter.setFont(small)
        painter.setPen(QColor(theme.dim))
        place = rect.adjusted(4, 0, -_PAGE_GAP_PX, 0)
        page = str(index.data(PAGE_ROLE))
        aligned = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, aligned | Qt.AlignmentFlag.AlignRight, page)
        width = painter.fontMetrics().horizontalAdvance(page)
        place.setRight(place.right() - (width + _PAGE_GAP_PX if page else 0))
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if is_current else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(QColor(theme.accent if is_current else theme.text))
        title = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, round(place.width())
        )
        painter.drawText(place, aligned | Qt.AlignmentFlag.AlignLeft, title)
        painter.restore()


class OutlinePanel(QWidget):
    """Shows an outline and follows what is read.

    Signals:
        entry_chosen: With the `OutlineEntry` to go to.
    """

    entry_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filter_edit = QLineEdit()
        self.filter_edit.setObjectName("outline_filter")
        self.filter_edit.setAccessibleName("Filter the outline")
        self.filter_edit.setPlaceholderText("Filter chapters …")
        self.filter_edit.setToolTip(
            "Only chapters that hold all the words; Enter goes to the first"
        )
        self.filter_edit.setClearButtonEnabled(True)
        self.filter_edit.setAcceptDrops(False)
        self.tree = QTreeView()
        self.tree.setObjectName("outline_tree")
        self.tree.setAccessibleName("Outline of the document")
        self.tree.setHeaderHidden(True)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(14)
        self.tree.setMouseTracking(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.model = OutlineModel(self)
        self._delegate = _TitleDelegate(self.tree)
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self._delegate)
        self.empty_label = calm_label()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self.empty_label)
        column = in_column(self, margins=(0, 6, 0, 0), spacing=6)
        edge = in_column(margins=(10, 0, 10, 0), inside=column)
        edge.addWidget(self.filter_edit)
        column.addWidget(self._stack, 1)
        self._auto_expanded: list[int] = []
        self._reading: tuple[int, float] = (1, 0.0)
        self._timer = single_shot(self, self._mark_reading, _READING_MS)
        self.tree.clicked.connect(self._on_clicked)
        self.tree.activated.connect(self._on_clicked)
        self.filter_edit.textChanged.connect(self._on_filter_changed)
        self.filter_edit.returnPressed.connect(self._on_filter_entered)
        self.show_nothing(NO_DOCUMENT)

    @property
    def message(self) -> str:
        """What stands in place of the outline; empty while there is one."""
        return self.empty_label.text() if self._stack.currentIndex() == 1 else ""

    def show_loading(self) -> None:
        """Say that the outline is on its way."""
        self.show_nothing(_LOADING)

    def show_nothing(self, sentence: str = _EMPTY) -> None:
        """Show no outline, and say why."""
        self.model.show(())
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
        self.model.show(entries)
        self.filter_edit.setVisible(True)
        self._stack.setCurrentIndex(0)
        if len(entries) <= _FEW_ENTRIES:
            self.tree.expandAll()
        self._mark_reading()

    @property
    def state(self) -> OutlineState:
        """Which entries are open and how far it is scrolled; `restore` takes it."""
        numbers = range(len(self.model.entries))
        opened = frozenset(n for n in numbers if self.tree.isExpanded(self.model.index_of(n)))
        return OutlineState(
            opened - set(self._auto_expanded), self.tree.verticalScrollBar().value()
        )

    def restore(self, state: OutlineState) -> None:
        """Open entries and scroll as it was for this document."""
        for number in range(len(self.model.entries)):
            index = self.model.index_of(number)
            if self.model.rowCount(index):
                self.tree.setExpanded(index, number in state.opened)
        self.model.set_reading(*self._reading)
        self.tree.verticalScrollBar().setValue(state.scroll)

    def mark_reading(self, page_no: int, y: float) -> None:
        """Mark the chapter that holds a height of a page, shortly."""
        self._reading = (page_no, y)
        self._timer.start()

    def _mark_reading(self) -> None:
        if not self.model.set_reading(*self._reading) or self.model.words:
            return
        wanted = self._over(self.model.current)
        for number in self._auto_expanded:
            if number not in wanted:
                self.tree.collapse(self.model.index_of(number))
        self._auto_expanded = [n for n in self._auto_expanded if n in wanted]
        for number in wanted:
            index = self.model.index_of(number)
            if not self.tree.isExpanded(index):
                self.tree.expand(index)
                self._auto_expanded.append(number)
        index = self.model.index_of(self.model.current)
        if index.isValid() and not self.tree.underMouse():
            self.tree.scrollTo(index)

    def _over(self, number: int) -> list[int]:
        found: list[int] = []
        while number >= 0 and self.model.entries[number].parent >= 0:
            number = self.model.entries[number].parent
            found.append(number)
        return found[::-1]

    def _on_clicked(self, index: QModelIndex) -> None:
        number = self.model.number_of(index)
        if number >= 0:
            self.entry_chosen.emit(self.model.entries[number])

    def _on_filter_changed(self, words: str) -> None:
        if words == self.model.words:
            return
        self.model.filter(words.strip())
        self._auto_expanded = []
        is_empty = bool(self.model.entries) and not self.model.n_found
        self.empty_label.setText("No chapter holds these words." if is_empty else "")
        self._stack.setCurrentIndex(1 if is_empty else 0)
        if self.model.words or len(self.model.entries) <= _FEW_ENTRIES:
            self.tree.expandAll()

    def _on_filter_entered(self) -> None:
        wanted = self.model.words.casefold().split()
        for entry in self.model.entries:
            if all(word in entry.title.casefold() for word in wanted):
                self.entry_chosen.emit(entry)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on in the tree by Down, take the filter back by Escape."""
        if event.key() == Qt.Key.Key_Down and self.filter_edit.hasFocus():
            self.tree.setFocus(Qt.FocusReason.TabFocusReason)
            if not self.tree.currentIndex().isValid():
                self.tree.setCurrentIndex(self.model.index(0, 0))
        elif event.key() == Qt.Key.Key_Escape and self.filter_edit.text():
            self.filter_edit.clear()
        else:
            super().keyPressEvent(event)

    def focus(self) -> None:
        """Take the focus where typing does something."""
        target: QWidget = self.filter_edit if self.filter_edit.isVisible() else self
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._delegate.theme, self._delegate.small_px = theme, sizes.small_px
        self.tree.viewport().update()
