from __future__ import annotations

from pathlib import Path

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    Figure,
    Provenance,
    Table,
)
from desktop_qa.core.structure import bare_caption, chapter_tree, structure_view
from tests.helpers.sample_documents import make_document


def place(page_no: int, top: float = 100.0) -> tuple[Provenance, ...]:
    return (Provenance(page_no, BoundingBox(50, top, 200, top + 12)),)


def heading(text: str, level: int, page_no: int = 1, *, boilerplate: bool = False) -> Block:
    return Block(BlockKind.SECTION_HEADER, text, level, place(page_no), boilerplate=boilerplate)


def element(kind: BlockKind, index: int, *, boilerplate: bool = False) -> Block:
    return Block(kind, "", 0, place(1), index, boilerplate)


def table(label: str, caption: str) -> Table:
    return Table(label, caption, "", 19, 7, (), (), place(4))


def document(blocks: tuple[Block, ...], **changes: object) -> Document:
    return make_document(9, title="ACM4197", page_labels=(), blocks=blocks, **changes)


def test_a_heading_stands_under_the_last_one_of_a_lower_level():
    blocks = (
        heading("1 Features", 1),
        heading("6 Specifications", 1, 5),
        heading("6.1 Absolute Maximum Ratings", 2, 5),
        heading("6.1.1 Notes", 3, 5),
        heading("6.2 ESD Ratings", 2, 5),
        heading("Glossary", 1, 8, boilerplate=True),
    )
    chapters = chapter_tree(blocks)
    assert [(c.number, c.title, c.level, c.parent, c.page_no) for c in chapters] == [
        ("1", "Features", 1, -1, 1),
        ("6", "Specifications", 1, -1, 5),
        ("6.1", "Absolute Maximum Ratings", 2, 1, 5),
        ("6.1.1", "Notes", 3, 2, 5),
        ("6.2", "ESD Ratings", 2, 1, 5),
        ("", "Glossary", 1, -1, 8),
    ]
    assert [c.boilerplate for c in chapters] == [False] * 5 + [True]


def test_a_level_that_is_left_out_does_not_lose_the_heading():
    chapters = chapter_tree((heading("A", 1), heading("B", 3), heading("C", 2), heading("D", 1)))
    assert [c.parent for c in chapters] == [-1, 0, 0, -1]


def test_a_document_that_begins_below_the_chapters_has_a_tree():
    chapters = chapter_tree((heading("B", 2), heading("A", 1), heading("C", 2)))
    assert [c.parent for c in chapters] == [-1, -1, 1]


def test_tables_and_figures_know_their_chapter_and_whether_they_matter():
    blocks = (
        element(BlockKind.PICTURE, 0),
        heading("1 Features", 1),
        element(BlockKind.TABLE, 1),
        heading("12 Packaging", 1, boilerplate=True),
        element(BlockKind.TABLE, 0, boilerplate=True),
    )
    figure = Figure("Figure 1", "Figure 1. Pinout", "figures/a/0001-001.png", place(1))
    view = structure_view(
        document(
            blocks,
            tables=(table("", "Device information"), table("Table 1", "Table 1: Ratings")),
            figures=(figure, Figure("", "", "", place(2))),
        ),
        Path("/library"),
    )
    assert [(t.chapter, t.boilerplate, t.caption) for t in view.tables] == [
        (1, True, "Device information"),
        (0, False, "Ratings"),
    ]
    assert (view.tables[0].n_rows, view.tables[0].n_columns) == (19, 7)
    assert [(f.chapter, f.caption) for f in view.figures] == [(-1, "Pinout"), (-1, "")]
    assert Path(view.figures[0].image_path) == Path("/library/figures/a/0001-001.png")
    assert view.figures[1].image_path == ""
    assert view.n_pages == 9


def test_captions_say_their_label_once():
    assert bare_caption("Table 1", "TABLE 1. Ratings") == "Ratings"
    assert bare_caption("Figure 3-1", "Figure 3-1 – Block diagram") == "Block diagram"
    assert bare_caption("", "Ratings") == "Ratings"
    assert bare_caption("Table 1", "Ratings") == "Ratings"
