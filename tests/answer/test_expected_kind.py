"""A question that can only have one kind of answer is not answered by another."""

from __future__ import annotations

import pytest

from desktop_qa.answer.expected_kind import missing_code, missing_kind

SENTENCE = "The DRV2605 uses 3000 cycles of the internal clock on a reel."


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does a reel of 3000 pieces cost?", "an amount of money"),
        ("How much is it in euros?", "an amount of money"),
        ("Who designed the DRV2605?", "a person or an organisation"),
        ("Who is the CEO of the maker?", "a person or an organisation"),
        ("In which country is it made?", "a country or a town"),
        ("Where was it manufactured?", "a country or a town"),
        ("Which phone models contain the DRV2605?", "what it is used in"),
        ("Which washing machines use the DRV2605?", "what it is used in"),
        ("When was the DRV2605 first sold?", "a year or a date"),
        ("What is the phone number of the support?", "a telephone number"),
        ("What warranty period is given?", "a matter of trade"),
        ("What is the carbon footprint of a reel?", "a matter of trade"),
    ],
)
def test_a_sentence_of_another_kind_is_no_answer(question: str, kind: str) -> None:
    assert missing_kind(question, [SENTENCE]) == kind


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What does it cost?", "A reel is sold for $12.50."),
        ("Who designed it?", "It was designed by Ada Lovelace."),
        ("In which country is it made?", "All parts are assembled in Portugal."),
        ("When was it first sold?", "It was released in March 2011."),
        ("What is the phone number of the support?", "Phone: +46 11 5550 120"),
        ("What warranty period is given?", "The warranty ends after 24 months."),
        ("Who can delete a test plan?", "Only leaders delete plans."),
        ("How much current does the display cost?", "It draws 5 mA."),
        ("Which registers use the CRC?", "CONFIG and STATUS."),
        ("When does the alert pin go low?", "It goes low when the limit is exceeded."),
        ("How long does it take?", "25 ms"),
        ("", "Anything."),
    ],
)
def test_a_fitting_sentence_or_an_open_question_is_left_alone(question: str, sentence: str) -> None:
    assert missing_kind(question, [sentence]) == ""


def test_what_the_question_says_itself_is_no_answer() -> None:
    assert missing_kind("What is the capital of Australia?", ["Australia"])
    assert not missing_kind("Where is the firm based, not Australia?", ["It is based in Japan."])


def test_a_message_is_known_by_its_code() -> None:
    texts = ["E312: Supply overcurrent", "E101: No board found"]
    assert missing_code("What does error E999 mean?", texts) == "E999"
    assert missing_code("What does error E312 mean?", texts) == ""
    assert missing_code("What happens at a fault of 5 V?", texts) == ""
