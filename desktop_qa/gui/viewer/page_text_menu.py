"""The menu over the text of a page: what can be done with the selection, or without one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

Act = Callable[[], object]
_ENTRIES = {
    "copy": ("&Copy", "Copy the selected text"),
    "copy_table": ("Copy as &Table", "Copy the selected cells for a spreadsheet or a report"),
    "copy_citation": (
        "Copy with C&itation",
        "Copy the text in quotation marks with document, revision, page and section",
    ),
    "ask": (
        "&Ask About This",
        "Put the text into the box for questions and ask this document alone",
    ),
    "search": (
        "&Search the Library for This",
        "Look for the text in all documents of the library",
    ),
    "mark": ("&Highlight", "Keep the passage marked; the PDF itself is not changed"),
    "note": ("Add &Note …", "Keep the passage marked and write a note to it"),
    "follow": ("&Open Address …", "Ask before the address is opened"),
    "go": ("&Go to {}", "Go to where the link leads"),
    "copy_address": ("Copy &Address", "Copy where the link leads"),
    "copy_page": ("&Copy Page Text", "Copy all text of this page"),
    "copy_whole": (
        "Copy This &Table",
        "Copy the table under the pointer for a spreadsheet or a report",
    ),
    "wrong_cell": (
        "This Cell Is &Wrong …",
        "Report that the cell under the pointer was read wrongly",
    ),
    "find": ("&Find …", "Find words in this document"),
    "select_all": ("Select &All", "Select the text of the whole document"),
}


class PageTextMenu(QMenu):
    """Entries with what they do; one that cannot be done now is shown dim.

    Attributes:
        entries: By their names, as the tests and the code call them.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: dict[str, QAction] = {}
        self.setToolTipsVisible(True)

    def offer(
        self,
        name: str,
        act: Act | None,
        *,
        of: str = "",
        key: QKeySequence.StandardKey | None = None,
        is_possible: bool = True,
    ) -> None:
        """Add an entry.

        Args:
            name: What the code calls it.
            act: What it does; None for what `offer_now` may tell.
            of: What stands in its text.
            key: The key that does the same.
            is_possible: False shows it dim.
        """
        text, tip = _ENTRIES[name]
        action = self.entries[name] = self.addAction(text.format(of))
        action.setToolTip(tip)
        action.setStatusTip(tip)
        if key is not None:
            action.setShortcut(key)
        action.setEnabled(False)
        if act is not None and is_possible:
            self.offer_now(name, act)

    def offer_now(self, name: str, act: Act) -> None:
        """Make an entry possible that was dim, now that it is known what it does."""
        self.entries[name].triggered.connect(lambda: act())
        self.entries[name].setEnabled(True)
