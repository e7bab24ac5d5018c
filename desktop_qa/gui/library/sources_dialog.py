"""Preferred sources of a library: what they are, and how much they weigh."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSlider,
    QWidget,
)

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.sources import MAX_SOURCE_BOOST, SourceSettings
from desktop_qa.gui.widgets.boxes import add_row
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import n_of, plain_label, told
from desktop_qa.retrieve.scope import label_of, select

_EXPLANATION = (
    "Evidence from preferred sources comes first where it fits the question as well as that of"
    " others. Nothing is left out."
)
_STEPS = 100
_LEAST_WIDTH_PX = 470


class SourcesDialog(SideWindow):
    """Each change counts at once, for the next question; Close only closes.

    Attributes:
        changed: With the new `SourceSettings`.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Preferred Sources", "sources_dialog", None, parent)
        self._sources = SourceSettings()
        self._statuses: tuple[DocumentStatus, ...] = ()
        self._is_filling = False
        self.list = told(QListWidget(self), spoken="Preferred sources")
        self.empty_label = plain_label("None yet. Right-click a document, or add a pattern.", self)
        self.pattern_edit = told(QLineEdit(self), spoken="Source to prefer")
        self.add_button = push_button("Add", self._on_add, self)
        self.remove_button = push_button("Remove", self._on_remove, self)
        self.boost_slider = QSlider(Qt.Orientation.Horizontal, self)
        self.boost_label = QLabel(self)
        self.newest_box = QCheckBox("Newest revision first", self)
        self._build()
        self.pattern_edit.returnPressed.connect(self._on_add)
        self.list.currentRowChanged.connect(self._update_buttons)
        self.boost_slider.valueChanged.connect(lambda steps: self._change(boost=steps / _STEPS))
        self.newest_box.toggled.connect(lambda is_on: self._change(newest_revision_first=is_on))

    def _build(self) -> None:
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedHeight(132)
        self.pattern_edit.setPlaceholderText("vendor:Bosch, /folder, TI_*.pdf …")
        self.boost_slider.setRange(0, round(MAX_SOURCE_BOOST * _STEPS))
        self.boost_slider.setPageStep(10)
        self.boost_slider.setAccessibleName("Boost of preferred sources")
        self.boost_slider.setToolTip("0 turns it off; 1 is as much as a perfect match of words")
        self.boost_label.setMinimumWidth(36)
        self.newest_box.setToolTip("Of several revisions of a document the newest comes first")
        layout = self.column
        layout.addWidget(plain_label(_EXPLANATION, self))
        layout.addWidget(self.list)
        layout.addWidget(self.empty_label)
        line = add_row(layout, self.pattern_edit, self.add_button, self.remove_button)
        line.setStretch(0, 1)
        line = add_row(layout, QLabel("Boost", self), self.boost_slider, self.boost_label)
        line.setStretch(1, 1)
        layout.addWidget(self.newest_box)
        self.end_with()
        self.setMinimumWidth(_LEAST_WIDTH_PX)

    def show_sources(
        self, sources: SourceSettings, statuses: tuple[DocumentStatus, ...], *, is_read_only: bool
    ) -> None:
        """Show the settings of a library."""
        self._sources, self._statuses = sources, statuses
        self._is_filling = True
        row = self.list.currentRow()
        self.list.clear()
        for pattern in sources.preferred:
            n_documents = len(select((pattern,), statuses).document_ids)
            item = QListWidgetItem(f"{label_of(pattern)}  ·  {n_of(n_documents, 'document')}")
            item.setData(Qt.ItemDataRole.UserRole, pattern)
            item.setToolTip(pattern)
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, self.list.count() - 1))
        self.list.setVisible(bool(sources.preferred))
        self.empty_label.setVisible(not sources.preferred)
        self.boost_slider.setValue(round(sources.boost * _STEPS))
        self.boost_label.setText(f"{sources.boost:.2f}")
        self.newest_box.setChecked(sources.newest_revision_first)
        for widget in (self.pattern_edit, self.add_button, self.boost_slider, self.newest_box):
            widget.setEnabled(not is_read_only)
        self._is_filling = False
        self._update_buttons()

    def _update_buttons(self, _row: int = 0) -> None:
        can_change = self.newest_box.isEnabled()
        self.remove_button.setEnabled(can_change and self.list.currentRow() >= 0)

    def _change(self, **changes: Any) -> None:
        sources = replace(self._sources, **changes)
        if not self._is_filling and sources != self._sources:
            self.changed.emit(sources)

    def _toggle(self, pattern: str) -> None:
        self._change(preferred=self._sources.toggled(pattern).preferred)

    def _on_add(self) -> None:
        pattern = self.pattern_edit.text().strip()
        if not pattern:
            return
        self.pattern_edit.clear()
        if pattern not in self._sources.preferred:
            self._toggle(pattern)

    def _on_remove(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._toggle(item.data(Qt.ItemDataRole.UserRole))
