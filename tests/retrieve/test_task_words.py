import pytest

from desktop_qa.retrieve.task_words import has_blank, split_options, strip_task_words


@pytest.mark.parametrize(
    "options",
    ["A) 1 V  B) 2 V  C) 3 V", "(A) 1 V (B) 2 V (C) 3 V", "A. 1 V B. 2 V C. 3 V",
     "A: 1 V B: 2 V C: 3 V", "\na) 1 V\nb) 2 V\nc) 3 V"],
)  # fmt: skip
def test_options_are_split_off_in_every_house_style(options):
    choice = split_options(f"What is the dropout of the ORL3305? {options}")
    assert choice.stem == "What is the dropout of the ORL3305?"
    assert choice.options == (("A", "1 V"), ("B", "2 V"), ("C", "3 V"))
    assert not choice.may_be_several


@pytest.mark.parametrize(
    "question",
    [
        "Which pins are inputs? A) IN B) OUT C) EN (more than one may be right)",
        "Which pins are inputs? Pick all that apply: A) IN B) OUT C) EN",
        "Which pins are inputs? A) IN B) OUT C) EN (several answers possible)",
        "Which pins are inputs (several apply)? A) IN B) OUT C) EN",
    ],
)
def test_a_note_says_that_several_may_be_right_and_is_no_option(question):
    choice = split_options(question)
    assert choice.stem == "Which pins are inputs?"
    assert choice.options == (("A", "IN"), ("B", "OUT"), ("C", "EN"))
    assert choice.may_be_several


@pytest.mark.parametrize(
    "question",
    [
        "How large is the current of 500 mA. Is it peak?",
        "What does table A: say?",
        "Is port B) the output?",
        "What is the grade A. device rated for?",
    ],
)
def test_a_letter_alone_is_no_option(question):
    assert split_options(question).options == ()
    assert split_options(question).stem == question


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("True or false: the ORT112 has an alert pin.", "the ORT112 has an alert pin."),
        ("Is this right? The ORT112 sleeps at 1 µA.", "The ORT112 sleeps at 1 µA."),
        ("Summarise the layout rules", "the layout rules"),
        ("Which bits does it hold? List them all.", "Which bits does it hold?"),
        ("Rewrite the layout rules for our lab", "the layout rules for our lab"),
        ("Can you tell me the gain error?", "the gain error?"),
        ("What is the list price?", "What is the list price?"),
        ("Summarise", "Summarise"),
        ("Which current may go into the pin?", "Which current may go into the pin?"),
    ],
)
def test_what_is_to_be_done_with_the_answer_is_not_searched(question, searched):
    assert strip_task_words(question) == searched


def test_brackets_behind_a_name_are_no_blank():
    assert has_blank("The voltage is ____ V.")
    assert has_blank("Two kinds: (), ().")
    assert not has_blank("What does measure() return?")
