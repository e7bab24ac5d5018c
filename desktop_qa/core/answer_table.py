"""Tables that stand in an answer: the rows it is read from, lists, comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.core.answer_blocks import AnswerBlock
from desktop_qa.core.document import ColumnRole, DocumentId, Provenance
from desktop_qa.core.page_names import PageStarts, page_label, page_name


class TableUse(StrEnum):
    """What a table of an answer is.

    ROWS are rows of a document's table with its header, LIST is a whole list or column, COMPARISON
    has a row for each parameter and a column for each document.
    """

    ROWS = "rows"
    LIST = "list"
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """A cell that knows where it was read.

    Attributes:
        marker: Of the evidence it was read from; 0 when it cites nothing (a label, a gap).
        places: Where its words stand on the page.
        is_stated: True for what the answer states; it is shown highlighted.
        value: For sorting: the number in the base unit of its kind ("5 mA" is 0.005); `None` when
            the cell is no quantity.
        note: What a reader must know of it, for example the condition it holds under.
        bounds: What a comparison states, by role and as printed with its unit; else empty.
    """

    text: str
    marker: int = 0
    places: tuple[Provenance, ...] = ()
    is_stated: bool = False
    value: float | None = None
    note: str = ""
    bounds: tuple[tuple[ColumnRole, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerTable(AnswerBlock):
    """A table of an answer.

    Attributes:
        headers: Texts of the column headers.
        rows: Cells by row, as many as headers in each.
        document_ids: Of a comparison, the document of each column and "" for the first, which holds
            the parameters; else empty.
        differs: Of a comparison, whether the documents differ in each row; else empty.
        notes: What could not be compared, a sentence each.
    """

    use: TableUse
    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[AnswerCell, ...], ...]
    document_ids: tuple[DocumentId, ...] = ()
    differs: tuple[bool, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CellSource:
    """Where the evidence of a marker stands, in words.

    Attributes:
        file: Path relative to the source folder.
        page_no: Of the evidence; a cell may stand on a later page.
        heading: The innermost over it.
        page_starts: Where the numbers that the document's pages print begin to count anew.
    """

    file: str
    page_no: int
    heading: str = ""
    page_starts: PageStarts = ()

    def pages_of(self, cell: AnswerCell) -> str:
        """Return the pages that a cell was read from, for people: "45 (PDF 47), 46 (PDF 48)"."""
        page_nos = dict.fromkeys(place.page_no for place in cell.places) or (self.page_no,)
        return ", ".join(page_name(n, page_label(self.page_starts, n)) for n in page_nos)
