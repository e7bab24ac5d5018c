"""The menu that groups and sorts the documents of the library's panel."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from desktop_qa.gui.library.library_facets import GroupBy, SortBy
from desktop_qa.gui.library.library_rows import Arrangement

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
        self.groups = {
            value: self._radio(f"group_{value}", text, "Group the documents by another trait")
            for value, text in _GROUPS.items()
        }
        self.sorts = {
            value: self._radio(f"sort_{value}", text, "Put the documents in another order")
            for value, text in _SORTS.items()
        }
        self.descending = self._radio("descending", "Descending", "Turn the order around")
        self._add_group(list(self.groups.values()))
        self._add_group(list(self.sorts.values()))
        self.addAction(self.descending)
        self.addSeparator()
        for name, text, is_folded in (
            ("expand", "Expand All Groups", False),
            ("collapse", "Collapse All Groups", True),
        ):
            action = self.addAction(text)
            action.setObjectName(name)
            action.setStatusTip("Show only the headings" if is_folded else "Show all documents")
            action.setToolTip(action.statusTip())
            action.triggered.connect(partial(self._on_fold_chosen, is_folded))
        for group_by, action in self.groups.items():
            action.triggered.connect(partial(self._on_group_chosen, group_by))
        for sort_by, action in self.sorts.items():
            action.triggered.connect(partial(self._on_sort_chosen, sort_by))
        self.descending.triggered.connect(self._on_direction_chosen)
        self.show_arrangement(self._arrangement)

    def _radio(self, name: str, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        action.setCheckable(True)
        action.setToolTip(tip)
        action.setStatusTip(tip)
        return action

    def _add_group(self, actions: list[QAction]) -> None:
        """Add entries of which one is checked."""
        self.addSeparator()
        group = QActionGroup(self)
        for action in actions:
            group.addAction(action)
            self.addAction(action)

    def show_arrangement(self, arrangement: Arrangement) -> None:
        """Check what is so."""
        self._arrangement = arrangement
        self.groups[arrangement.group_by].setChecked(True)
        self.sorts[arrangement.sort_by].setChecked(True)
        self.descending.setChecked(arrangement.descending)

    def _on_group_chosen(self, group_by: GroupBy, _checked: bool = False) -> None:
        self.arrangement_chosen.emit(replace(self._arrangement, group_by=group_by))

    def _on_sort_chosen(self, sort_by: SortBy, _checked: bool = False) -> None:
        chosen = replace(self._arrangement, sort_by=sort_by, descending=sort_by in _NEWEST_FIRST)
        self.arrangement_chosen.emit(chosen)

    def _on_direction_chosen(self, is_descending: bool) -> None:
        self.arrangement_chosen.emit(replace(self._arrangement, descending=is_descending))

    def _on_fold_chosen(self, is_folded: bool, _checked: bool = False) -> None:
        self.fold_chosen.emit(is_folded)
