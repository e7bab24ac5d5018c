from __future__ import annotations

from desktop_qa.augment.cascade import walk_sections
from desktop_qa.core.document import Block, BlockKind, BoundingBox, Provenance

PLACE = (Provenance(1, BoundingBox(0, 0, 10, 10)),)


def heading(text: str, level: int) -> Block:
    return Block(BlockKind.SECTION_HEADER, text, level, PLACE)


def paragraph(text: str, kind: BlockKind = BlockKind.TEXT) -> Block:
    return Block(kind, text, 0, PLACE)


def test_a_deeper_heading_leaves_when_a_shallower_one_starts():
    blocks = [
        heading("6 Specifications", 1),
        heading("6.7 Electrical Characteristics", 2),
        paragraph("VS = 5 V"),
        heading("7 Detailed Description", 1),
        paragraph("The device"),
    ]
    paths = [section.path for section in walk_sections(blocks)]
    assert paths == [
        ("6 Specifications",),
        ("6 Specifications", "6.7 Electrical Characteristics"),
        ("7 Detailed Description",),
    ]


def test_a_skipped_level_hangs_below_the_nearest_shallower_heading():
    blocks = [heading("A", 1), heading("B", 3), heading("C", 2), heading("D", 3)]
    paths = [section.path for section in walk_sections(blocks)]
    assert paths == [("A",), ("A", "B"), ("A", "C"), ("A", "C", "D")]


def test_a_section_knows_its_number_its_blocks_and_its_children():
    blocks = [heading("4.2.1 Reset", 2), paragraph("one"), paragraph("two"), heading("Note", 3)]
    first, second = walk_sections(blocks)
    assert first.number == "4.2.1"
    assert first.blocks == (1, 2)
    assert first.has_children
    assert not second.has_children
    assert second.number == ""


def test_text_before_the_first_heading_has_an_empty_path():
    first, _second = walk_sections([paragraph("cover"), heading("1 Features", 1)])
    assert first.path == ()
    assert first.heading is None
    assert first.blocks == (0,)


def test_running_headers_and_footers_belong_to_no_chapter():
    blocks = [
        paragraph("SBOS701", BlockKind.PAGE_HEADER),
        heading("1 Features", 1),
        paragraph("Copyright", BlockKind.PAGE_FOOTER),
        paragraph("Low offset"),
    ]
    (section,) = walk_sections(blocks)
    assert section.blocks == (3,)


def test_a_document_without_blocks_has_no_sections():
    assert list(walk_sections([])) == []
