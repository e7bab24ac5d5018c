"""Rows of tables are read once: what they are called, under what they hold, what they state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.answer.cells import RowQuestion, row_statements
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.part_mentions import NO_PARTS, PartMentions
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.table_rows import TableRow, table_rows
from desktop_qa.core.document import ColumnRole
from tests.helpers.tables import Sheet, make_table


def rows_of(*rows: list[str]) -> list[TableRow]:
    table = make_table(rows)
    return table_rows(table, read_columns(table))


def stated(row: TableRow, parts: PartMentions = NO_PARTS) -> list[tuple[str, list[str]]]:
    return [(head, [a.text for a in amounts]) for head, amounts, _cells in row.values(parts)]


def test_a_symbol_stands_beside_the_name_and_the_number_of_a_parameter_is_none():
    (row,) = rows_of(
        ["No.", "Symbol", "Parameter", "Min", "Max", "Unit"],
        ["20", "TWC", "Internal write cycle time", "", "5", "ms"],
    )
    assert (row.name, row.symbol) == ("Internal write cycle time", "TWC")
    assert row.label == "Internal write cycle time (TWC)"


def test_numbers_beside_a_name_stand_under_their_head():
    sheet = Sheet().add_table((["Pin", "Name", "Description"], ["4", "COM", "Common return."]))
    (item,) = sheet.evidence()
    (pin,) = row_statements(RowQuestion("Which pin is COM?", QuestionTerms({})), item, sheet)
    assert pin.text == "COM, Pin = 4: Description **Common return.**."


def test_all_that_tells_a_row_from_others_is_said_whatever_was_asked():
    addresses = ("0011 000", "0011 001", "0011 010", "0011 011")
    rows = [[str(n // 2), str(n % 2), address] for n, address in enumerate(addresses)]
    rows = [["I2C_ADR1", "I2C_ADR0", "Device address"], *rows]
    sheet = Sheet().add_table(rows)
    (item,) = sheet.evidence()
    asked = RowQuestion("Which address is it?", QuestionTerms({"address": 1.0}))
    said = [one.text for one in row_statements(asked, item, sheet)]
    assert said[2:] == [
        "I2C_ADR1 1 at I2C_ADR0 0: Device address **0011 010**.",
        "I2C_ADR1 1 at I2C_ADR0 1: Device address **0011 011**.",
    ]


def test_columns_that_a_word_and_a_year_name_are_both_told():
    sheet = Sheet().add_table(
        (
            ["Segment", "2023", "2022", "% Change organic", "% Change reported"],
            ["Devices", "7,481", "6,971", "11.0", "7.3"],
        )
    )
    (item,) = sheet.evidence()
    asked = RowQuestion(
        "organic growth of devices in 2023", QuestionTerms({"organic": 1.0, "growth": 1.0})
    )
    (row,) = row_statements(asked, item, sheet)
    assert "**7,481**" in row.text
    assert "**11.0**" in row.text
    assert "6,971" not in row.text
    assert "7.3" not in row.text


def test_the_head_of_limits_is_said_whole():
    rows = (
        ["Parameter", "VCC (V)", "CL = 15 pF", "<", "CL = 50 pF", "<", "Unit"],
        ["^", "^", "Min", "Max", "Min", "Max", "^"],
        ["Propagation delay", "5", "", "18", "", "27", "ns"],
    )
    sheet = Sheet().add_table(rows)
    (item,) = sheet.evidence()
    (row,) = row_statements(RowQuestion("?", QuestionTerms({})), item, sheet)
    assert row.text == (
        "Propagation delay at VCC = 5 V: CL = 15 pF: max **18 ns**; CL = 50 pF: max **27 ns**."
    )


def test_bare_numbers_under_a_symbol_are_conditions_with_its_name():
    (row,) = rows_of(
        ["Parameter", "VO (V)", "VIN (V)", "VCC", "Conditions", "Min", "Max", "Unit"],
        ["Sink current", "-", "0,10", "10", "25 °C", "8", "16", "mA"],
    )
    assert row.condition == "VIN = 0,10 V, VCC = 10, 25 °C"


def test_nanoamperes_are_a_unit_and_no_gap():
    (row,) = rows_of(["Parameter", "Typ", "Max", "Unit"], ["Dark current", "10", "100", "nA"])
    ((_head, amounts, _cells),) = row.values(NO_PARTS)
    assert [a.text for a in amounts] == ["10 nA", "100 nA"]
    assert amounts[1].role is ColumnRole.MAX
    assert amounts[1].value == pytest.approx(100e-9)


def test_each_mode_has_its_own_bounds():
    (row,) = rows_of(
        ["Parameter", "Min", "Max", "Min", "Max"],
        ["SCL clock frequency", "0 kHz", "100 kHz", "10 kHz", "400 kHz"],
    )
    values = [texts for _head, texts in stated(row)]
    assert values == [["0 kHz", "100 kHz"], ["10 kHz", "400 kHz"]]


def test_only_the_columns_of_the_part_are_read():
    (row,) = rows_of(
        ["Parameter", "AB100 Typ", "AB101 Typ", "Unit"], ["Supply current", "10", "20", "mA"]
    )
    parts = PartMentions(("AB101",), ("AB100", "AB101"))
    assert [texts for _head, texts in stated(row, parts)] == [["20 mA"]]


def test_where_rows_are_parts_the_heads_name_the_values():
    (row, _other) = rows_of(
        ["Part number", "Package", "Body size"],
        ["AB100", "SOT-23", "2.9 mm"],
        ["AB101", "SC-70", "2.1 mm"],
    )
    assert row.columns.names_parts
    assert stated(row) == [("Package", ["SOT-23"]), ("Body size", ["2.9 mm"])]


def test_row_of_a_doubtful_cell_is_shown_as_printed(monkeypatch):
    rows = (["Parameter", "Min", "Max", "Unit"], ["Supply voltage", "1.8", "5.5", "V"])
    sheet = Sheet().add_table(rows)
    (item,), asked = sheet.evidence(), RowQuestion("?", QuestionTerms({}))
    (sure,) = row_statements(asked, item, sheet)
    assert sure.text == "Supply voltage: min **1.8 V**, max **5.5 V**."
    table = sheet.table(item.segment)
    cells = tuple(replace(c, confidence=0.2) if c.text == "5.5" else c for c in table.cells)
    monkeypatch.setattr(sheet, "table", lambda _segment: replace(table, cells=cells))
    (doubtful,) = row_statements(asked, item, sheet)
    assert doubtful.text.startswith("Supply voltage | 1.8 | 5.5 | V (the row as printed")


@pytest.mark.parametrize(
    ("units", "read"),
    [
        (("", "ns", ""), ["ns", "ns", "ns"]),
        (("µs", "ns", ""), ["µs", "ns", ""]),
        (("", "—", "ns"), ["", "", "ns"]),
    ],
)
def test_a_unit_that_is_printed_once_is_of_all_rows_of_a_name(units, read):
    first, second, third = units
    rows = rows_of(
        ["Parameter", "Conditions", "Max", "Unit"],
        ["Rise time", "VCC = 2 V", "110", first],
        ["^", "VCC = 4.5 V", "22", second],
        ["^", "VCC = 6 V", "19", third],
    )
    assert [row.unit for row in rows] == read
