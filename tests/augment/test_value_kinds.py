import pytest

from desktop_qa.augment.value_kinds import dimensions_in


@pytest.mark.parametrize(
    ("text", "dimensions"),
    [
        ("settles within 25 µs", {"time"}),
        ("draws 500mA", {"current"}),
        ("IQ | Quiescent current | | 12 | mA |", {"current"}),
        ("100 kHz or 400 kHz", {"frequency"}),
        ("RθJA (°C/W)", {"thermal resistance"}),
        ("8 nV/√Hz", {"noise"}),
        ("60 mA/V", {"current"}),
        ("page 3 of 12", set()),
        ("5 Vehicles", set()),
        ("MIN | TYP | MAX", set()),
    ],
)
def test_units_tell_dimensions(text, dimensions):
    assert dimensions_in(text) == dimensions


def test_the_last_word_of_a_row_may_be_its_unit():
    assert dimensions_in("Delay 5 7 ns", at_line_ends=True) == {"time"}
    assert dimensions_in("the letter s", at_line_ends=False) == set()
