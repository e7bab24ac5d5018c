"""How the library's panel is narrowed and arranged: a field, a pop-up, chips, and a menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QHeaderView, QMenu, QToolButton, QWidget

from desktop_qa.gui.library.library_order import (
    Arrangement,
    Choice,
    Facet,
    GroupBy,
    LibraryOrder,
    Narrowing,
    RevisionKind,
    SortBy,
    StateKind,
)
from desktop_qa.gui.library.library_words import natural_key
from desktop_qa.gui.widgets.boxes import add_row, in_column
from desktop_qa.gui.widgets.dialog_parts import one_of
from desktop_qa.gui.widgets.labels import n_of, told
from desktop_qa.gui.widgets.list_rows import WORDS_ROLE, FilterEdit
from desktop_qa.gui.widgets.theme import restyle, tint
from desktop_qa.gui.widgets.tick_popup import VALUE_ROLE, Chip, TickPopup

_GROUPS = {
    GroupBy.VENDOR: "Group by Vendor",
    GroupBy.FOLDER: "Group by Folder",
    GroupBy.STATE: "Group by State",
    GroupBy.FAMILY: "Group by Part Family",
    GroupBy.NONE: "No Groups",
}
_SORTS = {
    SortBy.NAME: "Sort by Name",
    SortBy.TITLE: "Sort by Title",
    SortBy.VENDOR: "Sort by Vendor",
    SortBy.PAGES: "Sort by Pages",
    SortBy.STATE: "Sort by State",
    SortBy.READ_AT: "Sort by When It Was Read",
    SortBy.DATE: "Sort by Date of the Document",
}
_NEWEST_FIRST = (SortBy.READ_AT, SortBy.DATE, SortBy.PAGES)
"""What is looked for there is the latest or the longest."""

_WIDTH_PX = 290
_MAX_HEIGHT_PX = 470
_MANY_VALUES = 24
"""From so many on a field to find one by its name is of use."""

_GAP_PX = 6


class ArrangeMenu(QMenu):
    """Shows by check marks how the documents are arranged, and says what was chosen.

    Attributes:
        chosen: With the `Arrangement` that is wanted.
    """

    chosen = Signal(object)

    def __init__(self, order: LibraryOrder, parent: QWidget) -> None:
        super().__init__("&Group and Sort", parent, toolTipsVisible=True)
        self._order = order
        tip = "Group the documents by another trait"
        self.groups = {
            value: self._add(f"group_{value}", text, tip, partial(self._with, group_by=value))
            for value, text in _GROUPS.items()
        }
        self.addSeparator()
        tip = "Put the documents in another order"
        self.sorts = {
            value: self._add(
                *(f"sort_{value}", text, tip),
                partial(self._with, sort_by=value, descending=value in _NEWEST_FIRST),
            )
            for value, text in _SORTS.items()
        }
        self.descending = self._add(
            *("descending", "Descending", "Turn the order around"),
            lambda: self._with(descending=not order.arrangement.descending),
        )
        self.addSeparator()
        unfold, fold = partial(order.folded, False), partial(order.folded, True)
        self._add("expand", "Expand All Groups", "Show all documents", unfold)
        self._add("collapse", "Collapse All Groups", "Show only the headings", fold)
        one_of(self.groups.values(), self)
        one_of(self.sorts.values(), self)
        self.descending.setCheckable(True)
        self.aboutToShow.connect(self._mark)

    def _add(self, name: str, text: str, tip: str, wanted: Callable[[], Arrangement]) -> QAction:
        action = QAction(text, self, toolTip=tip, statusTip=tip)
        action.setObjectName(name)
        action.triggered.connect(lambda: self.chosen.emit(wanted()))
        self.addAction(action)
        return action

    def _with(self, **changes: Any) -> Arrangement:
        return replace(self._order.arrangement, **changes)

    def _mark(self) -> None:
        arrangement = self._order.arrangement
        self.groups[arrangement.group_by].setChecked(True)
        self.sorts[arrangement.sort_by].setChecked(True)
        self.descending.setChecked(arrangement.descending)


class FilterPopup(TickPopup):
    """The values of all facets, with how many documents each would list."""

    def __init__(self, parent: QWidget) -> None:
        field = "Find a vendor or folder", "Find a vendor or folder …"
        super().__init__(QStandardItemModel(0, 2), "Filter documents", field, "Clear", parent)
        self.tree.setAccessibleName("States, vendors, folders and revisions")
        self.tree.setItemsExpandable(False)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.clear_button.setToolTip("Leave no document out for its state, vendor or folder")
        self.tree.activated.connect(self._on_row_activated)

    def open_below(self, anchor: QWidget) -> None:
        """Show the list under a widget, inside its screen; `fill` goes before."""
        n_rows = self.model.rowCount() + len(self.items())
        has_field = n_rows > _MANY_VALUES
        self.filter_edit.setVisible(has_field)
        self.filter_edit.clear()
        self.ensurePolished()
        row_px = max(self.tree.sizeHintForRow(0), 22)
        self.resize(_WIDTH_PX, min(n_rows * row_px + (84 if has_field else 52), _MAX_HEIGHT_PX))
        self.show_at(anchor.mapToGlobal(QPoint(0, anchor.height() + 4)), anchor)
        self.tree.setCurrentIndex(self.first_row())
        (self.filter_edit if has_field else self.tree).setFocus()

    def fill(self, order: LibraryOrder) -> None:
        """Show the values of all facets with how many documents each would list."""
        chosen = order.narrowing.choices
        numbers = {choice: n for facet in Facet for choice, n in _listed(facet, order)}
        self.is_filling = True
        # Rows that stay are only marked anew: the current one is where the keyboard is.
        if [Choice(*name.data(VALUE_ROLE)) for name in self.items()] != list(numbers):
            self._rebuild(numbers)
        for name, (choice, number) in zip(self.items(), numbers.items(), strict=True):
            is_ticked, count = choice in chosen, name.parent().child(name.row(), 1)
            name.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
            name.setAccessibleText(f"{name.text()}, {n_of(number, 'document')}")
            count.setText(str(number))
            # What would list nothing is quiet, but can be unticked.
            for item in (name, count):
                item.setEnabled(bool(number) or is_ticked)
        self.is_filling = False
        self.count_label.setText(f"{order.n_shown} of {len(order)} documents")
        self.clear_button.setEnabled(bool(chosen))

    def _rebuild(self, choices: Iterable[Choice]) -> None:
        self.model.removeRows(0, self.model.rowCount())
        for facet, values in groupby(choices, key=attrgetter("facet")):
            heading, blank = QStandardItem(facet.value), QStandardItem()
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            for item in (heading, blank):
                item.setEnabled(False)
            self.model.appendRow([heading, blank])
            for choice in values:
                name, count = QStandardItem(choice.value), QStandardItem()
                name.setData(choice, VALUE_ROLE)
                name.setData(choice.value.casefold(), WORDS_ROLE)
                name.setToolTip(choice.value)
                name.setCheckable(True)
                count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                heading.appendRow([name, count])
        self.tree.expandAll()

    def _on_row_activated(self, index: QModelIndex) -> None:
        if self.tree.hasFocus():
            self.toggle(index)


def _listed(facet: Facet, order: LibraryOrder) -> list[tuple[Choice, int]]:
    """Return the values of a facet in the order of the pop-up; one value alone is no choice."""
    chosen = [choice.value for choice in order.narrowing.choices if choice.facet is facet]
    found = dict.fromkeys(chosen, 0) | order.counts(facet)
    if facet is not Facet.STATE and len(found) < 2 and not chosen:
        return []
    kinds = {Facet.STATE: StateKind, Facet.REVISION: RevisionKind}.get(facet)
    values = [kind.value for kind in kinds] if kinds else sorted(found, key=natural_key)
    return [(Choice(facet, value), found[value]) for value in values if value in found]


class ChipFlow(QWidget):
    """Chips side by side, in as many lines as they need."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.chips: list[Chip] = []

    def show_chips(self, chips: list[Chip]) -> None:
        """Show other chips; the earlier ones go."""
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = chips
        for chip in chips:
            chip.show()
        self.setVisible(bool(chips))
        self._lay_out()

    def _lay_out(self) -> None:
        x = y = line_px = 0
        for chip in self.chips:
            size = chip.sizeHint()
            if x and x + size.width() > self.width():
                x, y = 0, y + line_px + _GAP_PX
            chip.setGeometry(x, y, min(size.width(), max(self.width(), 60)), size.height())
            x += size.width() + _GAP_PX
            line_px = size.height()
        self.setFixedHeight(y + line_px if self.chips else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        self._lay_out()


class LibraryFilterBar(QWidget):
    """Narrows an order to what is asked for; knows nothing of rows.

    Attributes:
        order: The documents, which the panel gives it.
        popup: Once it was opened.
        changed: The order is narrowed in another way.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = FilterEdit(
            "Filter documents",
            "Name, vendor, part …",
            tip="Only documents that have all of these words (Ctrl+Shift+F)",
        )
        self.edit.setObjectName("filter_edit")
        self.filter_button = self._button("filter", "Filter by state, vendor, folder or revision")
        self.arrange_button = self._button("arrange", "Group and sort the documents")
        self.flow = ChipFlow(self)
        self.order = LibraryOrder()
        self._choices: frozenset[Choice] = frozenset()
        self.popup: FilterPopup | None = None
        tint(self.edit, "search")
        self.arrange_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        layout = in_column(self, margins=(12, 0, 8, 8), spacing=8)
        add_row(layout, (self.edit, 1), 4, self.filter_button, self.arrange_button, spacing=2)
        layout.addWidget(self.flow)
        self.flow.hide()
        self.edit.textChanged.connect(self._narrow)
        self.filter_button.clicked.connect(self.open_popup)

    def _button(self, icon: str, name: str) -> QToolButton:
        button = told(QToolButton(self), f"{icon}_button", name, name)
        tint(button, icon)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setIconSize(QSize(16, 16))
        return button

    # What is asked for

    def ask(self, text: str = "", choices: frozenset[Choice] = frozenset()) -> None:
        """Ask for something else, words and choices at once; for nothing without any."""
        self._choices = choices
        self.edit.setText(text)
        self._narrow()

    def step_back(self) -> None:
        """Take the words away; when there are none, all the rest."""
        if self.edit.text():
            self.edit.clear()
        else:
            self.ask()

    def _narrow(self) -> None:
        before = self.order.narrowing
        narrowing = Narrowing(tuple(self.edit.text().casefold().split()), self._choices)
        if narrowing == before:
            return
        self.order.narrow(narrowing)
        if self._choices != before.choices:
            choices = sorted(self._choices, key=lambda c: (list(Facet).index(c.facet), c.value))
            self.flow.show_chips([self._chip(choice) for choice in choices])
            restyle(self.filter_button, "active", bool(choices))
        self.changed.emit()

    def _chip(self, choice: Choice) -> Chip:
        spoken = f"{choice.facet}: {choice.value}, take this filter away"
        chip = Chip(choice, choice.value, spoken, self.flow)
        chip.setToolTip(f"Only {choice.facet.lower()} “{choice.value}”; click to take it away")
        chip.clicked.connect(lambda: self._on_chip_clicked(choice))
        return chip

    def _on_chip_clicked(self, choice: Choice) -> None:
        had_focus = any(chip.hasFocus() for chip in self.flow.chips)
        self.ask(self.edit.text(), self._choices - {choice})
        if had_focus:
            (self.flow.chips[0] if self.flow.chips else self.edit).setFocus()

    # The pop-up

    def open_popup(self) -> None:
        """Show what can be chosen."""
        if self.popup is None:
            self.popup = FilterPopup(self)
            self.popup.ticked.connect(self._on_choice_toggled)
            self.popup.clear_button.clicked.connect(lambda: self.ask(self.edit.text()))
        self.popup.fill(self.order)
        self.popup.open_below(self.filter_button)

    def refresh_popup(self) -> None:
        """Count anew, if anybody looks."""
        if self.popup is not None and self.popup.isVisible():
            self.popup.fill(self.order)

    def _on_choice_toggled(self, value: tuple[Facet, str], _is_ticked: bool) -> None:
        self.ask(self.edit.text(), self._choices ^ {Choice(*value)})
