"""The reader's marks of a library, and their colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QMenu, QToolButton

from desktop_qa.core.document import DocumentId, Provenance, Table, TableCell
from desktop_qa.core.mark import (
    MarkColour,
    PlacedMark,
    ReadCell,
    WrongCell,
    reading_order,
    report_on,
)
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.widgets.labels import told
from desktop_qa.gui.widgets.row_painting import faded

# Fill of the pen, and the line under it: at least 4.5 : 1 on white paper. The fills have 3 : 1
# and more on the dark theme's panels.
_FILLS = {
    MarkColour.GREEN: "#6fcf97",
    MarkColour.BLUE: "#74b3f5",
    MarkColour.ROSE: "#f58fb3",
    MarkColour.VIOLET: "#b79bf2",
    MarkColour.GREY: "#a9b3c1",
}
_LINES = {
    MarkColour.GREEN: "#1f7a46",
    MarkColour.BLUE: "#1f5fb0",
    MarkColour.ROSE: "#b02a5f",
    MarkColour.VIOLET: "#6a3fc0",
    MarkColour.GREY: "#555f6e",
}
_SWATCH_PX = 14
_SCALES = (1, 2, 3)
_MOST_CORNER_PX = 6.0
_CORNER_SHARE = 0.3
"""Of the height of the cell, so that its words stay free on a small page."""
_FILL = 0.45
_LINE_PX = 1.5
_REPORT_PX = 4
"""Around the words of a cell: the frame of a citation lies between."""


def fill_of(colour: MarkColour) -> QColor:
    """Colour of the pen, to be multiplied onto the paper."""
    return QColor(_FILLS[colour])


def line_of(colour: MarkColour, *, is_dark: bool = False) -> QColor:
    """Colour of lines and dots on paper or on a light panel; on a dark one it is the pen's."""
    return QColor(_FILLS[colour] if is_dark else _LINES[colour])


def paint_dot(painter: QPainter, rect: QRectF, fill: QColor, line: QColor) -> None:
    """Paint a round swatch."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, 1.2))
    painter.setBrush(fill)
    painter.drawEllipse(rect.adjusted(0.8, 0.8, -0.8, -0.8))
    painter.restore()


@lru_cache(maxsize=32)
def swatch(colour: MarkColour, *, is_dark: bool = False) -> QIcon:
    """Return a round swatch as an icon, sharp at the usual device pixel ratios."""
    icon, whole = QIcon(), QRectF(0, 0, _SWATCH_PX, _SWATCH_PX)
    for scale in _SCALES:
        pixmap = QPixmap(_SWATCH_PX * scale, _SWATCH_PX * scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.scale(scale, scale)
        paint_dot(painter, whole, fill_of(colour), line_of(colour, is_dark=is_dark))
        painter.end()
        pixmap.setDevicePixelRatio(scale)
        icon.addPixmap(pixmap)
    return icon


def colour_button(name: str) -> QToolButton:
    """Return a button of a colour that can be pressed; who shows it gives it its swatch."""
    button = told(QToolButton(autoRaise=True), "colour_button", name, name)
    button.setCheckable(True)
    button.setIconSize(QSize(_SWATCH_PX, _SWATCH_PX))
    return button


def paint_note_sign(painter: QPainter, corner: QPointF, colour: MarkColour) -> None:
    """Paint a small sheet at the end of a mark that has a note; `corner` is its lower left."""
    sheet = QRectF(corner.x() + 1, corner.y() - 9, 9, 9)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line_of(colour), 1))
    painter.setBrush(QColor("#ffffff"))
    painter.drawRoundedRect(sheet, 2, 2)
    for y in (3.0, 5.6):
        painter.drawLine(sheet.topLeft() + QPointF(2, y), sheet.topLeft() + QPointF(7, y))
    painter.restore()


def paint_marks(
    painter: QPainter,
    layout: PageLayout,
    page_index: int,
    marks: Iterable[PlacedMark],
    colours: PageColours,
) -> None:
    """Paint the marks of a page, in canvas coordinates."""
    around = QMarginsF(*[_REPORT_PX] * 4)
    for placed in marks:
        rects, colour = layout.rects_on(page_index, placed.places), placed.mark.colour
        if placed.mark.cell is not None:
            for rect in rects:
                paint_report(painter, rect.marginsAdded(around), line_of(colour))
            continue
        colours.tint(painter, rects, faded(fill_of(colour), _FILL))
        # A line under the words tells a mark from evidence without its colour.
        painter.setPen(QPen(line_of(colour), _LINE_PX))
        for rect in rects:
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if rects and placed.mark.note.strip():
            paint_note_sign(painter, QPointF(rects[-1].right(), rects[-1].top() + 3), colour)


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


class MarkBook(QObject):
    """All marks by id, sorted by file and down the pages; widgets read it and never own it.

    Attributes:
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
