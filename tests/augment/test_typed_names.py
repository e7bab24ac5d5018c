from __future__ import annotations

import pytest

from desktop_qa.augment.typed_names import names_in_question

VOCABULARY = frozenset(
    {
        "nsleep", "status1", "gpiopincfg", "vbatreg", "vin", "in+", "rs485", "io", "load", "ready",
        "mask", "sda", "the", "max", "ctrlmeas", "gpio4", "iso118982", "en", "set", "vref", "ma",
        "setup", "at25", "ontime",
    }
)  # fmt: skip
NAMES = {"nsleep", "vbatreg", "vref", "mask"}


def _found(question: str) -> tuple[str, ...]:
    return names_in_question(question, VOCABULARY, NAMES.__contains__)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what does gpio_pin_cfg do", ("gpiopincfg",)),
        ("reset value of the status1 register", ("status1",)),
        ("what drives pin nsleep low", ("nsleep",)),
        ("does nsleep have a pull-down", ("nsleep",)),
        ("what is in vbat_reg", ("vbatreg",)),
        ("vbat-reg contents", ("vbatreg",)),
        ("range of v in", ("vin",)),
        ("offset at in + please", ("in+",)),
        ("offset at IN+ please", ("in+",)),
        ("is it rs 485 proof", ("rs485",)),
        ("is it rs-485 proof", ("rs485",)),
        ("levels of the i/o pins", ("io",)),
        ("status 1 register", ("status1",)),
        ("gpio 4 after reset", ("gpio4",)),
        ("iso11898-2 limits", ("iso118982",)),
        ("what is ctrl_meas for", ("ctrlmeas",)),
        ("the en pin", ("en",)),
        ("pull pin sda up", ("sda",)),
        ("the mask register", ("mask",)),
    ],
)
def test_names_are_found_as_people_type_them(question: str, names: tuple[str, ...]) -> None:
    assert _found(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "is the load ready",
        "the maximum of the max",
        "clear the set bit",
        "at 25 degrees on time, set up",
        "a current of 5 mA",
        "en route to sda",
        "",
        "... ?! + -",
    ],
)
def test_ordinary_words_are_no_names(question: str) -> None:
    assert _found(question) == ()


def test_a_question_of_ten_thousand_words_is_read_at_its_beginning() -> None:
    assert _found("status1 " + "word " * 10_000 + "nsleep") == ("status1",)
