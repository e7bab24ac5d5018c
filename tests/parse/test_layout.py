from desktop_qa.core.document import BlockKind, BoundingBox
from desktop_qa.parse.layout import Element, find_columns
from tests.parse.sheet import PROSE, Sheet, block_with, read, texts_of

LEFT_COLUMN = (
    "Left column: the words of this paragraph run on",
    "over several lines, as those of a datasheet do,",
    "and say nothing that matters to the other",
    "column.",
)
RIGHT_COLUMN = (
    "Right column: here too a paragraph stands that",
    "is read only after everything on the other side",
    "of the white strip in the middle was read to its",
    "end.",
)


def _two_columns() -> Sheet:
    sheet = Sheet()
    sheet.text(60, 120, "A line over the whole width of the page stands above both of its columns.")
    for offset in range(3):
        y = 150 + offset * 60
        # The engine meets the columns row by row, as many programs write them.
        for row, (left, right) in enumerate(zip(LEFT_COLUMN, RIGHT_COLUMN, strict=True)):
            sheet.text(60, y + 12 * row, left)
            sheet.text(320, y + 12 * row, right)
    return sheet


def test_the_left_column_is_read_before_the_right_one():
    order = [text.split()[0] for text in texts_of(read(_two_columns()).document, BlockKind.TEXT)]

    assert order == ["A", "Left", "Left", "Left", "Right", "Right", "Right"]


def test_a_paragraph_is_one_block_with_the_words_of_its_lines():
    assert block_with(read(_two_columns()).document, "Left column").text == " ".join(LEFT_COLUMN)


def test_paragraphs_are_cut_where_the_white_between_lines_is_wider(sheet):
    y = sheet.lines(60, 120, PROSE)
    sheet.lines(60, y + 8, PROSE)

    assert texts_of(read(sheet).document, BlockKind.TEXT) == [" ".join(PROSE)] * 2


def test_list_items_keep_their_marker_their_second_line_and_their_nesting(sheet):
    y = sheet.lines(60, 120, PROSE)
    for x, text in (
        (66, "•"), (80, "First of the items of this list, which runs on to another line as"),
        (80, "long ones do"), (66, "•"), (80, "Second"), (86, "–"), (100, "Nested"),
        (66, "•"), (80, "Third"),
    ):  # fmt: skip
        if text in "•–":
            y += 14
        elif text == "long ones do":
            y += 12
        sheet.text(x, y, text)

    document = read(sheet).document

    items = [(b.level, b.text[2:]) for b in document.blocks if b.kind == BlockKind.LIST_ITEM]
    assert items == [
        (1, "First of the items of this list, which runs on to another line as long ones do"),
        (1, "Second"),
        (2, "Nested"),
        (1, "Third"),
    ]


def test_a_paragraph_that_a_page_cuts_is_one_block_with_two_places(sheet):
    sheet.lines(60, 650, PROSE[:3])
    sheet.new_page()
    sheet.lines(60, 120, PROSE[3:])

    block = block_with(read(sheet).document, "The regulator")
    assert block.text == " ".join(PROSE)
    assert [place.page_no for place in block.provenances] == [1, 2]


def test_the_place_of_a_block_is_tight_around_its_words(sheet):
    sheet.lines(60, 120, PROSE)

    result = read(sheet)

    (place,) = block_with(result.document, "The regulator").provenances
    words = [word.bbox for word in result.page_words[0].words]
    assert place.bbox.left == min(box.left for box in words)
    assert place.bbox.bottom == max(box.bottom for box in words)


def test_running_headers_footers_and_page_numbers_are_furniture(sheet):
    for number in sheet.pages(range(1, 6)):
        sheet.text(60, 40, "XR4401 Precision Reference")
        sheet.text(300, 770, f"{number}")
        sheet.lines(60, 120, [f"Page {number} says this. " + PROSE[0], *PROSE[1:]])

    result = read(sheet)

    headers = texts_of(result.document, BlockKind.PAGE_HEADER)
    assert headers == ["XR4401 Precision Reference"] * 5
    assert texts_of(result.document, BlockKind.PAGE_FOOTER) == ["1", "2", "3", "4", "5"]
    assert "XR4401" not in result.document.markdown
    assert all(word.text != "XR4401" for page in result.page_words for word in page.words)


def test_the_page_numbers_of_an_addendum_are_furniture(sheet):
    for page_no in sheet.pages(range(1, 21)):
        sheet.lines(60, 200, [f"The text of page {page_no} is not that of another.", *PROSE])
        if page_no > 18:
            sheet.text(260, 760, f"Addendum-Page {page_no - 18}", size=8)
    texts = [b.text for b in read(sheet).document.blocks if b.kind is BlockKind.TEXT]
    assert not any("Addendum" in text for text in texts)


