from __future__ import annotations

import pytest

from desktop_qa.retrieve.answer_kind import asked_dimensions, limit_marks


@pytest.mark.parametrize(
    ("question", "limits"),
    [
        ("What is the worst-case propagation delay?", {"~max", "~limits"}),
        ("At least how much load is needed?", {"~min", "~limits"}),
        ("What does it typically consume?", {"~typ", "~limits"}),
        ("How much does it weigh?", {"~limits"}),
        ("How do I reset it?", set()),
        ("Which pin is ground?", set()),
    ],
)
def test_the_words_of_a_question_tell_the_column(question: str, limits: set[str]) -> None:
    assert set(limit_marks(question)) == limits


@pytest.mark.parametrize(
    ("question", "dimensions"),
    [
        ("How long must an overcurrent last before the bridge at 5 V shuts off?", {"time"}),
        ("What is the maximum dropout voltage at half an amp?", {"voltage"}),
        ("Typical upper-FET on-resistance at 5 V and room temperature?", {"resistance"}),
        ("What range of pullup resistance should the power-good pin have?", {"resistance"}),
        ("How many milliamps does it need at its slowest air rate?", {"current"}),
        ("Which register holds the threshold voltage?", set()),
        ("How do I set the clock?", set()),
    ],
)
def test_the_dimension_asked_for_is_that_of_the_phrase_that_asks(
    question: str, dimensions: set[str]
) -> None:
    assert asked_dimensions(question) == dimensions
