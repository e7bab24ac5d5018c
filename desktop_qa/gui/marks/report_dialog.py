"""Asking what a cell that was read wrongly should say."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from desktop_qa.core.mark import PlacedMark, ReadCell
from desktop_qa.gui.widgets.boxes import in_column, put
from desktop_qa.gui.widgets.labels import plain_label, show_breakable

_WIDTH_PX = 440
_KEPT = (
    "Kept in this library with your marks. From now on the cell is shown and cited as"
    " reported; answers do not change."
)


class ReportDialog(QDialog):
    """Shows what was read and where; both fields may stay empty.

    Attributes:
        reported: With what the page says instead and the note, when it is confirmed.
        taken_back: The report of before is wanted no more.
    """

    reported = Signal(str, str)
    taken_back = Signal()

    def __init__(
        self, cell: ReadCell, where: str, placed: PlacedMark | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("This Cell Is Wrong – Desktop QA")
        before = placed.mark if placed is not None else None
        said = before.cell.instead if before is not None and before.cell is not None else ""
        self.read_label = plain_label("", self, "heading_label")
        show_breakable(self.read_label, f"Read: {cell.text or 'nothing'}")
        self.where_label = plain_label("", self, "caption")
        show_breakable(self.where_label, " · ".join(filter(None, (where, cell.name.place))))
        self.instead_edit = QLineEdit(said, placeholderText="Leave it empty if you only doubt it")
        self.note_edit = QLineEdit(before.note if before is not None else "")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.report_button = buttons.addButton(
            "Report" if before is None else "Change", QDialogButtonBox.ButtonRole.AcceptRole
        )
        if before is not None:
            back = buttons.addButton("Take Back", QDialogButtonBox.ButtonRole.DestructiveRole)
            back.clicked.connect(self.taken_back)
            back.clicked.connect(self.reject)
        kept = plain_label(_KEPT, self, "caption")
        form = QFormLayout()
        form.addRow("The page says", self.instead_edit)
        form.addRow("Note", self.note_edit)
        layout = in_column(self, margins=(16, 14, 16, 14), spacing=10)
        put(layout, self.read_label, self.where_label, form, kept, buttons)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.setMinimumWidth(_WIDTH_PX)
        self.instead_edit.setFocus()

    def _on_accepted(self) -> None:
        self.reported.emit(self.instead_edit.text().strip(), self.note_edit.text().strip())
        self.accept()
