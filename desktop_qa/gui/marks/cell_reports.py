"""What the reader reported of cells of tables, for all that shows such cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QMenu

from desktop_qa.core.document import DocumentId, Provenance, Table, TableCell
from desktop_qa.core.mark import PlacedMark, ReadCell, WrongCell, report_on
from desktop_qa.gui.marks.mark_book import MarkBook

_MOST_CORNER_PX = 6.0
_CORNER_SHARE = 0.3
"""Of the height of the cell, so that its words stay free on a small page."""


class CellReports(QObject):
    """The reports among the marks of a library.

    Attributes:
        wanted: With the `ReadCell` that shall be reported, or whose report shall be changed.
        back_wanted: With the id of the mark that shall be taken back.
    """

    changed = Signal()
    wanted = Signal(object)
    back_wanted = Signal(str)

    def __init__(self, book: MarkBook) -> None:
        super().__init__(book)
        self._book = book
        self.can_write = True
        self.reports: tuple[PlacedMark, ...] = ()
        book.changed.connect(self._on_book_changed)

    def _on_book_changed(self) -> None:
        reports = tuple(placed for placed in self._book.marks if placed.mark.cell is not None)
        if reports != self.reports:
            self.reports = reports
            self.changed.emit()

    def on(self, document_id: DocumentId, places: Sequence[Provenance]) -> PlacedMark | None:
        """Return the report of a cell; `None` without."""
        return report_on(self.reports, document_id, places)

    def sentence(self, document_id: DocumentId, places: Sequence[Provenance]) -> str:
        """Return what is said of a cell that was reported; empty of any other."""
        placed = self.on(document_id, places)
        cell = placed.mark.cell if placed is not None else None
        return cell.sentence if cell is not None else ""

    def offer(self, menu: QMenu, cell: ReadCell | None) -> None:
        """Put into a menu what can be reported of a cell; nothing of one without a place."""
        if cell is None:
            return
        placed = self.on(cell.document_id, cell.places)
        words = "This Cell Is Wrong …" if placed is None else "Change the Report …"
        menu.addAction(words, lambda: self.wanted.emit(cell)).setEnabled(self.can_write)
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


def paint_report(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    """Mark a cell as reported: a dashed border, and a corner as spreadsheets have for remarks."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.4, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inside = rect.adjusted(1, 1, -1.5, -1.5)
    painter.drawRect(inside)
    corner = inside.topRight()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    size = min(_MOST_CORNER_PX, _CORNER_SHARE * rect.height())
    left, below = QPointF(-size, 0), QPointF(0, size)
    painter.drawPolygon(QPolygonF([corner, corner + left, corner + below]))
    painter.restore()
