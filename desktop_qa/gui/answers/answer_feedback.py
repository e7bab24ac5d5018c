"""Whether an answer was right, and what the user says of it; kept at once, changed, taken back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from desktop_qa.gui.widgets.forms import child
from desktop_qa.gui.widgets.theme import tint

UP, DOWN, NONE = 1, -1, 0

_ASKS = {UP: "What was good about it? (optional)", DOWN: "What was wrong? (optional)"}
_SAID = {UP: "Marked as right.", DOWN: "Marked as wrong."}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What was said of an answer: 1 thumb up, -1 thumb down, 0 neither."""

    verdict: int = NONE
    comment: str = ""


class AnswerFeedback(QObject):
    """Two thumbs, and a field for a comment that opens below the answer.

    Attributes:
        given: With (id in the history, verdict, comment), at each change.
    """

    given = Signal(int, int, str)

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        up_button = child(panel, QToolButton, "up_button")
        down_button = child(panel, QToolButton, "down_button")
        self._buttons = {UP: up_button, DOWN: down_button}
        self._row = child(panel, QWidget, "feedback_row")
        self._edit = child(panel, QLineEdit, "comment_edit")
        self._said = child(panel, QLabel, "said_label")
        self._history_id = 0
        self._known: dict[int, Feedback] = {}
        up_button.clicked.connect(lambda: self._toggle(UP))
        down_button.clicked.connect(lambda: self._toggle(DOWN))
        self._edit.editingFinished.connect(self._on_comment_finished)
        self._edit.returnPressed.connect(self._on_return_pressed)
        child(panel, QToolButton, "undo_button").clicked.connect(self._on_undo_clicked)
        tint(up_button, "thumb_up", "dim", "faint")
        tint(down_button, "thumb_down", "dim", "faint")
        self._row.hide()

    @property
    def feedback(self) -> Feedback:
        """What was said of the answer on screen."""
        return self._known.get(self._history_id, Feedback())

    def show_answer(self, history_id: int) -> None:
        """Show what was said of another answer; 0 is one that is kept nowhere."""
        self._history_id = history_id
        for button in self._buttons.values():
            button.setEnabled(history_id > 0)
            nowhere = "This answer is not kept in the history"
            button.setToolTip(button.accessibleName() if history_id > 0 else nowhere)
        self._show(is_open=False)

    def set_feedback(self, history_id: int, verdict: int, comment: str) -> None:
        """Take over what the library has kept."""
        self._known[history_id] = Feedback(verdict, comment)
        if history_id == self._history_id:
            self._show(is_open=False)

    def forget(self) -> None:
        """Forget what was said: another library numbers its answers from 1 again."""
        self._known.clear()

    def _show(self, *, is_open: bool) -> None:
        feedback = self.feedback
        for verdict, button in self._buttons.items():
            button.setChecked(feedback.verdict == verdict)
        self._edit.blockSignals(True)
        self._edit.setText(feedback.comment)
        self._edit.blockSignals(False)
        if feedback.verdict:
            self._edit.setPlaceholderText(_ASKS[feedback.verdict])
            self._said.setText(_SAID[feedback.verdict])
        self._row.setVisible(bool(feedback.verdict) and (is_open or bool(feedback.comment)))

    def _give(self, feedback: Feedback) -> None:
        if self._history_id and feedback != self.feedback:
            self._known[self._history_id] = feedback
            self.given.emit(self._history_id, feedback.verdict, feedback.comment)

    def _toggle(self, verdict: int) -> None:
        """Give a verdict, or take it back by a second click; the comment goes with it."""
        before = self.feedback
        if before.verdict == verdict:
            self._give(Feedback())
        else:
            self._give(Feedback(verdict, self._edit.text().strip() or before.comment))
        self._show(is_open=True)
        if self.feedback.verdict:
            self._edit.setFocus()

    def _on_comment_finished(self) -> None:
        if self.feedback.verdict:
            self._give(Feedback(self.feedback.verdict, self._edit.text().strip()))

    def _on_return_pressed(self) -> None:
        self._on_comment_finished()
        self._said.setText(
            "Saved." if self.feedback.comment else _SAID[self.feedback.verdict or UP]
        )

    def _on_undo_clicked(self) -> None:
        self._give(Feedback())
        self._show(is_open=False)
