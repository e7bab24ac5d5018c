from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.answer.exact import LIKELY, UNSURE, exact
from desktop_qa.answer.trust import recorded_trust, shipped_trust, trust_in
from desktop_qa.core.answer import STATED_FROM, Answer, AnswerStatus, Trust
from tests.helpers.tables import MadeLibrary


@pytest.fixture
def library() -> MadeLibrary:
    made = MadeLibrary()
    made.add_table(
        [
            ["PARAMETER", "MIN", "TYP", "MAX", "UNIT"],
            ["Supply current", "", "5", "8", "mA"],
            ["Propagation delay", "", "13", "25", "ns"],
        ]
    )
    return made


def test_what_stands_out_is_trusted_more_than_what_another_nearly_equals(
    library: MadeLibrary,
) -> None:
    reply = exact(library.task("What is the maximum propagation delay of the DQA1?"))
    assert reply is not None
    given = reply.statements[0]
    alone = trust_in([given], [given, replace(given, score=given.score - 5.0)])
    rivalled = trust_in([given], [given, replace(given, score=given.score - 0.1)])
    assert 0.0 < rivalled < alone < 1.0
    assert trust_in([given, given], [given, given]) >= alone


def test_an_answer_says_how_likely_it_is(library: MadeLibrary) -> None:
    with recorded_trust() as features:
        reply = exact(library.task("What is the maximum propagation delay of the DQA1?"))
    assert reply is not None
    assert reply.probability == shipped_trust().probability(features[0])


@pytest.mark.parametrize(("probability", "lead"), [(0.9, ""), (0.6, LIKELY), (0.3, UNSURE)])
def test_an_answer_leads_with_its_reserve(
    library: MadeLibrary, monkeypatch: pytest.MonkeyPatch, probability: float, lead: str
) -> None:
    monkeypatch.setattr("desktop_qa.answer.exact.trust_in", lambda _given, _order: probability)
    reply = exact(library.task("What is the maximum propagation delay of the DQA1?"))
    assert reply is not None
    assert (reply.lead, reply.probability) == (lead, probability)


def test_an_answer_is_stated_from_a_probability_on_and_never_when_nothing_was_found() -> None:
    answer = Answer("?", (), (), (), AnswerStatus.ANSWERED, (), "extractive", 0.1)
    assert answer.trust is Trust.LIKELY
    assert replace(answer, probability=STATED_FROM).trust is Trust.STATED
    assert replace(answer, probability=STATED_FROM - 0.01).trust is Trust.LIKELY
    missing = replace(answer, probability=0.9, status=AnswerStatus.NOT_FOUND)
    assert missing.trust is Trust.NOT_STATED
