"""Conversations that are taken up again, gone on from anywhere, and forgotten whole."""

import pytest

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.history import HistoryState
from desktop_qa.core.question import Question

OFFSET = "What is the typical input offset voltage of the ACM4197?"
GAIN = "What is the gain bandwidth product of the ACM4198?"
FOLLOW_UP = "and at 5 V?"


def test_a_conversation_is_listed_oldest_first_with_what_failed(synced):
    synced.ask(Question(OFFSET, conversation="bench"))
    synced.ask(Question(GAIN, conversation="other"))
    with pytest.raises(QuestionError):
        synced.ask(Question(GAIN, scope=("none.pdf",), conversation="bench"))
    items = synced.conversation_items("bench")
    assert [item.question for item in items] == [OFFSET, GAIN]
    assert [item.state for item in items] == [HistoryState.ANSWERED, HistoryState.FAILED]
    assert synced.conversation_items("") == ()
    assert synced.conversation_items("nobody's") == ()


def test_a_follow_up_goes_on_from_the_answer_that_is_named(synced):
    first = synced.ask(Question(OFFSET, conversation="bench"))
    synced.ask(Question(GAIN, conversation="bench"))
    assert "ACM4198" in synced.ask(Question(FOLLOW_UP, conversation="bench")).read_as
    answer = synced.ask(Question(FOLLOW_UP, conversation="bench", goes_on_from=first.history_id))
    assert "ACM4197" in answer.read_as
    assert answer.conversation == "bench"


def test_an_answer_of_no_conversation_can_be_gone_on_from(synced):
    alone = synced.ask(Question(OFFSET))
    synced.ask(Question(GAIN))
    answer = synced.ask(Question(FOLLOW_UP, conversation="new", goes_on_from=alone.history_id))
    assert "ACM4197" in answer.read_as
    # One that is not kept any more leaves the conversation as it is.
    again = synced.ask(Question("and the maximum?", conversation="new", goes_on_from=99_999))
    assert "ACM4197" in again.read_as


def test_what_was_cleared_is_no_context_any_more(synced):
    synced.ask(Question(OFFSET, conversation="bench"))
    synced.clear_history()
    with pytest.raises(QuestionError, match="there is none in this conversation"):
        synced.ask(Question(FOLLOW_UP, conversation="bench"))


def test_what_was_deleted_is_no_context_until_it_is_restored(synced):
    first = synced.ask(Question(OFFSET, conversation="bench"))
    second = synced.ask(Question(GAIN, conversation="bench"))
    synced.delete_history([second.history_id])
    third = synced.ask(Question(FOLLOW_UP, conversation="bench"))
    assert "ACM4197" in third.read_as
    synced.delete_history([third.history_id, first.history_id])
    synced.restore_history([first.history_id])
    assert "ACM4197" in synced.ask(Question(FOLLOW_UP, conversation="bench")).read_as
