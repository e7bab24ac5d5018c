"""The documents that were taken out of the library, and the way back."""

from __future__ import annotations

import time

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.gui.widgets.boxes import in_column, in_row

_SIZE = QSize(480, 380)
_EXPLANATION = (
    "These files stay where they are and are passed over. What is brought back soon is there at"
    " once; later it is read again."
)


class RemovedDialog(QDialog):
    """A list of removed documents; not modal.

    Attributes:
        restore_requested: With a tuple of document ids.
    """

    restore_requested = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Removed Documents")
        self.setObjectName("removed_dialog")
        self.resize(_SIZE)
        self._is_read_only = False
        self.list = QListWidget(self)
        self.note_label = QLabel(self)
        self.restore_button = QPushButton("Bring Back", self)
        self.all_button = QPushButton("Bring Back All", self)
        self.close_button = QPushButton("Close", self)
        self._build()
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.list.itemActivated.connect(lambda _item: self._on_restore())
        self.restore_button.clicked.connect(self._on_restore)
        self.all_button.clicked.connect(self._on_restore_all)
        self.close_button.clicked.connect(self.close)

    def _build(self) -> None:
        explanation = QLabel(_EXPLANATION, self)
        explanation.setObjectName("dialog_hint")
        explanation.setWordWrap(True)
        self.list.setAccessibleName("Removed documents")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        # A long name gives way in its middle: the day behind it stays in sight.
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note_label.setObjectName("dialog_hint")
        self.note_label.setWordWrap(True)
        self.restore_button.setToolTip("Make the selected documents part of the library again")
        self.all_button.setToolTip("Make all of them part of the library again")
        self.close_button.setToolTip("Close the list (Esc)")
        layout = in_column(self, margins=(16, 16, 16, 16), spacing=12)
        layout.addWidget(explanation)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.note_label)
        buttons = in_row(spacing=8, inside=layout)
        for button in (self.restore_button, self.all_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)

    def show_loading(self, *, is_read_only: bool) -> None:
        """Show that the list is being looked up."""
        self._is_read_only = is_read_only
        self.list.clear()
        self._say("Looking them up …")

    def show_removed(self, removed: tuple[RemovedDocument, ...]) -> None:
        """List removed documents, the latest first."""
        self.list.clear()
        for row in removed:
            when = time.strftime("%d %B %Y, %H:%M", time.localtime(row.removed_at)).lstrip("0")
            item = QListWidgetItem(f"{row.name}   {when}", self.list)
            lines = (row.title, *row.paths, "" if row.is_kept else "It will be read again.")
            item.setToolTip("\n".join(line for line in lines if line))
            item.setData(Qt.ItemDataRole.UserRole, row.document_id)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.name}, removed {when}")
        if self._is_read_only:
            self._say("This library is open for reading only: nothing can be brought back here.")
        else:
            self._say("" if removed else "Nothing was removed from this library.")

    def show_failure(self, error: DesktopQaError) -> None:
        """Say why there is no list."""
        self._say(f"{error.message} {error.hint}".strip())

    def _say(self, text: str) -> None:
        self.note_label.setText(text)
        self.note_label.setVisible(bool(text))
        self._update_buttons()

    def _update_buttons(self) -> None:
        can_write = not self._is_read_only
        self.restore_button.setEnabled(can_write and bool(self.list.selectedItems()))
        self.all_button.setEnabled(can_write and self.list.count() > 0)

    def _on_restore(self) -> None:
        self._restore(self.list.selectedItems())

    def _on_restore_all(self) -> None:
        self._restore([self.list.item(row) for row in range(self.list.count())])

    def _restore(self, items: list[QListWidgetItem]) -> None:
        ids = tuple(DocumentId(item.data(Qt.ItemDataRole.UserRole)) for item in items)
        if ids and not self._is_read_only:
            self.restore_requested.emit(ids)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Enter to the list: it brings back what is selected."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and self.list.hasFocus():
            event.accept()
            return
        super().keyPressEvent(event)
