"""From a reply to an answer: what is quoted and what is a marker."""

from desktop_qa.core.answer_blocks import markers_in, words_of
from tests.answer.own_datasheet import BRACKETED, bracketed_answer


def test_brackets_of_a_document_are_no_markers():
    answer = bracketed_answer()
    assert markers_in(answer.blocks) == (1,)
    assert answer.text == f"Of CTRL[1]:\n\n{BRACKETED} [1]"
    assert words_of(answer.blocks) == f"Of CTRL[1]:\n\n{BRACKETED}"
