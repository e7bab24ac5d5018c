"""The structure of a document as a tree: chapters, tables, figures, and their drawing."""

from __future__ import annotations

import html
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QUrl,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QImageReader,
    QPainter,
    QPixmap,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QToolTip, QTreeView

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import FigureEntry, StructureView, TableEntry
from desktop_qa.gui.evidence.figure_view import ImageJob, paint_framed, reader
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, WORDS_ROLE, Index, RowPainter
from desktop_qa.gui.widgets.row_painting import (
    faded,
    paint_chevron,
    paint_ground,
    paint_line,
    small_font,
)
from desktop_qa.gui.widgets.theme import look

_LEAST_WIDTH_PX = 120
_TURN_S = 0.008
"""How long rows are made in one turn of the event loop: a document may have thousands."""
THUMBNAIL = QSize(60, 44)
_PADDING_PX = 5
_EDGE_PX = 12
_ARROW_PX = 14
_DEPTH_PX = 14
_MAX_DEPTH_DRAWN = 5
_GAP_PX = 8
_BAR_PX = 3
_FADED = 0.62
_TIP_IMAGE_PX = 360


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
    ) -> None:
        super().__init__()
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
            text = row.folded
            found[row.kind] = (n_hits + all(word in text for word in words), n_rows + 1)
        return found


def arrow_rect(row: QRect, depth: int) -> QRect:
    """Return where a click folds and unfolds a chapter."""
    left = row.left() + _EDGE_PX + min(depth, _MAX_DEPTH_DRAWN) * _DEPTH_PX - 4
    return QRect(left, row.top(), _ARROW_PX + 6, row.height())


