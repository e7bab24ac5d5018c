from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.answer.answerer import LIKELY, UNSURE, reply_to, with_reserve
from desktop_qa.answer.exact import exact
from desktop_qa.answer.reply import Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.trial import trial
from desktop_qa.answer.trust import (
    OF_ANSWERABLE,
    OF_RIGHT,
    OF_SORT,
    Regression,
    TrustModel,
    grounds_of,
    probability,
    shipped_trust,
    trust_in,
)
from desktop_qa.core.answer import STATED_FROM, AnswerStatus, Trust
from tests.helpers.made_answers import make_answer
from tests.helpers.tables import Sheet


@pytest.fixture
def library() -> Sheet:
    return Sheet().add_table(
        [
            ["PARAMETER", "MIN", "TYP", "MAX", "UNIT"],
            ["Supply current", "", "5", "8", "mA"],
            ["Propagation delay", "", "13", "25", "ns"],
        ]
    )


def test_what_stands_out_is_trusted_more_than_what_another_nearly_equals(library):
    task = library.task("What is the maximum propagation delay of the DQA1?")
    reply = exact(task)
    given = reply.statements[0]

    def trusted(behind: float, *more: Statement) -> float:
        order = (given, *more, replace(given, score=given.score - behind))
        return trust_in(task, replace(reply, statements=(given, *more), ranked=order))[0]

    assert 0.0 < trusted(0.1) < trusted(5.0) < 1.0
    assert trusted(0.1, given) >= trusted(0.1)


def test_a_reply_that_was_not_ranked_is_trusted_on_the_rest(library):
    task = library.task("What is the maximum propagation delay of the DQA1?")
    reply = exact(task)
    assert reply is not None
    told = grounds_of(task, replace(reply, ranked=()))
    assert set(told.features) == {*OF_ANSWERABLE, *OF_RIGHT}
    ranked = grounds_of(task, reply)
    assert set(ranked.features) == {*told.features, *OF_SORT["ranked"]}
    computed = grounds_of(task, replace(reply, ranked=(), named=0.5))
    assert computed.features == {**told.features, "named": 0.5}
    assert (told.sort, ranked.sort, computed.sort) == ("told", "ranked", "computed")
    assert ranked.features["any"] > told.features["any"]


def test_an_answer_says_how_likely_it_is(library):
    with trial() as met:
        reply = reply_to(library.task("What is the maximum propagation delay of the DQA1?"))
    assert reply.probability == probability(shipped_trust().right, met.grounds[-1])


@pytest.mark.parametrize(
    ("probability", "lead", "behind"),
    [
        (0.9, "", ""),
        (0.6, LIKELY, ", most likely"),
        (0.3, UNSURE, ", but that is not sure"),
    ],
)
def test_an_answer_leads_with_its_reserve_and_a_verdict_says_it_behind_itself(
    library, probability, lead, behind
):
    reply = with_reserve(Reply("Two sheets say so."), probability)
    assert reply.lead == f"Two sheets say so. {lead}".strip()
    assert reply.probability == probability
    found = reply_to(library.task("What is the maximum propagation delay of the DQA1?"))
    false = replace(found.statements[0], text="False: It is: 9 ns.")
    verdict = with_reserve(Reply(statements=(false,), verdict="false"), probability)
    assert (verdict.lead, verdict.probability) == ("", probability)
    assert verdict.statements[0].text == f"False{behind}: It is: 9 ns."


def test_what_is_hardly_likely_is_not_given(library):
    task = library.task("What is the maximum propagation delay of the DQA1?")
    never = TrustModel(*[dict.fromkeys(OF_SORT, Regression(-9.0, {}))] * 2)
    with trial(trust=never):
        assert reply_to(task).status is AnswerStatus.NOT_FOUND
    assert reply_to(task).status is AnswerStatus.ANSWERED


def test_an_answer_is_stated_from_a_probability_on_and_never_when_nothing_was_found():
    answer = make_answer()
    assert answer.trust is Trust.LIKELY
    assert replace(answer, probability=STATED_FROM).trust is Trust.STATED
    assert replace(answer, probability=STATED_FROM - 0.01).trust is Trust.LIKELY
    missing = replace(answer, probability=0.9, status=AnswerStatus.NOT_FOUND)
    assert missing.trust is Trust.NOT_STATED
