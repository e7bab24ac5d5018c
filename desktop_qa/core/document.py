"""What every source becomes: a `Document` of blocks, tables and figures with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

DocumentId = NewType("DocumentId", str)
"""SHA-256 of the file's bytes, first 16 hexadecimal digits: content, not place, is identity."""


@dataclass(frozen=True, slots=True)
class BoundingBox:
    """A rectangle in PDF points; origin at the top left of the page as it is displayed."""

    left: float
    top: float
    right: float
    bottom: float

    def __reduce__(self) -> tuple[type[BoundingBox], tuple[float, float, float, float]]:
        """Return what pickle makes it of again, in a third of the time of its own way.

        A word that stands everywhere in a document comes to the window as ten thousand of them.
        """
        return BoundingBox, (self.left, self.top, self.right, self.bottom)

    @property
    def width(self) -> float:
        """Horizontal extent in points."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Vertical extent in points."""
        return self.bottom - self.top

    @property
    def area(self) -> float:
        """Area in square points, 0 for an inverted box."""
        return max(self.width, 0.0) * max(self.height, 0.0)

    def union(self, other: BoundingBox) -> BoundingBox:
        """Return the smallest box that holds both."""
        return BoundingBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def intersection_area(self, other: BoundingBox) -> float:
        """Area shared with another box, in square points."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0

    def contains_center(self, other: BoundingBox) -> bool:
        """Tell whether the middle of another box lies inside this one."""
        x = (other.left + other.right) / 2
        y = (other.top + other.bottom) / 2
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True, slots=True)
class Provenance:
    """A place: a rectangle on a page."""

    page_no: int
    bbox: BoundingBox

    def meets(self, other: Provenance) -> bool:
        """Tell whether the middle of one of two places lies inside the other."""
        return self.page_no == other.page_no and (
            self.bbox.contains_center(other.bbox) or other.bbox.contains_center(self.bbox)
        )


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the page as the reader sees it, with its rectangle."""

    text: str
    bbox: BoundingBox


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words of one page in reading order: what a quote is located in."""

    page_no: int
    words: tuple[Word, ...]


class BlockKind(StrEnum):
    """The labels of docling's document model."""

    SECTION_HEADER = "section_header"
    TEXT = "text"
    LIST_ITEM = "list_item"
    TABLE = "table"
    PICTURE = "picture"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    CODE = "code"
    FORMULA = "formula"


FURNITURE = (BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER)
"""What is said of the page, not of the matter."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of the page in reading order.

    Attributes:
        level: Of a section header: 1 is a chapter. Of a list item: nesting, 1 is outermost. Else 0.
        provenances: One for each page and column that the block stands in.
        element_index: Of a TABLE or PICTURE: its index in `Document.tables` or `.figures`.
        boilerplate: Legal, ordering and packaging matter that must not crowd out answers.
    """

    kind: BlockKind
    text: str
    level: int
    provenances: tuple[Provenance, ...]
    element_index: int | None = None
    boilerplate: bool = False


class ColumnRole(StrEnum):
    """What a column of a table holds.

    SUBJECT names the row (a parameter, a part, a register), CONDITION says under what it holds (a
    test condition, an input of a truth table); with SYMBOL they are a row's identity. VALUE is any
    other column of data: of a part, a grade, a year.
    """

    SUBJECT = "subject"
    SYMBOL = "symbol"
    CONDITION = "condition"
    MIN = "min"
    TYP = "typ"
    MAX = "max"
    VALUE = "value"
    UNIT = "unit"
    NOTE = "note"


