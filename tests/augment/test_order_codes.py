from __future__ import annotations

import pytest

from desktop_qa.augment.order_codes import GRADES, OrderGrammar, is_variant

LISTED = [
    ["d", "dr", "dbv", "dbvr", "dbvrg4", "q1"],
    ["d", "dr", "dgk", "dgkr", "q1"],
    ["dgk", "dgkrg4", "dgkr", "drg4"],
]


@pytest.mark.parametrize("rest", ["dr", "dgkr", "drg4", "drtr"])
def test_what_two_parts_are_ordered_with_is_learned(rest: str) -> None:
    assert OrderGrammar(LISTED, GRADES).accepts(rest)


@pytest.mark.parametrize("rest", ["d", "c", "dbvr", "q1", "cdr", "xyz"])
def test_a_single_letter_a_grade_and_what_one_part_has_may_name_another(rest: str) -> None:
    assert not OrderGrammar(LISTED, GRADES).accepts(rest)


OWN = {"aqpwprq1": True, "bqpwprq1": True, "af5+": False, "af3+": False, "q1": False, "k": False}


@pytest.mark.parametrize("rest", ["a", "aqpwp", "aq1", "af5+", "af5"])
def test_a_document_tells_its_variants(rest: str) -> None:
    assert is_variant(rest, OWN, GRADES)


@pytest.mark.parametrize("rest", ["c", "k", "q1", "q", "aq2", "af7", "prq1"])
def test_what_a_document_prints_once_or_never_may_be_another_part(rest: str) -> None:
    assert not is_variant(rest, OWN, GRADES)
