"""What a model cites is the same segment and the same rectangles as what the program cites."""

from __future__ import annotations

from desktop_qa.answer.guard import GUARD_SENTENCE
from desktop_qa.core.answer import Answer, AnswerStatus, Citation
from desktop_qa.core.answer_blocks import words_of
from desktop_qa.generate.grounding import check
from desktop_qa.generate.judging import Ground
from desktop_qa.generate.model_answer import model_answer, withheld_answer
from desktop_qa.generate.passages import passages_of
from desktop_qa.generate.prompt import NOT_STATED
from tests.generate.reading import read_stream
from tests.helpers.made_answers import make_answer
from tests.helpers.tables import Sheet, cell_box


def answered(said: str) -> tuple[Answer, Answer]:
    library = Sheet().add_table(
        [["Parameter", "Typ", "Unit"], ["Supply current", "5", "mA"], ["Leakage", "20", "nA"]]
    )
    library.add_table([["Parameter", "Max", "Unit"], ["Offset", "3", "mV"], ["Drift", "7", "µV"]])
    library.add_text("The sensor has two channels.")
    first = library.segments[0]
    cited = Citation(1, first.id, first.document_id, (cell_box(1, 1),), ("5",))
    offline = make_answer(
        "What does the sensor draw?",
        citations=(cited,),
        evidence=library.evidence(),
        notes=("Read as typed.",),
        probability=0.9,
    )
    passages = passages_of(offline, library, 1000)
    blocks = list(read_stream([said], [p.marker for p in passages]))[-1]
    ground = Ground(passages, offline.question)
    return offline, model_answer(offline, blocks, check(blocks, ground), ground, "small", 2.5)


def test_citations_are_those_of_the_evidence():
    offline, answer = answered(
        "It draws typically 5 mA [1], and its offset is at most 3 mV [2]. It has two channels [3]."
    )
    assert answer.evidence == offline.evidence
    one, other, third = answer.citations
    assert one == offline.citations[0]
    assert [c.segment_id for c in answer.citations] == [e.segment.id for e in offline.evidence]
    assert set(other.places) == {cell_box(1, column, 2) for column in range(3)}, (
        "the row of the offset"
    )
    assert third.places == offline.evidence[2].segment.provenances
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.model == "small"
    assert answer.probability is None
    assert [s.score for s in answer.support] == [1.0, 1.0]
    assert answer.notes == ("Read as typed.",)


def test_a_table_of_the_model_knows_the_places_of_its_cells():
    _offline, answer = answered("| | DQA1 |\n|---|---|\n| Offset | 3 mV [2] |\n")
    (table,) = answer.tables
    assert set(table.rows[0][1].places) == {cell_box(1, column, 2) for column in range(3)}
    assert [c.marker for c in answer.citations] == [2]


def test_nothing_stated_is_not_found_and_nothing_supported_is_told():
    _offline, answer = answered(NOT_STATED)
    assert answer.status is AnswerStatus.NOT_FOUND
    _offline, answer = answered("It draws 9 A [1].")
    assert any("None of these sentences" in note for note in answer.notes)


def test_a_withheld_answer_says_what_the_guard_of_questions_says_and_cites_nothing():
    offline, _answer = answered("It draws 5 mA [1].")
    answer = withheld_answer(offline, "small", 1.0)
    assert words_of(answer.blocks) == GUARD_SENTENCE
    assert answer.status is AnswerStatus.WITHHELD
    assert not answer.citations
    assert not answer.evidence
