"""Tables drawn by the tests, read back through the PDF engine: cells, spans, headings, places."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pymupdf
import pytest

from desktop_qa.core.document import BoundingBox, Table
from desktop_qa.parse.flow import is_drawing
from desktop_qa.parse.table_text import holds_several
from desktop_qa.parse.tables import find_tables, join_continued
from tests.parse.sheet import Sheet

LEFT = 72.0


class Drawing(Sheet):
    """A page on which a test draws a table, and reads it back."""

    body = 9.0

    def fill(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.page.draw_rect((x0, y0, x1, y1), color=None, fill=(0.85, 0.85, 0.85))

    def dots(self, x: float, y: float, end: float, dot: str = ".") -> None:
        """Lead from x to the end with as many dots as have room."""
        self.text(x, y, dot * int((end - x) / pymupdf.get_text_length(dot, fontsize=self.body)))


@pytest.fixture
def drawing() -> Drawing:
    return Drawing()


def texts(table: Table) -> list[list[str]]:
    return [[cell.text if cell else "" for cell in row] for row in table.grid()]


def row_paths(table: Table) -> dict[str, tuple[str, ...]]:
    return {cell.text: table.texts(cell.row_path) for cell in table.cells}


XS = (LEFT, 200.0, 330.0, 400.0, 460.0)
ROWS = (
    ("Parameter", "Conditions", "Min", "Unit"),
    ("Supply voltage", "operating", "1.7", "V"),
    ("Input current", "VIN = 5 V", "0.5", "mA"),
)


SAMPLING = (
    ("Sampling [Hz]", "Normal (bwp = 0xA)", "Twofold", "Fourfold"),
    ("12.5", "5 Hz", "2 Hz", "1 Hz"),
    ("25", "10 Hz", "5 Hz", "3 Hz"),
)
REGISTERS = (
    ("Address", "Name", "Bit 1", "Bit 0", "Page"),
    *((f"${k}0 (${k}1)", f"REG{k}", "-", "-", f"{40 + k}, {90 + k}") for k in range(1, 9)),
)


@pytest.mark.parametrize(
    ("rows", "n_bold", "n_heads"),
    [
        pytest.param(ROWS, 1, 1, id="words in bold"),
        pytest.param(SAMPLING, 0, 1, id="plain words over values"),
        pytest.param((("Package", "TO-220"), ("Weight", "2 g"), ("Height", "4.5 mm")), 0, 0,
                     id="a name beside a name is none"),
        pytest.param(REGISTERS, 1, 1, id="amounts make no statement of it"),
    ],
)  # fmt: skip
def test_ruled_grid_becomes_rows_columns_and_header(drawing, rows, n_bold, n_heads):
    xs = (*XS, 540.0)[: len(rows[0]) + 1]
    drawing.grid(xs, drawing.rows(xs, 100, rows, n_bold=n_bold))
    table = drawing.table()
    assert texts(table) == [list(row) for row in rows]
    assert table.n_header_rows == n_heads


def test_raised_marks_of_notes_are_no_row_of_values(drawing):
    xs = (LEFT, 200.0, 300.0, 400.0)
    rows = (
        ("Item", "AB100", "AB101", "Unit"),
        ("Sink current", "50", "50", "mA"),
        ("Power dissipation", "625 *", "635 *", "mW"),
        ("Storage temperature", "150", "150", "°C"),
    )
    ys = drawing.rows(xs, 100, rows)
    drawing.across((ys[0], ys[1], ys[-1]), LEFT, 450)
    for x, mark in ((225.2, "1"), (325.2, "2")):
        drawing.text(x, 144, mark, size=5)
    table = drawing.table()
    assert [row[0] for row in texts(table)] == [row[0] for row in rows]
    assert texts(table)[2][1].startswith("625")


def test_a_rule_with_a_gap_parts_rows_beside_a_cell_of_both(drawing):
    xs = (LEFT, 200.0, 330.0)
    rows = (
        ("Type No.", "Application", "Package"),
        ("AB100", "Commercial use", "DP-14"),
        ("AB100F", "", "FP-14DA"),
        ("AB100P", "Industrial use", "DP-16"),
        ("AB100FP", "", "FP-16DA"),
    )
    ys = drawing.rows(xs, 100, rows, height=16)
    drawing.across((ys[0], ys[1], ys[3], ys[5]), LEFT, 450)
    for y in (ys[2], ys[4]):
        drawing.line(LEFT, y, 200, y)
        drawing.line(330, y, 450, y)
    assert [row[::2] for row in texts(drawing.table())] == [list(row[::2]) for row in rows]


def test_shaded_cells_with_white_gaps_are_a_grid(drawing):
    ys = [100 + 18 * k for k in range(len(ROWS) + 1)]
    for top, bottom in itertools.pairwise(ys):
        for left, right in itertools.pairwise(XS):
            drawing.fill(left + 1, top + 1, right - 1, bottom - 1)
    drawing.rows(XS, 100, ROWS)
    assert texts(drawing.table()) == [list(row) for row in ROWS]


def test_missing_rule_lets_a_cell_span_rows(drawing):
    ys = [100, 118, 136, 154]
    for y in ys:
        drawing.line(200 if y == 136 else LEFT, y, 460, y)
    drawing.upright(XS, ys[0], ys[-1])
    drawing.rows(XS, 100, (ROWS[0], ("", "operating", "1.7", "V"), ("", "standby", "1.2", "V")))
    drawing.text(LEFT + 4, 140, "Supply voltage")
    table = drawing.table()
    assert [row[0] for row in texts(table)] == ["Parameter", "Supply voltage", "Supply voltage"]
    label = next(cell for cell in table.cells if cell.text == "Supply voltage")
    assert (label.row, label.row_span) == (1, 2)


def test_missing_rule_lets_a_heading_span_columns(drawing):
    xs, ys = (72.0, 200.0, 280.0, 360.0), (100.0, 118.0, 136.0, 154.0, 172.0)
    for y in ys:
        drawing.line(200 if y == 118 else 72, y, 360, y)
    for x in xs:
        drawing.line(x, 118 if x == 280 else 100, x, 172)
    drawing.text(76, 121, "Parameter", bold=True)
    drawing.text(260, 112, "Limits", bold=True)
    drawing.rows(xs, 118, (("", "Min", "Max"), ("Voltage", "1.7", "3.6"), ("Current", "2", "9")))
    table = drawing.table()
    assert table.n_header_rows == 2
    limits = next(cell for cell in table.cells if cell.text == "Limits")
    assert (limits.row, limits.column, limits.column_span) == (0, 1, 2)
    assert texts(table)[2] == ["Voltage", "1.7", "3.6"]


@pytest.mark.parametrize(
    ("heads", "span"), [(("BY95A", "BY95B", "BY95C"), 3), (("Min", "Typ", "Max"), 1)]
)
def test_value_in_the_middle_of_columns_is_theirs_together_but_of_limits_it_is_one(
    drawing, heads, span
):
    xs, ys = (LEFT, 250.0, 310.0, 370.0, 430.0, 480.0), [100 + 18.0 * k for k in range(6)]
    drawing.across(ys, xs[0], xs[-1])
    for x in xs:
        drawing.line(x, ys[0], x, ys[-1] if x in (*xs[:2], *xs[-2:]) else ys[3])
    rows = [
        ("Parameter", *heads, "Unit"),
        ("Peak reverse voltage", "200", "400", "600", "V"),
        ("Blocking voltage", "140", "280", "420", "V"),
        ("Forward current", "", "1.5", "", "A"),
        ("Surge current", "", "35", "", "A"),
    ]
    drawing.rows(xs[:1], 100, [row[:1] for row in rows])
    for k, row in enumerate(rows):
        for x, text in zip((280.0, 340.0, 400.0, 455.0), row[1:], strict=True):
            drawing.text(x, 112 + 18 * k, text, align=0.5)
    (cell,) = [cell for cell in drawing.table().cells if cell.text == "1.5"]
    assert cell.column_span == span


def test_group_row_spans_all_columns_and_is_no_header(drawing):
    ys = drawing.rows(XS, 100, (ROWS[0], ("OFFSET VOLTAGE",), *ROWS[1:]))
    drawing.across(ys, XS[0], XS[-1])
    drawing.upright(XS, ys[0], ys[1])
    for x in XS:
        drawing.line(x, ys[1] if x in (XS[0], XS[-1]) else ys[2], x, ys[-1])
    table = drawing.table()
    group = next(cell for cell in table.cells if cell.text == "OFFSET VOLTAGE")
    assert (group.column, group.column_span, group.is_header) == (0, 4, False)
    assert table.n_header_rows == 1


def test_wrapped_text_is_joined_and_has_a_rectangle_for_each_line(drawing):
    xs = (LEFT, 200.0, 400.0)
    drawing.row(xs, 112, ("Pin", "Description"), bold=True)
    drawing.row(xs, 130, ("EN", "Pull the pin low to deacti-"))
    drawing.row(xs, 141, ("", "vate the output and"))
    drawing.row(xs, 152, ("", "all drivers."))
    drawing.row(xs, 172, ("GND", "Ground."))
    drawing.grid(xs, (100, 118, 160, 178))
    cell = next(cell for cell in drawing.table().cells if cell.text.startswith("Pull"))
    assert cell.text == "Pull the pin low to deactivate the output and all drivers."
    assert len(cell.provenances) == 3
    assert all(place.bbox.height < 16 for place in cell.provenances)
    assert cell.provenances[0].bbox.left == pytest.approx(204, abs=1)


def test_empty_cell_has_the_rectangle_of_the_grid(drawing):
    rows = (ROWS[0], ("Supply voltage", "", "1.7", "V"), ROWS[2])
    drawing.grid(XS, drawing.rows(XS, 100, rows))
    empty = next(cell for cell in drawing.table().cells if not cell.text)
    (place,) = empty.provenances
    assert (empty.row, empty.column) == (1, 1)
    assert place.bbox.left == pytest.approx(200, abs=1)
    assert place.bbox.bottom == pytest.approx(136, abs=1)


def test_stacked_values_become_rows_under_one_label(drawing):
    xs = (LEFT, 190.0, 250.0, 310.0, 480.0)
    drawing.row(xs, 112, ("Characteristic", "Min", "Max", "Conditions"), bold=True)
    drawing.row(xs, 130, ("Clock frequency", "1", "3", "VCC = 4.5 V"))
    drawing.row(xs, 141, ("", "2", "5", "VCC = 2.5 V"))
    drawing.row(xs, 170, ("Hold time", "9", "10", "VCC = 1.8 V"))
    drawing.grid(xs, (100, 118, 150, 180))
    assert texts(drawing.table())[1:] == [
        ["Clock frequency", "1", "3", "VCC = 4.5 V"],
        ["Clock frequency", "2", "5", "VCC = 2.5 V"],
        ["Hold time", "9", "10", "VCC = 1.8 V"],
    ]


def test_columns_under_one_ruled_column_are_found_by_their_headings(drawing):
    xs = (72.0, 200.0, 320.0, 380.0)
    rows = (
        ("Parameter", "Min", "Typ", "Max", "Unit"),
        ("Voltage", "1", "2", "3", "V"),
        ("Current", "", "5", "8", "mA"),
    )
    drawing.grid(xs, drawing.rows((72, 201, 241, 281, 326), 100, rows))
    assert texts(drawing.table()) == [list(row) for row in rows]


def test_table_ruled_across_only_is_read_by_alignment(drawing):
    drawing.across(drawing.rows(XS, 100, ROWS), XS[0], XS[-1])
    table = drawing.table()
    assert texts(table) == [list(row) for row in ROWS]
    assert table.n_header_rows == 1


def test_unruled_table_is_found_by_its_headings(drawing):
    drawing.text(LEFT, 80, "The limits of the device are listed here for all of its variants.")
    noise = ("Output noise", "f = 1 kHz and a source", "12", "nV")
    drawing.rows(XS, 100, (*ROWS, noise), height=13)
    drawing.text(204, 162, "of low impedance")
    drawing.text(LEFT, 230, "Running text goes on below the table, over the width of the page.")
    first, *_, last = texts(drawing.table())
    assert first == list(ROWS[0])
    assert last == ["Output noise", "f = 1 kHz and a source of low impedance", "12", "nV"]


def test_title_above_and_notes_below_belong_to_the_table(drawing):
    drawing.text(LEFT, 90, "Table 7-2. Electrical characteristics", bold=True)
    bottom = drawing.rows(XS, 100, ROWS)
    drawing.grid(XS, bottom)
    drawing.text(LEFT, 166, "(1) Tested in production.", size=8)
    drawing.text(LEFT, 176, "(2) By design.", size=8)
    drawing.text(LEFT, 230, "The next paragraph is text.")
    (page,) = drawing.contents()
    (found,) = find_tables(page)
    assert (found.label, found.caption) == ("Table 7-2", "Electrical characteristics")
    assert found.notes == ("(1) Tested in production.", "(2) By design.")
    left = {word.text for index, word in enumerate(page.words) if index not in found.word_indices}
    assert left == {"The", "next", "paragraph", "is", "text."}


def test_numbered_notes_end_a_table_without_rules(drawing):
    drawing.rows(XS, 100, ROWS, height=14)
    for row, note in enumerate(("Tested in production, at room temperature.", "By design.")):
        drawing.text(LEFT, 158 + 11 * row, f"({row + 1})", size=8)
        drawing.text(LEFT + 22, 158 + 11 * row, note, size=8)
    (found,) = drawing.found_tables()
    assert found.n_rows == len(ROWS)
    assert found.notes == ("(1) Tested in production, at room temperature.", "(2) By design.")


def test_title_below_is_not_taken_for_that_of_the_next_table(drawing):
    for top, label in ((100, "Table 1: First"), (200, "Table 2: Second")):
        drawing.grid(XS, drawing.rows(XS, top, ROWS))
        drawing.text(LEFT, top + 70, label)
    assert [table.label for table in drawing.found_tables()] == ["Table 1", "Table 2"]


def test_table_over_two_pages_is_one_with_one_header(drawing):
    drawing.text(LEFT, 690, "Table 3. Limits", bold=True)
    drawing.grid(XS, drawing.rows(XS, 700, ROWS[:2]))
    drawing.new_page()
    drawing.text(LEFT, 90, "Table 3. Limits (continued)", bold=True)
    drawing.grid(XS, drawing.rows(XS, 100, (ROWS[0], ROWS[2])))
    ((table, parts),) = join_continued(drawing.found_tables())
    assert texts(table) == [list(row) for row in ROWS]
    assert (table.label, table.caption, len(parts)) == ("Table 3", "Limits", 2)
    assert [place.page_no for place in table.provenances] == [1, 2]
    last = next(cell for cell in table.cells if cell.text == "Input current")
    assert last.provenances[0].page_no == 2


def test_tables_of_the_same_headings_with_text_between_stay_apart(drawing):
    drawing.grid(XS, drawing.rows(XS, 300, ROWS))
    drawing.text(LEFT, 500, "Text that follows the first table and parts it from the second.")
    drawing.new_page()
    drawing.grid(XS, drawing.rows(XS, 100, ROWS))
    assert len(join_continued(drawing.found_tables())) == 2


def test_plot_with_gridlines_is_no_table(drawing):
    xs, ys = [150 + 40.0 * k for k in range(7)], [200 + 30.0 * k for k in range(6)]
    drawing.grid(xs, ys)
    for k, x in enumerate(xs):
        drawing.text(x - 3, 365, str(20 * k), size=7)
    for k, y in enumerate(ys):
        drawing.text(130, y + 3, str(10 * k), size=7)
    drawing.page.draw_bezier((150, 340), (200, 330), (260, 210), (390, 205))
    drawing.text(200, 240, "VIN = 5 V", size=7)
    assert drawing.found_tables() == []


def test_frame_around_a_note_is_no_table(drawing):
    drawing.grid((72, 520), (100, 160))
    drawing.text(80, 120, "Note: Do not exceed the limits. The device may be damaged")
    drawing.text(80, 134, "for good when its supply is reversed.")
    assert drawing.found_tables() == []


def test_two_columns_of_running_text_are_no_table(drawing):
    for k in range(12):
        drawing.text(72, 100 + 12 * k, "Lines of running text fill the left column here")
        drawing.text(310, 100 + 12 * k, "and others, as long as these, fill the right")
    assert drawing.found_tables() == []


def test_sideways_table_is_read_upright_and_placed_where_it_stands(drawing):
    rows = (*ROWS, ("Output noise", "1 kHz", "12", "nV"), ("Gain error", "DC", "0.1", "%"))
    for k, row in enumerate(rows):
        for along, text in zip(XS, row, strict=False):
            place = (112 + 18 * k, 796 - along)
            drawing.page.insert_text(place, text, fontsize=drawing.body, rotate=90)
    for k in range(len(rows) + 1):
        drawing.line(100 + 18 * k, 800 - XS[0], 100 + 18 * k, 800 - XS[-1])
    for along in XS:
        drawing.line(100, 800 - along, 100 + 18 * len(rows), 800 - along)
    table = drawing.table()
    assert texts(table) == [list(row) for row in rows]
    cell = next(cell for cell in table.cells if cell.text == "Parameter")
    (place,) = cell.provenances
    assert 100 < place.bbox.left < place.bbox.right < 118
    assert place.bbox.height > place.bbox.width


def test_lines_that_reach_out_of_their_frame_make_no_diagram(drawing):
    ys = drawing.rows(XS, 100, ROWS)
    drawing.line(XS[0], ys[0], XS[0], ys[-1])
    drawing.line(XS[-1], ys[0], XS[-1], ys[-1])
    drawing.across((ys[0], ys[-1]), XS[0], XS[-1])
    drawing.across(ys[1:-1], XS[0] - 2, XS[-1] + 2)
    drawing.upright(XS[1:-1], ys[0] - 13, ys[-1] + 12)
    assert texts(drawing.table()) == [list(row) for row in ROWS]


def test_title_in_the_first_row_of_a_grid_is_no_row(drawing):
    drawing.text(LEFT + 4, 94, "THERMAL CHARACTERISTICS (TA = 25 °C)", bold=True)
    ys = drawing.rows(XS, 100, ROWS)
    drawing.grid(XS, ys)
    drawing.upright((XS[0], XS[-1]), 80, 100)
    drawing.line(XS[0], 80, XS[-1], 80)
    (found,) = drawing.found_tables()
    assert found.caption == "THERMAL CHARACTERISTICS (TA = 25 °C)"
    assert texts(join_continued([found])[0][0]) == [list(row) for row in ROWS]


def test_heading_of_a_group_between_two_grids_is_a_row_of_one_table(drawing):
    drawing.grid(XS, drawing.rows(XS, 100, ROWS[:2]))
    drawing.text(LEFT + 4, 148, "ON CHARACTERISTICS", bold=True)
    drawing.row(XS, 166, ("Gain", "50", "80", "120"))
    drawing.grid(XS, (154, 172))
    grid = texts(drawing.table())
    assert grid[2][0] == "ON CHARACTERISTICS"
    assert grid[3][0] == "Gain"


def test_second_part_with_other_column_widths_goes_on_under_the_same_heads(drawing):
    drawing.grid(XS, drawing.rows(XS, 700, ROWS[:2]))
    drawing.new_page()
    other = (XS[0], *(x - 18 for x in XS[1:-1]), XS[-1])
    drawing.grid(other, drawing.rows(other, 100, (ROWS[0], ROWS[2])))
    ((table, parts),) = join_continued(drawing.found_tables())
    assert len(parts) == 2
    assert texts(table) == [list(row) for row in ROWS]


RATINGS = (
    ("Supply voltage", "-0.5 to +7.0V"),
    ("Input voltage", "-1.5 to +6.5V"),
    ("Clamp current", "±20 mA"),
    ("Storage temperature", "-65°C to +150°C"),
)


def test_names_and_quantities_that_line_up_are_a_table_without_rules_and_heads(drawing):
    drawing.rows((LEFT, 200), 100, RATINGS, height=12)
    grid = texts(drawing.table())
    assert grid == [list(row) for row in RATINGS]


def test_ratings_beside_another_table_are_two_tables(drawing):
    heads = ("", "Min", "Max", "Units")
    rows = (heads, ("Supply voltage", "2", "6", "V"), ("Input voltage", "0", "6", "V"))
    rows = (*rows, ("Temperature", "-40", "85", "°C"))
    drawing.rows((LEFT, 200), 112, RATINGS, height=12)
    drawing.rows((320, 420, 460, 500), 100, rows, height=12)
    drawing.text(LEFT, 90, "Absolute Maximum Ratings", bold=True)
    drawing.text(320, 90, "Recommended Conditions", bold=True)
    (page,) = drawing.contents()
    headings = [BoundingBox(LEFT, 82, 190, 92), BoundingBox(320, 82, 440, 92)]
    words = tuple(word for word in page.words if word.baseline > 95)
    found = find_tables(replace(page, words=words), headings)
    assert sorted(table.n_columns for table in found) == [2, 4]


def test_addresses_and_pins_that_line_up_are_no_tables(drawing):
    addresses = (
        ("2325 Orchard Parkway", "Route des Arsenaux 41", "Theresienstrasse 2"),
        ("San Jose, CA 95131", "1705 Fribourg", "74025 Heilbronn, Germany"),
        ("TEL 1(408) 441-0311", "TEL (41) 26-426-5555", "TEL (49) 71-31-67-0"),
        ("FAX 1(408) 487-2600", "FAX (41) 26-426-5500", "FAX (49) 71-31-67-2340"),
    )
    drawing.rows((LEFT, 220, 380), 100, addresses, height=12)
    pins = (("1OUT", "1", "8", "VDD"), ("1IN-", "2", "7", "2OUT"))
    pins = (*pins, ("1IN+", "3", "6", "2IN-"), ("GND", "4", "5", "2IN+"))
    drawing.rows((200, 240, 270, 300), 300, pins, height=14)
    assert drawing.found_tables() == []


def test_pins_that_are_counted_round_a_package_are_no_table(drawing):
    rows = [(f"NAME{k}", str(k), str(29 - k), f"SEG{k}") for k in range(1, 15)]
    xs = (72.0, 130.0, 160.0, 190.0, 250.0)
    drawing.grid(xs, drawing.rows(xs, 100, rows, height=14))
    assert drawing.found_tables() == []


def test_dimensions_among_the_strokes_of_a_drawing_are_no_statement(drawing):
    levels = (("INPUT A", "90%", "90%"), ("INPUT B", "50%", "50%"), ("OUTPUT", "10%", "10%"))
    drawing.rows((72, 150, 250), 100, levels, height=14)
    drawing.upright((160, 262), 96, 142)
    assert drawing.found_tables() == []


def test_grids_of_the_same_columns_are_one_table_over_the_names_of_groups(drawing):
    top = 100.0
    for k, group in enumerate(("", "OFF CHARACTERISTICS", "ON CHARACTERISTICS")):
        rows = ROWS[:1] if not k else ROWS[1:3]
        if group:
            drawing.text(LEFT, top + 19, group)
            top += 29
        drawing.grid(XS, drawing.rows(XS, top, rows))
        top += 18 * len(rows)
    table = drawing.table()
    assert table.n_header_rows == 1
    assert sum("CHARACTERISTICS" in cell.text for cell in table.cells) == 2


def test_border_drawn_as_a_dash_with_a_wide_pen_is_upright(drawing):
    ys = drawing.rows(XS, 100, ROWS)
    drawing.across(ys, XS[0], XS[-1])
    middle = (ys[0] + ys[-1]) / 2
    for x in XS:
        drawing.page.draw_line((x - 0.4, middle), (x + 0.4, middle), width=ys[-1] - ys[0])
    upright = [rule for rule in drawing.contents()[0].rules if not rule.horizontal]
    assert len(upright) == len(XS)
    assert all(abs(rule.end - rule.start - (ys[-1] - ys[0])) < 1 for rule in upright)


def test_name_in_fewer_lines_than_its_values_stands_beside_all_of_them(drawing):
    xs = (LEFT, 160.0, 260.0, 350.0, 400.0, 450.0)
    drawing.rows(xs, 100, (("Symbol", "Parameter", "Conditions", "VCC", "Max"),))
    values = (("2.0", "100"), ("4.5", "20"), ("6.0", "17"))
    for top, symbol, second in ((118, "tPLH", "Data to Output"), (160, "tTLH", "Enable to Output")):
        drawing.text(76, top + 12, symbol)
        drawing.rows(xs[1:], top, (("Propagation Delay",), (second,)), 11, n_bold=0)
        drawing.rows(xs[3:], top, values, 11, n_bold=0)
    drawing.grid(xs, (100, 118, 160, 202))
    rows = texts(drawing.table())[1:]
    assert [row[1] for row in rows] == [
        *["Propagation Delay Data to Output"] * 3,
        *["Propagation Delay Enable to Output"] * 3,
    ]
    assert [row[3] for row in rows] == ["2.0", "4.5", "6.0"] * 2


def test_line_cut_behind_a_semicolon_goes_on_in_the_row_of_its_value(drawing):
    xs = (LEFT, 200.0, 330.0, 400.0)
    drawing.row(xs, 112, ("Parameter", "Conditions", "Max"), bold=True)
    drawing.row(xs, 130, ("Cut-off current", "VBE = 0 V; VCE = 800 V", "1.0"))
    drawing.row(xs, 141, ("", "VBE = 0 V; VCE = 800 V;", "2.0"))
    drawing.row(xs, 152, ("", "Tj = 125 C"))
    drawing.grid(xs, (100, 118, 160))
    assert [row[1:] for row in texts(drawing.table())[1:]] == [
        ["VBE = 0 V; VCE = 800 V", "1.0"],
        ["VBE = 0 V; VCE = 800 V; Tj = 125 C", "2.0"],
    ]


def test_cell_beside_several_ruled_rows_is_parted_where_its_texts_begin(drawing):
    xs = (LEFT, 170.0, 240.0, 300.0, 360.0)
    drawing.rows(xs, 100, (("Characteristic", "Symbol", "VDD", "Max"),))
    for top, symbol, level in ((118, "VOL", "Low level"), (160, "VOH", "High level")):
        rows = ((level, symbol, "5.0", "1.5"), ("", "", "10", "3.0"), ("", "", "15", "4.0"))
        drawing.rows(xs, top, rows, height=11, n_bold=0)
    drawing.grid(xs, (100, 118))
    drawing.upright(xs, 118, 202)
    drawing.line(xs[1], 160, xs[-1], 160)
    drawing.line(xs[0], 202, xs[-1], 202)
    table = drawing.table()
    assert [row[0] for row in texts(table)[1:]] == [*["Low level"] * 3, *["High level"] * 3]
    low, high = [table.texts(c.row_path) for c in table.cells if c.text == "3.0"]
    assert (low, high) == (("Low level", "VOL", "10"), ("High level", "VOH", "10"))


def test_rules_that_are_a_bitmap_under_the_words_make_a_grid(drawing):
    ys = drawing.rows(XS, 100, ROWS)
    lines = pymupdf.open()
    sheet = lines.new_page(width=612, height=792)
    for y in ys:
        sheet.draw_line((XS[0], y), (XS[-1], y), width=0.4)
    for x in XS:
        sheet.draw_line((x, ys[0]), (x, ys[-1]), width=0.4)
    drawing.page.insert_image(
        drawing.page.rect, pixmap=sheet.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    )
    table = drawing.table()
    assert texts(table) == [list(row) for row in ROWS]
    first = table.cells[0].provenances[0].bbox
    assert (first.left, first.top) == pytest.approx((XS[0] + 4, 103), abs=3)


def test_heads_in_a_grid_of_their_own_stand_over_the_rows_that_rules_part(drawing):
    xs = (72.0, 160.0, 250.0, 310.0, 370.0, 430.0, 500.0)
    drawing.upright(xs, 100, 136)
    rows = (
        ("VCC", "supply voltage", "2.0", "5.0", "6.0", "V"),
        ("VI", "input voltage", "0", "-", "5.5", "V"),
        ("VO", "output voltage", "0", "-", "5.5", "V"),
    )
    drawing.row(xs, 112, ("Symbol", "Parameter", "", "", "", "Unit"))
    drawing.row(xs, 130, ("", "", "Min", "Typ", "Max"))
    drawing.text(360, 112, "74HC164")
    drawing.line(250, 118, 430, 118)
    drawing.rows(xs, 136, rows, height=18, n_bold=0)
    drawing.across((100, 136, 154, 172, 190), 72, 500)
    table = drawing.table()
    assert texts(table)[-3:] == [list(row) for row in rows]
    assert {cell.text for cell in table.cells if cell.is_header} >= {"Symbol", "Min", "Unit"}


def test_head_of_any_words_stands_over_what_a_rule_as_wide_closes(drawing):
    xs = (72.0, 160.0, 250.0, 340.0)
    rows = (("Supply", "Input", "Load"), ("VCC", "tr, tf", "CL"))
    rows = (*rows, ("2.0 V", "6 ns", "50 pF"), ("5.0 V", "6 ns", "15 pF"))
    ys = drawing.rows(xs, 100, rows)
    drawing.grid(xs, ys[:3])
    drawing.across(ys[3:], xs[0], xs[-1])
    assert texts(drawing.table()) == [list(row) for row in rows]


def test_running_text_ends_a_list_between_two_rules_of_the_page(drawing):
    rows = [("", "IRFP450", "UNITS")]
    rows += [(f"Rating {k}", str(111 * k), "mA") for k in range(1, 10)]
    ys = drawing.rows((72, 300, 450), 100, rows, height=13)
    for y in ys[1:-1]:
        drawing.text(130, y + 12, ". . . . . . . . . . . .")
    drawing.text(72, ys[-1] + 14, "CAUTION: " + "Stresses above those listed may damage it. " * 2)
    drawing.across((90, ys[-1] + 40), 72, 520)
    assert texts(drawing.table()) == [list(row) for row in rows]


def test_grid_in_a_frame_with_other_cells_is_the_table(drawing):
    drawing.grid(XS, drawing.rows(XS, 200, ROWS))
    drawing.grid((60, 480), (90, 300, 330))
    places = (60, 148, 248, 348)
    drawing.upright(places, 300, 330)
    drawing.row(places, 318, ("2325 Orchard", "44A, 44-lead", "10 x 10 mm", "REV. B"))
    drawing.text(66, 110, "PIN 1 IDENTIFIER")
    assert texts(drawing.table()) == [list(row) for row in ROWS]


def test_dots_lead_from_names_to_values_but_not_to_pages(drawing):
    names = ("Supply Voltage", "Storage Temperature Range", "Input Voltage", "ESD Rating")
    values = ("+8.0V", "-65°C to +150°C", "-0.5V to +6V", "Class 1")
    for top, ends in ((112, values), (312, ("3", "4", "5", "6"))):
        for k, (name, end) in enumerate(zip(names, ends, strict=True)):
            free = 300 - pymupdf.get_text_length(f"{name} {end}", fontsize=drawing.body)
            dots = "." * int(free / pymupdf.get_text_length(".", fontsize=drawing.body))
            drawing.text(72, top + 12 * k, f"{name} {dots}{end}")
    assert texts(drawing.table()) == [list(row) for row in zip(names, values, strict=True)]


def test_dots_part_names_from_values_that_stand_under_longer_names(drawing):
    rows = (
        ("Supply Voltage Range, All Types", "-0.5V to +20V"),
        ("Input Voltage", "-0.5V to VDD +0.5V"),
        ("Input Current, Any One Input of Two", "10mA"),
        ("Storage Temperature Range", "-65 to +150"),
    )
    for k, (name, value) in enumerate(rows):
        start = drawing.text(72 + 8 * (k % 2), 112 + 12 * k, name)
        width = pymupdf.get_text_length(value, fontsize=drawing.body)
        drawing.dots(start + 4, 112 + 12 * k, 290 - width, " .")
        drawing.text(300, 112 + 12 * k, value, align=1)
    assert texts(drawing.table()) == [list(row) for row in rows]


def test_wrapped_texts_behind_dots_are_of_the_row_above(drawing):
    names = ("(R0) Row 0 / Data 0 Output of the Encoder (Pin 6)", "Baud (Pin 2)", "Beep (Pin 18)")
    for k, name in enumerate(names):
        drawing.dots(drawing.text(72, 112 + 24 * k, name), 112 + 24 * k, 330)
        drawing.text(332, 112 + 24 * k, "Multiplexed Keypad Signal,")
        drawing.text(350, 122 + 24 * k, "see the Host System Data Input")
    assert [row[0] for row in texts(drawing.table())] == [*names]


def test_lists_that_dots_lead_through_side_by_side_are_two_tables(drawing):
    names = ("Supply Voltage", "Output Voltage", "Input Voltage", "Clamp Voltage")
    for k, name in enumerate(names):
        for x in (72, 330):
            row = (name, ". . . . . . . . . . . .", f"{k + 3}.0V")
            drawing.row((x, x + 66, x + 150), 112 + 12 * k, row)
    assert [table.n_columns for table in drawing.found_tables()] == [2, 2]


def test_text_that_begins_where_names_do_is_not_of_their_list(drawing):
    names = ("Supply Voltage", "Output Voltage", "Input Voltage", "Clamp Voltage")
    for k, name in enumerate(names):
        drawing.text(72, 112 + 12 * k, f"{name} . . . . . . . . . .")
        drawing.text(272, 112 + 12 * k, f"{k + 3}.0V")
    stresses = "Stresses above those listed may cause damage to it, and more"
    drawing.lines(72, 170, [stresses] * 8, size=8.4)
    assert [row[0] for row in texts(drawing.table())] == [*names]


def test_a_sub_name_behind_its_name_is_known_by_those_far_in_below_it(drawing):
    name = "Package thermal impedance, see Note 2:"
    rows = [("Supply voltage", "7 V"), (f"{name} D package", "113 K/W")]
    left = 72 + pymupdf.get_text_length(f"{name} ", fontsize=drawing.body)
    xs = [72.0, 72.0, left, left]
    rows += [("DW package", "105 K/W"), ("N package", "78 K/W")]
    for k, (x, (text, value)) in enumerate(zip(xs, rows, strict=True)):
        drawing.dots(drawing.text(x, 112 + 12 * k, text) + 4, 112 + 12 * k, 330)
        drawing.text(350, 112 + 12 * k, value)
    named = row_paths(drawing.table())
    assert named["113 K/W"] == (name, "D package")
    assert named["78 K/W"] == (name, "N package")


def test_names_of_values_that_line_up_may_be_set_in(drawing):
    rows = (
        (72, "Storage Temperature", "-65 to 150"),
        (72, "Lead Temperature", ""),
        (82, "Plastic Package", "260"),
        (82, "Ceramic Package", "300"),
        (72, "Surface Mount", ""),
        (92, "Vapor Phase", "215"),
        (92, "Infrared", "220"),
    )
    for k, (x, name, value) in enumerate(rows):
        drawing.text(x, 112 + 12 * k, name)
        drawing.text(300, 112 + 12 * k, value, align=1)
    assert [row[-1] for row in texts(drawing.table())] == [value for _x, _name, value in rows]


def test_names_before_columns_that_line_up_are_theirs_wherever_they_begin(drawing):
    rows = (
        (72, "", "Min", "Max", "Units"),
        (72, "Supply voltage", "4.5", "5.5", "V"),
        (72, "Voltage at input or output", "", "", ""),
        (82, "(VIN, VOUT)", "0", "VCC", "V"),
        (72, "Temperature", "-40", "+85", "°C"),
        (72, "Rise or fall times", "", "", ""),
        (82, "(tr, tf)", "", "500", "ns"),
    )
    for k, (x, name, *values) in enumerate(rows):
        drawing.text(x, 112 + 14 * k, name)
        for middle, value in zip((260, 300, 340), values, strict=True):
            drawing.text(middle, 112 + 14 * k, value, align=0.5)
    assert row_paths(drawing.table())["500"] == ("Rise or fall times", "(tr, tf)")


def test_truth_table_without_rules_is_found_by_its_few_states(drawing):
    states = ("HXXH", "LHHL", "LLXH", "LXLH", "HHHL")
    drawing.rows((72, 120, 170, 220), 100, states, height=14)
    assert [row[0] for row in texts(drawing.table())] == [state[0] for state in states]


def test_high_rows_of_full_cells_need_no_heads(drawing):
    rows = (("PINS", "14", "16", "20"), ("A MAX", "6,50", "6,50", "7,50"))
    rows = (*rows, ("A MIN", "5,90", "5,90", "6,90"))
    xs = (72.0, 150.0, 200.0, 250.0, 300.0)
    drawing.rows(xs, 110, rows, height=40, n_bold=0)
    drawing.grid(xs, (100, 140, 180, 220))
    assert texts(drawing.table()) == [list(row) for row in rows]


def test_names_over_columns_of_levels_are_heads_under_a_spanning_one(drawing):
    xs = [72.0, 130.0, 190.0, 250.0, 310.0]
    ys = [100.0 + 18 * k for k in range(9)]
    for k, y in enumerate(ys):
        drawing.line(xs[0], y, xs[-1], y)
        drawing.upright(xs if k else (), ys[k] if k > 1 else ys[1], ys[-1])
    drawing.upright((xs[0], xs[2], xs[-1]), ys[0], ys[1])
    drawing.text(80, 112, "Inputs", bold=True)
    drawing.text(200, 112, "Outputs", bold=True)
    states = ("A1 B1 S2 C2", "L L L H", "H L H L", "L H H L", "H H L H", "L L H H", "H L L L")
    for row, state in enumerate(states):
        drawing.row([x + 16 for x in xs], 130 + 18 * row, state.split())
    table = drawing.table()
    assert table.n_header_rows == 2
    assert table.texts(table.heads()[2]) == ("Outputs", "S2")


def test_states_one_below_the_other_in_a_ruled_row_are_rows_of_its_mode(drawing):
    xs = (72.0, 150.0, 190.0, 230.0, 270.0, 310.0)
    drawing.grid(xs, (100, 118, 136, 160, 184, 202))
    drawing.rows(xs, 100, (("MODE", "CP", "S1", "S0", "Q0"), ("reset", "X", "X", "X", "L")))
    bands = ((146, "left", ("PHLL", "PHLH")), (170, "right", ("PLHL", "PLHH")))
    for y, mode, states in bands:
        drawing.row(xs, y + 5, (mode,))
        drawing.rows(xs[1:], y - 12, states, height=10, n_bold=0)
    drawing.row(xs, 196, ("load", "P", "H", "H", "H"))
    read = texts(drawing.table())
    assert read[2:6] == [
        ["left", "P", "H", "L", "L"],
        ["left", "P", "H", "L", "H"],
        ["right", "P", "L", "H", "L"],
        ["right", "P", "L", "H", "H"],
    ]


def test_single_letters_one_below_the_other_in_a_ruled_row_are_rows(drawing):
    xs = (72.0, 130.0, 190.0)
    drawing.grid(xs, (100, 118, 150))
    drawing.rows(xs, 100, (("INPUT", "OUTPUT"), ("H", "L")))
    drawing.row(xs, 143, ("L", "H"))
    assert texts(drawing.table())[1:] == [["H", "L"], ["L", "H"]]


@pytest.mark.parametrize(
    "rows",
    [
        (("RANK", "A", "B"), ("RANGE", "50~115", "95~300")),
        (("INPUT", "OUTPUT"), ("H", "L"), ("L", "H")),
    ],
)
def test_grid_with_a_text_in_every_cell_is_a_table_however_small(drawing, rows):
    xs = (72.0, 130.0, 190.0, 250.0)[: len(rows[0]) + 1]
    drawing.grid(xs, drawing.rows(xs, 100, rows))
    (table,) = drawing.found_tables()
    assert not is_drawing(table, [], [])
    assert [cell.text for cell in table.cells] == [text for row in rows for text in row]


def test_name_in_two_lines_stands_beside_its_level(drawing):
    xs = (72.0, 150.0, 210.0)
    drawing.grid(xs, (100, 118, 165))
    drawing.rows(xs, 100, (("Inputs", "Output"),))
    rows = (("All Inputs H", "L"), ("One or More", "H"), ("Input L",))
    drawing.rows(xs, 119, rows, height=13, n_bold=0)
    assert texts(drawing.table())[1:] == [["All Inputs H", "L"], ["One or More Input L", "H"]]


def test_name_that_holds_the_first_of_its_sub_names_has_a_row_of_its_own(drawing):
    xs = (LEFT, 240.0, 300.0, 360.0)
    drawing.rows(xs, 100, (("Parameter", "Max", "Unit"),))
    columns = (LEFT, 86.0, 176.0, *xs[1:])
    drawing.row(columns, 130, ("Cutoff Current",))
    drawing.row(columns, 141, ("", "TIP29A", "", "0.3", "mA"))
    drawing.row(columns, 161, ("", "TIP29B", "", "0.2", "mA"))
    drawing.row(columns, 179, ("Sustaining Voltage", "", "TIP29A", "60", "V"))
    drawing.row(columns, 197, ("", "", "TIP29B", "80", "V"))
    drawing.grid(xs, (100, 118, 148, 166, 184, 202))
    table = drawing.table()
    paths = {cell.text: table.texts(cell.row_path) for cell in table.cells if cell.column == 1}
    assert paths["0.3"] == ("Cutoff Current", "TIP29A")
    assert paths["0.2"] == ("Cutoff Current", "TIP29B")
    assert paths["60"] == ("Sustaining Voltage", "TIP29A")
    assert paths["80"] == ("Sustaining Voltage", "TIP29B")


def test_cell_beside_more_rows_than_it_has_lines_is_one_text(drawing):
    xs = (LEFT, 230.0, 320.0, 380.0)
    rows = (
        ("Parameter", "Conditions", "Max"),
        ("Maximum Propagation", "CL = 50 pF", "100"),
        ("Delay", "CL = 100 pF", "150"),
        ("", "CL = 150 pF", "170"),
    )
    drawing.rows(xs, 100, rows)
    drawing.grid(xs, (100, 118))
    drawing.upright(xs, 118, 172)
    drawing.across((136, 154), xs[1], xs[-1])
    drawing.line(xs[0], 172, xs[-1], 172)
    assert [row[0] for row in texts(drawing.table())[1:]] == ["Maximum Propagation Delay"] * 3


def test_quantities_in_a_cell_beside_several_rows_are_conditions_of_all(drawing):
    xs = (LEFT, 190.0, 250.0, 420.0)
    rows = (
        ("Parameter", "Typ", "Conditions"),
        ("Turn-on Delay", "11", "VDD = 28 V"),
        ("Rise Time", "84", "VGS = 5 V, ID = 25 A"),
        ("Fall Time", "15", "RG = 3.4 ohm"),
    )
    drawing.rows(xs, 100, rows)
    drawing.grid(xs, (100, 118))
    drawing.upright(xs, 118, 172)
    drawing.across((136, 154), xs[0], xs[-2])
    drawing.line(xs[0], 172, xs[-1], 172)
    rows = texts(drawing.table())[1:]
    assert [row[2] for row in rows] == ["VDD = 28 V VGS = 5 V, ID = 25 A RG = 3.4 ohm"] * 3


def test_or_alone_on_its_line_joins_the_lines_about_it(drawing):
    xs = (LEFT, 200.0, 260.0, 300.0)
    drawing.rows(xs, 100, (("Parameter", "Max", "VI"),))
    rows = (("Output voltage", "0.1", "VIH"), ("", "0.2", "or"), ("", "0.3", "VIL"))
    for top in (118, 160):
        drawing.rows(xs, top, rows, height=11, n_bold=0)
    drawing.grid(xs, (100, 118, 160, 202))
    assert [row[2] for row in texts(drawing.table())[1:]] == ["VIH or VIL"] * 6


def test_value_that_was_cut_goes_on_in_the_next_line(drawing):
    xs = (LEFT, 200.0, 290.0, 340.0)
    drawing.rows(xs, 100, (("Parameter", "Conditions", "Min", "Unit"),))
    drawing.row(xs, 130, ("Input voltage range", "25 C", "0 to"))
    drawing.row(xs, 141, ("", "", "5.5"))
    drawing.row(xs, 152, ("", "Full range", "0 to"))
    drawing.row(xs, 163, ("", "", "5"))
    drawing.grid((*xs, 390.0), (100, 118, 172))
    rows = texts(drawing.table())[1:]
    assert [row[1:3] for row in rows] == [["25 C", "0 to 5.5"], ["Full range", "0 to 5"]]


def test_conditions_beside_some_rows_with_names_of_their_own_stay_apart(drawing):
    xs = (LEFT, 200.0, 330.0, 400.0)
    rows = (
        ("Parameter", "Conditions", "Max"),
        ("Supply Current", "VS = 3 V", "350"),
        ("Turn-On Time", "No external filter", "1"),
        ("Noise", "", "2"),
        ("Drift", "", "3"),
    )
    drawing.rows(xs, 100, rows, height=11)
    drawing.across((99, 114, 158), LEFT, 460)
    rows = {row[0]: row[1] for row in texts(drawing.table())}
    assert rows["Supply Current"] == "VS = 3 V"
    assert rows["Turn-On Time"] == "No external filter"


def test_column_with_few_values_is_parted_though_most_rows_go_on_behind_it(drawing):
    rows = (
        ("Symbol", "Test conditions", "Min", "Max", "Units"),
        ("ICEV", "VCE=40V", "", "100", "uA"),
        ("ICEO", "VCE=12V", "", "20", "uA"),
        ("IEBO", "VEB=2.0V", "", "100", "uA"),
        ("BVCER", "IC=5.0mA", "40", "", "V"),
        ("BVCEO", "IC=5.0mA", "20", "", "V"),
        ("VCE(SAT)", "IC=100mA, IB=20mA", "", "0.5", "V"),
        ("hFE", "VCE=5.0V", "10", "200", ""),
        ("Cob", "VCB=12V", "", "4.0", "pF"),
    )
    drawing.rows((LEFT, 140.0, 280.0, 340.0, 400.0), 100, rows)
    assert texts(drawing.table()) == [list(row) for row in rows]


def test_names_under_a_spanning_head_are_heads_that_no_rule_parts(drawing):
    xs = (LEFT, 130.0, 330.0, 390.0)
    drawing.text(LEFT + 4, 112, "PIN NAMES", bold=True)
    drawing.text(345, 112, "LOADING (Note a)")
    rows = (
        ("", "", "HIGH", "LOW"),
        ("A, B", "Data Inputs", "0.5 U.L.", "0.25 U.L."),
        ("CP", "Clock Input", "0.5 U.L.", "0.25 U.L."),
        ("MR", "Master Reset Input", "0.5 U.L.", "0.25 U.L."),
        ("Q0", "Outputs", "10 U.L.", "5 (2.5) U.L."),
    )
    drawing.rows(xs, 114, rows, height=14, n_bold=0)
    table = drawing.table()
    assert table.n_header_rows == 2
    assert texts(table)[2:] == [list(row) for row in rows[1:]]
    assert table.texts(table.heads()[3]) == ("LOADING (Note a)", "LOW")


def test_states_in_one_ruled_column_are_parted_under_their_names(drawing):
    xs = (LEFT, 150.0, 220.0)
    rows = (("Control Inputs", "Operation"), ("G", "B to A"), ("L", "A to B"), ("H", "Isolation"))
    drawing.grid(xs, [100, 118, 136, 154, 172])
    drawing.rows(xs, 100, (rows[0],))
    states = (("G", "DIR"), ("L", "L"), ("L", "H"))
    for k, (row, state) in enumerate(zip(rows[1:], states, strict=True)):
        drawing.row((86.0, 116.0, 150.0), 130 + 18 * k, (*state, row[1]))
    assert texts(drawing.table())[1:] == [
        [*state, row[1]] for state, row in zip(states, rows[1:], strict=True)
    ]


def test_heads_with_less_than_a_gap_between_them_part_at_a_known_border(drawing):
    xs, ys = (LEFT, 150.0, 220.0, 251.0, 350.0), [100.0 + 18 * k for k in range(5)]
    drawing.across(ys, xs[0], xs[-1])
    for x in xs:
        drawing.line(x, 118 if x == 251 else 100, x, ys[-1])
    head = ("Device", "Status", "Pins", "Quantity")
    drawing.row((72.0, 150.0, 226.0, 249.0), 112, head, bold=True)
    for k in range(3):
        drawing.row(xs, 130 + 18 * k, (f"74HC64{k}", "ACTIVE", "20", f"{k + 1}00"))
    assert texts(drawing.table())[0] == list(head)


def test_text_that_is_turned_in_a_cell_over_rows_heads_them(drawing):
    xs, ys = (LEFT, 100.0, 200.0, 260.0, 320.0), [100.0 + 18 * k for k in range(6)]
    for k, y in enumerate(ys):
        drawing.line(LEFT if k in (0, 1, 5) else 100, y, 320, y)
    drawing.upright(xs, 100, ys[-1])
    drawing.rows(xs, 100, (("Set", "Parameter", "Min", "Max"),))
    rows = (("Access", "2", "5"), ("Hold", "3", "6"), ("Setup", "4", "7"), ("Valid", "5", "8"))
    drawing.rows(xs[1:], 118, rows, height=18, n_bold=0)
    drawing.page.insert_text((90, 180), "Read Timings", fontsize=9, rotate=90)
    table = drawing.table()
    value = next(cell for cell in table.cells if cell.text == "7")
    assert table.texts(value.row_path) == ("Read Timings", "Setup")


def test_temperatures_over_limits_are_heads(drawing):
    xs = (LEFT, 150.0, 200.0, 250.0, 300.0, 350.0)
    ys = (100.0, 118.0, 136.0, 154.0, 172.0)
    for y in ys:
        drawing.line(150 if y == 118 else LEFT, y, 350, y)
    for x in xs:
        drawing.line(x, 118 if x in (200.0, 300.0) else 100, x, 172)
    drawing.text(76, 121, "Parameter")
    drawing.row((176, 276), 112, ("-40 °C", "+25 °C"))
    rows = (
        ("", "Min", "Max", "Min", "Max"),
        ("Voltage", "1", "4", "2", "3"),
        ("Current", "5", "8", "6", "7"),
    )
    drawing.rows(xs, 118, rows)
    table = drawing.table()
    assert table.n_header_rows == 2
    assert table.texts(table.heads()[4]) == ("+25 °C", "Max")


def test_range_over_two_lines_of_a_ruled_head_is_one_head(drawing):
    xs = (LEFT, 160.0, 220.0, 290.0)
    drawing.grid(xs, (100, 130, 148, 166))
    drawing.row((168,), 112, ("-55 to",))
    drawing.row((72, 168, 236), 124, ("Parameter", "25 °C", "85 °C"))
    drawing.rows(xs, 130, (("Voltage", "1.5", "1.6"), ("Current", "2.5", "2.6")))
    assert texts(drawing.table())[0] == ["Parameter", "-55 to 25 °C", "85 °C"]


def test_texts_end_and_span_as_those_of_neighbouring_bands_do(drawing):
    xs = (LEFT, 130.0, 250.0, 310.0, 360.0, 430.0)
    drawing.rows(xs, 100, (("Symbol", "Parameter", "VCC", "Max", "Conditions"),))
    bands = (
        ("tPD", "delay", ("RL = 2 k;", "CL = 50 pF", "(see Fig. 18)")),
        ("tON", "turn-on time", ("RL = 1 k;", "CL = 50 pF", "(see Figs 19,", "20 and 21)")),
        ("tOFF", "turn-off time", ("RL = 1 k;", "CL = 50 pF", "(see Figs 19,", "20 and 21)")),
    )
    for band, (symbol, name, conditions) in enumerate(bands):
        top = 130 + 52 * band
        drawing.row(xs, top, (symbol, name))
        for k, supply in enumerate(("2.0", "4.5", "6.0", "9.0")):
            drawing.row(
                xs[2:], top + 11 * k, (supply, str(10 * band + k + 5), *conditions[k : k + 1])
            )
    drawing.grid(xs, (100, 118, 170, 222, 274))
    named = row_paths(drawing.table())
    assert "RL = 1 k; CL = 50 pF (see Figs 19, 20 and 21)" in named["18"]
    assert "RL = 1 k; CL = 50 pF (see Figs 19, 20 and 21)" in named["25"]


def test_name_in_two_lines_is_one_where_conditions_tell_its_rows_apart(drawing):
    xs = (LEFT, 130.0, 220.0, 340.0, 400.0)
    drawing.rows(xs, 100, (("Symbol", "Parameter", "Conditions", "Max"),))
    bands = (
        (("hFE", "Current Gain", "IC = 1 A", "20"), ("", "", "IC = 2 A", "5")),
        (("hfe", "Small Signal Gain", "IC = 1 A", "30"), ("", "", "IC = 2 A", "15")),
        (
            ("VCE(sat)", "Collector-Emitter", "IC = 4 A", "1.1"),
            ("", "Sustaining Voltage", "IC = 10 A", "8"),
        ),
    )
    for band, rows in enumerate(bands):
        drawing.rows(xs, 118 + 30 * band, rows, height=11, n_bold=0)
    drawing.grid(xs, (100, 118, 148, 178, 208))
    assert row_paths(drawing.table())["8"] == (
        "VCE(sat)",
        "Collector-Emitter Sustaining Voltage",
        "IC = 10 A",
    )


def test_lines_of_a_cell_name_its_rows_where_nothing_else_does(drawing):
    xs = (LEFT, 250.0, 320.0, 390.0)
    drawing.rows(xs, 100, (("Definition", "Max", "Unit"),))
    drawing.across((100, 118, 136, 208), xs[0], xs[-1])
    drawing.across((154, 172, 190), xs[1], xs[2])
    drawing.upright(xs, 100, 208)
    drawing.row(xs, 130, ("Supply voltage", "20", "V"))
    drawing.row(xs, 148, ("Thermal resistance",))
    packages = ("(8-lead PDIP)", "(8-lead SOIC)", "(14-lead PDIP)", "(14-lead SOIC)")
    for k, (package, value) in enumerate(zip(packages, ("125", "200", "75", "120"), strict=True)):
        drawing.row((176, 250), 148 + 18 * k, (package, value))
    drawing.text(324, 175, "K/W")
    named = row_paths(drawing.table())
    assert named["120"] == ("Thermal resistance", "(14-lead SOIC)")
    assert named["125"] == ("Thermal resistance", "(8-lead PDIP)")


def test_ends_of_lines_that_give_one_quantity_are_sub_names(drawing):
    xs = (LEFT, 260.0, 320.0, 380.0)
    drawing.rows(xs, 100, (("Parameter", "Max", "Unit"),))
    rows = (
        (130, "Supply Current", "", "3"),
        (148, "DC Current Gain (IC = 0.5 A, VCE = 3.0 V)", "", "900"),
        (159, "    (IC = 3.0 A, VCE = 3.0 V)", "", "1000"),
        (177, "Maximum DC reverse current", "TA=25°C", "5.0"),
        (188, "at rated voltage per leg", "TA=125°C", "500"),
    )
    for y, *row in rows:
        drawing.row((LEFT, 206, 260), y, row)
    drawing.grid(xs, (100, 118, 136, 166, 196))
    named = row_paths(drawing.table())
    assert named["1000"] == ("DC Current Gain", "(IC = 3.0 A, VCE = 3.0 V)")
    assert named["900"] == ("DC Current Gain", "(IC = 0.5 A, VCE = 3.0 V)")
    assert named["500"] == ("Maximum DC reverse current at rated voltage per leg", "TA=125°C")


def test_remark_in_brackets_under_a_name_is_no_row(drawing):
    xs = (LEFT, 260.0, 320.0, 380.0)
    rows = (
        ("Parameter", "Max", "Unit"),
        ("Input current", "2.8", "mA"),
        ("  (See TPC 1)", "", ""),
        ("Output current", "0.7", "mA"),
        ("  (See TPC 2)", "", ""),
        ("Leakage", "10", "µA"),
    )
    drawing.grid(xs, (100, 112, 172))
    drawing.rows(xs, 97, rows, height=12)
    named = row_paths(drawing.table())
    assert named["0.7"] == ("Output current (See TPC 2)",)
    assert named["10"] == ("Leakage",)


def test_name_that_opens_several_bands_goes_on_beside_their_values(drawing):
    xs = (72.0, 130.0, 260.0, 330.0, 400.0, 450.0)
    drawing.grid(xs, (100, 118, 142, 166, 190))
    drawing.row(xs, 112, ("Symbol", "Parameter", "Typ", "Max", "Unit"), bold=True)
    for k, name in enumerate(("Data to Output", "Enable to Output", "Select to Output")):
        y = 128 + 24 * k
        drawing.row(xs, y, ("tPLH", "Propagation Delay", "7.0", "12"))
        drawing.row(xs, y + 10, ("tPHL", name, "10", "15"))
        drawing.row(xs[4:], y + 5, ("ns",))
    read = texts(drawing.table())[1:]
    assert [row[1] for row in read[2:4]] == ["Propagation Delay Enable to Output"] * 2
    assert [row[3] for row in read[2:4]] == ["12", "15"]


@pytest.mark.parametrize(
    "text", ["1.2 3.4", "1.2 3.4 5.6", "–0.3 6", "2 mV 7 mV", "45 250", "-10 +0.01", "3 V 5 V"]
)
def test_numbers_that_nothing_joins_are_several(text):
    assert holds_several(text)


@pytest.mark.parametrize(
    "text",
    [
        "5", "–40 to 125", "3.3 ± 10 %", "100 ±10%", "20 000", "0101 1100", "1 1110 0111 0000",
        "0.7 × VDD", "VDD + 0.3", "2.25 X 2.11", "20+0.1Cb", "1.2/3.4", "12 (1)", "7 or 8", "",
        "08-Nov-2021", "5 mA", "1,000",
    ],
)  # fmt: skip
def test_ranges_codes_and_products_are_one_value(text):
    assert not holds_several(text)
