"""Small documents with known structure, for the tests of the segmenter."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    DocumentId,
    Figure,
    Provenance,
    Table,
)
from desktop_qa.parse.table_reading import read_table
from tests.helpers.sample_documents import make_cells, make_document

DOCUMENT_ID = DocumentId("0123456789abcdef")


def place(page_no: int = 1, top: float = 0.0, left: float = 10.0) -> Provenance:
    return Provenance(page_no, BoundingBox(left, top, left + 90, top + 10))


def block(
    text: str,
    kind: BlockKind = BlockKind.TEXT,
    *,
    level: int = 0,
    page_no: int = 1,
    top: float = 0.0,
    element: int | None = None,
    boilerplate: bool = False,
) -> Block:
    return Block(kind, text, level, (place(page_no, top),), element, boilerplate)


def heading(text: str, level: int = 1, page_no: int = 1) -> Block:
    return block(text, BlockKind.SECTION_HEADER, level=level, page_no=page_no)


def item(text: str, level: int = 1) -> Block:
    return block(text, BlockKind.LIST_ITEM, level=level)


def table_block() -> Block:
    return block("", BlockKind.TABLE, element=0)


def picture_block(index: int = 0) -> Block:
    return block("", BlockKind.PICTURE, element=index)


def table(
    rows: Sequence[Sequence[str | None]],
    *,
    n_header_rows: int = 1,
    label: str = "Table 1",
    caption: str = "Electrical Characteristics",
    description: str = "",
    notes: tuple[str, ...] = (),
    first_page: int = 1,
    rows_per_page: int = 1000,
) -> Table:
    """A table; None continues the cell above, "<" the cell to the left."""
    n_columns = max(len(row) for row in rows)

    def places(r: int, c: int) -> tuple[Provenance, ...]:
        where = place(first_page + r // rows_per_page, 100.0 + 12 * r, 10.0 + 100 * c)
        return (where,) if rows[r][c] else ()

    cells = make_cells(rows, places, n_header_rows)
    where = (place(first_page),)
    return read_table(Table(label, caption, description, len(rows), n_columns, cells, notes, where))


def figure(
    label: str = "Figure 1",
    caption: str = "Block Diagram",
    words: str = "",
    places: tuple[Provenance, ...] = (),
    mentions: tuple[str, ...] = (),
    surroundings: str = "",
) -> Figure:
    where = places or (place(1, 300),)
    return Figure(label, caption, "", where, words, mentions=mentions, surroundings=surroundings)


def document(
    blocks: Sequence[Block],
    tables: Sequence[Table] = (),
    figures: Sequence[Figure] = (),
    title: str = "XY1234 Operational Amplifier",
) -> Document:
    return make_document(
        9,
        id=DOCUMENT_ID,
        title=title,
        vendor="Example",
        blocks=tuple(blocks),
        tables=tuple(tables),
        figures=tuple(figures),
    )