def test_a_heading_at_the_top_of_a_page_is_no_furniture(sheet):
    for number in sheet.pages(range(1, 5)):
        sheet.text(60, 40, "XR4401 Precision Reference")
        sheet.text(60, 70, f"{number}.0", size=14, bold=True)
        sheet.text(100, 70, f"Chapter on matter {'abcd'[number - 1] * 3}", size=14, bold=True)
        sheet.lines(60, 120, PROSE)

    headings = texts_of(read(sheet).document, BlockKind.SECTION_HEADER)
    assert headings[0] == "1.0 Chapter on matter aaa"
    assert len(headings) == 4


def test_turned_text_is_kept_apart_from_the_paragraphs(sheet):
    sheet.lines(60, 120, PROSE)
    sheet.page.insert_text((40, 400), "Preliminary data may change", rotate=90, fontsize=9)

    document = read(sheet).document

    assert texts_of(document, BlockKind.TEXT) == [" ".join(PROSE), "Preliminary data may change"]


def test_heads_that_recur_at_the_top_of_a_grid_are_no_furniture(sheet):
    for number in sheet.pages(range(1, 5)):
        sheet.text(250, 40, "XR4401")
        xs = (60, 200, 300, 400)
        sheet.grid(xs, (60, 80, 120, 160, 200, 240, 280))
        sheet.row(xs, 74, ("Parameter", "Value", "Unit"))
        for row in range(5):
            values = (f"Input current {number}{row}", f"{row}.{number}", "mA")
            sheet.row(xs, 100 + 40 * row, values)
        sheet.lines(60, 400, [f"Page {number} says this. " + PROSE[0], *PROSE[1:]])

    document = read(sheet).document

    assert texts_of(document, BlockKind.PAGE_HEADER) == ["XR4401"] * 4
    assert all(cell.is_header for t in document.tables for cell in t.cells if cell.text == "Value")
    assert any(cell.text == "Value" for table in document.tables for cell in table.cells)


def _columns_at(sheet: Sheet, y: float, left: str, right: str) -> None:
    for row in range(5):
        sheet.text(60, y + 12 * row, f"{left} words of this paragraph that run on here")
        sheet.text(320, y + 12 * row, f"{right} words of this paragraph that run on here")


def _firsts(sheet: Sheet) -> list[str]:
    return [block.text.split()[0] for block in read(sheet).document.blocks]


def test_a_rule_across_two_columns_parts_them_into_bands(sheet):
    _columns_at(sheet, 120, "One", "Two")
    sheet.page.draw_line((55, 190), (550, 190))
    _columns_at(sheet, 210, "Three", "Four")

    assert _firsts(sheet) == ["One", "Two", "Three", "Four"]


def test_each_of_two_tables_close_to_each_other_stands_below_its_own_heading():
    places = [
        (BlockKind.SECTION_HEADER, BoundingBox(302, 108, 436, 135)),
        (BlockKind.SECTION_HEADER, BoundingBox(107, 108, 276, 133)),
        (BlockKind.TABLE, BoundingBox(106, 137, 296, 270)),
        (BlockKind.TABLE, BoundingBox(299, 137, 491, 279)),
    ]
    elements = [Element(kind, index, place) for index, (kind, place) in enumerate(places)]
    columns = find_columns([], elements)
    assert [list(column.items) for column in columns] == [
        [elements[1], elements[2]],
        [elements[0], elements[3]],
    ]


def test_large_type_with_nothing_beside_it_heads_both_columns_below(sheet):
    _columns_at(sheet, 120, "One", "Two")
    sheet.text(60, 210, "Applications", size=14, bold=True)
    _columns_at(sheet, 240, "Three", "Four")

    assert _firsts(sheet) == ["One", "Two", "Applications", "Three", "Four"]


def test_a_title_above_the_right_column_is_read_before_the_left_one(sheet):
    sheet.text(320, 80, "Adjustable Regulator", size=16)
    _columns_at(sheet, 120, "One", "Two")

    assert _firsts(sheet) == ["Adjustable", "One", "Two"]


def test_a_heading_that_recurs_on_some_pages_is_no_running_header(sheet):
    titles = ("Features", "Limits", *["Dimensions"] * 3, "Orders", "Notes", "Tape", "Reel")
    for number, title in enumerate(sheet.pages(titles)):
        sheet.text(60, 40, "ABC123", size=8)
        sheet.text(60, 75, title, size=14, bold=True)
        sheet.lines(60, 120, [f"Page {number}: {line}" for line in PROSE])
        sheet.text(300, 770, str(number + 1))

    document = read(sheet).document

    assert set(texts_of(document, BlockKind.PAGE_HEADER)) == {"ABC123"}
    assert texts_of(document, BlockKind.SECTION_HEADER).count("Dimensions") == 3


def test_a_line_that_ends_with_the_number_of_its_page_is_furniture(sheet):
    for number in sheet.pages(range(8)):
        chapter = "Reading" if number in (2, 3) else f"Chapter {'abcdefgh'[number]} of words"
        sheet.text(60, 40 + number, f"{chapter} {number + 1 if number in (2, 3) else ''}", size=8)
        sheet.lines(60, 120, [f"{'abcdefgh'[number]} {line}" for line in PROSE])

    assert texts_of(read(sheet).document, BlockKind.PAGE_HEADER) == ["Reading 3", "Reading 4"]
