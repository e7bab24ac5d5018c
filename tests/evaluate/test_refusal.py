"""Refusal is fitted on one half of the questions and judged on the other."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from desktop_qa.answer.trust import FEATURES, Grounds, shipped_trust
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.refusal import (
    ALL_NEGATIVES,
    Judged,
    Trusted,
    calibrate,
    calibration_json,
    format_calibration,
    halves,
    refused_shares,
    trust_figures,
)

SURE = Grounds(dict.fromkeys(FEATURES, 1.0))


def _judged(n: int, *, negative: bool, kind: str = "", seed: int = 1) -> list[Judged]:
    """Questions whose features tell them apart, with noise."""
    generator = random.Random(seed)
    level = -1.0 if negative else 1.0
    found = []
    for number in range(n):
        grounds = Grounds({name: level + generator.gauss(0.0, 0.2) for name in FEATURES})
        question = GoldQuestion(
            f"{kind or 'POS'}-{number}", "?", "fact", negative=negative, kind=kind
        )
        found.append(
            Judged(
                question, (grounds,), Trusted(grounds, not negative, not negative), is_refused=False
            )
        )
    return found


@pytest.fixture
def bank() -> list[Judged]:
    return [
        *_judged(40, negative=False),
        *_judged(21, negative=True, kind="unstated", seed=2),
        *_judged(11, negative=True, kind="offtopic", seed=3),
    ]


def test_halves_have_their_share_of_every_kind_and_do_not_depend_on_order(
    bank: list[Judged],
) -> None:
    first, second = halves(bank)
    assert len(first) + len(second) == len(bank)
    for group in ("answerable", "unstated", "offtopic"):
        counts = [sum(one.group == group for one in half) for half in (first, second)]
        assert counts[0] - counts[1] in (0, 1)
    assert halves(bank[::-1]) == (first, second)


def test_each_question_is_judged_by_the_half_it_is_not_in(bank: list[Judged]) -> None:
    found = calibrate(bank)
    shares = refused_shares(found.judged, found.held_out)
    assert shares["answerable"][:2] == (40, pytest.approx(0.0, abs=0.1))
    assert shares[ALL_NEGATIVES][0] == 32
    assert shares[ALL_NEGATIVES][1] >= 0.9
    assert found.shipped == (False,) * len(bank)


def test_what_no_weight_decides_stays_as_it_is(bank: list[Judged]) -> None:
    negative = GoldQuestion("N", "?", "fact", negative=True)
    certain = Judged(negative, (), None, is_refused=True)
    placed = Grounds(dict.fromkeys(FEATURES, -9.0), is_at_place=True)
    at_place = Judged(GoldQuestion("P", "?", "fact"), (placed,), None, is_refused=False)
    model = calibrate(bank).final
    assert certain.is_refused_by(model)
    assert not at_place.is_refused_by(model)


def test_what_says_nothing_new_is_refused_whatever_the_rest_says(bank: list[Judged]) -> None:
    model = calibrate(bank).final
    assert model.gives(SURE)
    assert not model.gives(replace(SURE, is_new=False))


def test_one_class_alone_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="others that are wrong"):
        calibrate(_judged(10, negative=False))


def test_the_report_has_all_groups_and_the_lines_of_the_resource(bank: list[Judged]) -> None:
    found = calibrate(bank)
    text = format_calibration(found)
    for word in ("answerable", "unstated", ALL_NEGATIVES, "[answerable.ranked]", "[right.told]"):
        assert word in text
    figures = calibration_json(found)
    assert figures["n"] == len(bank)
    assert set(figures["held_out"]["refused"]) == {
        "answerable", "unstated", "offtopic", ALL_NEGATIVES
    }  # fmt: skip


def test_the_shipped_models_refuse_nothing_for_more_support() -> None:
    model = shipped_trust()
    for own in trust_figures(model).values():
        assert all(value >= 0.0 for name, value in own.items() if name != "bias")
    weak = Grounds({"any": 0.1, "words": 0.1, "evidence": 0.1, "share": -4.0, "score": 0.0})
    assert not model.gives(weak)
    assert model.gives(replace(weak, features=dict.fromkeys(FEATURES, 3.0)))
