"""What stands in place of the pages while there are none to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

_HINT_WIDTH = 340


class MessagePage(QWidget):
    """A calm sentence in the middle of the panel."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pdfMessage")
        self.title = QLabel()
        self.title.setObjectName("pdfMessageTitle")
        self.hint = QLabel()
        self.hint.setObjectName("pdfMessageHint")
        self.hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        font = self.title.font()
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.button = QPushButton("Open in the system's reader")
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(2)
        for label in (self.title, self.hint):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMaximumWidth(_HINT_WIDTH)
            label.setMinimumWidth(min(_HINT_WIDTH, 160))
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            line = QHBoxLayout()
            column.addLayout(line)
            line.addWidget(label)
        column.addSpacing(8)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def show_text(self, title: str, hint: str, *, can_open: bool) -> None:
        """Say something; the button shows when there is a file that another reader may open."""
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.hint.setText(hint)
        self.button.setVisible(can_open)
