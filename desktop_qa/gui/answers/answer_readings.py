"""What an ambiguous question may have meant, as buttons that ask it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import show_breakable

_ICON_PX = 14


class ReadingButton(QPushButton):
    """A button whose words wrap."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.setObjectName("reading_button")
        self.setAccessibleName(f"Ask: {question}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icon = QLabel(self)
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        show_breakable(self._label, question)
        for part in (self._icon, self._label):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        layout = in_row(self, margins=(10, 7, 12, 7), spacing=8)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._label, 1)

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

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw in other colours."""
        scale = self.devicePixelRatioF()
        self._icon.setPixmap(themes.icon_pixmap("ask", theme.accent, _ICON_PX, scale))


class AnswerReadings(QWidget):
    """A button for each reading.

    Attributes:
        chosen: With the question to ask.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = themes.LIGHT
        self.buttons: list[ReadingButton] = []
        self.label = QLabel(self)
        self.label.setObjectName("readings_label")
        self._layout = in_column(self, margins=(0, 0, 0, 2), spacing=6)
        self._layout.addWidget(self.label)
        self.hide()

    def show_readings(self, readings: tuple[str, ...], *, is_open: bool) -> None:
        """Offer questions.

        Args:
            readings: Complete questions.
            is_open: True when there is no answer before one is chosen.
        """
        for button in self.buttons:
            self._layout.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [ReadingButton(reading, self) for reading in readings]
        for button in self.buttons:
            button.apply_theme(self._theme)
            button.clicked.connect(partial(self._on_clicked, button.question))
            self._layout.addWidget(button)
        self.label.setText("Choose what to ask:" if is_open else "Or did you mean:")
        self.setVisible(bool(readings))

    def _on_clicked(self, question: str, _checked: bool = False) -> None:
        self.chosen.emit(question)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        for button in self.buttons:
            button.apply_theme(theme)