class StructureDelegate(RowPainter):
    """Chapters in a line; tables and figures in two, under what they are called.

    `counts` are the rows shown and there of each group, `current` is the chapter that is read.
    """

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self.counts: dict[RowKind, tuple[int, int]] = {}
        self.current = QPersistentModelIndex()
        self._view = view
        self._thumbnails: dict[tuple[str, float], QPixmap] = {}

    @staticmethod
    def heights(view: QTreeView) -> dict[RowKind | None, int]:
        """Return the heights of the rows, for `StructureModel`."""
        line = view.fontMetrics().height()
        return {
            None: line + 2 * _PADDING_PX,
            RowKind.CHAPTER: line + 2 * _PADDING_PX,
            RowKind.TABLE: 2 * line + 2 * _PADDING_PX,
            RowKind.FIGURE: max(THUMBNAIL.height(), 2 * line) + 2 * _PADDING_PX,
        }

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRectF
    ) -> None:
        """Draw a row or the head of a group."""
        paint_ground(painter, option, area)
        small = small_font(option.font)
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            self._paint_group(painter, option, index, area, small)
        elif row.kind is RowKind.CHAPTER:
            self._paint_chapter(painter, option, index, row, small)
        else:
            self._paint_element(painter, option, row, small)

    # What all rows have

    def _ink(self, colour: str, row: Row) -> QColor:
        return faded(colour, _FADED if row.boilerplate else 1.0)

    def _write_pages(self, painter: QPainter, area: QRectF, row: Row, font: QFont) -> float:
        """Write the page at the right edge; returns the room it took with its gaps."""
        line, ink = area.adjusted(0, 0, -_EDGE_PX, 0), self._ink(look.theme.dim, row)
        shown = paint_line(painter, line, row.pages, font, ink, at=Qt.AlignmentFlag.AlignRight)
        return _EDGE_PX + QFontMetricsF(font).horizontalAdvance(shown) + _GAP_PX

    # The kinds of rows

    def _paint_group(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        area: QRectF,
        font: QFont,
    ) -> None:
        is_open = bool(option.state & QStyle.StateFlag.State_Open)
        middle = area.center().y() + 1
        paint_chevron(painter, area.left() + _EDGE_PX + 4, middle, is_open=is_open)
        name, dim = str(index.data()), look.theme.dim
        shown, total = self.counts.get(RowKind(name), (0, 0))
        text = f"{shown} of {total}" if shown != total else str(total)
        line = area.adjusted(_EDGE_PX + _ARROW_PX, 0, -_EDGE_PX, 0)
        paint_line(painter, line, text, font, dim, at=Qt.AlignmentFlag.AlignRight)
        font.setWeight(QFont.Weight.DemiBold)
        paint_line(painter, line, name, font, dim)

    def _paint_chapter(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        row: Row,
        small: QFont,
    ) -> None:
        area = QRectF(option.rect)
        indent = _EDGE_PX + min(row.depth, _MAX_DEPTH_DRAWN) * _DEPTH_PX
        if index.model().hasChildren(index):
            is_open = bool(option.state & QStyle.StateFlag.State_Open)
            middle = area.center().y() + 1
            paint_chevron(painter, area.left() + indent + 4, middle, is_open=is_open)
        is_current = self.current.isValid() and self.current == index
        if is_current:
            painter.fillRect(
                QRectF(area.left(), area.top() + 2, _BAR_PX, area.height() - 4),
                QColor(look.theme.accent),
            )
        room = self._write_pages(painter, area, row, small)
        font = QFont(option.font)
        if is_current or row.depth == 0:
            font.setWeight(QFont.Weight.DemiBold if is_current else QFont.Weight.Medium)
        line = area.adjusted(indent + _ARROW_PX, 0, -room, 0)
        if row.number:
            ink = self._ink(look.theme.accent if is_current else look.theme.dim, row)
            shown = paint_line(painter, line, row.number, font, ink)
            width = QFontMetricsF(font).horizontalAdvance(shown)
            line.setLeft(line.left() + width + _GAP_PX)
        ink = self._ink(look.theme.accent if is_current else look.theme.text, row)
        paint_line(painter, line, row.title, font, ink)

    def _paint_element(
        self, painter: QPainter, option: QStyleOptionViewItem, row: Row, small: QFont
    ) -> None:
        area = QRectF(option.rect)
        left = _EDGE_PX + _ARROW_PX
        if row.kind is RowKind.FIGURE:
            self._paint_thumbnail(painter, area, row)
            left += THUMBNAIL.width() + _GAP_PX
        upper = QRectF(area)
        if row.detail:
            height = option.fontMetrics.height()
            upper = QRectF(area.left(), area.center().y() - height, area.width(), height)
            lower = upper.translated(0, height).adjusted(left, 0, -_EDGE_PX, 0)
            paint_line(painter, lower, row.detail, small, self._ink(look.theme.dim, row))
        room = self._write_pages(painter, upper, row, small)
        ink = self._ink(look.theme.dim if row.is_borrowed else look.theme.text, row)
        paint_line(painter, upper.adjusted(left, 0, -room, 0), row.title, option.font, ink)

    def _paint_thumbnail(self, painter: QPainter, area: QRectF, row: Row) -> None:
        """Draw a figure on white paper in both themes."""
        frame = QRectF(
            area.left() + _EDGE_PX + _ARROW_PX,
            area.center().y() - THUMBNAIL.height() / 2,
            THUMBNAIL.width(),
            THUMBNAIL.height(),
        ).adjusted(0.5, 0.5, -0.5, -0.5)
        scale = painter.device().devicePixelRatioF()
        pixmap = self.thumbnail(row.image_path, scale) if row.image_path else QPixmap()
        size = pixmap.deviceIndependentSize()
        size.scale(frame.width() - 4, frame.height() - 4, Qt.AspectRatioMode.KeepAspectRatio)
        target = QRectF(QPointF(), size)
        target.moveCenter(frame.center())
        painter.save()
        painter.setOpacity(_FADED if row.boilerplate else 1.0)
        line = QColor(look.theme.line)
        paint_framed(painter, frame, None if pixmap.isNull() else pixmap, target, line)
        painter.restore()

    def thumbnail(self, path: str, scale: float) -> QPixmap:
        """Return an image for a device pixel ratio, null while it is not read or cannot be."""
        key = (path, scale)
        if key not in self._thumbnails and (natural := QImageReader(path).size()).isValid():
            size = natural.scaled(THUMBNAIL * scale, Qt.AspectRatioMode.KeepAspectRatio)
            size = size.expandedTo(QSize(1, 1))
            job = ImageJob(path, "", size, QRect(QPoint(), size))
            reader().read(job, self, partial(self._on_read, key))
        return self._thumbnails.setdefault(key, QPixmap())

    def _on_read(self, key: tuple[str, float], image: QImage, _reason: str) -> None:
        self._thumbnails[key] = QPixmap.fromImage(image)
        self._thumbnails[key].setDevicePixelRatio(key[1])
        self._view.viewport().update()

    def forget_thumbnails(self) -> None:
        """Drop what was read: a document that is read again has other images of the same names."""
        self._thumbnails.clear()

    # The tool tip

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Show the whole title, and a figure larger."""
        row = index.data(ROW_ROLE)
        if event.type() != QEvent.Type.ToolTip or not isinstance(row, Row):
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), tool_tip(row), view)
        return True


def tool_tip(row: Row) -> str:
    """Return everything about a row, as rich text."""
    lines = [f"<b>{html.escape(row.text)}</b>"]
    words = [row.detail]
    if row.kind is RowKind.TABLE:
        words = [row.detail.replace(" × ", " rows × ") + " columns"]
    if row.pages:
        words.append(f"page{'s' if '–' in row.pages else ''} {row.pages}")
    if row.boilerplate:
        words.append("legal, ordering or packaging matter")
    lines.append(html.escape(" · ".join(word for word in words if word)))
    size = QImageReader(row.image_path).size() if row.image_path else QSize()
    if size.isValid():
        width = min(size.width(), _TIP_IMAGE_PX)
        source = html.escape(QUrl.fromLocalFile(row.image_path).toString())
        lines.append(f'<img src="{source}" width="{width}">')
    return "<br>".join(line for line in lines if line)
