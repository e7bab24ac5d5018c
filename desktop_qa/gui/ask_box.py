"""Where a question is typed: grows with it, remembers earlier ones, says whom it asks."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_qa.gui import theme as themes
from desktop_qa.gui.scope_bar import ScopeBar

_MAX_LINES = 5
_MAX_CHARACTERS = 80_000
"""Ten thousand words; a key pressed in a megabyte of text took half a second."""

CUT_HINT = "That is more than a question can hold; only its beginning was pasted."
EMPTY_HINT = "Type a question first, such as “What is the supply voltage of the …?”"


class QuestionEdit(QPlainTextEdit):
    """Enter submits, Shift+Enter breaks the line, Up and Down in an empty box recall.

    Attributes:
        submitted: Enter was pressed.
        recall_requested: With -1 for the question before, 1 for the one after.
        focus_changed: With whether the box has the keyboard.
        paste_cut: Only the beginning of what was pasted has room.
    """

    submitted = Signal()
    recall_requested = Signal(int)
    focus_changed = Signal(bool)
    paste_cut = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recalled = ""
        self.setObjectName("question_edit")
        self.setAccessibleName("Question")
        self.setPlaceholderText("Ask about your documents")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.textChanged.connect(self.fit)

    @property
    def n_lines(self) -> int:
        """Lines on screen, wrapped ones counted."""
        block = self.document().firstBlock()
        count = 0
        while block.isValid():
            layout = block.layout()
            count += max(1, layout.lineCount() if layout is not None else 1)
            block = block.next()
        return count

    def fit(self) -> None:
        """Follow the number of lines, up to five."""
        lines = min(max(self.n_lines, 1), _MAX_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 8)
        too_many = self.n_lines > _MAX_LINES
        on, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(on if too_many else off)

    def sizeHint(self) -> QSize:
        """Return the height of one line."""
        return QSize(200, self.fontMetrics().lineSpacing() + 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Count the lines anew."""
        super().resizeEvent(event)
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Submit, recall, or type."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        text = self.toPlainText()
        # A recalled question that was not touched counts as empty: Up goes on to the one before.
        may_recall = not text or text == self.recalled
        if is_enter and not is_shifted:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Up and may_recall:
            self.recall_requested.emit(-1)
        elif event.key() == Qt.Key.Key_Down and may_recall:
            self.recall_requested.emit(1)
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Leave dropped files to the window, which makes a library of them."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take in as much of what is pasted as a line break can be found in without a stall."""
        text = source.text()
        room = max(_MAX_CHARACTERS - self.document().characterCount(), 0)
        if len(text) <= room:
            super().insertFromMimeData(source)
            return
        self.insertPlainText(text[:room])
        self.paste_cut.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame to show the focus."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame to leave the focus."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)


class AskBox(QWidget):
    """The box, its button and the chips of the scope.

    Attributes:
        asked: With (question, tuple of patterns of `retrieve.scope`; empty is the whole library).
        stop_requested: Stop was pressed.
    """

    asked = Signal(str, object)
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: list[str] = []
        self._recall_index = 0
        self._is_asking = False
        self._theme = themes.LIGHT
        self.edit = QuestionEdit(self)
        self.ask_button = QPushButton("Ask", self)
        self.hint_label = QLabel(EMPTY_HINT, self)
        self._frame = QFrame(self)
        self.scope_bar = ScopeBar(self)
        self._build()
        self.edit.submitted.connect(self.submit)
        self.edit.recall_requested.connect(self._on_recall_requested)
        self.edit.focus_changed.connect(self._on_focus_changed)
        self.edit.textChanged.connect(self.hint_label.hide)
        self.edit.paste_cut.connect(self._on_paste_cut)
        self.ask_button.clicked.connect(self._on_ask_button_clicked)
        self.scope_bar.finished.connect(self.edit.setFocus)

    def _build(self) -> None:
        self.ask_button.setObjectName("primary_button")
        self.ask_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.ask_button.setToolTip("Ask (Enter)")
        self.hint_label.setObjectName("ask_hint")
        self.hint_label.setWordWrap(True)
        self.hint_label.hide()
        self._frame.setObjectName("ask_frame")
        inner = QHBoxLayout(self._frame)
        inner.setContentsMargins(10, 6, 6, 6)
        inner.setSpacing(8)
        inner.addWidget(self.edit, 1)
        inner.addWidget(self.ask_button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.scope_bar)
        layout.addWidget(self._frame)
        layout.addWidget(self.hint_label)
        QWidget.setTabOrder(self.scope_bar.more_button, self.edit)
        QWidget.setTabOrder(self.edit, self.ask_button)
        self.setFocusProxy(self.edit)

    # Asking

    def submit(self) -> None:
        """Ask what is typed; an empty box gets a hint."""
        question = self.edit.toPlainText().strip()
        if not question:
            self.hint_label.setText(EMPTY_HINT)
            self.hint_label.show()
            self.edit.setFocus()
            return
        self.remember(question)
        self.asked.emit(question, self.scope)

    def remember(self, question: str) -> None:
        """Keep a question for Up and Down."""
        if not self._questions or self._questions[-1] != question:
            self._questions.append(question)
        self._recall_index = len(self._questions)

    def set_asking(self, is_asking: bool) -> None:
        """Turn the button into Stop while an answer is sought."""
        self._is_asking = is_asking
        self.ask_button.setText("Stop" if is_asking else "Ask")
        self.ask_button.setToolTip("Stop (Esc)" if is_asking else "Ask (Enter)")
        self.apply_theme(self._theme)

    def clear_answered(self, question: str) -> None:
        """Empty the box after its question was answered; what was typed since then stays."""
        if self.edit.toPlainText().strip() == question:
            self.edit.clear()
            self.edit.recalled = ""

    def set_question(self, question: str) -> None:
        """Put a question into the box, to be edited or asked."""
        self.edit.setPlainText(question)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)
        self.edit.setFocus()

    def _on_ask_button_clicked(self) -> None:
        if self._is_asking:
            self.stop_requested.emit()
        else:
            self.submit()

    def _on_paste_cut(self) -> None:
        self.hint_label.setText(CUT_HINT)
        self.hint_label.show()

    def _on_recall_requested(self, step: int) -> None:
        index = self._recall_index + step
        if not 0 <= index <= len(self._questions):
            return
        self._recall_index = index
        is_past_last = index == len(self._questions)
        question = "" if is_past_last else self._questions[index]
        self.edit.recalled = question
        self.set_question(question)

    def _on_focus_changed(self, has_focus: bool) -> None:
        self._frame.setProperty("focused", has_focus)
        self._frame.style().unpolish(self._frame)
        self._frame.style().polish(self._frame)

    # Scope

    @property
    def scope(self) -> tuple[str, ...]:
        """Patterns of what is asked; empty is the whole library."""
        return tuple(entry.pattern for entry in self.scope_bar.entries)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Tint the button's icon."""
        self._theme = theme
        name = "stop" if self._is_asking else "ask"
        self.ask_button.setIcon(themes.icon(name, theme.on_accent))
