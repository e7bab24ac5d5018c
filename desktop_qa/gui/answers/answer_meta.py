"""What is said of an answer in a few words: its verdict above, and the line under it."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from desktop_qa.core.answer import THEY_DISAGREE, Answer, AnswerStatus, Trust
from desktop_qa.gui.answers.answer_reasons import sureness
from desktop_qa.gui.widgets.answer_html import markers_of
from desktop_qa.gui.widgets.boxes import in_row, put, take_away
from desktop_qa.gui.widgets.labels import n_of, shortened, told
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

_BETWEEN = " &nbsp;·&nbsp; "
_LEAST_SECONDS = 0.1
_MAX_SCOPE_SHOWN = 3
_MAX_SCOPE_CHARACTERS = 28
_GAP_PX = 8
_EVEN = 0.5
_VERDICTS = {"true": "✓  True", "false": "✕  False"}


class AnswerVerdict(QWidget):
    """Badges before the words of an answer; not shown when it chose nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badges: list[QLabel] = []
        self._layout = put(in_row(self, margins=(0, 0, 0, 0), spacing=6), None)
        self.hide()

    def show_verdict(self, answer: Answer | None) -> None:
        """Show what another answer chose."""
        take_away(self._layout, self.badges)
        self.badges = []
        if answer is not None:
            for letter in answer.chosen:
                self._add(letter, "choice_badge", f"Chosen: {letter}")
            if THEY_DISAGREE in answer.text:
                badge = self._add("⚠  Documents disagree", "verdict_badge", "Documents disagree")
                badge.setProperty("verdict", "disagree")
            if answer.verdict and answer.trust is Trust.STATED:
                words = _VERDICTS.get(answer.verdict, answer.verdict.capitalize())
                badge = self._add(words, "verdict_badge", f"Verdict: {answer.verdict}")
                badge.setProperty("verdict", answer.verdict)
            elif answer.verdict:
                # Without the colour of what may be relied on.
                is_likely = (answer.probability or 0.0) >= _EVEN
                words = f"{'Likely' if is_likely else 'Perhaps'} {answer.verdict}"
                self._add(words, "verdict_badge", f"Verdict: {words}")
        self.setVisible(bool(self.badges))

    def _add(self, text: str, name: str, spoken: str) -> QLabel:
        badge = told(QLabel(text, self), name, spoken)
        badge.setTextFormat(Qt.TextFormat.PlainText)
        badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout.insertWidget(len(self.badges), badge)
        self.badges.append(badge)
        return badge


def meta_parts(answer: Answer) -> tuple[str, ...]:
    """Return what is said of an answer as pieces of HTML, the most telling first."""
    n_citations = len(markers_of(answer))
    parts: list[str] = []
    if said := sureness(answer):
        colour = look.theme.ok if answer.trust is Trust.STATED else look.theme.dim
        parts.append(f"<span style='color:{colour}'>{said[:1].upper()}{said[1:]}</span>")
    if answer.status is AnswerStatus.ANSWERED and n_citations:
        parts.append(
            f"<span style='color:{look.theme.ok}'>✓</span> {n_of(n_citations, 'citation')}"
        )
    parts.append(f"{max(answer.seconds, _LEAST_SECONDS):.1f} s")
    parts.append("offline" if answer.model == "extractive" else html.escape(answer.model))
    n_searched, n_all = answer.n_documents_searched, answer.n_documents
    if n_searched < n_all:
        parts.append(f"{n_searched} of {n_all} documents searched")
    if answer.scope:
        shown = answer.scope[:_MAX_SCOPE_SHOWN]
        names = [html.escape(shortened(name, _MAX_SCOPE_CHARACTERS)) for name in shown]
        more = len(answer.scope) - len(names)
        tail = f" and {more} more" if more else ""
        parts.append(f"only {', '.join(names)}{tail}")
    return tuple(parts)


class AnswerMeta(QLabel):
    """One line; what has no room in it is told by its tool tip.

    Attributes:
        shown_parts: The pieces that there is room for.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[str, ...] = ()
        self.shown_parts: tuple[str, ...] = ()
        self._further = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[str], further: str = "") -> None:
        """Show pieces of HTML; what is said further is HTML, too, and only in the tool tip."""
        self._parts, self._further = tuple(parts), further
        self.setText(_BETWEEN.join(self._parts))
        self._fit()

    @property
    def whole_width(self) -> int:
        """The width in pixels that shows all pieces."""
        return math.ceil(self._laid_out(self._parts).idealWidth())

    def _laid_out(self, parts: Sequence[str]) -> QTextDocument:
        document = QTextDocument(documentMargin=0, defaultFont=self.font())
        colour = self.palette().color(QPalette.ColorRole.WindowText).name()
        words = _BETWEEN.join(parts) + (" …" if len(parts) < len(self._parts) else "")
        document.setHtml(f"<div style='color:{colour}; white-space:nowrap'>{words}</div>")
        return document

    def _fit(self) -> None:
        n_shown = len(self._parts)
        while n_shown > 1:
            if self._laid_out(self._parts[:n_shown]).idealWidth() <= self.width():
                break
            n_shown -= 1
        self.shown_parts = self._parts[:n_shown]
        hidden = _BETWEEN.join(self._parts) if n_shown < len(self._parts) else ""
        tips = (f"<p>{words}</p>" for words in (hidden, self._further) if words)
        self.setToolTip("".join(tips))
        self.update()

    def minimumSizeHint(self) -> QSize:
        """As narrow as it must be: the buttons beside it keep their room."""
        return QSize(40, self.fontMetrics().height() + 2)

    def sizeHint(self) -> QSize:
        """Return the size of one line with all pieces."""
        return QSize(self.whole_width, self.fontMetrics().height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow another size of the words."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the pieces that fit."""
        document = self._laid_out(self.shown_parts)
        painter = QPainter(self)
        painter.translate(QPointF(0, (self.height() - document.size().height()) / 2))
        document.drawContents(painter)
        painter.end()


class AnswerMetaRow(QWidget):
    """The line and its buttons; where there is little room the buttons lose their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label: AnswerMeta | None = None
        self._buttons: tuple[QToolButton, ...] = ()
        self._said: QToolButton | None = None
        self._timer = single_shot(self, self._arrange)

    def attach(self, label: AnswerMeta, *buttons: QToolButton) -> None:
        """Take the line and the buttons that can do without words."""
        self._label, self._buttons = label, buttons
        self._arrange()

    def keep_words(self, button: QToolButton | None) -> None:
        """Let a button that says what it did keep its words, however narrow the row is."""
        self._said = button
        self._arrange()

    def arrange_soon(self) -> None:
        """Find out anew what there is room for, once for all changes at hand."""
        self._timer.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the line the room that the buttons' words need where it is missing."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        layout = self.layout()
        if self._label is None or layout is None:
            return
        for button in self._buttons:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        layout.invalidate()
        # The line takes what is left: the layout counts no room for it.
        others = layout.sizeHint().width()
        if others + self._label.whole_width + _GAP_PX <= self.width():
            return
        for button in self._buttons:
            if button is not self._said:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
