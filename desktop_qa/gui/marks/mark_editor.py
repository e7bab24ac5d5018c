"""The sheet beside a mark: its colour and its note, kept as they are typed."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QPlainTextEdit,
    QToolButton,
)

from desktop_qa.core.mark import MarkColour, MarkStanding, PlacedMark
from desktop_qa.gui.focus_order import keeps_escape
from desktop_qa.gui.marks.mark_colours import colour_button, swatch
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.history_days import moment_label
from desktop_qa.gui.widgets.labels import plain_label, told
from desktop_qa.gui.widgets.timers import single_shot

_WIDTH_PX = 288
_LEAST_LINES, _MOST_LINES = 3, 9
_EDGES_PX = 18
_TYPING_MS = 500
_DARK_BELOW = 128
_GAP_PX = 4


class MarkEditor(QFrame):
    """Stands over the pages and follows them; made once, shown for one mark at a time."""

    note_typed = Signal(str, str)
    colour_chosen = Signal(str, object)
    delete_requested = Signal(str)

    def __init__(self, view: PdfView) -> None:
        super().__init__(view.viewport())
        told(self, "mark_editor", "Note")
        self._view = view
        self._mark_id = ""
        self._saved = ""
        self.colour_buttons: dict[MarkColour, QToolButton] = {}
        self.delete_button = QToolButton(autoRaise=True)
        self.close_button = GlyphButton("close", "Close", "Esc")
        self.note_edit = QPlainTextEdit(placeholderText="Write a note …", tabChangesFocus=True)
        self.state_label = plain_label("", None, "mark_state")
        self._timer = single_shot(self, self.flush, _TYPING_MS)
        self._group = QButtonGroup(self)
        self.delete_button.setText("Delete")
        self.delete_button.setObjectName("delete_mark_button")
        self.delete_button.setToolTip("Delete this mark; it can be taken back (Ctrl+Delete)")
        self.delete_button.clicked.connect(lambda: self.delete_requested.emit(self._mark_id))
        self.close_button.clicked.connect(self.close_sheet)
        told(self.note_edit, "note_edit", "Note")
        self.note_edit.setFrameShape(QFrame.Shape.NoFrame)
        self.note_edit.textChanged.connect(self._on_note_changed)
        self.note_edit.installEventFilter(self)
        column = self._column = in_column(self, margins=(8, 6, 6, 8), spacing=4)
        line = in_row(spacing=2, inside=column)
        for colour in MarkColour:
            button = colour_button(colour.label)
            button.clicked.connect(lambda _checked, c=colour: self._on_colour_clicked(c))
            self._group.addButton(button)
            self.colour_buttons[colour] = button
            line.addWidget(button)
        put(line, None, self.delete_button, self.close_button)
        put(column, self.note_edit, self.state_label)
        self.setFixedWidth(_WIDTH_PX)
        self.hide()
        view.moved.connect(self.follow)
        view.pressed.connect(self.close_sheet)

    @property
    def mark_id(self) -> str:
        """The mark whose sheet is open; empty when none is."""
        return self._mark_id if not self.isHidden() else ""

    def show_mark(self, placed: PlacedMark, *, can_write: bool) -> None:
        """Open the sheet of a mark on a page, ready to type unless it is for reading only."""
        self.flush()
        mark = placed.mark
        self._mark_id, self._saved = "", mark.note
        self.note_edit.setPlainText(mark.note)
        self._mark_id = mark.id
        self.note_edit.setReadOnly(not can_write)
        self.note_edit.moveCursor(self.note_edit.textCursor().MoveOperation.End)
        is_dark = self.palette().window().color().lightness() < _DARK_BELOW
        for colour, button in self.colour_buttons.items():
            button.setIcon(swatch(colour, is_dark=is_dark))
            button.setChecked(colour is mark.colour)
            button.setEnabled(can_write)
        self.delete_button.setEnabled(can_write)
        when = moment_label(mark.made_at, date.today())
        state = f"Marked {when}."
        if placed.standing is MarkStanding.FOUND_AGAIN:
            state = f"Marked {when} in an earlier version of this file."
        if not can_write:
            state = f"{state} The library is open for reading only."
        self.state_label.setText(state)
        self.show()
        self._fit()
        self.raise_()
        self.follow()
        self.note_edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_sheet(self) -> None:
        """Keep what was typed and close."""
        if self.isHidden():
            return
        self.flush()
        had_focus = self.isAncestorOf(self.focusWidget() or self._view)
        self.hide()
        self._mark_id = ""
        if had_focus or self.note_edit.hasFocus():
            self._view.setFocus()

    def drop(self) -> None:
        """Close without keeping anything: the mark is gone."""
        self._timer.stop()
        self._saved = self.note_edit.toPlainText()
        self.close_sheet()

    def flush(self) -> None:
        """Hand on what was typed since the last time."""
        self._timer.stop()
        note = self.note_edit.toPlainText()
        if self._mark_id and note != self._saved:
            self._saved = note
            self.note_typed.emit(self._mark_id, note)

    def follow(self) -> None:
        """Stand beside the mark, wherever its page is now."""
        if self.isHidden():
            return
        rect = self._view.rect_of(self._mark_id)
        room = QRectF(self._view.viewport().rect()).adjusted(6, 6, -6, -6)
        if rect is None:
            return
        width = min(_WIDTH_PX, round(room.width()))
        self.setFixedWidth(width)
        height = self.sizeHint().height()
        self.resize(width, height)
        # Under the mark, else over it.
        y = rect.bottom() + _GAP_PX
        if y + height > room.bottom():
            y = rect.top() - _GAP_PX - height
        x = max(min(rect.left(), room.right() - width), room.left())
        self.move(round(x), round(max(min(y, room.bottom() - height), room.top())))

    def _on_note_changed(self) -> None:
        if self._mark_id:
            self._timer.start()
            self._fit()
            self.follow()

    def _fit(self) -> None:
        n_lines = max(round(self.note_edit.document().size().height()), _LEAST_LINES)
        height = min(n_lines, _MOST_LINES) * self.note_edit.fontMetrics().lineSpacing()
        self.note_edit.setFixedHeight(height + _EDGES_PX)
        self._column.activate()

    def _on_colour_clicked(self, colour: MarkColour) -> None:
        self.flush()
        self.colour_chosen.emit(self._mark_id, colour)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Let Ctrl+Delete delete the mark, not a word."""
        is_ours = (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Delete
            and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        )
        if is_ours:
            self.delete_button.click()
        return is_ours

    def event(self, event: QEvent) -> bool:
        """Take Escape before the window does, whichever of its buttons has the focus."""
        return keeps_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close by Escape from any of its buttons; no key reaches the pages below."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_sheet()
        event.accept()
