from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from desktop_qa.answer.trust import (
    OF_ANSWERABLE,
    OF_RIGHT,
    OF_SORT,
    Grounds,
    probability,
    shipped_trust,
)
from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.answer_blocks import Line, Run
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.trust import Trusted, fit_trust, trust_toml, trusted_answer
from tests.helpers.made_answers import make_answer

TOLD = (*OF_ANSWERABLE, *OF_RIGHT)
RANKED = (*TOLD, *OF_SORT["ranked"])
FAR, NEAR = (Grounds(dict.fromkeys(RANKED, value)) for value in (2.0, -2.0))
TOLD_FAR, TOLD_NEAR = (Grounds(dict.fromkeys(TOLD, value)) for value in (2.0, -2.0))
GOLD = GoldQuestion("Q", "How much?", "fact", answer_any=("5 V",))


def _answer(text: str, status: AnswerStatus = AnswerStatus.ANSWERED) -> Answer:
    blocks = (Line((Run(text),)),)
    return make_answer("?", blocks, status=status, probability=0.5)


def _answers(grounds: Grounds, *right: bool) -> list[Trusted]:
    return [Trusted(grounds, one, one) for one in right]


def test_the_fit_tells_right_answers_from_wrong_ones_and_ships_as_toml():
    answers = [*_answers(FAR, *[True] * 9, False), *_answers(NEAR, *[False] * 9, True)]
    model = fit_trust([answers, answers[::-1]])
    for sorts in (model.right, model.answerable):
        assert probability(sorts, FAR) == pytest.approx(0.9, abs=0.06)
        assert probability(sorts, NEAR) == pytest.approx(0.1, abs=0.06)
    assert tomllib.loads(trust_toml(model))["right"]["ranked"]["bias"] < 0.1


def test_questions_without_an_answer_count_as_much_as_all_others():
    middle = Grounds(dict.fromkeys(RANKED, 0.0))
    few = [*_answers(middle, *[True] * 9), *_answers(FAR, True), *_answers(middle, False)]
    model = fit_trust([few])
    assert probability(model.answerable, middle) < 0.6 < probability(model.right, middle)


def test_what_was_not_ranked_has_a_model_of_its_own():
    both = [*_answers(FAR, True), *_answers(NEAR, False)]
    told = [*_answers(TOLD_FAR, *[False] * 9), *_answers(TOLD_NEAR, *[True] * 9)]
    model = fit_trust([[*both, *told]])
    assert probability(model.right, FAR) > 0.5 > probability(model.right, NEAR)
    # Fitted the other way round; no weight counts against an answer, so none is left.
    assert set(model.right["told"].weights.values()) == {0.0}
    assert fit_trust([told]).right["ranked"] == shipped_trust().right["ranked"]


def test_answers_that_are_all_right_teach_nothing():
    with pytest.raises(ValueError, match="others that are wrong"):
        fit_trust([_answers(FAR, True)])
    with pytest.raises(ValueError, match="without an answer"):
        fit_trust([[Trusted(FAR, True, False), Trusted(FAR, True, True)]])


def test_what_was_withheld_is_judged_too_and_what_rests_on_nothing_is_not():
    refused = _answer("", AnswerStatus.NOT_FOUND)

    def nothing(_question: Question) -> Answer:
        return refused

    assert trusted_answer(GOLD, nothing, refused, ()) is None
    assert trusted_answer(GOLD, nothing, refused, (FAR,)) is None
    assert trusted_answer(GOLD, nothing, _answer("It is 5 V."), (FAR,)) == Trusted(FAR, True, True)
    assert trusted_answer(GOLD, nothing, _answer("It is 6 V."), (FAR,)) == Trusted(FAR, True, False)
    negative = replace(GOLD, negative=True)
    assert trusted_answer(negative, nothing, _answer("It is 5 V."), (FAR,)) == Trusted(
        FAR, False, False
    )


def test_the_shipped_models_refuse_nothing_for_more_support():
    model = shipped_trust()
    for tables in tomllib.loads(trust_toml(model)).values():
        for own in tables.values():
            assert all(value >= 0.0 for name, value in own.items() if name != "bias")
    weak = Grounds({"any": 0.1, "words": 0.1, "evidence": 0.1, "share": -4.0, "score": 0.0})
    assert not model.gives(weak)
    strong = replace(weak, features=dict.fromkeys(RANKED, 3.0))
    assert model.gives(strong)
    assert not model.gives(replace(strong, is_new=False))
    assert model.gives(replace(weak, is_at_place=True))
