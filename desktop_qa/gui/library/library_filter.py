"""How the library's panel is narrowed and arranged: a field, a pop-up, chips, and a menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QMenu,
    QToolButton,
    QWidget,
)

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

ChoiceT = TypeVar("ChoiceT", GroupBy, SortBy)
Counts = Mapping[Facet, Sequence[tuple[str, int]]]


class ArrangeMenu(QMenu):
    """Shows the arrangement by check marks and says what was chosen.

    Attributes:
        arrangement_chosen: With the `Arrangement` that is wanted.
        fold_chosen: True to fold all groups away, False to show them.
    """

    arrangement_chosen = Signal(object)
    fold_chosen = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("&Group and Sort", parent)
        self.setToolTipsVisible(True)
        self._arrangement = Arrangement()
        self.groups = self._add_choices(_GROUPS, "group", "Group the documents by another trait")
        self.sorts = self._add_choices(_SORTS, "sort", "Put the documents in another order")
        self.descending = self._add("descending", "Descending", "Turn the order around")
        self.descending.setCheckable(True)
        self.addSeparator()
        unfold = self._add("expand", "Expand All Groups", "Show all documents")
        fold = self._add("collapse", "Collapse All Groups", "Show only the headings")
        unfold.triggered.connect(lambda: self.fold_chosen.emit(False))
        fold.triggered.connect(lambda: self.fold_chosen.emit(True))
        for group_by, action in self.groups.items():
            action.triggered.connect(partial(self._choose, group_by=group_by))
        for sort_by, action in self.sorts.items():
            is_newest_first = sort_by in _NEWEST_FIRST
            action.triggered.connect(
                partial(self._choose, sort_by=sort_by, descending=is_newest_first)
            )
        self.descending.triggered.connect(lambda is_on: self._choose(descending=is_on))
        self.show_arrangement(self._arrangement)

    def _add(self, name: str, text: str, tip: str) -> QAction:
        action = self.addAction(text)
        action.setObjectName(name)
        action.setToolTip(tip)
        action.setStatusTip(tip)
        return action

    def _add_choices(
        self, texts: dict[ChoiceT, str], kind: str, tip: str
    ) -> dict[ChoiceT, QAction]:
        """Add entries of which one is checked."""
        self.addSeparator()
        group, found = QActionGroup(self), {}
        for value, text in texts.items():
            action = found[value] = self._add(f"{kind}_{value}", text, tip)
            action.setCheckable(True)
            group.addAction(action)
        return found

    def show_arrangement(self, arrangement: Arrangement) -> None:
        """Check what is so."""
        self._arrangement = arrangement
        self.groups[arrangement.group_by].setChecked(True)
        self.sorts[arrangement.sort_by].setChecked(True)
        self.descending.setChecked(arrangement.descending)

    def _choose(self, _checked: bool = False, **changes: Any) -> None:
        self.arrangement_chosen.emit(replace(self._arrangement, **changes))


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
        self.filter_edit.setVisible(n_rows > _MANY_VALUES)
        self.filter_edit.clear()
        self.ensurePolished()
        row_px = max(self.tree.sizeHintForRow(0), 22)
        extra = 84 if n_rows > _MANY_VALUES else 52
        self.resize(_WIDTH_PX, min(n_rows * row_px + extra, _MAX_HEIGHT_PX))
        self.show_at(anchor.mapToGlobal(QPoint(0, anchor.height() + 4)), anchor)
        self.tree.setCurrentIndex(self.first_row())
        (self.filter_edit if self.filter_edit.isVisibleTo(self) else self.tree).setFocus()

    def fill(self, counts: Counts, chosen: frozenset[Choice], n_shown: int, n_all: int) -> None:
        """Show the values of all facets with how many documents each would list."""
        self.is_filling = True
        numbers = {Choice(facet, v): n for facet, values in counts.items() for v, n in values}
        # Rows that stay are only marked anew: the current one is where the keyboard is.
        if [Choice(*name.data(VALUE_ROLE)) for name in self.items()] != list(numbers):
            self._rebuild(counts)
        for name in self.items():
            choice = Choice(*name.data(VALUE_ROLE))
            self._mark(name, choice in chosen, numbers[choice])
        self.is_filling = False
        self.count_label.setText(f"{n_shown} of {n_all} documents")
        self.clear_button.setEnabled(bool(chosen))

    def _rebuild(self, counts: Counts) -> None:
        self.model.removeRows(0, self.model.rowCount())
        for facet, values in counts.items():
            if not values:
                continue
            heading, blank = QStandardItem(facet.value), QStandardItem()
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            for item in (heading, blank):
                item.setEnabled(False)
            self.model.appendRow([heading, blank])
            for value, _number in values:
                name, count = QStandardItem(value), QStandardItem()
                name.setData((facet, value), VALUE_ROLE)
                name.setData(value.casefold(), WORDS_ROLE)
                name.setToolTip(value)
                name.setCheckable(True)
                count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                heading.appendRow([name, count])
        self.tree.expandAll()

    def _mark(self, name: QStandardItem, is_ticked: bool, number: int) -> None:
        count = name.parent().child(name.row(), 1)
        name.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        count.setText(str(number))
        name.setAccessibleText(f"{name.text()}, {n_of(number, 'document')}")
        # What would list nothing is quiet, but can be unticked.
        for item in (name, count):
            item.setEnabled(bool(number) or is_ticked)

    def _on_row_activated(self, index: QModelIndex) -> None:
        if self.tree.hasFocus():
            self.toggle(index)


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
    """Says what is asked for; knows nothing of rows.

    Attributes:
        order: The documents that the pop-up counts.
        popup: Once it was opened.
        changed: With the `Narrowing`.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = FilterEdit(
            "Filter documents",
            "Name, vendor, part …",
            tip="Only documents that have all of these words (Ctrl+Shift+F)",
        )
        self.edit.setObjectName("filter_edit")
        self.filter_button = told(QToolButton(self), "filter_button")
        self.arrange_button = told(QToolButton(self), "arrange_button")
        self.flow = ChipFlow(self)
        self._choices: frozenset[Choice] = frozenset()
        self.order = LibraryOrder()
        self.popup: FilterPopup | None = None
        self._is_setting = False
        self._build()
        self.edit.textChanged.connect(self._on_edited)
        self.filter_button.clicked.connect(self.open_popup)

    def _build(self) -> None:
        self.filter_button.setAccessibleName("Filter by state, vendor, folder or revision")
        self.filter_button.setToolTip("Filter by state, vendor, folder or revision")
        self.arrange_button.setAccessibleName("Group and sort the documents")
        self.arrange_button.setToolTip("Group and sort the documents")
        tint(self.edit, "search")
        tint(self.filter_button, "filter")
        tint(self.arrange_button, "arrange")
        self.arrange_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for button in (self.filter_button, self.arrange_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setIconSize(QSize(16, 16))
        layout = in_column(self, margins=(12, 0, 8, 8), spacing=8)
        add_row(layout, (self.edit, 1), 4, self.filter_button, self.arrange_button, spacing=2)
        layout.addWidget(self.flow)
        self.flow.hide()

    # What is asked for

    @property
    def narrowing(self) -> Narrowing:
        """The filter as it stands."""
        return Narrowing(tuple(self.edit.text().casefold().split()), self._choices)

    def ask(self, text: str = "", choices: frozenset[Choice] = frozenset()) -> None:
        """Ask for something else, words and choices at once; for nothing without any."""
        self._is_setting = True
        self.edit.setText(text)
        self._is_setting = False
        self._choose(choices)

    def step_back(self) -> None:
        """Take the words away; when there are none, all the rest."""
        if self.edit.text():
            self.edit.clear()
        else:
            self._choose(frozenset())

    def _choose(self, choices: frozenset[Choice]) -> None:
        self._choices = choices
        chips = []
        for choice in sorted(choices, key=lambda c: (list(Facet).index(c.facet), c.value)):
            spoken = f"{choice.facet}: {choice.value}, take this filter away"
            chip = Chip(choice, choice.value, spoken, self.flow)
            chip.setToolTip(f"Only {choice.facet.lower()} “{choice.value}”; click to take it away")
            chip.clicked.connect(partial(self._on_chip_clicked, choice))
            chips.append(chip)
        self.flow.show_chips(chips)
        restyle(self.filter_button, "active", bool(choices))
        self.changed.emit(self.narrowing)
        self.refresh_popup()

    def _on_edited(self, _text: str) -> None:
        if not self._is_setting:
            self.changed.emit(self.narrowing)

    def _on_chip_clicked(self, choice: Choice, _checked: bool = False) -> None:
        had_focus = any(chip.hasFocus() for chip in self.flow.chips)
        self._choose(self._choices - {choice})
        if had_focus:
            (self.flow.chips[0] if self.flow.chips else self.edit).setFocus()

    # The pop-up

    def open_popup(self) -> None:
        """Show what can be chosen."""
        if self.popup is None:
            self.popup = FilterPopup(self)
            self.popup.ticked.connect(self._on_choice_toggled)
            self.popup.clear_button.clicked.connect(lambda: self._choose(frozenset()))
        self.refresh_popup(is_opening=True)
        self.popup.open_below(self.filter_button)

    def refresh_popup(self, *, is_opening: bool = False) -> None:
        """Count anew, if anybody looks."""
        order = self.order
        if self.popup is not None and (is_opening or self.popup.isVisible()):
            counts = {facet: _listed(facet, order.counts(facet), self._choices) for facet in Facet}
            self.popup.fill(counts, self._choices, order.n_shown, len(order))

    def _on_choice_toggled(self, value: tuple[Facet, str], is_ticked: bool) -> None:
        choice = {Choice(*value)}
        self._choose(self._choices | choice if is_ticked else self._choices - choice)


def _listed(
    facet: Facet, counts: dict[str, int], chosen: frozenset[Choice]
) -> list[tuple[str, int]]:
    """Return the values of a facet in the order of the pop-up; one value alone is no choice."""
    found = dict(counts)
    for choice in chosen:
        if choice.facet is facet:
            found.setdefault(choice.value, 0)
    if facet is Facet.STATE:
        return [(kind.value, found[kind]) for kind in StateKind if kind in found]
    if len(found) < 2 and not any(choice.facet is facet for choice in chosen):
        return []
    if facet is Facet.REVISION:
        return [(kind.value, found[kind]) for kind in RevisionKind if kind in found]
    return sorted(found.items(), key=lambda item: natural_key(item[0]))
