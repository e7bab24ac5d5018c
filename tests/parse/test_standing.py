from pathlib import Path

import pytest

from desktop_qa.core.document import BlockKind, Document
from tests.parse.sheet import PROSE, Sheet, read


def _headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in document.blocks if b.kind == BlockKind.SECTION_HEADER]


def _titled() -> Sheet:
    """A first page that names the document and says a little of it."""
    sheet = Sheet()
    sheet.text(60, 80, "XR4401 Precision Reference", size=20, bold=True)
    sheet.lines(60, 500, PROSE * 4)
    return sheet


def _centred(sheet: Sheet, y: float, text: str, size: float = 12) -> None:
    width = 0.722 * size * len(text)  # about that of capitals
    sheet.text(60 + (308 - width) / 2, y, text, size=size, bold=True)


def _flush(sheet: Sheet, y: float, text: str, size: float = 12) -> float:
    sheet.text(60, y, text, size=size, bold=True)
    return sheet.lines(60, y + 20, PROSE) + 20


def test_a_style_of_headings_is_known_by_its_use(tmp_path: Path) -> None:
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES")
    _flush(sheet, y, "DESCRIPTION")
    sheet.new_page()
    y = _flush(sheet, 130, "SPECIFICATIONS")
    sheet.text(60, y, "BLOCK DIAGRAM", size=12, bold=True)
    sheet.plot(60, y + 8, 300, 150)

    assert _headings(read(sheet, tmp_path).document) == [
        (1, "FEATURES"),
        (1, "DESCRIPTION"),
        (1, "SPECIFICATIONS"),
        (1, "BLOCK DIAGRAM"),
    ]


def test_a_title_in_small_letters_under_one_in_capitals_is_the_next_level(tmp_path: Path) -> None:
    sheet = _titled()
    _flush(sheet, 130, "FEATURES", 14)
    sheet.new_page()
    sheet.text(60, 130, "APPLICATION INFORMATION", size=14, bold=True)
    y = _flush(sheet, 147, "Board Layout", 14)
    _flush(sheet, y, "Propagation Delay", 14)
    sheet.new_page()
    y = _flush(sheet, 130, "METHOD OF OPERATION", 14)
    _flush(sheet, y, "Magnetic Fields", 14)

    assert _headings(read(sheet, tmp_path).document) == [
        (1, "FEATURES"),
        (1, "APPLICATION INFORMATION"),
        (2, "Board Layout"),
        (2, "Propagation Delay"),
        (1, "METHOD OF OPERATION"),
        (2, "Magnetic Fields"),
    ]


def test_larger_headings_on_the_first_page_are_no_level_above_the_others(tmp_path: Path) -> None:
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES", 14)
    _flush(sheet, y, "DESCRIPTION", 14)
    for title in ("SPECIFICATIONS", "APPLICATION HINTS", "ORDERING"):
        sheet.new_page()
        _flush(sheet, 130, title, 12)

    assert {level for level, _text in _headings(read(sheet, tmp_path).document)} == {1}


def test_headings_before_the_first_chapter_have_none_above_them(tmp_path: Path) -> None:
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES", 12)
    _flush(sheet, y, "DESCRIPTION", 12)
    for title, section in (("SPECIFICATIONS", "RATINGS"), ("THEORY", "FILTERS")):
        sheet.new_page()
        y = _flush(sheet, 130, title, 16)
        _flush(sheet, y, section, 12)

    assert _headings(read(sheet, tmp_path).document) == [
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
        'Section 5.6 "Registers',
        "Note 1: This is sampled",
        "9 Package information . . . . . . . . . . 40",
    ],
)
def test_labels_and_references_in_large_bold_type_are_no_headings(
    tmp_path: Path, text: str
) -> None:
    sheet = _titled()
    y = _flush(sheet, 130, "FEATURES", 14)
    _flush(sheet, y, text, 14)
    _flush(sheet, 350, "DESCRIPTION", 14)

    assert _headings(read(sheet, tmp_path).document) == [(1, "FEATURES"), (1, "DESCRIPTION")]


def test_what_is_large_on_a_cover_is_no_chapter(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 150, "XR32-C3 Family", size=30, bold=True)
    sheet.text(60, 250, "Processor with a radio", size=16, bold=True)
    for title in ("Overview", "Pins", "Registers"):
        sheet.new_page()
        _flush(sheet, 130, title, 14)

    assert [text for _level, text in _headings(read(sheet, tmp_path).document)] == [
        "Overview",
        "Pins",
        "Registers",
    ]


def test_the_title_as_a_banner_of_chapters_is_no_heading(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 150, "Converter User Guide", size=24, bold=True)
    sheet.lines(60, 200, PROSE * 4)
    for title in ("Overview", "Pins", "Registers"):
        sheet.new_page()
        sheet.text(60, 150, "Converter User Guide", size=18, bold=True)
        _flush(sheet, 190, title, 14)

    document = read(sheet, tmp_path).document

    assert "Converter User Guide" not in [text for _level, text in _headings(document)]


def test_centred_headings_rank_above_those_at_the_edge(tmp_path: Path) -> None:
    sheet = _titled()
    for number in range(5):
        if number:
            sheet.new_page()
        _centred(sheet, 130, "OVERVIEW" if number == 0 else f"OPERATION{'ABCD'[number - 1]}")
        sheet.lines(60, 150, PROSE)
        _flush(sheet, 240, f"LEFT TITLE {'ABCDE'[number]}")

    levels = {text: level for level, text in _headings(read(sheet, tmp_path).document)}

    assert levels["OVERVIEW"] == 1
    assert levels["LEFT TITLE C"] == 2


def test_headings_in_small_letters_left_of_the_text_are_known_by_their_use(tmp_path: Path) -> None:
    sheet = _titled()
    for title in ("description", "recommended operating conditions"):
        sheet.new_page()
        y = 130.0
        for text in (title, f"more on {title}"):
            sheet.text(40, y, text, size=12, bold=True)
            y = sheet.lines(60, y + 20, PROSE) + 20

    assert [text for _level, text in _headings(read(sheet, tmp_path).document)] == [
        "description",
        "more on description",
        "recommended operating conditions",
        "more on recommended operating conditions",
    ]


def test_a_condition_in_lighter_type_is_of_the_heading(tmp_path: Path) -> None:
    sheet = _titled()
    for title in ("MAXIMUM RATINGS", "THERMAL DATA", "OPERATING LIFE"):
        sheet.new_page()
        sheet.text(60, 130, title, size=12, bold=True)
        sheet.text(190, 130, "(at an ambient temperature of 25 degrees)", size=9)
        sheet.lines(60, 150, PROSE)

    assert [text for _level, text in _headings(read(sheet, tmp_path).document)] == [
        f"{title} (at an ambient temperature of 25 degrees)"
        for title in ("MAXIMUM RATINGS", "THERMAL DATA", "OPERATING LIFE")
    ]


def test_a_rule_drawn_with_letters_is_no_text(tmp_path: Path) -> None:
    sheet = _titled()
    for title in ("Features", "Applications", "Detailed Description"):
        sheet.new_page()
        sheet.text(60, 130, f"{'_' * 20}{title}", size=12, bold=True)
        sheet.lines(60, 150, PROSE)

    assert [text for _level, text in _headings(read(sheet, tmp_path).document)] == [
        "Features",
        "Applications",
        "Detailed Description",
    ]
