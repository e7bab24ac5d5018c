"""Texts of cells: which hold several values."""

from __future__ import annotations

import pytest

from desktop_qa.parse.table_text import holds_several


@pytest.mark.parametrize(
    "text", ["1.2 3.4", "1.2 3.4 5.6", "–0.3 6", "2 mV 7 mV", "45 250", "-10 +0.01", "3 V 5 V"]
)
def test_numbers_that_nothing_joins_are_several(text: str) -> None:
    assert holds_several(text)


@pytest.mark.parametrize(
    "text",
    [
        "5", "–40 to 125", "3.3 ± 10 %", "100 ±10%", "20 000", "0101 1100", "1 1110 0111 0000",
        "0.7 × VDD", "VDD + 0.3", "2.25 X 2.11", "20+0.1Cb", "1.2/3.4", "12 (1)", "7 or 8", "",
        "08-Nov-2021", "5 mA", "1,000",
    ],
)  # fmt: skip
def test_ranges_codes_and_products_are_one_value(text: str) -> None:
    assert not holds_several(text)
