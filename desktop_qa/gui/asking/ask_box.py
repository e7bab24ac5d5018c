"""Where a question is typed: grows with it, remembers earlier ones, says whom it asks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from desktop_qa.core.question import Question
from desktop_qa.gui.asking.question_edit import MAX_CHARACTERS, QuestionEdit
from desktop_qa.gui.asking.scope_bar import ScopeBar
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.labels import plain_label, told
from desktop_qa.gui.widgets.theme import restyle, tint


class BoxMode(StrEnum):
    """What the box is for."""

    ASK = "ask"
    SEARCH = "search"


_WORDS = {
    BoxMode.ASK: ("Ask", "Answer a question with its sources (Ctrl+Shift+L)"),
    BoxMode.SEARCH: ("Search", "List the places that hold words, without an answer (Ctrl+Shift+L)"),
}


class ModeSwitch(QFrame):
    """A segmented control; Left and Right move it.

    Attributes:
        chosen: With the `BoxMode` that the user chose.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        told(self, "mode_switch", "Ask or search")
        self.buttons: dict[BoxMode, QPushButton] = {}
        line = in_row(self, margins=(2, 2, 2, 2), spacing=2)
        for mode, (text, tip) in _WORDS.items():
            button = told(
                QPushButton(text, self), "mode_button", f"{text}: {tip.partition(' (')[0]}", tip
            )
            button.setCheckable(True)
            on_keys(button, {"Left, Right": self._switch})
            button.clicked.connect(partial(self._on_clicked, mode))
            line.addWidget(button)
            self.buttons[mode] = button
        self.set_mode(BoxMode.ASK)

    def set_mode(self, mode: BoxMode) -> None:
        """Press a button without telling."""
        self.mode = mode
        # Not by a button group: in one, Tab would stop at the pressed button alone.
        for own, button in self.buttons.items():
            button.setChecked(own is mode)

    def _on_clicked(self, mode: BoxMode, _checked: bool = False) -> None:
        is_another = mode is not self.mode
        self.set_mode(self.mode)  # who is told presses the other one
        if is_another:
            self.chosen.emit(mode)

    def _switch(self) -> None:
        other = BoxMode.SEARCH if self.mode is BoxMode.ASK else BoxMode.ASK
        self.buttons[other].setFocus(Qt.FocusReason.TabFocusReason)
        self._on_clicked(other)


CUT_HINT = (
    f"That is more than a question can hold; only its beginning ({MAX_CHARACTERS:,} characters) was"
    " pasted. The clipboard still has all of it."
)
EMPTY_HINT = "Type a question first, such as “What is the supply voltage of the …?”"
EMPTY_SEARCH_HINT = "Type words first, such as “supply voltage” or “kind:table offset”."
_PLACEHOLDERS = {
    BoxMode.ASK: "Ask about your documents",
    BoxMode.SEARCH: 'Search: words, "exact phrase", -without, kind:table, part:…',
}
_SHARE_OF_PANE = 3
_ROWS_PX = 74
"""What stands around the text: the line of the scope, the frame, the margins."""


