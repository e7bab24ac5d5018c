"""Conversations that are taken up again, gone on from anywhere, and forgotten whole."""

from __future__ import annotations

import pytest

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.history import HistoryState
from desktop_qa.core.question import Question
from desktop_qa.library.facade import Library
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.library.test_library import write_datasheet

OFFSET = "What is the typical input offset voltage of the ACM4197?"
GAIN = "What is the gain bandwidth product of the ACM4198?"
FOLLOW_UP = "and at 5 V?"


@pytest.fixture
def library(tmp_path, source_folder):
    opened = Library.open(tmp_path / "library", embedder=HashingEmbedder())
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="60")
    opened.add_source(source_folder)
    opened.sync(lambda _progress: None)
    yield opened
    opened.close()


def test_a_conversation_is_listed_oldest_first_with_what_failed(library):
    library.ask(Question(OFFSET, conversation="bench"))
    library.ask(Question(GAIN, conversation="other"))
    with pytest.raises(QuestionError):
        library.ask(Question(GAIN, scope=("none.pdf",), conversation="bench"))
    items = library.conversation_items("bench")
    assert [item.question for item in items] == [OFFSET, GAIN]
    assert [item.state for item in items] == [HistoryState.ANSWERED, HistoryState.FAILED]
    assert library.conversation_items("") == ()
    assert library.conversation_items("nobody's") == ()


def test_a_follow_up_goes_on_from_the_answer_that_is_named(library):
    first = library.ask(Question(OFFSET, conversation="bench"))
    library.ask(Question(GAIN, conversation="bench"))
    assert "ACM4198" in library.ask(Question(FOLLOW_UP, conversation="bench")).read_as
    answer = library.ask(Question(FOLLOW_UP, conversation="bench", goes_on_from=first.history_id))
    assert "ACM4197" in answer.read_as
    assert answer.conversation == "bench"


def test_an_answer_of_no_conversation_can_be_gone_on_from(library):
    alone = library.ask(Question(OFFSET))
    library.ask(Question(GAIN))
    answer = library.ask(Question(FOLLOW_UP, conversation="new", goes_on_from=alone.history_id))
    assert "ACM4197" in answer.read_as
    # One that is not kept any more leaves the conversation as it is.
    again = library.ask(Question("and the maximum?", conversation="new", goes_on_from=99_999))
    assert "ACM4197" in again.read_as


def test_what_was_cleared_is_no_context_any_more(library):
    library.ask(Question(OFFSET, conversation="bench"))
    library.clear_history()
    with pytest.raises(QuestionError, match="there is none in this conversation"):
        library.ask(Question(FOLLOW_UP, conversation="bench"))


def test_what_was_deleted_is_no_context_until_it_is_restored(library):
    first = library.ask(Question(OFFSET, conversation="bench"))
    second = library.ask(Question(GAIN, conversation="bench"))
    library.delete_history([second.history_id])
    third = library.ask(Question(FOLLOW_UP, conversation="bench"))
    assert "ACM4197" in third.read_as
    library.delete_history([third.history_id, first.history_id])
    library.restore_history([first.history_id])
    assert "ACM4197" in library.ask(Question(FOLLOW_UP, conversation="bench")).read_as
