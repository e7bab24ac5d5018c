"""From a reply to an answer: what is quoted and what is a marker."""

from __future__ import annotations

from dataclasses import replace

from desktop_qa.answer.joined import MAX_WORDS, AnsweredPart, joined
from desktop_qa.core.answer import Query
from desktop_qa.core.answer_blocks import Line, Run, markers_in, words_of
from desktop_qa.core.segment import SegmentId
from tests.answer.own_datasheet import BRACKETED, bracketed_answer


def test_brackets_of_a_document_are_no_markers() -> None:
    answer = bracketed_answer()
    assert markers_in(answer.blocks) == (1,)
    assert answer.text == f"Of CTRL[1]:\n\n{BRACKETED} [1]"
    assert words_of(answer.blocks) == f"Of CTRL[1]:\n\n{BRACKETED}"


def test_brackets_of_a_document_keep_their_numbers_where_answers_are_joined() -> None:
    answer = bracketed_answer()
    (item,), (citation,) = answer.evidence, answer.citations
    other = SegmentId("another")
    first = replace(
        answer,
        evidence=(replace(item, segment=replace(item.segment, id=other)),),
        citations=(replace(citation, segment_id=other),),
    )
    parts = [AnsweredPart("V[2]?", first), AnsweredPart("CTRL[1]?", answer, "CTRL[1]")]
    whole = joined(Query("?"), parts, 5)
    assert markers_in(whole.blocks) == (1, 2)
    assert whole.text.count(BRACKETED) == 2


def test_a_shortened_answer_keeps_what_its_bracketed_sentence_rests_on() -> None:
    answer = bracketed_answer()
    long = replace(answer, blocks=(*answer.blocks, Line((Run("word " * MAX_WORDS),))))
    whole = joined(Query("?"), [AnsweredPart("One?", long), AnsweredPart("Two?", long)], 5)
    assert [support.sentence for support in whole.support] == [BRACKETED, BRACKETED]
