"""Several answers made one: lines in order, markers over the union of the evidence."""

from __future__ import annotations

from desktop_qa.answer.joined import MAX_WORDS, AnsweredPart, joined
from desktop_qa.answer.reply import CitedCell, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.core.answer import AnswerStatus, Evidence, Query
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import BoundingBox, DocumentId, Word
from desktop_qa.core.segment import CascadingMetadata, Segment, SegmentId, SegmentKind

QUERY = Query("What is the dropout of the ORL3305, and what is its noise?")
DOCUMENT = DocumentId("d")


def evidence(name: str, score: float = 1.0) -> Evidence:
    metadata = CascadingMetadata("ORL3305", "Orlunda", ("ORL3305",), "", (), "", "", (1,))
    segment = Segment(
        SegmentId(name), DOCUMENT, 0, SegmentKind.TEXT, None, metadata, (), 1, name, name, name
    )
    return Evidence(1, segment, score, ())


def statement(text: str, name: str, item: ItemKind | None = None, number: int = 0) -> Statement:
    box = BoundingBox(0, float(len(text)), 10, float(len(text)) + 10)
    run = ((1, Word(f"{name} {text[:9].rstrip()}", box)),)
    return Statement(text, evidence(name), (run,), (), 1.0, 1.0, item=item, number=number or None)


def part(question: str, *statements: Statement, found: str = "", label: str = "") -> AnsweredPart:
    names = [s.evidence.segment.id for s in statements]
    others = (evidence(name) for name in dict.fromkeys((*names, *found)))
    return AnsweredPart(question, Reply(statements=statements), tuple(others), label)


DROPOUT = part("dropout?", statement("Dropout 120 mV.", "a"))
LOST = AnsweredPart(
    "What is its noise?", Reply("…", status=AnswerStatus.NOT_FOUND), (evidence("x"),)
)


def test_markers_are_numbered_over_the_union_of_the_evidence():
    first = part("dropout?", statement("Dropout 120 mV.", "a"), found="b")
    second = part("noise?", statement("Noise 5 µV.", "c"), statement("And more.", "a"))
    whole = joined(QUERY, [first, second], 8)
    assert whole.text == "- Dropout 120 mV. [1]\n- Noise 5 µV. [2] And more. [1]"
    assert [item.segment.id for item in whole.evidence] == ["a", "c", "b"]
    assert [item.marker for item in whole.evidence] == [1, 2, 3]
    assert [one.marker for one in whole.citations] == [1, 2]
    assert [support.markers for support in whole.support] == [(1,), (2,), (1,)]


def test_a_segment_that_two_parts_cite_is_one_citation_with_the_quotes_of_both():
    second = part("noise?", statement("Noise is 5 µV in all.", "a"))
    (one,) = joined(QUERY, [DROPOUT, second], 8).citations
    assert one.quote == ("a Dropout 1", "a Noise is")
    assert len(one.places) == 2


def test_brackets_that_are_no_marker_stay():
    first = part("dropout?", statement("Bit [7] is set.", "a"))
    second = part("noise?", statement("Bits [15] stay.", "b"))
    assert joined(QUERY, [first, second], 8).text == "- Bit [7] is set. [1]\n- Bits [15] stay. [2]"


def test_a_part_that_is_not_found_says_so_in_its_own_line():
    whole = joined(QUERY, [LOST, DROPOUT], 8)
    assert whole.status is AnswerStatus.ANSWERED
    assert whole.text.split("\n") == [
        "- Not found in this library: What is its noise.",
        "- Dropout 120 mV. [1]",
    ]


def test_nothing_is_answered_when_no_part_is():
    whole = joined(QUERY, [LOST, LOST], 8)
    assert whole.status is AnswerStatus.NOT_FOUND
    assert whole.citations == ()
    assert len(whole.evidence) == 1


def test_a_part_number_that_is_not_there_keeps_its_own_words():
    said = Reply("Not found: **X9** is in no document.", status=AnswerStatus.NOT_FOUND)
    lost = AnsweredPart("X9?", said, (evidence("x"),), is_absent=True)
    whole = joined(QUERY, [DROPOUT, lost], 8)
    assert whole.text.endswith("- Not found: **X9** is in no document.")


def test_readings_lead_their_lines_with_the_part_they_are_of():
    query = Query("How wide is TI's sensor?", readings=("A?", "B?"))
    parts = [part("A?", statement("47 degrees.", "a"), label="OPT3001")]
    parts.append(part("B?", statement("44 degrees.", "b"), label="OPT3007"))
    whole = joined(query, parts, 8)
    assert whole.text == "- **OPT3001**: 47 degrees. [1]\n- **OPT3007**: 44 degrees. [2]"
    assert whole.readings == ("A?", "B?")


def test_long_answers_are_cut_between_statements_and_cite_only_what_is_left():
    long = part("a?", *(statement(f"{name} {'word ' * 30}", name) for name in "abcdefgh"))
    whole = joined(QUERY, [long] * 3, 8)
    assert len(whole.text.split()) <= MAX_WORDS
    assert [one.segment_id for one in whole.citations] == ["a", "b"]
    assert len(whole.support) == 6


def test_what_may_be_meant_instead_is_set_apart_within_the_line():
    also = (statement("Dropout of the other.", "b"),)
    reply = Reply(statements=DROPOUT.reply.statements, also=also)
    noise = part("noise?", statement("Noise 5 µV.", "c"))
    whole = joined(QUERY, [AnsweredPart("dropout?", reply, ()), noise], 8)
    first = "- Dropout 120 mV. [1] Also close: Dropout of the other. [2]"
    assert whole.text == f"{first}\n- Noise 5 µV. [3]"


def test_steps_are_never_cut():
    texts = [f"{'do ' * 30}{n}" for n in range(1, 12)]
    steps = [statement(text, "a", ItemKind.STEP, n) for n, text in enumerate(texts, start=1)]
    noise = part("noise?", statement("Noise 5 µV.", "b"))
    whole = joined(QUERY, [part("How do I start it?", *steps), noise], 8)
    assert "\n".join(f"{n}. {text} [1]" for n, text in enumerate(texts, start=1)) in whole.text
    assert whole.text.endswith("\n\n- Noise 5 µV. [2]")


def test_tables_keep_their_cells_and_point_at_the_new_markers():
    noise = statement("Noise 5 µV.", "b")
    row = (AnswerCell("Noise"), CitedCell("5", statement=noise))
    table = AnswerTable(TableUse.ROWS, "t", ("", "MAX"), (row,))
    reply = Reply(statements=(noise,), tables=(table,))
    (kept,) = joined(QUERY, [DROPOUT, AnsweredPart("noise?", reply, ())], 8).tables
    assert [cell.marker for cell in kept.rows[0]] == [0, 2]
