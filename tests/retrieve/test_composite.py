import pytest

from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.composite import SubQuestion, split_question, sub_questions

PARTS = (Query("What is the gain of the ORA217?"), Query("ORA217: what is the noise?"))


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "ORL3305: what is the dropout, and what is the largest output current?",
            ("ORL3305: what is the dropout?", "ORL3305: what is the largest output current?"),
        ),
        (
            "What is the dropout voltage of the ORL3305, and how large must the capacitor be?",
            (
                "What is the dropout voltage of the ORL3305?",
                "ORL3305: how large must the capacitor be?",
            ),
        ),
        (
            "What are the quiescent current and the dropout voltage of the ORL3305?",
            (
                "What are the quiescent current of the ORL3305?",
                "What are the dropout voltage of the ORL3305?",
            ),
        ),
        (
            "What is the I2C address of the ORC1204? How is the address changed?",
            ("What is the I2C address of the ORC1204?", "ORC1204: How is the address changed?"),
        ),
        (
            "What is the gain error of the bench board and at which temperature does it shut down?",
            (
                "What is the gain error of the bench board?",
                "At which temperature does it shut down, of the bench board?",
            ),
        ),
        (
            "What is the slew rate, the offset voltage and the noise of the ORA217 at 5 V?",
            (
                "What is the slew rate of the ORA217 at 5 V?",
                "What is the offset voltage of the ORA217 at 5 V?",
                "What is the noise of the ORA217 at 5 V?",
            ),
        ),
        (
            "What was the revenue of Acme in 2019? How many employees does it have?",
            (
                "What was the revenue of Acme in 2019?",
                "How many employees does it have, of Acme?",
            ),
        ),
        (
            "Find the maximum current of the ORL3305 and tell me at which temperature it derates.",
            (
                "Find the maximum current of the ORL3305?",
                "ORL3305: tell me at which temperature it derates?",
            ),
        ),
        (
            "In shutdown, how much does the ORL3305 draw, and does it discharge the output?",
            (
                "In shutdown, how much does the ORL3305 draw?",
                "ORL3305: does it discharge the output?",
            ),
        ),
    ],
)
def test_each_part_is_complete_in_itself(question, parts):
    assert split_question(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "What is the offset voltage between 1 and 5 V?",
        "What is the offset and gain error of the ORC1204?",
        "What is the difference between the supply current and the ground current of the ORL3305?",
        "What is the voltage between the VIN pin and the GND pin?",
        "What are the read and write times of the ORM8236?",
        "What is the input and output voltage range?",
        "What is the minimum and maximum supply voltage of the ORL3305?",
        "What are the sink and source currents of the ORM8236?",
        "How high is the supply voltage and current of the ORT112?",
        "Which pins are inputs and which are outputs?",
        "Does the ORL3310 discharge its output when disabled, and through what resistance?",
        "What does it draw and how long does it live?",
        "How do I connect the board and start it?",
        "How do I install and configure the board?",
        "What is the input and output capacitance of the ORA217?",
        "I have a board with an ORA217. It gets hot. Why is that?",
        "Which registers are reset when EN falls and VDD is low?",
        "supply current",
        "",
    ],
)
def test_what_is_one_question_stays_one(question):
    assert split_question(question) == ()


def test_parts_are_answered_one_by_one():
    query = Query("…", QuestionType.CROSS_PAGE, parts=PARTS)
    assert [one.question for one in sub_questions(query)] == [part.text for part in PARTS]
    assert tuple(one.reading for one in sub_questions(query)) == PARTS


@pytest.mark.parametrize(
    "query",
    [
        Query("…", QuestionType.CALCULATION, parts=PARTS),
        Query("…", QuestionType.CROSS_PAGE, parts=PARTS, options=(("A", "1"), ("B", "2"))),
        Query("…", parts=PARTS[:1]),
        Query("…", readings=("What is the gain of the ORA217?",)),
        Query("…", readings=("ORA217?", "ORA218?"), document_ids=(DocumentId("x"),)),
    ],
)
def test_comparisons_tasks_and_single_questions_are_answered_whole(query):
    assert sub_questions(query) == ()


def test_readings_are_labelled_with_their_parts():
    query = Query("What gain has the amplifier?", readings=("Gain of ORA217?", "Gain of ORA218?"))
    assert sub_questions(query) == (
        SubQuestion("Gain of ORA217?", "ORA217"),
        SubQuestion("Gain of ORA218?", "ORA218"),
    )
