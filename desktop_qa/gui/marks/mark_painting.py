"""The reader's own marks on the pages, painted."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from desktop_qa.core.mark import PlacedMark
from desktop_qa.gui.marks.cell_reports import paint_report
from desktop_qa.gui.marks.mark_colours import fill_of, line_of, paint_note_sign
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageLayout

_FILL = 0.45
_LINE_PX = 1.5
_REPORT_PX = 4
"""Around the words of a cell: the frame of a citation lies between."""


def paint_marks(
    painter: QPainter,
    layout: PageLayout,
    page_index: int,
    marks: Iterable[PlacedMark],
    colours: PageColours,
) -> None:
    """Paint the marks of a page, in canvas coordinates."""
    for placed in marks:
        rects = layout.rects_on(page_index, placed.places)
        if rects:
            _paint_mark(painter, rects, placed, colours)


def _paint_mark(
    painter: QPainter, rects: list[QRectF], placed: PlacedMark, colours: PageColours
) -> None:
    colour = placed.mark.colour
    if placed.mark.cell is not None:
        for rect in rects:
            paint_report(
                painter,
                rect.adjusted(-_REPORT_PX, -_REPORT_PX, _REPORT_PX, _REPORT_PX),
                line_of(colour),
            )
        return
    fill = fill_of(colour)
    fill.setAlphaF(_FILL)
    painter.setCompositionMode(colours.tinting)
    for rect in rects:
        painter.fillRect(rect, fill)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    # A line under the words tells a mark from evidence without its colour.
    painter.setPen(QPen(line_of(colour), _LINE_PX))
    for rect in rects:
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    if placed.mark.note.strip():
        paint_note_sign(painter, QPointF(rects[-1].right(), rects[-1].top() + 3), colour)
