"""The reader's own marks on the pages: where they lie, and how they are painted."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRect, QRectF
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
_GRASP_PX = 1.5
"""A mark is hit a little beside its rectangle too."""


def mark_at(
    layout: PageLayout, marks: Iterable[PlacedMark], seen: QRect, point: QPointF
) -> PlacedMark | None:
    """Return the mark under a point of the canvas, of several the one made last.

    Args:
        layout: Where the pages stand.
        marks: Of the document.
        seen: The part of the canvas that is seen.
        point: On the canvas.
    """
    pages = list(layout.seen(seen))
    grasp = (-_GRASP_PX, -_GRASP_PX, _GRASP_PX, _GRASP_PX)
    hit = [
        placed
        for placed in marks
        for page_index in pages
        for rect in layout.rects_on(page_index, placed.places)
        if rect.adjusted(*grasp).contains(point)
    ]
    return max(hit, key=lambda placed: placed.mark.made_at, default=None)


def mark_rect(layout: PageLayout, placed: PlacedMark) -> QRectF:
    """Return what a mark covers on its first page, on the canvas; nothing without such a page."""
    whole = QRectF()
    if 1 <= placed.page_no <= layout.n_pages:
        for rect in layout.rects_on(placed.page_no - 1, placed.places):
            whole = whole.united(rect)
    return whole


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
