from __future__ import annotations

from dataclasses import replace

from desktop_qa.answer.columns import as_read, read_columns
from desktop_qa.core.document import ColumnRole
from tests.helpers.tables import make_table


def roles(*rows: list[str]) -> list[str]:
    return [role.value for role in read_columns(make_table(rows)).roles]


def test_bounds_units_and_conditions_are_known_by_their_headers():
    assert roles(
        ["PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT"],
        ["Input offset voltage", "TA = 25 °C", "", "1", "3", "mV"],
    ) == ["subject", "condition", "min", "typ", "max", "unit"]


def test_two_columns_under_one_header_of_two_bounds_have_one_each():
    assert roles(
        ["PARAMETER", "MIN TYP", "<", "MAX", "UNIT"], ["Supply current", "1", "2", "3", "mA"]
    ) == ["subject", "min", "typ", "max", "unit"]


def test_a_column_of_parameters_with_their_conditions_names_the_rows():
    assert roles(
        ["Symbol", "Parameter (condition)", "Typ.", "Units"],
        ["VOS", "Input offset voltage (TA = 25 °C)", "1", "mV"],
    ) == ["symbol", "subject", "typ", "unit"]


def test_codes_that_tell_the_rows_of_other_tables_apart_are_values():
    assert roles(
        ["RL (kΩ)", "RH (kΩ)", "Light load", "Frequency (kHz)"],
        ["51", "91", "PWM", "800"],
        ["51", "82", "DCM", "800"],
        ["51", "62", "DCM", "1200"],
    ) == ["subject", "value", "value", "value"]


def test_the_first_column_names_the_rows_of_any_other_table():
    table = make_table([["Data rate", "SINC1", "SINC3"], ["400", "43.36", "53.36"]])
    columns = read_columns(table)
    assert columns.roles == (ColumnRole.SUBJECT, ColumnRole.VALUE, ColumnRole.VALUE)
    assert not columns.has_bounds


def test_a_table_stored_before_there_were_roles_is_read_when_it_answers():
    read = make_table([["Parameter", "Max", "Unit"], ["Supply current", "5", "mA"]])
    cells = tuple(replace(cell, row_path=(), column_path=()) for cell in read.cells)
    assert as_read(replace(read, cells=cells, columns=())) == read
    assert as_read(read) is read


def test_beside_bounds_other_columns_are_told_by_their_whole_heads():
    heads = ["Parameter", "Limit at (°C) 85", "Limit at (°C) 125", "Min", "Max", "Unit"]
    columns = read_columns(make_table([heads, ["Sink current", "6", "5", "8", "16", "mA"]]))
    assert columns.groups((1, 2, 3, 4)) == [(heads[1], (1,)), (heads[2], (2,)), ("", (3, 4))]
