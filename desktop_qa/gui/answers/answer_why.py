"""The foldouts that say why: of a whole answer, and of one piece of evidence."""

from __future__ import annotations

import html
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from desktop_qa.core.answer import Evidence
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.answers.answer_reasons import (
    Bar,
    answer_reasons,
    found_sentence,
    hit_scores,
    matched_words,
    read_cells,
    score_bars,
    support_bars,
)
from desktop_qa.gui.widgets.boxes import in_column, put, take_away
from desktop_qa.gui.widgets.labels import ElidedLabel, plain_tip, told
from desktop_qa.gui.widgets.theme import look

_GAP_PX = 8


class BarList(QWidget):
    """One line for each `Bar`: its words, the bar, its number.

    Args:
        label_share: How much of the width the words have, in hundredths.
    """

    def __init__(self, label_share: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts: list[QWidget] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP_PX)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, label_share)
        self._grid.setColumnStretch(1, 100 - label_share)

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """Show these bars from the top; nothing when there are none."""
        take_away(self._grid, self._parts)
        self._parts = []
        for row, bar in enumerate(bars):
            label = ElidedLabel(Qt.TextElideMode.ElideRight, 0, QSizePolicy.Policy.Ignored)
            label.setText(bar.label)
            label.setToolTip(plain_tip(f"{bar.label}: {bar.value}"))
            gauge, value = QProgressBar(), QLabel(bar.value)
            gauge.setTextVisible(False)
            gauge.setValue(round(100 * min(1.0, abs(bar.share))))
            gauge.setProperty("against", bar.share < 0)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            parts = {"why_label": label, "why_gauge": gauge, "count_label": value}
            for column, (name, part) in enumerate(parts.items()):
                part.setObjectName(name)
                self._grid.addWidget(part, row, column)
                self._parts.append(part)
        self.setVisible(bool(bars))


class _Foldout(QFrame):
    """Lines of rich text, and bars below them."""

    label_share: ClassVar[int] = 46
    about: ClassVar[str]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("why_frame")
        self.label = told(QLabel(self), "why_label", self.about)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bars = BarList(self.label_share, self)
        put(in_column(self, margins=(10, 8, 10, 8), spacing=6), self.label, self.bars)


class AnswerWhy(_Foldout):
    """Why this answer: what it rests on, how sure it is, how the question was read."""

    label_share = 56
    about = "Why this answer"

    def show_reasons(self, view: AnswerView) -> None:
        """Say it of an answer."""
        rows = "".join(
            f"<tr><td style='color:{look.theme.dim}; padding-right:12px; white-space:nowrap'>"
            f"{html.escape(reason.title)}</td><td>{html.escape(reason.text)}</td></tr>"
            for reason in answer_reasons(view)
        )
        self.label.setText(f"<table cellspacing='0' cellpadding='1'>{rows}</table>")
        self.bars.show_bars(support_bars(view.answer))


class EvidenceWhy(_Foldout):
    """Why this piece: how it was found, what it shares with the question, what its score is."""

    about = "Why this piece of evidence"

    def show_reasons(self, view: EvidenceView, evidence: Evidence) -> None:
        """Say it of a piece."""
        lines = [html.escape(found_sentence(evidence))]
        if words := matched_words(evidence):
            style = f"background-color:{look.theme.accent_soft}; color:{look.theme.accent}"
            chips = (
                f"<span style='{style}'>&nbsp;{html.escape(word)}&nbsp;</span>" for word in words
            )
            lines.append(f"Holds {' '.join(chips)}")
        if cells := read_cells(view):
            lines.append(html.escape(cells))
        numbers = f"Score {evidence.score:.2f}"
        if scores := hit_scores(evidence.hits):
            numbers += f" &nbsp;·&nbsp; {scores}"
        lines.append(f"<span style='color:{look.theme.dim}'>{numbers}</span>")
        self.label.setText("<br/>".join(lines))
        self.bars.show_bars(score_bars(evidence))
