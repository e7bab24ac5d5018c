from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.answer.absent import (
    absent_text,
    evidence_of_codes,
    missing_code,
    refusal_text,
    without_datasheet_text,
)
from desktop_qa.core.answer import NOT_FOUND_SENTENCE, Evidence, Query
from desktop_qa.core.asked_code import AskedCode, Standing
from desktop_qa.core.document import DocumentId
from tests.helpers.sample_documents import make_sample

SAMPLE = make_sample("A1", ("The DRV8833 drives motors", "Pin compatible with DRV8835 and BAT54"))


def _evidence() -> list[Evidence]:
    segments = [indexed.segment for indexed in SAMPLE.segments]
    paged = [
        replace(s, metadata=replace(s.metadata, page_nos=(n,), document_title="DRV8833 Driver"))
        for n, s in enumerate(segments, start=3)
    ]
    return [Evidence(n, segment, 1.0, ()) for n, segment in enumerate(paged, start=1)]


def test_an_absent_code_is_named_with_the_nearest_parts():
    query = Query(
        "?", absent=("OPA4198",), nearest=(("OPA4198", ("OPA4197", "OPA197", "OPA2197")),)
    )
    assert absent_text(query, ()) == (
        f"{NOT_FOUND_SENTENCE} **OPA4198** stands in no document of it. "
        "The nearest part numbers here are OPA4197, OPA197 and OPA2197."
    )


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (AskedCode("OPA4198", Standing.OTHER_BASE, (), "OPA4197"), "is not OPA4197: the numbers"),
        (AskedCode("OPA4198", Standing.SHORT, (), "OPA4198-C3", "-C3"), "is the beginning of"),
    ],
)
def test_an_absent_code_is_told_with_the_reason(asked, reason):
    text = absent_text(Query("?", absent=("OPA4198",), codes=(asked,)), ())
    assert f"OPA4198** stands in no document of it. OPA4198 {reason}" in text


def test_an_answer_for_a_short_code_says_of_which_part_it_is():
    short = AskedCode("CD4511", Standing.SHORT, (DocumentId("A1"),), "CD4511BC", "BC")
    query = Query("?", codes=(short,), document_ids=(DocumentId("A1"),))
    assert without_datasheet_text(query, ()) == (
        "Of **CD4511BC**; no document here is called CD4511 alone."
    )


def test_an_answer_for_a_code_that_nobody_prints_says_which_part_it_is_of():
    asked = AskedCode("IRF540X", Standing.READ_AS, (DocumentId("A1"),), "IRF540", "x")
    query = Query("?", codes=(asked,), document_ids=(DocumentId("A1"),))
    assert without_datasheet_text(query, ()) == "Of **IRF540**; no document here prints IRF540X."


def test_several_absent_codes_and_none_near():
    query = Query("?", absent=("QQ1000", "QQ2000"))
    text = absent_text(query, ())
    assert text == f"{NOT_FOUND_SENTENCE} **QQ1000** and **QQ2000** stand in no document of it."


def test_a_mentioned_code_is_said_to_have_no_datasheet():
    query = Query(
        "?", absent=("DRV8835",), mentioned=(("DRV8835", (DocumentId("A1"),)),),
        nearest=(("DRV8835", ("DRV8833",)),),
    )  # fmt: skip
    assert absent_text(query, _evidence()) == (
        f"{NOT_FOUND_SENTENCE} **DRV8835** is mentioned on page 4 of DRV8833 Driver, but its "
        "datasheet is not in this library. The nearest part number here is DRV8833."
    )


def test_only_what_speaks_of_a_mentioned_part_answers_for_it():
    evidence = _evidence()
    mentioned = (("bat 54", (DocumentId("A1"),)),)
    asked = Query("?", mentioned=mentioned)
    assert evidence_of_codes(asked, evidence, lambda _document: True) == evidence[1:]
    assert evidence_of_codes(Query("?"), evidence, lambda _document: True) == evidence
    note = (("bat 54", (evidence[0].segment.document_id,)),)
    asked = Query("?", mentioned=note)
    assert evidence_of_codes(asked, evidence, lambda _document: False) == evidence
    own = evidence[0].segment.document_id
    named = Query("?", mentioned=mentioned, document_ids=(own,))
    assert evidence_of_codes(named, evidence, lambda _document: True) == evidence


def test_no_other_part_answers_for_one_that_is_named():
    evidence = _evidence()
    other = Query("?", keywords=("lm317",), document_ids=(DocumentId("of LM317"),))
    assert evidence_of_codes(other, evidence, lambda _document: True) == []
    compatible = Query("?", keywords=("drv8835",), document_ids=(DocumentId("of DRV8835"),))
    assert evidence_of_codes(compatible, evidence, lambda _document: True) == evidence[1:]


def test_of_a_pasted_list_of_parts_the_first_are_named():
    query = Query("?", absent=(*(f"QQ{n}" for n in range(1000, 1300)), "X" * 900 + "1"))
    text = absent_text(query, ())
    assert "**QQ1002** and 298 more stand in no document" in text
    assert len(absent_text(Query("?", absent=("X" * 900 + "1",)), ())) < 120


def test_an_answer_says_which_of_its_codes_have_no_datasheet():
    evidence = _evidence()
    assert without_datasheet_text(Query("?"), evidence) == ""
    compared = Query("?", absent=("OPA4198",), document_ids=(DocumentId("A1"),))
    assert without_datasheet_text(compared, evidence) == (
        "**OPA4198** stands in no document of this library."
    )
    mentioned = Query("?", mentioned=(("BAT54", (DocumentId("A1"),)),))
    assert without_datasheet_text(mentioned, evidence) == (
        "**BAT54** is mentioned on page 4 of DRV8833 Driver, but its datasheet is not in this "
        "library."
    )


def test_a_refusal_names_the_places_of_a_mentioned_code():
    query = Query("?", mentioned=(("BAT54", (DocumentId("A1"),)),))
    assert refusal_text(query, _evidence()).startswith(
        f"{NOT_FOUND_SENTENCE} **BAT54** is mentioned on page 4"
    )
    assert "**BAT54** is mentioned, but" in refusal_text(query, ())
    assert refusal_text(Query("?"), ()) == NOT_FOUND_SENTENCE
    assert refusal_text(Query("?"), _evidence()) == (
        f"{NOT_FOUND_SENTENCE} The nearest sections are listed below; none states the answer."
    )


def test_a_refusal_says_what_is_missing():
    assert refusal_text(Query("?"), _evidence(), ["MTBF"]) == (
        f"{NOT_FOUND_SENTENCE} No document here speaks of “MTBF”. "
        "The nearest sections are listed below; none states the answer."
    )
    many = refusal_text(Query("?"), (), ["a", "b", "c", "d"])
    assert many == f"{NOT_FOUND_SENTENCE} No document here speaks of “a” or “b” or “c”."


def test_a_message_is_known_by_its_code():
    texts = ["E312: Supply overcurrent", "E101: No board found"]
    assert missing_code("What does error E999 mean?", texts) == "E999"
    assert missing_code("What does error E312 mean?", texts) == ""
    assert missing_code("What happens at a fault of 5 V?", texts) == ""


def test_a_refusal_about_two_parts_says_which_one_is_not_here():
    query = Query("Compare A1000 and QQ1000", absent=("QQ1000",), document_ids=(DocumentId("A1"),))
    assert "**QQ1000** stands in no document of it." in refusal_text(query, ())
