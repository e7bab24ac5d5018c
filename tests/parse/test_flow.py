"""Titles and conditions that stand right above a table without a label."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.core.document import Table
from desktop_qa.parse.table_captions import conditions_in, without_conditions
from tests.parse.sheet import LEFT, Sheet, read

_XS = (LEFT, 220.0, 320.0, 420.0)
_ROWS = (
    ("Parameter", "Symbol", "Max", ""),
    ("Supply voltage", "VCC", "5.5", ""),
    ("Input current", "IIN", "20", ""),
)


def _table(sheet: Sheet, top: float, rows: Sequence[Sequence[str]] = _ROWS) -> None:
    sheet.grid(_XS, sheet.rows(_XS, top, rows, n_bold=0))


def _tables(sheet: Sheet) -> tuple[Table, ...]:
    return read(sheet).document.tables


def test_line_above_a_table_names_it_and_the_line_between_states_its_conditions(sheet):
    sheet.lines(LEFT, 100, ["The first paragraph of the sheet is text and nothing but text."] * 3)
    sheet.text(LEFT, 200, "Type 74HC00")
    sheet.text(LEFT, 216, "GND = 0 V; CL = 50 pF")
    _table(sheet, 225)
    sheet.text(LEFT, 330, "Type 74HCT00")
    sheet.text(LEFT, 346, "GND = 0 V; CL = 15 pF")
    _table(sheet, 355)
    found = [(table.caption, table.conditions) for table in _tables(sheet)]
    assert found == [
        ("Type 74HC00", ("GND = 0 V; CL = 50 pF",)),
        ("Type 74HCT00", ("GND = 0 V; CL = 15 pF",)),
    ]


def test_sentence_above_a_table_is_no_title(sheet):
    sheet.text(LEFT, 216, "The limits of the device are listed in the table below.")
    _table(sheet, 225)
    (table,) = _tables(sheet)
    assert (table.caption, table.conditions) == ("", ())


def test_conditions_are_cut_out_of_a_title():
    title = "ELECTRICAL CHARACTERISTICS (TJ = 25 °C unless otherwise noted)"
    assert conditions_in(title) == ("TJ = 25 °C unless otherwise noted",)
    assert without_conditions(title) == "ELECTRICAL CHARACTERISTICS"
    assert conditions_in("Maximum Ratings @TA = 25°C unless otherwise specified") == (
        "TA = 25°C unless otherwise specified",
    )
    assert conditions_in("Ordering Information (Note 5)") == ()


def test_title_that_names_another_part_on_each_page_is_no_running_header(sheet):
    parts = ("KA7805A", "KA7812A", "KA7824A", "KA7806A")
    for number, part in enumerate(sheet.pages(parts), start=1):
        sheet.text(LEFT, 40, "KA78XX")
        sheet.text(LEFT, 80, f"Electrical Characteristics ({part})", bold=True, size=12)
        _table(sheet, 100)
        sheet.lines(LEFT, 300, ["Text below the table that belongs to the sheet."] * 3)
        sheet.text(300, 770, str(number))
    headers = [b.text for b in read(sheet).document.blocks if b.kind == "page_header"]
    assert headers == ["KA78XX"] * len(parts)


def test_reference_to_a_note_is_the_second_line_of_a_title_and_none_alone(sheet):
    sheet.text(LEFT, 200, "Maximum Ratings (Note 1)", bold=True)
    sheet.text(LEFT, 216, "(Note 2)", size=8)
    _table(sheet, 225)
    (table,) = _tables(sheet)
    assert table.caption == "Maximum Ratings (Note 1) (Note 2)"


def test_bold_words_before_conditions_are_the_title_in_capitals_or_not(sheet):
    sheet.text(LEFT, 190, "Silicon Transistor", bold=True, size=12)
    sheet.text(LEFT, 216, "absolute maximum ratings", bold=True)
    sheet.text(LEFT + 130, 216, "TC = 25 °C unless otherwise noted", size=8)
    _table(sheet, 225)
    (table,) = _tables(sheet)
    assert table.caption == "absolute maximum ratings TC = 25 °C unless otherwise noted"
    assert table.conditions == ("TC = 25 °C unless otherwise noted",)


def test_title_in_the_style_of_the_headings_heads_its_table(sheet):
    titles = ("Absolute Ratings", "Thermal Resistance", "Static @ TJ = 25 °C")
    for title in sheet.pages(titles):
        sheet.lines(LEFT, 140, [f"{title}: a paragraph of the sheet that is text and no more."] * 3)
        sheet.text(LEFT, 214, title, bold=True, size=12)
        _table(sheet, 225)
    document = read(sheet).document
    headings = [block.text for block in document.blocks if block.kind == "section_header"]
    assert headings == list(titles)
    assert document.tables[2].conditions == ("TJ = 25 °C",)
