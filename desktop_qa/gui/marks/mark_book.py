"""The marks of the open library as the window knows them, reports of cells among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from desktop_qa.core.document import DocumentId, Provenance, Table, TableCell
from desktop_qa.core.mark import PlacedMark, ReadCell, WrongCell, reading_order, report_on


class MarkBook(QObject):
    """All marks by id, sorted by file and down the pages; widgets read it and never own it.

    Attributes:
        reports: The marks that are reports of cells.
        changed: Marks came, went or are others.
        report_wanted: With the `ReadCell` that shall be reported, or whose report shall be changed.
        back_wanted: With the id of the report that shall be taken back.
    """

    changed = Signal()
    report_wanted = Signal(object)
    back_wanted = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_id: dict[str, PlacedMark] = {}
        self.marks: tuple[PlacedMark, ...] = ()
        self.reports: tuple[PlacedMark, ...] = ()
        self.can_write = True

    def get(self, mark_id: str) -> PlacedMark | None:
        """Return a mark; None when there is none of this id."""
        return self._by_id.get(mark_id)

    def in_file(self, path: str) -> tuple[PlacedMark, ...]:
        """Return the marks of a file, those without a place too."""
        return tuple(placed for placed in self.marks if path and placed.path == path)

    def show(self, placed: Iterable[PlacedMark]) -> None:
        """Hold these and no others."""
        self._by_id.clear()
        self.put(placed)

    def put(self, placed: Iterable[PlacedMark]) -> None:
        """Hold these too, or in place of what they were."""
        self._by_id |= {one.mark.id: one for one in placed}
        self._note_change()

    def take(self, mark_id: str) -> PlacedMark | None:
        """Let a mark go and return it."""
        taken = self._by_id.pop(mark_id, None)
        if taken is not None:
            self._note_change()
        return taken

    def _note_change(self) -> None:
        self.marks = tuple(sorted(self._by_id.values(), key=reading_order))
        self.reports = tuple(placed for placed in self.marks if placed.mark.cell is not None)
        self.changed.emit()

    def report_on(self, document_id: DocumentId, places: Sequence[Provenance]) -> PlacedMark | None:
        """Return the report of a cell; `None` without."""
        return report_on(self.reports, document_id, places)

    def offer_report(self, menu: QMenu, cell: ReadCell | None) -> None:
        """Put into a menu what can be reported of a cell; nothing of one without a place."""
        if cell is None:
            return
        placed = self.report_on(cell.document_id, cell.places)
        words = "This Cell Is Wrong …" if placed is None else "Change the Report …"
        menu.addAction(words, lambda: self.report_wanted.emit(cell)).setEnabled(self.can_write)
        if placed is not None:
            mark_id = placed.mark.id
            back = menu.addAction("Take the Report Back", lambda: self.back_wanted.emit(mark_id))
            back.setEnabled(self.can_write)


def read_cell(document_id: DocumentId, table: Table, cell: TableCell, name: str) -> ReadCell | None:
    """Return a cell as a report names it, its table by `name` if need be; None without a place."""
    if not cell.provenances:
        return None
    first = next((c.text for c in table.cells if c.row == cell.row and not c.column), "")
    row = " · ".join(table.texts(cell.row_path)) or ("" if first == cell.text else first)
    heads = table.heads()[cell.column] if cell.column < table.n_columns else ()
    column = " ".join(table.texts(cell.column_path or heads))
    title = f"{table.label} {table.caption}".strip() or name
    return ReadCell(document_id, cell.text, cell.provenances, WrongCell(title, row, column))
