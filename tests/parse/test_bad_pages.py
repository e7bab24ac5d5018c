"""Pages no author meant: each gives its words, or the reason why not, under its own number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf
import pytest

from desktop_qa.core.document import BlockKind, BoundingBox, Document, DocumentId, ParseResult
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.parse.document import read_document
from desktop_qa.parse.pdf import PdfFile
from tests.helpers.pdf import PdfWriter
from tests.helpers.raw_pdf import raw_pdf, raw_text
from tests.parse.sheet import PROSE, Sheet, block_with, read, texts_of
from tests.parse.signs import Signs

WHOLE = " ".join(PROSE)
CHAPTERS = ("Overview", "Wiring", "Limits", "Timing")


def _read(path: Path, figures: Path | None = None, **options: object) -> ParseResult:
    name = (path.name,)
    return read_document(path, DocumentId("0" * 16), name, figures, lambda *_: None, **options)


def _of_bytes(content: bytes, folder: Path) -> Document:
    path = folder / "raw.pdf"
    path.write_bytes(content)
    return _read(path).document


def _chapters() -> list[str]:
    return [
        raw_text([f"{number} {name}"], y=720, size=16) + raw_text(PROSE)
        for number, name in enumerate(CHAPTERS, start=1)
    ]


def _pages_of_headings(document: Document) -> dict[str, int]:
    return {
        block.text: block.provenances[0].page_no
        for block in document.blocks
        if block.kind == BlockKind.SECTION_HEADER
    }


ALL = {f"{number} {name}": number for number, name in enumerate(CHAPTERS, start=1)}


def _without(*numbers: int) -> dict[str, int]:
    return {text: number for text, number in ALL.items() if number not in numbers}


# Turned and odd sizes


def _mixed(folder: Path, rotations: Sequence[int]) -> Path:
    """Write a chapter with a table on each page, then turn the pages as displayed."""
    writer = PdfWriter(running_footer="Acme")
    for number, name in enumerate(CHAPTERS, start=1):
        if number > 1:
            writer.new_page()
        writer.heading(f"{number} {name}")
        writer.paragraph(f"{name} begins here. {WHOLE}")
        rows = [["Parameter", "Min", "Max"], ["Supply", "2.7", "5.5"], ["Load", "0", "100"]]
        writer.ruled_table(rows, caption=f"Table {number}. {name}")
        writer.plot(caption=f"Figure {number}. {name}")
    for page, rotation in zip(writer.document, rotations, strict=True):
        page.set_rotation(rotation)
    return writer.save(folder / "mixed.pdf")


@pytest.mark.parametrize("ignore_outline", [False, True])
@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_pages_turned_among_others_keep_headings_tables_and_figures(
    tmp_path, rotation, ignore_outline
):
    path = _mixed(tmp_path, (0, rotation, 0, rotation))

    document = _read(path, ignore_outline=ignore_outline).document

    assert _pages_of_headings(document) == ALL
    assert [(t.label, t.provenances[0].page_no) for t in document.tables] == [
        (f"Table {n}", n) for n in range(1, 5)
    ]
    assert all(
        [c.text for c in table.cells][-3:] == ["Load", "0", "100"] for table in document.tables
    )
    assert [(f.label, f.provenances[0].page_no) for f in document.figures] == [
        (f"Figure {n}", n) for n in range(1, 5)
    ]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_everything_of_a_turned_page_stands_where_the_page_shows_it(tmp_path, rotation):
    straight = _read(_mixed(tmp_path, (0, 0, 0, 0)))
    turned = _read(_mixed(tmp_path, (rotation,) * 4))

    with pymupdf.open(tmp_path / "mixed.pdf") as file:
        matrix = file[0].rotation_matrix
    width, height = turned.document.page_sizes[0]
    assert (width > height) == (rotation in (90, 270))
    for before, after in zip(_boxes(straight), _boxes(turned), strict=True):
        expected = pymupdf.Rect(before) * matrix
        assert after == pytest.approx(tuple(expected.normalize()), abs=0.5)


def _boxes(result: ParseResult) -> list[tuple[float, float, float, float]]:
    document = result.document
    places = [p for block in document.blocks for p in block.provenances]
    places += [p for table in document.tables for cell in table.cells for p in cell.provenances]
    places += [p for figure in document.figures for p in figure.provenances]
    boxes = [place.bbox for place in places]
    boxes += [word.bbox for page in result.page_words for word in page.words]
    return [(box.left, box.top, box.right, box.bottom) for box in boxes]


def test_a_table_on_its_side_below_an_upright_header_turns_no_page(sheet):
    for row in range(8):
        sheet.page.insert_text((100 + 14 * row, 700), PROSE[row % 4], rotate=90, fontsize=10)
    sheet.text(60, 40, "ACME1234 Precision Regulator with a long running header")

    document = read(sheet).document

    assert document.page_sizes == ((612.0, 792.0),)
    header = block_with(document, "ACME1234").provenances[0].bbox
    assert header.width > 3 * header.height


def test_what_lies_outside_of_the_crop_is_not_read(sheet):
    sheet.text(60, 20, "Cut away by the crop of the page")
    sheet.lines(60, 120, PROSE)
    sheet.page.set_cropbox(pymupdf.Rect(40, 60, 560, 760))

    document = read(sheet).document

    assert texts_of(document, BlockKind.TEXT) == [WHOLE]
    assert document.page_sizes == ((520.0, 700.0),)
    assert 15 < block_with(document, "The regulator").provenances[0].bbox.left < 25


@pytest.mark.parametrize("unit", ["10", "0.5", "0", "-2", "(a)"])
def test_a_page_with_units_of_its_own_is_placed_as_viewers_place_it(tmp_path, unit):
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page(width=2834, height=2834)
        page.insert_text((60, 80), f"{number} Overview", fontsize=16, fontname="hebo")
        for row, text in enumerate(PROSE):
            page.insert_text((60, 420 + 12 * row), text, fontsize=10)
        page.draw_rect((500, 500, 700, 600), fill=(0, 0, 0))
        document.xref_set_key(page.xref, "UserUnit", unit)
    document.save(tmp_path / "large.pdf")

    result = _read(tmp_path / "large.pdf").document
    with PdfFile(tmp_path / "large.pdf") as pdf:
        pdf.render(2, BoundingBox(510, 510, 690, 590), tmp_path / "region.png")

    assert result.page_sizes == ((2834.0, 2834.0), (2834.0, 2834.0))
    assert block_with(result, "The regulator").provenances[0].bbox.left == pytest.approx(60, abs=1)
    assert [b.provenances[0].page_no for b in result.blocks if "Overview" in b.text] == [1, 2]
    assert pymupdf.Pixmap(str(tmp_path / "region.png")).is_unicolor


def test_figures_of_a_page_of_ten_metres_are_drawn_in_bounds(tmp_path):
    document = pymupdf.open()
    page = document.new_page(width=14_400, height=14_400)
    page.insert_text((1000, 1000), "The plan of the plant", fontsize=300)
    page.insert_text((1000, 12_500), "Figure 1. The plant", fontsize=200)
    for step in range(60):
        page.draw_circle((7000, 7000), 50 * step + 50, width=10)
    document.save(tmp_path / "plan.pdf")
    _read(tmp_path / "plan.pdf", figures=tmp_path / "figures")
    drawn = [pymupdf.Pixmap(str(path)) for path in (tmp_path / "figures").glob("*.png")]
    assert drawn
    assert all(max(picture.width, picture.height) <= 3001 for picture in drawn)


@pytest.mark.parametrize(
    "box",
    ["[0 0 0 0]", "[0 0 612 0]", "[612 792 0 0]", "[0 0 1e9 1e9]", "[0 0 (a) null]", "null"],
)
def test_a_page_box_without_sense_leaves_the_text_of_the_page(tmp_path, box):
    document = _of_bytes(raw_pdf(_chapters(), box=box), tmp_path)

    assert _pages_of_headings(document) == ALL
    assert all(0 < side < 1e5 for size in document.page_sizes for side in size)


def test_a_page_box_with_another_origin_is_read_from_its_own_corner(tmp_path):
    document = _of_bytes(raw_pdf(_chapters(), box="[-100 0 712 792]"), tmp_path)

    assert _pages_of_headings(document) == ALL
    assert document.page_sizes[0] == (812.0, 792.0)
    assert block_with(document, "The regulator").provenances[0].bbox.left == pytest.approx(160, 0.1)


# Damage


def _kids(kids: str) -> Callable[[list[str]], bytes]:
    return lambda pages: raw_pdf(pages, tree=f"<</Type/Pages/Count 4/Kids[{kids}]>>")


@pytest.mark.parametrize(
    ("damaged", "lost"),
    [
        (_kids("4 0 R null 8 0 R 10 0 R"), (2,)),
        (_kids("4 0 R 66 0 R 8 0 R 10 0 R"), (2,)),
        (_kids("4 0 R 7 0 R 8 0 R 10 0 R"), (2,)),
        (_kids("4 0 R 2 0 R 8 0 R 10 0 R"), (2, 3, 4)),
    ],
    ids=["null", "missing object", "stream", "the tree itself"],
)
def test_a_hole_in_the_page_tree_moves_no_page(tmp_path, damaged, lost):
    document = _of_bytes(damaged(_chapters()), tmp_path)

    assert _pages_of_headings(document) == _without(*lost)
    assert tuple(failure.page_no for failure in document.page_failures) == lost
    assert all("damaged" in failure.reason for failure in document.page_failures)
    assert len(document.page_sizes) == 4


def test_pages_that_the_file_only_claims_are_missing(tmp_path):
    tree = "<</Type/Pages/Count 6/Kids[4 0 R 6 0 R 8 0 R 10 0 R]>>"

    document = _of_bytes(raw_pdf(_chapters(), tree=tree), tmp_path)

    assert _pages_of_headings(document) == ALL
    assert [(f.page_no, f.reason) for f in document.page_failures] == [
        (5, "the page is missing from the file"), (6, "the page is missing from the file"),
    ]  # fmt: skip


@pytest.mark.parametrize("damage", ["startxref", "no xref", "junk before", "zeros after"])
def test_a_damaged_table_of_objects_costs_nothing(tmp_path, damage):
    whole = raw_pdf(_chapters())
    content = {
        "startxref": whole[: whole.rindex(b"startxref")] + b"startxref\n999999\n%%EOF",
        "no xref": whole[: whole.index(b"xref\n0")],
        "junk before": b"junk junk\n" * 3 + whole,
        "zeros after": whole + bytes(5000),
    }[damage]

    document = _of_bytes(content, tmp_path)

    assert _pages_of_headings(document) == ALL
    assert document.page_failures == ()


def test_a_file_that_was_cut_off_keeps_the_pages_before_the_cut(tmp_path):
    whole = raw_pdf(_chapters())

    document = _of_bytes(whole[: whole.index(b"10 0 obj")], tmp_path)

    assert _pages_of_headings(document) == _without(4)
    assert [failure.page_no for failure in document.page_failures] == [4]


def test_a_page_whose_content_is_damaged_is_not_taken_for_blank(tmp_path):
    whole = raw_pdf(_chapters())
    start = whole.index(b"stream\n", whole.index(b"7 0 obj")) + 7

    document = _of_bytes(whole[:start] + b"\x00\xff" * 20 + whole[start + 40 :], tmp_path)

    assert _pages_of_headings(document) == _without(2)
    assert [failure.page_no for failure in document.page_failures] == [2]
    assert "damaged" in document.page_failures[0].reason


# Pages without text


def _shapes(page: pymupdf.Page) -> None:
    shape = page.new_shape()
    for index in range(400):
        x, y = 60 + index % 40 * 12, 100 + index // 40 * 14
        shape.draw_curve((x, y), (x + 4, y - 8), (x + 8, y))
        shape.finish(width=0.6)
    shape.commit()


def _document_of(n_texts: int, n_shapes: int) -> Sheet:
    sheet = Sheet()
    for number in sheet.pages(range(n_texts + n_shapes)):
        if number < n_texts:
            sheet.lines(60, 120, [f"Part {number} of the text stands here alone.", *PROSE])
        else:
            _shapes(sheet.page)
    return sheet


def test_a_few_drawings_without_words_are_pages_without_text():
    document = read(_document_of(7, 2)).document

    assert document.page_failures == ()
    assert document.pages_without_text == (8, 9)


def test_text_drawn_as_shapes_on_many_pages_is_lost_text():
    document = read(_document_of(3, 3)).document

    assert [(f.page_no, f.reason) for f in document.page_failures] == [
        (n, "no text layer (its text is drawn as shapes)") for n in (4, 5, 6)
    ]
    assert document.pages_without_text == ()


def test_a_document_of_letters_drawn_as_shapes_says_so():
    with pytest.raises(UnreadableDocumentError, match="letters are drawn as shapes") as caught:
        read(_document_of(0, 2))

    assert caught.value.hint == "Run OCR on it and add the result."


def test_every_page_has_words_or_is_accounted_for():
    sheet = _document_of(6, 1)
    sheet.new_page()
    sheet.new_page()
    sheet.scan()

    result = read(sheet)

    with_words = {words.page_no for words in result.page_words}
    failed = {failure.page_no for failure in result.document.page_failures}
    without = set(result.document.pages_without_text)
    assert (with_words, without, failed) == ({1, 2, 3, 4, 5, 6}, {7, 8}, {9})


def test_a_heavy_page_is_read_by_its_words_and_says_what_it_lacks(sheet, tmp_path):
    sheet.lines(60, 120, PROSE)
    sheet.new_page()
    sheet.lines(60, 120, ["The board has the parts named below.", *PROSE])
    _shapes(sheet.page)
    path = sheet.save(tmp_path / "heavy.pdf")

    result = _read(path, light_pages={2: "it took more than 45 s"})

    (failure,) = result.document.page_failures
    assert (failure.page_no, failure.has_text) == (2, True)
    assert "without its drawings" in failure.reason
    assert failure.reason.endswith("it took more than 45 s")
    assert block_with(result.document, "The board").provenances[0].page_no == 2
    assert result.document.figures == ()


# Fonts


def _in_one_code(code: str, n_times: int = 2, sound: str = "", n_pages: int = 6) -> Signs:
    """Write a page in a font that has one code for all its letters, and readable pages."""
    signs = Signs()
    for row, text in enumerate(PROSE * n_times):
        signs.put(60, 120 + 12 * row, text, size=10)
    signs.name(dict.fromkeys("".join(PROSE), code))
    signs.text(60, 700, sound, size=10)
    for number in range(2, n_pages + 1):
        signs.new_page()
        signs.lines(60, 200, [f"Here begins page {number} of all.", *PROSE], size=10)
    return signs


@pytest.mark.parametrize("code", ["A", " ", "\ue001"], ids=["one letter", "space", "private"])
def test_a_font_that_does_not_say_its_letters_is_recognised(code):
    document = read(_in_one_code(code)).document

    assert [(f.page_no, f.reason) for f in document.page_failures] == [
        (1, "its fonts do not say which letters they show")
    ]
    for number in range(2, 7):
        block = block_with(document, f"page {number} of all")
        assert block.provenances[0].page_no == number


def test_a_garbled_page_keeps_the_words_of_its_sound_fonts():
    result = read(_in_one_code("\ue001", sound="The reel holds 3000 parts of this kind."))

    assert [failure.page_no for failure in result.document.page_failures] == [1]
    assert [word.text for word in result.page_words[0].words] == (
        ["The", "reel", "holds", "3000", "parts", "of", "this", "kind."]
    )


def test_a_page_of_such_a_font_costs_no_document_however_much_stands_on_it():
    document = read(_in_one_code("\ue001", n_times=8, n_pages=4)).document

    assert [failure.page_no for failure in document.page_failures] == [1]
    assert block_with(document, "page 2 of all").provenances[0].page_no == 2


def test_a_document_of_such_fonts_says_what_to_do():
    with pytest.raises(UnreadableDocumentError, match="cannot be decoded") as caught:
        read(_in_one_code("A", n_pages=1))

    assert "OCR" in caught.value.hint


# Forms and notes


def test_what_forms_and_free_text_show_is_read_with_the_page(sheet):
    sheet.lines(60, 120, PROSE)
    sheet.page.add_freetext_annot((60, 300, 300, 320), "Checked by the laboratory", fontsize=10)
    field = pymupdf.Widget()
    field.field_name, field.field_type = "part", pymupdf.PDF_WIDGET_TYPE_TEXT
    field.rect, field.field_value = pymupdf.Rect(60, 400, 300, 420), "ACME1234 in use"
    sheet.page.add_widget(field)

    words = " ".join(word.text for word in read(sheet).page_words[0].words)

    assert "Checked by the laboratory" in words
    assert "ACME1234 in use" in words
