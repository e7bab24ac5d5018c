"""A table of a document with the room of a window; the answer stays where it is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from desktop_qa.core.document import Table
from desktop_qa.gui.tables.table_layout import all_rows
from desktop_qa.gui.tables.table_numbers import Origin
from desktop_qa.gui.tables.table_pane import TablePane
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.breakable import show_breakable
from desktop_qa.gui.widgets.symbols import Symbols

_SIZE = (1080, 720)
_SCREEN_SHARE = 0.9


class TableWindow(QDialog):
    """Shows all rows; it is sorted, searched and copied by itself.

    Args:
        title: What stands above the table: its caption and where it is.
        origin: What its figures are copied with.

    Attributes:
        cell_clicked: With the `TableCell`.
        place_requested: The whole of it shall be shown in its document.
        export_requested: With the `TableRows` as shown.
    """

    cell_clicked = Signal(object)
    place_requested = Signal()
    export_requested = Signal(object)

    def __init__(
        self,
        title: str,
        table: Table,
        cited: frozenset[tuple[int, int]],
        symbols: Symbols,
        origin: Origin,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self.setWindowTitle(f"{title or 'Table'} – Desktop QA")
        self.title_label = QLabel(self)
        self.title_label.setObjectName("table_title")
        self.title_label.setTextFormat(Qt.TextFormat.PlainText)
        self.title_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        show_breakable(self.title_label, title)
        self.pane = TablePane(self, is_large=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(8)
        layout.addWidget(self.title_label)
        layout.addWidget(self.pane, 1)
        self.pane.cell_clicked.connect(self.cell_clicked)
        self.pane.export_requested.connect(self.export_requested)
        self.pane.place_requested.connect(self.place_requested)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self.pane.open_search)
        room = self.screen().availableSize() * _SCREEN_SHARE
        self.resize(min(_SIZE[0], room.width()), min(_SIZE[1], room.height()))
        self.pane.show_table(table, all_rows(table), cited, symbols, origin)
        self.pane.view.setFocus()

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.pane.apply_theme(theme, sizes)
