"""Several answers made one: lines in order, markers over the union of the evidence."""

from __future__ import annotations

import re
from dataclasses import replace

from desktop_qa.answer.joined import MAX_WORDS, AnsweredPart, joined
from desktop_qa.answer.reply import ALSO
from desktop_qa.core.answer import (
    Answer,
    AnswerStatus,
    Citation,
    Evidence,
    Query,
    SentenceSupport,
)
from desktop_qa.core.answer_blocks import as_text
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.segment import CascadingMetadata, Segment, SegmentId, SegmentKind
from tests.helpers.said import said

QUERY = Query("What is the dropout of the ORL3305, and what is its noise?")
DOCUMENT = DocumentId("d")


def evidence(marker: int, name: str, score: float = 1.0) -> Evidence:
    metadata = CascadingMetadata("ORL3305", "Orlunda", ("ORL3305",), "", (), "", "", (1,))
    segment = Segment(
        SegmentId(name), DOCUMENT, 0, SegmentKind.TEXT, None, metadata, (), 1, name, name, name
    )
    return Evidence(marker, segment, score, ())


def citation(marker: int, name: str, quote: str, top: float) -> Citation:
    place = Provenance(1, BoundingBox(0, top, 10, top + 10))
    return Citation(marker, SegmentId(name), DOCUMENT, (place,), (quote,))


def answer(text: str, *names: str, status: AnswerStatus = AnswerStatus.ANSWERED) -> Answer:
    cited = {int(marker) for marker in re.findall(r"\[(\d+)\]", text) if int(marker) <= len(names)}
    return Answer(
        question="",
        blocks=said(text, cited),
        citations=tuple(
            citation(n, name, f"{name} {text[:9]}", float(len(text)))
            for n, name in enumerate(names, start=1)
            if n in cited
        ),
        evidence=tuple(evidence(n, name) for n, name in enumerate(names, start=1)),
        status=status,
        support=(SentenceSupport(text, tuple(sorted(cited)), 1.0),),
        model="extractive",
        seconds=0.1,
    )


def test_markers_are_numbered_over_the_union_of_the_evidence() -> None:
    first = AnsweredPart("dropout?", answer("Dropout 120 mV. [1]", "a", "b"))
    second = AnsweredPart("noise?", answer("Noise 5 µV. [2] And more. [1]", "a", "c"))
    whole = joined(QUERY, [first, second], 8)
    assert whole.text == "- Dropout 120 mV. [1]\n- Noise 5 µV. [2] And more. [1]"
    assert [item.segment.id for item in whole.evidence] == ["a", "c", "b"]
    assert [item.marker for item in whole.evidence] == [1, 2, 3]
    assert [one.marker for one in whole.citations] == [1, 2]
    assert [support.markers for support in whole.support] == [(1,), (1, 2)]


def test_a_segment_that_two_parts_cite_is_one_citation_with_the_quotes_of_both() -> None:
    first = AnsweredPart("dropout?", answer("Dropout 120 mV. [1]", "a"))
    second = AnsweredPart("noise?", answer("Noise is 5 µV in all. [1]", "a"))
    (one,) = joined(QUERY, [first, second], 8).citations
    assert one.quote == ("a Dropout 1", "a Noise is ")
    assert len(one.places) == 2


def test_brackets_that_are_no_marker_stay() -> None:
    first = AnsweredPart("dropout?", answer("Bit [7] is set. [1]", "a"))
    second = AnsweredPart("noise?", answer("Bits [15] stay. [1]", "b"))
    assert joined(QUERY, [first, second], 8).text == "- Bit [7] is set. [1]\n- Bits [15] stay. [2]"


def test_a_part_that_is_not_found_says_so_in_its_own_line() -> None:
    lost = answer("Not found in this library. …", "x", status=AnswerStatus.NOT_FOUND)
    found = AnsweredPart("dropout?", answer("Dropout 120 mV. [1]", "a"))
    whole = joined(QUERY, [AnsweredPart("What is its noise?", lost), found], 8)
    assert whole.status is AnswerStatus.ANSWERED
    assert whole.text.split("\n") == [
        "- Not found in this library: What is its noise.",
        "- Dropout 120 mV. [1]",
    ]


