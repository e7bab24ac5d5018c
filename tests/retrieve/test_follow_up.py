"""Follow-ups over the sample library: what each is read as, and what is left as it was asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.directory import Directory, DocumentEntry
from desktop_qa.retrieve.follow_up import Turn, completed, is_follow_up_only

BANK = Path(__file__).with_name("follow_ups.jsonl")
TITLES = {
    "ORA217": "ORA217 36-V, 6-MHz, Rail-to-Rail Precision Operational Amplifier",
    "ORA218": "ORA218 36-V, 18-MHz, Rail-to-Rail Precision Operational Amplifier",
    "ORA247": "ORAx247 5.5-V, 900-nA, Nanopower Operational Amplifiers",
    "ORB-1": "ORB-1 Evaluation Board and Bench Studio 3.2 User's Manual",
    "ORC1204": "ORC1204 12-Bit, 4-Channel Delta-Sigma ADC With PGA and I²C Interface",
    "ORC1604": "ORC1604 16-Bit, 4-Channel Delta-Sigma ADC With PGA and I²C Interface",
    "ORL3305": "ORL3305 500-mA, Low-Dropout Linear Regulator With Output Discharge",
    "ORL3310": "ORL3310 1-A, Low-Noise, Low-Dropout Linear Regulator With Soft Start",
    "ORM8236": "ORM8236 13-V, 1.4-A Dual H-Bridge Motor Driver With Current Regulation",
    "ORT112": "ORT112 Low-Power Digital Temperature Sensor With I²C Interface",
}
NAMES = Directory(
    tuple(
        DocumentEntry(DocumentId(code), (code,), title, "Orlunda Semiconductor", (f"{code}.pdf",))
        for code, title in TITLES.items()
    ),
    frozenset({"e311", "e312"}),
)


def bank() -> list[dict[str, Any]]:
    return [json.loads(line) for line in BANK.read_text(encoding="utf-8").splitlines()]


def read(question: str, *before: str) -> str:
    return completed(question, [Turn(earlier) for earlier in before], NAMES)


@pytest.mark.parametrize("conversation", bank(), ids=lambda c: c["opening"][:40])
def test_every_turn_of_the_bank_is_read_as_it_was_meant(conversation):
    earlier = [conversation["opening"]]
    for turn in conversation["turns"]:
        assert (turn["question"], read(turn["question"], *earlier)) == (
            turn["question"],
            turn["read_as"],
        )
        earlier.append(turn["read_as"] or turn["question"])


def test_the_bank_has_forty_turns_and_questions_that_stay():
    turns = [turn for conversation in bank() for turn in conversation["turns"]]
    assert len(turns) >= 40
    assert sum(not turn["read_as"] for turn in turns) >= 6


@pytest.mark.parametrize(
    "question",
    [
        "What is the dropout voltage of the ORL3305 at 1 A?",
        "How do I start a data log with a trigger?",
        "Which op amps draw less than 1 µA?",
        "What is in section 8.3 of the ORA217 datasheet?",
        "What does Orlunda Semiconductor recommend for decoupling?",
        "Does the ORM8236 drive nFAULT when it is locked out?",
        "Is the ORA217 better than the ORA218?",
        "How many documents are in this library?",
        "Which LDO has the lowest dropout voltage?",
        "hello",
        "x" * 1000,
        "",
    ],
)
def test_a_question_that_is_complete_is_not_altered(question):
    assert read(question, "What is the slew rate of the ORC1604 at 85 °C?") == ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("and at 125 °C?", True),
        ("and the maximum?", True),
        ("why?", True),
        ("on which page is that stated?", True),
        ("what about in shutdown?", True),
        ("and the ORL3310?", False),
        ("What is the slew rate?", False),
        ("What about the ORT112?", False),
        ("and what does error E312 mean?", False),
        ("Where does a name come from if I don't set it?", False),
        ("Where does openHAB put its backups?", False),
        ("where does it tell which version it runs on", False),
        ("Where does the maker tell how to derate its transistors?", False),
        ("   ", False),
        ("?", False),
    ],
)
def test_what_can_only_be_a_follow_up_is_known_as_one(question, answer):
    assert is_follow_up_only(question, NAMES) is answer


@pytest.mark.parametrize("question", ["the second one", "I mean the second", "the ORA218"])
def test_a_reading_is_chosen_by_its_part_or_its_place(question):
    readings = ("What is the gain of the ORA217?", "What is the gain of the ORA218?")
    turn = Turn("What is the gain of the Orlunda amplifier?", readings=readings)
    assert "ORA218" in completed(question, [turn], NAMES)


def test_it_is_the_part_whose_document_was_cited_when_the_question_named_none():
    turn = Turn("Which LDO is for 1 A?", documents=(DocumentId("ORL3310"),))
    assert completed("and its noise?", [turn], NAMES) == "What is the noise of the ORL3310?"


def test_no_part_is_chosen_among_several_that_were_cited():
    turn = Turn("Which LDOs are there?", documents=(DocumentId("ORL3310"), DocumentId("ORL3305")))
    assert "ORL33" not in completed("what is its noise?", [turn], NAMES)


def test_a_turn_that_asked_nothing_is_passed_over():
    before = ("What is the slew rate of the ORA217?", "thanks")
    assert read("and the ORA218?", *before) == "What is the slew rate of the ORA218?"


def test_an_unknown_part_is_never_swapped_for_a_near_one():
    question = "What is the slew rate of the ORA217?"
    assert read("and the ORA219?", question) == "What is the slew rate of the ORA219?"
    assert read("and the gain?", read("and the ORA219?", question)).endswith("of the ORA219?")


def test_a_short_form_of_a_part_number_is_the_part_beside_it():
    question = "What is the gain error of the ORC1204?"
    assert read("and the 1604?", question) == "What is the gain error of the ORC1604?"
    assert "ORC1704" not in read("and the 1704?", question)


def test_the_two_parts_asked_about_are_compared():
    before = ("What is the slew rate of the ORA217?", "What is the slew rate of the ORA218?")
    either = read("which one is faster?", *before)
    assert either == "Which one is faster, the ORA217 or the ORA218?"
    assert read("compare them", *before) == "Compare the slew rate of the ORA217 and the ORA218?"


def test_a_condition_before_the_question_goes_with_it():
    asked = read("and at 85 °C, what is the noise?", "What is the slew rate of the ORA217?")
    assert asked == "ORA217: at 85 °C, what is the noise?"


@pytest.mark.parametrize(
    ("before", "question", "complete"),
    [
        (
            "What was the operating income of Acme Motors in 2022?",
            "What about Globex Industries?",
            "What was the operating income of Globex Industries in 2022?",
        ),
        (
            "How do I create a test plan in Bench Studio?",
            "How do I delete it?",
            "How do I delete the test plan in Bench Studio?",
        ),
        (
            "What is the slew rate of the ORA217?",
            "Compare it with the ORA218",
            "Compare the slew rate of the ORA217 with the ORA218?",
        ),
        (
            "What does the ORM8236 do?",
            "thanks! and what package does it come in?",
            "What package does the ORM8236 come in?",
        ),
    ],
)
def test_names_and_what_is_worked_on_go_on(before, question, complete):
    assert read(question, before) == complete
