"""Every sentence of an answer is judged by the passages that it cites."""

from __future__ import annotations

from desktop_qa.core.answer_blocks import AnswerBlock
from desktop_qa.generate.grounding import NOTHING_SUPPORTED, check
from desktop_qa.generate.judging import Ground, Verdict
from desktop_qa.generate.passages import Passage
from desktop_qa.generate.prompt import NOT_STATED
from tests.generate.reading import read_stream

GROUND = Ground(
    (
        Passage(1, "DQA1 Sensor", ("DQA1",), text="The supply voltage is 5 V. It draws 20 mA."),
        Passage(2, "DQA1 Sensor", ("DQA1",), text="Press the reset key for 3 s to restart it."),
    ),
    "How is the DQA1 supplied?",
)


def blocks_of(text: str) -> tuple[AnswerBlock, ...]:
    return list(read_stream([text], (1, 2)))[-1]


def test_each_sentence_has_its_own_markers_and_place():
    blocks = blocks_of(
        "The supply voltage is 5 V [1]. It draws 30 mA. [1] Press reset for 3 s [2]."
    )
    one, other, third = check(blocks, GROUND).sentences
    assert (one.text, one.markers) == ("The supply voltage is 5 V.", (1,))
    assert (other.text, other.markers, other.start) == ("It draws 30 mA.", (1,), 27)
    assert third.markers == (2,)
    verdicts = [s.judgement.verdict for s in (one, other, third)]
    assert verdicts == [Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED]
    assert other.judgement.instead == "20 mA"


def test_a_sentence_has_the_markers_of_the_next_one_of_its_line():
    (one, other) = check(blocks_of("The supply is 5 V. It draws 20 mA [1]."), GROUND).sentences
    assert one.markers == other.markers == (1,)
    assert one.judgement.verdict is Verdict.SUPPORTED


def test_what_cites_nothing_is_weak_at_best():
    (one,) = check(blocks_of("It draws 20 mA."), GROUND).sentences
    assert (one.judgement.verdict, one.judgement.reason) == (Verdict.WEAK, "it cites nothing")


def test_headings_and_leads_claim_nothing():
    text = "# The supply\n\nThe steps:\n1. Press the reset key for 3 s [2].\n"
    (step,) = check(blocks_of(text), GROUND).sentences
    assert step.text == "Press the reset key for 3 s."
    assert (step.block_index, step.line_index) == (1, 1)


def test_cells_are_judged_behind_their_names():
    table = "| | DQA1 | DQA2 |\n|---|---|---|\n| Supply voltage | 5 V [1] | not stated |\n"
    (cell,) = check(blocks_of(table), GROUND).sentences
    assert cell.text == "DQA1 Supply voltage: 5 V"
    assert (cell.is_cell, cell.line_index, cell.start) == (True, 0, 1)
    assert cell.judgement.verdict is Verdict.SUPPORTED


def test_an_answer_that_nothing_bears_out_is_told():
    grounding = check(blocks_of("It draws 90 mA [1]. It weighs 12 g [2]."), GROUND)
    assert grounding.notice == NOTHING_SUPPORTED
    assert [s.score for s in grounding.support] == [0.0, 0.0]
    assert not check(blocks_of("It draws 20 mA [1]."), GROUND).notice


def test_what_says_that_nothing_is_stated_is_no_claim():
    grounding = check(blocks_of(NOT_STATED), GROUND)
    assert grounding.says_not_stated
    assert not grounding.sentences
    assert not grounding.notice
