from __future__ import annotations

import pytest

from desktop_qa.augment.instructions import is_imperative, is_instruction


@pytest.mark.parametrize(
    "sentence",
    [
        "Click the Data tab.",
        "Set CE high.",
        "Then write 0x01 to register 0x1E.",
        "In the Projects window, right-click the name.",
        "Under Options select Advanced.",
        "Do not remove the supply.",
        "To calibrate, short the inputs.",
        "Read back the register.",
    ],
)
def test_imperatives(sentence: str) -> None:
    assert is_imperative(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Supply current is 5 mA.",
        "Load regulation",
        "Output voltage range",
        "The device enters sleep mode.",
        "Reset value of the register",
    ],
)
def test_descriptions_are_no_imperatives(sentence: str) -> None:
    assert not is_imperative(sentence)


def test_what_must_be_done_is_an_instruction() -> None:
    assert is_instruction("The bit must be set before the first conversion.")
    assert is_instruction("You can type the part that you know.")
    assert not is_instruction("See Section 3 for details.")
