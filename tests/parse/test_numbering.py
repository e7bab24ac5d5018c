from pathlib import Path

import pytest

from desktop_qa.core.document import BlockKind, Document
from desktop_qa.parse.heading_text import chapter_number, number_key
from desktop_qa.parse.numbering import follows
from tests.parse.sheet import PROSE, Sheet, block_with, read


def _headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in document.blocks if b.kind == BlockKind.SECTION_HEADER]


def _numbered(sheet: Sheet, y: float, number: str, title: str, size: float = 12) -> float:
    """Write a heading whose number stands apart, as most makers set it, and text below it."""
    sheet.text(60, y, number, size=size, bold=True)
    sheet.text(100, y, title, size=size, bold=True)
    return sheet.lines(60, y + 1.6 * size, PROSE) + 20


def _manual() -> Sheet:
    sheet = Sheet()
    y = _numbered(sheet, 130, "1", "Overview", 14)
    y = _numbered(sheet, y, "1.1", "Features")
    _numbered(sheet, y, "1.2", "Pin Functions")
    sheet.new_page()
    y = _numbered(sheet, 130, "2", "Specifications", 14)
    _numbered(sheet, y, "2.1", "Electrical Characteristics")
    return sheet


MANUAL = [
    (1, "1 Overview"),
    (2, "1.1 Features"),
    (2, "1.2 Pin Functions"),
    (1, "2 Specifications"),
    (2, "2.1 Electrical Characteristics"),
]


@pytest.mark.parametrize(
    ("number", "following", "expected"),
    [
        ("1", "2", True),
        ("1", "1.1", True),
        ("1.1", "1.2", True),
        ("1.4.3", "1.5", True),
        ("1.4.3", "2", True),
        ("9.3", "A", True),
        ("A", "A.1", True),
        ("A.2", "B", True),
        ("1", "1.3", False),
        ("1.1", "1.3", False),
        ("1", "3", False),
        ("2.1", "1.2", False),
        ("B", "A", False),
    ],
)
def test_what_may_come_right_after_a_number(number: str, following: str, expected: bool) -> None:
    assert follows(number_key(number), number_key(following)) is expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Chapter 3. Basic Tasks", "3"),
        ("APPENDIX A: REVISION HISTORY", "A"),
        ("Appendix B - Examples", "B"),
        ("7.5.1 Registers", "7.5.1"),
        ("Chapter and verse", ""),
        ("8.5.1 F/S Mode Protocol", "8.5.1"),
        ("7.6.25 V(BAT) Voltage Monitor", "7.6.25"),
        ("3.3.2 A.C. Characteristics", "3.3.2"),
        ("3.3 V supply", ""),
    ],
)
def test_chapters_and_appendices_have_numbers(text: str, number: str) -> None:
    assert chapter_number(text) == number


def test_numbers_and_titles_apart_make_one_heading(tmp_path: Path) -> None:
    assert _headings(read(_manual(), tmp_path).document) == MANUAL


