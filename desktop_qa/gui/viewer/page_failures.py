"""Pages that cannot be drawn say so on their paper, with a button to try again."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

_PAPER_STYLE = (
    "QWidget#pageFailure { background: #ffffff; }"
    "QLabel#pageFailureText { color: #4a5262; background: transparent; }"
)
_LEAST_HEIGHT = 90
"""Lower pages have room for the button alone, lower ones still for nothing."""
_LEAST_WIDTH = 120


class PageFailures(QObject):
    """Notes over the papers of pages that cannot be drawn.

    Signals:
        retry_clicked: Index of the page that is to be drawn once more.
    """

    retry_clicked = Signal(int)

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._notes: dict[int, _Note] = {}

    def show_on(self, papers: Mapping[int, QRect]) -> None:
        """Put notes on these pages: index and paper in the viewport; all others leave."""
        for page_index in [index for index in self._notes if index not in papers]:
            note = self._notes.pop(page_index)
            note.hide()
            note.deleteLater()
        for page_index, paper in papers.items():
            if page_index not in self._notes:
                self._notes[page_index] = self._made(page_index)
            self._notes[page_index].lie_on(paper)

    @property
    def buttons(self) -> dict[int, QPushButton]:
        """The buttons on screen by the index of their page."""
        return {index: note.button for index, note in self._notes.items()}

    def _made(self, page_index: int) -> _Note:
        note = _Note(page_index + 1, self._viewport)
        note.button.clicked.connect(lambda: self.retry_clicked.emit(page_index))
        return note


class _Note(QWidget):
    def __init__(self, page_no: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pageFailure")
        self.setStyleSheet(_PAPER_STYLE)
        self.text = QLabel("This page cannot be drawn.")
        self.text.setObjectName("pageFailureText")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setWordWrap(True)
        self.button = QPushButton("Try Again")
        self.button.setAccessibleName(f"Try to draw page {page_no} again")
        self.button.setToolTip(f"Try to draw page {page_no} again")
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.addStretch(1)
        column.addWidget(self.text)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def lie_on(self, paper: QRect) -> None:
        """Stand in the middle of a paper, no larger than it."""
        size = self.sizeHint().expandedTo(self.minimumSize()).boundedTo(paper.size())
        self.text.setVisible(paper.height() >= _LEAST_HEIGHT)
        self.button.setVisible(paper.width() >= _LEAST_WIDTH)
        rect = QRect(0, 0, min(max(size.width(), 260), paper.width()), min(120, paper.height()))
        rect.moveCenter(paper.center())
        self.setGeometry(rect)
        self.show()
