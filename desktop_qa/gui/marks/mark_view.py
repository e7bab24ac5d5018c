"""The pages with the reader's own marks on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.core.mark import MarkColour, PlacedMark
from desktop_qa.gui.marks.cell_reports import paint_report
from desktop_qa.gui.marks.mark_colours import fill_of, line_of, paint_note_sign
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.pdf_highlights import NO_MARKER
from desktop_qa.gui.viewer.pdf_view import PdfView
from desktop_qa.gui.widgets.plain_tip import plain_tip

_FILL = 0.45
_LINE_PX = 1.5
_CLICK_PX = 3
_REPORT_PX = 4
"""Around the words of a cell: the frame of a citation lies between."""
_TIP_CHARACTERS = 90
_GRASP_PX = 1.5
"""A mark is hit a little beside its rectangle too."""


class MarkedView(PdfView):
    """Shows marks of the open document, and says which one was clicked.

    Signals:
        mark_clicked: Id of the mark.
        note_requested: As `mark_requested`; a note shall be written too.
        moved: The pages stand elsewhere in the window than before.
        pressed: A mouse button went down on the pages.
        side_button_pressed: -1 for the button that goes back, 1 for the one that goes forward.
    """

    mark_clicked = Signal(str)
    note_requested = Signal(object, str)
    moved = Signal()
    pressed = Signal()
    side_button_pressed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks: tuple[PlacedMark, ...] = ()
        self._cited_words: dict[int, str] = {}
        self._pressed_mark = ""
        self._mark_pressed_at = QPointF()

    @property
    def marks(self) -> tuple[PlacedMark, ...]:
        """The marks shown."""
        return self._marks

    def set_marks(self, marks: Sequence[PlacedMark]) -> None:
        """Show marks of the open document; those without a place are left out."""
        self._marks = tuple(marks)
        self._show_ticks()
        self.viewport().update()

    def close_document(self) -> None:
        """Show nothing."""
        self._marks = ()
        super().close_document()

    def set_cited_words(self, words: Mapping[int, str]) -> None:
        """Take the words that each marker cites, for the tool tips of the scroll bar."""
        self._cited_words = dict(words)
        self._show_ticks()

    def _on_finder_place_wanted(self, places: tuple[Provenance, ...]) -> None:
        if not all(self._is_seen(place) for place in places):
            self.jumping.emit()
        super()._on_finder_place_wanted(places)

    def _show_ticks(self) -> None:
        super()._show_ticks()
        layout = self.page_layout
        dots: list[tuple[float, MarkColour]] = []
        for placed in self._marks:
            first = next((p for p in placed.places if 1 <= p.page_no <= layout.n_pages), None)
            if first is not None:
                y = layout.to_canvas(first.page_no - 1, first.bbox).center().y()
                dots.append((y / layout.height, placed.mark.colour))
        self._ticks.set_dots(dots)
        self._ticks.set_tips(self._tips())

    def _tips(self) -> list[tuple[float, str]]:
        """Return what is said of each citation and mark in the scroll bar."""
        layout = self.page_layout
        named = [
            (
                highlight.places,
                f"[{highlight.marker}] {self._cited_words.get(highlight.marker, '')}",
            )
            for highlight in self.highlights
            if highlight.marker != NO_MARKER
        ]
        named += [(one.places, one.mark.note.strip() or one.mark.quote) for one in self._marks]
        return [
            (
                layout.to_canvas(place.page_no - 1, place.bbox).center().y() / layout.height,
                f"Page {place.page_no}: {shortened_words(words)}",
            )
            for places, words in named
            for place in places
            if 1 <= place.page_no <= layout.n_pages
        ]

    @property
    def selected_places(self) -> tuple[str, tuple[Provenance, ...]]:
        """The selected words and a rectangle for each line of them; empty when there are none."""
        return self.selector.text, self.selector.model.places()

    # Painting

    def rects_on(self, placed: PlacedMark, page_index: int) -> list[QRectF]:
        """Return the rectangles of a mark on a page, on the canvas."""
        layout = self.page_layout
        return [
            layout.to_canvas(page_index, place.bbox)
            for place in placed.places
            if place.page_no == page_index + 1
        ]

    def rect_of(self, mark_id: str) -> QRectF | None:
        """Return what a mark covers on its first page in viewport coordinates; None without."""
        for placed in self._marks:
            if placed.mark.id == mark_id and 1 <= placed.page_no <= self.n_pages:
                whole = QRectF()
                for rect in self.rects_on(placed, placed.page_no - 1):
                    whole = whole.united(rect)
                if whole.isValid():
                    return whole.translated(-self.visible_canvas.topLeft().toPointF())
        return None

    def paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint the reader's marks, then evidence and selection over them."""
        for placed in self._marks:
            rects = self.rects_on(placed, page_index)
            if rects:
                _paint_mark(painter, rects, placed, self.colours)
        super().paint_marks(painter, page_index)

    # The mouse

    def mark_at(self, point: QPointF) -> PlacedMark | None:
        """Return the mark under a point of the viewport, of several the one made last."""
        if not self._marks or not self.n_pages:
            return None
        seen = self.visible_canvas
        on_canvas = point + seen.topLeft().toPointF()
        pages = list(self.page_layout.seen(seen))
        grasp = (-_GRASP_PX, -_GRASP_PX, _GRASP_PX, _GRASP_PX)
        hit = [
            placed
            for placed in self._marks
            for page_index in pages
            if any(
                r.adjusted(*grasp).contains(on_canvas) for r in self.rects_on(placed, page_index)
            )
        ]
        return max(hit, key=lambda placed: placed.mark.made_at) if hit else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin what a click or a drag does; the side buttons travel."""
        if event.button() in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            is_back = event.button() == Qt.MouseButton.BackButton
            self.side_button_pressed.emit(-1 if is_back else 1)
            event.accept()
            return
        self.pressed.emit()
        self._pressed_mark = ""
        if event.button() == Qt.MouseButton.LeftButton:
            placed = self.mark_at(event.position())
            self._pressed_mark = placed.mark.id if placed is not None else ""
            self._mark_pressed_at = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open a mark that was clicked; a citation over it has its own click."""
        super().mouseReleaseEvent(event)
        pressed, self._pressed_mark = self._pressed_mark, ""
        distance = (event.position() - self._mark_pressed_at).manhattanLength()
        if pressed and event.button() == Qt.MouseButton.LeftButton and distance <= _CLICK_PX:
            self.mark_clicked.emit(pressed)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the note of the mark under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            placed = self.mark_at(QPointF(event.pos()))
            if placed is not None:
                cell, note = placed.mark.cell, placed.mark.note.strip()
                said = (cell.sentence, note) if cell is not None else (note,)
                text = "\n".join(filter(None, said)) or "Click to write a note"
                QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())
                return True
        return super().viewportEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Tell what is placed over the pages."""
        super().scrollContentsBy(dx, dy)
        self.moved.emit()

    def _set_layout(self, layout: PageLayout) -> None:
        super()._set_layout(layout)
        self.moved.emit()


def _paint_mark(
    painter: QPainter, rects: Sequence[QRectF], placed: PlacedMark, colours: PageColours
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


def shortened_words(text: str) -> str:
    """Return the first words of a text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= _TIP_CHARACTERS else f"{line[:_TIP_CHARACTERS].rstrip()} …"


def below(rect: QRectF, size: QPoint, room: QRectF, gap: float = 4.0) -> QPoint:
    """Return where something of a size stands near a rectangle: under it, else over it.

    Args:
        rect: What it belongs to.
        size: Width and height of it.
        room: What it has to stay within.
        gap: Between both.
    """
    x = min(max(rect.left(), room.left()), room.right() - size.x())
    y = rect.bottom() + gap
    if y + size.y() > room.bottom():
        y = rect.top() - gap - size.y()
    y = min(max(y, room.top()), room.bottom() - size.y())
    return QPoint(round(max(x, room.left())), round(max(y, room.top())))
