"""What one question is answered as: its parts, or its readings."""

from __future__ import annotations

import pytest

from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.sub_questions import SubQuestion, sub_questions

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
