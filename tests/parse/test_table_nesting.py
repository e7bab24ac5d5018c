"""Rows whose labels are indented belong to the row above them."""

from __future__ import annotations

from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from desktop_qa.parse.table_nesting import nest_sub_rows


def make_table(rows: list[tuple[str, float, str]], *, centered: bool = False) -> Table:
    """Label, its indent in points and a value of each row, under a header."""
    cells = [_cell(0, 0, "Parameter", 60.0, header=True), _cell(0, 1, "Max", 300.0, header=True)]
    for row, (label, indent, value) in enumerate(rows, start=1):
        left = 130.0 - 2.5 * len(label) if centered else 60.0 + indent
        cells += [_cell(row, 0, label, left), _cell(row, 1, value, 300.0)]
    place = Provenance(1, BoundingBox(60, 100, 400, 300))
    return Table("Table 1", "Limits", "", len(rows) + 1, 2, tuple(cells), (), (place,))


def _cell(row: int, column: int, text: str, left: float, *, header: bool = False) -> TableCell:
    top = 100.0 + 14 * row
    box = BoundingBox(left, top, left + 5 * len(text), top + 10)
    return TableCell(row, column, 1, 1, text, header, (Provenance(1, box),))


def rows_of(table: Table) -> list[list[str]]:
    return [[cell.text if cell else "" for cell in row] for row in table.grid()]


def test_a_parent_spans_its_indented_rows():
    table = nest_sub_rows(
        make_table(
            [
                ("Supply voltage", 0, "36 V"),
                ("Operating temperature", 0, ""),
                ("ACM324", 8, "70 °C"),
                ("ACM124", 8, "125 °C"),
                ("Storage temperature", 0, "150 °C"),
            ]
        )
    )
    assert rows_of(table) == [
        ["Parameter", "Parameter", "Max"],
        ["Supply voltage", "Supply voltage", "36 V"],
        ["Operating temperature", "", ""],
        ["Operating temperature", "ACM324", "70 °C"],
        ["Operating temperature", "ACM124", "125 °C"],
        ["Storage temperature", "Storage temperature", "150 °C"],
    ]


def test_each_cell_still_covers_its_place_once():
    table = nest_sub_rows(
        make_table([("ESD", 0, ""), ("HBM", 6, "2 kV"), ("CDM", 6, "1 kV"), ("Latch-up", 0, "1 A")])
    )
    covered = [
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    ]
    assert len(covered) == len(set(covered)) == table.n_rows * table.n_columns


def test_centred_labels_are_not_indented():
    rows = [("Ultra low power", 0, "1"), ("Low power", 0, "2"), ("Standard resolution", 0, "3")]
    table = make_table(rows, centered=True)
    assert nest_sub_rows(table) is table


def test_a_wrapped_label_without_values_is_no_sub_row():
    table = make_table(
        [("Input offset", 0, "3 mV"), ("voltage drift", 8, ""), ("Input bias current", 0, "5 pA")]
    )
    assert nest_sub_rows(table) is table


def test_a_heading_without_values_leads_what_is_set_in_under_it():
    table = nest_sub_rows(
        make_table(
            [
                ("Propagation delay", 0, ""),
                ("Clock to Q", 6, ""),
                ("at 5 V supply", 14, "310 ns"),
                ("Reset to Q", 6, ""),
                ("at 10 V supply", 14, "180 ns"),
                ("Pulse width", 0, "185 ns"),
                ("Pulse frequency", 0, "2 MHz"),
                ("Setup time", 0, "40 ns"),
            ]
        )
    )
    (row,) = [row for row in rows_of(table) if row[-1] == "180 ns"]
    assert row[0] == "Propagation delay"
    assert "Reset to Q" in row


def test_a_star_that_hangs_before_a_name_sets_no_other_name_in():
    rows = [
        ("* Maximum reverse current", 0, "5.0"),
        ("Junction capacitance", 10, "25.0"),
        ("Rating for fusing", 10, "15.0"),
        ("* Forward voltage drop", 0, "1.1"),
    ]
    table = make_table(rows)
    assert nest_sub_rows(table) == table
