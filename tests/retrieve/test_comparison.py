"""What a question that compares asks for."""

import pytest

from desktop_qa.retrieve.comparison import (
    Direction,
    is_of_class,
    read_comparison,
)


@pytest.mark.parametrize(
    ("question", "parameter", "direction", "bound"),
    [
        ("which of these ADCs has the highest resolution?", "resolution", Direction.HIGHEST, ""),
        (
            "Which op amp here has the lowest quiescent current?",
            "quiescent current",
            Direction.LOWEST,
            "",
        ),
        (
            "Which of the regulators has the lowest maximum dropout voltage?",
            "dropout voltage",
            Direction.LOWEST,
            "max",
        ),
    ],
)
def test_a_ranking_has_a_parameter_and_a_direction(question, parameter, direction, bound):
    asked = read_comparison(question, [], 0)
    assert (asked.parameter, asked.direction, asked.bound or "") == (parameter, direction, bound)
    assert not asked.limit


def test_a_ranking_may_hold_at_a_value():
    asked = read_comparison("Which LDO has the lowest dropout at 500 mA?", [], 0)
    assert asked.parameter == "dropout"
    assert asked.condition == ("0.5a",)


@pytest.mark.parametrize(
    ("question", "limit", "direction"),
    [
        ("op amps with quiescent current under 100 µA", "100 uA", Direction.LOWEST),
        ("ADCs with at least 16 bit", "16 bit", Direction.HIGHEST),
    ],
)
def test_a_filter_has_a_limit(question, limit, direction):
    asked = read_comparison(question, [], 0)
    assert (asked.limit, asked.direction) == (limit, direction)


@pytest.mark.parametrize(
    "question",
    [
        "What is the supply voltage of the AB100?",
        "Compare the AB100 and the XY200",
        "Which drives a bigger capacitor, the AB100 or the XY200, and what is the limit of each?",
        "AB100 versus XY200: what is the largest full-scale range of each?",
        "How do I reset the AB100 and the XY200?",
        "",
        "?" * 5000,
    ],
)
def test_other_questions_rank_nothing(question):
    assert read_comparison(question, ["AB100", "XY200"], 2) is None


def test_classes_of_devices_are_told_by_their_names():
    assert is_of_class("AB100 Precision Operational Amplifier", "op amp")
    assert not is_of_class("AB100 Temperature Sensor", "op amp")


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Which of the LM66100 and LM66200 has the lower quiescent current?", Direction.LOWEST),
        ("Which has the larger dropout voltage, the LM66100 or the LM66200?", Direction.HIGHEST),
    ],
)
def test_of_two_named_the_lower_one_is_the_lowest(question, direction):
    found = read_comparison(question, ("LM66100", "LM66200"), 2)
    assert found.direction is direction
    assert read_comparison("Which parts draw a lower current?", (), 0) is None
