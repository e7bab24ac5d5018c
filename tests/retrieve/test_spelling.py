"""Words that stand nowhere, and the ones that were meant."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.spelling import nearest_word, respelled

TEXTS = ("The input voltages are low.", "Voltage and offset", "voltage current", "offset voltage")


def frequency(term: str) -> int:
    return sum(term in terms_of(text) for text in TEXTS)


def texts_with(term: str) -> Iterable[str]:
    return (text for text in TEXTS if term in terms_of(text))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("voltge", "voltage"),
        ("Votlage", "voltage"),
        ("voltagw", "voltage"),
        ("offfset", "offset"),
        ("crrent", ""),  # of one text only: too little to go by
        ("zzyzx", ""),
        ("OPA4198", ""),
        ("µV", ""),
        ("x" * 500, ""),
    ],
)
def test_the_commonest_word_one_slip_away_is_meant(typed, meant):
    assert nearest_word(typed, frequency, texts_with) == meant


def test_only_whole_words_of_a_search_are_replaced():
    better = {"ofset": "offset"}
    assert respelled("ofset -ofsetting kind:table", better) == "offset -ofsetting kind:table"
