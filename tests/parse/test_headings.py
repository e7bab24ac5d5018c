from pathlib import Path

import pytest

from desktop_qa.core.document import BlockKind, Document
from desktop_qa.parse.heading_text import heading_number
from tests.parse.sheet import PROSE, Sheet, block_with, read, texts_of


def _headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in document.blocks if b.kind == BlockKind.SECTION_HEADER]


def _manual(*, outline: bool = True) -> Sheet:
    sheet = Sheet()
    sheet.text(60, 130, "XR4401 Precision Reference", size=20, bold=True)
    sheet.text(60, 170, "1", size=14, bold=True)
    sheet.text(85, 170, "Features", size=14, bold=True)
    y = sheet.lines(60, 190, PROSE)
    sheet.text(60, y + 20, "1.1", size=12, bold=True)
    sheet.text(85, y + 20, "Electrical Characteristics: VS = ±4 V", size=12, bold=True)
    y = sheet.lines(60, y + 38, PROSE)
    sheet.text(60, y + 20, "2 A heading that is long enough to run on", size=14, bold=True)
    sheet.text(60, y + 36, "to its second line", size=14, bold=True)
    sheet.lines(60, y + 54, PROSE)
    if outline:
        sheet.set_outline(
            [
                (1, "1 Features", 1),
                (2, "1.1 Electrical characteristics: VS = ±4 V", 1),
                (3, "Figure 1. Something", 1),
                (1, "2 A heading that is long enough to run on to its second line", 1),
                (1, "9 A chapter that no page holds", 1),
            ]
        )
    return sheet


EXPECTED = [
    (1, "1 Features"),
    (2, "1.1 Electrical Characteristics: VS = ±4 V"),
    (1, "2 A heading that is long enough to run on to its second line"),
]


def test_outlined_headings_have_the_words_of_the_page_and_the_level_of_the_outline(
    tmp_path: Path,
) -> None:
    assert _headings(read(_manual(), tmp_path).document) == EXPECTED


def test_without_an_outline_type_and_numbers_give_the_same_headings(tmp_path: Path) -> None:
    assert _headings(read(_manual(outline=False), tmp_path).document) == EXPECTED


def test_an_ignored_outline_changes_nothing_when_the_type_is_clear(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.set_outline([(1, "Quite another thing", 1)])

    assert _headings(read(sheet, tmp_path, ignore_outline=True).document) == EXPECTED


def test_the_title_of_the_document_is_no_chapter(tmp_path: Path) -> None:
    document = read(_manual(outline=False), tmp_path).document

    assert document.title == "XR4401 Precision Reference"
    assert block_with(document, "XR4401").kind == BlockKind.TEXT


def test_an_outline_in_another_language_is_matched_by_its_numbers(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.set_outline([(1, "1 特性", 1), (2, "1.1 电气特性", 1)])

    assert (2, "1.1 Electrical Characteristics: VS = ±4 V") in _headings(
        read(sheet, tmp_path).document
    )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("6.7 Electrical Characteristics", "6.7"),
        ("1.0 DEVICE OVERVIEW", "1"),
        ("3.6.1 start_periodic_measurement", "3.6.1"),
        ("A.2 Revision history", "A.2"),
        ("3.3 V supply", ""),
        ("10 mA load current", ""),
        ("0.01 F (minimum)", ""),
        ("1 • Ultra-Small Package", ""),
        ("2 times the value", ""),
    ],
)
def test_numbers_of_chapters_are_told_from_values(text: str, number: str) -> None:
    assert heading_number(text) == number


def test_bold_lead_ins_notes_and_captions_are_no_headings(tmp_path: Path) -> None:
    sheet = _manual(outline=False)
    sheet.new_page()
    sheet.text(60, 120, "NOTE", size=12, bold=True)
    y = sheet.lines(60, 140, PROSE)
    sheet.text(60, y + 20, "Figure 3. A caption in large and bold type", size=12, bold=True)
    y = sheet.lines(60, y + 45, PROSE)
    sheet.text(60, y + 20, "Electrical Characteristics (continued)", size=12, bold=True)
    sheet.lines(60, y + 40, PROSE)

    assert _headings(read(sheet, tmp_path).document) == EXPECTED


def test_contents_are_boilerplate_and_no_chapters(tmp_path: Path) -> None:
    sheet = _manual(outline=False)
    sheet.new_page()
    sheet.text(60, 120, "Table of Contents", size=14, bold=True)
    entries = ("1 Features", "1.1 Electrical Characteristics", "2 A heading", "3 More", "4 End")
    for row, entry in enumerate(entries):
        sheet.text(60, 150 + 14 * row, f"{entry} {'.' * 60} {row + 1}", bold=True)

    document = read(sheet, tmp_path).document

    assert _headings(document) == EXPECTED
    assert all(b.boilerplate for b in document.blocks if b.provenances[0].page_no == 2)
    assert not block_with(document, "The regulator").boilerplate


def test_what_stands_under_a_legal_heading_is_boilerplate_until_the_next_chapter(
    tmp_path: Path,
) -> None:
    sheet = _manual(outline=False)
    sheet.new_page()
    sheet.text(60, 120, "3 Package Information", size=14, bold=True)
    y = sheet.lines(60, 140, ["The reel holds three thousand of them.", "It is made of plastic."])
    sheet.text(60, y + 20, "4 Application", size=14, bold=True)
    sheet.lines(60, y + 40, ["The circuit needs two capacitors."])

    document = read(sheet, tmp_path).document

    assert block_with(document, "The reel").boilerplate
    assert not block_with(document, "two capacitors").boilerplate
    assert "IMPORTANT NOTICE" not in texts_of(document, BlockKind.SECTION_HEADER)
