"""A sentence is held against the rows and lines that it cites."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from desktop_qa.core.document import ColumnRole
from desktop_qa.generate.judging import Ground, Judgement, Verdict, judge
from desktop_qa.generate.passages import Passage, PassageCell, PassageRow
from tests.benchmarks.bench_grounding import judged
from tests.helpers.labelled_sentences import RIGHT, read_bank

_HEADS = (
    ("Parameter", ColumnRole.SUBJECT),
    ("Conditions", ColumnRole.CONDITION),
    ("Min", ColumnRole.MIN),
    ("Typ", ColumnRole.TYP),
    ("Max", ColumnRole.MAX),
    ("Unit", ColumnRole.UNIT),
)


def row(*texts: str) -> PassageRow:
    cells = zip(_HEADS, texts, strict=True)
    return PassageRow(tuple(PassageCell(h, t, role) for (h, role), t in cells if t))


def sheet(marker: int, part: str, current: tuple[str, str]) -> Passage:
    return Passage(
        marker,
        f"{part} Amplifier",
        (part,),
        title=f"{part} characteristics",
        rows=(
            row("Supply current", "VS = 5 V", "", current[0], current[1], "mA"),
            row("Supply current", "VS = 15 V", "", "2.4", "3.6", "mA"),
            row("Offset voltage", "TA = 25 °C", "", "0.2", "0.5", "mV"),
        ),
    )


NOTES = Passage(
    3,
    "DQA1 Amplifier",
    ("DQA1",),
    text="The amplifier does not need an external capacitor. The enable pin is high by default."
    " The outputs withstand a short circuit to ground for ten seconds.",
)
GROUND = Ground(
    (sheet(1, "DQA1", ("1.1", "1.9")), sheet(2, "DQA2", ("1.5", "2.7")), NOTES),
    "What about the DQA1?",
)


def found(sentence: str, *markers: int) -> Judgement:
    return judge(sentence, markers, GROUND)


@pytest.mark.parametrize(
    "sentence",
    [
        "The supply current of the DQA1 is typically 1.1 mA at 5 V.",
        "It draws 1900 µA at most from 5 V.",
        "At 15 V the supply current is typically 2.4 mA, and at most 3.6 mA.",
        "The offset voltage is no more than 500 µV.",
        # The difference of a column is computed.
        "From 15 V the supply current is typically 1.3 mA more than from 5 V.",
    ],
)
def test_what_a_row_says_is_supported(sentence):
    assert found(sentence, 1).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "reason", "instead"),
    [
        ("The offset voltage is at most 0.7 mV.", "0.7 mV is not in what is cited", "0.5 mV"),
        ("The offset voltage is at most 0.2 mV.", "is the typical value", "0.5 mV"),
        ("The offset voltage is at most 0.5 V.", "is not in what is cited", "0.5 mV"),
        ("At 5 V the supply current is typically 2.4 mA.", "fits less well", "1.1 mA"),
        ("At 5 V the supply current is at most 2.7 mA.", "stands in [2]", ""),
    ],
)
def test_what_a_row_says_otherwise_is_not(sentence, reason, instead):
    judgement = found(sentence, 1)
    assert judgement.verdict is not Verdict.SUPPORTED
    assert reason in judgement.reason
    assert judgement.instead == instead


def test_a_number_of_another_part_is_that_of_the_other():
    judgement = found("The DQA1 draws at most 2.7 mA at 5 V.", 1, 2)
    assert judgement.verdict is Verdict.WEAK
    assert (judgement.instead, judgement.marker) == ("1.9 mA", 1)


@pytest.mark.parametrize(
    "sentence",
    [
        "The amplifier needs an external capacitor.",
        "The enable pin is low by default.",
        "Its package is hermetically sealed against humidity.",
    ],
)
def test_words_that_are_turned_round_or_missing_are_weak(sentence):
    assert found(sentence, 3).verdict is Verdict.WEAK


def test_words_are_carried_by_a_line():
    assert found("The outputs withstand a short circuit to ground.", 3) == Judgement(
        Verdict.SUPPORTED
    )


def test_the_open_bank_is_judged_no_worse_than_it_was():
    bank = read_bank(Path(__file__).with_name("grounding-open.jsonl"))
    counts: Counter[tuple[bool, bool]] = Counter()
    for one in bank:
        counts[one.label == RIGHT, judged(one).verdict is Verdict.SUPPORTED] += 1
    assert len(bank) == 150
    assert counts[True, True] >= 0.8 * (counts[True, True] + counts[True, False])
    assert counts[False, False] >= 0.92 * (counts[False, True] + counts[False, False])


def test_a_sentence_that_runs_on_in_numbers_is_not_weighed():
    sentence = "It has " + ", ".join(f"{n}.5 mA" for n in range(3000)) + "."
    assert found(sentence, 1).reason == "it has too many numbers to be checked"


def test_values_are_offered_with_the_sign_that_makers_print():
    table = Passage(1, "DQA1", ("DQA1",), rows=(row("Offset", "", "", "", "50", "µV"),))
    judgement = judge("The offset is at most 50 mV.", [1], Ground((table,), ""))
    assert (judgement.instead, judgement.reason[:5]) == ("50 µV", "50 mV")
