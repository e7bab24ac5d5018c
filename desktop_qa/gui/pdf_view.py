"""The pages of a document with the evidence marked on them, driven by mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontInfo,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from desktop_qa.gui.page_layout import PageLayout, Zoom, ZoomMode
from desktop_qa.gui.page_view import PageView
from desktop_qa.gui.pdf_highlights import (
    NO_MARKER,
    Badge,
    Highlight,
    badges,
    marker_at,
    paint_badge,
    paint_highlights,
)
from desktop_qa.gui.pdf_selection import TextSelector
from desktop_qa.gui.tick_scroll_bar import TickScrollBar

_WHEEL_ZOOM = 1.2
_WHEEL_STEP = 120
_LINE_PX = 48
_PAGE_SHARE = 0.9
_BADGE_FONT_PX = 11


class PdfView(PageView):
    """A continuous view of a document.

    Signals:
        highlight_clicked: Marker of the citation whose rectangle or number was clicked.
    """

    highlight_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selector = TextSelector(self.document, self)
        self._highlights: tuple[Highlight, ...] = ()
        self._active: int | None = None
        self._pressed_marker: int | None = None
        self._pressed_at = QPointF()
        self._ticks = TickScrollBar(self)
        self.setVerticalScrollBar(self._ticks)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Pages of the document")
        self.selector.changed.connect(self.viewport().update)

    # The marks

    @property
    def highlights(self) -> tuple[Highlight, ...]:
        """The places marked."""
        return self._highlights

    @property
    def active(self) -> int | None:
        """Marker of the citation that is marked more strongly."""
        return self._active

    def set_highlights(self, highlights: Sequence[Highlight]) -> None:
        """Mark places of the open document; the former marks leave."""
        self._highlights = tuple(highlights)
        self._show_ticks()
        self.viewport().update()

    def set_active(self, marker: int | None) -> None:
        """Mark one citation more strongly than the others."""
        self._active = marker
        self._show_ticks()
        self.viewport().update()

    def close_document(self) -> None:
        """Show nothing."""
        self._highlights, self._active = (), None
        self.selector.clear()
        super().close_document()

    def _set_layout(self, layout: PageLayout) -> None:
        super()._set_layout(layout)
        self._show_ticks()

    def _show_ticks(self) -> None:
        layout = self.page_layout
        self._ticks.set_ticks(
            [
                (
                    layout.to_canvas(place.page_no - 1, place.bbox).center().y() / layout.height,
                    highlight.marker == self._active,
                )
                for highlight in self._highlights
                if highlight.marker != NO_MARKER
                for place in highlight.places
                if 1 <= place.page_no <= layout.n_pages
            ]
        )

    def badges(self) -> list[Badge]:
        """Return the numbers beside the visible pages, on the canvas."""
        seen = self.visible_canvas
        pages = self.page_layout.visible(seen.top(), seen.height())
        font = self._badge_font()
        return list(badges(self.page_layout, pages, self._highlights, seen.left(), font))

    def _badge_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(_BADGE_FONT_PX, QFontInfo(font).pixelSize() - 2))
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint the evidence and the selected text of a page."""
        marks, active = self._highlights, self._active
        paint_highlights(painter, self.page_layout, page_index, marks, active, self.accent())
        self.selector.paint(painter, self.page_layout, page_index, self.accent())

    def paint_margin(self, painter: QPainter) -> None:
        """Paint the citations' numbers."""
        for badge in self.badges():
            paint_badge(
                painter,
                badge,
                is_active=badge.marker == self._active,
                accent=self.accent(),
                font=self._badge_font(),
            )

    # Mouse

    def _on_canvas(self, event: QMouseEvent) -> QPointF:
        return event.position() + self._offset().toPointF()

    def _marker_at(self, point: QPointF) -> int | None:
        if not self.n_pages:
            return None
        layout, seen = self.page_layout, self.badges()
        return marker_at(layout, self._highlights, self._active, seen, point)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to select text, or to click a mark."""
        if event.button() is not Qt.MouseButton.LeftButton or not self.n_pages:
            super().mousePressEvent(event)
            return
        self._animation.stop()
        point = self._on_canvas(event)
        self._pressed_marker, self._pressed_at = self._marker_at(point), event.position()
        page_index = self.page_layout.page_at(point.y())
        self.selector.begin(page_index, self.page_layout.to_page(page_index, point))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select on, or show what a click would do."""
        point = self._on_canvas(event)
        if self.selector.is_dragging:
            if (event.position() - self._pressed_at).manhattanLength() > 3:
                self._pressed_marker = None
                self.selector.extend(self.page_layout, point)
            return
        cursor = Qt.CursorShape.ArrowCursor
        if self._marker_at(point) is not None:
            cursor = Qt.CursorShape.PointingHandCursor
        elif self.n_pages:
            page = self.page_layout.page_rect(self.page_layout.page_at(point.y()))
            if page.contains(point.toPoint()):
                cursor = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(cursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End selecting, or click a mark."""
        self.selector.end()
        marker, self._pressed_marker = self._pressed_marker, None
        if marker is not None and marker == self._marker_at(self._on_canvas(event)):
            self.highlight_clicked.emit(marker)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl zoom about the pointer."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        growth = _WHEEL_ZOOM ** (event.angleDelta().y() / _WHEEL_STEP)
        if growth != 1.0 and self.n_pages:
            self.set_zoom(Zoom(ZoomMode.FACTOR, self.factor * growth), event.position())
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy the selected text."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction("Copy")
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setEnabled(bool(self.selector.text))
        copy.triggered.connect(self.selector.copy)
        menu.popup(event.globalPos())

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, turn pages, zoom and copy."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        handled = self.zoom_by_key(event) or (
            event.matches(QKeySequence.StandardKey.Copy) and self.selector.copy()
        )
        if not handled and modifiers in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ShiftModifier,
        ):
            backwards = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
            handled = self._scroll_by_key(Qt.Key(event.key()), backwards=backwards)
        if handled:
            event.accept()
        else:
            # On to the panel, which knows Alt+Left and Alt+Right.
            event.ignore()

    def zoom_by_key(self, event: QKeyEvent) -> bool:
        """Zoom when the key says so: Ctrl++, Ctrl+-, Ctrl+0 (fit width); True when it did."""
        is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.matches(QKeySequence.StandardKey.ZoomIn) or (
            is_control and event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal)
        ):
            self.zoom_in()
        elif event.matches(QKeySequence.StandardKey.ZoomOut):
            self.zoom_out()
        elif is_control and event.key() == Qt.Key.Key_0:
            self.set_zoom(Zoom(ZoomMode.FIT_WIDTH))
        else:
            return False
        return True

    def _scroll_by_key(self, key: Qt.Key, *, backwards: bool) -> bool:
        if not self.n_pages:
            return False
        page = round(self.viewport().height() * _PAGE_SHARE)
        bar = self.horizontalScrollBar()
        if key is Qt.Key.Key_Space:
            self.scroll_by(0, -page if backwards else page)
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.scroll_by(0, page if key is Qt.Key.Key_PageDown else -page)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._ticks.setValue(
                self._ticks.value() + (_LINE_PX if key is Qt.Key.Key_Down else -_LINE_PX)
            )
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            at_end = key is Qt.Key.Key_End
            last = self.n_pages - 1
            self.scroll_to(bar.value(), self._ticks.maximum() * at_end, last * at_end)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key is Qt.Key.Key_Right else -1
            if bar.maximum():
                bar.setValue(bar.value() + step * _LINE_PX)
            else:
                self.go_to(self.current_page + step)
        else:
            return False
        return True

    def leaveEvent(self, event: QEvent) -> None:
        """Leave no hand behind."""
        self.viewport().unsetCursor()
        super().leaveEvent(event)
