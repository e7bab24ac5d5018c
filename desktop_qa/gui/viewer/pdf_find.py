"""Finding words in the document on screen: all places, one of them the present one."""

from __future__ import annotations

from bisect import bisect_left
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
from desktop_qa.gui.widgets.row_painting import faded
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
        hits: All places known so far, in reading order.
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
        self.hits: list[TextHit] = []
        self.current: TextHit | None = None
        self.is_running = False
        self._start = (1, 0)
        self._left: _Key | None = None
        self._is_cut = False
        self._n_pages = 0
        self._n_without_text = 0
        self._failure = ""
        self._typing = single_shot(self, self._search, _TYPING_MS)

    @property
    def is_missing(self) -> bool:
        """True when the words were looked for everywhere and are nowhere."""
        return bool(self.query.words) and not (self.is_running or self.hits)

    @property
    def summary(self) -> str:
        """How many places there are, in a few words."""
        if not self.query.words.strip():
            return ""
        if self._failure:
            return self._failure
        more = "+" if self.is_running or self._is_cut else ""
        if not self.hits:
            if self.is_running:
                return "Searching …"
            if self._n_pages and self._n_without_text == self._n_pages:
                return "This document holds no text to search"
            return "Not found"
        total = f"{len(self.hits)}{more}"
        if self.current is None:
            return total
        return f"{self._index_of(_key(self.current)) + 1} of {total}"

    def _index_of(self, key: _Key) -> int:
        """Return the index of the first place at or behind a key."""
        return bisect_left(self.hits, key, key=_key)

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
        if keeps_place:
            self._left = _key(self.current) if self.current is not None else self._left
        else:
            self._left = None
        self._forget()
        self.changed.emit()

    def _forget(self) -> None:
        self._texts.drop("find_text")
        self.hits, self.current = [], None
        self.is_running = self._is_cut = False
        self._failure = ""
        self._n_pages = self._n_without_text = 0

    def _search(self) -> None:
        if not self.query.words.strip():
            return
        self.is_running = self._ask(self._start[0], has_turned=False)
        self.changed.emit()

    def _ask(self, page_no: int, *, has_turned: bool) -> bool:
        return self._texts.ask(
            *("find_text", self.query, page_no),
            on_result=partial(self._on_found, has_turned),
            on_failure=self._on_failed,
        )

    def _on_failed(self, error: DesktopQaError) -> None:
        self.is_running = False
        self._failure = "Cannot be searched"
        self.said.emit(str(error))
        self.changed.emit()

    def _on_found(self, has_turned: bool, found: FoundText) -> None:
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
        if len(self.hits) >= MAX_HITS:
            next_page, self._is_cut = None, True
        self.is_running = next_page is not None and self._ask(next_page, has_turned=has_turned)
        is_beyond = bool(self.hits) and _key(self.hits[-1]) >= self._start and not has_turned
        if self.current is None and self.hits and (is_beyond or not self.is_running):
            self._show_first()
        self.changed.emit()

    def _add(self, hits: Iterable[TextHit]) -> None:
        for hit in hits:
            index = self._index_of(_key(hit))
            is_known = index < len(self.hits) and _key(self.hits[index]) == _key(hit)
            if not is_known and len(self.hits) < MAX_HITS:
                self.hits.insert(index, hit)

    def _show_first(self) -> None:
        index = self._index_of(self._start)
        self._go(index if index < len(self.hits) else 0)

    def step(self, *, backwards: bool = False, page_no: int = 1) -> None:
        """Go to the next place, from the other end after the last; search anew after `clear`."""
        if not self.query.words.strip():
            return
        if self._typing.isActive():
            self._typing.stop()
            self._search()
            return
        if not self.hits:
            if not self.is_running:
                left = self._left
                self.set_query(self.query, page_no)
                # From behind the place that was shown last if it is still before the eyes.
                if left is not None and abs(left[0] - page_no) <= 1:
                    self._start = (left[0], left[1] + 1)
            return
        if self.current is None:
            self._show_first()
            return
        index = self._index_of(_key(self.current)) + (-1 if backwards else 1)
        if not 0 <= index < len(self.hits):
            end = "end" if backwards else "start"
            self.said.emit(f"The search went on from the {end} of the document.")
        self._go(index % len(self.hits))
        self.changed.emit()

    def _go(self, index: int) -> None:
        hit = self.current = self.hits[index]
        self.place_wanted.emit(tuple(Provenance(hit.page_no, box) for box in hit.boxes))

    def paint(
        self, painter: QPainter, layout: PageLayout, page_index: int, colours: PageColours
    ) -> None:
        """Mark the places of a page, in canvas coordinates."""
        current = self.current
        first, end = self._index_of((page_index + 1, 0)), self._index_of((page_index + 2, 0))
        for hit in self.hits[first:end]:
            is_current = hit is current
            fill = faded(FOUND_COLOR, _ACTIVE_FILL if is_current else _OTHER_FILL)
            rects = [layout.to_canvas(page_index, box) for box in hit.boxes]
            colours.tint(painter, rects, fill)
        if current is not None and current.page_no == page_index + 1:
            painter.setPen(QPen(FOUND_COLOR, 1.5))
            for box in current.boxes:
                painter.drawRect(layout.to_canvas(page_index, box).adjusted(-1, -1, 1, 1))

    def ticks(self, layout: PageLayout) -> tuple[tuple[float, bool], ...]:
        """Return where the places stand in the document, 0 to 1, and which is the present one."""
        shown = [(hit, False) for hit in self.hits]
        if len(shown) > _MAX_EXACT_TICKS:
            first_of = {hit.page_no: hit for hit in reversed(self.hits)}
            shown = [(hit, False) for hit in first_of.values()]
        if self.current is not None:
            shown.append((self.current, True))
        return tuple(
            (height, is_current)
            for hit, is_current in shown
            for height, _page_no in layout.heights(
                Provenance(hit.page_no, box) for box in hit.boxes[:1]
            )
        )


def _key(hit: TextHit) -> _Key:
    return hit.page_no, hit.start