def test_nothing_is_answered_when_no_part_is() -> None:
    lost = answer("Not found in this library.", "x", status=AnswerStatus.NOT_FOUND)
    whole = joined(QUERY, [AnsweredPart("a?", lost), AnsweredPart("b?", lost)], 8)
    assert whole.status is AnswerStatus.NOT_FOUND
    assert whole.citations == ()
    assert len(whole.evidence) == 1


def test_a_part_number_that_is_not_there_keeps_its_own_words() -> None:
    lost = answer("Not found: **X9** is in no document.", "x", status=AnswerStatus.NOT_FOUND)
    found = AnsweredPart("dropout?", answer("Dropout 120 mV. [1]", "a"))
    whole = joined(QUERY, [found, AnsweredPart("X9?", lost, is_absent=True)], 8)
    assert whole.text.endswith("- Not found: **X9** is in no document.")


def test_readings_lead_their_lines_with_the_part_they_are_of() -> None:
    query = Query("How wide is TI's sensor?", readings=("A?", "B?"))
    parts = [AnsweredPart("A?", answer("47 degrees. [1]", "a"), "OPT3001")]
    parts.append(AnsweredPart("B?", answer("44 degrees. [1]", "b"), "OPT3007"))
    whole = joined(query, parts, 8)
    assert whole.text == "- **OPT3001**: 47 degrees. [1]\n- **OPT3007**: 44 degrees. [2]"
    assert whole.readings == ("A?", "B?")


def test_long_answers_are_cut_between_statements_and_lose_what_they_cited() -> None:
    long = "\n".join(f"- {'word ' * 30}[{n}]" for n in range(1, 9))
    parts = [AnsweredPart("a?", answer(long, *"abcdefgh")) for _ in range(3)]
    whole = joined(QUERY, parts, 8)
    assert len(whole.text.split()) <= MAX_WORDS
    shown = {int(marker) for marker in re.findall(r"\[(\d+)\]", whole.text)}
    assert shown == {one.marker for one in whole.citations}


def test_what_may_be_meant_instead_is_set_apart_within_the_line() -> None:
    text = f"- Dropout 120 mV. [1]\n\n{as_text((ALSO,))}\n\n- Dropout of the other. [2]"
    parts = [AnsweredPart("dropout?", answer(text, "a", "b"))]
    parts.append(AnsweredPart("noise?", answer("Noise 5 µV. [1]", "c")))
    whole = joined(QUERY, parts, 8)
    first = "- Dropout 120 mV. [1] Also close: Dropout of the other. [2]"
    assert whole.text == f"{first}\n- Noise 5 µV. [3]"


def test_steps_are_never_cut() -> None:
    steps = "\n".join(f"{n}. {'do ' * 30}[1]" for n in range(1, 12))
    parts = [AnsweredPart("How do I start it?", answer(steps, "a"))]
    parts.append(AnsweredPart("noise?", answer("Noise 5 µV. [1]", "b")))
    whole = joined(QUERY, parts, 8)
    assert steps in whole.text
    assert whole.text.endswith("\n\n- Noise 5 µV. [2]")


def test_tables_keep_their_cells_and_point_at_the_new_markers() -> None:
    table = AnswerTable(
        TableUse.ROWS, "t", ("", "MAX"), ((AnswerCell("Noise"), AnswerCell("5", marker=1)),)
    )
    second = answer("Noise 5 µV. [1]", "b")
    with_table = replace(second, blocks=(*second.blocks, table))
    first = AnsweredPart("dropout?", answer("Dropout 120 mV. [1]", "a"))
    (kept,) = joined(QUERY, [first, AnsweredPart("noise?", with_table)], 8).tables
    assert [cell.marker for cell in kept.rows[0]] == [0, 2]
