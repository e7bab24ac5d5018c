"""The foldouts that say why: of a whole answer, and of one piece of evidence."""

from __future__ import annotations

import html
from typing import ClassVar

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QToolTip, QWidget

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
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.gui.widgets.theme import look

_GAP_PX = 8
_BAR_HEIGHT_PX = 5


class BarList(QWidget):
    """Draws one line for each `Bar`; what counts against is drawn in another colour, with a minus.

    Args:
        label_share: How much of the width the words have.
    """

    def __init__(self, label_share: float, parent: QWidget) -> None:
        super().__init__(parent)
        self.bars: tuple[Bar, ...] = ()
        self._label_share = label_share
        self._font = QFont(self.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """Show these bars from the top; nothing when there are none."""
        self.bars = bars
        self._font.setPixelSize(look.answer_sizes.small_px)
        self.setAccessibleName("; ".join(f"{bar.label}: {bar.value}" for bar in bars))
        self.setVisible(bool(bars))
        self.updateGeometry()
        self.update()

    def _line_height(self) -> int:
        return QFontMetrics(self._font).height() + 3

    def sizeHint(self) -> QSize:
        """Return the height of all lines."""
        return QSize(240, self._line_height() * len(self.bars))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw words, bars and numbers."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        metrics, theme = QFontMetrics(self._font), look.theme
        height = self._line_height()
        label_width = round(self.width() * self._label_share)
        value_width = max((metrics.horizontalAdvance(bar.value) for bar in self.bars), default=0)
        left = label_width + _GAP_PX
        room = max(8, self.width() - left - value_width - _GAP_PX)
        middle = Qt.AlignmentFlag.AlignVCenter
        for line, bar in enumerate(self.bars):
            top = line * height
            painter.setPen(QColor(theme.text))
            label = metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, label_width)
            painter.drawText(QRectF(0, top, label_width, height), middle, label)
            painter.setPen(QColor(theme.dim))
            value = QRectF(left + room + _GAP_PX, top, value_width + 1, height)
            painter.drawText(value, middle | Qt.AlignmentFlag.AlignRight, bar.value)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.line))
            track = QRectF(left, top + (height - _BAR_HEIGHT_PX) / 2, room, _BAR_HEIGHT_PX)
            painter.drawRoundedRect(track, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)
            painter.setBrush(QColor(theme.accent if bar.share >= 0 else theme.error))
            track.setWidth(max(2.0, room * min(1.0, abs(bar.share))))
            painter.drawRoundedRect(track, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)

    def event(self, event: QEvent) -> bool:
        """Show the whole words of a line that was cut."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            line = event.pos().y() // self._line_height()
            if 0 <= line < len(self.bars):
                bar = self.bars[line]
                QToolTip.showText(event.globalPos(), f"{bar.label}: {bar.value}", self)
            return True
        return super().event(event)


class _Foldout(QFrame):
    """Lines of rich text, and bars below them."""

    label_share: ClassVar[float] = 0.46
    about: ClassVar[str]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("why_frame")
        self.label = QLabel(self)
        self.label.setObjectName("why_label")
        self.label.setAccessibleName(self.about)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bars = BarList(self.label_share, self)
        layout = in_column(self, margins=(10, 8, 10, 8), spacing=6)
        layout.addWidget(self.label)
        layout.addWidget(self.bars)


class AnswerWhy(_Foldout):
    """Why this answer: what it rests on, how sure it is, how the question was read."""

    label_share = 0.56
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
