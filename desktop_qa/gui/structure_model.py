"""The structure of a document as a tree: chapters, tables and figures, and the filter over them."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QRegularExpression,
    QSortFilterProxyModel,
    Qt,
    QTimer,
)
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import ChapterEntry, FigureEntry, StructureView, TableEntry

_TURN_S = 0.008
"""How long rows are made in one turn of the event loop: a document may have thousands."""


class RowKind(StrEnum):
    """What a row stands for; the words head the groups."""

    CHAPTER = "Chapters"
    TABLE = "Tables"
    FIGURE = "Figures"


class StructureRole(IntEnum):
    """What an item holds beside its text."""

    ROW = Qt.ItemDataRole.UserRole + 1
    FILTER = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class Row:
    """A chapter, table or figure, ready to draw.

    Attributes:
        index: In the chapters, tables or figures of the `StructureView`.
        depth: Of a chapter: how many stand above it.
        number: Of a chapter.
        title: Caption of a table or figure; without one the chapter it stands in.
        detail: Label and size.
        pages: "7", "7–9"; empty when it is not known.
        places: To show in the viewer.
        is_borrowed: True when the title is the chapter's.
        boilerplate: Legal, ordering and packaging matter.
        image_path: Of a figure.
    """

    kind: RowKind
    index: int
    depth: int
    number: str
    title: str
    detail: str
    pages: str
    places: tuple[Provenance, ...]
    is_borrowed: bool
    boilerplate: bool
    image_path: str = ""

    @property
    def text(self) -> str:
        """What is read out, and what typing in the tree looks for."""
        return f"{self.number} {self.title}".strip()


def pages_of(places: tuple[Provenance, ...]) -> str:
    """Return "7" or "7–9"."""
    if not places:
        return ""
    first, last = places[0].page_no, max(place.page_no for place in places)
    return str(first) if first == last else f"{first}–{last}"


def rows_of(view: StructureView) -> Iterator[Row]:
    """Yield the rows of a document, boilerplate last among its kind."""
    depths: list[int] = []
    for chapter in view.chapters:
        depths.append(depths[chapter.parent] + 1 if chapter.parent >= 0 else 0)
    for index in _boilerplate_last(_top_of(view.chapters), len(view.chapters)):
        yield _chapter_row(view.chapters[index], index, depths[index])
    for index in _boilerplate_last([t.boilerplate for t in view.tables], len(view.tables)):
        yield _table_row(view, view.tables[index], index)
    for index in _boilerplate_last([f.boilerplate for f in view.figures], len(view.figures)):
        yield _figure_row(view, view.figures[index], index)


def _top_of(chapters: tuple[ChapterEntry, ...]) -> list[bool]:
    """Tell for each chapter whether the outermost one it stands in is boilerplate."""
    is_last: list[bool] = []
    for chapter in chapters:
        is_last.append(is_last[chapter.parent] if chapter.parent >= 0 else chapter.boilerplate)
    return is_last


def _boilerplate_last(is_last: list[bool], count: int) -> list[int]:
    return sorted(range(count), key=lambda index: is_last[index])


def _shown(text: str) -> str:
    # PDFs write some hyphens as soft ones, which are not drawn.
    return " ".join(text.replace("\xad", "-").split())


def _chapter_row(chapter: ChapterEntry, index: int, depth: int) -> Row:
    return Row(
        RowKind.CHAPTER,
        index,
        depth,
        chapter.number,
        _shown(chapter.title),
        "",
        pages_of(chapter.places[:1]),
        chapter.places,
        is_borrowed=False,
        boilerplate=chapter.boilerplate,
    )


def _title(view: StructureView, caption: str, chapter: int) -> tuple[str, bool]:
    """Return the caption, or else the chapter and that it is only that."""
    if caption.strip():
        return _shown(caption), False
    if chapter < 0:
        return "", True
    entry = view.chapters[chapter]
    return f"{entry.number} {_shown(entry.title)}".strip(), True


def _table_row(view: StructureView, table: TableEntry, index: int) -> Row:
    title, is_borrowed = _title(view, table.caption, table.chapter)
    size = f"{table.n_rows} × {table.n_columns}"
    return Row(
        RowKind.TABLE,
        index,
        0,
        "",
        title or "Table",
        f"{_shown(table.label)} · {size}" if table.label else size,
        pages_of(table.places),
        table.places,
        is_borrowed=is_borrowed,
        boilerplate=table.boilerplate,
    )


def _figure_row(view: StructureView, figure: FigureEntry, index: int) -> Row:
    title, is_borrowed = _title(view, figure.caption, figure.chapter)
    return Row(
        RowKind.FIGURE,
        index,
        0,
        "",
        title or "Figure",
        _shown(figure.label),
        pages_of(figure.places),
        figure.places,
        is_borrowed=is_borrowed,
        boilerplate=figure.boilerplate,
        image_path=figure.image_path,
    )


class StructureModel(QStandardItemModel):
    """Three groups: chapters as a tree, tables, figures. Made in turns by `StructureBuilder`."""

    def __init__(self, view: StructureView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self.groups: dict[RowKind, QStandardItem] = {}
        self.filters: dict[RowKind, list[str]] = {}
        self._chapters: dict[int, QStandardItem] = {}
        # In reading order: what was passed last is what is being read.
        self._order: list[tuple[int, float]] = []
        self._of_order: list[int] = []
        self._sort_chapters()

    def _sort_chapters(self) -> None:
        placed = [
            (chapter.places[0].page_no, chapter.places[0].bbox.top, index)
            for index, chapter in enumerate(self.view.chapters)
            if chapter.places
        ]
        for page_no, top, index in sorted(placed):
            self._order.append((page_no, top))
            self._of_order.append(index)

    def add(self, row: Row) -> None:
        """Append a row to its group; a chapter comes after the one it stands in."""
        item = QStandardItem(row.text)
        item.setData(row, StructureRole.ROW)
        item.setEditable(False)
        words = f"{row.text} {row.detail}".casefold()
        item.setData(words, StructureRole.FILTER)
        self.filters.setdefault(row.kind, []).append(words)
        parent = self._group(row.kind)
        if row.kind is RowKind.CHAPTER:
            self._chapters[row.index] = item
            parent = self._chapters.get(self.view.chapters[row.index].parent, parent)
        parent.appendRow(item)

    def _group(self, kind: RowKind) -> QStandardItem:
        group = self.groups.get(kind)
        if group is None:
            group = QStandardItem(kind.value)
            group.setEditable(False)
            self.groups[kind] = group
            self.appendRow(group)
        return group

    def chapter_at(self, page_no: int, y: float) -> QModelIndex:
        """Return the chapter that a height on a page, in points, belongs to."""
        # A heading's own line counts as its chapter: y is often its very top.
        position = bisect_right(self._order, (page_no, y + 1.0)) - 1
        if position < 0:
            return QModelIndex()
        item = self._chapters.get(self._of_order[position])
        return item.index() if item is not None else QModelIndex()

    def chapter_index(self, index: int) -> QModelIndex:
        """Return the row of a chapter of the view."""
        item = self._chapters.get(index)
        return item.index() if item is not None else QModelIndex()


class StructureBuilder(QObject):
    """Makes a model in turns of a few milliseconds; the event loop runs between."""

    def __init__(self, done: Callable[[StructureModel], None], parent: QObject) -> None:
        super().__init__(parent)
        self._done = done
        self._model: StructureModel | None = None
        self._rows: Iterator[Row] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._work)

    def build(self, view: StructureView) -> None:
        """Begin with a document; one under way is given up. `done` is called when it is there."""
        self._model = StructureModel(view, self.parent())
        self._rows = rows_of(view)
        self._timer.start(0)
        self._work()

    def stop(self) -> None:
        """Give up."""
        self._timer.stop()
        self._model = None

    def _work(self) -> None:
        model = self._model
        if model is None:
            return
        end = time.perf_counter() + _TURN_S
        for row in self._rows:
            model.add(row)
            if time.perf_counter() > end:
                return
        self.stop()
        self._done(model)


class StructureFilter(QSortFilterProxyModel):
    """Keeps the rows that hold every word, and what they stand in.

    The words are one regular expression, so that thousands of rows are judged without Python.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setFilterRole(StructureRole.FILTER)
        self.setRecursiveFilteringEnabled(True)
        self.words: tuple[str, ...] = ()

    def narrow(self, text: str) -> None:
        """Set what must stand in a row."""
        self.words = tuple(text.casefold().split())
        pattern = "".join(f"(?=.*{QRegularExpression.escape(word)})" for word in self.words)
        self.setFilterRegularExpression(QRegularExpression(pattern))

    def counts(self) -> dict[RowKind, tuple[int, int]]:
        """Return for each group how many rows hold the words, and how many there are."""
        model = self.sourceModel()
        filters = model.filters if isinstance(model, StructureModel) else {}
        return {
            kind: (sum(all(word in text for word in self.words) for text in texts), len(texts))
            for kind, texts in filters.items()
        }
