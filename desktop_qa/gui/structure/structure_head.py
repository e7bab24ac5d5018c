"""What stands over the structure of a document: its name, the filter, the way to each group."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from desktop_qa.gui.structure.structure_model import RowKind
from desktop_qa.gui.viewer.pdf_toolbar import ElidedLabel
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.glyph_button import Glyph, GlyphButton


class StructureHead(QWidget):
    """Holds the controls; the panel below acts on them.

    Attributes:
        group_chosen: With the `RowKind` to go to.
    """

    group_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name_label = ElidedLabel()
        self.name_label.setObjectName("structure_name")
        self.pages_label = QLabel()
        self.pages_label.setObjectName("count_label")
        self.expand_button = GlyphButton(Glyph.EXPAND_ALL, "Expand all chapters")
        self.collapse_button = GlyphButton(Glyph.COLLAPSE_ALL, "Collapse all chapters")
        self.filter_edit = QLineEdit()
        self.filter_edit.setObjectName("structure_filter")
        self.filter_edit.setAccessibleName("Filter chapters, tables and figures")
        self.filter_edit.setPlaceholderText("Filter this document …")
        self.filter_edit.setToolTip("Chapters, tables and figures that hold all the words")
        self.filter_edit.setClearButtonEnabled(True)
        # Files dropped here are the window's, not text for the filter.
        self.filter_edit.setAcceptDrops(False)
        self.jump_buttons = {kind: self._jump_button(kind) for kind in RowKind}
        self._line_up()

    def _jump_button(self, kind: RowKind) -> QPushButton:
        button = QPushButton()
        button.setObjectName("jump_button")
        button.setToolTip(f"Go to the {kind.value.lower()}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(partial(self._on_jump_clicked, kind))
        return button

    def _line_up(self) -> None:
        column = in_column(self, margins=(12, 8, 12, 4), spacing=6)
        names = in_row(margins=(2, 0, 0, 0), spacing=2, inside=column)
        names.addWidget(self.name_label, 1)
        names.addSpacing(6)
        names.addWidget(self.pages_label)
        names.addSpacing(6)
        names.addWidget(self.expand_button)
        names.addWidget(self.collapse_button)
        column.addWidget(self.filter_edit)
        jumps = in_row(spacing=2, inside=column)
        for button in self.jump_buttons.values():
            jumps.addWidget(button)
        jumps.addStretch(1)

    def _on_jump_clicked(self, kind: RowKind, _checked: bool = False) -> None:
        self.group_chosen.emit(kind)

    def show_document(self, name: str, path: str, pages: str) -> None:
        """Show which document it is."""
        self.name_label.setText(name)
        self.name_label.setToolTip(path)
        self.pages_label.setText(pages)

    def show_counts(self, counts: Mapping[RowKind, tuple[int, int]]) -> None:
        """Show how many rows of each kind the filter leaves."""
        for kind, button in self.jump_buttons.items():
            n_shown = counts.get(kind, (0, 0))[0]
            button.setText(f"{kind.value} {n_shown}")
            button.setVisible(kind in counts)
            button.setEnabled(n_shown > 0)

    def set_usable(self, is_usable: bool) -> None:
        """Allow filtering and folding, or not while there is nothing."""
        for widget in (self.filter_edit, self.expand_button, self.collapse_button):
            widget.setEnabled(is_usable)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Tint the icon."""
        if not self.filter_edit.actions():
            self.filter_edit.addAction(QAction(self), QLineEdit.ActionPosition.LeadingPosition)
        self.filter_edit.actions()[0].setIcon(themes.icon("search", theme.dim))
