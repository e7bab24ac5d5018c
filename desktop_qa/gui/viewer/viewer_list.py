"""A list beside the pages with a calm sentence in its place while it is empty."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLabel, QListView, QStackedWidget, QWidget

from desktop_qa.gui.viewer.viewer_rows import ROW_ROLE, RowDelegate, ViewerRow, ViewerRows
from desktop_qa.gui.widgets import theme as themes

_AT_ONCE = 100
"""More rows are measured in several turns of the event loop."""


class _Rows(QListView):
    """The list itself.

    Signals:
        chosen: With the key of a row: by click or Enter.
        menu_wanted: With the key of a row and a global position.
        delete_wanted: With the key of a row: by Delete.
    """

    chosen = Signal(object)
    menu_wanted = Signal(object, object)
    delete_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("viewer_list")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setBatchSize(_AT_ONCE)
        self.clicked.connect(self._on_clicked)

    def _key_of(self, index: QModelIndex) -> object:
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row.key if row is not None else None

    def _on_clicked(self, index: QModelIndex) -> None:
        key = self._key_of(index)
        if key is not None:
            self.chosen.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose by Enter, delete by Delete."""
        key = self._key_of(self.currentIndex())
        if key is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(key)
        elif key is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit(key)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a row, at the pointer or at the row."""
        is_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_key else self.indexAt(event.pos())
        key = self._key_of(index)
        if key is not None:
            at = self.visualRect(index).bottomLeft() if is_key else event.pos()
            self.menu_wanted.emit(key, self.viewport().mapToGlobal(at))


class ViewerList(QStackedWidget):
    """Rows, or a sentence that says why there are none."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = _Rows()
        self.view.setAccessibleName(name)
        self.model = ViewerRows(self.view)
        self._delegate = RowDelegate(self.view)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.empty_label = calm_label()
        self.addWidget(self.view)
        self.addWidget(self.empty_label)

    @property
    def rows(self) -> tuple[ViewerRow, ...]:
        """The rows shown."""
        return self.model.rows

    def show_rows(self, rows: Sequence[ViewerRow], empty: str) -> None:
        """Show rows, or a sentence when there are none."""
        rows = tuple(rows)
        if rows != self.model.rows:
            current = self.view.currentIndex().data(ROW_ROLE)
            place = self.view.verticalScrollBar().value()
            mode = QListView.LayoutMode
            many = len(rows) > _AT_ONCE
            self.view.setLayoutMode(mode.Batched if many else mode.SinglePass)
            self.model.show(rows)
            if current is not None:
                self.view.setCurrentIndex(self.model.index_of(current.key))
            self.view.verticalScrollBar().setValue(place)
        self.empty_label.setText(empty)
        self.setCurrentWidget(self.view if rows else self.empty_label)

    def bring_into_view(self, key: object) -> None:
        """Scroll a row into view and make it the current one."""
        index = self.model.index_of(key)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._delegate.theme, self._delegate.small_px = theme, sizes.small_px
        self._delegate.forget_sizes()
        self.view.doItemsLayout()


def calm_label() -> QLabel:
    """Return a label for the sentence of an empty list."""
    label = QLabel()
    label.setObjectName("viewer_empty_label")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
    return label
