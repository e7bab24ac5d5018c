from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_qa.answer.answerer import reply_to
from desktop_qa.answer.choice import choice
from desktop_qa.core.answer import Answer
from desktop_qa.evaluate.answers import chosen_options
from tests.answer.own_datasheet import regulator, shown, task_of
from tests.helpers.meanings import FixedMeaning
from tests.helpers.tables import Sheet

MODES = Sheet("QRX7001").add_table(
    (
        ("Mode", "Gyro", "Accel", "During meas."),
        ("Sleep Mode", "Off", "Off", "no"),
        ("Accelerometer Mode", "Off", "On", "yes"),
        ("Gyroscope Mode", "On", "Off", "yes"),
    ),
    "4.19 Power Modes",
)
PROSE = (
    Sheet("QRX7001")
    .add_text(
        "Configuration mode is the only mode where the following registers are modifiable:\n"
        "- CNF1, CNF2, CNF3\n"
        "- TXRTSCTRL\n"
        "- Mask registers",
        "10.1 Configuration Mode",
    )
    .add_text(
        "When the EN pin is low the device can still acknowledge, however, no read or write is "
        "possible.\n"
        "The default clock after reset is the external crystal divided by 2.\n"
        "The SDA pin is an open-drain output and needs a pull-up resistor.\n"
        "CSB must be connected to VDDIO to select the I2C interface.\n"
        "To clear a stuck bus the master transmits nine clocks on SCL.\n"
        "Keep currents higher than 10 mA a few millimeters away from the sensor.",
        "7.4 Operation With EN",
    )
)


def chosen(question: str, sheet: Sheet) -> Answer:
    task = task_of(question, sheet)
    answer = shown(task, choice(task))
    assert set(answer.chosen) == chosen_options(dict(task.query.options), answer.text)
    assert answer.citations
    return answer


def test_an_option_is_chosen_by_its_value_whatever_its_unit():
    question = "What is the maximum dropout voltage of the QRX7001? A) 0.095 V B) 0.18 V C) 0.25 V"
    assert chosen(question, regulator()).chosen == ("B",)


def test_a_typical_value_is_told_from_the_maximum():
    question = "What is the typical dropout voltage of the QRX7001? A) 95 mV B) 180 mV C) 250 mV"
    assert chosen(question, regulator()).chosen == ("A",)


def test_rows_are_judged_by_the_states_that_the_question_names():
    question = (
        "In which modes of the QRX7001 is the gyro Off while the accelerometer delivers data? "
        "A) Sleep Mode B) Accelerometer Mode C) Gyroscope Mode (more than one may be right)"
    )
    assert chosen(question, MODES).chosen == ("B",)


def test_a_column_of_yes_and_no_decides():
    question = (
        "Which modes of the QRX7001 may run during a measurement? "
        "A) Sleep Mode B) Accelerometer Mode C) Gyroscope Mode (several answers possible)"
    )
    assert chosen(question, MODES).chosen == ("B", "C")


def test_options_that_a_list_holds_are_chosen_and_others_not():
    question = (
        "Which registers of the QRX7001 are modifiable in Configuration mode only? Pick all that "
        "apply: A) CNF1 to CNF3 B) TXRTSCTRL C) CANINTE D) the mask registers"
    )
    answer = chosen(question, PROSE)
    assert answer.chosen == ("A", "B", "D")
    assert answer.text.lstrip("- ").startswith("A, B and D:")


def test_a_sentence_chooses_one_option():
    question = (
        "Which clock is the default after reset of the QRX7001? A) the PLL B) the internal "
        "oscillator C) the external crystal divided by 2"
    )
    assert chosen(question, PROSE).chosen == ("C",)


def test_nothing_is_chosen_without_support():
    task = task_of("What colour is the QRX7001? A) purple B) turquoise C) magenta", PROSE)
    assert choice(task) is None


def test_options_that_contradict_the_documents_are_not_chosen():
    task = task_of(
        "What is the maximum dropout voltage of the QRX7001? A) 1 V B) 2 V C) 3 V", regulator()
    )
    assert choice(task) is None


def test_an_endless_list_of_options_is_judged_in_time():
    options = " ".join(f"{letter}) {n} mV" for n, letter in enumerate("ABCDEFGH", start=177))
    task = task_of(f"What is the maximum dropout voltage of the QRX7001? {options}", regulator())
    assert shown(task, choice(task)).chosen == ("D",)
    many = " ".join(f"{letter}) x" * 50 for letter in "ABCDEFGH")
    assert choice(task_of(f"Which? {many}", PROSE)) is None


def test_the_lowest_value_decides_among_options_that_are_names():
    sheet = Sheet("QRX7001").add_table(
        (("Version", "Dropout voltage"), ("QRX-A", "95 mV"), ("QRX-B", "60 mV"), ("QRX-C", "1 V")),
        "5 Device Comparison",
    )
    question = (
        "Which version of the QRX7001 has the lowest dropout voltage? A) QRX-A B) QRX-B C) QRX-C"
    )
    assert chosen(question, sheet).chosen == ("B",)


def test_a_clause_decides_where_a_sentence_names_several_options():
    sheet = Sheet("QRX7001").add_text(
        "The bandwidth is 5 kHz for the X and Y axes, and the bandwidth is 3 kHz for the Z axis.",
        "7.1 Bandwidth",
    )
    question = "What is the bandwidth of the Z axis of the QRX7001? A) 5 kHz B) 3 kHz C) 1 kHz"
    assert chosen(question, sheet).chosen == ("B",)


def test_options_that_the_documents_deny_are_what_a_question_with_not_asks_for():
    question = (
        "Which modes of the QRX7001 cannot run during a measurement? "
        "A) Sleep Mode B) Accelerometer Mode C) Gyroscope Mode (several answers possible)"
    )
    assert chosen(question, MODES).chosen == ("A",)


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("To clear a stuck bus the QRX7001 master sends ____ clocks on SCL.", "nine clocks"),
        ("Keep traces with more than ____ mA a few millimeters from the QRX7001.", "10 mA"),
        ("The QRX7001 selects I2C when CSB is connected to ____.", "VDDIO"),
    ],
)
def test_a_sentence_with_a_gap_is_answered_by_the_one_that_fills_it(question, stated):
    task = task_of(question, PROSE)
    assert stated in shown(task, reply_to(task)).text


@pytest.mark.parametrize(
    "question",
    [
        "True or false:",
        "Is this right?",
        "A) B)",
        "Which? A) B) C)",
        "Calculate ÷ 0 = ??? ____ A) B)",
        "True or false: " + "not " * 500,
    ],
)
def test_questions_without_sense_break_nothing(question):
    task = replace(task_of(question, PROSE), meaning=_NothingAnswers())
    assert "Not found" in reply_to(task).lead


class _NothingAnswers(FixedMeaning):
    def relevances(self, _question: str, texts: Sequence[str]) -> Sequence[float]:
        return [-8.0] * len(texts)
