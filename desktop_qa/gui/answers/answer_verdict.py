"""What an answer chose, at a glance: "C", "True"."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop_qa.core.answer import THEY_DISAGREE, Answer

_VERDICTS = {"true": "✓  True", "false": "✕  False"}


class AnswerVerdict(QWidget):
    """Badges before the words of an answer; not shown when it chose nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badges: list[QLabel] = []
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._layout.addStretch(1)
        self.hide()

    def show_verdict(self, answer: Answer | None) -> None:
        """Show what another answer chose."""
        for badge in self.badges:
            self._layout.removeWidget(badge)
            badge.hide()
            badge.deleteLater()
        self.badges = []
        if answer is not None:
            for letter in answer.chosen:
                self._add(letter, "choice_badge", f"Chosen: {letter}")
            if THEY_DISAGREE in answer.text:
                badge = self._add("⚠  Documents disagree", "verdict_badge", "Documents disagree")
                badge.setProperty("verdict", "disagree")
            if answer.verdict:
                words = _VERDICTS.get(answer.verdict, answer.verdict.capitalize())
                badge = self._add(words, "verdict_badge", f"Verdict: {answer.verdict}")
                badge.setProperty("verdict", answer.verdict)
        self.setVisible(bool(self.badges))

    def _add(self, text: str, name: str, spoken: str) -> QLabel:
        badge = QLabel(text, self)
        badge.setObjectName(name)
        badge.setAccessibleName(spoken)
        badge.setTextFormat(Qt.TextFormat.PlainText)
        badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout.insertWidget(len(self.badges), badge)
        self.badges.append(badge)
        return badge
