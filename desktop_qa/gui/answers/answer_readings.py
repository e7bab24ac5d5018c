"""How a question was read, and what else it may have meant: each with a button that asks that."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop_qa.gui.widgets.boxes import in_column, in_row, put, take_away
from desktop_qa.gui.widgets.labels import breakable_label, show_breakable, told
from desktop_qa.gui.widgets.theme import tint

_ICON_PX = 14


class ReadAsRow(QWidget):
    """A dim line above the answer, with a button that has the question read otherwise.

    Attributes:
        refused: With the question, which was meant in another way.
    """

    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = ""
        self.label = breakable_label(self, "read_as_label", can_select=True)
        self.label.setAccessibleName("What the question was read as")
        self.button = told(QToolButton(self), "literal_button")
        self.button.clicked.connect(lambda: self.refused.emit(self._question))
        line = in_row(self, margins=(0, 0, 0, 0), spacing=6)
        put(line, (self.label, 1), (self.button, 0, Qt.AlignmentFlag.AlignTop))
        self.hide()

    def offer(self, text: str, tip: str) -> None:
        """Say what the button does."""
        self.button.setText(text)
        self.button.setToolTip(tip)

    def show_reading(self, words: str, question: str = "") -> None:
        """Say how a question was read; nothing when it was taken as it is."""
        self._question = question
        show_breakable(self.label, words)
        self.setVisible(bool(words))


class ReadingButton(QPushButton):
    """A button whose words wrap."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        told(self, "reading_button", f"Ask: {question}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icon = QLabel(self)
        self._label = breakable_label(self, "", question)
        for part in (self._icon, self._label):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        tint(self._icon, "ask", "accent", size_px=_ICON_PX)
        layout = in_row(self, margins=(10, 7, 12, 7), spacing=8)
        put(layout, (self._icon, 0, Qt.AlignmentFlag.AlignTop), (self._label, 1))

    def sizeHint(self) -> QSize:
        """Return the height of the wrapped words."""
        layout = self.layout()
        height = layout.heightForWidth(self.width()) if layout is not None else 0
        return QSize(200, max(32, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.setFixedHeight(self.sizeHint().height())


class AnswerReadings(QWidget):
    """A button for each reading.

    Attributes:
        chosen: With the question to ask.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[ReadingButton] = []
        self.label = told(QLabel(self), "readings_label")
        self._layout = put(in_column(self, margins=(0, 0, 0, 2), spacing=6), self.label)
        self.hide()

    def show_readings(self, readings: tuple[str, ...], *, is_open: bool) -> None:
        """Offer questions.

        Args:
            readings: Complete questions.
            is_open: True when there is no answer before one is chosen.
        """
        take_away(self._layout, self.buttons)
        self.buttons = [ReadingButton(reading, self) for reading in readings]
        for button in self.buttons:
            button.clicked.connect(lambda _on=False, one=button.question: self.chosen.emit(one))
            self._layout.addWidget(button)
        self.label.setText("Choose what to ask:" if is_open else "Or did you mean:")
        self.setVisible(bool(readings))
