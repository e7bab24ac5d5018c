"""A document's structure, as the library's process would send it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex

from desktop_qa.core.document import DocumentId
from desktop_qa.core.view import ChapterEntry, FigureEntry, StructureView, TableEntry
from desktop_qa.gui.structure.structure_model import Row
from desktop_qa.gui.structure.structure_panel import StructurePanel
from tests.gui.fake_service import place


def chapter(
    number: str, title: str, page_no: int, parent: int = -1, *, boilerplate: bool = False
) -> ChapterEntry:
    level = number.count(".") + 1 if number else 1
    return ChapterEntry(number, title, level, parent, place(page_no, 80.0), boilerplate)


CHAPTERS = (
    chapter("1", "Features", 1),
    chapter("2", "Revision History", 2, boilerplate=True),
    chapter("6", "Specifications", 5),
    chapter("6.1", "Absolute Maximum Ratings", 5, 2),
    chapter("6.2", "Electrical Characteristics: VS = ±4 V to ±18 V", 7, 2),
    chapter("7", "Detailed Description", 9),
)


def make_structure(image: Path | None = None, *, has_chapters: bool = True) -> StructureView:
    """Six chapters, three tables, two figures of a document of 10 pages."""
    at = 3 if has_chapters else -1
    tables = (
        TableEntry("Table 6-1", "Absolute maximum", 10, 5, at, place(5, 120.0), False),
        TableEntry("", "", 35, 7, 4 if has_chapters else -1, place(7, 120.0), False),
        TableEntry("", "Orderable parts", 9, 3, -1, place(10), True),
    )
    figures = (
        FigureEntry("Figure 1", "Pinout", str(image or ""), -1, place(3), False),
        FigureEntry("", "", "", -1, place(9), False),
    )
    return StructureView(
        DocumentId("TI_OPA4197.pdf"),
        "OPA4197",
        10,
        CHAPTERS if has_chapters else (),
        tables,
        figures,
    )


def indexes(panel: StructurePanel) -> list[QModelIndex]:
    """The rows that are not folded away, from the top."""
    found = []
    index = panel.tree.model().index(0, 0)
    while index.isValid():
        found.append(index)
        index = panel.tree.indexBelow(index)
    return found


def reading_row(panel: StructurePanel) -> Row | None:
    """The chapter that is marked as read; of folded ones the one that is seen."""
    return panel.tree.row_of(panel._delegate.current)


def message_of(panel: StructurePanel) -> str:
    """Return what stands in place of the rows; empty while there are rows."""
    words = f"{panel.message_title.text()} {panel.message_hint.text()}".strip()
    return words if panel.message_title.isVisibleTo(panel) else ""
