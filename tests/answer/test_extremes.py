from __future__ import annotations

import pytest

from desktop_qa.answer.extremes import Extreme, extremes_in


@pytest.mark.parametrize(
    ("question", "extremes"),
    [
        ("current at its slowest data rate", (Extreme("frequency", False),)),
        ("noise with the highest supply voltage", (Extreme("voltage", True),)),
        ("what is the highest output voltage", ()),
        ("current at 5 V", ()),
    ],
)
def test_only_conditions_are_extremes(question: str, extremes: tuple[Extreme, ...]) -> None:
    assert extremes_in(question, frozenset()) == extremes


def test_what_is_asked_for_is_no_condition() -> None:
    assert extremes_in("at the lowest voltage", frozenset({"voltage"})) == ()
