"""What is selected in a document: two places in its text, or a rectangle on a page. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, auto

from desktop_qa.core.copied_text import copied_text
from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.page_text import PageText, TextLine, TextSpan
from desktop_qa.gui.viewer.page_text_places import (
    along_of,
    block_stretches,
    line_at,
    line_step,
    next_word,
    paragraph_at,
    previous_word,
    word_at,
)

END = 1 << 40
"""Offset of the end of a page whose text is not known yet."""


@dataclass(frozen=True, slots=True, order=True)
class TextPosition:
    """A place between two characters of a document."""

    page_index: int
    offset: int


class Grain(IntEnum):
    """What a click selects, by how often it was clicked."""

    CHARACTER = 1
    WORD = 2
    LINE = 3
    PARAGRAPH = 4


class Step(Enum):
    """A movement of the caret by key."""

    NEXT_CHARACTER = auto()
    PREVIOUS_CHARACTER = auto()
    NEXT_WORD = auto()
    PREVIOUS_WORD = auto()
    NEXT_LINE = auto()
    PREVIOUS_LINE = auto()
    NEXT_PAGE = auto()
    PREVIOUS_PAGE = auto()
    LINE_START = auto()
    LINE_END = auto()
    DOCUMENT_START = auto()
    DOCUMENT_END = auto()

    @property
    def is_forward(self) -> bool:
        """True when it goes towards the end of the document."""
        return self in _FORWARD


_FORWARD = {
    Step.NEXT_CHARACTER,
    Step.NEXT_WORD,
    Step.NEXT_LINE,
    Step.NEXT_PAGE,
    Step.LINE_END,
    Step.DOCUMENT_END,
}

PageSource = Callable[[int], PageText | None]
"""Returns the text of a page by its 0-based index; None while it is on the way."""

_GRAINS: dict[Grain, Callable[[PageText, int], tuple[int, int]]] = {
    Grain.WORD: word_at,
    Grain.LINE: line_at,
    Grain.PARAGRAPH: paragraph_at,
}


class PageNotReadError(Exception):
    """A movement leads to a page whose text is on the way; it is tried again when it is there."""

    def __init__(self, page_index: int) -> None:
        super().__init__(page_index)
        self.page_index = page_index


class TextSelection:
    """The selection of one document.

    Args:
        pages: Where the texts come from.
    """

    def __init__(self, pages: PageSource) -> None:
        self._pages = pages
        self.n_pages = 0
        self._anchor: tuple[TextPosition, TextPosition] | None = None
        self._caret: TextPosition | None = None
        self._grain = Grain.CHARACTER
        self._goal: float | None = None
        self._block: Provenance | None = None

    # What is selected

    @property
    def caret(self) -> TextPosition | None:
        """The end that moves; None when nothing was clicked or selected yet."""
        return self._caret

    @property
    def block(self) -> Provenance | None:
        """The rectangle that is selected, if it is one."""
        return self._block

    @property
    def start(self) -> TextPosition | None:
        """The end nearer to the beginning of the document."""
        if self._anchor is None or self._caret is None:
            return None
        return min(self._anchor[0], self._caret)

    @property
    def end(self) -> TextPosition | None:
        """The end nearer to the end of the document."""
        if self._anchor is None or self._caret is None:
            return None
        return max(self._anchor[1], self._caret)

    @property
    def is_empty(self) -> bool:
        """True when no text is selected."""
        if self._block is not None:
            return not self.block_parts()
        return self.start == self.end

    @property
    def first_page_index(self) -> int:
        """Page that the selection begins on."""
        if self._block is not None:
            return self._block.page_no - 1
        return self.start.page_index if self.start is not None else 0

    @property
    def last_page_index(self) -> int:
        """Page that the selection ends on."""
        if self._block is not None:
            return self._block.page_no - 1
        return self.end.page_index if self.end is not None else 0

    @property
    def span(self) -> TextSpan | None:
        """The stretch of text from its start to its end; None for a rectangle and for nothing."""
        start, end = self.start, self.end
        if self._block is not None or start is None or end is None or start == end:
            return None
        last = None if end.offset == END else end.offset
        return TextSpan(start.page_index + 1, start.offset, end.page_index + 1, last)

    def stretch(self, page_index: int) -> tuple[int, int]:
        """Return the offsets of the selected text of a page; equal ones when there is none."""
        start, end, page = self.start, self.end, self._pages(page_index)
        if page is None or start is None or end is None or self._block is not None:
            return 0, 0
        if not start.page_index <= page_index <= end.page_index:
            return 0, 0
        first = start.offset if page_index == start.page_index else 0
        last = end.offset if page_index == end.page_index else END
        length = len(page.text)
        return min(first, length), min(last, length)

    def boxes(self, page_index: int) -> tuple[BoundingBox, ...]:
        """Return the rectangles of the selected text of a page."""
        page = self._pages(page_index)
        if page is None:
            return ()
        if self._block is not None:
            if self._block.page_no != page_index + 1:
                return ()
            parts = self.block_parts()
            return tuple(box for _line, a, b in parts for box in page.boxes(a, b))
        return page.boxes(*self.stretch(page_index))

    def block_parts(self) -> list[tuple[TextLine, int, int]]:
        """Return the parts of lines in the selected rectangle."""
        if self._block is None:
            return []
        page = self._pages(self._block.page_no - 1)
        return block_stretches(page, self._block.bbox) if page is not None else []

    def places(self) -> tuple[Provenance, ...]:
        """Return where the selection stands on the pages that are known."""
        return tuple(
            Provenance(index + 1, box)
            for index in range(self.first_page_index, self.last_page_index + 1)
            for box in self.boxes(index)
        )

    def text(self) -> str | None:
        """Return the selected text as it is copied; None while pages of it are on the way."""
        if self._block is not None:
            page = self._pages(self._block.page_no - 1)
            if page is None:
                return None
            return "\n".join(page.text[a:b].strip() for _line, a, b in self.block_parts())
        if self.is_empty:
            return ""
        pieces = []
        for index in range(self.first_page_index, self.last_page_index + 1):
            page = self._pages(index)
            if page is None:
                return None
            pieces.append(copied_text(page, *self.stretch(index)))
        return "\n\n".join(piece for piece in pieces if piece)

    # By mouse

    def clear(self) -> None:
        """Select nothing and stand nowhere."""
        self._anchor = self._caret = self._block = self._goal = None
        self._grain = Grain.CHARACTER

    def begin(self, position: TextPosition, grain: Grain = Grain.CHARACTER) -> None:
        """Start at a place; a grain selects the word, line or paragraph around it."""
        self._block = self._goal = None
        self._grain = grain
        start, end = self._around(position)
        self._anchor, self._caret = (start, end), end

    def extend(self, position: TextPosition) -> None:
        """Select up to a place, by the grain that it was begun with."""
        if self._anchor is None:
            self.begin(position)
            return
        self._block = self._goal = None
        start, end = self._around(position)
        self._caret = start if start < self._anchor[0] else end

    def _around(self, position: TextPosition) -> tuple[TextPosition, TextPosition]:
        page = self._pages(position.page_index)
        grow = _GRAINS.get(self._grain)
        if grow is None or page is None or not page.lines:
            return position, position
        first, last = grow(page, min(position.offset, len(page.text)))
        return replace(position, offset=first), replace(position, offset=last)

    def select_block(self, place: Provenance) -> None:
        """Select what stands in a rectangle."""
        self.clear()
        self._block = place

    def select_all(self) -> None:
        """Select the whole document."""
        self.clear()
        if self.n_pages:
            start = TextPosition(0, 0)
            self._anchor = start, start
            self._caret = TextPosition(self.n_pages - 1, END)

    def select_page(self, page_index: int) -> None:
        """Select all of a page."""
        self.clear()
        start = TextPosition(page_index, 0)
        self._anchor, self._caret = (start, start), TextPosition(page_index, END)

    # By key

    def move(self, step: Step, *, extends: bool) -> None:
        """Move the caret; the selection goes with it, or goes away.

        Raises:
            PageNotReadError: When it leads to a page whose text is on the way.
        """
        caret = self._caret
        if caret is None:
            return
        if not extends and not self.is_empty and step in _CHARACTERS:
            # As in every text: the caret goes to the end of what was selected.
            edge = self.end if step.is_forward else self.start
            self._place(edge or caret, extends=False)
            return
        target, goal = self._target(self._known(caret), step)
        self._place(target, extends=extends)
        self._goal = goal

    def _place(self, position: TextPosition, *, extends: bool) -> None:
        if not extends or self._anchor is None:
            self._anchor = position, position
        self._grain, self._block, self._goal = Grain.CHARACTER, None, None
        self._caret = position

    def _known(self, position: TextPosition) -> TextPosition:
        length = len(self._text(position.page_index).text)
        return replace(position, offset=min(position.offset, length))

    def _text(self, page_index: int) -> PageText:
        page = self._pages(page_index)
        if page is None:
            raise PageNotReadError(page_index)
        return page

    def _target(self, caret: TextPosition, step: Step) -> tuple[TextPosition, float | None]:
        if step is Step.DOCUMENT_START:
            return TextPosition(0, 0), None
        if step is Step.DOCUMENT_END:
            last = self.n_pages - 1
            return TextPosition(last, len(self._text(last).text)), None
        page = self._text(caret.page_index)
        goal: float | None = None
        offset: int | None = None
        if step in _LINES or step in _PAGES:
            goal = self._goal
            if goal is None and page.lines:
                goal = along_of(page, caret.offset)
        if step in _LINES and page.lines:
            offset = line_step(page, caret.offset, 1 if step.is_forward else -1, goal)
        elif step not in _PAGES and page.lines:
            offset = _MOVES[step](page, caret.offset)
        if offset is not None:
            return replace(caret, offset=offset), goal
        return self._on_next_page(caret, step, goal), goal

    def _on_next_page(self, caret: TextPosition, step: Step, goal: float | None) -> TextPosition:
        """Return the place on the nearest page with text in a direction; the same at the end."""
        direction = 1 if step.is_forward else -1
        index = caret.page_index + direction
        while 0 <= index < self.n_pages:
            page = self._text(index)
            if page.lines:
                return TextPosition(index, self._entry(page, caret, step, goal))
            index += direction
        return caret

    def _entry(self, page: PageText, caret: TextPosition, step: Step, goal: float | None) -> int:
        if step in _PAGES:
            here = self._text(caret.page_index)
            line = here.line_index(caret.offset) if here.lines else 0
            return page.lines[min(line, len(page.lines) - 1)].first
        if step is Step.NEXT_LINE:
            return line_step(page, page.lines[0].first, 0, goal) or 0
        if step is Step.PREVIOUS_LINE:
            return line_step(page, page.lines[-1].first, 0, goal) or 0
        return 0 if step.is_forward else len(page.text)


_CHARACTERS = {Step.NEXT_CHARACTER, Step.PREVIOUS_CHARACTER}
_LINES = {Step.NEXT_LINE, Step.PREVIOUS_LINE}
_PAGES = {Step.NEXT_PAGE, Step.PREVIOUS_PAGE}


def _next_character(page: PageText, offset: int) -> int | None:
    return offset + 1 if offset < len(page.text) else None


def _previous_character(_page: PageText, offset: int) -> int | None:
    return offset - 1 if offset > 0 else None


def _line_start(page: PageText, offset: int) -> int:
    return line_at(page, offset)[0]


def _line_end(page: PageText, offset: int) -> int:
    return line_at(page, offset)[1]


_MOVES: dict[Step, Callable[[PageText, int], int | None]] = {
    Step.NEXT_CHARACTER: _next_character,
    Step.PREVIOUS_CHARACTER: _previous_character,
    Step.NEXT_WORD: next_word,
    Step.PREVIOUS_WORD: previous_word,
    Step.LINE_START: _line_start,
    Step.LINE_END: _line_end,
}
