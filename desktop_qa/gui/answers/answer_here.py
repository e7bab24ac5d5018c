"""How "this page" and "here" were read, with a way to take the reading back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from desktop_qa.core.view import AnswerView
from desktop_qa.gui.widgets.breakable import show_breakable


class AnswerHere(QWidget):
    """A dim line above the answer.

    Attributes:
        everywhere_wanted: With the question, to be asked of all documents.
    """

    everywhere_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("here_row")
        self._question = ""
        self.label = QLabel(self)
        self.label.setObjectName("read_as_label")
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QToolButton(self)
        self.button.setObjectName("literal_button")
        self.button.setText("Search all documents")
        self.button.setToolTip("Ask the same question without looking at what the viewer shows")
        self.button.setAccessibleName("Search all documents instead")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.label, 1)
        line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self.button.clicked.connect(self._on_clicked)
        self.hide()

    def show_answer(self, view: AnswerView | None) -> None:
        """Show how an answer's question was read; nothing when it pointed at nothing."""
        said = view.answer.here if view is not None else ""
        self._question = view.answer.question if view is not None else ""
        show_breakable(self.label, f"{said[:1].upper()}{said[1:]}." if said else "")
        self.setVisible(bool(said))

    def _on_clicked(self) -> None:
        self.everywhere_wanted.emit(self._question)
