from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pymupdf
import pytest

from desktop_qa.core.copied_text import copied_text
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.page_text import TextProblem, TextQuery, TextSpan
from desktop_qa.parse import page_text
from desktop_qa.parse.page_text import TextFile
from tests.helpers.text_pages import (
    LEFT,
    RIGHT,
    SERIF,
    page_of,
    write_columns,
    write_linked,
    write_scan,
    write_table,
    write_turned,
    write_words,
)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch) -> None:
    """Let one call search a whole file; a tenth of a second leads a busy machine less far."""
    monkeypatch.setattr(page_text, "_SLICE_S", 600.0)


def test_two_columns_are_read_one_after_the_other(tmp_path):
    page = page_of(write_columns(tmp_path / "columns.pdf"))
    lines = page.text.split("\n")
    assert lines == [lines[0], *LEFT, *RIGHT]
    assert lines[0].startswith("A title")
    columns = [line.column for line in page.lines]
    assert columns == sorted(columns)
    assert len(set(columns[1:6])) == len(set(columns[6:])) == 1
    assert columns[1] != columns[6]


def test_each_character_has_the_box_that_the_engine_gives_its_word(tmp_path):
    path = write_columns(tmp_path / "columns.pdf")
    page = page_of(path)
    with pymupdf.open(path) as oracle:
        (expected,) = oracle[0].search_for("microamperes")
    start = page.text.index("microamperes")
    (box,) = page.boxes(start, start + len("microamperes"))
    assert (box.left, box.right) == pytest.approx((expected.x0, expected.x1), abs=0.5)
    assert box.top <= expected.y1
    assert box.bottom >= expected.y0


@pytest.mark.parametrize("is_cropped", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_places_are_those_of_the_page_as_displayed(tmp_path, rotation, is_cropped):
    path = write_turned(tmp_path / "turned.pdf", rotation, is_cropped=is_cropped)
    page = page_of(path)
    assert page.text == "Turned words"
    assert page.lines[0].angle == rotation
    (box,) = page.boxes(0, 6)
    with pymupdf.open(path) as oracle:
        of_page = oracle[0]
        drawn = of_page.get_pixmap(matrix=pymupdf.Matrix(2, 2))
        assert (page.width, page.height) == pytest.approx((of_page.rect.width, of_page.rect.height))
    inked = [
        (x / 2, y / 2)
        for y in range(drawn.height)
        for x in range(drawn.width)
        if drawn.pixel(x, y)[0] < 128
    ]
    inside = [
        (x, y)
        for x, y in inked
        if box.left - 1 <= x <= box.right + 1 and box.top - 1 <= y <= box.bottom + 1
    ]
    # "Turned" is half of the ink, and no letter of it lies outside its box.
    assert 0.4 < len(inside) / len(inked) < 0.7
    (whole,) = page.boxes(0, len(page.text))
    assert all(
        whole.left - 1 <= x <= whole.right + 1 and whole.top - 1 <= y <= whole.bottom + 1
        for x, y in inked
    )


def test_links_lead_to_pages_heights_and_addresses(tmp_path):
    page = page_of(write_linked(tmp_path / "linked.pdf"))
    inside, outside, script, program = sorted(page.links, key=lambda link: link.bbox.top)
    assert (inside.page_no, inside.address) == (3, "")
    assert inside.top == pytest.approx(250, abs=1)
    assert (outside.page_no, outside.address) == (None, "https://example.com/part?x=1")
    assert script.address == "javascript:alert(1)"
    assert program.address.startswith(("launch:", "file:"))
    assert (inside.bbox.left, inside.bbox.top) == pytest.approx((50, 100), abs=1)


def test_bookmarks_are_nested(tmp_path):
    with closing(TextFile(write_linked(tmp_path / "linked.pdf"))) as file:
        outline = file.outline()
    assert [(item.title, item.parent, item.page_no) for item in outline] == [
        ("Overview", -1, 1),
        ("Details", 0, 3),
        ("Index", -1, 3),
    ]


def test_a_document_without_bookmarks_has_none(tmp_path):
    with closing(TextFile(write_columns(tmp_path / "columns.pdf"))) as file:
        assert file.outline() == ()


@pytest.mark.skipif(not SERIF.is_file(), reason="no font with ligatures")
def test_ligatures_are_letters_each_with_its_place(tmp_path):
    page = page_of(write_words(tmp_path / "ligature.pdf", "the ﬁrst eﬃcient", font=SERIF))
    assert page.text == "the first efficient"
    start = page.text.index("fi")
    assert page.ends[start] == pytest.approx(page.starts[start + 1])
    assert page.starts[start] < page.starts[start + 1] < page.ends[start + 1]


def test_what_is_copied_joins_lines_and_mends_words(tmp_path):
    page = page_of(write_columns(tmp_path / "columns.pdf"))
    start, end = page.text.index("updates"), page.text.index("that was made")
    assert copied_text(page, start, end) == (
        "updates the output register with the new result of the measurement "
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Use a trans-", "former here."), "Use a transformer here."),
        (("At the high-", "est voltage."), "At the highest voltage."),
        (("Noise is low here: a low-", "noise part makes noise."), "low-noise part"),
        (("The low-noise part is a low-", "noise part."), "is a low-noise part."),
        (("The measurement of the measure-", "ment is done."), "of the measurement is"),
    ],
)
def test_a_hyphen_at_a_line_end_stays_where_it_belongs_to_the_word(tmp_path, lines, expected):
    page = page_of(write_words(tmp_path / "words.pdf", *lines))
    assert expected in copied_text(page, 0, len(page.text))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("Features", "\u00b7 Data rate: 40 kSPS", "\u00b7 Wide input range", "of it"),
            "Features\n\u2022 Data rate: 40 kSPS\n\u2022 Wide input range of it",
        ),
        (("- Noise: 30 nV", "- Linearity: 2 ppm"), "- Noise: 30 nV\n- Linearity: 2 ppm"),
        (("The part is quiet", "- and small - as well"), "The part is quiet - and small - as well"),
    ],
)
def test_items_of_a_list_are_copied_as_lines(tmp_path, lines, expected):
    page = page_of(write_words(tmp_path / "list.pdf", *lines))
    # The fonts that every reader has know no bullet.
    page = replace(page, text=page.text.replace("\u00b7", "\u2022"))
    assert copied_text(page, 0, len(page.text)) == expected


