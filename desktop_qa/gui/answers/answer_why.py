"""The foldouts that say why: of a whole answer, and of one piece of evidence."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop_qa.core.answer import Evidence
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.answers.answer_reasons import (
    answer_reasons,
    found_sentence,
    hit_scores,
    matched_words,
    read_cells,
    score_bars,
    support_bars,
)
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.bar_list import BarList

_SENTENCE_SHARE = 0.56


class _Foldout(QFrame):
    """Lines of rich text, and bars below them."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName("why_frame")
        self.label = QLabel(self)
        self.label.setObjectName("why_label")
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._bars: BarList | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(10, 8, 10, 8)
        self._layout.setSpacing(6)
        self._layout.addWidget(self.label)

    def _show_bars(self, bars: BarList | None) -> None:
        if self._bars is not None:
            self._layout.removeWidget(self._bars)
            self._bars.hide()
            self._bars.deleteLater()
        self._bars = bars
        if bars is not None:
            self._layout.addWidget(bars)

    def _dress_bars(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        if self._bars is not None:
            self._bars.apply_theme(theme, sizes)


class AnswerWhy(_Foldout):
    """Why this answer: what it rests on, how sure it is, how the question was read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: AnswerView | None = None
        self.label.setAccessibleName("Why this answer")

    def show_reasons(self, view: AnswerView, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Say it of another answer."""
        if view is not self._view:
            self._view = view
            bars = support_bars(view.answer)
            self._show_bars(BarList(bars, _SENTENCE_SHARE, self) if bars else None)
        rows = "".join(
            f"<tr><td style='color:{theme.dim}; padding-right:12px; white-space:nowrap'>"
            f"{html.escape(reason.title)}</td><td>{html.escape(reason.text)}</td></tr>"
            for reason in answer_reasons(view)
        )
        self.label.setText(f"<table cellspacing='0' cellpadding='1'>{rows}</table>")
        self._dress_bars(theme, sizes)


class EvidenceWhy(_Foldout):
    """Why this piece: how it was found, what it shares with the question, what its score is."""

    def __init__(
        self, view: EvidenceView, evidence: Evidence, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._view, self._evidence = view, evidence
        self.label.setAccessibleName("Why this piece of evidence")
        bars = score_bars(evidence)
        if bars:
            self._show_bars(BarList(bars, parent=self))

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Write in other colours."""
        evidence = self._evidence
        lines = [html.escape(found_sentence(evidence))]
        if words := matched_words(evidence):
            style = f"background-color:{theme.accent_soft}; color:{theme.accent}"
            chips = (
                f"<span style='{style}'>&nbsp;{html.escape(word)}&nbsp;</span>" for word in words
            )
            lines.append(f"Holds {' '.join(chips)}")
        if cells := read_cells(self._view):
            lines.append(html.escape(cells))
        numbers = f"Score {evidence.score:.2f}"
        if scores := hit_scores(evidence.hits):
            numbers += f" &nbsp;·&nbsp; {scores}"
        lines.append(f"<span style='color:{theme.dim}'>{numbers}</span>")
        self.label.setText("<br/>".join(lines))
        self._dress_bars(theme, sizes)
