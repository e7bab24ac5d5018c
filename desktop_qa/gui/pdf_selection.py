"""Selecting text on a page with the mouse, and copying it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter

from desktop_qa.core.document import BoundingBox
from desktop_qa.gui.page_layout import PageLayout
from desktop_qa.gui.pdf_document import PdfDocument, TextSelection

_ALPHA = 0.32


class TextSelector(QObject):
    """The text selected in a document, on one page at a time.

    Signals:
        changed: The selection is another one.
    """

    changed = Signal()

    def __init__(self, document: PdfDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._page_index = 0
        self._start: QPointF | None = None
        self._selection: TextSelection | None = None
        document.text_selected.connect(self._on_document_text_selected)
        document.opened.connect(self.clear)

    @property
    def text(self) -> str:
        """The selected text, empty when there is none."""
        return self._selection.text if self._selection is not None else ""

    @property
    def is_dragging(self) -> bool:
        """True between `begin` and `end`."""
        return self._start is not None

    def begin(self, page_index: int, point: QPointF) -> None:
        """Start at a point of a page, in points."""
        self.clear()
        self._page_index = page_index
        self._start = point

    def extend(self, layout: PageLayout, point: QPointF) -> None:
        """Select up to a point of the canvas."""
        if self._start is not None:
            end = layout.to_page(self._page_index, point)
            self._document.select_text(self._page_index, self._start, end)

    def end(self) -> None:
        """Keep the selection as it is."""
        self._start = None

    def clear(self) -> None:
        """Select nothing."""
        self._start = None
        if self._selection is not None:
            self._selection = None
            self.changed.emit()

    def copy(self) -> bool:
        """Put the selected text on the clipboard; False when there is none."""
        if not self.text:
            return False
        QGuiApplication.clipboard().setText(self.text)
        return True

    def paint(self, painter: QPainter, layout: PageLayout, page_index: int, color: QColor) -> None:
        """Paint the selection of a page in canvas coordinates."""
        if self._selection is None or self._selection.page_index != page_index:
            return
        fill = QColor(color)
        fill.setAlphaF(_ALPHA)
        for rect in self._selection.rects:
            box = BoundingBox(rect.left(), rect.top(), rect.right(), rect.bottom())
            painter.fillRect(layout.to_canvas(page_index, box), fill)

    def _on_document_text_selected(self, selection: TextSelection) -> None:
        # Between the lines Qt finds nothing: the last words found stay selected.
        if selection.text and selection.page_index == self._page_index:
            self._selection = selection
            self.changed.emit()
