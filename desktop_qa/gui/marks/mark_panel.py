"""The list of the reader's marks, and the sheet in which one is edited."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import groupby

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QPlainTextEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_qa.core.mark import MarkColour, MarkStanding, PlacedMark
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.marks.mark_book import MarkBook, colour_button, swatch
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.viewer.viewer_list import ViewerList, ViewerRow
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.history_days import moment_label
from desktop_qa.gui.widgets.labels import plain_label, told
from desktop_qa.gui.widgets.list_rows import FilterEdit
from desktop_qa.gui.widgets.theme import look, tint
from desktop_qa.gui.widgets.timers import single_shot

_WIDTH_PX = 288
_LEAST_LINES, _MOST_LINES = 3, 9
_EDGES_PX = 18
_TYPING_MS = 500
_GAP_PX = 4
_NONE_HERE = (
    "Nothing is marked in this document. Select words on a page and highlight them, or write a "
    "note to them. The PDF stays as it is; marks are kept with the library."
)
_NONE = "Nothing is marked in the documents of this library."
_NOT_FOUND = "No mark is like this."
_STANDINGS = {
    MarkStanding.HERE: "",
    MarkStanding.FOUND_AGAIN: "",
    MarkStanding.EARLIER: "Of an earlier version",
    MarkStanding.GONE: "Not in the library any more",
}


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
        tip = "Delete this mark; it can be taken back (Ctrl+Delete)"
        told(self.delete_button, "delete_mark_button", tip=tip)
        self.delete_button.clicked.connect(lambda: self.delete_requested.emit(self._mark_id))
        self.close_button.clicked.connect(self.close_sheet)
        told(self.note_edit, "note_edit", "Note")
        self.note_edit.setFrameShape(QFrame.Shape.NoFrame)
        self.note_edit.textChanged.connect(self._on_note_changed)
        on_keys(self.note_edit, {"Ctrl+Del": self.delete_button.click})
        on_keys(self, {"Esc": self.close_sheet})
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
        for colour, button in self.colour_buttons.items():
            button.setIcon(swatch(colour, is_dark=look.theme.is_dark))
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
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self._view)
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let no key of a note reach the pages."""
        event.accept()


class MarkPanel(QWidget):
    """Lists marks; the filter is by words and colours. What is done with one, `MarkLink` does."""

    def __init__(self, book: MarkBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._path = ""
        self._active = ""
        self.scope_tabs = QTabBar(drawBase=False, expanding=False, usesScrollButtons=False)
        self.list = ViewerList("Marks")
        self.filter_edit = FilterEdit(
            *("Filter the marks", "Filter marks …", self.list.view),
            "Only marks whose words, note or document hold all the words",
        )
        self.colour_buttons: dict[MarkColour, QToolButton] = {}
        self.export_button = QToolButton(autoRaise=True)
        told(self.scope_tabs, "mark_scope_tabs", "Marks of this document or of all")
        self.scope_tabs.addTab("This document")
        self.scope_tabs.addTab("All")
        self.scope_tabs.setTabToolTip(0, "Marks of the document that is shown")
        self.scope_tabs.setTabToolTip(1, "Marks of all documents of the library")
        self.scope_tabs.currentChanged.connect(lambda _index: self.refresh())
        self.filter_edit.textChanged.connect(lambda _words: self.refresh())
        tip = "Write the marks listed here as Markdown or CSV"
        told(self.export_button, spoken="Export marks", tip=tip)
        self.export_button.setIconSize(QSize(15, 15))
        column = in_column(self, margins=(0, 2, 0, 0), spacing=0)
        head = in_column(margins=(10, 4, 10, 2), spacing=4, inside=column)
        put(head, self.scope_tabs, self.filter_edit)
        colours = in_row(spacing=0, inside=head)
        for colour in MarkColour:
            button = colour_button(f"Only {colour.value} marks")
            button.toggled.connect(lambda _is_on: self.refresh())
            self.colour_buttons[colour] = button
            colours.addWidget(button)
        put(colours, None, self.export_button)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.list)
        tint(self.export_button, "export", "dim", "faint")
        self._show_swatches()
        look.changed.connect(self._show_swatches)
        book.changed.connect(self.refresh)
        self.refresh()

    @property
    def shows_all(self) -> bool:
        """True when the marks of all documents are listed."""
        return self.scope_tabs.currentIndex() == 1

    def show_all(self, *, is_all: bool) -> None:
        """List the marks of all documents, or of the one that is shown."""
        self.scope_tabs.setCurrentIndex(int(is_all))

    def show_document(self, path: str) -> None:
        """List the marks of another document; empty for none."""
        self._path = path
        self.refresh()

    def set_active(self, mark_id: str) -> None:
        """Tell which mark the viewer shows."""
        if mark_id != self._active:
            self._active = mark_id
            self.refresh()
            self.list.bring_into_view(mark_id)

    @property
    def listed(self) -> tuple[PlacedMark, ...]:
        """The marks that pass the filter."""
        marks = self._book.marks if self.shows_all else self._book.in_file(self._path)
        colours = {colour for colour, button in self.colour_buttons.items() if button.isChecked()}
        words = self.filter_edit.text()
        return tuple(
            placed
            for placed in marks
            if (not colours or placed.mark.colour in colours) and placed.holds(words)
        )

    def refresh(self) -> None:
        """List what there is now."""
        marks = self.listed
        has_filter = bool(self.filter_edit.text().strip()) or any(
            button.isChecked() for button in self.colour_buttons.values()
        )
        empty = _NOT_FOUND if has_filter else _NONE if self.shows_all else _NONE_HERE
        rows = self._grouped(marks) if self.shows_all else [self._row(one) for one in marks]
        self.list.show_rows(rows, empty)
        self.export_button.setEnabled(bool(marks))

    def _grouped(self, marks: Sequence[PlacedMark]) -> list[ViewerRow]:
        rows: list[ViewerRow] = []
        for _file, group in groupby(marks, key=lambda placed: placed.mark.file):
            of_file = list(group)
            rows.append(ViewerRow(None, of_file[0].name))
            rows += [self._row(placed) for placed in of_file]
        return rows

    def _row(self, placed: PlacedMark) -> ViewerRow:
        mark, cell = placed.mark, placed.mark.cell
        said, place = (cell.sentence, cell.place) if cell is not None else ("", "")
        parts = (_STANDINGS[placed.standing], said, " ".join(mark.note.split()), place)
        return ViewerRow(
            key=mark.id,
            text=mark.quote or "(empty cell)",
            detail=" · ".join(part for part in parts if part),
            tag=f"p. {placed.page_no}",
            colour=mark.colour,
            is_active=mark.id == self._active,
        )

    def _show_swatches(self) -> None:
        for colour, button in self.colour_buttons.items():
            button.setIcon(swatch(colour, is_dark=look.theme.is_dark))
