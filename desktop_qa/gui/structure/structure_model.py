"""The structure of a document as a tree: chapters, tables and figures, and the filter over them."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import ChapterEntry, FigureEntry, StructureView, TableEntry

_LEAST_WIDTH_PX = 120
_TURN_S = 0.008
"""How long rows are made in one turn of the event loop: a document may have thousands."""


class RowKind(StrEnum):
    """What a row stands for; the words head the groups."""

    CHAPTER = "Chapters"
    TABLE = "Tables"
    FIGURE = "Figures"


class StructureRole(IntEnum):
    """What an item holds beside its text: the `Row`, nothing for the head of a group."""

    ROW = Qt.ItemDataRole.UserRole + 1


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


class StructureRows:
    """The rows of a document with the words a filter looks for; made in turns, then searched.

    Args:
        view: The document.
    """

    def __init__(self, view: StructureView) -> None:
        self.view = view
        self.rows: list[Row] = []
        self._words: list[str] = []
        self._unmade = rows_of(view)
        # In reading order: what was passed last is what is being read.
        placed = sorted(
            (chapter.places[0].page_no, chapter.places[0].bbox.top, index)
            for index, chapter in enumerate(view.chapters)
            if chapter.places
        )
        self._order = [(page_no, top) for page_no, top, _ in placed]
        self._of_order = [index for _, _, index in placed]

    def make(self) -> Iterator[Row]:
        """Yield each row as it is made; what was made before comes first."""
        yield from list(self.rows)
        for row in self._unmade:
            self.rows.append(row)
            self._words.append(f"{row.text} {row.detail}".casefold())
            yield row

    def matching(self, words: tuple[str, ...]) -> Iterator[Row]:
        """Yield the rows that hold every word, and the chapters that such chapters stand in."""
        if not words:
            yield from self.make()
            return
        for _ in self.make():
            pass
        hits = [all(word in text for word in words) for text in self._words]
        kept: set[int] = set()
        for row, is_hit in zip(self.rows, hits, strict=True):
            if is_hit and row.kind is RowKind.CHAPTER:
                index = row.index
                while index >= 0 and index not in kept:
                    kept.add(index)
                    index = self.view.chapters[index].parent
        for row, is_hit in zip(self.rows, hits, strict=True):
            if is_hit or (row.kind is RowKind.CHAPTER and row.index in kept):
                yield row

    def counts(self, words: tuple[str, ...]) -> dict[RowKind, tuple[int, int]]:
        """Return for each kind that there is how many rows hold the words, and how many there are.

        Meant for rows that are all made.
        """
        found: dict[RowKind, tuple[int, int]] = {}
        for row, text in zip(self.rows, self._words, strict=True):
            n_hits, n_rows = found.get(row.kind, (0, 0))
            found[row.kind] = (n_hits + all(word in text for word in words), n_rows + 1)
        return found

    def holds(self, row: Row, words: tuple[str, ...]) -> bool:
        """Tell whether a row itself holds every word."""
        text = f"{row.text} {row.detail}".casefold()
        return all(word in text for word in words)

    def chapter_at(self, page_no: int, y: float) -> int:
        """Return the chapter that a height on a page, in points, belongs to; -1 before the first.

        A heading's own line counts as its chapter: y is often its very top.
        """
        position = bisect_right(self._order, (page_no, y + 1.0)) - 1
        return self._of_order[position] if position >= 0 else -1


class StructureModel(QStandardItemModel):
    """Three groups: chapters as a tree, tables, figures.

    Args:
        rows: The document; which of its rows are shown is what `add` is given.
        heights: In pixels, of each kind's rows and of the heads of the groups (None). Known
            beforehand, so that a view of thousands of rows asks no Python for them.
    """

    def __init__(
        self,
        rows: StructureRows,
        heights: Mapping[RowKind | None, int],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows = rows
        self.n_rows = 0
        self._sizes = {kind: QSize(_LEAST_WIDTH_PX, height) for kind, height in heights.items()}
        self._groups: dict[RowKind, QStandardItem] = {}
        self._chapters: dict[int, QStandardItem] = {}

    def add(self, row: Row) -> None:
        """Append a row to its group; a chapter comes after the one it stands in."""
        item = QStandardItem(row.text)
        item.setData(row, StructureRole.ROW)
        item.setEditable(False)
        item.setSizeHint(self._sizes[row.kind])
        parent = self._group(row.kind)
        if row.kind is RowKind.CHAPTER:
            self._chapters[row.index] = item
            parent = self._chapters.get(self.rows.view.chapters[row.index].parent, parent)
        parent.appendRow(item)
        self.n_rows += 1

    def _group(self, kind: RowKind) -> QStandardItem:
        group = self._groups.get(kind)
        if group is None:
            group = QStandardItem(kind.value)
            group.setEditable(False)
            group.setSizeHint(self._sizes[None])
            self._groups[kind] = group
            self.appendRow(group)
        return group

    def chapter_index(self, chapter: int) -> QModelIndex:
        """Return the row of a chapter of the view; invalid when the filter left it out."""
        item = self._chapters.get(chapter)
        return item.index() if item is not None else QModelIndex()


class StructureBuilder(QObject):
    """Makes a model in turns of a few milliseconds; the event loop runs between."""

    def __init__(self, done: Callable[[StructureModel], None], parent: QObject) -> None:
        super().__init__(parent)
        self._done = done
        self._model: StructureModel | None = None
        self._rows: Iterator[Row] = iter(())
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work)

    def build(
        self,
        rows: StructureRows,
        words: tuple[str, ...],
        heights: Mapping[RowKind | None, int],
    ) -> None:
        """Begin with the rows that hold some words; a model under way is given up.

        `done` is called with the model, at once when it is a small one.
        """
        self.stop()
        self._model = StructureModel(rows, heights, self.parent())
        self._rows = rows.matching(words)
        self._timer.start()
        self._work()

    def stop(self) -> None:
        """Give up."""
        self._timer.stop()
        model, self._model = self._model, None
        if model is not None:
            model.deleteLater()

    def _work(self) -> None:
        model = self._model
        if model is None:
            return
        end = time.perf_counter() + _TURN_S
        for row in self._rows:
            model.add(row)
            if time.perf_counter() > end:
                return
        self._timer.stop()
        self._model = None
        self._done(model)
