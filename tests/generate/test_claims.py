"""Words around a number say which bound it is, and whether it is denied."""

from __future__ import annotations

import pytest

from desktop_qa.core.document import ColumnRole
from desktop_qa.generate.claims import bound_of, is_denied, is_rough, opposite_in, stems_in
from desktop_qa.generate.stated_numbers import numbers_in, plain


def bounds_in(text: str) -> list[ColumnRole | None]:
    flat = plain(text)
    numbers = numbers_in(flat)
    return [bound_of(flat, numbers, i) for i in range(len(numbers))]


MIN, TYP, MAX = ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("It draws at most 5 mA.", [MAX]),
        ("It draws 5 mA at most.", [MAX]),
        ("It will never draw more than 70 µA.", [MAX]),
        ("It cannot be lower than 0.4 V.", [MIN]),
        ("No more than 71 mA, and a single pin no more than 10 mA.", [MAX, MAX]),
        ("It is typically 0.1 V, and at most 0.2 V.", [TYP, MAX]),
        ("It runs from 2.7 V upwards.", [MIN]),
        ("It is 5 V.", [None]),
    ],
)
def test_the_bound_that_is_said(text, bounds):
    assert bounds_in(text) == bounds


def test_a_hedge_stands_right_before_its_number():
    text = "About the supply: it is roughly 5 V"
    assert is_rough(text, text.index("5"))
    assert not is_rough("About the supply: it is 5 V", 24)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("It does not need a resistor.", True),
        ("No, it needs a resistor.", False),
        ("It draws no more than 5 mA.", False),
        ("Set the alert to Never and save.", False),
        ("None of them is represented.", True),
    ],
)
def test_what_denies(text, denied):
    assert is_denied(text) is denied


def test_an_opposite_turns_a_sentence_round_unless_both_are_there():
    said = stems_in("The price increased")
    assert opposite_in(said, stems_in("Prices decreased in both years")) == "decreas"
    assert not opposite_in(said, stems_in("It increased, then decreased"))
