"""The pages of a document with evidence and marks on them, driven by mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from textwrap import shorten

from PySide6.QtCore import (
    QEasingCurve,
    QElapsedTimer,
    QEvent,
    QMarginsF,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontInfo,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QGestureEvent,
    QPinchGesture,
    QScrollBar,
    QToolTip,
    QWidget,
)

from desktop_qa.core.document import Provenance
from desktop_qa.core.mark import PlacedMark
from desktop_qa.core.page_text import PageLink
from desktop_qa.gui.marks.mark_book import paint_marks
from desktop_qa.gui.viewer.file_reader import FileStamp
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_images import PageImages, Sight
from desktop_qa.gui.viewer.page_layout import (
    EYE_DEPTH,
    GAP,
    LINE_PX,
    MAX_FACTOR,
    MIN_FACTOR,
    START,
    Anchor,
    PageArrangement,
    PageLayout,
    PageMode,
    ReadingPlace,
    Zoom,
    ZoomMode,
    eye,
    next_larger,
    next_smaller,
)
from desktop_qa.gui.viewer.page_text_cache import PageTexts
from desktop_qa.gui.viewer.pdf_document import PdfDocument
from desktop_qa.gui.viewer.pdf_find import PdfFinder
from desktop_qa.gui.viewer.pdf_highlights import (
    NO_MARKER,
    Badge,
    Highlight,
    TickScrollBar,
    badges,
    paint_badge,
    paint_highlights,
)
from desktop_qa.gui.viewer.pdf_pointer import PageKeys, Pointer, description
from desktop_qa.gui.viewer.pdf_selection import TextSelector
from desktop_qa.gui.viewer.viewer_message import FailureNote
from desktop_qa.gui.widgets.labels import plain_tip
from desktop_qa.gui.widgets.row_painting import font_like
from desktop_qa.gui.widgets.theme import look as worn
from desktop_qa.gui.widgets.timers import single_shot

_KEYBOARD_FOCUS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_ALIGNED_PX = 4
"""A page whose top is no farther from that of the window stands there already."""
_GLIDE_MS = 180
_GLIDE_SHARE = 0.6
"""A far jump glides over this share of the window only: pages between need not be drawn."""
_ZOOM_PAUSE_MS = 80
"""While the size changes the old images are stretched; new ones are drawn when it rests."""
_WHEEL_ZOOM = 1.2
_WHEEL_STEP = 120
_WHEEL_LINES_PX = 40
_TURN_PAUSE_MS = 250
"""One sweep over a touchpad turns one page, though it goes on sending events."""
_LEAST_PINCH, _MOST_PINCH = 0.5, 2.0
"""A single event of a pinch does not change the size more than this."""
_BADGE_FONT_PX = 11
_GRASP_PX = 1.5
"""A mark is hit a little beside its rectangle too."""
_TEXT_PAUSE_MS = 300
"""The text is fetched when the pages are drawn: they are what is waited for."""
_TIP_CHARACTERS = 90
NO_PAGES = PageLayout((), QSize(), PageArrangement(), 1.0)


class PdfView(QAbstractScrollArea):
    """The pages of a document with its evidence and the reader's marks.

    They are scrolled or turned, zoomed, rotated and gone to, by mouse, keys and fingers.

    Attributes:
        arrangement: Mode, size and rotation; `open` takes it to show the same again.
        page_layout: Where the pages stand now.
        place: What is being read; `open` takes it to show the same again.
        reading: 1-based number of the page that is read, and the height on it in points.
        factor: Size of the current page relative to paper.
        active: Marker of the citation that is marked more strongly.

    Signals:
        current_page_changed: 1-based number of the page that is read.
        reading_moved: 1-based number of a page and a height on it in points: what is read now.
        arrangement_changed: The PageArrangement, after any change of mode, size or rotation.
        moved: The pages stand elsewhere in the window than before.
        highlight_clicked: Marker of the citation whose rectangle or number was clicked.
        mark_clicked: Id of the mark.
        link_followed: With the `PageLink` that was clicked.
        mark_menu_requested: Id of the mark, and where on the screen.
        menu_requested: 0-based index of a page, a point on it, and where on the screen.
        escaped: Escape was pressed, and there was nothing on the pages to let go of.
        caret_toggled: The keys move a caret over the text, or the pages again.
        jumping: The pages are about to be elsewhere: at an end, or where words were found.
        pressed: A mouse button went down on the pages, but for those that go back and forward.
    """

    current_page_changed = Signal(int)
    reading_moved = Signal(int, float)
    arrangement_changed = Signal(object)
    moved = Signal()
    highlight_clicked = Signal(int)
    mark_clicked = Signal(str)
    link_followed = Signal(object)
    mark_menu_requested = Signal(str, object)
    menu_requested = Signal(int, QPointF, object)
    escaped = Signal()
    caret_toggled = Signal(bool)
    jumping = Signal()
    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = PdfDocument(self)
        self.images = PageImages(self.document, self)
        self.is_animated = True
        self._shows_focus = False
        self.arrangement = PageArrangement()
        self._stamp: FileStamp | None = None
        self._pending: int | tuple[Provenance, ...] | ReadingPlace = 1
        self._pending_look: PageArrangement | None = None
        self.page_layout = NO_PAGES
        self.place = START
        self.reading = (0, 0.0)
        self._page_index = 0
        self._reached_page = 0
        self.factor = 1.0
        self._direction = 1
        self._is_moving_itself = False
        self._glide = QVariantAnimation(self)
        self._glide.setDuration(_GLIDE_MS)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._glide.valueChanged.connect(lambda y: self._move_bars(None, y))
        self._request_timer = single_shot(self, self._request_images)
        self._notes: dict[int, FailureNote] = {}
        self._wheeled_rest = 0
        self._last_turn = QElapsedTimer()
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Always there: a bar that comes and goes would change the width that the pages fit.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document.opened.connect(self._on_document_opened)
        self.document.failed.connect(self._show_no_pages)
        self.images.changed.connect(self._on_images_changed)
        self.texts = PageTexts(self)
        self.selector = TextSelector(self.texts, self)
        self.finder = PdfFinder(self.texts, self)
        self.keys = PageKeys(self)
        self.highlights: tuple[Highlight, ...] = ()
        self.active: int | None = None
        self.marks: tuple[PlacedMark, ...] = ()
        self._pointer = Pointer(self)
        self._ticks = TickScrollBar(self)
        self.setVerticalScrollBar(self._ticks)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Pages of the document")
        self._text_timer = single_shot(self, self._on_text_timer_timeout, _TEXT_PAUSE_MS)
        self.selector.changed.connect(self.viewport().update)
        self.selector.blink.timeout.connect(self.viewport().update)
        self.selector.caret_moved.connect(self._on_caret_moved)
        self.finder.changed.connect(self._show_ticks)
        self.finder.place_wanted.connect(self._on_finder_place_wanted)

    # What is shown

    def open(
        self,
        path: Path,
        target: int | Sequence[Provenance] | ReadingPlace = 1,
        look: PageArrangement | None = None,
    ) -> None:
        """Show a file at a page (1-based), at places or where it was read before, once it is open.

        `look` is what `arrangement` was; None leaves mode and size as they are.
        """
        self._pending = target if isinstance(target, int | ReadingPlace) else tuple(target)
        self._pending_look = look
        self.document.open(path)

    def close_document(self) -> None:
        """Show nothing."""
        self.highlights, self.active, self.marks = (), None, ()
        self.texts.set_file(None)
        self.selector.set_document(0)
        self.finder.clear()
        self.document.close()
        self._show_no_pages()

    def _show_no_pages(self) -> None:
        self._glide.stop()
        self._stamp = None
        self._set_layout(NO_PAGES)

    def _on_document_opened(self) -> None:
        self._glide.stop()
        is_new = self.document.stamp != self._stamp
        self._stamp = self.document.stamp
        before, look, target = self.arrangement, self._pending_look, self._pending
        if look is not None:
            self.arrangement = look
        elif is_new:
            # The way up belongs to the document, mode and size to the reader.
            self.arrangement = replace(before, rotation=0)
        if isinstance(target, ReadingPlace):
            self.place = target
        elif is_new:
            self.place = START
        last = len(self.document.page_sizes) - 1
        self._page_index = min(self.place.anchor.page_index, last)
        self._relayout()
        if isinstance(target, ReadingPlace):
            self._set_page(self._most_visible(self.offset.y()))
            self._emit_reading()
        else:
            self.go_to(target)
            if is_new:
                self._end_glide()
        self.current_page_changed.emit(self.current_page)
        if self.arrangement != before:
            self.arrangement_changed.emit(self.arrangement)
        self._request_timer.start(0)
        if is_new and self._stamp is not None:
            self.texts.set_file(Path(self._stamp.path), self.document.password)
            self.selector.set_document(self.n_pages)
            self.finder.clear()
        self._text_timer.start()

    @property
    def n_pages(self) -> int:
        """Pages of the document, 0 when none is open."""
        return self.page_layout.n_pages

    @property
    def offset(self) -> QPoint:
        """The point of the canvas at the top left corner of the window."""
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    @property
    def visible_canvas(self) -> QRect:
        """The part of the canvas that is seen."""
        return QRect(self.offset, self.viewport().size())

    @property
    def sight(self) -> Sight:
        """What is seen, for who draws it."""
        return Sight(self.page_layout, self.visible_canvas, self.devicePixelRatioF())

    @property
    def current_page(self) -> int:
        """1-based number of the page that is read."""
        return self._page_index + 1

    # How it is set out

    @property
    def zoom(self) -> Zoom:
        """What the size of the pages follows."""
        return self.arrangement.zoom

    def arrange(self, arrangement: PageArrangement, about: QPointF | None = None) -> None:
        """Set the pages out anew; the point of the viewport `about` stays where it is."""
        self._glide.stop()
        zoom = arrangement.zoom
        zoom = Zoom(zoom.mode, min(max(zoom.factor, MIN_FACTOR), MAX_FACTOR))
        before, self.arrangement = self.arrangement, replace(arrangement, zoom=zoom)
        if before == self.arrangement:
            return
        if self.n_pages:
            self._rearrange(before, about)
            self._request_timer.start(_ZOOM_PAUSE_MS)
        self.arrangement_changed.emit(self.arrangement)

    def _rearrange(self, before: PageArrangement, about: QPointF | None) -> None:
        if about is not None:
            self._relayout(self.page_layout.anchor_at(about + self.offset.toPointF()), about)
            self._read_here()
            return
        now = self.arrangement
        self._relayout()
        if self.place.depth == 0 and (before.mode, before.rotation) != (now.mode, now.rotation):
            self._go_to_page(self._page_index)
            self._end_glide()

    def set_zoom(self, zoom: Zoom, about: QPointF | None = None) -> None:
        """Change the size; the point of the viewport `about` stays where it is."""
        self.arrange(replace(self.arrangement, zoom=zoom), about)

    def set_mode(self, mode: PageMode) -> None:
        """Show the pages one below the other, one by one, or in pairs."""
        self.arrange(replace(self.arrangement, mode=mode))

    def rotate(self, quarter_turns: int) -> None:
        """Turn the pages clockwise, for negative numbers the other way."""
        self.arrange(self.arrangement.turned(quarter_turns))

    def zoom_in(self) -> None:
        """Go to the next larger step."""
        self.set_zoom(Zoom(ZoomMode.FACTOR, next_larger(self.factor)))

    def zoom_out(self) -> None:
        """Go to the next smaller step."""
        self.set_zoom(Zoom(ZoomMode.FACTOR, next_smaller(self.factor)))

    def zoom_by(self, growth: float, about: QPointF) -> None:
        """Make the pages larger by a factor about a point of the viewport."""
        if self.n_pages and growth > 0 and growth != 1.0:
            self.set_zoom(Zoom(ZoomMode.FACTOR, self.factor * growth), about)

    def _relayout(self, anchor: Anchor | None = None, about: QPointF | None = None) -> None:
        """Lay the pages out anew; an anchor stays at a point of the viewport."""
        # The remembered place, not one taken anew: each rounding would shift it a little.
        anchor = anchor or self.place.anchor
        about = about or eye(self.viewport().size(), self.place.depth)
        sizes, per_point = self.document.page_sizes, self.logicalDpiX() / 72
        self._set_layout(PageLayout(sizes, self.viewport().size(), self.arrangement, per_point))
        if self.n_pages:
            offset = self.page_layout.point_of(anchor) - about
            self._move_bars(*self._inside(round(offset.x()), round(offset.y())))
            self._find_factor()
        self._show_failures()

    def _set_layout(self, layout: PageLayout) -> None:
        self.page_layout = layout
        height = layout.height if layout.n_pages else 0
        self._let_reach(self.verticalScrollBar(), self.viewport().height(), 0, height)
        self._reach_over(min(self._page_index, max(layout.n_pages - 1, 0)))
        self.viewport().update()
        self._show_ticks()
        self.moved.emit()

    # Going somewhere

    def go_to(self, target: int | Sequence[Provenance]) -> None:
        """Scroll to a page by its 1-based number, or until places are in view."""
        if not self.n_pages:
            self._pending = target if isinstance(target, int) else tuple(target)
        elif isinstance(target, int):
            self._go_to_page(min(max(target, 1), self.n_pages) - 1)
        else:
            self._go_to_places(target)

    def turn(self, direction: int, *, at_end: bool = False) -> bool:
        """Go to the next (1) or previous (-1) page or pair, or to its end; False without one."""
        if not self.n_pages:
            return False
        pages = self.page_layout.spread_of(self._page_index)
        target = pages[-1] + 1 if direction > 0 else pages[0] - 1
        if not 0 <= target < self.n_pages:
            return False
        target = self.page_layout.spread_of(target)[0]
        self._go_to_page(target)
        if at_end:
            bottom = self.page_layout.window_range(target).bottom()
            self.scroll_to(self.offset.x(), bottom, target)
        return True

    def align(self, direction: int) -> None:
        """Put the next page that does not stand at the top of the window there."""
        above = self.page_layout.page_rect(self._page_index).top() - GAP - self._goal_y()
        if above * direction > _ALIGNED_PX:
            # A part of it is seen already.
            self._go_to_page(self._page_index)
        else:
            self.turn(direction)

    def _go_to_page(self, page_index: int) -> None:
        page = self.page_layout.page_rect(page_index)
        spread = self.page_layout.spread_of(page_index)
        middle = page.united(self.page_layout.page_rect(spread[0]))
        middle = middle.united(self.page_layout.page_rect(spread[-1]))
        if middle.width() > self.viewport().width():
            middle = page
        x = middle.center().x() - self.viewport().width() // 2
        self.scroll_to(x, page.top() - GAP, page_index)

    def _go_to_places(self, places: Sequence[Provenance]) -> None:
        """Put the places of the first page that has any a third below the top of the window."""
        inside = [place for place in places if 1 <= place.page_no <= self.n_pages]
        if not inside:
            return
        page_no = inside[0].page_no
        first, *others = (place.bbox for place in inside if place.page_no == page_no)
        for box in others:
            first = first.union(box)
        rect = self.page_layout.to_canvas(page_no - 1, first)
        room = self.viewport().size()
        above = eye(room, EYE_DEPTH).y()
        if rect.height() > room.height() - above - GAP:
            above = max(room.height() - rect.height() - GAP, 2.0 * GAP)
        x: float = self.offset.x()
        if rect.left() < x or rect.right() > x + room.width():
            x = rect.center().x() - room.width() / 2
        # Where the places stand, not where the eye is: near the end it cannot get down to them.
        read = page_no, first.top
        self.scroll_to(round(x), round(rect.top() - above), page_no - 1, read)

    def scroll_to(
        self,
        x: int,
        y: int,
        page_index: int | None = None,
        read: tuple[int, float] | None = None,
    ) -> None:
        """Move the top left corner of what is seen on the canvas, and remember what is read there.

        Where pages are turned, the window stays with the page: the one that was asked for stays the
        current one although another fills more of the window; without one it is that seen most.
        `read`, a page number and a height in points, is told as read; None is where the eye is.
        """
        self._glide.stop()
        start, room = self.offset.y(), self.viewport().size()
        page = self._page_index if page_index is None else page_index
        turns = self.page_layout.turns_pages
        is_turn = turns and page not in self.page_layout.spread_of(self._page_index)
        if is_turn:
            self._reach_over(page)
        x, y = self._inside(x, y)
        self._direction = 1 if y >= start else -1
        self.place = self.page_layout.place_at(QPoint(x, y), room)
        self._set_page(self._most_visible(y) if page_index is None else page_index)
        self._move_bars(x, None)
        if not self.is_animated or not self.isVisible() or start == y or is_turn:
            self._move_bars(None, y)
        else:
            length = round(room.height() * _GLIDE_SHARE)
            self._glide.setStartValue(min(max(start, y - length), y + length))
            self._glide.setEndValue(y)
            self._glide.start()
        self._emit_reading(read)

    def scroll_by(self, dx: int, dy: int, *, glides: bool = True) -> None:
        """Scroll on from where the view is, or is gliding to; at once if it shall not glide."""
        if not glides:
            self._glide.stop()
        self.scroll_to(self.offset.x() + dx, self._goal_y() + dy)
        if not glides:
            self._end_glide()

    def push(self, dx: int, dy: int) -> None:
        """Move the bars by pixels, as a hand on them does."""
        self.horizontalScrollBar().setValue(self.offset.x() + dx)
        self.verticalScrollBar().setValue(self.offset.y() + dy)

    def can_scroll(self, direction: int) -> bool:
        """Tell whether there is more of the page, or of the document, below (1) or above (-1)."""
        y = self._goal_y()
        return self._inside(0, y + direction)[1] != y

    def stop_gliding(self) -> None:
        """Stay where the pages are now."""
        self._glide.stop()

    def _goal_y(self) -> int:
        """Where the window is, or is gliding to."""
        is_gliding = self._glide.state() is QVariantAnimation.State.Running
        return int(self._glide.endValue()) if is_gliding else self.offset.y()

    def _end_glide(self) -> None:
        """Be at once where the window is gliding to."""
        y = self._goal_y()
        self._glide.stop()
        self._move_bars(None, y)

    def _inside(self, x: int, y: int) -> tuple[int, int]:
        """Return the nearest offset that the window may have on the current page."""
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        top, bottom = down.minimum(), down.maximum()
        if self.page_layout.turns_pages:
            room = self.page_layout.window_range(self._reached_page)
            top = room.top()
            bottom = max(top + room.height() - self.viewport().height(), top)
        return min(max(x, across.minimum()), across.maximum()), min(max(y, top), bottom)

    def _most_visible(self, y: int) -> int:
        if self.page_layout.turns_pages:
            pages = self.page_layout.spread_of(self._reached_page)
            return self._page_index if self._page_index in pages else pages[0]
        return self.page_layout.most_visible(y, self.viewport().height())

    def _emit_reading(self, read: tuple[int, float] | None = None) -> None:
        self.reading = read or self.page_layout.eye_on_page(self.place, self.viewport().size())
        self.reading_moved.emit(*self.reading)

    def _read_here(self) -> None:
        """Take what is seen now for what is read."""
        if self.n_pages:
            self.place = self.page_layout.place_at(self.offset, self.viewport().size())
            self._set_page(self._most_visible(self.offset.y()))
            self._emit_reading()

    def _set_page(self, page_index: int) -> None:
        if page_index != self._page_index:
            self._page_index = page_index
            self.current_page_changed.emit(page_index + 1)
            self._text_timer.start()
            self._find_factor()

    def _find_factor(self) -> None:
        factor = self.page_layout.factor(self._page_index) if self.n_pages else 1.0
        if factor != self.factor:
            self.factor = factor
            self.arrangement_changed.emit(self.arrangement)

    # The bars

    def _move_bars(self, x: int | None, y: int | None) -> None:
        was_moving, self._is_moving_itself = self._is_moving_itself, True
        if x is not None:
            self.horizontalScrollBar().setValue(x)
        if y is not None:
            self.verticalScrollBar().setValue(y)
        self._is_moving_itself = was_moving

    def _reach_over(self, page_index: int) -> None:
        """Let the horizontal bar reach as far as the pages that are shown with a page."""
        self._reached_page = page_index
        room = self.page_layout.window_range(page_index) if self.n_pages else QRect()
        left, seen = room.left(), self.viewport().width()
        self._let_reach(self.horizontalScrollBar(), seen, left, left + room.width())

    def _let_reach(self, bar: QScrollBar, seen: int, first: int, end: int) -> None:
        """Let a bar move a window of pixels `seen` between two offsets of the canvas."""
        was_moving, self._is_moving_itself = self._is_moving_itself, True
        bar.setSingleStep(LINE_PX)
        bar.setPageStep(seen)
        bar.setRange(first, max(end - seen, first))
        self._is_moving_itself = was_moving

    def _settle(self) -> None:
        """Where pages are turned, show one spread whole after the bar was moved anywhere."""
        pages = self.page_layout.spread_at(self.offset.y() + self.viewport().height() / 2)
        if self._page_index not in pages:
            self._reach_over(pages[0])
        self._move_bars(*self._inside(self.offset.x(), self.offset.y()))

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bars, and have drawn what comes into view."""
        if not self._is_moving_itself:
            self._glide.stop()
            if self.page_layout.turns_pages:
                self._settle()
            self._direction = -1 if dy > 0 else 1
            self._read_here()
        self.viewport().update()
        self._show_failures()
        if not self._request_timer.isActive():
            self._request_timer.start(0)
        self.moved.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, and turn pages at their edges; Ctrl zooms at the pointer, Shift goes across."""
        angle = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(_WHEEL_ZOOM ** (angle / _WHEEL_STEP), event.position())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and angle:
            # Qt would go on by a whole window; macOS has turned the wheel across by itself.
            self.push(-_wheeled_px(event), 0)
        elif self.page_layout.turns_pages and angle:
            self._turn_over_page(event, angle)
        else:
            super().wheelEvent(event)
            return
        event.accept()

    def _turn_over_page(self, event: QWheelEvent, angle: int) -> None:
        """Scroll within the page; what is wheeled beyond its edge turns it."""
        direction = -1 if angle > 0 else 1
        if self.can_scroll(direction):
            self._wheeled_rest = 0
            self.scroll_by(-event.pixelDelta().x(), -_wheeled_px(event), glides=False)
            self._last_turn.start()
            return
        if self._wheeled_rest * angle < 0:
            self._wheeled_rest = 0
        self._wheeled_rest += angle
        is_early = self._last_turn.isValid() and self._last_turn.elapsed() < _TURN_PAUSE_MS
        # A wheel with notches says at each that it means a turn; a touchpad glides on.
        if abs(self._wheeled_rest) < _WHEEL_STEP or (is_early and abs(angle) < _WHEEL_STEP):
            return
        self._wheeled_rest = 0
        self._last_turn.start()
        self.turn(direction, at_end=direction < 0)

    def viewportEvent(self, event: QEvent) -> bool:
        """Zoom about fingers; show the note of the mark under the pointer, or a link's target."""
        gesture = Qt.NativeGestureType
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return self._show_tip(event) or super().viewportEvent(event)
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() is gesture.ZoomNativeGesture:
                self._pinch(1.0 + event.value(), event.position())
            elif event.gestureType() is gesture.SmartZoomNativeGesture:
                is_fitted = self.zoom.mode is ZoomMode.FIT_WIDTH
                zoom = Zoom(ZoomMode.FACTOR, 2 * self.factor) if is_fitted else Zoom()
                self.set_zoom(zoom, event.position())
            else:
                return super().viewportEvent(event)
        elif event.type() == QEvent.Type.Gesture and isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if not isinstance(pinch, QPinchGesture):
                return super().viewportEvent(event)
            if pinch.changeFlags() & QPinchGesture.ChangeFlag.ScaleFactorChanged:
                center = self.viewport().mapFromGlobal(pinch.centerPoint())
                self._pinch(pinch.scaleFactor(), QPointF(center))
        else:
            return super().viewportEvent(event)
        event.accept()
        return True

    def _pinch(self, growth: float, about: QPointF) -> None:
        self.zoom_by(min(max(growth, _LEAST_PINCH), _MOST_PINCH), about)

    # Drawing

    @property
    def is_drawn(self) -> bool:
        """True when nothing that is seen waits for its final image."""
        return not self._request_timer.isActive() and self.images.is_complete(self.sight)

    def _request_images(self) -> None:
        if self.n_pages and self.isVisible():
            self.images.request(self.sight, self._direction)

    def _on_images_changed(self, page_index: int) -> None:
        if page_index < self.n_pages:
            self.viewport().update(self.page_layout.page_rect(page_index).translated(-self.offset))
            self._show_failures()

    def _show_failures(self) -> None:
        """Put notes on the papers that are seen and cannot be drawn; all others leave."""
        layout, notes = self.page_layout, self._notes
        failed = set(filter(self.images.has_failed, layout.seen(self.visible_canvas)))
        for page_index in notes.keys() - failed:
            note = notes.pop(page_index)
            note.hide()
            note.deleteLater()
        for page_index in failed:
            if page_index not in notes:
                notes[page_index] = FailureNote(page_index, self.viewport(), self._retry)
            notes[page_index].lie_on(layout.page_rect(page_index).translated(-self.offset))

    def _retry(self, page_index: int) -> None:
        self.images.retry(page_index)
        self._request_timer.start(0)

    def set_colours(self, colours: PageColours) -> None:
        """Show the pages in other colours."""
        if colours is not self.images.colours:
            self.images.set_colours(colours)
            self.viewport().update()
            self._request_timer.start(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the canvas, the visible pages and what lies on them."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(worn.theme.canvas))
        # The ratio of what is painted on: a picture of the view may have another.
        pixel_ratio = painter.device().devicePixelRatio()
        sight, offset = replace(self.sight, pixel_ratio=pixel_ratio), self.offset
        for page_index in self.page_layout.seen(sight.part):
            self.images.paint(painter, sight, page_index)
            painter.save()
            painter.translate(-offset)
            painter.setClipRect(self.page_layout.page_rect(page_index))
            self._paint_marks(painter, page_index)
            painter.restore()
        painter.save()
        painter.translate(-offset)
        font = self._badge_font()
        for badge in self.badges():
            paint_badge(painter, badge, is_active=badge.marker == self.active, font=font)
        painter.restore()
        if self.hasFocus() and self._shows_focus:
            painter.setPen(QPen(QColor(worn.theme.accent), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _fit(self) -> None:
        """Fit the pages to another window or screen and keep the place that is read."""
        if self.n_pages:
            self._glide.stop()
            self._relayout()
            self._request_timer.start(_ZOOM_PAUSE_MS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages to the new size."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what could wait while the view was hidden."""
        super().showEvent(event)
        self._request_timer.start(0)

    def event(self, event: QEvent) -> bool:
        """Draw anew for a screen with other pixels, laid out for its inches."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._fit()
        return super().event(event)

    # Its own colours and focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus when it came by key."""
        self._shows_focus = event.reason() in _KEYBOARD_FOCUS
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        super().focusOutEvent(event)
        self.viewport().update()

    # The text

    def _on_text_timer_timeout(self) -> None:
        if self.n_pages and self.isVisible():
            self.texts.get(self.current_page - 1)

    def _on_finder_place_wanted(self, places: tuple[Provenance, ...]) -> None:
        seen, layout = QRectF(self.visible_canvas), self.page_layout
        if not all(seen.contains(layout.to_canvas(p.page_no - 1, p.bbox)) for p in places):
            self.jumping.emit()
            self.go_to(places)

    @property
    def is_selection_seen(self) -> bool:
        """True when a part of what is selected is in the window."""
        model, seen = self.selector.model, QRectF(self.visible_canvas)
        if not self.selector.has_selection:
            return False
        return any(
            seen.intersects(self.page_layout.to_canvas(page_index, box))
            for page_index in self.page_layout.seen(self.visible_canvas)
            if page_index in model.page_range
            for box in model.boxes(page_index)
        )

    def _on_caret_moved(self, place: Provenance) -> None:
        """Scroll as little as needed to see the caret."""
        layout, page_index = self.page_layout, place.page_no - 1
        if layout.turns_pages and page_index not in layout.spread_of(self.current_page - 1):
            self.go_to([place])
            return
        rect = layout.to_canvas(page_index, place.bbox).adjusted(-LINE_PX, -8, LINE_PX, 8)
        seen = QRectF(self.visible_canvas)
        dx = min(rect.left() - seen.left(), 0.0) + max(rect.right() - seen.right(), 0.0)
        dy = min(rect.top() - seen.top(), 0.0) + max(rect.bottom() - seen.bottom(), 0.0)
        if dx or dy:
            self.scroll_by(round(dx), round(dy))

    def toggle_caret(self) -> None:
        """Let the keys move a caret over the text, or scroll the pages again."""
        is_shown = not self.selector.is_caret_shown
        self.selector.show_caret(is_shown, self.current_page - 1)
        self.keys.forget_link()
        self.caret_toggled.emit(is_shown)

    # Evidence and marks

    def set_highlights(self, highlights: Sequence[Highlight], active: int | None = None) -> None:
        """Mark places of the open document as evidence; the former ones leave."""
        self.highlights, self.active = tuple(highlights), active
        self._show_ticks()

    def set_active(self, marker: int | None) -> None:
        """Mark one citation more strongly than the others."""
        self.active = marker
        self._show_ticks()

    def set_marks(self, marks: Sequence[PlacedMark]) -> None:
        """Show marks of the open document; those without a place are left out."""
        self.marks = tuple(marks)
        self._show_ticks()

    def _show_ticks(self) -> None:
        """Show in the scroll bar where evidence, marks and finds are and what they say."""
        bar, heights = self._ticks, self.page_layout.heights
        cited = [one for one in self.highlights if one.marker != NO_MARKER]
        bar.ticks = tuple(
            (y, one.marker == self.active) for one in cited for y, _page in heights(one.places)
        )
        bar.found_ticks = self.finder.ticks(self.page_layout)
        bar.dots = tuple(
            (y, one.mark.colour) for one in self.marks for y, _page in heights(one.places)[:1]
        )
        named = [(one.places, f"[{one.marker}] {one.words}") for one in cited]
        named += [(one.places, one.mark.note.strip() or one.mark.quote) for one in self.marks]
        bar.tips = tuple(
            (y, f"Page {page_no}: {shorten(said, _TIP_CHARACTERS, placeholder=' …')}")
            for places, said in named
            for y, page_no in heights(places)
        )
        bar.update()
        self.viewport().update()

    def badges(self) -> list[Badge]:
        """Return the numbers beside the visible pages, on the canvas."""
        seen = self.visible_canvas
        pages = self.page_layout.seen(seen)
        font = self._badge_font()
        return list(badges(self.page_layout, pages, self.highlights, seen.left(), font))

    def _badge_font(self) -> QFont:
        px = max(_BADGE_FONT_PX, QFontInfo(self.font()).pixelSize() - 2)
        return font_like(self.font(), px, QFont.Weight.DemiBold)

    def _paint_marks(self, painter: QPainter, page_index: int) -> None:
        """Paint the reader's marks of a page, then evidence, finds and selection over them."""
        layout, colours = self.page_layout, self.images.colours
        paint_marks(painter, layout, page_index, self.marks, colours)
        paint_highlights(painter, layout, page_index, self.highlights, self.active, colours)
        self.finder.paint(painter, layout, page_index, colours)
        self.keys.paint(painter, page_index)
        self.selector.paint(painter, layout, page_index)

    # What is at a place

    def point_at(self, position: QPointF) -> tuple[int, QPointF]:
        """Return the page at a point of the viewport, and the point in points on that page."""
        point = position + self.offset.toPointF()
        page_index = self.page_layout.page_under(point)
        return page_index, self.page_layout.to_page(page_index, point)

    def marker_under(self, position: QPointF) -> int | None:
        """Return the citation under a point of the viewport."""
        if not self.n_pages:
            return None
        point, layout = position + self.offset.toPointF(), self.page_layout
        page_index = layout.page_under(point)
        # Numbers before rectangles, and the active citation before the others.
        hit = [badge.marker for badge in self.badges() if badge.rect.contains(point)] or [
            one.marker
            for one in sorted(self.highlights, key=lambda one: one.marker != self.active)
            if one.marker != NO_MARKER
            and any(rect.contains(point) for rect in layout.rects_on(page_index, one.places))
        ]
        return hit[0] if hit else None

    def mark_at(self, position: QPointF) -> PlacedMark | None:
        """Return the mark under a point of the viewport, of several the one made last."""
        point = position + self.offset.toPointF()
        layout, grasp = self.page_layout, QMarginsF(*[_GRASP_PX] * 4)
        hit = [
            placed
            for page_index in layout.seen(self.visible_canvas)
            for placed in self.marks
            for rect in layout.rects_on(page_index, placed.places)
            if rect.marginsAdded(grasp).contains(point)
        ]
        return max(hit, key=lambda placed: placed.mark.made_at, default=None)

    def rect_of(self, mark_id: str) -> QRectF | None:
        """Return what a mark covers on its first page in viewport coordinates; None without."""
        placed = next((one for one in self.marks if one.mark.id == mark_id), None)
        if placed is None or placed.page_no > self.n_pages:
            return None
        rects = self.page_layout.rects_on(placed.page_no - 1, placed.places)
        whole = reduce(QRectF.united, rects, QRectF())
        return whole.translated(-self.offset.toPointF()) if whole.isValid() else None

    def visible_links(self) -> list[tuple[int, PageLink]]:
        """Return the links that are seen, in the order of reading, with their pages."""
        seen = self.visible_canvas
        found = []
        for page_index in self.page_layout.seen(seen):
            page = self.texts.get(page_index)
            for link in page.links if page is not None else ():
                rect = self.page_layout.to_canvas(page_index, link.bbox)
                if QRectF(seen).contains(rect.center()):
                    found.append((page_index, link))
        return sorted(found, key=lambda one: (one[0], round(one[1].bbox.top), one[1].bbox.left))

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to select text, or to click a mark or a link."""
        if event.button() not in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            self.pressed.emit()
        if not self._pointer.press(event):
            # On to the panel, where the side buttons travel.
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        self._pointer.press(event, is_double=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select on, or show what a click would do."""
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End selecting, or click a mark or a link."""
        self._pointer.release(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Leave no hand behind."""
        self.viewport().unsetCursor()
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the mark at this place, else for that of the text."""
        if not self.n_pages:
            return
        position = QPointF(event.pos())
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            position = QPointF(self.viewport().rect().center())
        where, placed = self.viewport().mapToGlobal(position.toPoint()), self.mark_at(position)
        if placed is not None and not self.selector.has_selection:
            self.mark_menu_requested.emit(placed.mark.id, where)
        else:
            self.menu_requested.emit(*self.point_at(position), where)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Go through the links of the visible pages while the caret is shown."""
        return self.keys.next_link(is_next=is_next) or super().focusNextPrevChild(is_next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, turn pages, select and copy."""
        # What means nothing here goes on to the panel.
        event.setAccepted(self.keys.press(event))

    def _show_tip(self, event: QHelpEvent) -> bool:
        placed = self.mark_at(QPointF(event.pos()))
        link = self._pointer.link_under(QPointF(event.pos()))
        if placed is not None:
            cell, note = placed.mark.cell, placed.mark.note.strip()
            said = (cell.sentence, note) if cell is not None else (note,)
            tip = plain_tip("\n".join(filter(None, said)) or "Click to write a note")
        elif link is not None:
            tip = description(link, self.document)
        else:
            QToolTip.hideText()
            return False
        QToolTip.showText(event.globalPos(), tip, self.viewport())
        return True


def _wheeled_px(event: QWheelEvent) -> int:
    """Return how far a wheel, or fingers on a touchpad, push the page down."""
    notches = event.angleDelta().y() / _WHEEL_STEP
    return event.pixelDelta().y() or round(notches * 3 * _WHEEL_LINES_PX)
