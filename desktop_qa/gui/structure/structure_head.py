"""What stands over the structure of a document: its name, the filter, the way to each group."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from desktop_qa.core.readings import ModelReading, ReadBy
from desktop_qa.gui.structure.structure_model import RowKind
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.elided_label import ElidedLabel
from desktop_qa.gui.widgets.glyph_button import Glyph, GlyphButton

_READING_PX = 90
"""Of the name of a model on its button."""


class StructureHead(QWidget):
    """Holds the controls; the panel below acts on them.

    Attributes:
        group_chosen: With the `RowKind` to go to.
        reading_chosen: With the `ReadBy` to be seen.
        use_wanted: The reading that is seen is to be searched and cited.
    """

    group_chosen = Signal(object)
    reading_chosen = Signal(object)
    use_wanted = Signal()

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
        self.reading_buttons = {by: self._reading_button(by) for by in ReadBy}
        self.use_button = QPushButton("Use This")
        self.use_button.setObjectName("jump_button")
        self.use_button.setToolTip("Search and cite the reading that is shown from now on")
        self.use_button.clicked.connect(lambda _checked=False: self.use_wanted.emit())
        self._readings = QWidget()
        self._line_up()
        self.show_readings(ReadBy.PROGRAM, None)

    def _reading_button(self, by: ReadBy) -> QPushButton:
        button = QPushButton()
        button.setObjectName("structure_reading")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _checked=False: self.reading_chosen.emit(by))
        return button

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
        readings = in_row(self._readings, margins=(0, 0, 0, 2), spacing=2)
        for reading_button in self.reading_buttons.values():
            readings.addWidget(reading_button)
        readings.addStretch(1)
        readings.addWidget(self.use_button)
        column.addWidget(self._readings)

    def show_readings(self, shown: ReadBy, note: ModelReading | None) -> None:
        """Show whose reading is seen, and whose is used, where a model has read the document."""
        self._readings.setVisible(note is not None)
        for by, button in self.reading_buttons.items():
            button.setChecked(by is shown)
            if note is None:
                continue
            is_model = by is ReadBy.MODEL
            name = note.model if is_model else "Offline"
            # The names of models are long: "hf.co/maker/Model-7B-Instruct-GGUF:Q4_K_M".
            short = self.fontMetrics().elidedText(
                name.rsplit("/", 1)[-1], Qt.TextElideMode.ElideRight, _READING_PX
            )
            button.setText(short.replace("&", "&&"))
            whose = (
                f"As {note.model} reads it: {note.line}"
                if is_model
                else "As this program reads it."
            )
            used = " Answers use this reading." if by is note.used else ""
            button.setToolTip(f"{whose}{used}")
            button.setAccessibleName(f"{name} reading.{used}")
        self.use_button.setVisible(note is not None and note.used is not shown)

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
