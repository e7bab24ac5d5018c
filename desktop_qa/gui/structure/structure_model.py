"""The structure of a document as a tree: chapters, tables and figures."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtCore import QModelIndex, QObject, QSize
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import FigureEntry, StructureView, TableEntry
from desktop_qa.gui.widgets.list_rows import ROW_ROLE
from desktop_qa.gui.widgets.word_filter import WORDS_ROLE

_LEAST_WIDTH_PX = 120
_TURN_S = 0.008
"""How long rows are made in one turn of the event loop: a document may have thousands."""


class RowKind(StrEnum):
    """What a row stands for; the words head the groups."""

    CHAPTER = "Chapters"
    TABLE = "Tables"
    FIGURE = "Figures"


@dataclass(frozen=True, slots=True)
class Row:
    """A chapter, table or figure, ready to draw.

    Attributes:
        index: In the chapters, tables or figures of the `StructureView`.
        title: Caption of a table or figure; without one that of its chapter, and `is_borrowed`.
        boilerplate: Legal, ordering and packaging matter.
        detail: Label and size.
    """

    kind: RowKind
    index: int
    title: str
    pages: str
    places: tuple[Provenance, ...]
    boilerplate: bool
    depth: int = 0
    number: str = ""
    detail: str = ""
    is_borrowed: bool = False
    image_path: str = ""

    @property
    def text(self) -> str:
        """What is read out, and what typing in the tree looks for."""
        return f"{self.number} {self.title}".strip()

    @property
    def folded(self) -> str:
        """What the filter looks for words in, in small letters."""
        return f"{self.text} {self.detail}".casefold()

    def holds(self, words: Sequence[str]) -> bool:
        """Tell whether every word, in small letters, stands in it."""
        text = self.folded
        return all(word in text for word in words)


def pages_of(places: tuple[Provenance, ...]) -> str:
    """Return "7" or "7–9"."""
    if not places:
        return ""
    first, last = places[0].page_no, max(place.page_no for place in places)
    return str(first) if first == last else f"{first}–{last}"


def rows_of(view: StructureView) -> Iterator[Row]:
    """Yield the rows of a document, boilerplate last among its kind."""
    depths: list[int] = []
    is_last: list[bool] = []
    for chapter in view.chapters:
        is_below = chapter.parent >= 0
        depths.append(depths[chapter.parent] + 1 if is_below else 0)
        # The outermost chapter takes those below it along.
        is_last.append(is_last[chapter.parent] if is_below else chapter.boilerplate)
    for index in sorted(range(len(view.chapters)), key=is_last.__getitem__):
        chapter = view.chapters[index]
        yield Row(
            *(RowKind.CHAPTER, index, _shown(chapter.title), pages_of(chapter.places[:1])),
            *(chapter.places, chapter.boilerplate, depths[index], chapter.number),
        )
    for index in sorted(range(len(view.tables)), key=lambda i: view.tables[i].boilerplate):
        table = view.tables[index]
        size = f"{table.n_rows} × {table.n_columns}"
        detail = f"{_shown(table.label)} · {size}" if table.label else size
        yield _element_row(view, RowKind.TABLE, index, table, detail)
    for index in sorted(range(len(view.figures)), key=lambda i: view.figures[i].boilerplate):
        figure = view.figures[index]
        row = _element_row(view, RowKind.FIGURE, index, figure, _shown(figure.label))
        yield replace(row, image_path=figure.image_path)


def _element_row(
    view: StructureView, kind: RowKind, index: int, entry: TableEntry | FigureEntry, detail: str
) -> Row:
    """Return the row of a table or figure; without a caption it has the title of its chapter."""
    title = _shown(entry.caption)
    is_borrowed = not title
    if is_borrowed and entry.chapter >= 0:
        chapter = view.chapters[entry.chapter]
        title = f"{chapter.number} {_shown(chapter.title)}".strip()
    return Row(
        *(kind, index, title or kind.value.removesuffix("s"), pages_of(entry.places)),
        *(entry.places, entry.boilerplate),
        detail=detail,
        is_borrowed=is_borrowed,
    )


def _shown(text: str) -> str:
    # PDFs write some hyphens as soft ones, which are not drawn.
    return " ".join(text.replace("\xad", "-").split())


class StructureModel(QStandardItemModel):
    """Three groups: chapters as a tree, tables, figures.

    The heights of each kind's rows and of the heads of the groups (None), in pixels, are known
    beforehand, so that a view of thousands of rows asks no Python for them.
    """

    def __init__(
        self,
        view: StructureView,
        heights: Mapping[RowKind | None, int],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.view = view
        self._rows: list[Row] = []
        self._sizes = {kind: QSize(_LEAST_WIDTH_PX, height) for kind, height in heights.items()}
        self._groups: dict[RowKind, QStandardItem] = {}
        self._chapters: dict[int, QStandardItem] = {}

    def build(self) -> Iterator[None]:
        """Make the rows, with a breath every few milliseconds."""
        end = time.perf_counter() + _TURN_S
        for row in rows_of(self.view):
            self._add(row)
            if time.perf_counter() > end:
                yield
                end = time.perf_counter() + _TURN_S

    def _add(self, row: Row) -> None:
        """Append a row to its group; a chapter comes after the one it stands in."""
        item = self._item(row.text, row.kind)
        item.setData(row, ROW_ROLE)
        item.setData(row.folded, WORDS_ROLE)
        if row.kind not in self._groups:
            self._groups[row.kind] = self._item(row.kind.value, None)
            self.appendRow(self._groups[row.kind])
        parent = self._groups[row.kind]
        if row.kind is RowKind.CHAPTER:
            self._chapters[row.index] = item
            parent = self._chapters.get(self.view.chapters[row.index].parent, parent)
        parent.appendRow(item)
        self._rows.append(row)

    def _item(self, text: str, kind: RowKind | None) -> QStandardItem:
        item = QStandardItem(text)
        item.setEditable(False)
        item.setSizeHint(self._sizes[kind])
        return item

    def chapter_index(self, chapter: int) -> QModelIndex:
        """Return the row of a chapter of the view."""
        item = self._chapters.get(chapter)
        return item.index() if item is not None else QModelIndex()

    def counts(self, words: Sequence[str]) -> dict[RowKind, tuple[int, int]]:
        """Return of each kind how many of all rows hold the words, and how many there are."""
        found: dict[RowKind, tuple[int, int]] = {}
        for row in self._rows:
            n_hits, n_rows = found.get(row.kind, (0, 0))
            found[row.kind] = (n_hits + row.holds(words), n_rows + 1)
        return found
