"""Words make lines, with their scripts and fractions."""

from __future__ import annotations

import pymupdf

from desktop_qa.core.document import BlockKind
from desktop_qa.core.folding import Vocabulary
from desktop_qa.parse.lines import (
    group_fragments,
    group_lines,
    join_scripts,
    joined_text,
)
from tests.parse.sheet import Sheet, read


def _lines(sheet: Sheet) -> list[str]:
    words = join_scripts(sheet.contents()[0].words)
    return [line.text for line in group_lines(group_fragments(words))]


def test_a_subscript_stays_in_its_line_and_in_its_word(sheet):
    sheet.text(60, 100, "V")
    sheet.text(66.7, 102.5, "OS", size=6.5)
    sheet.text(80, 100, "is low")
    sheet.text(60, 112, "and stable")

    assert _lines(sheet) == ["VOS is low", "and stable"]


def test_a_superscript_between_two_letters_joins_them(sheet):
    sheet.text(60, 100, "I")
    sheet.text(62.8, 96.5, "2", size=6.5)
    sheet.text(66.5, 100, "C bus")

    assert _lines(sheet) == ["I²C bus"]


def test_small_text_under_large_type_is_no_script_of_it(sheet):
    sheet.text(60, 100, "NORTH", size=16)
    sheet.text(122, 100, "WIND", size=16)
    sheet.text(70, 108, "as specified in its charter", size=6)

    assert _lines(sheet)[-1] == "as specified in its charter"


def test_numbers_of_two_cells_are_not_joined(sheet):
    sheet.text(60, 100, "12")
    sheet.text(90, 100, "34")

    assert _lines(sheet) == ["12 34"]


def test_a_hyphen_at_the_end_of_a_line_goes_when_the_whole_word_stands_elsewhere():
    vocabulary = Vocabulary(["The", "temperature", "rises"])

    text = joined_text(["The tempera-", "ture rises"], vocabulary)

    assert text == "The temperature rises"


def test_a_hyphen_stays_when_the_document_writes_the_word_with_it():
    vocabulary = Vocabulary(["low-power", "mode"])

    assert joined_text(["a low-", "power mode"], vocabulary) == "a low-power mode"


def test_a_part_number_at_the_end_of_a_line_keeps_its_hyphen():
    assert (
        joined_text(["see OPA4197-", "Q1 for more"], Vocabulary([])) == "see OPA4197- Q1 for more"
    )


def width(text: str) -> float:
    return float(pymupdf.get_text_length(text, fontname="helv", fontsize=10))


def fraction(sheet: Sheet, left: float, y: float, above: str, below: str) -> float:
    """Draw a fraction on the line at y; return where it ends."""
    length = max(width(above), width(below)) + 4
    sheet.line(left, y - 3, left + length, y - 3)
    sheet.text(left + length / 2, y - 6, above, align=0.5)
    sheet.text(left + length / 2, y + 7.5, below, align=0.5)
    return left + length


def read_texts(sheet: Sheet) -> list[str]:
    blocks = read(sheet).document.blocks
    return [block.text for block in blocks if block.kind is not BlockKind.PAGE_HEADER]


def test_a_fraction_stands_in_its_line(sheet):
    sheet.text(60, 100, "The slow-start time follows from the capacitor at the pin:")
    sheet.text(60, 140, "T =")
    end = fraction(sheet, 78, 140, "C × V", "I")
    sheet.text(end + 4, 140, "+ 2 ms")
    assert "T = (C × V)/I + 2 ms" in read_texts(sheet)


def test_a_fraction_in_a_fraction_is_read_from_the_inside_out(sheet):
    sheet.text(60, 200, "R =")
    sheet.page.draw_line((78, 197), (150, 197), width=0.5)
    sheet.text(108, 193, "VEN")
    inner = fraction(sheet, 82, 211, "V - VEN", "R1")
    sheet.text(inner + 3, 211, "+ I")
    assert "R = VEN/((V - VEN)/R1 + I)" in read_texts(sheet)


def test_underlined_and_ruled_text_is_no_fraction(sheet):
    sheet.text(60, 300, "Absolute Maximum Ratings")
    sheet.page.draw_line((60, 303), (60 + width("Absolute Maximum Ratings"), 303), width=0.5)
    sheet.text(60, 314, "Supply voltage to ground: 36 V")
    text = " ".join(read_texts(sheet))
    assert "/" not in text
    assert "Absolute Maximum Ratings" in text


def test_an_exponent_is_no_part_of_its_number(sheet):
    sheet.text(60, 400, "The full scale is 2")
    sheet.text(60 + width("The full scale is 2"), 396, "16", size=6)
    sheet.text(60 + width("The full scale is 2") + 9, 400, "counts of the converter.")
    assert "The full scale is 2¹⁶ counts of the converter." in read_texts(sheet)
