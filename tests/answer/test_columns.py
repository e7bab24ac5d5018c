from __future__ import annotations

from desktop_qa.answer.columns import ColumnRole, read_columns
from tests.helpers.tables import make_table


def roles(*headers: str) -> list[str]:
    table = make_table([list(headers), ["x"] * len(headers)])
    return [role.value for role in read_columns(table, table.grid()).roles]


def test_bounds_units_and_conditions_are_known_by_their_headers() -> None:
    assert roles("PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT") == [
        "label", "condition", "min", "typ", "max", "unit",
    ]  # fmt: skip


def test_two_columns_under_one_header_of_two_bounds_have_one_each() -> None:
    assert roles("PARAMETER", "MIN TYP", "<", "MAX", "UNIT") == [
        "label", "min", "typ", "max", "unit",
    ]  # fmt: skip


def test_a_column_of_parameters_with_their_conditions_names_the_rows() -> None:
    assert roles("Symbol", "Parameter (condition)", "Typ.", "Units") == [
        "symbol", "label", "typ", "unit",
    ]  # fmt: skip


def test_the_first_column_names_the_rows_of_any_other_table() -> None:
    table = make_table([["Data rate", "SINC1", "SINC3"], ["400", "43.36", "53.36"]])
    columns = read_columns(table, table.grid())
    assert columns.roles == (ColumnRole.LABEL, ColumnRole.VALUE, ColumnRole.VALUE)
    assert not columns.has_bounds
