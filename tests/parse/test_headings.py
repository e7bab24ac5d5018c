"""Headings are told by their type, by their numbers, and by standing alone."""

from __future__ import annotations

import pytest

from desktop_qa.core.document import BlockKind, Document
from desktop_qa.parse.heading_style import chapter_number, heading_number, number_key
from desktop_qa.parse.headings import follows
from tests.parse.sheet import PROSE, Sheet, block_with, read, texts_of


def _headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in document.blocks if b.kind == BlockKind.SECTION_HEADER]


def _headings_on(sheet: Sheet) -> list[tuple[int, str]]:
    return _headings(read(sheet).document)


def _titles_on(sheet: Sheet) -> list[str]:
    return [text for _level, text in _headings_on(sheet)]


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


def test_outlined_headings_have_the_words_of_the_page_and_the_level_of_the_outline():
    assert _headings_on(_manual()) == EXPECTED


def test_without_an_outline_type_and_numbers_give_the_same_headings():
    assert _headings_on(_manual(outline=False)) == EXPECTED


def test_an_ignored_outline_changes_nothing_when_the_type_is_clear():
    sheet = _manual()
    sheet.set_outline([(1, "Quite another thing", 1)])

    assert _headings(read(sheet, ignore_outline=True).document) == EXPECTED


def test_the_title_of_the_document_is_no_chapter():
    document = read(_manual(outline=False)).document

    assert document.title == "XR4401 Precision Reference"
    assert block_with(document, "XR4401").kind == BlockKind.TEXT


def test_an_outline_in_another_language_is_matched_by_its_numbers():
    sheet = _manual()
    sheet.set_outline([(1, "1 特性", 1), (2, "1.1 电气特性", 1)])

    assert (2, "1.1 Electrical Characteristics: VS = ±4 V") in _headings_on(sheet)


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
def test_numbers_of_chapters_are_told_from_values(text, number):
    assert heading_number(text) == number


def test_bold_lead_ins_notes_and_captions_are_no_headings():
    sheet = _manual(outline=False)
    sheet.new_page()
    sheet.text(60, 120, "NOTE", size=12, bold=True)
    y = sheet.lines(60, 140, PROSE)
    sheet.text(60, y + 20, "Figure 3. A caption in large and bold type", size=12, bold=True)
    y = sheet.lines(60, y + 45, PROSE)
    sheet.text(60, y + 20, "Electrical Characteristics (continued)", size=12, bold=True)
    sheet.lines(60, y + 40, PROSE)

    assert _headings_on(sheet) == EXPECTED


def test_contents_are_boilerplate_and_no_chapters():
    sheet = _manual(outline=False)
    sheet.new_page()
    sheet.text(60, 120, "Table of Contents", size=14, bold=True)
    entries = ("1 Features", "1.1 Electrical Characteristics", "2 A heading", "3 More", "4 End")
    for row, entry in enumerate(entries):
        sheet.text(60, 150 + 14 * row, f"{entry} {'.' * 60} {row + 1}", bold=True)

    document = read(sheet).document

    assert _headings(document) == EXPECTED
    assert all(b.boilerplate for b in document.blocks if b.provenances[0].page_no == 2)
    assert not block_with(document, "The regulator").boilerplate


def test_what_stands_under_a_legal_heading_is_boilerplate_until_the_next_chapter():
    sheet = _manual(outline=False)
    sheet.new_page()
    sheet.text(60, 120, "3 Package Information", size=14, bold=True)
    y = sheet.lines(60, 140, ["The reel holds three thousand of them.", "It is made of plastic."])
    sheet.text(60, y + 20, "4 Application", size=14, bold=True)
    sheet.lines(60, y + 40, ["The circuit needs two capacitors."])

    document = read(sheet).document

    assert block_with(document, "The reel").boilerplate
    assert not block_with(document, "two capacitors").boilerplate
    assert "IMPORTANT NOTICE" not in texts_of(document, BlockKind.SECTION_HEADER)


def _numbered(sheet: Sheet, y: float, number: str, title: str, size: float = 12) -> float:
    """Write a heading whose number stands apart, as most makers set it, and text below it."""
    sheet.text(60, y, number, size=size, bold=True)
    sheet.text(100, y, title, size=size, bold=True)
    return sheet.lines(60, y + 1.6 * size, PROSE) + 20


