"""Figures of tables as spreadsheets take them."""

from __future__ import annotations

import pytest

from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.core.document import ColumnRole, Table, TableCell
from desktop_qa.gui.tables.table_numbers import (
    Origin,
    as_number,
    as_numbers,
    by_bounds,
    has_numbers,
    heads_of,
    origin_of,
)
from desktop_qa.gui.tables.table_text import copied


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", "1234"),
        ("$ 1,234.50", "1234.5"),
        ("(1,234)", "-1234"),
        ("–40", "-40"),
        ("3.1 %", "3.1%"),
        ("—", ""),
        ("0", "0"),
        ("", None),
        ("(3)", None),
        ("LM317", None),
        ("2.7 to 5.5", None),
        ("±2", None),
    ],
)
def test_a_cell_is_a_number_or_stays_as_printed(text: str, number: str | None) -> None:
    assert as_number(text, frozenset({"(1,234)"})) == number


def statement() -> Table:
    year, path = "Year ended December 31, 2018", (1,)
    return Table(
        *("", "Income", "", 3, 2),
        (
            TableCell(0, 0, 1, 1, "", True, ()),
            TableCell(0, 1, 1, 1, "2018", True, ()),
            TableCell(1, 0, 1, 1, "Net revenues", False, ()),
            TableCell(1, 1, 1, 1, "$ 10,746", False, (), (2,), path, scale=10**6, period=year),
            TableCell(2, 0, 1, 1, "Net loss", False, ()),
            TableCell(2, 1, 1, 1, "(16)", False, (), (4,), path, sign=-1, period=year),
        ),
        *((), ()),
        scale_note="The following table shows revenues (In millions, except per share amounts):",
    )


def test_figures_of_a_statement_go_with_scale_period_sign_and_source() -> None:
    table = statement()
    origin = origin_of((table,), ("EBAY.pdf, page 45 (PDF 47)",))
    rows = [["Net revenues", "$ 10,746"], ["Net loss", "(16)"]]
    assert heads_of(table) == ["", "2018"]
    assert as_numbers(heads_of(table), rows, origin) == [
        ["(In millions, except per share amounts)", "Year ended December 31, 2018"],
        ["Net revenues", "10746"],
        ["Net loss", "-16"],
        [],
        ["Source: EBAY.pdf, page 45 (PDF 47)"],
    ]


def test_the_unit_of_a_row_goes_to_its_name() -> None:
    rows = [["Supply current", "5 mA", "—", "1,000 mA"], ["Range", "2 V", "3 mV", "4 V"]]
    found = as_numbers(("", "A", "B", "C"), rows, Origin())
    assert found[1:] == [
        ["Supply current (mA)", "5", "", "1000"],
        ["Range", "2 V", "3 mV", "4 V"],
    ]


def test_a_comparison_has_a_column_for_each_bound() -> None:
    cell = AnswerCell(
        "min 4.9 V, typ 5 V", 1, bounds=((ColumnRole.MIN, "4.9 V"), (ColumnRole.TYP, "5 V"))
    )
    other = AnswerCell("9 V", 2, bounds=((ColumnRole.VALUE, "9 V"),))
    headers, texts = by_bounds(("", "A", "B"), [(AnswerCell("Output"), cell, other)])
    assert headers == ["", "A min", "A typ", "B"]
    rows = [*texts, ["Current", "", "2 mA", "3 mA"]]
    assert as_numbers(headers, rows, Origin())[1:] == [
        ["Output (V)", "4.9", "5", "9"],
        ["Current (mA)", "", "2", "3"],
    ]


def test_the_unit_of_a_column_goes_to_its_head() -> None:
    rows = [["A", "1.7 V", "25 °C"], ["B", "2 V", "hot"]]
    assert as_numbers(("Part", "Dropout", "Condition"), rows, Origin()) == [
        ["Part", "Dropout (V)", "Condition"],
        ["A", "1.7", "25 °C"],
        ["B", "2", "hot"],
    ]


def test_a_table_of_words_has_nothing_to_copy_as_numbers() -> None:
    assert not has_numbers([["Pin 1", "Input"], ["Pin 2", "—"]])
    assert has_numbers([["Input", "1.25"]])


def test_the_clipboard_says_the_value_of_a_number_in_any_language() -> None:
    data = copied([["Net loss", "-16.5"]], as_numbers=True)
    assert data.text() == "Net loss\t-16.5"
    assert '<td>Net loss</td><td sdval="-16.5" x:num="-16.5">-16.5</td>' in data.html()
