"""Selections over known texts, without a widget."""

from __future__ import annotations

import pytest

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.page_text import PageText
from desktop_qa.gui.viewer.page_text_selection import (
    Grain,
    PageNotReadError,
    TextPosition,
    TextSelection,
    Unit,
    caret_box,
    offset_at,
    word_at,
)
from desktop_qa.gui.viewer.page_text_table import rows_of_lines, rows_of_tables
from tests.helpers.text_pages import (
    LEFT,
    RIGHT,
    library_table,
    page_of,
    write_columns,
    write_table,
    write_turned,
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> list[PageText]:
    path = write_columns(tmp_path_factory.mktemp("pages") / "columns.pdf")
    return [page_of(path, number) for number in (1, 2)]


@pytest.fixture
def selection(pages) -> TextSelection:
    made = TextSelection(lambda index: pages[index])
    made.n_pages = len(pages)
    return made


def position(page: PageText, x: float, y: float, near: int | None = None) -> TextPosition:
    return TextPosition(page.page_no - 1, offset_at(page, x, y, near))


def where(page: PageText, words: str) -> tuple[float, float]:
    """Return the middle of the left edge of words."""
    start = page.text.index(words)
    (box, *_) = page.boxes(start, start + len(words))
    return box.left, (box.top + box.bottom) / 2


def drag(
    selection: TextSelection, page: PageText, start: tuple[float, float], end: tuple[float, float]
) -> str | None:
    first = position(page, *start)
    selection.begin(first)
    selection.extend(position(page, *end, near=first.offset))
    return selection.text()


def test_a_drag_in_a_line_takes_characters(selection, pages):
    page = pages[0]
    assert drag(selection, page, where(page, "holds"), where(page, "last")) == "holds its "
    assert drag(selection, page, where(page, "last"), where(page, "holds")) == "holds its "
    (box,) = selection.boxes(0)
    assert box.left == pytest.approx(where(page, "holds")[0])


def test_a_drag_in_one_column_leaves_the_other_alone(selection, pages):
    page = pages[0]
    start, end = where(page, "next conversion"), where(page, "ment that")
    assert drag(selection, page, start, end) == (
        "next conversion is complete and then updates the output register with the new "
        "result of the measure-"
    )
    assert all(box.right < 300 for box in selection.boxes(0))


@pytest.mark.parametrize(
    ("x", "y"),
    [(150, 400), (290, 230), (90, 800), (200, 195)],
)
def test_a_drag_into_the_white_below_a_column_stays_in_it(selection, pages, x, y):
    page = pages[0]
    drag(selection, page, where(page, "converter"), (x, y))
    assert all(box.right < 300 for box in selection.boxes(0))
    assert len(selection.boxes(0)) == 5


def test_a_drag_into_the_other_column_takes_the_rest_of_the_first(selection, pages):
    page = pages[0]
    text = drag(selection, page, where(page, "ment that"), where(page, "two to five"))
    assert text.startswith(LEFT[4])
    assert RIGHT[0] in text


def test_a_drag_over_pages_takes_what_lies_between(selection, pages):
    selection.begin(position(pages[0], *where(pages[0], "normal operation")))
    selection.extend(position(pages[1], *where(pages[1], "page.")))
    assert selection.text() == "normal operation.\n\nThe second "
    assert (selection.span.first_page, selection.span.last_page) == (1, 2)
    assert {place.page_no for place in selection.places()} == {1, 2}


def test_clicks_take_the_word_the_line_and_the_paragraph(selection, pages):
    page = pages[0]
    x, y = where(page, "reference")
    for grain, expected in (
        (Grain.WORD, "reference"),
        (Grain.LINE, RIGHT[0]),
        (Grain.PARAGRAPH, " ".join(RIGHT)),
    ):
        selection.begin(position(page, x + 5, y), grain)
        assert selection.text() == expected
    selection.begin(position(page, x + 5, y), Grain.WORD)
    selection.extend(position(page, where(page, "accepts")[0] + 3, y))
    assert selection.text() == "reference input accepts"
    selection.extend(position(page, where(page, "The reference")[0] + 3, y))
    assert selection.text() == "The reference"


@pytest.mark.parametrize(
    ("text", "at", "word"),
    [
        ("the ADS1261-Q1 part", 6, "ADS1261-Q1"),
        ("about 2.5 V", 7, "2.5"),
        ("a (b) c", 2, "("),
        ("ends here", 9, "here"),
    ],
)
def test_words_are_those_of_datasheets(pages, tmp_path, text, at, word):
    from tests.helpers.text_pages import write_words

    page = page_of(write_words(tmp_path / "words.pdf", text))
    start, end = word_at(page, at)
    assert page.text[start:end] == word


def test_the_caret_moves_and_extends_by_key(selection, pages):
    page = pages[0]
    start = page.text.index("The converter")
    selection.begin(TextPosition(0, start))
    selection.move(Unit.WORD, 1, extends=True)
    assert selection.text() == "The "
    selection.move(Unit.CHARACTER, 1, extends=True)
    selection.move(Unit.CHARACTER, -1, extends=True)
    selection.move(Unit.OWN_LINE, 1, extends=True)
    assert selection.text() == LEFT[0]
    selection.move(Unit.LINE, 1, extends=True)
    selection.move(Unit.OWN_LINE, 1, extends=True)
    assert selection.text() == f"{LEFT[0]} {LEFT[1]}"
    selection.move(Unit.LINE, -1, extends=False)
    assert selection.is_empty
    selection.move(Unit.OWN_LINE, -1, extends=False)
    assert selection.caret == TextPosition(0, start)
    selection.move(Unit.WORD, -1, extends=True)
    assert selection.text() == "text"
    selection.move(Unit.DOCUMENT, 1, extends=True)
    assert selection.caret == TextPosition(1, len(pages[1].text))
    selection.move(Unit.DOCUMENT, -1, extends=False)
    assert selection.caret == TextPosition(0, 0)
    selection.move(Unit.CHARACTER, -1, extends=False)
    assert selection.caret == TextPosition(0, 0)


def test_lines_and_pages_are_walked_in_reading_order(selection, pages):
    selection.begin(TextPosition(0, pages[0].text.index("ment that")))
    selection.move(Unit.LINE, 1, extends=False)
    assert pages[0].text[selection.caret.offset :].startswith("The reference")
    selection.move(Unit.PAGE, 1, extends=True)
    assert selection.caret.page_index == 1
    selection.move(Unit.PAGE, -1, extends=True)
    assert selection.caret.page_index == 0
    selection.begin(TextPosition(1, 0))
    selection.move(Unit.CHARACTER, -1, extends=False)
    assert selection.caret == TextPosition(0, len(pages[0].text))


def test_a_selection_that_is_left_by_an_arrow_ends_at_its_edge(selection, pages):
    selection.begin(TextPosition(0, 3))
    selection.extend(TextPosition(0, 9))
    selection.move(Unit.CHARACTER, -1, extends=False)
    assert selection.caret == TextPosition(0, 3)
    assert selection.is_empty


def test_a_page_on_the_way_is_named_and_the_selection_waits(pages):
    known: dict[int, PageText] = {0: pages[0]}
    selection = TextSelection(known.get)
    selection.n_pages = 2
    selection.select_all()
    assert selection.text() is None
    assert not selection.is_empty
    assert selection.boxes(0)
    assert selection.boxes(1) == ()
    selection.begin(TextPosition(0, len(pages[0].text)))
    with pytest.raises(PageNotReadError) as missing:
        selection.move(Unit.CHARACTER, 1, extends=False)
    assert missing.value.page_index == 1
    known[1] = pages[1]
    selection.move(Unit.CHARACTER, 1, extends=False)
    assert selection.caret == TextPosition(1, 0)


def test_all_is_the_whole_document(selection, pages):
    selection.select_all()
    text = selection.text()
    assert text.startswith("A title")
    assert text.endswith("The second page.")
    assert selection.span.end is None
    selection.select_page(1)
    assert selection.text() == "The second page."


def test_a_rectangle_takes_parts_of_lines(selection, pages):
    page = pages[0]
    left, top = where(page, "reference")
    right, bottom = where(page, "pins")[0] + 50, where(page, "less than")[1]
    selection.select_block(Provenance(1, BoundingBox(left - 1, top, right, bottom)))
    text = selection.text()
    lines = text.split("\n")
    assert len(lines) == 3
    assert lines[0].startswith("reference"[:4])
    assert all(line in whole for line, whole in zip(lines, RIGHT, strict=False))
    assert selection.span is None


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_points_on_turned_pages_mean_their_characters(tmp_path, rotation):
    page = page_of(write_turned(tmp_path / "turned.pdf", rotation))
    for offset in (0, 3, 7, 12):
        box = caret_box(page, offset)
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        nudge = 0.2 if offset < len(page.text) else -0.2
        dx, dy = {0: (nudge, 0), 90: (0, nudge), 180: (-nudge, 0), 270: (0, -nudge)}[rotation]
        assert offset_at(page, x + dx, y + dy) == offset


# Tables


@pytest.fixture
def table_page(tmp_path) -> PageText:
    return page_of(write_table(tmp_path / "table.pdf"))


def test_selected_rows_are_a_table_by_their_words(table_page):
    start = table_page.text.index("Supply voltage")
    lines = list(table_page.lines_between(start, len(table_page.text)))
    rows = rows_of_lines(table_page, lines)
    assert rows == [
        ["Supply voltage", "2.7", "5.5", "V"],
        ["Supply current", "1", "3", "mA"],
        ["Temperature", "-40", "125", "C"],
    ]


def test_running_text_is_no_table(pages):
    page = pages[0]
    assert rows_of_lines(page, list(page.lines_between(0, len(page.text)))[1:6]) == []


def test_cells_of_the_librarys_table_are_taken_with_whole_headers(table_page):
    table = library_table(table_page)

    def rows(start: str, end: str) -> list[list[str]]:
        first = table_page.text.index(start)
        last = table_page.text.index(end) + len(end)
        boxes = table_page.boxes(first, last)
        return rows_of_tables([table], [Provenance(1, box) for box in boxes])

    assert rows("Parameter", "mA") == [
        ["Parameter", "Min", "Max", "Unit"],
        ["Supply voltage", "2.7", "5.5", "V"],
        ["Supply current", "1", "3", "mA"],
    ]
    # A header that is selected in part only names not all of the columns.
    assert rows("Max", "5.5") == [["Supply voltage", "2.7", "5.5"]]
    assert rows("Supply current", "3") == [["Supply current", "1", "3"]]


def test_a_selection_outside_of_the_tables_is_none_of_theirs(table_page):
    outside = [Provenance(1, BoundingBox(50, 400, 200, 412))]
    assert rows_of_tables([library_table(table_page)], outside) == []
    assert rows_of_tables([], outside) == []
