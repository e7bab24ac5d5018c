"""Numbers are read in base units, and are equal as people round them."""

from __future__ import annotations

import pytest

from desktop_qa.generate.stated_numbers import TIMES, YEAR, are_equal, numbers_in, plain


def values_of(text: str) -> list[tuple[float, str]]:
    return [(pytest.approx(n.value), n.base) for n in numbers_in(plain(text))]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It draws 0.5 A.", [(0.5, "a")]),
        ("from –40 to 85 °C", [(-40, "degc"), (85, "degc")]),
        ("about $4.5 billion in fiscal 2023", [(4.5e9, "$"), (2023, YEAR)]),
        ("up 2.6 percentage points, or 260 basis points", [(2.6, "%"), (2.6, "%")]),
        ("sixteen switches", [(16, "")]),
        ("5 000 Vrms", [(5000, "v")]),
        ("136,000 employees", [(136000, "")]),
        ("ten times as many, two thirds", [(10, TIMES), (2 / 3, TIMES)]),
        ("the KA7806 and Table 3", []),
    ],
)
def test_numbers_of_a_text(text, values):
    assert values_of(text) == values


def test_a_number_without_a_unit_takes_that_of_its_row():
    (number,) = numbers_in("2,000", unit="mA")
    assert (number.value, number.base) == (pytest.approx(2.0), "a")
    (number,) = numbers_in("4,515", scale=10**6)
    assert number.value == 4.515e9


@pytest.mark.parametrize(
    ("said", "stated", "is_rough", "is_equal"),
    [
        ("0.5 A", "500 mA", False, True),
        ("0.5 mA", "0.5 A", False, False),
        ("2.5 V", "2.48 V", False, True),
        ("2.5 V", "2.4 V", False, False),
        ("3 V", "2.9 V", True, True),
        ("3 V", "2.9 V", False, False),
        ("2 V", "2.4 V", True, False),
        ("36,000", "38,000", True, False),
        ("-40 °C", "40 °C", False, False),
        ("2.5 V", "-2.5 V", False, True),
        ("10", "10 V", False, True),
        ("10 A", "10", False, True),
        ("10 A", "10 V", False, False),
        ("2023", "2023 V", False, False),
        ("$3.7 billion", "3,704", False, True),
        ("$3.7 trillion", "3,704", False, False),
    ],
)
def test_equal_numbers(said, stated, is_rough, is_equal):
    (one,), (other,) = numbers_in(plain(said)), numbers_in(plain(stated))
    assert are_equal(one, other, is_rough=is_rough) is is_equal
