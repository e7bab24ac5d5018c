"""Rows of a list: the model that holds them, what draws and what filters them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QRegularExpression,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.row_painting import Line, paint_ground, paint_line, small_font
from desktop_qa.gui.widgets.theme import look

WORDS_ROLE = Qt.ItemDataRole.UserRole + 2
"""What is looked for words in, folded; headings have none."""
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The row itself."""

Index = QModelIndex | QPersistentModelIndex
Words = Callable[[Any], str]
_LEAST_WIDTH_PX = 80
_HEAD_PADDING_PX = 2
_BESIDE_PX, _LEAST_BESIDE_PX = 10, 40
_MAX_SIZES = 20_000


class WordFilter(QSortFilterProxyModel):
    """Keeps the rows that hold every word, and those that they stand under."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setFilterRole(WORDS_ROLE)
        self.setRecursiveFilteringEnabled(True)
        self.narrow("")

    def narrow(self, text: str) -> None:
        """Set what must stand in a row."""
        words = map(QRegularExpression.escape, text.casefold().split())
        all_of = "".join(f"(?=.*{word})" for word in words)
        self.setFilterRegularExpression(f"(?s)^{all_of}.")

    def first_hit(self) -> QModelIndex:
        """Return the first row that holds the words itself."""
        words, flag = self.filterRegularExpression(), Qt.MatchFlag
        flags = flag.MatchRegularExpression | flag.MatchRecursive
        hits = self.match(self.index(0, 0), WORDS_ROLE, words, 1, flags)
        return hits[0] if hits else QModelIndex()


class FilterEdit(QLineEdit):
    """A field for words, with a name that is spoken.

    Over rows that they narrow Escape takes the words away, and Down leads to the rows.
    """

    def __init__(
        self,
        name: str,
        placeholder: str,
        rows: QAbstractItemView | None = None,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows = rows
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        # Files dropped here are the window's, not text for the filter.
        self.setAcceptDrops(False)
        on_keys(self, {"Down": self.enter_rows}, when=lambda: self.rows)
        on_keys(self, {"Esc": self.clear}, when=lambda: self.rows and self.text())

    def enter_rows(self) -> None:
        """Go on in the rows, at the first one if there is no current one."""
        if self.rows is not None:
            self.rows.setFocus(Qt.FocusReason.TabFocusReason)
            if not self.rows.currentIndex().isValid():
                first = QAbstractItemView.CursorAction.MoveNext
                row = self.rows.moveCursor(first, Qt.KeyboardModifier.NoModifier)
                self.rows.setCurrentIndex(row)


def set_up_rows(view: QAbstractItemView, name: str, spoken: str) -> None:
    """Let a list or a tree be read: no frame, no editing, rows under the pointer lit."""
    view.setObjectName(name)
    view.setAccessibleName(spoken)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setMouseTracking(True)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class RowsModel(QAbstractListModel):
    """Rows in their order, all at once or page by page while the list is scrolled.

    Args:
        parent: Who owns it.
        shown: Returns what a row shows; a subclass may have its `words` say all.
        spoken: How it is heard.
        tip: What is told over it.
    """

    more_wanted = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        shown: Words | None = None,
        spoken: Words | None = None,
        tip: Words | None = None,
    ) -> None:
        super().__init__(parent)
        self._words = {
            Qt.ItemDataRole.DisplayRole: shown,
            Qt.ItemDataRole.AccessibleTextRole: spoken,
            Qt.ItemDataRole.ToolTipRole: tip,
        }
        self.rows: tuple[Any, ...] = ()
        self._is_waiting = False

    def show(self, rows: Sequence[Any]) -> None:
        """Hold other rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def append(self, rows: Sequence[Any]) -> None:
        """Hold the rows that follow, too."""
        if rows:
            first = len(self.rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self.rows = (*self.rows, *rows)
            self.endInsertRows()

    def words(self, row: Any, role: int) -> object:
        """Return what a row shows, how it is heard, or its tip."""
        say = self._words.get(Qt.ItemDataRole(role))
        return say(row) if say is not None else None

    def is_head(self, row: Any) -> bool:
        """Tell whether a row names those below it: arrows pass over it."""
        return False

    @property
    def has_more(self) -> bool:
        """True when there are rows that have not come."""
        return False

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        """Return how many rows have come."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row, or what it says."""
        if not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        return row if role == ROW_ROLE else self.words(row, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let all rows be chosen but heads."""
        if index.isValid() and self.is_head(self.rows[index.row()]):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def canFetchMore(self, parent: Index) -> bool:
        """Tell whether rows may be asked for that have not come."""
        return not parent.isValid() and not self._is_waiting and self.has_more

    def fetchMore(self, parent: Index) -> None:
        """Ask for the rows that follow."""
        if self.canFetchMore(parent):
            self._is_waiting = True
            self.more_wanted.emit()

    def forget_wait(self) -> None:
        """Let the rows that follow be asked for again: they came, or will not."""
        self._is_waiting = False


class RowPainter(QStyledItemDelegate):
    """Draws rows by hand, smoothly."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a row, and leave the painter as it was."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, option, index, QRectF(option.rect))
        painter.restore()

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, place: QRectF
    ) -> None:
        """Draw a row at its place."""
        raise NotImplementedError