def _numbered_manual() -> Sheet:
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
def test_what_may_come_right_after_a_number(number, following, expected):
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
def test_chapters_and_appendices_have_numbers(text, number):
    assert chapter_number(text) == number


def test_numbers_and_titles_apart_make_one_heading():
    assert _headings_on(_numbered_manual()) == MANUAL


def test_steps_of_a_list_are_no_chapters():
    sheet = _numbered_manual()
    sheet.lines(60, 420, ["1. Connect the supply", "2. Wait for the output", "3. Read the value"])
    sheet.text(60, 500, "3.3 V supply", size=12, bold=True)
    sheet.text(60, 540, "7 Times Faster Than Before", size=12, bold=True)

    assert _headings_on(sheet) == MANUAL


def test_a_number_out_of_the_sequence_is_none_of_a_chapter():
    sheet = _numbered_manual()
    sheet.new_page()
    _numbered(sheet, 130, "2.2", "Timing")
    sheet.text(60, 400, "1.1 Features", size=12, bold=True)

    assert _headings_on(sheet) == [*MANUAL, (2, "2.2 Timing")]


def test_a_heading_right_above_a_drawing_is_no_label_of_it():
    sheet = _numbered_manual()
    sheet.text(60, 400, "2.2", size=12, bold=True)
    sheet.text(100, 400, "Block Diagram", size=12, bold=True)
    sheet.plot(60, 408, 400, 150)
    sheet.new_page()
    _numbered(sheet, 130, "2.3", "Timing")

    assert _headings_on(sheet) == [*MANUAL, (2, "2.2 Block Diagram"), (2, "2.3 Timing")]


def test_titles_in_plain_capitals_go_on_under_their_first_word():
    sheet = _numbered_manual()
    sheet.text(60, 400, "2.1.1")
    sheet.text(100, 400, "COMPENSATING FOR THE PARASITIC")
    sheet.text(100, 412, "CAPACITANCE")
    y = sheet.lines(60, 430, PROSE)
    sheet.text(60, y + 16, "2.1.2")
    sheet.text(100, y + 16, "BUS NOT BUSY (A)")
    sheet.lines(60, y + 34, PROSE)

    assert _headings_on(sheet) == [
        *MANUAL,
        (3, "2.1.1 COMPENSATING FOR THE PARASITIC CAPACITANCE"),
        (3, "2.1.2 BUS NOT BUSY (A)"),
    ]


def test_chapters_by_name_and_appendices_are_of_the_first_level(sheet):
    for number, title in ((1, "Basics"), (2, "Tools")):
        sheet.text(180, 130, f"Chapter {number}. {title}", size=18, bold=True)
        y = _numbered(sheet, 170, f"{number}.1", "Introduction")
        _numbered(sheet, y, f"{number}.2", "Details")
        sheet.new_page()
    sheet.text(180, 130, "Appendix A. Tables", size=18, bold=True)
    sheet.lines(60, 160, PROSE)

    assert _headings_on(sheet) == [
        (1, "Chapter 1. Basics"),
        (2, "1.1 Introduction"),
        (2, "1.2 Details"),
        (1, "Chapter 2. Tools"),
        (2, "2.1 Introduction"),
        (2, "2.2 Details"),
        (1, "Appendix A. Tables"),
    ]


def test_registers_are_headings_below_the_sections():
    sheet = _numbered_manual()
    sheet.text(60, 400, "REGISTER 2-1:", bold=True)
    sheet.text(150, 400, "CTRL - CONTROL REGISTER", bold=True)
    sheet.text(150, 412, "(ADDRESS: 0Fh)", bold=True)
    sheet.lines(60, 440, PROSE)

    assert _headings_on(sheet) == [
        *MANUAL,
        (3, "REGISTER 2-1: CTRL - CONTROL REGISTER (ADDRESS: 0Fh)"),
    ]


def test_levels_that_an_outline_lacks_are_found_under_their_chapters():
    sheet = _numbered_manual()
    y = _numbered(sheet, 400, "2.1.1", "Supply (offset = 02h)", 10)
    _numbered(sheet, y, "2.1.2", "Output (offset = 03h)", 10)
    pages = (1, 1, 1, 2, 2)
    sheet.set_outline([(*heading, page) for heading, page in zip(MANUAL, pages, strict=True)])

    assert _headings_on(sheet) == [
        *MANUAL,
        (3, "2.1.1 Supply (offset = 02h)"),
        (3, "2.1.2 Output (offset = 03h)"),
    ]