BOUNDS = (ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX)
IDENTITY = (ColumnRole.SUBJECT, ColumnRole.SYMBOL, ColumnRole.CONDITION)
"""Roles of the columns that say which row it is."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The role of a column; `confidence` in it is between 0 and 1."""

    role: ColumnRole
    confidence: float


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell; a spanning cell stands once, at its first row and column.

    Attributes:
        provenances: One tight rectangle for each line of text; the grid's rectangle when empty.
        row_path: Indices in `Table.cells` of what says which row this is, outermost first: group
            headings, parameter, condition. Of a cell in several rows: of the first.
        column_path: The same for its column: spanning heads, then its own.
        confidence: That the value belongs to its row and its column, between 0 and 1.
        scale: Of an amount in a statement, what it is counted in: 1000000 under "in millions"; 1
            unless said.
        sign: -1 of an amount in brackets or behind a minus in a statement; else 1.
        period: Year or date that the heads name, as printed: "Years ended December 31, 2018".
        is_bold: Set in bold type, all of it: so are headings of groups, and sums.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    is_header: bool
    provenances: tuple[Provenance, ...]
    row_path: tuple[int, ...] = ()
    column_path: tuple[int, ...] = ()
    confidence: float = 1.0
    scale: int = 1
    sign: int = 1
    period: str = ""
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table, joined over the pages it runs across.

    Attributes:
        columns: What each column holds; empty until the table was read by `read_table`.
        confidence: That its rows and columns are those of the page, between 0 and 1.
        conditions: Under which all its values hold, as its title, the text between title and table,
            and its notes say: "TJ = 25 °C unless otherwise noted".
        scale_note: What the page says its amounts are counted in, "$ in millions, except per share
            amounts"; empty when neither its heads nor the lines over them say.
    """

    label: str
    caption: str
    description: str
    n_rows: int
    n_columns: int
    cells: tuple[TableCell, ...]
    notes: tuple[str, ...]
    provenances: tuple[Provenance, ...]
    columns: tuple[TableColumn, ...] = ()
    confidence: float = 1.0
    conditions: tuple[str, ...] = ()
    scale_note: str = ""

    def texts(self, path: tuple[int, ...]) -> tuple[str, ...]:
        """Return the texts of a cell's `row_path` or `column_path`."""
        return tuple(self.cells[index].text for index in path)

    def grid(self) -> list[list[TableCell | None]]:
        """Return rows x columns, each spanning cell repeated in every place it covers."""
        grid: list[list[TableCell | None]] = [[None] * self.n_columns for _ in range(self.n_rows)]
        for cell in self.cells:
            for row in range(cell.row, min(cell.row + cell.row_span, self.n_rows)):
                end = min(cell.column + cell.column_span, self.n_columns)
                for column in range(cell.column, end):
                    grid[row][column] = cell
        return grid

    def heads(self) -> tuple[tuple[int, ...], ...]:
        """Return of each column the indices of its header cells, from the top.

        A line over the whole table ("Unless otherwise noted ...") names no column, and a table of
        headers only has none.
        """
        n_header = self.n_header_rows
        heads: list[list[int]] = [[] for _ in range(self.n_columns)]
        for index, cell in sorted(enumerate(self.cells), key=lambda pair: pair[1].row):
            is_over_all = cell.column_span >= self.n_columns
            if cell.row < n_header < self.n_rows and cell.text and not is_over_all:
                for own in heads[cell.column : cell.column + cell.column_span]:
                    own.append(index)
        return tuple(map(tuple, heads))

    def headings(self) -> tuple[tuple[TableCell, ...] | None, ...]:
        """Return the cells that head each row from rows above it, outermost first.

        Headings of groups, and a name that is printed once for several rows. None stands for a row
        that gives nothing itself: it names columns, or the rows below it.
        """
        paths: list[tuple[int, ...] | None] = [None] * self.n_rows
        for cell in self.cells:
            is_placed = cell.text and (cell.row_path or cell.column_path)
            if is_placed and len(cell.row_path) >= len(paths[cell.row] or ()):
                paths[cell.row] = cell.row_path
        return tuple(
            None
            if path is None
            else tuple(c for c in map(self.cells.__getitem__, path) if c.row + c.row_span <= row)
            for row, path in enumerate(paths)
        )

    @property
    def n_header_rows(self) -> int:
        """Rows at the top that name the columns."""
        for row in range(self.n_rows):
            of_row = [c for c in self.cells if c.row <= row < c.row + c.row_span]
            if not of_row or not all(cell.is_header for cell in of_row):
                return row
        return self.n_rows


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture or drawing with everything the page says about it.

    Attributes:
        image_path: Of the PNG, relative to the library folder; empty when it was not rendered.
        words: The words inside the figure, line by line, all of them.
        vector_path: Of the SVG of a drawing, as `image_path`; empty for a bitmap and for one that
            would be too large.
        mentions: Sentences of the running text that name it by its number.
        surroundings: The paragraph of its chapter that it stands behind, else the one after it,
            else the chapter's heading.
    """

    label: str
    caption: str
    image_path: str
    provenances: tuple[Provenance, ...]
    words: str = ""
    vector_path: str = ""
    mentions: tuple[str, ...] = ()
    surroundings: str = ""

    @property
    def description(self) -> str:
        """All that is said of it (HiQA, section 3.1), a line each, what stands twice once."""
        parts = (self.caption, self.surroundings, *self.mentions, self.words)
        lines: list[str] = []
        for part in filter(None, parts):
            if all(part not in line for line in lines):
                lines.append(part)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class PageFailure:
    """A page that could not be read, or not whole, and why; the other pages are kept.

    Attributes:
        page_no: 1-based; 0 for the document as a whole.
        has_text: True when its words were kept: its drawings were left out, or a step failed.
        stage: Of `core.stages`, when a step failed; empty when the page itself is to blame.
        error: Kind and place in the program of what a step raised; empty without a stage.
    """

    page_no: int
    reason: str
    has_text: bool = False
    stage: str = ""
    error: str = ""

    @property
    def is_page_lost(self) -> bool:
        """True when nothing of the page was read."""
        return not self.has_text and self.stage in ("", "page")

    @property
    def is_lack(self) -> bool:
        """True when its document is read in part: a step that kept all words leaves it whole."""
        return not self.stage or not self.has_text


@dataclass(frozen=True, slots=True)
class Doubt:
    """What may have been read wrong, and where.

    Attributes:
        page_no: 1-based; 0 for the document as a whole.
        what: A clause: "Table 3: 12 of 80 cells may stand elsewhere".
    """

    page_no: int
    what: str

    @property
    def line(self) -> str:
        """The page and what is in doubt there."""
        return f"Page {self.page_no}: {self.what}" if self.page_no else f"Document: {self.what}"


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """How well a document was read, as far as its own pages tell.

    Attributes:
        score: Share of what was read that is sure, by the weakest witness; 0 to 1.
        doubts: In the order of the pages.
    """

    score: float
    doubts: tuple[Doubt, ...] = ()

    @property
    def is_doubtful(self) -> bool:
        """True when a reader should be told to look for himself."""
        return self.score < MIN_READING_SCORE

    @property
    def doubtful_pages(self) -> list[int]:
        """Pages on which something is in doubt."""
        return sorted({doubt.page_no for doubt in self.doubts if doubt.page_no})


MIN_READING_SCORE = 0.9
"""Below it a document was read with doubts: of those drawn by chance and looked at, the ones with
tables that are wrong or missing."""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document: the one thing that every source becomes.

    Attributes:
        paths: Every place the same bytes were found, relative to the ingested folder.
        page_sizes: Width and height in points of each page as displayed.
        page_labels: The printed page number of each page ("iv", "A-3"), else its number.
        pages_without_text: Pages that were read and hold no words: blank ones, and drawings
            whose lettering is drawn as shapes.
        date: Of its revision, "2021-03" or "2021-03-15"; of a report the day its period ends with;
            empty when the pages do not say.
        reading: How well it was read; `None` of a reader that did not ask.
    """

    id: DocumentId
    paths: tuple[str, ...]
    title: str
    vendor: str
    part_numbers: tuple[str, ...]
    revision: str
    page_sizes: tuple[tuple[float, float], ...]
    page_labels: tuple[str, ...]
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    markdown: str
    page_failures: tuple[PageFailure, ...]
    parser_version: str
    pages_without_text: tuple[int, ...] = ()
    date: str = ""
    reading: ReadingScore | None = None


@dataclass(frozen=True, slots=True)
class ParseResult:
    """What a parsing process hands back: the document and the words its quotes are located in."""

    document: Document
    page_words: tuple[PageWords, ...]


_HEADING_NUMBER = re.compile(
    r"^(?:(?:chapter|section|appendix)\s+)?"
    r"((?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,5}|[A-Z](?=[.)]\s))[.):]?\s+(?=\S)",
    re.IGNORECASE,
)


def split_heading_number(heading: str) -> tuple[str, str]:
    """Split "6.7 Electrical Characteristics" into ("6.7", "Electrical Characteristics")."""
    match = _HEADING_NUMBER.match(heading)
    if match is None:
        return "", heading.strip()
    return match.group(1), heading[match.end() :].strip()
