"""The reader's marks beside the pages: those of this document, or of the whole library."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_qa.core.mark import MarkColour, MarkStanding, PlacedMark
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.marks.mark_colours import colour_button, swatch
from desktop_qa.gui.viewer.viewer_list import ViewerList, ViewerRow
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.list_rows import FilterEdit
from desktop_qa.gui.widgets.theme import look, tint

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
        self.scope_tabs.setObjectName("mark_scope_tabs")
        self.scope_tabs.setAccessibleName("Marks of this document or of all")
        self.scope_tabs.addTab("This document")
        self.scope_tabs.addTab("All")
        self.scope_tabs.setTabToolTip(0, "Marks of the document that is shown")
        self.scope_tabs.setTabToolTip(1, "Marks of all documents of the library")
        self.scope_tabs.currentChanged.connect(lambda _index: self.refresh())
        self.filter_edit.textChanged.connect(lambda _words: self.refresh())
        self.export_button.setAccessibleName("Export marks")
        self.export_button.setIconSize(QSize(15, 15))
        self.export_button.setToolTip("Write the marks listed here as Markdown or CSV")
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
