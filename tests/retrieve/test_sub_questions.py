"""What one question is answered as: parts that lean on each other, and readings."""

from __future__ import annotations

import pytest

from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.sub_questions import SubQuestion, linked, sub_questions, without_lead
from tests.retrieve.test_follow_up import NAMES

PARTS = (Query("What is the gain of the ORA217?"), Query("ORA217: what is the noise?"))


def test_parts_are_answered_one_by_one() -> None:
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
def test_comparisons_tasks_and_single_questions_are_answered_whole(query: Query) -> None:
    assert sub_questions(query) == ()


def test_readings_are_labelled_with_their_parts() -> None:
    query = Query("What gain has the amplifier?", readings=("Gain of ORA217?", "Gain of ORA218?"))
    assert sub_questions(query) == (
        SubQuestion("Gain of ORA217?", "ORA217"),
        SubQuestion("Gain of ORA218?", "ORA218"),
    )


@pytest.mark.parametrize(
    ("before", "part", "answer", "complete"),
    [
        (
            "Which command puts the ORT112 into the mode that measures once?",
            "ORT112: what current does that mode need?",
            "The one_shot command. [1]",
            "ORT112: what current does the mode that measures once (one_shot) need?",
        ),
        (
            "Which pins of the ORM8236 are open-drain pins?",
            "ORM8236: what is their largest voltage?",
            "",
            "ORM8236: what is the largest voltage of the open-drain pins?",
        ),
        (
            "What is the gain of the ORA217?",
            "ORA217: what is its noise?",
            "",
            "What is the noise of the ORA217?",
        ),
        (
            "How do I calibrate the ORB-1?",
            "ORB-1: how long does it take?",
            "",
            "How long does it take (how do I calibrate the ORB-1)?",
        ),
        (
            "What is the gain of the ORA217?",
            "ORA217: what is the noise?",
            "",
            "ORA217: what is the noise?",
        ),
    ],
)
def test_a_part_that_points_back_is_completed(
    before: str, part: str, answer: str, complete: str
) -> None:
    assert linked(part, before, answer, NAMES) == complete


@pytest.mark.parametrize(
    ("part", "bare"),
    [
        ("For the ORA217 with gain 2: what is the noise?", "ORA217: what is the noise?"),
        ("In shutdown: how much does the ORT112 draw?", "How much does the ORT112 draw?"),
        ("In shutdown: how much does it draw?", ""),
        ("ORA217: what is the noise?", ""),
        ("What is the noise of the ORA217?", ""),
    ],
)
def test_a_part_can_be_asked_without_the_condition_before_it(part: str, bare: str) -> None:
    assert without_lead(part, NAMES) == bare