def test_steps_of_a_list_are_no_chapters(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.lines(60, 420, ["1. Connect the supply", "2. Wait for the output", "3. Read the value"])
    sheet.text(60, 500, "3.3 V supply", size=12, bold=True)
    sheet.text(60, 540, "7 Times Faster Than Before", size=12, bold=True)

    assert _headings(read(sheet, tmp_path).document) == MANUAL


def test_a_number_out_of_the_sequence_is_none_of_a_chapter(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.new_page()
    _numbered(sheet, 130, "2.2", "Timing")
    sheet.text(60, 400, "1.1 Features", size=12, bold=True)

    assert _headings(read(sheet, tmp_path).document) == [*MANUAL, (2, "2.2 Timing")]


def test_a_heading_right_above_a_drawing_is_no_label_of_it(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.text(60, 400, "2.2", size=12, bold=True)
    sheet.text(100, 400, "Block Diagram", size=12, bold=True)
    sheet.plot(60, 408, 400, 150)
    sheet.new_page()
    _numbered(sheet, 130, "2.3", "Timing")

    document = read(sheet, tmp_path).document

    assert _headings(document) == [*MANUAL, (2, "2.2 Block Diagram"), (2, "2.3 Timing")]


def test_titles_in_plain_capitals_go_on_under_their_first_word(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.text(60, 400, "2.1.1")
    sheet.text(100, 400, "COMPENSATING FOR THE PARASITIC")
    sheet.text(100, 412, "CAPACITANCE")
    y = sheet.lines(60, 430, PROSE)
    sheet.text(60, y + 16, "2.1.2")
    sheet.text(100, y + 16, "BUS NOT BUSY (A)")
    sheet.lines(60, y + 34, PROSE)

    assert _headings(read(sheet, tmp_path).document) == [
        *MANUAL,
        (3, "2.1.1 COMPENSATING FOR THE PARASITIC CAPACITANCE"),
        (3, "2.1.2 BUS NOT BUSY (A)"),
    ]


def test_chapters_by_name_and_appendices_are_of_the_first_level(tmp_path: Path) -> None:
    sheet = Sheet()
    for number, title in ((1, "Basics"), (2, "Tools")):
        sheet.text(180, 130, f"Chapter {number}. {title}", size=18, bold=True)
        y = _numbered(sheet, 170, f"{number}.1", "Introduction")
        _numbered(sheet, y, f"{number}.2", "Details")
        sheet.new_page()
    sheet.text(180, 130, "Appendix A. Tables", size=18, bold=True)
    sheet.lines(60, 160, PROSE)

    assert _headings(read(sheet, tmp_path).document) == [
        (1, "Chapter 1. Basics"),
        (2, "1.1 Introduction"),
        (2, "1.2 Details"),
        (1, "Chapter 2. Tools"),
        (2, "2.1 Introduction"),
        (2, "2.2 Details"),
        (1, "Appendix A. Tables"),
    ]


def test_registers_are_headings_below_the_sections(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.text(60, 400, "REGISTER 2-1:", bold=True)
    sheet.text(150, 400, "CTRL - CONTROL REGISTER", bold=True)
    sheet.text(150, 412, "(ADDRESS: 0Fh)", bold=True)
    sheet.lines(60, 440, PROSE)

    assert _headings(read(sheet, tmp_path).document) == [
        *MANUAL,
        (3, "REGISTER 2-1: CTRL - CONTROL REGISTER (ADDRESS: 0Fh)"),
    ]


def test_levels_that_an_outline_lacks_are_found_under_their_chapters(tmp_path: Path) -> None:
    sheet = _manual()
    y = _numbered(sheet, 400, "2.1.1", "Supply (offset = 02h)", 10)
    _numbered(sheet, y, "2.1.2", "Output (offset = 03h)", 10)
    sheet.set_outline(
        [
            (1, "1 Overview", 1),
            (2, "1.1 Features", 1),
            (2, "1.2 Pin Functions", 1),
            (1, "2 Specifications", 2),
            (2, "2.1 Electrical Characteristics", 2),
        ]
    )

    assert _headings(read(sheet, tmp_path).document) == [
        *MANUAL,
        (3, "2.1.1 Supply (offset = 02h)"),
        (3, "2.1.2 Output (offset = 03h)"),
    ]


def test_a_chapter_whose_number_is_that_of_its_page_is_not_taken_for_one(tmp_path: Path) -> None:
    sheet = Sheet()
    for page in (1, 2, 3, 4):
        sheet.text(540, 770, str(page), size=8)
        sheet.text(60, 80, str(page), size=14, bold=True)
        sheet.text(90, 80, f"{('First', 'Second', 'Third', 'Fourth')[page - 1]} Chapter", size=14,
                   bold=True)  # fmt: skip
        sheet.lines(60, 110, PROSE)
        if page < 4:
            sheet.new_page()

    document = read(sheet, tmp_path).document

    assert [level for level, _text in _headings(document)] == [1, 1, 1, 1]
    assert block_with(document, "Third").text == "3 Third Chapter"


def test_a_heading_without_number_does_not_end_a_numbered_chapter(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.text(60, 420, "Absolute Maximum Ratings", size=14, bold=True)
    sheet.lines(60, 440, PROSE)
    sheet.new_page()
    _numbered(sheet, 130, "3", "Application", 14)

    assert (2, "Absolute Maximum Ratings") in _headings(read(sheet, tmp_path).document)


def test_pins_that_are_counted_up_the_page_are_no_chapters(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.lines(60, 80, PROSE)
    for row, (pin, name) in enumerate([("12", "Clear"), ("11", "Clock"), ("10", "Enable")]):
        sheet.text(300, 300 + 30 * row, pin, size=12, bold=True)
        sheet.text(330, 300 + 30 * row, f"{name} input", size=12, bold=True)
    sheet.lines(60, 500, PROSE)

    assert not [text for _level, text in _headings(read(sheet, tmp_path).document) if "1" in text]


def test_a_numbered_list_has_no_headings(tmp_path: Path) -> None:
    sheet = _manual()
    sheet.new_page()
    for row, name in enumerate(("Gate", "Drain", "Source")):
        sheet.text(300, 300 + 16 * row, f"{row + 3}. {name}", size=12, bold=True)
    sheet.lines(60, 500, PROSE)

    assert _headings(read(sheet, tmp_path).document) == MANUAL
