"""Scrolling and turning pages: which part of the canvas is seen, and what is read there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtWidgets import QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.gui.viewer.page_canvas import PageCanvas
from desktop_qa.gui.viewer.page_glide import Glide
from desktop_qa.gui.viewer.page_layout import (
    EYE_DEPTH,
    GAP,
    START,
    PageArrangement,
    PageLayout,
    ReadingPlace,
    eye,
)

_LINE_PX = 48
NO_PAGES = PageLayout((), QSize(), PageArrangement(), 1.0)


class PageScroller(PageCanvas):
    """A window onto pages that are laid out on a canvas.

    Signals:
        current_page_changed: 1-based number of the page that is read.
        zoom_changed: Size of that page relative to paper, after any change of the size.
        reading_moved: 1-based number of a page and a height on it in points: what is read now.
    """

    current_page_changed = Signal(int)
    zoom_changed = Signal(float)
    reading_moved = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_animated = True
        self._layout = NO_PAGES
        self._place = START
        self._page_index = 0
        self._reached_page = 0
        self._factor = 1.0
        self._direction = 1
        self._is_moving_itself = False
        self._pending: int | tuple[Provenance, ...] | ReadingPlace = 1
        self._animation = Glide(self)
        self._animation.moved.connect(lambda y: self._move_bars(None, y))

    # What is seen

    @property
    def n_pages(self) -> int:
        """Pages of the document, 0 when none is open."""
        return self._layout.n_pages

    @property
    def page_layout(self) -> PageLayout:
        """Where the pages stand now."""
        return self._layout

    @property
    def visible_canvas(self) -> QRect:
        """The part of the canvas that is seen."""
        return QRect(self._offset(), self.viewport().size())

    @property
    def factor(self) -> float:
        """Size of the current page relative to paper."""
        return self._factor

    # Where it is read

    @property
    def current_page(self) -> int:
        """1-based number of the page that is read."""
        return self._page_index + 1

    @property
    def place(self) -> ReadingPlace:
        """What is being read; `open` takes it to show the same again."""
        return self._place

    def go_to(self, target: int | Sequence[Provenance]) -> None:
        """Scroll to a page by its 1-based number, or until places are in view."""
        if not self.n_pages:
            self._pending = target if isinstance(target, int) else tuple(target)
        elif isinstance(target, int):
            self._go_to_page(min(max(target, 1), self.n_pages) - 1)
        else:
            self._go_to_places(target)

    def turn(self, direction: int, *, at_end: bool = False) -> bool:
        """Go to the next (1) or previous (-1) page or pair; False when there is none.

        Args:
            direction: 1 or -1.
            at_end: Show the end of the page, for who scrolls up into it.
        """
        if not self.n_pages:
            return False
        pages = self._layout.spread_of(self._page_index)
        target = pages[-1] + 1 if direction > 0 else pages[0] - 1
        if not 0 <= target < self.n_pages:
            return False
        target = self._layout.spread_of(target)[0]
        self._go_to_page(target)
        if at_end:
            room = self._layout.window_range(target)
            self.scroll_to(self.horizontalScrollBar().value(), room.bottom(), target)
        return True

    def _go_to_page(self, page_index: int) -> None:
        page = self._layout.page_rect(page_index)
        spread = self._layout.spread_of(page_index)
        middle = page.united(self._layout.page_rect(spread[0]))
        middle = middle.united(self._layout.page_rect(spread[-1]))
        if middle.width() > self.viewport().width():
            middle = page
        x = middle.center().x() - self.viewport().width() // 2
        self.scroll_to(x, page.top() - GAP, page_index)
        self._emit_reading()

    def _go_to_places(self, places: Sequence[Provenance]) -> None:
        """Put the places of the first page that has any a third below the top of the window."""
        inside = [place for place in places if 1 <= place.page_no <= self.n_pages]
        if not inside:
            return
        page_no = inside[0].page_no
        first, *others = (place.bbox for place in inside if place.page_no == page_no)
        for box in others:
            first = first.union(box)
        rect = self._layout.to_canvas(page_no - 1, first)
        room = self.viewport().size()
        above = eye(room, EYE_DEPTH).y()
        if rect.height() > room.height() - above - GAP:
            above = max(room.height() - rect.height() - GAP, 2.0 * GAP)
        x: float = self.horizontalScrollBar().value()
        if rect.left() < x or rect.right() > x + room.width():
            x = rect.center().x() - room.width() / 2
        self.scroll_to(round(x), round(rect.top() - above), page_no - 1)
        # Where the places stand, not where the eye is: near the end it cannot get down to them.
        self.reading_moved.emit(page_no, first.top)

    def scroll_to(self, x: int, y: int, page_index: int | None = None) -> None:
        """Move the top left corner of what is seen, and remember what is read there.

        The page that was asked for stays the current one although another fills more of the
        window; without one it is the page that is seen most. Where pages are turned, the window
        stays with the page.
        """
        self._animation.stop()
        start = self.verticalScrollBar().value()
        is_turn = self._stand_on(page_index)
        x, y = self._inside(x, y)
        self._direction = 1 if y >= start else -1
        self._place = self._layout.place_at(QPoint(x, y), self.viewport().size())
        self._set_page(self._most_visible(y) if page_index is None else page_index)
        self._move_bars(x, None)
        if not self.is_animated or not self.isVisible() or start == y or is_turn:
            self._move_bars(None, y)
            return
        self._animation.start(start, y, self.viewport().height())

    def scroll_by(self, dx: int, dy: int) -> None:
        """Scroll on from where the view is, or is gliding to."""
        goal = self._animation.goal
        y = self.verticalScrollBar().value() if goal is None else goal
        self.scroll_to(self.horizontalScrollBar().value() + dx, y + dy)
        self._emit_reading()

    def can_scroll(self, direction: int) -> bool:
        """Tell whether there is more of the page, or of the document, below (1) or above (-1)."""
        goal = self._animation.goal
        y = self.verticalScrollBar().value() if goal is None else goal
        return self._inside(0, y + direction)[1] != y

    def _stand_on(self, page_index: int | None) -> bool:
        """Let the bars reach over a page that is to be shown; True when pages are turned to it."""
        if page_index is None or not self._layout.turns_pages:
            return False
        is_turn = page_index not in self._layout.spread_of(self._page_index)
        if is_turn:
            self._reach_over(page_index)
        return is_turn

    def _inside(self, x: int, y: int) -> tuple[int, int]:
        """Return the nearest offset that the window may have on the current page."""
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        top, bottom = down.minimum(), down.maximum()
        if self._layout.turns_pages:
            room = self._layout.window_range(self._reached_page)
            top = room.top()
            bottom = max(top + room.height() - self.viewport().height(), top)
        return min(max(x, across.minimum()), across.maximum()), min(max(y, top), bottom)

    def _most_visible(self, y: int) -> int:
        if self._layout.turns_pages:
            pages = self._layout.spread_of(self._reached_page)
            return self._page_index if self._page_index in pages else pages[0]
        return self._layout.most_visible(y, self.viewport().height())

    def _emit_reading(self) -> None:
        self.reading_moved.emit(*self._layout.eye_on_page(self._place, self.viewport().size()))

    def _move_bars(self, x: int | None, y: int | None) -> None:
        was_moving, self._is_moving_itself = self._is_moving_itself, True
        if x is not None:
            self.horizontalScrollBar().setValue(x)
        if y is not None:
            self.verticalScrollBar().setValue(y)
        self._is_moving_itself = was_moving

    def _offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _read_here(self) -> None:
        """Take what is seen now for what is read."""
        if self.n_pages:
            offset = self._offset()
            self._place = self._layout.place_at(offset, self.viewport().size())
            self._set_page(self._most_visible(offset.y()))
            self._emit_reading()

    def _settle(self) -> None:
        """Where pages are turned, show one spread whole after the bar was moved anywhere."""
        y = self.verticalScrollBar().value()
        pages = self._layout.spread_at(y + self.viewport().height() / 2)
        if self._page_index not in pages:
            self._reach_over(pages[0])
        self._move_bars(*self._inside(self.horizontalScrollBar().value(), y))

    def _set_page(self, page_index: int) -> None:
        if page_index != self._page_index:
            self._page_index = page_index
            self.current_page_changed.emit(page_index + 1)
            self._emit_zoom()

    def _emit_zoom(self) -> None:
        factor = self._layout.factor(self._page_index) if self.n_pages else 1.0
        if factor != self._factor:
            self._factor = factor
            self.zoom_changed.emit(factor)

    # The bars

    def _set_layout(self, layout: PageLayout) -> None:
        self._layout = layout
        room = self.viewport().size()
        was_moving, self._is_moving_itself = self._is_moving_itself, True
        down = self.verticalScrollBar()
        down.setSingleStep(_LINE_PX)
        down.setPageStep(room.height())
        down.setRange(0, max(layout.height - room.height(), 0) if layout.n_pages else 0)
        self._reach_over(min(self._page_index, max(layout.n_pages - 1, 0)))
        self._is_moving_itself = was_moving
        self.viewport().update()

    def _reach_over(self, page_index: int) -> None:
        """Let the horizontal bar reach as far as the pages that are shown with a page."""
        self._reached_page = page_index
        seen = self.viewport().width()
        room = self._layout.window_range(page_index) if self._layout.n_pages else QRect()
        was_moving, self._is_moving_itself = self._is_moving_itself, True
        across = self.horizontalScrollBar()
        across.setSingleStep(_LINE_PX)
        across.setPageStep(seen)
        across.setRange(room.left(), max(room.left() + room.width() - seen, room.left()))
        self._is_moving_itself = was_moving

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bars."""
        if not self._is_moving_itself:
            self._animation.stop()
            if self._layout.turns_pages:
                self._settle()
            self._direction = -1 if dy > 0 else 1
            self._read_here()
        self.viewport().update()
