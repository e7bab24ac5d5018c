"""Rich text that is as high as its words and scrolls with what surrounds it."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from desktop_qa.gui.widgets.labels import ClosedDocument

_INDENT_PX = 20


class FlowText(QTextBrowser):
    """A text browser without a scroll bar of its own; it follows no links.

    Attributes:
        clicked: A click that neither selected words nor hit a link.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # Texts of documents may hold addresses: nothing is fetched and nothing is opened.
        self.setDocument(ClosedDocument(self))
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(_INDENT_PX)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size_changed)

    def show_html(self, html: str, line_height_px: int) -> None:
        """Show rich text with lines at one distance, whatever stands in them.

        The `line-height` of HTML is a least height to Qt, which sets lines with images unevenly.
        """
        self.setHtml(html)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        self._space(cursor, line_height_px)

    def append_html(self, html: str, line_height_px: int) -> None:
        """Show more rich text below what is shown, as `show_html` does."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        first = cursor.position()
        cursor.insertHtml(html)
        cursor.setPosition(first, QTextCursor.MoveMode.KeepAnchor)
        self._space(cursor, line_height_px)
        cursor.endEditBlock()

    def _space(self, lines: QTextCursor, line_height_px: int) -> None:
        spacing = QTextBlockFormat()
        spacing.setLineHeight(line_height_px, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        lines.mergeBlockFormat(spacing)

    def _on_size_changed(self, size: QSizeF) -> None:
        self.setFixedHeight(max(1, math.ceil(size.height())))

    def sizeHint(self) -> QSize:
        """Return a height that holds the whole text."""
        return QSize(200, max(1, math.ceil(self.document().size().height())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew and follow the new height."""
        super().resizeEvent(event)
        self._on_size_changed(self.document().size())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the surrounding scroll area."""
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell a plain click from a selection."""
        super().mouseReleaseEvent(event)
        is_left = event.button() == Qt.MouseButton.LeftButton
        on_link = bool(self.anchorAt(event.position().toPoint()))
        if is_left and not on_link and not self.textCursor().hasSelection():
            self.clicked.emit()
