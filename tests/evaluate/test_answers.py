from __future__ import annotations

import pytest

from desktop_qa.evaluate.answers import (
    answer_score,
    answer_units,
    chosen_options,
    is_step_list,
    is_too_long,
    n_words,
    step_recall,
    verdict_of,
)
from desktop_qa.evaluate.bank import GoldQuestion

_OPTIONS = {"A": "-82 dBm", "B": "-85 dBm", "C": "-94 dBm", "D": "-104 dBm"}
_STEPS = (
    "Click the Data tab in the top navigation.",
    "Click on the View dropdown and select Alert me.",
    "In the pop-up box, select Never.",
)


def _question(**gold: object) -> GoldQuestion:
    return GoldQuestion(id="Q", question="?", type="fact", **gold)  # type: ignore[arg-type]


_GROUPS = {"answer_any": ("6.5",), "answer_all": (("6.5",), ("16",))}
_CHOICE = {"options": _OPTIONS, "correct": ("B", "C"), "answer_any": ("-94",)}
_JUDGED = {"verdict": "false", "answer_any": ("no read or write is possible",)}


@pytest.mark.parametrize(
    ("gold", "answer", "score"),
    [
        pytest.param(gold, answer, score, id=f"{rule}: {answer[:20]}")
        for rule, gold, scores in (
            ("one accepted text is enough", {"answer_any": ("25 µs", "25 us")},
             {"It takes 25 us.": 1.0, "It takes 13 us.": 0.0}),
            ("some groups are half right", _GROUPS,
             {"6.5 V and 16 V": 1.0, "6.5 V": 0.5, "12 V": 0.0}),
            ("without gold no score", {}, {"anything": None}),
            ("nobody reads 200 words", {"answer_any": ("25",)},
             {"25 " + "word " * 199: 1.0, "25 " + "word " * 200: 0.0}),
            ("a choice by what it chooses", _CHOICE,
             {"B and C": 1.0, "-94 dBm": 0.5, "-94 dBm, -104 dBm": 0.0, "unknown": 0.0}),
            ("a judgement by its verdict", _JUDGED,
             {"False: EN is low.": 1.0, "True: no read or write is possible.": 0.0,
              "no read or write is possible": 0.0}),
        )
        for answer, score in scores.items()
    ],
)  # fmt: skip
def test_answers_are_scored_by_their_gold(gold, answer, score):
    assert answer_score(_question(**gold), answer) == score


def test_long_step_list_is_read():
    steps = "\n".join(f"{number}. {'word ' * 30}" for number in range(1, 9))
    assert n_words(steps) == 240
    assert is_step_list(steps)
    assert not is_too_long(steps)
    assert is_too_long("word " * 300 + "\n1. one\n2. two")
    assert is_too_long("\n".join(f"- {'word ' * 30}" for _ in range(8)))


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("C: -94 dBm at 250 kbps.", {"C"}),
        ("Answer: C", {"C"}),
        ("The correct answers are B and C.", {"B", "C"}),
        ("(A, D) fit", {"A", "D"}),
        ("The sensitivity is \u221294 dBm.", {"C"}),
        ("It lists -82 dBm, -85 dBm and -94 dBm.", {"A", "B", "C"}),
        ("A sensitivity of -94 dBm.", {"C"}),
        ("None is given.", set()),
    ],
)
def test_choice_is_what_the_answer_names(answer, chosen):
    assert chosen_options(_OPTIONS, answer) == chosen


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("False: no read is possible.", "false"),
        ("No, it cannot.", "false"),
        ("This is correct. It adds a day.", "true"),
        ("The statement is not true.", "false"),
        ("**Yes.**", "true"),
        ("No read or write is possible.", ""),
        ("True sine output is given.", ""),
    ],
)
def test_verdict_stands_at_the_start_and_echoed_words_are_none(answer, verdict):
    assert verdict_of(answer) == verdict


def test_units_are_list_items_with_their_further_lines_and_sentences():
    answer = "Do this. Then stop.\n\n1. Open the box.\n   It is blue.\n2. Close it.\n- a bullet"
    assert answer_units(answer) == [
        ("Do this.", False),
        ("Then stop.", False),
        ("Open the box. It is blue.", True),
        ("Close it.", True),
        ("a bullet", False),
    ]


_COLOURS = ("press red green blue button",)


@pytest.mark.parametrize(
    ("steps", "answer", "recall"),
    [
        pytest.param(
            _STEPS,
            "1. Click the Data tab in the navigation at the top.\n"
            "2. On the View dropdown, select Alert me.\n"
            "3. Select Never in the pop-up box and save.",
            1.0,
            id="all steps in order",
        ),
        pytest.param(
            _STEPS,
            "1. In the pop-up box, select Never.\n"
            "2. Click the Data tab in the top navigation.\n"
            "3. Click on the View dropdown and select Alert me.",
            2 / 3,
            id="one out of order does not count",
        ),
        pytest.param(
            _STEPS,
            "Click the Data tab in the top navigation, click on the View dropdown and select"
            " Alert me.",
            2 / 3,
            id="one item may tell two steps",
        ),
        pytest.param(_COLOURS, "Press the red button.", 1.0, id="sixty percent of the words"),
        pytest.param(_COLOURS, "Press the button.", 0.0, id="fewer are not enough"),
        pytest.param(_COLOURS, "Press it. It is red. A button.", 0.0, id="scattered words"),
        pytest.param((), "1. Do it.", None, id="no steps"),
    ],
)
def test_steps_are_recalled(steps, answer, recall):
    assert step_recall(steps, answer) == (recall and pytest.approx(recall))
