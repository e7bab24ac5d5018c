from __future__ import annotations

import pytest

from desktop_qa.answer.answerer import reply_to
from desktop_qa.answer.verdicts import verdict
from desktop_qa.core.answer import Answer
from desktop_qa.evaluate.answers import verdict_of
from tests.answer.own_datasheet import regulator, shown, task_of
from tests.answer.test_choices import MODES, PROSE
from tests.answer.test_compute import report
from tests.helpers.tables import Sheet


def judged(question: str, sheet: Sheet = PROSE) -> Answer:
    task = task_of(question, sheet)
    answer = shown(task, verdict(task))
    assert answer.verdict == verdict_of(answer.text)
    return answer


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("when the EN pin of the QRX7001 is low, a read is still possible", "false"),
        ("when the EN pin of the QRX7001 is low, no write is possible", "true"),
        ("the SDA pin of the QRX7001 needs a pull-up resistor", "true"),
        ("the SDA pin of the QRX7001 does not need a pull-up resistor", "false"),
        ("the pull-up resistor on the SDA pin of the QRX7001 can be left off", "false"),
        ("CSB of the QRX7001 must be connected to ground to select the I2C interface", "false"),
        ("CSB of the QRX7001 must be connected to VDDIO to select the I2C interface", "true"),
    ],
)
def test_a_claim_is_held_against_the_passage_that_decides_it(claim, expected):
    answer = judged(f"True or false: {claim}.")
    assert answer.verdict == expected
    assert answer.citations


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("the maximum dropout voltage of the QRX7001 is 0.18 V", "true"),
        ("the maximum dropout voltage of the QRX7001 is 250 mV", "false"),
        ("the maximum dropout voltage of the QRX7001 is less than 200 mV", "true"),
        ("the maximum dropout voltage of the QRX7001 is more than 0.5 V", "false"),
    ],
)
def test_a_claimed_value_is_compared_by_its_unit(claim, expected):
    assert judged(f"True or false: {claim}.", regulator()).verdict == expected


def test_what_the_documents_do_not_decide_is_said_or_refused():
    task = task_of("True or false: the SDA pin of the QRX7001 is painted green by robots.", PROSE)
    assert not shown(task, reply_to(task)).verdict


RATINGS = (
    Sheet("QRX7001")
    .add_table(
        (
            ("PARAMETER", "MIN", "TYP", "MAX", "UNIT"),
            ("Supply voltage", "2.7", "3.3", "5.5", "V"),
            ("Supply current", "", "1.2", "3", "mA"),
        ),
        "6.1 Recommended Operating Conditions",
    )
    .add_text("The serial interface is compatible with SPI and MICROWIRE.\n", "1 Features")
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can the QRX7001 be supplied with 5 V?", "Yes"),
        ("Does the QRX7001 accept a supply voltage of 12 V?", "No"),
        ("Does the supply current of the QRX7001 exceed 10 mA?", "No"),
        ("Is the QRX7001 compatible with SPI?", "Yes"),
    ],
)
def test_a_question_that_begins_with_its_verb_is_answered_by_yes_or_no(question, said):
    answer = judged(question, RATINGS)
    assert answer.text.startswith(said)
    assert answer.citations


@pytest.mark.parametrize(
    "question",
    [
        "Is the QRX7001 compatible with I2C?",
        "Can I set the serial interface of the QRX7001?",
        "Is the QRX7001 an op amp or a comparator?",
        "What is the supply voltage of the QRX7001?",
        "Is the QRX7001 compatible with SPI, and how fast is it?",
    ],
)
def test_what_no_statement_decides_or_asks_for_more_than_yes_is_answered_otherwise(question):
    assert verdict(task_of(question, RATINGS)) is None


def test_a_state_in_the_cell_under_its_name_decides():
    assert judged("True or false: in Sleep Mode the gyro of the QRX7001 is on.", MODES).verdict == (
        "false"
    )
    assert judged(
        "True or false: in Sleep Mode the gyro of the QRX7001 is off.", MODES
    ).verdict == ("true")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Has the gross margin of the QRX7001 improved in 2022?", "Yes"),
        ("Did the gross margin of the QRX7001 decline from 2020 to 2021?", "Yes"),
        ("Is the gross margin of the QRX7001 declining?", "No"),
        ("Was the QRX7001's gross margin higher in 2021 than a year earlier?", "No"),
        ("Were loans of the QRX7001 below their 2021 level in 2022?", "Yes"),
    ],
)
def test_amounts_of_two_years_tell_a_trend(question, said):
    rows = (("Gross margin", "21.4%", "19.8%", "20.1%"), ("Loans", "7", "9", "8"))
    sheet = Sheet("QRX7001").add_table((("Item", "2022", "2021", "2020"), *rows), "Results")
    assert judged(question, sheet).text.removeprefix("- ").startswith(said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does Nordwind have positive working capital in FY2021?", "Yes: Working capital = "),
        ("Is Nordwind's net margin negative in 2020?", "Yes: Net margin = "),
        ("Did Nordwind's gross margin improve in FY2021?", "Yes: Gross margin = "),
        ("Has Nordwind's net margin declined between FY2019 and FY2020?", "Yes: Net margin = "),
        ("Has Nordwind's net margin improved between FY2019 and FY2020?", "No: Net margin = "),
    ],
)
def test_a_figure_that_is_computed_tells_its_sign_and_its_trend(question, said):
    assert said in judged(question, report()).text
