"""Small pictures of the pages beside them, drawn when they are seen and nothing else is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QModelIndex,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.marks.mark_book import fill_of, line_of, paint_dot
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_images import PageCache
from desktop_qa.gui.viewer.pdf_document import PdfDocument, RenderKey
from desktop_qa.gui.viewer.pdf_highlights import AMBER, AMBER_BORDER
from desktop_qa.gui.widgets.list_rows import Index, set_up_rows
from desktop_qa.gui.widgets.row_painting import paint_line
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

_WIDTH_PX = 116
_MAX_HEIGHT_PX = 184
_MARGIN_PX = 10
_LABEL_PX = 22
_DOT_PX = 9
_MAX_DOTS = 5
_MAX_BYTES = 24 * 1024 * 1024
_PAUSE_MS = 80
"""After scrolling and resizing; the pages themselves come first."""
_FOLLOW_MS = 150
_NO_DOCUMENT = "Open a document: its pages are shown here."


class PageThumbnails(QListView):
    """One picture for each page; the current one is framed.

    Signals:
        page_chosen: 1-based number of a page that was clicked or reached by key.
    """

    page_chosen = Signal(int)

    def __init__(self, document: PdfDocument) -> None:
        super().__init__()
        self._document = document
        self.images = PageCache(_MAX_BYTES)
        self._failed: set[RenderKey] = set()
        self._cited: set[int] = set()
        self._marked: Mapping[int, Sequence[MarkColour]] = {}
        self.current_page = 1
        self._cell = QSize(_WIDTH_PX, _MAX_HEIGHT_PX)
        self._pages = QStringListModel(self)
        self.setModel(self._pages)
        self.setItemDelegate(_PageDelegate(self))
        set_up_rows(self, "page_thumbnails", "Small pictures of the pages")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self._timer = single_shot(self, self._request, _PAUSE_MS)
        self._key_timer = single_shot(self, lambda: self._choose(self.currentIndex()), _FOLLOW_MS)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._timer.start())
        document.small_image_rendered.connect(self._on_document_small_image_rendered)

    def show_document(self) -> None:
        """Show the pages of the document that is open now; none when none is."""
        sizes = self._document.page_sizes
        highest = max((height / width for width, height in sizes), default=1.41)
        height = min(round(_WIDTH_PX * highest), _MAX_HEIGHT_PX)
        self._cell = QSize(_WIDTH_PX, height)
        self._cited, self._marked = set(), {}
        self._pages.setStringList([f"Page {label}" for label in self._document.page_labels])
        self._failed.clear()
        self._timer.start()

    def set_signs(self, cited: set[int], marked: Mapping[int, Sequence[MarkColour]]) -> None:
        """Put dots on pages by their numbers: amber for citations, the colours of marks."""
        self._cited, self._marked = set(cited), dict(marked)
        self.viewport().update()

    def set_current(self, page_no: int) -> None:
        """Frame the page (1-based) that is read; bring it into view unless the pointer is here."""
        self.current_page = page_no
        index = self._pages.index(page_no - 1)
        if index.isValid() and not self._key_timer.isActive():
            self.selectionModel().setCurrentIndex(
                index, self.selectionModel().SelectionFlag.ClearAndSelect
            )
            if not self.underMouse():
                self.scrollTo(index)
        self.viewport().update()

    @property
    def grid_cell(self) -> QSize:
        """Room of one picture with its label: as many beside each other as there is room for."""
        least = self._cell.width() + 2 * _MARGIN_PX
        room = max(self.viewport().width() - 1, least)
        return QSize(room // max(room // least, 1), self._cell.height() + _LABEL_PX + _MARGIN_PX)

    def picture_size(self, page_index: int) -> QSize:
        """Width and height of a picture in logical pixels."""
        width, height = self._document.page_sizes[page_index]
        fitted = QSize(max(round(width), 1), max(round(height), 1))
        fitted.scale(self._cell, Qt.AspectRatioMode.KeepAspectRatio)
        return fitted.expandedTo(QSize(1, 1))

    def image_of(self, page_index: int) -> QImage | None:
        """Return the picture of a page when it is there."""
        key = self._key(page_index)
        return self.images.get(key) if key is not None else None

    def dots_of(self, page_no: int) -> list[tuple[QColor, QColor]]:
        """Return fill and line of the dots of a page, evidence first."""
        cited = [(AMBER, AMBER_BORDER)] if page_no in self._cited else []
        colours = dict.fromkeys(self._marked.get(page_no, ()))
        return [*cited, *((fill_of(one), line_of(one)) for one in colours)][:_MAX_DOTS]

    def _key(self, page_index: int) -> RenderKey | None:
        file = self._document.stamp
        if file is None or page_index >= len(self._document.page_sizes):
            return None
        size = self.picture_size(page_index) * self.devicePixelRatioF()
        return RenderKey(file, page_index, max(size.width(), 1), max(size.height(), 1))

    def visible_rows(self) -> range:
        """Return the rows that are seen."""
        room = self.viewport().rect()
        cell = self.grid_cell
        n_across = max(room.width() // cell.width(), 1)
        first = self.verticalScrollBar().value() // cell.height() * n_across
        n_rows = (room.height() // cell.height() + 2) * n_across
        n_pages = self._pages.rowCount()
        return range(min(first, n_pages), min(first + n_rows, n_pages))

    def _request(self) -> None:
        if not self.isVisible():
            self._document.want((), are_small=True)
            return
        keys = [key for row in self.visible_rows() if (key := self._key(row)) is not None]
        missing = [key for key in keys if key not in self.images and key not in self._failed]
        self._document.want(missing, are_small=True)

    def _on_document_small_image_rendered(self, key: RenderKey, image: QImage) -> None:
        if image.isNull():
            self._failed.add(key)
            return
        self.images.put(key, PageColours.PRINTED.on_paper(image))
        if key.file == self._document.stamp:
            self.update(self._pages.index(key.page_index))

    def _choose(self, index: QModelIndex) -> None:
        self._key_timer.stop()
        if index.isValid():
            self.page_chosen.emit(index.row() + 1)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Go to a page that was reached by key, once the keys rest."""
        super().currentChanged(current, previous)
        if self.hasFocus() and current.isValid() and current.row() + 1 != self.current_page:
            self._key_timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what could wait while it was hidden."""
        super().showEvent(event)
        self.set_current(self.current_page)
        self._timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw what comes into view."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
        self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say why there are no pages where there are none."""
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(look.theme.dim))
            room = self.viewport().rect().adjusted(16, 24, -16, -16)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, flags, _NO_DOCUMENT)
            painter.end()


