"""Pages that cannot be drawn say so on their paper, with a button to try again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop_qa.gui.widgets.boxes import in_column

_PAPER_STYLE = (
    "QWidget#pageFailure { background: #ffffff; }"
    "QLabel#pageFailureText { color: #4a5262; background: transparent; }"
)
_LEAST_HEIGHT = 90
"""Lower pages have room for the button alone, lower ones still for nothing."""
_LEAST_WIDTH = 120


class FailureNote(QWidget):
    """Says over the paper of a page that it cannot be drawn.

    Args:
        page_index: Of the page.
        viewport: What the pages are seen in.
        retry: Takes the index of a page that is to be drawn once more.
    """

    def __init__(self, page_index: int, viewport: QWidget, retry: Callable[[int], None]) -> None:
        super().__init__(viewport)
        self.setObjectName("pageFailure")
        self.setStyleSheet(_PAPER_STYLE)
        self.text = QLabel("This page cannot be drawn.")
        self.text.setObjectName("pageFailureText")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setWordWrap(True)
        self.button = QPushButton("Try Again")
        self.button.setAccessibleName(f"Try to draw page {page_index + 1} again")
        self.button.setToolTip(self.button.accessibleName())
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        self.button.clicked.connect(lambda: retry(page_index))
        column = in_column(self, margins=(8, 4, 8, 4))
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
