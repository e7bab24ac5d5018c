"""Parts of the line over the pages: a name that gives way, the number of the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QToolTip, QWidget

NAME_MIN_WIDTH_PX = 70


class ElidedLabel(QLabel):
    """A name of any length in one line: its middle gives way, its ends stay."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_blank = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Leave the room to the controls."""
        return QSize(0 if self.is_blank else NAME_MIN_WIDTH_PX, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the name as there is room for."""
        if self.is_blank:
            return
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, self.width()
        )
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text
        )
        painter.end()


class PageEdit(QLineEdit):
    """The number of the page, to read and to type; a label such as "iv" is taken, too.

    Signals:
        page_entered: Number of the page that was typed, when Enter was pressed.
        left: Nothing more is to be typed: a page was gone to, or the number taken back.
    """

    page_entered = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page_no = 1
        self._n_pages = 1
        self._labels: dict[str, int] = {}
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName("Page number")
        self.setToolTip("Type the number or the label of a page and press Enter")

    def set_page(self, page_no: int, n_pages: int) -> None:
        """Show where the reader is; a number being typed is left alone."""
        self._n_pages = max(n_pages, 1)
        width = self.fontMetrics().horizontalAdvance("0" * max(len(str(n_pages)), 2))
        self.setFixedWidth(width + 22)
        self._page_no = page_no
        if not self.hasFocus() or not self.isModified():
            self.setText(str(page_no))

    def set_labels(self, labels: Sequence[str]) -> None:
        """Take what the pages are called in the document, from the first to the last."""
        # The first page of a label wins, as it would be found by leafing.
        pages = [(label, number) for number, label in enumerate(labels, start=1)]
        self._labels = {label.casefold(): number for label, number in reversed(pages)}

    def _page_of(self, typed: str) -> int | None:
        """Return the page with a number or else a label; None when there is none."""
        if typed.isdecimal() and 1 <= int(typed) <= self._n_pages:
            return int(typed)
        return self._labels.get(typed.casefold())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on Enter, take back on Escape; a number that there is not is marked, not obeyed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            page_no = self._page_of(self.text().strip())
            if page_no is not None:
                self.setModified(False)
                self.page_entered.emit(page_no)
            else:
                below = self.mapToGlobal(self.rect().bottomLeft())
                QToolTip.showText(below, f"There are pages 1 to {self._n_pages}", self)
            self.setText(str(self._page_no))
            self.selectAll()
            if page_no is not None:
                self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.setText(str(self._page_no))
            self.selectAll()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the number, so that typing replaces it."""
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take back a number that was not entered."""
        super().focusOutEvent(event)
        self.setText(str(self._page_no))
        self.deselect()