class RowsDelegate(RowPainter):
    """Draws rows of lines; their height depends on the width of the list.

    Attributes:
        right_px, padding_px, gap_px: Right of the lines, over and under them, and between two.
    """

    right_px: ClassVar[int]
    padding_px: ClassVar[int]
    gap_px: ClassVar[int] = 0

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._sizes: dict[object, QSize] = {}
        self._width = 0

    def key_of(self, row: Any) -> object:
        """Return what rows have in common that are equally high."""
        raise NotImplementedError

    def lines_of(self, row: Any) -> Sequence[Line]:
        """Return what a row says, or the one line of a head."""
        raise NotImplementedError

    def paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, area: QRectF) -> None:
        """Draw what shows that a row is chosen, under the mouse, or has the keyboard."""
        paint_ground(painter, option, area)

    def paint_signs(
        self, painter: QPainter, row: Any, font: QFont, first: QRectF, last: QRectF
    ) -> None:
        """Draw what a row shows besides, at the places of its first and its last line."""

    def _padding(self, lines: Sequence[Line]) -> int:
        return _HEAD_PADDING_PX if lines[0].head_px else self.padding_px

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row at the width of the list."""
        # A list asks for all its rows whenever one is added; measuring takes 0.16 ms for each.
        width = self._view.viewport().width()
        if width != self._width or len(self._sizes) > _MAX_SIZES:
            self._sizes.clear()
            self._width = width
        row = index.data(ROW_ROLE)
        key = self.key_of(row)
        size = self._sizes.get(key)
        if size is None:
            lines, font = self.lines_of(row), option.font
            height = 2.0 * self._padding(lines) + self.gap_px * (len(lines) - 1)
            for line in lines:
                n_lines = line.broken(font, width - self.right_px).lineCount()
                height += line.head_px + n_lines * QFontMetricsF(line.font(font)).height()
            size = self._sizes[key] = QSize(_LEAST_WIDTH_PX, round(height))
        return size

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRectF
    ) -> None:
        """Draw the lines of a row, and what it shows besides."""
        row, font, theme = index.data(ROW_ROLE), option.font, look.theme
        lines, small = self.lines_of(row), small_font(font)
        if not lines[0].head_px:
            self.paint_ground(painter, option, area)
        place = area.adjusted(0, self._padding(lines), -self.right_px, 0)
        right, places = Qt.AlignmentFlag.AlignRight, []
        for line in lines:
            layout = line.broken(font, place.width())
            height = QFontMetricsF(line.font(font)).height()
            place.setTop(place.top() + line.head_px)
            place.setHeight(height)
            painter.setPen(QColor(line.colour or (theme.dim if line.is_small else theme.text)))
            layout.draw(painter, place.topLeft() + QPointF(line.left, 0))
            paint_line(painter, place, line.tag, small, theme.dim, at=right)
            end = line.left + layout.lineAt(0).naturalTextWidth() + _BESIDE_PX
            beside = place.adjusted(end, 0, -line.tag_px(font), 0)
            if line.beside and beside.width() > _LEAST_BESIDE_PX:
                paint_line(painter, beside, line.beside, small, theme.dim)
            places.append(QRectF(place))
            place.translate(0, layout.lineCount() * height + self.gap_px)
        self.paint_signs(painter, row, font, places[0], places[-1])
