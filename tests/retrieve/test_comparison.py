"""What a question that compares asks for."""

from __future__ import annotations

import pytest

from desktop_qa.retrieve.comparison import (
    ComparisonKind,
    Direction,
    is_of_class,
    read_comparison,
)


@pytest.mark.parametrize(
    "question",
    [
        "Compare the AB100 and the XY200",
        "How does the AB100 differ from the XY200?",
        "What are the differences between the AB100 and the XY200 light sensors?",
        "AB100 vs XY200",
        "AB100 or XY200: how do the two buck converters compare?",
        "Compare the AB100 and XY200 ideal diodes",
        "How do the AB100 and XY200 hot-swap controllers differ?",
    ],
)
def test_a_general_comparison_asks_for_everything(question: str) -> None:
    asked = read_comparison(question, ["AB100", "XY200"], 2)
    assert asked is not None
    assert asked.kind is ComparisonKind.WHOLE
    assert not asked.parameters


@pytest.mark.parametrize(
    ("question", "parameters"),
    [
        ("compare AB100 and XY200 on supply current and accuracy", ("supply current", "accuracy")),
        ("Compare light-sleep current of the AB100 and the XY200 chips.", ("light-sleep current",)),
        ("How does the AB100 differ from the XY200 in package height?", ("package height",)),
        ("Compare the supply current of the AB100 and XY200 receivers", ("supply current",)),
    ],
)
def test_chosen_parameters_are_read(question: str, parameters: tuple[str, ...]) -> None:
    asked = read_comparison(question, ["AB100", "XY200"], 2)
    assert asked is not None
    assert asked.kind is ComparisonKind.CHOSEN
    assert asked.parameters == parameters


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
def test_a_ranking_has_a_parameter_and_a_direction(
    question: str, parameter: str, direction: Direction, bound: str
) -> None:
    asked = read_comparison(question, [], 0)
    assert asked is not None
    assert asked.kind is ComparisonKind.RANKING
    assert (asked.parameters, asked.direction, asked.bound) == ((parameter,), direction, bound)


def test_a_ranking_may_hold_at_a_value() -> None:
    asked = read_comparison("Which LDO has the lowest dropout at 500 mA?", [], 0)
    assert asked is not None
    assert asked.parameters == ("dropout",)
    assert asked.condition == ("0.5a",)


@pytest.mark.parametrize(
    ("question", "limit", "direction"),
    [
        ("op amps with quiescent current under 100 µA", "100 uA", Direction.LOWEST),
        ("ADCs with at least 16 bit", "16 bit", Direction.HIGHEST),
    ],
)
def test_a_filter_has_a_limit(question: str, limit: str, direction: Direction) -> None:
    asked = read_comparison(question, [], 0)
    assert asked is not None
    assert asked.kind is ComparisonKind.FILTER
    assert (asked.limit, asked.direction) == (limit, direction)


@pytest.mark.parametrize(
    "question",
    [
        "What is the supply voltage of the AB100?",
        "Which drives a bigger capacitor, the AB100 or the XY200, and what is the limit of each?",
        "AB100 versus XY200: what is the largest full-scale range of each?",
        "How do I reset the AB100 and the XY200?",
        "",
        "?" * 5000,
    ],
)
def test_other_questions_compare_nothing(question: str) -> None:
    assert read_comparison(question, ["AB100", "XY200"], 2) is None


def test_classes_of_devices_are_told_by_their_names() -> None:
    assert is_of_class("AB100 Precision Operational Amplifier", "op amp")
    assert not is_of_class("AB100 Temperature Sensor", "op amp")


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Which of the LM66100 and LM66200 has the lower quiescent current?", Direction.LOWEST),
        ("Which has the larger dropout voltage, the LM66100 or the LM66200?", Direction.HIGHEST),
    ],
)
def test_of_two_named_the_lower_one_is_the_lowest(question: str, direction: Direction) -> None:
    found = read_comparison(question, ("LM66100", "LM66200"), 2)
    assert found is not None
    assert (found.kind, found.direction) == (ComparisonKind.RANKING, direction)
    assert read_comparison("Which parts draw a lower current?", (), 0) is None
