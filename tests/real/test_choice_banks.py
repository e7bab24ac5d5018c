"""The banks beside this file ask about the real datasheets; `evaluate` measures with them."""

from pathlib import Path

import pytest

from desktop_qa.evaluate.bank import read_bank
from desktop_qa.retrieve.question_kinds import kind_model
from desktop_qa.retrieve.question_type import question_type
from desktop_qa.retrieve.structure_refs import find_structure_refs
from desktop_qa.retrieve.task_words import split_options

BANKS = sorted((Path(__file__).parent / "banks").glob("reckoning_and_choices*.jsonl"))


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: bank.stem)
@pytest.mark.process
def test_choices_judgements_and_gaps_are_known_as_what_they_are(bank, model):
    questions = read_bank(bank)
    assert questions
    for question in questions:
        choice = split_options(question.question)
        refs = find_structure_refs(choice.stem)
        scores = kind_model().scores(choice.stem, lambda text: model.embed_passages([text])[0])
        kind = question_type(question.question, scores, refs, choice)
        if question.type != "calculation":
            assert kind == question.type, question.question