def test_a_chapter_whose_number_is_that_of_its_page_is_not_taken_for_one(sheet):
    for page, name in enumerate(sheet.pages(("First", "Second", "Third", "Fourth")), start=1):
        sheet.text(540, 770, str(page), size=8)
        sheet.text(60, 80, str(page), size=14, bold=True)
        sheet.text(90, 80, f"{name} Chapter", size=14, bold=True)
        sheet.lines(60, 110, PROSE)

    document = read(sheet).document

    assert [level for level, _text in _headings(document)] == [1, 1, 1, 1]
    assert block_with(document, "Third").text == "3 Third Chapter"


def test_a_heading_without_number_does_not_end_a_numbered_chapter():
    sheet = _numbered_manual()
    sheet.text(60, 420, "Absolute Maximum Ratings", size=14, bold=True)
    sheet.lines(60, 440, PROSE)
    sheet.new_page()
    _numbered(sheet, 130, "3", "Application", 14)

    assert (2, "Absolute Maximum Ratings") in _headings_on(sheet)


def test_pins_that_are_counted_up_the_page_are_no_chapters(sheet):
    sheet.lines(60, 80, PROSE)
    for row, (pin, name) in enumerate([("12", "Clear"), ("11", "Clock"), ("10", "Enable")]):
        sheet.text(300, 300 + 30 * row, pin, size=12, bold=True)
        sheet.text(330, 300 + 30 * row, f"{name} input", size=12, bold=True)
    sheet.lines(60, 500, PROSE)

    assert not [text for _level, text in _headings_on(sheet) if "1" in text]


def test_a_numbered_list_has_no_headings():
    sheet = _numbered_manual()
    sheet.new_page()
    for row, name in enumerate(("Gate", "Drain", "Source")):
        sheet.text(300, 300 + 16 * row, f"{row + 3}. {name}", size=12, bold=True)
    sheet.lines(60, 500, PROSE)

    assert _headings_on(sheet) == MANUAL


def _titled() -> Sheet:
    """A first page that names the document and says a little of it."""
    sheet = Sheet()
    sheet.text(60, 80, "XR4401 Precision Reference", size=20, bold=True)
    sheet.lines(60, 500, PROSE * 4)
    return sheet


def _flush(sheet: Sheet, y: float, text: str, size: float = 12) -> float:
    sheet.text(60, y, text, size=size, bold=True)
    return sheet.lines(60, y + 20, PROSE) + 20


def test_a_style_of_headings_is_known_by_its_use():
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES")
    _flush(sheet, y, "DESCRIPTION")
    sheet.new_page()
    y = _flush(sheet, 130, "SPECIFICATIONS")
    sheet.text(60, y, "BLOCK DIAGRAM", size=12, bold=True)
    sheet.plot(60, y + 8, 300, 150)

    titles = ("FEATURES", "DESCRIPTION", "SPECIFICATIONS", "BLOCK DIAGRAM")
    assert _headings_on(sheet) == [(1, title) for title in titles]


def test_a_title_in_small_letters_under_one_in_capitals_is_the_next_level():
    sheet = _titled()
    _flush(sheet, 130, "FEATURES", 14)
    sheet.new_page()
    sheet.text(60, 130, "APPLICATION INFORMATION", size=14, bold=True)
    y = _flush(sheet, 147, "Board Layout", 14)
    _flush(sheet, y, "Propagation Delay", 14)
    sheet.new_page()
    y = _flush(sheet, 130, "METHOD OF OPERATION", 14)
    _flush(sheet, y, "Magnetic Fields", 14)

    assert _headings_on(sheet) == [
        (1, "FEATURES"),
        (1, "APPLICATION INFORMATION"),
        (2, "Board Layout"),
        (2, "Propagation Delay"),
        (1, "METHOD OF OPERATION"),
        (2, "Magnetic Fields"),
    ]


def test_larger_headings_on_the_first_page_are_no_level_above_the_others():
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES", 14)
    _flush(sheet, y, "DESCRIPTION", 14)
    for title in ("SPECIFICATIONS", "APPLICATION HINTS", "ORDERING"):
        sheet.new_page()
        _flush(sheet, 130, title, 12)

    assert {level for level, _text in _headings_on(sheet)} == {1}


