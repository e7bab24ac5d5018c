import pytest

from desktop_qa.retrieve.answer_kind import asked_dimensions, dimensions_named, limits_in


@pytest.mark.parametrize(
    ("question", "dimensions"),
    [
        ("How long does a conversion take?", {"time"}),
        ("How much does it draw in standby?", {"current"}),
        ("What is the dropout at full load?", {"voltage"}),
        ("How fast can the bus run?", {"frequency"}),
        ("What is the on resistance of the switch?", {"resistance"}),
        ("Give the body size in mm", {"length"}),
        ("Which pin selects the address?", set()),
        ("Show the block diagram", set()),
    ],
)
def test_the_words_of_a_question_tell_the_dimension(question, dimensions):
    assert dimensions_named(question) == dimensions


@pytest.mark.parametrize(
    ("question", "dimensions"),
    [
        ("How long must an overcurrent last before the bridge at 5 V shuts off?", {"time"}),
        ("What is the maximum dropout voltage at half an amp?", {"voltage"}),
        ("Typical upper-FET on-resistance at 5 V and room temperature?", {"resistance"}),
        ("What range of pullup resistance should the power-good pin have?", {"resistance"}),
        ("How many µA flow in shutdown?", {"current"}),
        ("How many milliamps does it need at its slowest air rate?", {"current"}),
        ("Which register holds the threshold voltage?", set()),
        ("How do I set the clock?", set()),
    ],
)
def test_the_dimension_asked_for_is_that_of_the_phrase_that_asks(question, dimensions):
    assert asked_dimensions(question) == dimensions


@pytest.mark.parametrize(
    ("question", "limits"),
    [
        ("What is the worst-case propagation delay?", ["max"]),
        ("At least how much load is needed?", ["min"]),
        ("What does it typically consume?", ["typ"]),
        ("How much does it weigh?", []),
    ],
)
def test_the_words_of_a_question_tell_the_limit(question, limits):
    assert list(limits_in(question)) == limits
