"""The engine's characters become words, and what shows nothing becomes none."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from desktop_qa.core.document import BlockKind, Document
from desktop_qa.parse.words import WordReader
from tests.parse.sheet import PROSE, Sheet, block_with, read, texts_of

UPRIGHT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def line(*runs: tuple[str, str]) -> dict[str, Any]:
    """Return a line of the engine: runs of a font and its characters, a square for each."""
    spans = []
    left = 50.0
    for font, text in runs:
        chars = []
        for char in text:
            box = (left, 100.0, left + 9.0, 109.0)
            chars.append({"c": char, "bbox": box, "origin": (left, 108.0)})
            left += 9.0
        spans.append(
            {"size": 9.0, "font": font, "flags": 0, "color": 0, "alpha": 255, "chars": chars}
        )
    return {"wmode": 0, "dir": (1.0, 0.0), "spans": spans}


@pytest.mark.parametrize(("font", "blank"), [("Symbol", "\uf020"), ("Arial", "\ufeff")])
def test_what_a_font_of_its_own_encoding_shows_as_space_is_no_word(font, blank):
    reader = WordReader(UPRIGHT, 0, {})

    words = reader.read([{"lines": [line((font, blank)), line(("Arial", "Features"))]}])

    assert [(word.text, word.line_no) for word in words] == [("Features", 1)]
    assert reader.n_spaces == 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("(Pin6)......Keypad", ["(Pin6)", "......", "Keypad"]),
        ("Range……….-55°C", ["Range", "……….", "-55°C"]),
        (".+8.0V", [".", "+8.0V"]),
        ("0.5V...", ["0.5V..."]),
        (".05", [".05"]),
    ],
)
def test_dots_that_lead_to_a_value_are_a_word_of_their_own(text, parts):
    words = WordReader(UPRIGHT, 0, {}).read([{"lines": [line(("Arial", text))]}])

    assert [word.text for word in words] == parts
    assert not any(word.space_before for word in words[1:])


WHOLE = " ".join(PROSE)
WHITE = (1.0, 1.0, 1.0)


def _prose(
    sheet: Sheet, y: float = 300.0, x: float = 60.0, hidden: bool = False, white: bool = False
) -> None:
    for row, text in enumerate(PROSE):
        color = WHITE if white else (0, 0, 0)
        mode = 3 if hidden else 0
        sheet.page.insert_text((x, y + 12 * row), text, fontsize=10, color=color, render_mode=mode)


def _text(document: Document) -> str:
    return " ".join(block.text for block in document.blocks)


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.4, 0.0), (1.0, 0.0), (0.5, 0.5), (1.0, 1.0)])
def test_text_drawn_twice_is_read_once(sheet, offset):
    for dx, dy in (offset, (0.0, 0.0)):
        sheet.text(60 + dx, 80 + dy, "1 Electrical Characteristics", size=16, bold=True)
        sheet.lines(60 + dx, 120 + dy, PROSE)

    result = read(sheet)

    assert texts_of(result.document, BlockKind.SECTION_HEADER) == ["1 Electrical Characteristics"]
    assert texts_of(result.document, BlockKind.TEXT) == [WHOLE]
    n_words = len(f"1 Electrical Characteristics {WHOLE}".split())
    assert len(result.page_words[0].words) == n_words


def test_a_grey_shadow_leaves_the_heading_in_the_colour_on_top(sheet):
    for shift, grey in ((1.5, 0.6), (0.0, 0.0)):
        sheet.page.insert_text(
            (60 + shift, 80 + shift), "3 Limits", fontsize=16, fontname="hebo", color=(grey,) * 3
        )
    sheet.lines(60, 120, PROSE)

    assert texts_of(read(sheet).document, BlockKind.SECTION_HEADER) == ["3 Limits"]


@pytest.mark.parametrize("times", [1, 2])
def test_words_thickened_by_drawing_them_twice_are_bold(sheet, times):
    x = 60.0
    for word in ("Supply", "Current"):
        ends = [sheet.text(x + 0.4 * time, 200, word, size=12) for time in range(times)]
        x = ends[0] + 3

    assert [(word.text, word.bold) for word in sheet.contents()[0].words] == [
        ("Supply", times == 2), ("Current", times == 2),
    ]  # fmt: skip


def test_rows_of_equal_small_words_are_no_doubles(sheet):
    _prose(sheet)
    sheet.text(60, 200, "ill . . . . . . . . . . . . 11 11 1 1 1 l l l", size=6)

    assert ". . . . . . . . . . . . 11 11 1 1 1 l l l" in _text(read(sheet).document)


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_unseen_text_that_repeats_the_text_is_dropped(sheet, hidden, first):
    if first:
        _prose(sheet, y=301, x=60.7, hidden=hidden, white=not hidden)
    _prose(sheet)
    if not first:
        _prose(sheet, y=301, x=60.7, hidden=hidden, white=not hidden)

    assert _text(read(sheet).document) == WHOLE


def test_an_ocr_layer_below_text_is_dropped_though_it_reads_otherwise(sheet):
    for row, text in enumerate(PROSE):
        sheet.page.insert_text(
            (60.5, 299.5 + 12 * row), text.replace("e", "c"), fontsize=9.5, render_mode=3
        )
    _prose(sheet)

    assert _text(read(sheet).document) == WHOLE


def test_the_layer_of_a_scan_is_its_text(sheet):
    sheet.scan()
    _prose(sheet, hidden=True)

    document = read(sheet).document

    assert _text(document) == WHOLE
    assert document.page_failures == ()


def test_the_layer_of_a_scan_with_a_stamp_is_its_text(sheet):
    sheet.scan()
    _prose(sheet, hidden=True)
    sheet.text(60, 700, "Downloaded from the archive of old and very old datasheets in May")

    assert WHOLE in _text(read(sheet).document)


def test_a_page_whose_whole_text_is_hidden_keeps_it(sheet):
    _prose(sheet, hidden=True)

    assert _text(read(sheet).document) == WHOLE


def test_advertising_in_white_or_too_small_to_see_is_no_content(sheet):
    _prose(sheet)
    sheet.page.insert_text((60, 500), "cheap regulator best price", fontsize=8, color=WHITE)
    sheet.page.insert_text((60, 520), "buy converter online now", fontsize=8, render_mode=3)
    sheet.text(60, 540, "tiny words for machines only", size=0.5)

    assert _text(read(sheet).document) == WHOLE


def test_white_text_on_a_dark_field_or_picture_is_content(sheet):
    _prose(sheet)
    sheet.page.draw_rect((60, 500, 300, 530), color=None, fill=(0, 0, 0.5))
    sheet.page.insert_text((70, 520), "White on a field", fontsize=10, color=WHITE)
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 100, 10), False)
    pixels.clear_with(40)
    sheet.page.insert_image((60, 600, 300, 630), pixmap=pixels, keep_proportion=False)
    sheet.page.insert_text((70, 620), "White on a picture", fontsize=10, color=WHITE)

    words = " ".join(word.text for word in read(sheet).page_words[0].words)

    assert "White on a field" in words
    assert "White on a picture" in words


def test_small_type_on_a_plan_of_five_metres_is_content():
    document = pymupdf.open()
    page = document.new_page(width=14_400, height=14_400)
    for row, text in enumerate(PROSE):
        page.insert_text((500, 500 + 12 * row), text, fontsize=10)
    sheet = Sheet()
    sheet._document = document

    assert _text(read(sheet).document) == WHOLE


def test_lines_printed_over_other_lines_stay_lines(sheet):
    sheet.lines(60, 300, PROSE)
    sheet.lines(62, 302, list(reversed(PROSE)))

    text = _text(read(sheet).document)

    assert all(line in text for line in PROSE)


def test_hidden_words_are_found_in_no_place(sheet):
    _prose(sheet)
    _prose(sheet, white=True)

    result = read(sheet)

    assert len(result.page_words[0].words) == len(WHOLE.split())
    assert len(block_with(result.document, "The regulator").provenances) == 1


def test_a_part_of_a_word_drawn_over_it_again_is_no_word(sheet):
    sheet.text(60, 100, "Supply current")
    sheet.text(60, 100, "Su")
    assert "Supply current" in _text(read(sheet).document)
    assert " Su" not in f" {_text(read(sheet).document)} ".replace("Supply", "")


@pytest.mark.parametrize("angle", [0, 90])
def test_a_part_that_is_set_lower_than_its_word_is_dropped_upright_and_sideways(sheet, angle):
    matrix = pymupdf.Matrix(1, 0, 0, 1, 0, 0).prerotate(angle)
    for x, y, text in ((0, 0, "V"), (5.6, 2, "OH"), (30, 0, "level"), (5.6, 2, "OH")):
        place = pymupdf.Point(150, 150) + pymupdf.Point(x, y) * matrix
        sheet.page.insert_text(place, text, fontsize=8, rotate=-angle % 360)
    assert [word.text for word in sheet.contents()[0].words] == ["VOH", "level"]