def test_headings_before_the_first_chapter_have_none_above_them():
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES", 12)
    _flush(sheet, y, "DESCRIPTION", 12)
    for title, section in (("SPECIFICATIONS", "RATINGS"), ("THEORY", "FILTERS")):
        sheet.new_page()
        y = _flush(sheet, 130, title, 16)
        _flush(sheet, y, section, 12)

    assert _headings_on(sheet) == [
        (1, "FEATURES"),
        (1, "DESCRIPTION"),
        (1, "SPECIFICATIONS"),
        (2, "RATINGS"),
        (1, "THEORY"),
        (2, "FILTERS"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "XR6001U",
        "PDIP/SOIC",
        "VOUT = VREF",
        "3.3 V supply",
        "Data Sheet",
        "Version 2.3",
        "Note 1: This is sampled",
        "9 Package information . . . . . . . . . . 40",
    ],
)
def test_labels_and_references_in_large_bold_type_are_no_headings(text):
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES", 14)
    _flush(sheet, y, text, 14)
    _flush(sheet, 350, "DESCRIPTION", 14)

    assert _headings_on(sheet) == [(1, "FEATURES"), (1, "DESCRIPTION")]


def test_what_is_large_on_a_cover_is_no_chapter(sheet):
    sheet.text(60, 150, "XR32-C3 Family", size=30, bold=True)
    sheet.text(60, 250, "Processor with a radio", size=16, bold=True)
    for title in ("Overview", "Pins", "Registers"):
        sheet.new_page()
        _flush(sheet, 130, title, 14)

    assert _titles_on(sheet) == ["Overview", "Pins", "Registers"]


def test_the_title_as_a_banner_of_chapters_is_no_heading(sheet):
    sheet.text(60, 150, "Converter User Guide", size=24, bold=True)
    sheet.lines(60, 200, PROSE * 4)
    for title in ("Overview", "Pins", "Registers"):
        sheet.new_page()
        sheet.text(60, 150, "Converter User Guide", size=18, bold=True)
        _flush(sheet, 190, title, 14)

    assert "Converter User Guide" not in _titles_on(sheet)


def test_centred_headings_rank_above_those_at_the_edge():
    sheet = _titled()
    titles = ("OVERVIEW", "OPERATIONA", "OPERATIONB", "OPERATIONC", "OPERATIOND")
    for title, letter in zip(sheet.pages(titles), "ABCDE", strict=True):
        sheet.text(214, 130, title, size=12, bold=True, align=0.5)
        sheet.lines(60, 150, PROSE)
        _flush(sheet, 240, f"LEFT TITLE {letter}")

    levels = {text: level for level, text in _headings_on(sheet)}

    assert levels["OVERVIEW"] == 1
    assert levels["LEFT TITLE C"] == 2


def test_headings_in_small_letters_left_of_the_text_are_known_by_their_use():
    sheet = _titled()
    for title in ("description", "recommended operating conditions"):
        sheet.new_page()
        y = 130.0
        for text in (title, f"more on {title}"):
            sheet.text(40, y, text, size=12, bold=True)
            y = sheet.lines(60, y + 20, PROSE) + 20

    assert _titles_on(sheet) == [
        "description",
        "more on description",
        "recommended operating conditions",
        "more on recommended operating conditions",
    ]


def test_a_condition_in_lighter_type_is_of_the_heading():
    sheet = _titled()
    titles = ("MAXIMUM RATINGS", "THERMAL DATA", "OPERATING LIFE")
    condition = "(at an ambient temperature of 25 degrees)"
    for title in titles:
        sheet.new_page()
        sheet.text(60, 130, title, size=12, bold=True)
        sheet.text(190, 130, condition, size=9)
        sheet.lines(60, 150, PROSE)

    assert _titles_on(sheet) == [f"{title} {condition}" for title in titles]


def test_a_rule_drawn_with_letters_is_no_text():
    sheet = _titled()
    for title in ("Features", "Applications", "Detailed Description"):
        sheet.new_page()
        sheet.text(60, 130, f"{'_' * 20}{title}", size=12, bold=True)
        sheet.lines(60, 150, PROSE)

    assert _titles_on(sheet) == ["Features", "Applications", "Detailed Description"]
