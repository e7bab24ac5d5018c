import pytest

from desktop_qa.core.document import BlockKind, DocumentId
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.parse.document import read_document
from tests.parse.sheet import PROSE, Sheet, block_with, read, texts_of


def test_a_scanned_page_is_a_failure_and_the_others_are_kept(sheet):
    sheet.lines(60, 120, PROSE)
    sheet.new_page()
    sheet.scan()
    sheet.new_page()
    last = "The last page has text again, and more than a stamp would have."
    sheet.lines(60, 120, [last, *PROSE])

    document = read(sheet).document

    assert [(f.page_no, f.reason) for f in document.page_failures] == [
        (2, "no text layer (scanned page)")
    ]
    assert block_with(document, "The last page").provenances[0].page_no == 3
    assert len(document.page_sizes) == 3


def test_a_document_of_pictures_is_refused_with_what_to_do(sheet):
    sheet.scan()

    with pytest.raises(UnreadableDocumentError) as caught:
        read(sheet)

    assert caught.value.message == "The PDF holds no text: its pages are scanned pictures."
    assert caught.value.hint == "Run OCR on it and add the result."


def test_a_stamp_on_every_scanned_page_is_no_text(sheet):
    for _page in sheet.pages(range(4)):
        sheet.scan()
        sheet.text(200, 700, "www.old-datasheets.example", size=12)

    with pytest.raises(UnreadableDocumentError, match="scanned pictures"):
        read(sheet)


def test_blank_pages_are_refused_too():
    with pytest.raises(UnreadableDocumentError, match="blank"):
        read(Sheet())


def test_pages_to_skip_are_not_touched_and_say_why(sheet, tmp_path):
    sheet.lines(60, 120, PROSE)
    sheet.new_page()
    sheet.lines(60, 120, PROSE)
    seen: list[int] = []

    result = read_document(
        sheet.save(tmp_path / "two.pdf"),
        DocumentId("0" * 16),
        ("two.pdf",),
        None,
        lambda page_no, _n_pages: seen.append(page_no),
        skip_pages={2: "the page crashed the PDF reader"},
    )

    assert [(f.page_no, f.reason) for f in result.document.page_failures] == [
        (2, "the page crashed the PDF reader")
    ]
    assert set(seen) == {1}


def test_the_words_of_the_pages_stand_in_the_order_of_the_blocks(sheet):
    sheet.text(60, 100, "1 Overview", size=14, bold=True)
    sheet.lines(60, 125, PROSE)

    result = read(sheet)

    blocks = [b for b in result.document.blocks if b.kind != BlockKind.PAGE_FOOTER]
    assert " ".join(word.text for word in result.page_words[0].words) == " ".join(
        block.text for block in blocks
    )


def ruled_table(sheet: Sheet, y: float) -> None:
    xs = (60, 180, 300, 420)
    rows = (("Parameter", "Min", "Max"), ("Supply", "2.7", "5.5"), ("Load", "0", "100"))
    sheet.grid(xs, sheet.rows(xs, y, rows, height=20))


@pytest.mark.parametrize(
    ("before", "caption"),
    [
        ("The plant was sold. Loads of the U.S. Fleet were as follows:", "{} as follows"),
        ("The plant was sold. Loads of the U.S. Fleet were as before.", ""),
    ],
)
def test_the_sentence_that_announces_a_table_is_its_caption(sheet, before, caption):
    ruled_table(sheet, sheet.lines(60, 110, [before]))

    (table,) = read(sheet).document.tables

    assert table.caption == caption.format("Loads of the U.S. Fleet were")


def test_a_table_stands_between_its_paragraphs_and_keeps_their_words_out(sheet):
    y = sheet.lines(60, 110, PROSE)
    ruled_table(sheet, y)
    sheet.lines(60, y + 90, PROSE)

    document = read(sheet).document

    kinds = [b.kind for b in document.blocks]
    assert kinds == [BlockKind.TEXT, BlockKind.TABLE, BlockKind.TEXT]
    assert document.blocks[1].element_index == 0
    assert "| Supply | 2.7 | 5.5 |" in document.markdown


def test_a_table_ruled_across_does_not_reach_over_its_heading_to_the_rule_of_the_header(sheet):

    def table(y: float, rows: tuple[tuple[str, ...], ...]) -> float:
        ys = sheet.rows((60, 326, 396, 466), y, rows, height=16, n_bold=0)
        sheet.across(ys, 60, 540)
        return ys[-1]

    heads = ("", "MIN", "MAX", "UNIT")
    sheet.line(60, 62, 540, 62)
    sheet.text(60, 95, "7.1 ESD Ratings", size=13, bold=True)
    y = table(104, (heads, ("Human-body model", "-2000", "2000", "V"), ("Charge", "-1", "1", "V")))
    sheet.text(60, y + 30, "7.2 Recommended Operating Conditions", size=13, bold=True)
    sheet.text(60, y + 45, "over operating free-air temperature range", size=8)
    supply = ("Supply voltage", "4.5", "36", "V")
    y = table(y + 52, (heads, supply, ("Specified temperature", "-40", "125", "°C")))
    sheet.lines(60, y + 40, PROSE)
    sheet.set_outline([(1, "7.1 ESD Ratings", 1), (1, "7.2 Recommended Operating Conditions", 1)])

    document = read(sheet).document

    heading, text = BlockKind.SECTION_HEADER, BlockKind.TEXT
    kinds = [block.kind for block in document.blocks]
    assert kinds == [heading, BlockKind.TABLE, heading, text, BlockKind.TABLE, text]
    assert [cell.text for cell in document.tables[1].cells if not cell.row] == list(heads)
    assert all(place.bbox.top > 100 for table in document.tables for place in table.provenances)


def test_a_listing_keeps_its_lines_and_indents(sheet):
    sheet.lines(60, 120, PROSE)
    for row, (indent, line) in enumerate(((0, "for level in levels:"), (4, "store(level)"))):
        place = (60 + 6 * indent, 200 + 12 * row)
        sheet.page.insert_text(place, line, fontsize=10, fontname="cour")

    document = read(sheet).document

    assert texts_of(document, BlockKind.CODE) == ["for level in levels:\n    store(level)"]


def test_a_line_repeated_on_the_next_page_does_not_go_on_there(sheet):
    conditions = "at an ambient temperature of 25 °C (unless otherwise noted)"
    sheet.text(60, 400, conditions)
    sheet.new_page()
    sheet.text(60, 400, conditions)
    sheet.lines(60, 430, PROSE)

    assert texts_of(read(sheet).document, BlockKind.TEXT)[:2] == [conditions, conditions]


def test_reading_twice_gives_the_same_document(sheet):
    sheet.lines(60, 120, PROSE)
    sheet.plot(100, 300)

    assert read(sheet) == read(sheet)