class _PageDelegate(QStyledItemDelegate):
    """Draws a picture, its frame, its dots and its number."""

    def __init__(self, view: PageThumbnails) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self._view.grid_cell

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view, theme, row = self._view, look.theme, index.row()
        if row >= len(view._document.page_sizes):
            return
        rect, size = QRectF(option.rect), view.picture_size(row)
        left = rect.center().x() - size.width() / 2
        top = rect.top() + _MARGIN_PX + (view._cell.height() - size.height())
        page = QRectF(round(left), round(top), size.width(), size.height())
        painter.save()
        painter.fillRect(page, QColor("#ffffff"))
        image = view.image_of(row)
        if image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(page, image)
        is_current = row + 1 == view.current_page
        painter.setPen(
            QPen(QColor(theme.accent if is_current else theme.line), 2 if is_current else 1)
        )
        outset = 2.0 if is_current else 0.5
        painter.drawRect(page.adjusted(-outset, -outset, outset, outset))
        for number, dot in enumerate(view.dots_of(row + 1)):
            left = page.right() - 3 - _DOT_PX - number * (_DOT_PX + 2)
            paint_dot(painter, QRectF(left, page.top() + 3, _DOT_PX, _DOT_PX), *dot)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if is_current else QFont.Weight.Normal)
        place = QRectF(rect.left(), page.bottom() + 3, rect.width(), _LABEL_PX - 3)
        label, colour = view._document.page_labels[row], theme.accent if is_current else theme.dim
        paint_line(painter, place, label, font, colour, at=Qt.AlignmentFlag.AlignHCenter)
        painter.restore()
