"""Values of cells: numbers, ranges, units and what is none of these."""

import pytest

from desktop_qa.answer.amounts import base_unit, read_amounts
from desktop_qa.core.document import ColumnRole

MIN, TYP, MAX, VALUE = ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX, ColumnRole.VALUE


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("±4.5", "mV", [(VALUE, 0.0045, "v")]),
        ("–0.3", "V", [(VALUE, -0.3, "v")]),
        ("2.7 ~ 3.6V", "", [(MIN, 2.7, "v"), (MAX, 3.6, "v")]),
        ("-65 to 150", "°C", [(MIN, -65.0, "degc"), (MAX, 150.0, "degc")]),
        ("-40°C ~ +85°C", "", [(MIN, -40.0, "degc"), (MAX, 85.0, "degc")]),
        ("–40 ∼105", "°C", [(MIN, -40.0, "degc"), (MAX, 105.0, "degc")]),
        ("16,384", "LSB/g", [(VALUE, 16384.0, "lsb/g")]),
        ("20 000", "hPa", [(VALUE, 2e6, "pa")]),
        ("0.02", "% of FSR", [(VALUE, 0.02, "%fs")]),
        ("220", "ug/ sqrt(Hz)", [(VALUE, 0.00022, "g/√hz")]),
        ("71.2(3)", "°C/W", [(VALUE, 71.2, "degc/w")]),
        ("1001000", "", [(VALUE, None, "address")]),
    ],
)
def test_a_cell_is_read_as_what_it_states(text, unit, expected):
    read = [(a.role, a.value, a.unit) for a in read_amounts(text, unit, VALUE)]
    assert read == [
        (role, None if value is None else pytest.approx(value), base)
        for role, value, base in expected
    ]


@pytest.mark.parametrize("text", ["", "—", "-", "N/A", "  "])
def test_a_gap_states_nothing(text):
    assert read_amounts(text, "V", TYP) == ()


def test_a_text_is_kept_and_only_a_formula_gets_the_unit():
    (formula,) = read_amounts("VDD + 0.3", "V", MAX)
    assert (formula.text, formula.value) == ("VDD + 0.3 V", None)
    (words,) = read_amounts("Internally limited", "A", MAX)
    assert (words.text, words.value, words.unit) == ("Internally limited", None, "")


def test_units_of_the_same_kind_have_one_base():
    assert base_unit("kHz")[1] == base_unit("MHz")[1]
    assert base_unit("nV/√Hz")[1] == base_unit("µV/√Hz")[1]
    assert base_unit("mV")[1] != base_unit("mA")[1]
    assert base_unit("fortnights") == (1.0, "fortnights")