def test_words_are_found_over_the_lines_of_a_cell(tmp_path):
    path = tmp_path / "cells.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for x, y, words in (
            (56, 100, "Change of quiescent"),
            (56, 110, "current"),
            (220, 100, "25 C"),
            (300, 100, "0.2"),
            (220, 110, "125 C"),
            (300, 110, "0.5"),
        ):
            page.insert_text((x, y), words, fontsize=10)
        document.save(path)
    assert "quiescent\t25 C" in page_of(path).text
    with closing(TextFile(path)) as file:
        hits = file.find(TextQuery("Quiescent current", whole_word=True), 1).hits
        in_part = file.find(TextQuery("quiescent curr", whole_word=True), 1).hits
        in_another_cell = file.find(TextQuery("quiescent 125"), 1).hits
    (hit,) = hits
    above, below = hit.boxes
    assert above.top < below.top
    assert below.left == pytest.approx(56, abs=1)
    assert in_part == in_another_cell == ()


def test_cells_of_a_row_stay_apart(tmp_path):
    page = page_of(write_table(tmp_path / "table.pdf"))
    assert page.text.split("\n")[1] == "Supply voltage\t2.7\t5.5\tV"
    assert len(page.boxes(0, len(page.text))) == 16
    assert copied_text(page, 0, len(page.text)).count("\n") == 3


def test_a_picture_a_blank_page_and_a_missing_page_say_what_they_are(tmp_path):
    assert page_of(write_scan(tmp_path / "scan.pdf")).problem is TextProblem.SCANNED
    blank = write_words(tmp_path / "blank.pdf")
    assert page_of(blank).problem is TextProblem.BLANK
    with pytest.raises(UnreadableDocumentError):
        page_of(blank, 7)


def test_a_password_opens_a_protected_file(tmp_path):
    path = tmp_path / "protected.pdf"
    with pymupdf.open() as document:
        document.new_page().insert_text((50, 80), "secret words")
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="key", owner_pw="own")
    for wrong in ("", "other"):
        with pytest.raises(UnreadableDocumentError, match="password"):
            TextFile(path, wrong)
    with closing(TextFile(path, "key")) as file:
        assert file.page(1).text == "secret words"


def test_a_search_gives_every_place_with_its_rectangles(tmp_path):
    file = TextFile(write_columns(tmp_path / "columns.pdf"))
    found = file.find(TextQuery("measurement"), 1)
    (hit,) = found.hits
    assert (hit.page_no, len(hit.boxes)) == (1, 2)
    assert hit.boxes[0].top < hit.boxes[1].top
    assert found.next_page is None
    assert found.n_pages == 2
    assert [hit.page_no for hit in file.find(TextQuery("the"), 1).hits][-1] == 2
    assert file.find(TextQuery("second page"), 2).hits[0].page_no == 2
    assert file.find(TextQuery("title"), 2).hits == ()
    file.close()


def test_a_document_of_pictures_says_that_nothing_can_be_searched(tmp_path):
    with closing(TextFile(write_scan(tmp_path / "scan.pdf"))) as file:
        found = file.find(TextQuery("word"), 1)
    assert (found.hits, found.n_pages, found.n_without_text) == ((), 1, 1)


def test_a_stretch_over_pages_is_copied_in_order(tmp_path):
    file = TextFile(write_columns(tmp_path / "columns.pdf"))
    copied = file.copy(TextSpan(1, 0, 2, None))
    assert copied.next_page is None
    assert copied.text.startswith("A title")
    assert copied.text.endswith("operation.\n\nThe second page.")
    assert file.copy(TextSpan(2, 4, 2, 10)).text == "second"
    file.close()
