"""What is said of an answer in a few words: its verdict, its readings, what users say."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop_qa.core.answer import THEY_DISAGREE, Answer, AnswerStatus, Trust
from desktop_qa.gui.answers.answer_why import sureness
from desktop_qa.gui.widgets.boxes import in_column, in_row, put, take_away
from desktop_qa.gui.widgets.dialog_parts import child
from desktop_qa.gui.widgets.labels import breakable_label, n_of, shortened, show_breakable, told
from desktop_qa.gui.widgets.theme import look, tint
from desktop_qa.gui.widgets.timers import single_shot

_ICON_PX = 14
UP, DOWN, NONE = 1, -1, 0

_ASKS = {UP: "What was good about it? (optional)", DOWN: "What was wrong? (optional)"}
_SAID = {UP: "Marked as right.", DOWN: "Marked as wrong."}
_BETWEEN = " &nbsp;·&nbsp; "
_LEAST_SECONDS = 0.1
_MAX_SCOPE_SHOWN = 3
_MAX_SCOPE_CHARACTERS = 28
_GAP_PX = 8
_EVEN = 0.5
_VERDICTS = {"true": "✓  True", "false": "✕  False"}


class ReadAsRow(QWidget):
    """A dim line above the answer, with a button that has the question read otherwise.

    Attributes:
        refused: With the question, which was meant in another way.
    """

    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = ""
        self.label = breakable_label(self, "read_as_label", can_select=True)
        self.label.setAccessibleName("What the question was read as")
        self.button = told(QToolButton(self), "literal_button")
        self.button.clicked.connect(lambda: self.refused.emit(self._question))
        line = in_row(self, margins=(0, 0, 0, 0), spacing=6)
        put(line, (self.label, 1), (self.button, 0, Qt.AlignmentFlag.AlignTop))
        self.hide()

    def offer(self, text: str, tip: str) -> None:
        """Say what the button does."""
        self.button.setText(text)
        self.button.setToolTip(tip)

    def show_reading(self, words: str, question: str = "") -> None:
        """Say how a question was read; nothing when it was taken as it is."""
        self._question = question
        show_breakable(self.label, words)
        self.setVisible(bool(words))


class ReadingButton(QPushButton):
    """A button whose words wrap."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        told(self, "reading_button", f"Ask: {question}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icon = QLabel(self)
        self._label = breakable_label(self, "", question)
        for part in (self._icon, self._label):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        tint(self._icon, "ask", "accent", size_px=_ICON_PX)
        layout = in_row(self, margins=(10, 7, 12, 7), spacing=8)
        put(layout, (self._icon, 0, Qt.AlignmentFlag.AlignTop), (self._label, 1))

    def sizeHint(self) -> QSize:
        """Return the height of the wrapped words."""
        layout = self.layout()
        height = layout.heightForWidth(self.width()) if layout is not None else 0
        return QSize(200, max(32, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.setFixedHeight(self.sizeHint().height())


class AnswerReadings(QWidget):
    """A button for each reading.

    Attributes:
        chosen: With the question to ask.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[ReadingButton] = []
        self.label = told(QLabel(self), "readings_label")
        self._layout = put(in_column(self, margins=(0, 0, 0, 2), spacing=6), self.label)
        self.hide()

    def show_readings(self, readings: tuple[str, ...], *, is_open: bool) -> None:
        """Offer complete questions; with `is_open`, there is no answer before one is chosen."""
        take_away(self._layout, self.buttons)
        self.buttons = [ReadingButton(reading, self) for reading in readings]
        for button in self.buttons:
            button.clicked.connect(lambda _on=False, one=button.question: self.chosen.emit(one))
            self._layout.addWidget(button)
        self.label.setText("Choose what to ask:" if is_open else "Or did you mean:")
        self.setVisible(bool(readings))


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
        self._edit.setText(feedback.comment)
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
    n_citations = len({citation.marker for citation in answer.citations})
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
