"""What the next question searches, as a button and removable chips above the ask box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSizePolicy, QWidget

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.library.scope_model import ScopeEntry, ScopeModel
from desktop_qa.gui.widgets.boxes import in_row, put, take_away
from desktop_qa.gui.widgets.labels import n_of, told
from desktop_qa.gui.widgets.theme import restyle
from desktop_qa.gui.widgets.tick_popup import MAX_CHIP_PX, VALUE_ROLE, Chip, TickPopup
from desktop_qa.retrieve.scope import select

_WIDTH_PX = 340
_HEIGHT_PX = 420


class ScopePopup(TickPopup):
    """Closes by Enter, too."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        self._scopes = ScopeModel()
        field = "Filter folders, vendors and documents", "Find a folder, vendor or document"
        super().__init__(self._scopes, "What to search", field, "Search all", parent)
        self._statuses: tuple[DocumentStatus, ...] = ()
        self.tree.setAccessibleName("Folders, vendors and documents")
        title_label = told(QLabel("Where to look for answers", self), "heading_label")
        self.column.insertWidget(0, title_label)
        self.filter_edit.returnPressed.connect(self._toggle_first)
        self.tree.activated.connect(self._on_row_activated)
        self.ticked.connect(lambda _entry, _is_ticked: self._show_count())
        self.clear_button.clicked.connect(self._on_cleared)

    def open_above(
        self,
        anchor: QWidget,
        statuses: tuple[DocumentStatus, ...],
        sources: Sequence[SourceFolder],
        chosen: Sequence[ScopeEntry],
    ) -> None:
        """Show the list over a widget, inside its screen."""
        self._statuses = statuses
        self.is_filling = True
        self._scopes.fill(statuses, sources, chosen)
        self.is_filling = False
        self.filter_edit.clear()
        self.tree.expandAll()
        self._show_count()
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        corner = anchor.mapToGlobal(QPoint(0, -self.height() - 4))
        if corner.y() < anchor.screen().availableGeometry().top():
            corner = anchor.mapToGlobal(QPoint(0, anchor.height() + 4))
        self.show_at(corner, anchor)
        self.filter_edit.setFocus()

    @property
    def chosen(self) -> tuple[ScopeEntry, ...]:
        """What is ticked, in the order of the list."""
        return tuple(
            row.data(VALUE_ROLE)
            for row in self.items()
            if row.checkState() == Qt.CheckState.Checked
        )

    def _show_count(self) -> None:
        patterns = [entry.pattern for entry in self.chosen]
        n_all = len(self._statuses)
        n_chosen = len(select(patterns, self._statuses).document_ids) if patterns else n_all
        some = f"{n_chosen} of {n_of(n_all, 'document')} searched"
        self.count_label.setText(some if patterns else "All documents are searched")
        self.clear_button.setEnabled(bool(patterns))

    def _on_row_activated(self, _index: QModelIndex) -> None:
        """Be done by Enter; a double click has ticked twice and means nothing more."""
        if not QApplication.mouseButtons():
            self.close()

    def _toggle_first(self) -> None:
        """Tick the one row that the filter leaves; close when nothing is typed."""
        if not self.filter_edit.text().strip():
            self.close()
            return
        first = self.first_row()
        if first.isValid():
            self.toggle(first)
            self.filter_edit.selectAll()

    def _on_cleared(self) -> None:
        self.is_filling = True
        for row in self.items():
            row.setCheckState(Qt.CheckState.Unchecked)
        self.is_filling = False
        self._show_count()

    def hideEvent(self, event: object) -> None:
        """Tell that the list is gone."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.closed.emit()


_LEAST_CHIP_PX = 96
_FIRST_CHIP_PX = 60
_GAP_PX = 6


class ScopeBar(QWidget):
    """One line: the button that opens the list, then as many chips as there is room for.

    Attributes:
        changed: The scope is another; with the tuple of `ScopeEntry`.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[str, ScopeEntry] = {}
        self._statuses: tuple[DocumentStatus, ...] = ()
        self._sources: tuple[SourceFolder, ...] = ()
        self._chips: list[Chip] = []
        self.button = told(QPushButton(self), "scope_button")
        self.more_button = told(QPushButton(self), "scope_button")
        self.here_button = QPushButton("Here  ▾", self)
        self.here_button.setObjectName("scope_button")
        self.here_button.setToolTip("Ask about the page or the document that the viewer shows")
        self.here_button.setAccessibleName("Ask about what the viewer shows")
        self.here_button.setEnabled(False)
        self.popup = ScopePopup(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._line = in_row(self, margins=(0, 0, 0, 0), spacing=_GAP_PX)
        put(self._line, self.button, self.more_button, self.here_button, None)
        self.button.clicked.connect(self.open_list)
        self.more_button.clicked.connect(self.open_list)
        self.popup.ticked.connect(self._on_entry_toggled)
        self.popup.clear_button.clicked.connect(lambda: self.set_entries(()))
        self._show()

    @property
    def entries(self) -> tuple[ScopeEntry, ...]:
        """What is searched, in the order in which it was chosen; empty is everything."""
        return tuple(self._entries.values())

    def set_entries(self, entries: Iterable[ScopeEntry]) -> None:
        """Search only these; none means everything."""
        chosen = {entry.pattern: entry for entry in entries}
        if chosen != self._entries:
            self._entries = chosen
            self._show()
            self.changed.emit(self.entries)

    def remove_last(self) -> None:
        """Leave out what was chosen last."""
        self.set_entries(self.entries[:-1])

    def show_library(
        self, statuses: tuple[DocumentStatus, ...], sources: tuple[SourceFolder, ...]
    ) -> None:
        """Follow the documents of the library."""
        self._statuses, self._sources = statuses, sources
        self.button.setEnabled(bool(statuses))
        self._show_states()

    def open_list(self) -> None:
        """Open the list of what can be searched."""
        if self._statuses:
            self.popup.open_above(self.button, self._statuses, self._sources, self.entries)

    def _on_entry_toggled(self, entry: ScopeEntry, is_ticked: bool) -> None:
        others = [own for own in self.entries if own.pattern != entry.pattern]
        self.set_entries((*others, entry) if is_ticked else others)

    def _on_chip_clicked(self, pattern: str, _checked: bool = False) -> None:
        place = [entry.pattern for entry in self.entries].index(pattern)
        self.set_entries(own for own in self.entries if own.pattern != pattern)
        shown = [chip for chip in self._chips if not chip.isHidden()]
        # The keyboard stays where it was: at the chip that took the place, or the one before.
        near = shown[min(place, len(shown) - 1)] if shown else self.button
        near.setFocus()

    def _show(self) -> None:
        take_away(self._line, self._chips)
        self._chips = [
            Chip(entry, entry.label, f"Asking only {entry.label}: leave it out", self)
            for entry in self.entries
        ]
        for position, chip in enumerate(self._chips, start=1):
            chip.clicked.connect(partial(self._on_chip_clicked, chip.value.pattern))
            self._line.insertWidget(position, chip)
        self.button.setText("Only  ▾" if self._entries else "All documents  ▾")
        self.button.setToolTip("Choose what to search (Ctrl+Shift+D)")
        self.button.setAccessibleName(
            f"What to search: {', '.join(e.label for e in self.entries) or 'all documents'}"
        )
        self._show_states()
        self._arrange()

    def _show_states(self) -> None:
        """Say how many documents are meant; none is a state of its own, not a wider search."""
        for chip in self._chips:
            n_documents = len(select((chip.value.pattern,), self._statuses).document_ids)
            # Before the library is there nothing is missing from it.
            n_documents = n_documents if self._statuses else 1
            what = n_of(n_documents, "document") if n_documents else "not in the library any more"
            chip.setToolTip(f"Asking only {chip.value.label} ({what}); click to leave it out")
            restyle(chip, "missing", n_documents == 0)

    def _arrange(self) -> None:
        """Show the chips that fit, and how many more there are."""
        self.button.ensurePolished()
        left = self.width() - self.button.sizeHint().width() - _GAP_PX
        left -= self.here_button.sizeHint().width() + _GAP_PX
        self.more_button.setText(f"+{len(self._chips)}")
        more_width = self.more_button.sizeHint().width() + _GAP_PX
        n_shown = 0
        for position, chip in enumerate(self._chips):
            is_last = position == len(self._chips) - 1
            room = left - (0 if is_last else more_width)
            chip.fit(MAX_CHIP_PX)
            if chip.sizeHint().width() > room:
                # A name of two letters says less than a number; the first is shown in any case.
                least = _LEAST_CHIP_PX if n_shown else _FIRST_CHIP_PX
                if n_shown and room < least:
                    break
                chip.fit(max(room, least))
            left -= chip.sizeHint().width() + _GAP_PX
            n_shown += 1
        for position, chip in enumerate(self._chips):
            chip.setVisible(position < n_shown)
        hidden = self._chips[n_shown:]
        self.more_button.setText(f"+{len(hidden)}")
        self.more_button.setToolTip("\n".join(chip.value.label for chip in hidden[:20]))
        self.more_button.setAccessibleName(f"{len(hidden)} more")
        self.more_button.setVisible(bool(hidden))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the chips anew."""
        super().resizeEvent(event)
        self._arrange()
