"""Finding words in the document on screen: all places, one of them the present one."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_qa.core.document import Provenance
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.page_text import FoundText, TextHit, TextQuery
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.page_text_cache import PageTexts
from desktop_qa.gui.widgets.timers import single_shot

FOUND_COLOR = QColor("#8a3fd1")
"""Violet: amber is for evidence alone, the accent for what is selected."""

FOUND_ON_DARK = QColor("#bb8cf5")
"""For the ticks beside pages that lie on a dark canvas."""

MAX_HITS = 10_000
_TYPING_MS = 120
_MAX_EXACT_TICKS = 600
_OTHER_FILL, _ACTIVE_FILL = 0.18, 0.42

_Key = tuple[int, int]
"""Page number and offset: the order of reading."""


class PdfFinder(QObject):
    """Searches the document that `PageTexts` has, from the page that is read around to it.

    Attributes:
        query: What is looked for.
        is_running: True while pages are still to be searched.

    Signals:
        changed: Other places are marked, or more is known of how many there are.
        place_wanted: With the `Provenance`s of the place to be shown.
        said: A sentence: the search went on from the other end, or why it cannot.
    """

    changed = Signal()
    place_wanted = Signal(object)
    said = Signal(str)

    def __init__(self, texts: PageTexts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = texts
        self.query = TextQuery("")
        self._run = 0
        self._start = (1, 0)
        self._keys: list[_Key] = []
        self._hits: dict[_Key, TextHit] = {}
        self._by_page: dict[int, list[TextHit]] = {}
        self._current: _Key | None = None
        self._left: _Key | None = None
        self.is_running = False
        self._is_cut = False
        self._n_pages = 0
        self._n_without_text = 0
        self._failure = ""
        self._typing = single_shot(self, self._search, _TYPING_MS)

    # What was found

    @property
    def hits(self) -> tuple[TextHit, ...]:
        """All places known so far, in reading order."""
        return tuple(self._hits[key] for key in self._keys)

    @property
    def current(self) -> TextHit | None:
        """The place that is shown."""
        return self._hits.get(self._current) if self._current is not None else None

    @property
    def is_missing(self) -> bool:
        """True when the words were looked for everywhere and are nowhere."""
        return bool(self.query.words) and not (self.is_running or self._keys)

    @property
    def summary(self) -> str:
        """How many places there are, in a few words."""
        if not self.query.words.strip():
            return ""
        if self._failure:
            return self._failure
        more = "+" if self.is_running or self._is_cut else ""
        if not self._keys:
            if self.is_running:
                return "Searching …"
            if self._n_pages and self._n_without_text == self._n_pages:
                return "This document holds no text to search"
            return "Not found"
        total = f"{len(self._keys)}{more}"
        if self._current is None:
            return total
        place = bisect_left(self._keys, self._current) + 1
        return f"{place} of {total}"

    # Searching

    def set_query(self, query: TextQuery, page_no: int) -> None:
        """Look for words, first from a page on; soon, so that a word is typed to its end first."""
        self.query = query
        self._start = (page_no, 0)
        self._left = None
        self._forget()
        self.is_running = bool(query.words.strip())
        self._typing.start()
        self.changed.emit()

    def clear(self, *, keeps_place: bool = False) -> None:
        """Mark nothing; the words stay known for `step`, and the place shown last if wanted."""
        self._typing.stop()
        self._left = (self._current or self._left) if keeps_place else None
        self._forget()
        self.changed.emit()

    def _forget(self) -> None:
        self._run += 1
        self._keys, self._hits, self._by_page = [], {}, {}
        self._current, self.is_running, self._is_cut = None, False, False
        self._failure = ""
        self._n_pages = self._n_without_text = 0

    def _search(self) -> None:
        if not self.query.words.strip():
            return
        self.is_running = self._ask(self._run, self._start[0], has_turned=False)
        self.changed.emit()

    def _ask(self, run: int, page_no: int, *, has_turned: bool) -> bool:
        return self._texts.ask(
            *("find_text", self.query, page_no),
            on_result=partial(self._on_found, run, has_turned),
            on_failure=partial(self._on_failed, run),
        )

    def _on_failed(self, run: int, error: DesktopQaError) -> None:
        if run == self._run:
            self.is_running = False
            self._failure = "Cannot be searched"
            self.said.emit(str(error))
            self.changed.emit()

    def _on_found(self, run: int, has_turned: bool, found: FoundText) -> None:
        if run != self._run:
            return
        self._n_pages = found.n_pages
        self._n_without_text += found.n_without_text
        first_page = min(self._start[0], found.n_pages)
        end = first_page if has_turned else found.n_pages + 1
        self._add(hit for hit in found.hits if hit.page_no < end)
        next_page = found.next_page
        if not has_turned and next_page is None and first_page > 1:
            has_turned, next_page = True, 1
        elif has_turned and next_page is not None and next_page >= first_page:
            next_page = None
        if len(self._keys) >= MAX_HITS:
            next_page, self._is_cut = None, True
        self.is_running = next_page is not None and self._ask(run, next_page, has_turned=has_turned)
        is_beyond = bool(self._keys) and self._keys[-1] >= self._start and not has_turned
        if self._current is None and self._keys and (is_beyond or not self.is_running):
            self._show_first()
        self.changed.emit()

    def _add(self, hits: Iterable[TextHit]) -> None:
        for hit in hits:
            key = (hit.page_no, hit.start)
            if key in self._hits or len(self._keys) >= MAX_HITS:
                continue
            self._hits[key] = hit
            if not self._keys or key > self._keys[-1]:
                self._keys.append(key)
            else:
                insort(self._keys, key)
            self._by_page.setdefault(hit.page_no, []).append(hit)

    def _show_first(self) -> None:
        index = bisect_left(self._keys, self._start)
        self._go(index if index < len(self._keys) else 0)

    def step(self, *, backwards: bool = False, page_no: int = 1) -> None:
        """Go to the next place, from the other end after the last; search anew after `clear`."""
        if not self.query.words.strip():
            return
        if self._typing.isActive():
            self._typing.stop()
            self._search()
            return
        if not self._keys:
            if not self.is_running:
                self._search_on(page_no)
            return
        if self._current is None:
            self._show_first()
            return
        index = bisect_left(self._keys, self._current) + (-1 if backwards else 1)
        if not 0 <= index < len(self._keys):
            end = "end" if backwards else "start"
            self.said.emit(f"The search went on from the {end} of the document.")
        self._go(index % len(self._keys))
        self.changed.emit()

    def _search_on(self, page_no: int) -> None:
        """Search anew, from behind the place that was shown last if it is still before the eyes."""
        left = self._left
        self.set_query(self.query, page_no)
        if left is not None and abs(left[0] - page_no) <= 1:
            self._start = (left[0], left[1] + 1)

    def _go(self, index: int) -> None:
        self._current = self._keys[index]
        hit = self._hits[self._current]
        self.place_wanted.emit(tuple(Provenance(hit.page_no, box) for box in hit.boxes))

    # Drawing

    def paint(
        self, painter: QPainter, layout: PageLayout, page_index: int, colours: PageColours
    ) -> None:
        """Mark the places of a page, in canvas coordinates."""
        current = self.current
        painter.setCompositionMode(colours.tinting)
        for hit in self._by_page.get(page_index + 1, ()):
            is_current = hit is current
            fill = QColor(FOUND_COLOR)
            fill.setAlphaF(_ACTIVE_FILL if is_current else _OTHER_FILL)
            for box in hit.boxes:
                painter.fillRect(layout.to_canvas(page_index, box), fill)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        if current is not None and current.page_no == page_index + 1:
            painter.setPen(QPen(FOUND_COLOR, 1.5))
            for box in current.boxes:
                painter.drawRect(layout.to_canvas(page_index, box).adjusted(-1, -1, 1, 1))

    def ticks(self, layout: PageLayout) -> list[tuple[float, bool]]:
        """Return where the places stand in the document, 0 to 1, and which is the present one."""
        if not layout.n_pages:
            return []
        ticks: list[tuple[float, bool]] = []
        is_exact = len(self._keys) <= _MAX_EXACT_TICKS
        for page_no, hits in self._by_page.items():
            if page_no > layout.n_pages:
                continue
            for hit in hits if is_exact else hits[:1]:
                if hit.boxes:
                    rect = layout.to_canvas(page_no - 1, hit.boxes[0])
                    ticks.append((rect.center().y() / layout.height, False))
        current = self.current
        if current is not None and current.boxes and current.page_no <= layout.n_pages:
            rect = layout.to_canvas(current.page_no - 1, current.boxes[0])
            ticks.append((rect.center().y() / layout.height, True))
        return ticks