class AskBox(QWidget):
    """The box, its button and the chips of the scope.

    Attributes:
        asked: With the `Question`, of the documents that the chips name.
        searched: With what shall be searched for, now.
        mode_changed: With the `BoxMode`.
    """

    asked = Signal(object)
    searched = Signal(str)
    stop_requested = Signal()
    mode_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: list[str] = []
        self._recall_index = 0
        self._is_asking = False
        self._texts = dict.fromkeys(BoxMode, "")
        self.edit = told(QuestionEdit(self), "question_edit", "Question")
        self.edit.setPlaceholderText(_PLACEHOLDERS[BoxMode.ASK])
        self.ask_button = told(QPushButton("Ask", self), "primary_button")
        self.hint_label = plain_label(EMPTY_HINT, self, "ask_hint")
        self.frame = told(QFrame(self), "ask_frame")
        self.scope_bar = ScopeBar(self)
        self.mode_switch = ModeSwitch(self)
        self.ask_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.hint_label.hide()
        inner = in_row(self.frame, margins=(10, 6, 6, 6), spacing=8)
        put(inner, (self.edit, 1), (self.ask_button, 0, Qt.AlignmentFlag.AlignBottom))
        layout = in_column(self, margins=(0, 0, 0, 0), spacing=8)
        above = in_row(margins=(0, 0, 0, 0), spacing=8, inside=layout)
        put(above, (self.scope_bar, 1), self.mode_switch)
        put(layout, self.frame, self.hint_label)
        self.setFocusProxy(self.edit)
        self._show_button()
        self.edit.submitted.connect(self.submit)
        self.edit.recall_requested.connect(self._on_recall_requested)
        self.edit.focus_changed.connect(partial(restyle, self.frame, "focused"))
        self.edit.textChanged.connect(self.hint_label.hide)
        self.edit.paste_cut.connect(partial(self.show_hint, CUT_HINT))
        self.edit.erased_in_front.connect(self.scope_bar.remove_last)
        self.ask_button.clicked.connect(self._on_ask_button_clicked)
        self.scope_bar.popup.closed.connect(self.edit.setFocus)
        self.mode_switch.chosen.connect(self.set_mode)
        self.mode_switch.chosen.connect(lambda _mode: self.edit.setFocus())

    def set_room(self, pane_height_px: int) -> None:
        """Let the box grow to a third of the pane that it stands in."""
        self.edit.set_most(pane_height_px // _SHARE_OF_PANE - _ROWS_PX)

    @property
    def mode(self) -> BoxMode:
        """Whether what is typed is asked or searched."""
        return self.mode_switch.mode

    def set_mode(self, mode: BoxMode) -> None:
        """Ask or search; what was typed for the other stays there."""
        before = self.mode
        if mode is before:
            return
        self.mode_switch.set_mode(mode)
        self._texts[before] = self.edit.toPlainText()
        text = self._texts[self.mode]
        if self.mode is BoxMode.SEARCH:
            # A question's words are worth searching for; a search is no question.
            text = text or self._texts[before]
        self.edit.recalled = ""
        self.edit.replace_text(text)
        self.edit.setPlaceholderText(_PLACEHOLDERS[self.mode])
        self.edit.setAccessibleName("Search" if self.mode is BoxMode.SEARCH else "Question")
        self._show_button()
        self.mode_changed.emit(self.mode)

    def submit(self) -> None:
        """Ask or search what is typed; an empty box gets a hint."""
        text = self.edit.toPlainText().strip()
        is_search = self.mode is BoxMode.SEARCH
        if not text:
            self.show_hint(EMPTY_SEARCH_HINT if is_search else EMPTY_HINT)
            self.edit.setFocus()
        elif is_search:
            self.searched.emit(text)
        else:
            self.remember(text)
            self.asked.emit(Question(text, self.scope))

    def show_hint(self, sentence: str) -> None:
        """Say something below the box until the text changes."""
        self.hint_label.setText(sentence)
        self.hint_label.show()

    def remember(self, question: str) -> None:
        """Keep a question for Up and Down."""
        if not self._questions or self._questions[-1] != question:
            self._questions.append(question)
        self._recall_index = len(self._questions)

    def set_questions(self, questions: Iterable[str]) -> None:
        """Let Up and Down recall these, the latest last: another library was opened."""
        self._questions = list(questions)
        self._recall_index = len(self._questions)

    def set_asking(self, is_asking: bool) -> None:
        """Turn the button into Stop while an answer is sought."""
        self._is_asking = is_asking
        self._show_button()

    def show_draft(self, draft: str) -> None:
        """Show a question that is not asked yet; a search that is being typed stays."""
        if self.mode is BoxMode.SEARCH:
            self._texts[BoxMode.ASK] = draft
        elif self.edit.toPlainText() != draft:
            self.edit.replace_text(draft)
            self.edit.recalled = ""

    def set_question(self, question: str) -> None:
        """Put a question into the box, to be edited or asked."""
        self.set_mode(BoxMode.ASK)
        self._set_text(question)

    def set_search(self, text: str) -> None:
        """Put words into the box and search for them."""
        self.set_mode(BoxMode.SEARCH)
        self._set_text(text)
        self.submit()

    def _set_text(self, text: str) -> None:
        self.edit.replace_text(text)
        self.edit.setFocus()

    def _on_ask_button_clicked(self) -> None:
        if self._shows_stop:
            self.stop_requested.emit()
        else:
            self.submit()

    def _on_recall_requested(self, step: int) -> None:
        index = self._recall_index + step
        if self.mode is BoxMode.SEARCH or not 0 <= index <= len(self._questions):
            return
        self._recall_index = index
        is_past_last = index == len(self._questions)
        question = "" if is_past_last else self._questions[index]
        self.edit.recalled = question
        self._set_text(question)

    @property
    def scope(self) -> tuple[str, ...]:
        """Patterns of what is asked; empty is the whole library."""
        return tuple(entry.pattern for entry in self.scope_bar.entries)

    @property
    def _shows_stop(self) -> bool:
        return self._is_asking and self.mode is BoxMode.ASK

    def _show_button(self) -> None:
        is_search = self.mode is BoxMode.SEARCH
        text, tip = ("Search ", "Search (Enter)") if is_search else ("Ask", "Ask (Enter)")
        if self._shows_stop:
            text, tip = "Stop", "Stop (Esc)"
        self.ask_button.setText(text)
        self.ask_button.setToolTip(tip)
        idle = "search" if is_search else "ask"
        tint(self.ask_button, "stop" if self._shows_stop else idle, "on_accent")
