from __future__ import annotations

import pytest

from desktop_qa.core.answer import QuestionType
from desktop_qa.retrieve.question_type import question_type, topic_type
from desktop_qa.retrieve.structure_refs import find_structure_refs
from desktop_qa.retrieve.task_words import split_options


def type_of(question: str) -> QuestionType:
    choice = split_options(question)
    return question_type(question, find_structure_refs(choice.stem), choice)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the reset address of the ORC1604?", QuestionType.FACT),
        ("What is the maximum gain error of the ORC1204?", QuestionType.TABLE),
        ("Which row gives the gain error?", QuestionType.TABLE),
        ("Which figure shows the rejection over frequency?", QuestionType.FIGURE),
        ("Show the block diagram of the ORC1604", QuestionType.FIGURE),
        ("What is the short-circuit current?", QuestionType.FACT),
        ("What is on page 22 of the ORA217?", QuestionType.STRUCTURE),
        ("How many tables are there?", QuestionType.STRUCTURE),
        ("Summarise chapter 4 of the manual", QuestionType.SUMMARY),
        ("Give me a short summary of the interfaces", QuestionType.SUMMARY),
        ("Extract every order code rated for 125 °C", QuestionType.EXTRACTION),
        ("List all registers of the ORT112", QuestionType.EXTRACTION),
        ("Rewrite section 4.2 as a letter to a customer", QuestionType.REWRITE),
        ("Turn the layout rules into a checklist", QuestionType.REWRITE),
        ("What does the ORL3305 cost at 1000 pieces?", QuestionType.OUTSIDE),
        ("What kind of device is the ORM8236?", QuestionType.CLASSIFICATION),
        ("Is the ORA218 an op amp or a comparator?", QuestionType.CLASSIFICATION),
        ("Which bus does it use? A) SPI B) I2C C) CAN", QuestionType.CHOICE),
        ("Which pins are inputs? A) IN B) OUT C) EN (more than one may be right)",
         QuestionType.MULTIPLE_CHOICE),
        ("True or false: the ORT112 has an alert pin.", QuestionType.JUDGEMENT),
        ("Is it true that the ORT112 has an alert pin?", QuestionType.JUDGEMENT),
        ("The ORT112 has ____ alert pins.", QuestionType.FILL_IN),
        ("The interfaces are () and ().", QuestionType.FILL_IN),
        ("Explain the soft start of the ORL3310", QuestionType.DESCRIPTION),
        ("Why must EN be high?", QuestionType.DESCRIPTION),
        ("ORA217 versus ORA218: noise?", QuestionType.COMPARE),
        ("Which of these sensors is the fastest?", QuestionType.ACROSS_DOCUMENTS),
        ("By what factor is the noise of A higher?", QuestionType.CALCULATION),
        ("How do I calibrate the inputs?", QuestionType.PROCEDURE),
        ("How do I compute the divider?", QuestionType.PROCEDURE),
    ],
)  # fmt: skip
def test_the_wording_tells_the_kind(question: str, kind: QuestionType) -> None:
    assert type_of(question) is kind


def test_several_documents_are_compared_and_several_parts_are_in_several_places() -> None:
    text = "What is the noise?"
    assert question_type(text, n_documents=2) is QuestionType.COMPARE
    assert question_type(text, n_parts=2) is QuestionType.CROSS_PAGE


def test_what_is_to_be_done_with_the_answer_does_not_say_where_it_stands() -> None:
    for kind, searched, topic in (
        (QuestionType.CHOICE, "Which figure shows the rejection?", QuestionType.FIGURE),
        (QuestionType.SUMMARY, "how to calibrate the inputs", QuestionType.PROCEDURE),
        (QuestionType.JUDGEMENT, "the maximum current is 5 mA", QuestionType.TABLE),
        (QuestionType.STRUCTURE, "Which figure is on page 5?", QuestionType.STRUCTURE),
    ):
        assert topic_type(kind, searched) is topic
