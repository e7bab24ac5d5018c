"""What stands in place of the pages while there are none to show, or over them for a while."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.labels import plain_label, say, show_breakable, told
from desktop_qa.gui.widgets.timers import single_shot

_WIDTH_PX = 340
_SHOWN_MS = 4_000
_PER_WORD_MS = 180
_HINT_MARGIN_PX = 16
_HINT_WIDTH_PX = 420
_PAPER_STYLE = (
    "QWidget#pageFailure { background: #ffffff; }"
    "QLabel#pageFailureText { color: #4a5262; background: transparent; }"
)
_LEAST_NOTE_PX = 90
"""Lower pages have room for the button alone, lower ones still for nothing."""
_LEAST_BUTTON_PX = 120
_KEPT = "It is kept until the program ends, in memory only."


class MessagePage(QWidget):
    """A calm sentence in the middle of the panel."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pdfMessage")
        self.title = plain_label("", None, "pdfMessageTitle")
        self.hint = plain_label("", None, "pdfMessageHint")
        self.button = QPushButton("Open in the system's reader")
        column = put(in_column(self, spacing=8), (None, 2))
        for label in (self.title, self.hint):
            label.setMaximumWidth(_WIDTH_PX)
            label.setMinimumWidth(160)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            in_row(inside=column).addWidget(label)
        put(column, 8, (self.button, 0, Qt.AlignmentFlag.AlignHCenter), (None, 3))

    def show_text(self, title: str, hint: str, *, can_open: bool) -> None:
        """Say something; the button shows when there is a file that another reader may open."""
        say(self.title, title)
        self.hint.setText(hint)
        self.button.setVisible(can_open)


class PasswordPage(QWidget):
    """A line for a password; `password_entered` tells it, never empty."""

    password_entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("passwordPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = plain_label("", None, "passwordTitle")
        self.wrong = plain_label("That password does not open it.", None, "passwordWrong")
        self.hint = plain_label(_KEPT, None, "passwordHint")
        self.edit = told(QLineEdit(), spoken="Password of the document", tip=_KEPT)
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setPlaceholderText("Password")
        tip = "Open the document with this password (Enter)"
        self.button = told(QPushButton("Open"), spoken="Open the document", tip=tip)
        self.shows = told(QCheckBox("Show what is typed"), tip="Show the letters of the password")
        block = QWidget(maximumWidth=_WIDTH_PX)
        inner = put(in_column(block, margins=(0, 0, 0, 0), spacing=10), self.title)
        put(in_row(spacing=8, inside=inner), (self.edit, 1), self.button)
        put(inner, self.wrong, self.shows, self.hint)
        column = put(in_column(self), (None, 2))
        put(in_row(inside=column), None, (block, 6), None)
        column.addStretch(3)
        self.button.setEnabled(False)
        self.edit.textChanged.connect(lambda text: self.button.setEnabled(bool(text)))
        self.edit.returnPressed.connect(self._enter)
        self.button.clicked.connect(self._enter)
        mode = QLineEdit.EchoMode
        self.shows.toggled.connect(
            lambda is_shown: self.edit.setEchoMode(mode.Normal if is_shown else mode.Password)
        )
        self.setFocusProxy(self.edit)

    def ask(self, name: str, *, was_wrong: bool) -> None:
        """Ask for the password of a file, anew when the one typed before was wrong."""
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


class FailureNote(QWidget):
    """Says over the paper of a page that it cannot be drawn."""

    def __init__(self, page_index: int, viewport: QWidget, retry: Callable[[int], None]) -> None:
        super().__init__(viewport)
        self.setStyleSheet(_PAPER_STYLE)
        self.setObjectName("pageFailure")
        self.text = plain_label("This page cannot be drawn.", None, "pageFailureText")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        said = f"Try to draw page {page_index + 1} again"
        self.button = told(QPushButton("Try Again"), spoken=said, tip=said)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        self.button.clicked.connect(lambda: retry(page_index))
        column = in_column(self, margins=(8, 4, 8, 4))
        put(column, None, self.text, (self.button, 0, Qt.AlignmentFlag.AlignHCenter), None)

    def lie_on(self, paper: QRect) -> None:
        """Stand in the middle of a paper, no larger than it."""
        self.text.setVisible(paper.height() >= _LEAST_NOTE_PX)
        self.button.setVisible(paper.width() >= _LEAST_BUTTON_PX)
        width = max(self.sizeHint().width(), 260)
        rect = QRect(0, 0, min(width, paper.width()), min(120, paper.height()))
        rect.moveCenter(paper.center())
        self.setGeometry(rect)
        self.show()


class ViewHint(QLabel):
    """A sentence at the bottom of a widget for some seconds: what was copied, what cannot be done.

    Nothing moves when it comes and goes.
    """

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.setObjectName("view_hint")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._host = host
        self._timer = single_shot(self, self.hide)
        self.hide()
        host.installEventFilter(self)

    def say(self, sentence: str) -> None:
        """Show a sentence, the longer the longer."""
        self.setText(sentence)
        self.setAccessibleName(sentence)
        self._place()
        self.show()
        self.raise_()
        self._timer.start(_SHOWN_MS + _PER_WORD_MS * len(sentence.split()))

    def _place(self) -> None:
        room = self._host.width() - 2 * _HINT_MARGIN_PX
        # Measured as one line: a label that wraps reports a narrow column of words.
        self.setWordWrap(False)
        width = min(self.sizeHint().width(), _HINT_WIDTH_PX, max(room, 80))
        self.setWordWrap(True)
        self.resize(width, self.heightForWidth(width))
        x = (self._host.width() - self.width()) // 2
        self.move(x, self._host.height() - self.height() - _HINT_MARGIN_PX)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the bottom."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)
