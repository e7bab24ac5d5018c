"""From a reply to an answer: what is quoted and what is a marker."""

from __future__ import annotations

import re
from dataclasses import replace

from desktop_qa.answer.joined import MAX_WORDS, AnsweredPart, joined
from desktop_qa.core.answer import Query, as_printed
from desktop_qa.core.segment import SegmentId
from desktop_qa.evaluate.matching import stands_in, without_markers
from tests.answer.own_datasheet import BRACKETED, bracketed_answer


def markers(text: str) -> list[str]:
    return re.findall(r"\[\d+\]", text)


def test_brackets_of_a_document_are_no_markers() -> None:
    answer = bracketed_answer()
    assert markers(answer.text) == ["[1]"]
    assert as_printed(answer.text) == f"Of CTRL[1]:\n\n{BRACKETED} [1]"
    assert stands_in("CTRL[1]", without_markers(answer.text))


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
    assert markers(whole.text) == ["[1]", "[2]"]
    assert as_printed(whole.text).count(BRACKETED) == 2


def test_a_shortened_answer_keeps_what_its_bracketed_sentence_rests_on() -> None:
    answer = bracketed_answer()
    long = replace(answer, text=f"{answer.text}\n{'word ' * MAX_WORDS}")
    whole = joined(Query("?"), [AnsweredPart("One?", long), AnsweredPart("Two?", long)], 5)
    assert [support.sentence for support in whole.support] == [BRACKETED, BRACKETED]
