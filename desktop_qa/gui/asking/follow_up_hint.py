"""The line over the box for questions that says what the next question goes on from."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.labels import ElidedLabel, told

_GOES_ON = "Goes on from: "
_ALONE = "Asked alone, without the questions before it"


class FollowUpHint(QWidget):
    """Says it in one quiet line, and has a button for asking alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = ElidedLabel(Qt.TextElideMode.ElideRight, policy=QSizePolicy.Policy.Ignored)
        self.label.setObjectName("follow_up_label")
        self.button = told(QToolButton(self), "quiet_link")
        put(in_row(self, margins=(2, 0, 0, 4), spacing=8), (self.label, 1), self.button)
        self.hide()

    def show_origin(self, question: str, *, is_alone: bool) -> None:
        """Say what the next question goes on from.

        Args:
            question: Complete; empty when there is none to go on from.
            is_alone: The user wants it asked alone.
        """
        question = " ".join(question.split())
        self.label.setText(_ALONE if is_alone else f"{_GOES_ON}{question}")
        self.label.setAccessibleName(self.label.text())
        self.label.setToolTip("" if is_alone else question)
        self.button.setText("Go on from it" if is_alone else "Ask it alone")
        tip = (
            "Let the next question go on from the answer shown"
            if is_alone
            else "Ask the next question as it is typed, without the ones before it"
        )
        self.button.setToolTip(tip)
        self.setVisible(bool(question))

    def minimumSizeHint(self) -> QSize:
        """Give way: the line does not widen the pane."""
        return QSize(100, super().minimumSizeHint().height())
