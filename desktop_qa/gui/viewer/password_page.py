"""Asks for the password of a document, in place of its pages."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import show_breakable

_WIDTH = 340
_KEPT = "It is kept until the program ends, in memory only."


class PasswordPage(QWidget):
    """A line for a password.

    Signals:
        password_entered: What was typed; never empty.
    """

    password_entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passwordPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = _label("passwordTitle")
        font = self.title.font()
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.wrong = _label("passwordWrong")
        self.wrong.setText("That password does not open it.")
        self.hint = _label("passwordHint")
        self.hint.setText(_KEPT)
        self.edit = QLineEdit()
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setPlaceholderText("Password")
        self.edit.setAccessibleName("Password of the document")
        self.edit.setToolTip(_KEPT)
        self.button = QPushButton("Open")
        self.button.setToolTip("Open the document with this password (Enter)")
        self.button.setAccessibleName("Open the document")
        self.shows = QCheckBox("Show what is typed")
        self.shows.setToolTip("Show the letters of the password")
        self._lay_out()
        self.button.setEnabled(False)
        self.edit.textChanged.connect(lambda text: self.button.setEnabled(bool(text)))
        self.edit.returnPressed.connect(self._enter)
        self.button.clicked.connect(self._enter)
        self.shows.toggled.connect(self._on_shows_toggled)
        self.setFocusProxy(self.edit)

    def _lay_out(self) -> None:
        block = QWidget()
        block.setMaximumWidth(_WIDTH)
        inner = in_column(block, margins=(0, 0, 0, 0), spacing=10)
        inner.addWidget(self.title)
        line = in_row(spacing=8, inside=inner)
        line.addWidget(self.edit, 1)
        line.addWidget(self.button)
        inner.addWidget(self.wrong)
        inner.addWidget(self.shows)
        inner.addWidget(self.hint)
        column = QVBoxLayout(self)
        column.addStretch(2)
        across = in_row(inside=column)
        across.addStretch(1)
        across.addWidget(block, 6)
        across.addStretch(1)
        column.addStretch(3)

    def ask(self, name: str, *, was_wrong: bool) -> None:
        """Ask for the password of a document.

        Args:
            name: Of the file.
            was_wrong: The one that was typed does not open it.
        """
        show_breakable(self.title, f"{name} is protected by a password.")
        self.wrong.setVisible(was_wrong)
        if was_wrong:
            self.edit.selectAll()
        else:
            self.forget()

    def forget(self) -> None:
        """Leave no typed letter behind."""
        self.edit.clear()
        self.shows.setChecked(False)

    def _enter(self) -> None:
        if self.edit.text():
            self.password_entered.emit(self.edit.text())

    def _on_shows_toggled(self, is_shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self.edit.setEchoMode(mode)


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
