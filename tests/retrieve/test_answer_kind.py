from __future__ import annotations

import pytest

from desktop_qa.retrieve.answer_kind import asked_dimensions


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
