"""A question about a document that was not read says so instead of a plain refusal."""

from __future__ import annotations

import pytest

from desktop_qa.core.answer import NOT_FOUND_SENTENCE, Answer, AnswerStatus, Query
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.retrieve.unread import named_unread, unread_sentences, with_unread
from tests.helpers.made_answers import make_answer
from tests.helpers.said import said
from tests.helpers.sample_documents import make_status


def _status(file: str, state: DocumentState, reason: str = "", n: int = 0) -> DocumentStatus:
    return make_status(file, state=state, reason=reason, n_segments=n)


FAILED = _status("amps/ACM4197_old.pdf", DocumentState.FAILED, "It is protected by a password.")
READING = _status("ACM4198.pdf", DocumentState.READING)
WAITING = _status("manual_v2.pdf", DocumentState.WAITING)
READY = _status("ACM5000.pdf", DocumentState.READY, n=9)
AGAIN = _status("ACM6000.pdf", DocumentState.READING, n=9)
EMPTY = _status("ACM7000.pdf", DocumentState.READY)
ALL = (FAILED, READING, WAITING, READY, AGAIN, EMPTY)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is the offset of the ACM4197?", [FAILED]),
        ("supply of acm4198 and acm 4197", [FAILED, READING]),
        ("What does manual_v2.pdf say of resets?", [WAITING]),
        ("What does manual_v2 say of resets?", [WAITING]),
        ("What does the manual say of resets?", []),
        ("Offset of the ACM5000?", []),
        ("Offset of the ACM6000?", []),
        ("Offset of the ACM4199?", []),
        ("", []),
    ],
)
def test_documents_are_named_by_file_or_part(question, named):
    assert named_unread(question, ALL) == named


def test_each_state_has_its_sentence():
    assert unread_sentences([FAILED, READING, WAITING]) == (
        "ACM4197_old.pdf could not be read: it is protected by a password.",
        "ACM4198.pdf is still being read; ask again when it is ready.",
        "manual_v2.pdf waits to be read; ask again when it is ready.",
    )
    assert unread_sentences([EMPTY]) == ("ACM7000.pdf was read, but no text was found in it.",)
    many = [_status(f"ACM{n}.pdf", DocumentState.WAITING) for n in range(1000, 1010)]
    assert unread_sentences(many)[-1].startswith("7 more")


def _answer(status: AnswerStatus, text: str) -> Answer:
    return make_answer("?", said(text), status=status)


def test_a_refusal_says_it_and_calls_no_part_absent():
    refused = _answer(AnswerStatus.NOT_FOUND, f"{NOT_FOUND_SENTENCE} **X1** stands in no document.")
    said, notes = with_unread(refused, Query("?", absent=("X1",)), ["X1.pdf waits."])
    assert said.text == f"{NOT_FOUND_SENTENCE} X1.pdf waits. No other document here is about it."
    assert notes == ()


def test_an_answer_from_other_documents_says_that_it_is():
    answered = _answer(AnswerStatus.ANSWERED, "5 mA [1]")
    said, notes = with_unread(answered, Query("?"), ["X1.pdf waits."])
    assert said == answered
    assert notes == ("X1.pdf waits.", "The answer is from other documents.")
