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


def test_one_of_the_accepted_texts_is_enough() -> None:
    question = _question(answer_any=("25 µs", "25 us"))
    assert answer_score(question, "It takes 25 us.") == 1.0
    assert answer_score(question, "It takes 13 us.") == 0.0


def test_answer_that_meets_some_groups_is_half_right() -> None:
    question = _question(answer_any=("6.5",), answer_all=(("6.5",), ("16",)))
    assert answer_score(question, "6.5 V and 16 V") == 1.0
    assert answer_score(question, "6.5 V") == 0.5
    assert answer_score(question, "12 V") == 0.0


def test_question_without_gold_has_no_score() -> None:
    assert answer_score(_question(), "anything") is None


def test_answer_nobody_would_read_scores_nothing() -> None:
    question = _question(answer_any=("25",))
    assert answer_score(question, "25 " + "word " * 199) == 1.0
    assert answer_score(question, "25 " + "word " * 200) == 0.0


def test_long_step_list_is_read() -> None:
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
def test_choice_is_what_the_answer_names(answer: str, chosen: set[str]) -> None:
    assert chosen_options(_OPTIONS, answer) == chosen


def test_choice_is_scored_by_what_it_chooses() -> None:
    question = _question(options=_OPTIONS, correct=("B", "C"), answer_any=("-94",))
    assert answer_score(question, "B and C") == 1.0
    assert answer_score(question, "-94 dBm") == 0.5
    assert answer_score(question, "-94 dBm, -104 dBm") == 0.0
    assert answer_score(question, "unknown") == 0.0


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
def test_verdict_stands_at_the_start_and_echoed_words_are_none(answer: str, verdict: str) -> None:
    assert verdict_of(answer) == verdict


def test_judgement_is_scored_by_its_verdict() -> None:
    question = _question(verdict="false", answer_any=("no read or write is possible",))
    assert answer_score(question, "False: EN is low.") == 1.0
    assert answer_score(question, "True: no read or write is possible.") == 0.0
    assert answer_score(question, "no read or write is possible") == 0.0


def test_units_are_list_items_with_their_further_lines_and_sentences() -> None:
    answer = "Do this. Then stop.\n\n1. Open the box.\n   It is blue.\n2. Close it.\n- a bullet"
    assert answer_units(answer) == [
        ("Do this.", False),
        ("Then stop.", False),
        ("Open the box. It is blue.", True),
        ("Close it.", True),
        ("a bullet", False),
    ]


def test_all_steps_in_order_are_recalled() -> None:
    answer = (
        "1. Click the Data tab in the navigation at the top.\n"
        "2. On the View dropdown, select Alert me.\n"
        "3. Select Never in the pop-up box and save."
    )
    assert step_recall(_STEPS, answer) == 1.0


def test_step_out_of_order_is_not_counted() -> None:
    answer = (
        "1. In the pop-up box, select Never.\n"
        "2. Click the Data tab in the top navigation.\n"
        "3. Click on the View dropdown and select Alert me."
    )
    assert step_recall(_STEPS, answer) == pytest.approx(2 / 3)


def test_one_item_may_tell_two_steps() -> None:
    answer = (
        "Click the Data tab in the top navigation, click on the View dropdown and select Alert me."
    )
    assert step_recall(_STEPS, answer) == pytest.approx(2 / 3)


def test_step_needs_sixty_percent_of_its_content_words() -> None:
    steps = ("press red green blue button",)
    assert step_recall(steps, "Press the red button.") == 1.0
    assert step_recall(steps, "Press the button.") == 0.0


def test_words_of_a_step_scattered_over_sentences_do_not_count() -> None:
    assert step_recall(("press red green blue button",), "Press it. It is red. A button.") == 0.0


def test_question_without_steps_has_no_step_recall() -> None:
    assert step_recall((), "1. Do it.") is None
